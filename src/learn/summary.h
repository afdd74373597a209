/* learn/summary.h - what a run of `learn` leaves: the rule file, the numbers, and what must be said of them.
 *
 *     lessons of all sites ─► header, blocks, printed as `rules fmt` does
 *                          ─► sums ─► plain lines or one JSON object; warnings
 *
 * The header says how the file was made, without times and paths: the same input gives the same bytes.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SUMMARY_H
#define DP_LEARN_SUMMARY_H

#include "learn/lesson.h"
#include "learn/settings.h"
#include "site/group.h"

enum { DP_WARNINGS = 8 };

typedef struct dp_results {
    dp_buf      file;
    const char *method;
    bool        is_judged; /* by us: there are held-out clusters */
    double      min_precision;
    uint64_t    record[DP_CORPUS_COUNTS];
    uint64_t    bad_lines;
    uint64_t    urls, sites;
    uint64_t    by[DP_BYS]; /* URLs with a cluster, by why */
    dp_lesson   sum;        /* of all sites; no text */
    dp_buf      note;       /* what the method has to say, a sentence */
    const char *warning[DP_WARNINGS];
    size_t      nwarning;
} dp_results;

/* DP_ENOMEM. */
dp_err dp_results_make(dp_results *out, const dp_settings *s, const dp_corpus *c, const dp_sitelist *sites,
                       const dp_lesson *lesson, dp_error *err);
void   dp_results_done(dp_results *r);

void dp_results_print(dp_buf *out, const dp_results *r, dp_format format);

#endif
