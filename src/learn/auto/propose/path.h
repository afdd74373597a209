/* learn/auto/propose/path.h - what two paths have in common at both ends, and short hashes.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_PROPOSE_PATH_H
#define DP_LEARN_AUTO_PROPOSE_PATH_H

#include "learn/auto/propose/propose.h"

/* Components that are equal from the start on, and then from the end on. */
typedef struct dp_path_cut {
    uint32_t start, end;
} dp_path_cut;

dp_path_cut dp_path_cut_of(const dp_frame *u, const dp_frame *v);

/* Whether `v` is the beginning of the hash `u`, as short names of revisions are. */
bool dp_is_short_hash(dp_str u, dp_str v);

/* Append "{x:hex*10}{y:hex*30}" for them: the short one, and what else the long one has. */
void dp_put_hash(dp_buf *out, dp_str u, dp_str v);

#endif
