/* eval/records.h - labelled records out of files: what eval and split read alike.
 *
 *     dp_records_open ─► next ─► url, its stage-0 form and host, what is said of its page ─► close
 *
 *     reader ─ 4,096 records or 16 MiB, copied ─► stage 0, content on all threads ─► one by one
 *
 * Reads input/reader.h. Records that say nothing of a page and what is no URL are counted and passed over.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_RECORDS_H
#define DP_EVAL_RECORDS_H

#include "base/pool.h"
#include "eval/truth.h"
#include "input/how.h"

enum { DP_BAD_LINES_KEPT = 5 };

typedef struct dp_labelled {
    dp_str   url, form, host; /* form.n is 0 where `url` is none, or nothing is said of its page */
    dp_str   mime;            /* may be empty */
    bool     is_error;        /* the fetch failed, or status 400 or more */
    dp_says  says;
    int64_t  time;            /* seconds since 1970; 0: not known */
    uint64_t number;          /* of the record in the input, those that are passed over counted */
    uint64_t line;            /* where it stands in its file, from 1 */
} dp_labelled;

typedef struct dp_record_batch dp_record_batch;

/* A zeroed dp_records is valid. */
typedef struct dp_records {
    char            *how[DP_HOWS];
    bool             strict;
    bool             blanks;   /* also those of fetches that say nothing of a page: form.n is 0 */
    dp_pool         *pool;     /* may be NULL; the caller's */
    dp_progress      progress; /* NULL: nobody wants to know */
    void            *progress_ctx;
    uint64_t         taken; /* records */
    dp_reader       *reader;
    dp_engine       *engine;  /* of no rules: stage 0 */
    dp_scratch      *scratch; /* of the caller's thread; one of the batch's */
    dp_evidence_maker *maker; /* the same */
    dp_record_batch *batch;
    uint64_t         bad;
    dp_error         why[DP_BAD_LINES_KEPT];
    size_t           nwhy;
} dp_records;

dp_err dp_records_set(dp_records *r, dp_input_option option, const char *text);
void   dp_records_done(dp_records *r);

dp_err dp_records_open(dp_records *r, const char *const *paths, size_t count, dp_error *err);

/* The next one; *more false at the end. `t` counts what is passed over. What it points to holds until the next call. */
dp_err dp_records_next(dp_records *r, dp_truth *t, dp_labelled *out, bool *more, dp_error *err);

/* A record was dealt with: tell the caller how far it is, now and then. DP_EINVALID when that wants to stop. */
dp_err dp_records_tell(dp_records *r, dp_error *err);

/* Fails, since no record could be used: DP_ESYNTAX. */
dp_err dp_records_none(const dp_records *r, const dp_truth *t, dp_error *err);

/* After the last: keep what is known of bad lines, close the files. */
void dp_records_close(dp_records *r);

dp_err dp_records_bad(const dp_records *r, size_t i, dp_error *bad);

#endif
