/* learn/lastpass.h - all facts of a site that was learned from a sample, once more.
 *
 *     facts of the site ─ their keys ─► drawers, a part each ─ threads ─► corpus ─► learn/counting.h
 *
 * As many parts as samples would fit into the site; how many are in memory at a time follows from the budget.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_LASTPASS_H
#define DP_LEARN_LASTPASS_H

#include "learn/course.h"
#include "learn/visit.h"

/* Recount the rules of `f`, which a sample of `from` has taught. DP_ENOMEM, DP_EIO. */
dp_err dp_lastpass_run(dp_fragment *f, const dp_course *c, const dp_source *from, uint64_t memory, dp_error *err);

#endif
