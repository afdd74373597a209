/* papers.c - the tables of the papers, in their shape, with our rules and our data.
 *
 *     dust      Bar-Yossef et al. 2006, Tables 1 to 4 in one: rules, valid ones, precision at k, reduction
 *     kdd08     Dasgupta et al. 2008, Tables 3 to 7: by false-positive rate, class of rules and size of the cluster
 *     wsdm10    Koppula et al. 2010, Tables 3 and 4: rules and reduction by precision and coverage
 *     sigir17   Xu et al. 2017, Table 2: precision, recall, F1 by site
 *
 * Here are the first and the last; eval/choices.c has those that choose among the rules.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>

#include "eval/evaluate.h"

#define EPSILON .05 /* DUST: share of wrong pairs that a valid rule may have */

enum { SITES = 5 };

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
    return map == DP_MAP_STAGE0   ? "basic cleanup"
           : map == DP_MAP_COMMON ? "common trackers"
                                  : v->name[map - DP_MAP_RULES];
}

static dp_err sigir17(dp_eval *v)
{
    const dp_truth *t = &v->truth;
    uint32_t        host[SITES];
    dp_score       *site = calloc(t->nhost, sizeof *site);
    dp_err          code = site ? dp_eval_hosts(site, v, v->maps.v[0].key) : DP_ENOMEM;
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
        code = dp_eval_hosts(site, v, v->maps.v[i].key);
        if (code == DP_OK)
            method(v, name_of(v, i), site, host, n, &v->score[i]);
    }
    free(site);
    return code;
}

dp_err dp_papers_table(dp_eval *v, dp_error *err)
{
    dp_err code = v->table == DP_TABLE_DUST      ? dust(v)
                  : v->table == DP_TABLE_SIGIR17 ? sigir17(v)
                                                 : dp_choices_table(v, err);
    return code == DP_OK && (v->grid.text.failed || v->note.failed) ? DP_ENOMEM : code;
}
