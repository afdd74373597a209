/* learn/method/effects.h - what rules make of the URLs of a site, each alone and once, by the texts of the rules.
 *
 *     a.com, "drop ?sid"   ─►   (URL 7, hash of what becomes of it)  (URL 9, ...)
 *
 * A learner that has run its rules on all URLs may leave here what it saw; then nobody has to run them again to judge
 * them (learn/accept/judge_each.h). It leaves the effects of all rules that it proposes, or of none.
 *
 * Memory: 16 bytes a firing.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_METHOD_EFFECTS_H
#define DP_LEARN_METHOD_EFFECTS_H

#include "base/buf.h"
#include "base/intern.h"
#include "judge/groups.h"
#include "learn/method/proposal.h"

/* URLs of the site that a rule changes, and the hashes of what it makes of them. */
typedef struct dp_effect {
    const dp_member *v; /* [n] key, item; in any order; in a page */
    size_t           n;
} dp_effect;

/* A zeroed one is valid and empty. */
typedef struct dp_effects {
    dp_intern  known; /* hosts, LF, text */
    dp_effect *v;     /* [n] */
    uint32_t   n, cap;
    dp_buf     key;
    void     **page;  /* [npage] memory in which they lie */
    uint32_t   npage, page_cap;
} dp_effects;

/* Keep a page, which is malloc'd, until the end. DP_ENOMEM: then it is still the caller's. */
dp_err dp_effects_keep(dp_effects *d, void *page);

/* Add what a rule does, in a page that is kept, unless it is known already. DP_ENOMEM. */
dp_err dp_effects_add(dp_effects *d, dp_str hosts, dp_str text, const dp_member *v, size_t n);

/* Those of a proposal; NULL: they are not known. */
const dp_effect *dp_effects_find(dp_effects *d, const dp_proposal *p);

void dp_effects_done(dp_effects *d);

#endif
