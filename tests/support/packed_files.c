/* SPDX-License-Identifier: Apache-2.0 */
#include "support/packed_files.h"

#include "base/err.h"

dp_err parcels_pack(dp_packed_facts **out, dp_learner *l, const char *const *paths, size_t n, uint64_t *totals)
{
    for (size_t i = 0; i < n; i++) {
        DP_TRY(dp_learner_pack(&out[i], l, &paths[i], 1, NULL));
        for (int k = 0; k < DP_READ_COUNTS; k++)
            totals[k] += dp_packed_facts_total(out[i], (dp_read_count)k);
    }
    return DP_OK;
}
