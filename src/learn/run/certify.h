/* learn/run/certify.h - `learn --certify`: rules whose precision is proven, not expected.
 *
 *     pages of a site ─┬─ T: teach ─► learned as any site ─► rules, the most certain first
 *                      ├─ K1 ─┐                                 │ lists, each longer
 *                      └─ K2 ─┴─ vote on each list ◄────────────┘
 *                                          good   two of the page's URLs get one key, and no other page's does
 *                                          bad    one of its URLs gets the key of another page: K1 of one of T,
 *                                                 K2 of one of T or K1
 *
 * Learn then Test. Whatever the search did, it has seen T alone. Given T, the votes of K1 are independent; given T and
 * K1, those of K2 are: an exact binomial test (judge/certificate.h) holds for both together. Lists are tested in fixed
 * order, and the first that fails ends it, so that many lists cost no more than one. The longest list that passes
 * stays active, all other rules become likely. Then
 *
 *     Pr(precision of what is active < --min-precision) <= 1 - --confidence
 *
 * over the drawing of the pages. T was tuned on, so K2 also votes against pages that nobody has seen. The first list
 * that is tested is the shortest from which T leads to expect half as many votes again as are needed.
 *
 * What is proven is proven against so many pages: a crawl of more meets more of them (docs/trust.md).
 *
 * Invariants:
 *   - Who teaches and who votes depends on the ids of pages alone, and how many do on how many there are.
 *   - What is written was learned from T. No page of K changes a rule; it may only make it likely.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_RUN_CERTIFY_H
#define DP_LEARN_RUN_CERTIFY_H

#include "learn/accept/learn_site.h"

/* Learn a site as t->confidence asks for; `linked`: it is several domains. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_certify_site(dp_learned *out, const dp_site *s, const dp_learn_how *t, bool linked);

/* Make all rules of a site likely, for which there is no such proof. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_certify_none(dp_learned *l);

#endif
