/* support/packed_files.h - files packed one a machine, as learning in steps begins (docs/spark.md).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_PACKED_FILES_H
#define DP_SUPPORT_PACKED_FILES_H

#include "dustpan.h"

/* Pack file `i` into out[i], for each of `n`; counts of all are added to totals[DP_READ_COUNTS]. What fails ends it:
 * packed facts before that are the caller's, too. */
dp_err parcels_pack(dp_packed_facts **out, dp_learner *l, const char *const *paths, size_t n, uint64_t *totals);

#endif
