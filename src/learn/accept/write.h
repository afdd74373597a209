/* learn/accept/write.h - proposals as blocks of a rule file.
 *
 *     host a.com, www.a.com
 *     order any
 *     keep ?lang
 *     drop ?sid                  [p=.998 n=212 neg=0 save=1040 by=text]
 *
 * One block a scope, in the order in which scopes first come; inside, rules stand as given: line order is priority. A
 * rule that forgets something never goes before a rewrite of the same hosts that was given before it: its scope has a
 * second block then.
 * "order any" is a line of its block whatever its place. Reads learn/method/proposal.h; learn/learner.c puts the header
 * above and prints the whole as `rules fmt` does.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_ACCEPT_WRITE_H
#define DP_LEARN_ACCEPT_WRITE_H

#include "base/buf.h"
#include "learn/method/proposal.h"

/* Append the blocks of `p`, each with `keep` (whole lines, with their ends; may be empty). How many lines
 * of `out` stand before rule i is put into line[i] (SIZE_MAX: no rule), unless `line` is NULL. DP_ENOMEM. */
dp_err dp_write_blocks(dp_buf *out, const dp_proposals *p, dp_str keep, size_t *line);

/* Append the line of one rule: state, text, attributes. */
void dp_write_rule(dp_buf *out, const dp_proposal *p);

#endif
