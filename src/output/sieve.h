/* output/sieve.h - which answers are written: the first of each key.
 *
 *     dp_answers ── dp_sieve_pass ──► fresh ones ── written ── dp_sieve_settle: keys kept
 *
 * Asks output/unique.h (keys of this run, by hash) or, where there is one, a dp_seen (keys of all runs, in full).
 * output/run.c and output/append.c call it in the order of the lines.
 *
 * Invariants:
 *   - Answers come out in their order; a line without key (dp_answers_stay) always does.
 *   - A line with a tag (output/answer.h) that would be out is a probe and stays, with its mark, the first time that
 *     its tag comes. Also one that stays by itself spends its tag: it was fetched, and need not be once more.
 *   - A foreign line (output/answer.h) is out when its key was seen, and does not mark it.
 *   - Keys reach the dp_seen only after their answers were written: what is killed between the two is written
 *     again by the next run, never lost.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_OUTPUT_SIEVE_H
#define DP_OUTPUT_SIEVE_H

#include "output/answer.h"

typedef struct dp_sieve {
    dp_unique *unique; /* NULL with a dp_seen, and when every line is written */
    dp_seen   *seen;
    bool      *fresh; /* [cap] */
    bool      *first; /* [cap] whether the tag of a line is new */
    uint8_t   *said;  /* [text_cap], by the dp_seen, of the lines with keys and their tags */
    uint8_t   *known; /* [cap], by the dp_seen, of the keys of foreign lines */
    size_t     cap, text_cap;
} dp_sieve;

typedef struct dp_sieved {
    size_t kept, probes; /* lines that stay; those of them that are probes */
} dp_sieved;

/* Remembers the key of the source, if there is one. A zeroed sieve needs no end. */
dp_err dp_sieve_init(dp_sieve *s, const dp_ask *ask, dp_error *err);
void   dp_sieve_done(dp_sieve *s);

/* Drop the answers whose keys were seen, and the marks of those that are no probes. */
dp_err dp_sieve_pass(dp_sieve *s, dp_answers *a, dp_sieved *out, dp_error *err);

/* After the others were written to `fd`. */
dp_err dp_sieve_settle(dp_sieve *s, int fd, dp_error *err);

#endif
