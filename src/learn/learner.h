/* learn/learner.h - the inside of dp_learner: what learner.c, parcel.c and study.c share.
 *
 *     dp_learner_run                        all at once, on this machine: learn/run.h
 *     dp_learner_pack, dp_study, ..._merge  the same in steps, for many: learn/parcel.c, learn/study.c
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_LEARNER_H
#define DP_LEARN_LEARNER_H

#include "input/how.h"
#include "learn/run.h"

struct dp_learner {
    dp_settings settings;
    char       *how[DP_HOWS];
    dp_progress progress;
    void       *progress_ctx;
    void (*folder)(void *ctx, const char *path);
    void       *folder_ctx;
    dp_results  results;
    dp_error    bad[DP_RUN_BAD];
    size_t      nbad;
};

#endif
