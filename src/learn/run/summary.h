/* learn/run/summary.h - what a run of `learn` leaves: the rule file, the numbers, and what must be said of them.
 *
 *     results of all sites ─► header, blocks, printed as `rules fmt` does
 *                            ─► sums ─► plain lines or one JSON object; warnings
 *
 * The header says how the file was made, without times and paths: the same input gives the same bytes.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_RUN_SUMMARY_H
#define DP_LEARN_RUN_SUMMARY_H

#include "learn/run/site_result.h"
#include "learn/run/settings.h"
#include "site/fact.h"

enum { DP_WARNINGS = 8 };

/* A rule that touches what a guard knows, and was accepted all the same: by which votes. */
typedef struct dp_overridden {
    dp_str   rule, hosts, guards; /* "lang,version" */
    uint64_t id;
    uint64_t n, neg, urls; /* as in its attributes */
    double   p;
    bool     is_likely;
} dp_overridden;

typedef struct dp_results {
    dp_buf      file;
    bool        is_known;   /* the state held the input already */
    const char *method;
    double      min_precision, confidence;
    uint64_t    record[DP_FACT_COUNTS];
    uint64_t    bad_lines;
    uint64_t    urls, sites, contradicting, soft, alike;
    bool        has_names, has_contents; /* pages are told apart by names of the input, by content */
    uint64_t    sampled;    /* sites that were learned from a sample */
    uint64_t    relearned;  /* sites that were learned once more, or a part of them (learn/run/held_out.h) */
    bool        all_were;   /* all of them, all their URLs */
    uint64_t    by[DP_BYS]; /* URLs with a cluster, by why */
    dp_learned  sum;        /* of all sites; no text */
    dp_left     left;       /* of all sites: what the rules do to the input, and what they leave */
    dp_overridden *overridden; /* [noverridden] guarded rules, the least certain first; malloc'd */
    size_t      noverridden;
    dp_arena    texts;      /* of these */
    dp_buf      note;       /* what the method has to say, a sentence */
    const char *warning[DP_WARNINGS];
    size_t      nwarning;
} dp_results;

/* From what was read, and the results of all sites in the order of their names. DP_ENOMEM. */
dp_err dp_results_make(dp_results *out, const dp_settings *s, const uint64_t record[DP_FACT_COUNTS],
                       const dp_site_results *sites, dp_error *err);
void   dp_results_done(dp_results *r);

void dp_results_print(dp_buf *out, const dp_results *r, dp_format format);

#endif
