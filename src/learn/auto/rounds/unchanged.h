/* learn/auto/rounds/unchanged.h - what the last look at the URLs saw, and what of it still holds for fewer rules.
 *
 *     then   a  b  c      URL 1: a fired     URL 2: b     URL 3: none
 *     now    a     c      URL 1 as it was    run again    as it was
 *
 * Looking back takes a rule away or confines it, and looks again. Where a rule did not fire, nothing changes without
 * it, nor when it fires on less: rules are tried in turn, and those that fired then are still the first that can. So
 * only the URLs are run again on which one of these rules fired.
 *
 * Invariant: forms, firings and absences are those of running all URLs, for any number of threads; but absences may
 * lack texts, which learn/auto/rounds/review.h finds when somebody asks.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_ROUNDS_UNCHANGED_H
#define DP_LEARN_AUTO_ROUNDS_UNCHANGED_H

#include "learn/auto/forms/forms.h"

typedef struct dp_taken  dp_taken;
typedef struct dp_rounds dp_rounds;

/* The rules that the URLs were run with last. A zeroed one is empty. */
typedef struct dp_looked {
    dp_taken *v;     /* [n] their texts live as long as the rules */
    size_t    n;
    uint32_t  steps; /* dp_forms.steps behind it */
} dp_looked;

/* Note that r->forms have just been made by the rules of `r`. DP_ENOMEM. */
dp_err dp_looked_note(dp_looked *l, const dp_rounds *r);
void   dp_looked_done(dp_looked *l);

typedef struct dp_unchanged {
    dp_recall   recall; /* says which URLs are to be run, and what the others are */
    uint32_t   *now;    /* [rules then] number now, UINT32_MAX: it is gone, or fires on less */
    uint32_t   *line;   /* [engine rules then] the same of the engine's rules */
    uint64_t    changed; /* bits (dp_owners) of the rules that are gone or fire on less */
    dp_firings  fired;  /* then */
    dp_absences absences;
} dp_unchanged;

/* What of the last look holds for the rules of `r`, whose owners are given: it is taken out of `r`. `*some`: anything
 * does. DP_ENOMEM. */
dp_err dp_unchanged_find(dp_unchanged *u, dp_rounds *r, const dp_owners *now, bool *some);

/* Add what holds to what was found by running the other URLs, both in the order of URLs. DP_ENOMEM. */
dp_err dp_unchanged_keep(dp_unchanged *u, dp_rounds *r);
void   dp_unchanged_done(dp_unchanged *u);

#endif
