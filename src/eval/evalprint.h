/* eval/evalprint.h - what the two ways to print an evaluation share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_EVALPRINT_H
#define DP_EVAL_EVALPRINT_H

#include "eval/evaluate.h"

/* One row of the comparison. */
typedef struct dp_eval_row {
    const char      *name;  /* for people */
    const char      *field; /* in JSON */
    dp_score         score;
    const dp_engine *engine; /* NULL: it has no rules */
} dp_eval_row;

enum { DP_BASELINES = 4 };

/* The four baselines into out[DP_BASELINES]. */
void dp_eval_baselines(dp_eval_row *out, const dp_eval *v);

typedef struct dp_eval_host {
    dp_str                name;
    uint64_t              urls;    /* with --crawl: of the rest */
    const dp_score       *score;   /* NULL with --crawl, ... */
    const dp_crawl_score *crawled; /* ... and this without */
} dp_eval_host;

/* Hosts with most URLs first, malloc'd; NULL when memory is out. */
dp_eval_host *dp_eval_sort_hosts(const dp_eval *v);

/* All of them as JSON; `put` adds what is known of one. */
void dp_eval_json_hosts(dp_buf *out, const dp_eval *v, void (*put)(dp_buf *out, const dp_eval_host *h));

/* What is said of one rule. */
typedef struct dp_eval_rule {
    uint64_t        id;
    dp_str          text, hosts;
    const dp_trial *trial;
    dp_rule_score   score;
    dp_vote_sum     votes;
} dp_eval_rule;

/* Rule number `i` of the first rules; there was a replay. */
dp_eval_rule dp_eval_rule_of(const dp_eval *v, size_t i);

/* Append URL number `i`, masked unless asked otherwise; what the other URL does not have is what
 * was dropped. */
void dp_eval_add_url(dp_buf *out, const dp_eval *v, uint32_t i, uint32_t other);

/* Whether the text of both URLs is kept. */
bool dp_eval_has_pair(const dp_eval *v, uint32_t a, uint32_t b);

void dp_eval_plain(dp_buf *out, const dp_eval *v);
void dp_eval_json(dp_buf *out, const dp_eval *v);
void dp_eval_json_warnings(dp_buf *out, const dp_eval *v);

/* ---- of a crawl (eval/crawlprint.c) -------------------------------------------------------------------------- */

enum { DP_CRAWL_BASELINES = 3 };

/* One row: the baselines, the rules, those compared. */
typedef struct dp_crawl_row {
    const char      *name, *field; /* field NULL: no baseline */
    dp_crawl_score   score;
    const dp_engine *engine; /* NULL: it has no rules */
} dp_crawl_row;

/* Row number `i`; false when there are no more. */
bool dp_crawl_row_of(dp_crawl_row *out, const dp_eval *v, size_t i);

void dp_crawl_plain(dp_buf *out, const dp_eval *v);
void dp_crawl_json(dp_buf *out, const dp_eval *v);

#endif
