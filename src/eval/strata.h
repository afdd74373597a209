/* eval/strata.h - the votes on one rule by kind of URL: where it acts, and where it has evidence of its own.
 *
 *     votes  URLs                                          drop ?sid
 *        37    80  pages under /docs/, depth 2
 *         0    20  images under /img/, depth 2, with parameters        reached, and nobody voted
 *
 * A stratum is what kind of thing a URL shows (url/resource.h), its first folder, its depth, and whether it has
 * parameters. A page votes once, in the stratum of its first URL that the rule changes; votes are those of
 * judge/trial.h, so that the strata of a rule add up to what `audit` counts for it.
 *
 * Reads eval/trail.h and eval/truth.h; eval/auditexplain.c prints it.
 *
 * Memory: 16 bytes a URL and 5 a cluster, while it counts.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_STRATA_H
#define DP_EVAL_STRATA_H

#include "base/intern.h"
#include "eval/samples.h"
#include "url/frame.h"
#include "url/resource.h"

typedef struct dp_stratum {
    dp_resource kind;
    dp_str      section;  /* the first folder, a class where it is an id: "docs", "{int}"; empty: none */
    uint32_t    depth;    /* segments that are not empty */
    bool        has_query;
    bool        is_asked; /* a URL that the caller asks about is one of these */
    uint64_t    urls;     /* that the rule changes */
    uint64_t    pos, neg; /* votes of pages */
    dp_wrong    good[DP_SAMPLES], wrong[DP_SAMPLES]; /* pairs of one page, and of two */
    uint32_t    ngood, nwrong;
} dp_stratum;

/* A zeroed one is empty. */
typedef struct dp_strata {
    dp_stratum *v; /* [n], those with most votes first, then those with most URLs */
    size_t      n, cap;
    dp_intern   number;
    dp_frame    frame;
    dp_buf      key;
} dp_strata;

/* What is needed to tell strata apart. */
typedef struct dp_strata_of {
    const dp_trail *trail;
    const dp_truth *truth;
    const uint8_t  *kind; /* [truth->n] a dp_resource each */
    const dp_str   *asked; /* [nasked] URLs whose strata are to be marked */
    size_t          nasked;
} dp_strata_of;

/* Count the votes on rule number `rule`, into an empty `out`. DP_ENOMEM; to be done with also then. */
dp_err dp_strata_count(dp_strata *out, const dp_strata_of *of, uint32_t rule);
void   dp_strata_done(dp_strata *s);

/* Append "pages under /docs/, depth 2, with parameters". */
void dp_stratum_say(dp_buf *out, const dp_stratum *s);

#endif
