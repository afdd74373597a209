/* learn/auto/propose/path.h - what two paths have in common at both ends.
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

#endif
