/* papers.c - the tables of the papers, in their shape, with our rules and our data.
 *
 *     dust      Bar-Yossef et al. 2006, Tables 1 to 4 in one: rules, valid ones, precision at k, reduction
 *     kdd08     Dasgupta et al. 2008, Tables 4 to 7: reduction by size of the cluster and by false-positive rate
 *     wsdm10    Koppula et al. 2010, Table 3: rules and reduction by precision and coverage
 *     sigir17   Xu et al. 2017, Table 2: precision, recall, F1 by site
 *
 * Rules are chosen by what each does alone (judge/replay.h); the reduction is that of the chosen
 * ones applied together as `apply` does. The papers count on duplicates alone where they say so;
 * the column for all URLs stands beside it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>

#include "apply/engine.h"
#include "eval/evaluate.h"
#include "rule/rule.h"

#define EPSILON .05 /* DUST: share of wrong pairs that a valid rule may have */

enum { SITES = 5 };

static void head(dp_grid *g, const char *const *cell, size_t n)
{
    g->columns = n;
    for (size_t i = 0; i < n; i++)
        dp_grid_cell(g, "%s", cell[i]);
}

/* ---- rules chosen by what they do alone ----------------------------------------------------------------- */

typedef struct choice {
    double   most_fpr;      /* fpr_collide at most that; 1: any */
    double   least;         /* precision (WSDM) at least that */
    uint64_t least_changed; /* URLs that it changes */
} choice;

static bool takes(const dp_eval *v, size_t i, const choice *c)
{
    const dp_trial *t = dp_replay_rule(v->replay, i);
    dp_rule_score   s = dp_rule_score_of(t, &v->bound);
    return t->changed >= c->least_changed && s.precision >= c->least && s.fpr_collide <= c->most_fpr;
}

/* An engine of the rules that are taken, the others off; *count says how many. */
static dp_err chosen_engine(dp_engine **out, const dp_eval *v, const choice *c, size_t *count, dp_error *err)
{
    const dp_engine *e = v->engine[0];
    dp_str           text = dp_im_str(&e->im, e->im.head->rules_text);
    dp_rules        *r = NULL;
    DP_TRY(dp_rules_new(&r));
    dp_err code = dp_rules_parse(r, v->name[0], text.p, text.n, err);
    *count = 0;
    for (size_t i = 0; code == DP_OK && i < r->nrule; i++) {
        bool active = dp_choice_takes(&e->choice, dp_im_body(&e->im, e->im.about[i].body)) && !r->rule[i]->block->off;
        if (active && takes(v, i, c))
            ++*count;
        else
            r->rule[i]->state = DP_OFF;
    }
    if (code == DP_OK)
        code = dp_engine_new(out, r, e->choice.with_likely ? DP_WITH_LIKELY : 0, (double)e->choice.min_precision, err);
    dp_rules_free(r);
    return code;
}

/* Keys of all URLs under the rules that are taken, into key[truth.n]. */
static dp_err chosen_keys(dp_eval *v, const choice *c, uint64_t *key, size_t *count, dp_error *err)
{
    dp_engine *e = NULL;
    DP_TRY(chosen_engine(&e, v, c, count, err));
    dp_err code = dp_maps_keys(&v->maps, e, v->truth.text.p, v->truth.at, v->truth.n, key);
    dp_engine_free(e);
    return code;
}

/* ---- KDD 2008 ----------------------------------------------------------------------------------------------- */

static dp_err kdd08(dp_eval *v, uint64_t *key, dp_error *err)
{
    static const char *const columns[] = {"fpr at most", "rules", "clusters 2-9", "clusters >9", "duplicates",
                                          "all URLs", "lost"};
    static const dp_subset   subset[] = {{2, 9}, {10, UINT32_MAX}, {2, UINT32_MAX}, {1, UINT32_MAX}};
    static const double      fpr[] = {0, .05, .1, .2, 1};
    head(&v->grid, columns, DP_COUNT(columns));
    for (size_t i = 0; i < DP_COUNT(fpr); i++) {
        choice   c = {.most_fpr = fpr[i]};
        size_t   count;
        dp_score s = {0};
        DP_TRY(chosen_keys(v, &c, key, &count, err));
        if (fpr[i] < 1)
            dp_grid_share(&v->grid, fpr[i]);
        else
            dp_grid_cell(&v->grid, "any");
        dp_grid_cell(&v->grid, "%zu", count);
        for (size_t k = 0; k < DP_COUNT(subset); k++) {
            DP_TRY(dp_eval_score(&s, &v->truth, key, subset[k]));
            dp_grid_share(&v->grid, s.reduction);
        }
        dp_grid_cell(&v->grid, "%" PRIu64, s.lost);
    }
    return DP_OK;
}

/* ---- WSDM 2010 -------------------------------------------------------------------------------------------------- */

static dp_err wsdm10(dp_eval *v, uint64_t *key, dp_error *err)
{
    static const char *const columns[] = {"precision", "coverage", "rules", "reduction a rule", "reduction", "lost"};
    static const double      precision[] = {1, .95, .9, .8, 0};
    static const uint64_t    coverage[] = {10, 100, 1000};
    head(&v->grid, columns, DP_COUNT(columns));
    for (size_t i = 0; i < DP_COUNT(precision); i++) {
        for (size_t k = 0; k < DP_COUNT(coverage); k++) {
            choice   c = {.most_fpr = 1, .least = precision[i], .least_changed = coverage[k]};
            size_t   count;
            dp_score s;
            DP_TRY(chosen_keys(v, &c, key, &count, err));
            DP_TRY(dp_eval_score(&s, &v->truth, key, DP_ALL_URLS));
            if (precision[i] > 0)
                dp_grid_share(&v->grid, precision[i]);
            else
                dp_grid_cell(&v->grid, "any");
            dp_grid_cell(&v->grid, "%" PRIu64, coverage[k]);
            dp_grid_cell(&v->grid, "%zu", count);
            dp_grid_number(&v->grid, dp_average_reduction(&s, count));
            dp_grid_share(&v->grid, s.reduction);
            dp_grid_cell(&v->grid, "%" PRIu64, s.lost);
        }
    }
    return DP_OK;
}

/* ---- DUST ----------------------------------------------------------------------------------------------------- */

static dp_err dust(dp_eval *v)
{
    static const size_t ks[] = {10, 50, 100, 200, 500};
    const dp_score     *s = &v->score[DP_MAP_RULES];
    size_t              n = dp_engine_count(v->engine[0]), known = 0, good = 0;
    bool               *valid = calloc(n ? n : 1, sizeof *valid);
    if (!valid)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        const dp_trial *t = dp_replay_rule(v->replay, i);
        valid[i] = dp_rule_is_valid(t, EPSILON);
        known += t->pairs > 0;
        good += valid[i];
    }
    dp_grid *g = &v->grid;
    g->columns = 2;
    const struct {
        const char *name;
        uint64_t    value;
    } counts[] = {
        {"unique URLs", s->urls}, {"unique contents", s->clusters}, {"rules", n}, {"rules with evidence", known},
        {"valid rules", good},
    };
    for (size_t i = 0; i < DP_COUNT(counts); i++) {
        dp_grid_cell(g, "%s", counts[i].name);
        dp_grid_cell(g, "%" PRIu64, counts[i].value);
    }
    dp_grid_cell(g, "rule precision");
    dp_grid_share(g, dp_precision_at(valid, n, n));
    for (size_t i = 0; i < DP_COUNT(ks) && ks[i] < n; i++) {
        dp_grid_cell(g, "precision at %zu", ks[i]);
        dp_grid_share(g, dp_precision_at(valid, n, ks[i]));
    }
    dp_grid_cell(g, "discovered redundancy");
    dp_grid_share(g, s->reduction);
    dp_grid_cell(g, "coverage of duplicates");
    dp_grid_share(g, s->coverage);
    dp_grid_cell(g, "lost contents");
    dp_grid_cell(g, "%" PRIu64, s->lost);
    free(valid);
    return DP_OK;
}

/* ---- SIGIR 2017 ------------------------------------------------------------------------------------------------- */

/* The hosts with most URLs, those first; returns how many there are. */
static size_t largest_hosts(const dp_score *score, uint32_t nhost, uint32_t *out)
{
    size_t n = 0;
    for (uint32_t i = 0; i < nhost; i++) {
        size_t at = n < SITES ? n++ : SITES;
        while (at > 0 && score[out[at - 1]].urls < score[i].urls) {
            if (at < SITES)
                out[at] = out[at - 1];
            at--;
        }
        if (at < SITES)
            out[at] = i;
    }
    return n;
}

static void method(dp_eval *v, const char *name, const dp_score *site, const uint32_t *host, size_t nhost,
                   const dp_score *all)
{
    double sum[3] = {0};
    dp_grid_str(&v->grid, dp_str_c(name));
    for (size_t i = 0; i < nhost; i++) {
        const double m[3] = {site[host[i]].precision, site[host[i]].recall, site[host[i]].f1};
        for (int k = 0; k < 3; k++) {
            dp_grid_share(&v->grid, m[k]);
            sum[k] += m[k] / (double)nhost;
        }
    }
    for (int k = 0; k < 3; k++)
        dp_grid_share(&v->grid, sum[k]);
    dp_grid_cell(&v->grid, "%" PRIu64, all->lost);
}

static const char *name_of(const dp_eval *v, size_t map)
{
    return map == DP_MAP_STAGE0 ? "stage 0" : map == DP_MAP_COMMON ? "common trackers" : v->name[map - DP_MAP_RULES];
}

static dp_err sigir17(dp_eval *v)
{
    const dp_truth *t = &v->truth;
    uint32_t        host[SITES];
    dp_score       *site = calloc(t->nhost, sizeof *site);
    dp_err          code = site ? dp_eval_hosts(site, t, v->maps.v[0].key) : DP_ENOMEM;
    size_t          n = code == DP_OK ? largest_hosts(site, t->nhost, host) : 0;
    v->grid.columns = 3 * n + 5; /* name, sites, average, lost */
    dp_grid_cell(&v->grid, "method");
    for (size_t i = 0; i <= n; i++) {
        if (i == n) {
            dp_grid_cell(&v->grid, "Avg Prec");
        } else {
            dp_grid_cell(&v->grid, "(%zu) Prec", i + 1);
            dp_buf_printf(&v->note, "(%zu) %.*s, %" PRIu64 " URLs\n", i + 1, DP_FMT(t->host_name[host[i]]),
                          site[host[i]].urls);
        }
        dp_grid_cell(&v->grid, "Rec");
        dp_grid_cell(&v->grid, "F1");
    }
    dp_grid_cell(&v->grid, "lost");
    for (uint32_t i = 0; code == DP_OK && i < t->nhost; i++) {
        dp_tally all = dp_tally_keep_all(site[i].urls, site[i].clusters);
        site[i] = dp_score_of(&all);
    }
    dp_tally all = dp_tally_keep_all(t->n, t->clusters.n);
    dp_score keep = dp_score_of(&all);
    if (code == DP_OK)
        method(v, "KeepAll", site, host, n, &keep);
    for (size_t i = 0; code == DP_OK && i < v->maps.count; i++) {
        code = dp_eval_hosts(site, t, v->maps.v[i].key);
        if (code == DP_OK)
            method(v, name_of(v, i), site, host, n, &v->score[i]);
    }
    free(site);
    return code;
}

dp_err dp_papers_table(dp_eval *v, dp_error *err)
{
    uint64_t *key = malloc(v->truth.n * sizeof *key);
    dp_err    code = DP_ENOMEM;
    if (key && v->table == DP_TABLE_DUST)
        code = dust(v);
    else if (key && v->table == DP_TABLE_SIGIR17)
        code = sigir17(v);
    else if (key)
        code = v->table == DP_TABLE_KDD08 ? kdd08(v, key, err) : wsdm10(v, key, err);
    free(key);
    return code == DP_OK && (v->grid.text.failed || v->note.failed) ? DP_ENOMEM : code;
}
