/* learn/sizes/weigh_sizes.h - how far to believe a rule that a log suggests: each is tried on all URLs of the log.
 *
 *     drop ?sid    /a?sid=1  5120 ┐
 *                  /a?sid=2  5120 ┘ for      /b?sid=3  7003 ┐
 *                                            /b        9120 ┘ against      /c?sid=4 => /c, which is 404: against
 *
 * This is the test of DustBuster's Figures 4 and 5 with the log in the place of the site. Each URL that a rule changes,
 * alone and once, is compared with the others that become the same text, and with that text where the log has it. What
 * has no such evidence is compared with all rules in force.
 *
 * What equal sizes are worth:
 *   - A group of URLs is one vote. One of assets is a tenth of one: a page against a rule outweighs many pictures for
 *     it. Where assets alone speak, no path is changed: copies in other folders say nothing of the next.
 *   - Sizes that are equal among the groups themselves are no evidence: votes count by how rare that is.
 *   - A page that shows the number it was asked for has one size for all numbers of that length. URLs of equal length
 *     are half a vote, and a rule that puts one number for another is left out; so is one that puts an id for another,
 *     since two revisions have most of their files in common, and one that puts a text for another of its length, until
 *     many groups speak for it.
 *   - Where a log has ETags or media types, pages that differ in them are others; where it has referrers, a group of
 *     URLs of which at most one was asked for twice, or from somewhere on the site, is half a vote: somebody may have
 *     guessed the others.
 *   - The same rows in another order have the same size, and so have manuals of two versions: where pairs differ in a
 *     parameter that sorts, or in the number of a version, equal sizes prove nothing. What has no number is taken for
 *     the newest version. But where another order of a list has quite another size, its rows are cut, and what has the
 *     same size has the same rows: six such pairs speak for the others, too.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SIZES_WEIGH_SIZES_H
#define DP_LEARN_SIZES_WEIGH_SIZES_H

#include "apply/engine.h"
#include "learn/method/proposal.h"

/* All rules of a log are likely, and weighed here: so the method may propose what it believes this much. */
#define DP_SIZES_PROPOSED .95

/* Below this chance a rule is not worth a test: more likely wrong than right. */
#define DP_SIZES_LEAST .5

/* Rules of an engine, and which proposal each of them is. */
typedef struct dp_weigh_task {
    const dp_site   *site; /* of learn/sizes/label_sizes.h */
    const dp_engine *engine;
    const uint32_t  *proposal; /* [rules of the engine] */
} dp_weigh_task;

/* Set p, n, neg and save, the URLs that it merges alone, of the proposals with in[i] != 0, and in[i]
 * to 0 where p is too small. DP_ENOMEM. */
dp_err dp_weigh_sizes(dp_proposals *p, uint8_t *in, const dp_weigh_task *t);

#endif
