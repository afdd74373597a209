/* plant/plant_score.h - which planted rules a rule file reproduces, and which decoys it fell for.
 *
 *     truth's header  ->  the same sites  ->  fresh URLs, pairs of every rule and decoy  --learned rules-->  numbers
 *
 * A planted rule is reproduced when 95 % of its pairs get equal keys, a decoy was fallen for when 5 % of its pairs do.
 * A learned rule is precise when, alone, at most 1 % of its merges are bad. docs/planted.md says more.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_PLANT_SCORE_H
#define DP_PLANT_SCORE_H

#include "base/intern.h"
#include "plant_pool.h"

enum { PLANT_RULE_FILES = 16 };

typedef struct plant_score {
    const char *truth, *decoys; /* files; decoys NULL: all of them */
    const char *rules[PLANT_RULE_FILES];
    unsigned    nrules;
    uint64_t    urls, seed; /* of the fresh set */
    double      min_precision;
    double      recall, precision, f1; /* --fail-under */
    bool        with_likely, json, list;
} plant_score;

#define PLANT_SCORE_INIT ((plant_score){.urls = 100000, .seed = 1})

/* What became of one question. */
typedef struct plant_verdict {
    const plant_kind *kind;
    bool              decoy, yes; /* reproduced, or fallen for */
    unsigned          asked, same;
    dp_str            host, what; /* the rule, or the decoy's name */
} plant_verdict;

/* A rule of the file, alone. */
typedef struct plant_alone {
    dp_str       host, rule;
    plant_merges merges;
    bool         precise;
} plant_alone;

typedef struct plant_result {
    plant_verdict *verdict; /* [nverdict] */
    size_t         nverdict;
    plant_alone   *alone; /* [nalone] */
    size_t         nalone;
    plant_merges   all; /* of the fresh set, under the whole file */
    uint64_t       set; /* the engine's set id */
    plant_options  o;   /* of the sites */
} plant_result;

dp_err plant_score_set(plant_score *s, dp_str name, const char *value, dp_error *err);
bool  *plant_score_flag(plant_score *s, dp_str name); /* NULL: no flag of this name */
void   plant_score_help(dp_buf *out);

/* Score and print; `*no` when --fail-under is missed. */
dp_err plant_score_run(const plant_score *s, bool *no, dp_error *err);

/* Judge each rule of the file alone (plant_alone.c). */
dp_err plant_alone_all(plant_result *out, const dp_rules *r, const plant_score *s, const plant_pool *p,
                       const dp_intern *hosts, dp_arena *a, dp_error *err);

/* Print (plant_report.c), and the numbers that --fail-under asks for. */
void   plant_report(dp_buf *out, const plant_result *r, const plant_score *s);
double plant_recall(const plant_result *r);
double plant_precision(const plant_result *r);
double plant_f1(const plant_merges *m);

#endif
