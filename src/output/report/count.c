/* The numbers of a report: what the rules, the baselines and every threshold do to the URLs; by host; by crawler.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "apply/engine.h"
#include "eval/evaluate.h"
#include "rule/common.h"
#include "output/report/report.h"

/* What counting needs, made once. */
typedef struct counter {
    dp_maps    maps;
    dp_member *member; /* [nitem] */
    uint64_t  *key;    /* [truth.n] */
    dp_stamps  stamps;
} counter;

double dp_report_right(const dp_score *s)
{
    return s->good + s->bad ? (double)s->good / (double)(s->good + s->bad) : 1;
}

static void fill_members(const dp_report *r, dp_member *m, const uint64_t *key, bool by_host)
{
    for (uint32_t i = 0; i < r->nitem; i++) {
        uint32_t url = r->item[i];
        m[i] = (dp_member){key[url], by_host ? r->truth.host[url] : 0, url};
    }
    dp_members_sort(m, r->nitem);
}

/* Count keys that are in c->key; leaves the members and their marks for those who look further. */
static dp_score score_keys(const dp_report *r, counter *c, const uint64_t *key)
{
    fill_members(r, c->member, key, false);
    memset(c->stamps.marked, 0, c->stamps.n);
    dp_tally t = dp_groups_tally(c->member, r->nitem, r->truth.cluster, &c->stamps);
    return dp_score_of(&t);
}

static dp_err score_engine(const dp_report *r, counter *c, const dp_engine *e, dp_score *out)
{
    DP_TRY(dp_maps_keys(&c->maps, e, r->truth.text.p, r->truth.at, r->truth.n, c->key));
    *out = score_keys(r, c, c->key);
    return DP_OK;
}

/* ---- rows ------------------------------------------------------------------------------------------- */

static dp_err make_engine(dp_engine **out, dp_str text, dp_error *err)
{
    dp_rules *r = NULL;
    DP_TRY(dp_rules_new(&r));
    dp_err code = text.n ? dp_rules_parse(r, "common.rules", text.p, text.n, err) : DP_OK;
    if (code == DP_OK)
        code = dp_engine_new(out, r, 0, 0, err);
    dp_rules_free(r);
    return code;
}

static dp_err count_rows(dp_report *r, counter *c, dp_error *err)
{
    DP_TRY(make_engine(&r->plain, (dp_str){NULL, 0}, err));
    DP_TRY(make_engine(&r->common, dp_common_text(), err));
    DP_TRY(score_engine(r, c, r->plain, &r->row[DP_ROW_STAGE0]));
    DP_TRY(score_engine(r, c, r->common, &r->row[DP_ROW_COMMON]));
    r->row_rules[DP_ROW_COMMON] = dp_eval_rules(r->common);
    DP_TRY(dp_maps_keys(&c->maps, r->engine, r->truth.text.p, r->truth.at, r->truth.n, r->key));
    r->row[DP_ROW_RULES] = score_keys(r, c, r->key);
    r->row_rules[DP_ROW_RULES] = dp_eval_rules(r->engine);
    if (r->labelled)
        r->nloss = dp_losses_find(r->loss, r->most_losses, c->member, r->nitem, r->truth.cluster, &c->stamps);
    uint64_t clusters = r->row[DP_ROW_RULES].clusters;
    dp_tally all = dp_tally_keep_all(r->nitem, clusters), best = dp_tally_best(r->nitem, clusters);
    r->row[DP_ROW_IDENTITY] = dp_score_of(&all);
    r->row[DP_ROW_BEST] = dp_score_of(&best);
    return DP_OK;
}

/* ---- the curve -------------------------------------------------------------------------------------- */

static int falling(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* What rules promise that could fire, each number once, the best first; returns how many. */
static size_t promises(const dp_report *r, double *out)
{
    size_t n = 0, kept = 0;
    for (size_t i = 0; i < r->rules->nrule; i++) {
        const dp_rule *rule = r->rules->rule[i];
        bool fires = rule->state == DP_ACTIVE || (rule->state == DP_LIKELY && r->flags & DP_WITH_LIKELY);
        if (fires && !rule->block->off)
            out[n++] = dp_rule_number(rule, "p", 1);
    }
    if (n)
        qsort(out, n, sizeof *out, falling);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || out[i] != out[i - 1])
            out[kept++] = out[i];
    }
    return kept;
}

static dp_err add_point(dp_report *r, counter *c, double threshold, dp_error *err)
{
    dp_report_point *p = &r->point[r->npoint];
    dp_engine       *e = NULL;
    *p = (dp_report_point){.threshold = threshold};
    DP_TRY(dp_engine_new(&e, r->rules, r->flags, threshold, err));
    p->rules = dp_eval_rules(e);
    dp_err code = score_engine(r, c, e, &p->score);
    dp_engine_free(e);
    r->npoint += code == DP_OK;
    return code;
}

/* Which of `n` promises get a point, into list[]: of many some, evenly, with the best, the least and `chosen`. */
static size_t choose_points(double *list, const double *p, size_t n, double chosen)
{
    enum { MOST = DP_REPORT_POINTS - 2 }; /* one is for stage 0, one for `chosen` */
    size_t taken = n < MOST ? n : MOST, kept = 0;
    for (size_t i = 0; i < taken; i++)
        list[i] = p[n > MOST ? i * (n - 1) / (MOST - 1) : i];
    list[taken++] = chosen;
    qsort(list, taken, sizeof *list, falling);
    for (size_t i = 0; i < taken; i++) {
        if (i == 0 || list[i] != list[i - 1])
            list[kept++] = list[i];
    }
    return kept;
}

/* Stage 0, then one point a promise. The rules of the headline are those down to the least promise that is enough. */
static dp_err count_curve(dp_report *r, counter *c, dp_error *err)
{
    double  list[DP_REPORT_POINTS], chosen = r->min_precision;
    double *p = malloc((r->rules->nrule + 1) * sizeof *p);
    if (!p)
        return DP_ENOMEM;
    size_t n = promises(r, p);
    for (size_t i = 0; i < n && p[i] >= r->min_precision; i++)
        chosen = p[i];
    n = choose_points(list, p, n, chosen);
    free(p);
    r->point[r->npoint++] = (dp_report_point){.threshold = -1, .score = r->row[DP_ROW_STAGE0]};
    for (size_t i = 0; i < n; i++) {
        DP_TRY(add_point(r, c, list[i], err));
        r->point[r->npoint - 1].chosen = list[i] == chosen;
    }
    return DP_OK;
}

/* ---- hosts ------------------------------------------------------------------------------------------ */

static int most_urls_first(const void *a, const void *b)
{
    const dp_report_host *x = a, *y = b;
    if (x->score.urls != y->score.urls)
        return (x->score.urls < y->score.urls) - (x->score.urls > y->score.urls);
    return dp_str_cmp(x->name, y->name);
}

static dp_err count_hosts(dp_report *r, counter *c)
{
    r->host = malloc((r->truth.nhost ? r->truth.nhost : 1) * sizeof *r->host);
    if (!r->host)
        return DP_ENOMEM;
    fill_members(r, c->member, r->key, true);
    memset(c->stamps.marked, 0, c->stamps.n);
    for (size_t i = 0, j; i < r->nitem; i = j) {
        for (j = i + 1; j < r->nitem && c->member[j].tag == c->member[i].tag; j++) {}
        dp_tally t = dp_groups_tally(c->member + i, j - i, r->truth.cluster, &c->stamps);
        r->host[r->nhost++] = (dp_report_host){r->truth.host_name[c->member[i].tag], dp_score_of(&t)};
        for (size_t k = i; k < j; k++)
            c->stamps.marked[r->truth.cluster[c->member[k].item]] = 0;
    }
    qsort(r->host, r->nhost, sizeof *r->host, most_urls_first);
    return DP_OK;
}

dp_report_rest dp_report_rest_of(const dp_report *r)
{
    dp_report_rest rest = {.shown = r->nhost < r->most_hosts ? r->nhost : r->most_hosts};
    rest.hosts = r->nhost - rest.shown;
    for (size_t i = rest.shown; i < r->nhost; i++) {
        const dp_score *s = &r->host[i].score;
        rest.urls += s->urls;
        rest.clusters += s->clusters;
        rest.fetched += s->fetched;
        rest.lost += s->lost;
        rest.bad += s->bad;
    }
    return rest;
}

/* ---- bytes ------------------------------------------------------------------------------------------ */

/* The largest URL of a key is fetched; the bytes of the others are saved. */
static void count_bytes(dp_report *r, counter *c)
{
    uint64_t most = 0;
    fill_members(r, c->member, r->key, false);
    for (size_t i = 0; i < r->nitem; i++) {
        uint64_t n = r->url[c->member[i].item].size;
        bool     is_new = i == 0 || c->member[i].key != c->member[i - 1].key;
        r->sized += n > 0;
        r->bytes += n;
        r->saved_bytes += is_new ? 0 : n < most ? n : most;
        most = is_new || n > most ? n : most;
    }
}

dp_err dp_report_counts(dp_report *r, dp_error *err)
{
    counter c = {0};
    size_t  n = r->truth.n;
    dp_err  code = dp_maps_init(&c.maps, NULL);
    c.member = malloc(n * sizeof *c.member);
    c.key = malloc(n * sizeof *c.key);
    r->key = malloc(n * sizeof *r->key);
    if (!c.member || !c.key || !r->key)
        code = DP_ENOMEM;
    if (code == DP_OK)
        code = dp_stamps_init(&c.stamps, r->truth.clusters.n);
    if (code == DP_OK)
        code = count_rows(r, &c, err);
    if (code == DP_OK && r->labelled)
        code = count_curve(r, &c, err);
    if (code == DP_OK)
        code = count_hosts(r, &c);
    if (code == DP_OK)
        code = dp_report_visits(r);
    if (code == DP_OK)
        count_bytes(r, &c);
    dp_maps_done(&c.maps);
    dp_stamps_done(&c.stamps);
    free(c.member);
    free(c.key);
    return code;
}
