/* eval/metrics.h - every metric of the five papers, out of a few counts.
 *
 *     dp_tally (N, F, C, G, B, covered) ──► dp_score     a map as a whole
 *     dp_trial                          ──► dp_rule_score  one rule alone
 *
 * docs/evaluation.md has the formulas. A share of nothing is 0.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_METRICS_H
#define DP_EVAL_METRICS_H

#include "judge/bound.h"
#include "judge/trial.h"

typedef struct dp_score {
    uint64_t urls, clusters, fetched, covered, lost, good, bad;
    double   reduction;      /* (N - F) / N: KDD 2008, CIKM 2009, WSDM 2010; "discovered redundancy" of DUST */
    double   best_reduction; /* (N - C) / N: of keys that equal clusters */
    double   coverage;       /* DUST: share of the duplicates that is gone; a lost page is no duplicate */
    double   precision;      /* SIGIR 2017, crawl simulation: covered / fetched */
    double   recall;         /* covered / clusters */
    double   f1;
} dp_score;

dp_score dp_score_of(const dp_tally *t);

/* Baselines that need no engine. */
dp_tally dp_tally_keep_all(uint64_t urls, uint64_t clusters);
dp_tally dp_tally_all_to_one(uint64_t urls, uint64_t clusters);
dp_tally dp_tally_best(uint64_t urls, uint64_t clusters);

/* WSDM 2010: N * reduction / rules. */
double dp_average_reduction(const dp_score *s, uint64_t rules);

/* A number and its name in JSON; the value of the one that has this name, false when there is none. */
typedef struct dp_metric {
    const char *name;
    double      value;
} dp_metric;
bool dp_metric_find(const dp_metric *v, size_t n, const char *name, double *value);

/* The number in `s` that has this name in `eval --json`; false when there is none. */
bool dp_score_find(const dp_score *s, const char *name, double *value);

typedef struct dp_rule_score {
    double precision;        /* CIKM 2009, WSDM 2010: (r_cov - f) / r_cov */
    double merge_precision;  /* G / (G + B) */
    double fpr, fpr_collide; /* KDD 2008: by Definition 4; by pairs that get one key */
    double expected;         /* of judge/bound.h, by votes */
} dp_rule_score;

dp_rule_score dp_rule_score_of(const dp_trial *t, const dp_bound *b);

/* DUST: of pairs that the rule says are the same, at most `epsilon` are not; and there are some. */
bool dp_rule_is_valid(const dp_trial *t, double epsilon);

/* DUST's precision@k of a ranked list: valid ones among the first k (all, when fewer), divided by their number. */
double dp_precision_at(const bool *valid, size_t n, size_t k);

#endif
