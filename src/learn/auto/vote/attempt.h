/* learn/auto/vote/attempt.h - every idea tried on every form, what was found before left out.
 *
 *     (idea, form)  ──►  (idea, hash of the result, form)   by idea, result, form
 *
 * What an idea makes of a form depends on their texts alone. Most ideas of a round were there in the round before, most
 * forms were not rewritten in between, and an idea with a condition fires only where the idea without it fires: an
 * earlier attempt leaves little to try.
 *
 * Invariant: the result is that of trying everything on the forms that are bounded (learn/auto/forms/forms.h), for any
 * earlier attempt and any number of threads.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_VOTE_ATTEMPT_H
#define DP_LEARN_AUTO_VOTE_ATTEMPT_H

#include "base/pool.h"
#include "judge/groups.h"
#include "learn/auto/forms/forms.h"
#include "learn/auto/forms/idea.h"

typedef struct dp_tries {
    dp_member *v;  /* [n] by tag (number of the idea), key, item (number of the form) */
    size_t     n;
    size_t    *at; /* [nidea + 1] where each idea's begin */
} dp_tries;

typedef struct dp_attempt {
    dp_member *v;  /* the forms that ideas change, as in dp_tries */
    size_t     n;
    size_t    *at;
    dp_tries   lost; /* those of them in which nothing of their page is left (learn/auto/forms/identity.h) */
} dp_attempt;

/* An earlier attempt, and what of it still holds. */
typedef struct dp_earlier_attempt {
    const dp_attempt *of;
    const uint32_t   *same;   /* [nidea] the idea's number there, DP_NO_IDEA: it was not tried */
    const uint32_t   *within; /* [nidea] number there of an idea outside whose forms it does not fire, DP_NO_IDEA: not
                                 known; NULL: of none */
    const uint32_t   *form;   /* [] what became of the forms, DP_NO_FORM: rewritten; NULL: they are the same */
    size_t            nform;  /* forms then */
} dp_earlier_attempt;

/* Try ideas [0, n) on all forms; `r` may be NULL. Where f->whole says what a single idea comes to, that is taken.
 * DP_ENOMEM, DP_ELIMIT. */
dp_err dp_attempt_init(dp_attempt *a, const dp_forms *f, const dp_idea *idea, size_t n, const dp_earlier_attempt *r,
                       dp_pool *pool);
void   dp_attempt_done(dp_attempt *a);

#endif
