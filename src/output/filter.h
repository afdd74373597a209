/* output/filter.h - dp_filter of dustpan.h: what output/filter.c is told and output/run.c does.
 *
 *     dp_filter_new, _set, _input, _source ──► dp_filter ──► dp_filter_run ──► totals, bad lines
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_OUTPUT_FILTER_H
#define DP_OUTPUT_FILTER_H

#include "input/how.h"
#include "output/answer.h"

enum { DP_FILTER_COUNTERS = DP_COUNT_PROBES + 1 };

struct dp_filter {
    dp_ask      ask;
    int64_t     threads; /* 0: as many as the machine has */
    bool        line_buffered;
    char       *how[DP_HOWS];
    dp_progress progress;
    void       *progress_ctx;
    dp_buf      source; /* its key, its domain where it is foreign, its stage-0 form, and itself */
    uint64_t   *source_rules;
    char       *tmp;    /* of dp_filter_memory */
    uint64_t    total[DP_FILTER_COUNTERS];
    uint64_t   *fired; /* [rules], with DP_FILTER_COUNTS */
    dp_error    bad[DP_BAD_KEPT];
    size_t      nbad;
};

#endif
