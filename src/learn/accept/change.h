/* learn/accept/change.h - in what two keys differ, in words that are the same for all pairs like them.
 *
 *     http://a.com/log/12?node=7         /log/.. or /shortlog/..; ?rev in one of them
 *     http://a.com/shortlog/12?node=7&rev=1
 *
 * For counting duplicates that no rule merges, by form (learn/accept/leftover.h). A segment of the path that is a short
 * word stands as it is, others as {int} or {text}; what both have before and behind is two dots. Values are not shown.
 *
 * Invariants:
 *   - The two may be exchanged: the words are the same.
 *   - At most some hundred bytes: three segments of a path and four names of parameters are shown.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_ACCEPT_CHANGE_H
#define DP_LEARN_ACCEPT_CHANGE_H

#include "url/frame.h"

/* Append in what two URLs differ, whose frames these are; nothing when they do not. */
void dp_change_say(dp_buf *out, const dp_frame *a, const dp_frame *b);

#endif
