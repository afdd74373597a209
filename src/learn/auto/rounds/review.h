/* learn/auto/rounds/review.h - each accepted rule once more, with all the others in force.
 *
 *     key(u) with all rules           a group of URLs
 *     key(u) without rule r           the parts of the group that r alone brings together
 *
 * A rule is accepted on the forms of its round, where other duplicates may still hide what it does: a case-sensitive
 * section looks harmless while session ids keep its pages apart. At the end nothing hides any more. The rule is taken
 * away, the parts that its groups fall into are labelled by their URLs, and they vote as in learn/auto/vote/ballot.h: a
 * part of twenty URLs with one wrong label has the right one, so that noise does not add up with the size of groups.
 *
 * Firm votes. One wrong label puts one URL of a page under another page, whose other URLs are elsewhere. Where all URLs
 * of two pages, at least two of each, come together, no wrong label can have done it:
 *
 *     /cat?item=7&cat=1, /cat?item=7&cat=books    page A
 *     /cat?item=7&cat=2, /cat?item=7&cat=music    page B       drop ?cat: one firm vote against it
 *
 * Only URLs on which r fired are run again, if it was not noted before what they are without r
 * (learn/auto/forms/absences.h). Whether anything speaks against r, groups with several labels say alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_ROUNDS_REVIEW_H
#define DP_LEARN_AUTO_ROUNDS_REVIEW_H

#include "learn/auto/confine/context.h"
#include "learn/auto/rounds/rounds.h"

typedef struct dp_review dp_review;

/* Begin with what `n` rules made of the site's URLs: `forms`, and what fired. `how` has their engine; all of it must
 * outlive the review. DP_ENOMEM. */
dp_err dp_review_new(dp_review **out, const dp_forms *forms, dp_absences *fired, const dp_rewriting *how, size_t n);
void   dp_review_free(dp_review *r);

/* What rule `i` merges that the others do not, and what the labels say; its evidence by features in `*c` (zeroed; may
 * be NULL), whose texts live as long as what fired. DP_ENOMEM. */
dp_err dp_review_rule(dp_count *out, dp_context *c, dp_review *r, size_t i);

/* The same quickly: no fewer votes against the rule than dp_review_rule finds, and those for it are left out. */
dp_err dp_review_doubt(dp_count *out, dp_review *r, size_t i);

/* Whether more merges that agree would be lost than such that do not, were the engine `e`, whose rules are the same but
 * for conditions, in place of the one at hand, as far as URLs are concerned on which rule `i` fired; used[n] becomes
 * which rules fire on these. DP_ENOMEM. */
dp_err dp_review_loses(bool *out, bool *used, dp_review *r, size_t i, const dp_engine *e);

/* Rule `i` will be another: what was said of rules that share a group with it no longer holds. */
void dp_review_correct(dp_review *r, size_t i);
bool dp_review_holds(const dp_review *r, size_t i);

#endif
