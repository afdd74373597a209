/* eval/records.h - labelled records out of files: what eval and split read alike.
 *
 *     dp_records_open ─► next ─► url, its stage-0 form and host, its label ─► close
 *
 * Reads input/reader.h. Records without label and what is no URL are counted and passed over.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_RECORDS_H
#define DP_EVAL_RECORDS_H

#include "eval/truth.h"
#include "input/reader.h"

enum { DP_INPUT_OPTIONS = DP_INPUT_BASE_URL + 1, DP_BAD_LINES_KEPT = 5 };

/* A zeroed dp_records is valid. */
typedef struct dp_records {
    char      *option[DP_INPUT_OPTIONS]; /* by dp_input_option; NULL: not set */
    bool       strict;
    dp_reader *reader;
    dp_engine *engine; /* of no rules: stage 0 */
    dp_scratch *scratch;
    uint64_t   bad;
    dp_error   why[DP_BAD_LINES_KEPT];
    size_t     nwhy;
} dp_records;

dp_err dp_records_set(dp_records *r, dp_input_option option, const char *text);
void   dp_records_done(dp_records *r);

dp_err dp_records_open(dp_records *r, const char *const *paths, size_t count, dp_error *err);

typedef struct dp_labelled {
    dp_str  url, form, host, label;
    int64_t time; /* seconds since 1970; 0: not known */
} dp_labelled;

/* The next one; *more false at the end. `t` counts what is passed over. */
dp_err dp_records_next(dp_records *r, dp_truth *t, dp_labelled *out, bool *more, dp_error *err);

/* After the last: keep what is known of bad lines, close the files. */
void dp_records_close(dp_records *r);

dp_err dp_records_bad(const dp_records *r, size_t i, dp_error *bad);

#endif
