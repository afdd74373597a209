/* learn/learner.h - the inside of dp_learner: what learner.c and the files of learn/steps share.
 *
 *     dp_learner_run                        all at once, on this machine: learn/run/run.h
 *     dp_learner_pack, dp_site_step, ...    the same in steps, for many machines: learn/steps/
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_LEARNER_H
#define DP_LEARN_LEARNER_H

#include "input/how.h"
#include "learn/run/run.h"

struct dp_learner {
    dp_settings settings;
    char       *how[DP_HOWS];
    dp_progress progress;
    void       *progress_ctx;
    void (*folder)(void *ctx, const char *path);
    void       *folder_ctx;
    void (*waiting)(void *ctx, const char *path);
    void       *waiting_ctx;
    dp_results  results;
    dp_error    bad[DP_RUN_BAD];
    size_t      nbad;
    struct dp_statefile *state; /* of the last run; NULL: none */
};

#endif
