/* eval/evaluate.h - the inside of dp_eval: one evaluation, from records to numbers.
 *
 *     records ─► truth ─► stage 0 ─┬─► maps: keys under stage 0, common, rules ─► scores, losses
 *                                  └─► replay: each rule alone   (by rule, tables)
 *
 * Keys, replay and sorting use all threads; whatever depends on earlier records is done in their order by the caller's
 * thread, so that the numbers are the same for any number of them.
 *
 * eval/evaluate.c runs it, eval/papers.c makes the papers' tables, eval/evalprint.h prints.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_EVALUATE_H
#define DP_EVAL_EVALUATE_H

#include "eval/crawl.h"
#include "eval/grid.h"
#include "eval/maps.h"
#include "eval/metrics.h"
#include "eval/records.h"
#include "judge/loss.h"
#include "judge/replay.h"

enum { DP_MAP_STAGE0, DP_MAP_COMMON, DP_MAP_RULES /* the first rules; then those compared */ };

enum { DP_WARNINGS = 8, DP_EXAMPLE_TEXT = 64 << 20 /* bytes of URLs kept for examples */ };

struct dp_eval {
    dp_records       in;
    unsigned         threads; /* 0: as many as the machine has */
    dp_pool         *pool;
    bool             by_host, by_rule, raw, done;
    dp_eval_table    table;
    dp_eval_crawl    protocol;     /* DP_CRAWL_NONE: URLs are judged whenever they come */
    double           share;        /* of the input that the rules were learned from */
    uint64_t        *met;          /* [truth.n] when each URL was met first: its record, or its time; ... */
    uint32_t         met_cap;
    dp_crawl         crawl;        /* ... which is this order */
    dp_crawl_score  *crawled;      /* [maps.count]; NULL: not asked for */
    dp_crawl_score  *crawled_host; /* [truth.nhost], of engine[0]; NULL: not asked for */
    size_t           examples;
    char           **name;   /* [nrules] */
    const dp_engine **engine; /* [nrules] */
    size_t           nrules;
    dp_engine       *common;
    dp_truth         truth;
    dp_maps          maps; /* stage 0, common, engine[0], ... */
    dp_replay       *replay; /* of engine[0]; NULL: not asked for */
    dp_score        *score;  /* [maps.count] */
    dp_score        *host_score; /* [truth.nhost], of engine[0]; NULL: not asked for */
    dp_loss          loss[DP_LOSSES_KEPT];
    size_t           nloss;
    dp_bound         bound; /* for the expected precision of single rules */
    dp_grid          grid;  /* the table asked for, ... */
    dp_buf           note;  /* ... and what stands under it */
    char            *warning[DP_WARNINGS];
    size_t           nwarning;
    uint64_t         bytes;
};

/* Scores by host of keys, into out[nhost]. DP_ENOMEM. */
dp_err dp_eval_hosts(dp_score *out, const dp_eval *v, const uint64_t *key);

/* Fill v->grid (eval/papers.c), ... */
dp_err dp_papers_table(dp_eval *v, dp_error *err);

/* ... and for tables of chosen rules v->note, too (eval/choices.c). */
dp_err dp_choices_table(dp_eval *v, dp_error *err);

/* Rules in an engine that take part, and the bytes of its rule file. */
size_t dp_eval_rules(const dp_engine *e);
size_t dp_eval_rules_bytes(const dp_engine *e);

#endif
