/* choices.c - tables of rules that are chosen by what each does alone.
 *
 *     judge/replay.h: what each does alone ─► which are on ─► keys of all URLs ─► groups ─► a row
 *
 * The reduction is that of the chosen ones applied together as `apply` does. The papers count on duplicates alone where
 * they say so; the column for all URLs stands beside it. One engine serves all rows (eval/subset.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/plural.h"
#include "eval/evaluate.h"
#include "eval/kddclass.h"
#include "eval/subset.h"

typedef struct choice {
    double   most_fpr;      /* fpr_collide at most that; 1: any */
    double   least;         /* precision (WSDM) at least that */
    uint64_t least_changed; /* URLs that it changes */
    int      class;         /* dp_kddclass; DP_KDD_CLASSES: any */
} choice;

typedef struct table {
    dp_eval   *v;
    dp_subset  subset;
    uint64_t  *key;    /* [truth.n] */
    dp_member *member; /* [truth.n] */
    dp_stamps  stamps;
    size_t     count;  /* rules of the row */
} table;

static bool takes(const table *t, size_t i, const choice *c)
{
    const dp_trial *trial = dp_replay_rule(t->v->replay, i);
    dp_rule_score   s = dp_rule_score_of(trial, &t->v->bound);
    if (!dp_subset_can(&t->subset, t->v->engine[0], i) || trial->changed < c->least_changed)
        return false;
    if (c->class != DP_KDD_CLASSES && (int)dp_kddclass_of(t->subset.rules->rule[i]) != c->class)
        return false;
    /* A rule that has no pairs has no rate, and none that is small. */
    return s.precision >= c->least && (c->most_fpr >= 1 || (trial->pairs && s.fpr_collide <= c->most_fpr));
}

/* Groups of the URLs that `key` gives one key into t->member; the score of them all. */
static dp_score score(table *t, const uint64_t *key)
{
    const dp_truth *truth = &t->v->truth;
    dp_maps_members(&t->v->maps, t->member, key, truth, false);
    memset(t->stamps.marked, 0, t->stamps.n);
    dp_tally tally = dp_groups_tally(t->member, truth->n, truth->cluster, &t->stamps);
    return dp_score_of(&tally);
}

/* The score under the rules that are taken. `row` names them where something is to be said. */
static dp_err score_chosen(table *t, const choice *c, const char *row, dp_score *out)
{
    dp_eval *v = t->v;
    t->count = 0;
    for (size_t i = 0; i < t->subset.rules->nrule; i++) {
        bool on = takes(t, i, c);
        dp_subset_turn(&t->subset, i, on);
        t->count += on;
    }
    DP_TRY(dp_maps_keys(&v->maps, &t->subset.engine, v->truth.text.p, v->truth.at, v->truth.n, t->key));
    if (v->maps.limit)
        dp_buf_printf(&v->note, "%s: %" PRIu64 " URL%s stopped after 64 rewrites, since these rules alone change their "
                                "own results\n", row, v->maps.limit, dp_s(v->maps.limit));
    *out = score(t, t->key);
    return DP_OK;
}

/* ---- KDD 2008 ----------------------------------------------------------------------------------------------- */

/* Clusters by the number of their URLs. */
static const struct {
    uint32_t least, most;
} sizes[] = {{2, 9}, {10, UINT32_MAX}, {2, UINT32_MAX}, {1, UINT32_MAX}};

/* Reduction of the URLs of each size, by the groups of the last score: a size has a group where one of its URLs is. */
static void add_reductions(table *t)
{
    const dp_truth *truth = &t->v->truth;
    uint64_t        urls[DP_COUNT(sizes)] = {0}, groups[DP_COUNT(sizes)] = {0};
    for (size_t i = 0, end; i < truth->n; i = end) {
        uint64_t in[DP_COUNT(sizes)] = {0};
        end = dp_group_end(t->member, truth->n, i);
        for (size_t k = i; k < end; k++) {
            uint32_t n = truth->size[truth->cluster[t->member[k].item]];
            for (size_t s = 0; s < DP_COUNT(sizes); s++)
                in[s] += n >= sizes[s].least && n <= sizes[s].most;
        }
        for (size_t s = 0; s < DP_COUNT(sizes); s++) {
            urls[s] += in[s];
            groups[s] += in[s] > 0;
        }
    }
    for (size_t s = 0; s < DP_COUNT(sizes); s++)
        dp_grid_share(&t->v->grid, dp_share(urls[s] - groups[s], urls[s]));
}

static void kdd08_row(table *t, const char *name, size_t rules, const dp_score *s)
{
    dp_grid_cell(&t->v->grid, "%s", name);
    dp_grid_cell(&t->v->grid, "%zu", rules);
    add_reductions(t);
    dp_grid_cell(&t->v->grid, "%" PRIu64, s->lost);
}

static dp_err kdd08(table *t)
{
    static const char *const columns[] = {"", "rules", "clusters 2-9", "clusters >9", "duplicates", "all URLs", "lost"};
    static const struct {
        const char *name;
        double      most;
    } fpr[] = {{"fpr 0", 0}, {"fpr <= .05", .05}, {"fpr <= .1", .1}, {"fpr <= .2", .2}, {"all", 1}};
    dp_eval *v = t->v;
    dp_score s;
    dp_grid_head(&v->grid, columns, DP_COUNT(columns));
    for (size_t i = 0; i < DP_COUNT(fpr); i++) {
        choice c = {.most_fpr = fpr[i].most, .class = DP_KDD_CLASSES};
        DP_TRY(score_chosen(t, &c, fpr[i].name, &s));
        kdd08_row(t, fpr[i].name, t->count, &s);
    }
    for (int k = 0; k < DP_KDD_CLASSES; k++) {
        const char *name = dp_kddclass_name((dp_kddclass)k);
        choice      c = {.most_fpr = 1, .class = k};
        DP_TRY(score_chosen(t, &c, name, &s));
        kdd08_row(t, name, t->count, &s);
    }
    for (size_t i = 1; i < v->nrules; i++) {
        s = score(t, v->maps.v[DP_MAP_RULES + i].key);
        kdd08_row(t, v->name[i], dp_eval_rules(v->engine[i]), &s);
    }
    return DP_OK;
}

/* ---- WSDM 2010 -------------------------------------------------------------------------------------------------- */

static size_t count_rules(const table *t, const choice *c)
{
    size_t n = 0;
    for (size_t i = 0; i < t->subset.rules->nrule; i++)
        n += takes(t, i, c);
    return n;
}

/* Coverage 0: all rules, as WSDM 2010 has those of KDD 2008 in its Table 3. */
static dp_err wsdm10(table *t)
{
    static const char *const columns[] = {"precision", "coverage", "rules", "% of rules", "reduction per rule",
                                          "reduction", "lost"};
    static const struct {
        const char *name;
        double      least;
    } precision[] = {{"1", 1}, {"0.95", .95}, {"0.9", .9}, {"0.8", .8}, {"any", 0}};
    static const uint64_t coverage[] = {0, 10, 100, 1000};
    dp_grid              *g = &t->v->grid;
    dp_grid_head(g, columns, DP_COUNT(columns));
    for (size_t i = 0; i < DP_COUNT(precision); i++) {
        for (size_t k = 0; k < DP_COUNT(coverage); k++) {
            choice   c = {1, precision[i].least, coverage[k], DP_KDD_CLASSES};
            choice   any = {1, 0, coverage[k], DP_KDD_CLASSES};
            dp_score s;
            char     row[48];
            snprintf(row, sizeof row, "%s, coverage %" PRIu64, precision[i].name, coverage[k]);
            DP_TRY(score_chosen(t, &c, row, &s));
            dp_grid_cell(g, "%s", precision[i].name);
            dp_grid_cell(g, "%" PRIu64, coverage[k]);
            dp_grid_cell(g, "%zu", t->count);
            dp_grid_number(g, 100 * dp_share(t->count, count_rules(t, &any)));
            dp_grid_number(g, dp_average_reduction(&s, t->count));
            dp_grid_share(g, s.reduction);
            dp_grid_cell(g, "%" PRIu64, s.lost);
        }
    }
    return DP_OK;
}

dp_err dp_choices_table(dp_eval *v, dp_error *err)
{
    table  t = {.v = v};
    dp_err code = dp_subset_make(&t.subset, v->engine[0], v->name[0], err);
    t.key = malloc(v->truth.n * sizeof *t.key);
    t.member = malloc(v->truth.n * sizeof *t.member);
    if (code == DP_OK)
        code = t.key && t.member ? dp_stamps_init(&t.stamps, v->truth.clusters.n) : DP_ENOMEM;
    if (code == DP_OK)
        code = v->table == DP_TABLE_KDD08 ? kdd08(&t) : wsdm10(&t);
    dp_stamps_done(&t.stamps);
    free(t.key);
    free(t.member);
    dp_subset_done(&t.subset);
    return code;
}
