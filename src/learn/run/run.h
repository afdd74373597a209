/* learn/run/run.h - one run of `learn`, from files to results.
 *
 *     files ─► input/reader ─► site/fact ─► store/facts: by domain, in memory or in files under --tmp
 *                                                │
 *                                  learn/run/all_sites  ▼   each site: corpus, rules
 *                                                │ results, in the order of the sites' names
 *                                                ▼
 *                                            learn/run/summary: header, file, numbers
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_RUN_RUN_H
#define DP_LEARN_RUN_RUN_H

#include "learn/run/settings.h"
#include "learn/run/summary.h"

enum { DP_RUN_BAD = 5 /* lines that cannot be read, kept as examples */ };

typedef struct dp_run {
    dp_settings *settings;
    char *const *how;      /* by dp_input_option; NULL: by content */
    dp_progress  progress; /* may be NULL */
    void        *progress_ctx;
    void (*folder)(void *ctx, const char *path); /* of dp_learner_folder; may be NULL */
    void        *folder_ctx;
    void (*waiting)(void *ctx, const char *path); /* of dp_learner_waiting; may be NULL */
    void        *waiting_ctx;
    dp_results  *results;
    dp_error    *bad;      /* [DP_RUN_BAD] */
    size_t       nbad;
    struct dp_statefile *state; /* after a run that went well: still open, so that no other run has it; the caller's */
} dp_run;

/* Whatever dp_learner_run may return. */
dp_err dp_run_all(dp_run *r, const char *const *paths, size_t count, dp_error *err);

#endif
