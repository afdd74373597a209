/* output/append.h - records of any format, passed through with their keys appended.
 *
 *     http://a.com/x?sid=1 <TAB> 200      ->  http://a.com/x?sid=1 <TAB> 200 <TAB> http://a.com/x
 *     {"url":"http://a.com/x?sid=1"}      ->  {"url":"http://a.com/x?sid=1","dustpan_key":"http://a.com/x"}
 *
 * Reads input/reader.h and asks output/answer.h; output/filter.c gives it the files that are no plain
 * lines.
 *
 * Invariants:
 *   - The bytes of a line come out as they went in, with the key behind them: after a TAB (tsv, access
 *     logs), after what separates the columns (w3c, cdx, crawllog), or as the field dustpan_key of
 *     the object (jsonl, cdxj; one that is there already gets the new value). A line that names
 *     the columns gets the name `key`. Records of warc, wat and csv become lines of URL, TAB and key.
 *   - With DP_FOUND no key is appended: lines stay as they are, records of warc, wat and csv become lines of the URL.
 *   - With `explain` the ids of the rules follow in the same way (`rules`, dustpan_rules); with
 *     DP_JSON each record becomes the object of answer.h, and other lines are left out.
 *   - With `explore` each record has a column `probe`, with the ids of the rules or '-'; lines of JSON a field
 *     dustpan_probe, with an array of them, which may be empty.
 *   - Lines that are no records stay, unique or not: empty ones and comments as they are, others
 *     with '-' as their key (JSON lines without).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_OUTPUT_APPEND_H
#define DP_OUTPUT_APPEND_H

#include "input/reader.h"
#include "output/sieve.h"

typedef struct dp_append {
    const dp_ask *ask;
    dp_answers   *answers; /* its counts are added to; `out` is used */
    dp_sieve     *sieve;
    int           fd;
    bool          line_buffered;
    /* Told of each line that cannot be read and each URL that is none, in order. */
    void (*bad)(void *ctx, const dp_error *why, bool is_line);
    /* Asked now and then; DP_EINVALID stops the work. */
    dp_err (*tick)(void *ctx, const dp_reader *r);
    void    *ctx;
    uint64_t lines, written, probes;
    dp_buf   value, line, next; /* used inside */
} dp_append;

/* Pass all records of `r`; the struct needs no end. DP_EIO, DP_ENOMEM; with `strict` DP_ESYNTAX at the
 * first that is bad. */
dp_err dp_append_run(dp_append *a, dp_reader *r, dp_error *err);

#endif
