/* learn/run/recount_pass.h - all facts of a site that was learned from a sample, once more.
 *
 *     facts of the site ─ by key ─► buckets, a part each ─► corpus ─► learn/recount/recount.h
 *
 * As many parts as samples would fit into the site; how many are in memory at a time follows from the budget.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_RUN_RECOUNT_PASS_H
#define DP_LEARN_RUN_RECOUNT_PASS_H

#include "learn/run/all_sites.h"
#include "learn/run/schedule.h"

/* Recount the rules of `f`, which were learned from a sample of `from`. DP_ENOMEM, DP_EIO. */
dp_err dp_recount_pass(dp_site_result *f, const dp_all_sites *c, const dp_source *from, uint64_t memory, dp_error *err);

#endif
