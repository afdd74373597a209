/* learn/auto/review.h - each accepted rule once more, with all the others in force.
 *
 *     key(u) with all rules           a group of URLs
 *     key(u) without rule r           the parts of the group that r alone brings together
 *
 * A rule is accepted on the forms of its round, where other duplicates may still hide what it does: a case-sensitive
 * section looks harmless while session ids keep its pages apart. At the end nothing hides any more. The rule is taken
 * away, the parts that its groups fall into are labelled by their URLs, and they vote as in learn/auto/ballot.h: a part
 * of twenty URLs with one wrong label has the right one, so that noise does not add up with the size of groups.
 *
 * Only URLs on which r fired are run again. Whether anything speaks against r, groups with several labels say alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_REVIEW_H
#define DP_LEARN_AUTO_REVIEW_H

#include "learn/auto/context.h"
#include "learn/auto/rounds.h"

typedef struct dp_review dp_review;

/* Begin with what the engine of all rules did to the site's URLs: `forms`, and what fired. When that is not `known`
 * they are run, and it is added to `fired`, which is empty. The engine must outlive the review. DP_ENOMEM. */
dp_err dp_review_new(dp_review **out, const dp_forms *forms, const dp_taken *v, size_t n, const dp_engine *e,
                     dp_firings *fired, bool known);
void   dp_review_free(dp_review *r);

/* What rule `i` merges that the others do not, and what the labels say; its evidence by features in `*c` (zeroed; may
 * be NULL), whose texts live as long as the review, until the next call. DP_ENOMEM. */
dp_err dp_review_rule(dp_count *out, dp_context *c, dp_review *r, size_t i);

/* The same quickly: no fewer votes against the rule than dp_review_rule finds, and those for it are left out. */
dp_err dp_review_doubt(dp_count *out, dp_review *r, size_t i);

/* Of the last call: [n + 1] for each rule whether it fired without that one; the last: on some URL they had no end. */
const uint8_t *dp_review_used(const dp_review *r);

/* Whether more merges that agree would be lost than such that do not, were the engine `e`, whose rules are the same but
 * for conditions, in place of the one at hand, as far as URLs are concerned on which rule `i` fired. dp_review_used
 * says then which rules fire. DP_ENOMEM. */
dp_err dp_review_loses(bool *out, dp_review *r, size_t i, const dp_engine *e);

/* The URLs on which rule `i` fired and their groups, as a number. */
uint64_t dp_review_sign(dp_review *r, size_t i);

/* Rule `i` will be another: what was said of rules that share a group with it no longer holds. */
void dp_review_correct(dp_review *r, size_t i);
bool dp_review_holds(const dp_review *r, size_t i);

#endif
