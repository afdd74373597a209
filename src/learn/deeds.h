/* learn/deeds.h - what rules make of the URLs of a site, each alone and once, by the texts of the rules.
 *
 *     a.com, "drop ?sid"   ─►   (URL 7, hash of what becomes of it)  (URL 9, ...)
 *
 * A learner that has run its rules on all URLs may leave here what it saw; then nobody has to run them again to judge
 * them (learn/verdict.h). It leaves the deeds of all rules that it proposes, or of none.
 *
 * Memory: 16 bytes a firing.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DEEDS_H
#define DP_LEARN_DEEDS_H

#include "base/buf.h"
#include "base/intern.h"
#include "judge/groups.h"
#include "learn/proposal.h"

/* URLs of the site that a rule changes, and the hashes of what it makes of them. */
typedef struct dp_deed {
    const dp_member *v; /* [n] key, item; in any order; in a page */
    size_t           n;
} dp_deed;

/* A zeroed one is valid and empty. */
typedef struct dp_deeds {
    dp_intern known; /* hosts, LF, text */
    dp_deed  *v;     /* [n] */
    uint32_t  n, cap;
    dp_buf    key;
    void    **page;  /* [npage] memory in which they lie */
    uint32_t  npage, page_cap;
} dp_deeds;

/* Keep a page, which is malloc'd, until the end. DP_ENOMEM: then it is still the caller's. */
dp_err dp_deeds_keep(dp_deeds *d, void *page);

/* Add what a rule does, in a page that is kept, unless it is known already. DP_ENOMEM. */
dp_err dp_deeds_add(dp_deeds *d, dp_str hosts, dp_str text, const dp_member *v, size_t n);

/* Those of a proposal; NULL: they are not known. */
const dp_deed *dp_deeds_find(dp_deeds *d, const dp_proposal *p);

void dp_deeds_done(dp_deeds *d);

#endif
