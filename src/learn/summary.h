/* learn/summary.h - what a run of `learn` leaves: the rule file, the numbers, and what must be said of them.
 *
 *     fragments of all sites ─► header, blocks, printed as `rules fmt` does
 *                            ─► sums ─► plain lines or one JSON object; warnings
 *
 * The header says how the file was made, without times and paths: the same input gives the same bytes.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SUMMARY_H
#define DP_LEARN_SUMMARY_H

#include "learn/fragment.h"
#include "learn/settings.h"
#include "site/fact.h"

enum { DP_WARNINGS = 8 };

typedef struct dp_results {
    dp_buf      file;
    bool        is_known; /* the state held the input already */
    const char *method;
    double      min_precision;
    uint64_t    record[DP_FACT_COUNTS];
    uint64_t    bad_lines;
    uint64_t    urls, sites, contradicting, soft;
    uint64_t    sampled;    /* sites that were learned from a sample */
    uint64_t    rehearsed;  /* sites that were learned once more, or a part of them (learn/rehearsal.h) */
    bool        all_were;   /* all of them, all their URLs */
    uint64_t    by[DP_BYS]; /* URLs with a cluster, by why */
    dp_lesson   sum;        /* of all sites; no text */
    dp_buf      note;       /* what the method has to say, a sentence */
    const char *warning[DP_WARNINGS];
    size_t      nwarning;
} dp_results;

/* From what was read, and the fragments of all sites in the order of their names. DP_ENOMEM. */
dp_err dp_results_make(dp_results *out, const dp_settings *s, const uint64_t record[DP_FACT_COUNTS],
                       const dp_fragments *sites, dp_error *err);
void   dp_results_done(dp_results *r);

void dp_results_print(dp_buf *out, const dp_results *r, dp_format format);

#endif
