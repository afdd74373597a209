/* dp_eval of dustpan.h: read, map, count.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "eval/evaluate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "apply/engine.h"
#include "base/plural.h"
#include "base/room.h"
#include "rule/common.h"
#include "eval/doubts.h"

enum { DEFAULT_EXAMPLES = 5 };

dp_err dp_eval_new(dp_eval **out)
{
    dp_eval *v = calloc(1, sizeof *v);
    if (!v)
        return DP_ENOMEM;
    v->table = DP_TABLE_NONE;
    v->examples = DEFAULT_EXAMPLES;
    v->bound = DP_BOUND_INIT;
    v->share = .5;
    *out = v;
    return DP_OK;
}

void dp_eval_free(dp_eval *v)
{
    if (!v)
        return;
    for (size_t i = 0; i < v->nrules; i++)
        free(v->name[i]);
    for (size_t i = 0; i < v->nwarning; i++)
        free(v->warning[i]);
    free(v->name);
    free(v->engine);
    dp_records_done(&v->in);
    dp_engine_free(v->common);
    dp_truth_done(&v->truth);
    dp_maps_done(&v->maps);
    dp_replay_free(v->replay);
    free(v->score);
    free(v->host_score);
    free(v->met);
    dp_crawl_done(&v->crawl);
    free(v->crawled);
    free(v->crawled_host);
    dp_grid_done(&v->grid);
    dp_buf_done(&v->note);
    dp_pool_free(v->pool);
    free(v);
}

dp_err dp_eval_set(dp_eval *v, dp_eval_option option, int64_t value)
{
    bool is_flag = value == 0 || value == 1;
    switch (option) {
    case DP_EVAL_BY_HOST: v->by_host = value; break;
    case DP_EVAL_BY_RULE: v->by_rule = value; break;
    case DP_EVAL_RAW: v->raw = value; break;
    case DP_EVAL_STRICT: v->in.strict = value; break;
    case DP_EVAL_THREADS:
        v->threads = (unsigned)value;
        return value >= 0 && value <= 1024 ? DP_OK : DP_EINVALID;
    case DP_EVAL_TABLE:
        v->table = (dp_eval_table)value;
        return value >= DP_TABLE_NONE && value <= DP_TABLE_SIGIR17 ? DP_OK : DP_EINVALID;
    case DP_EVAL_CRAWL:
        v->protocol = (dp_eval_crawl)value;
        return value >= DP_CRAWL_NONE && value <= DP_CRAWL_BY_TIME ? DP_OK : DP_EINVALID;
    case DP_EVAL_SHARE:
        v->share = (double)value / 1e6;
        return value >= 0 && value <= 1000000 ? DP_OK : DP_EINVALID;
    case DP_EVAL_EXAMPLES:
        v->examples = (size_t)value;
        return value >= 0 && value <= DP_LOSSES_KEPT ? DP_OK : DP_EINVALID;
    default: return DP_EINVALID;
    }
    return is_flag ? DP_OK : DP_EINVALID;
}

dp_err dp_eval_input(dp_eval *v, dp_input_option option, const char *text)
{
    return dp_records_set(&v->in, option, text);
}

void dp_eval_progress(dp_eval *v, dp_progress call, void *ctx)
{
    v->in.progress = call;
    v->in.progress_ctx = ctx;
}

dp_err dp_eval_add(dp_eval *v, const char *name, const dp_engine *e)
{
    if (!DP_RESIZE(v->name, v->nrules + 1) || !DP_RESIZE(v->engine, v->nrules + 1))
        return DP_ENOMEM;
    v->engine[v->nrules] = e;
    if (!(v->name[v->nrules] = strdup(name)))
        return DP_ENOMEM;
    v->nrules++;
    return DP_OK;
}

size_t dp_eval_rules(const dp_engine *e)
{
    size_t n = 0;
    for (size_t i = 0; i < dp_engine_count(e); i++)
        n += dp_choice_takes(&e->choice, dp_im_body(&e->im, e->im.about[i].body)) &&
             !e->im.block[e->im.about[i].block].off;
    return n;
}

size_t dp_eval_rules_bytes(const dp_engine *e)
{
    return e->im.head->rules_text.n;
}

/* ---- reading ---------------------------------------------------------------------------------------- */

static dp_err make_common(dp_eval *v, dp_error *err)
{
    dp_rules *r = NULL;
    dp_str    text = dp_common_text();
    DP_TRY(dp_rules_new(&r));
    dp_err code = dp_rules_parse(r, "common.rules", text.p, text.n, err);
    if (code == DP_OK)
        code = dp_engine_new(&v->common, r, 0, 0, err);
    dp_rules_free(r);
    return code;
}

static dp_err prepare(dp_eval *v, dp_error *err)
{
    bool alone = v->by_rule || (v->table != DP_TABLE_NONE && v->table != DP_TABLE_SIGIR17);
    v->truth.text_limit = v->table == DP_TABLE_KDD08 || v->table == DP_TABLE_WSDM10 ? SIZE_MAX : DP_EXAMPLE_TEXT;
    DP_TRY(make_common(v, err));
    DP_TRY(dp_pool_new(&v->pool, v->threads));
    v->in.pool = v->pool;
    DP_TRY(dp_maps_init(&v->maps, v->pool));
    DP_TRY(dp_maps_engine(&v->maps, NULL));
    DP_TRY(dp_maps_engine(&v->maps, v->common));
    for (size_t i = 0; i < v->nrules; i++)
        DP_TRY(dp_maps_engine(&v->maps, v->engine[i]));
    if (alone)
        DP_TRY(dp_replay_new(&v->replay, v->engine[0]));
    return alone ? dp_replay_on(v->replay, v->pool) : DP_OK;
}

/* Map and replay the URLs that wait. */
static dp_err work_off(dp_eval *v)
{
    dp_maps *m = &v->maps;
    dp_str   url[DP_MAPS_BATCH];
    for (size_t i = 0; i < m->waiting; i++)
        url[i] = (dp_str){m->urls.p + m->at[i], m->at[i + 1] - m->at[i]};
    if (v->replay)
        DP_TRY(dp_replay_add(v->replay, url, m->waiting));
    return dp_maps_flush(m);
}

/* A URL was met for the first time. */
static dp_err note_meeting(dp_eval *v, const dp_labelled *rec)
{
    if (!DP_ROOM(v->met, v->truth.n - 1, v->met_cap))
        return DP_ENOMEM;
    v->met[v->truth.n - 1] = v->protocol == DP_CRAWL_BY_TIME ? (uint64_t)rec->time : rec->number;
    return DP_OK;
}

static dp_err read_records(dp_eval *v, const char *const *paths, size_t count, dp_error *err)
{
    bool        more, fresh;
    dp_labelled rec;
    DP_TRY(dp_records_open(&v->in, paths, count, err));
    for (;;) {
        DP_TRY(dp_records_next(&v->in, &v->truth, &rec, &more, err));
        if (!more)
            break;
        DP_TRY(dp_truth_add(&v->truth, rec.url, rec.host, &rec.says, &fresh));
        if (fresh && v->protocol != DP_CRAWL_NONE)
            DP_TRY(note_meeting(v, &rec));
        if (fresh)
            DP_TRY(dp_maps_add(&v->maps, rec.form));
        if (v->maps.waiting == DP_MAPS_BATCH)
            DP_TRY(work_off(v));
        DP_TRY(dp_records_tell(&v->in, err));
    }
    DP_TRY(work_off(v));
    DP_TRY(dp_truth_settle(&v->truth));
    v->bytes = dp_truth_bytes(&v->truth) + dp_maps_bytes(&v->maps);
    dp_ordinals_close(&v->truth.urls);
    dp_ordinals_close(&v->truth.clusters);
    return DP_OK;
}

/* ---- counting --------------------------------------------------------------------------------------- */

dp_err dp_eval_hosts(dp_score *out, const dp_eval *v, const uint64_t *key)
{
    const dp_truth *t = &v->truth;
    dp_stamps       s = {0};
    dp_member      *m = malloc((t->n ? t->n : 1) * sizeof *m);
    dp_err          code = m ? dp_stamps_init(&s, t->clusters.n) : DP_ENOMEM;
    size_t          n = code == DP_OK ? t->n : 0;
    if (n)
        dp_maps_members(&v->maps, m, key, t, true);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && m[j].tag == m[i].tag; j++) {}
        dp_tally tally = dp_groups_tally(m + i, j - i, t->cluster, &s);
        out[m[i].tag] = dp_score_of(&tally);
        for (size_t k = i; k < j; k++)
            s.marked[t->cluster[m[k].item]] = 0;
    }
    dp_stamps_done(&s);
    free(m);
    return code;
}

/* Score every map; of the first rules also the pages that are lost. */
static dp_err count_maps(dp_eval *v)
{
    const dp_truth *t = &v->truth;
    dp_stamps       s = {0};
    dp_member      *m = malloc((t->n ? t->n : 1) * sizeof *m);
    dp_err          code = m ? DP_OK : DP_ENOMEM;
    uint64_t bytes = dp_truth_bytes(t) + dp_maps_bytes(&v->maps) + t->n * sizeof *m +
                     t->clusters.n * (sizeof *s.of + sizeof *s.marked);
    v->bytes = bytes > v->bytes ? bytes : v->bytes;
    if (!(v->score = calloc(v->maps.count, sizeof *v->score)))
        code = DP_ENOMEM;
    for (size_t i = 0; i < v->maps.count && code == DP_OK; i++) {
        if ((code = dp_stamps_init(&s, t->clusters.n)) != DP_OK)
            break;
        dp_maps_members(&v->maps, m, v->maps.v[i].key, t, false);
        dp_tally tally = dp_groups_tally(m, t->n, t->cluster, &s);
        v->score[i] = dp_score_of(&tally);
        if (i == DP_MAP_RULES)
            v->nloss = dp_losses_find(v->loss, v->examples, m, t->n, t->cluster, &s);
        dp_stamps_done(&s);
    }
    free(m);
    return code;
}

/* Crawl by the keys of every map. */
static dp_err crawl_maps(dp_eval *v)
{
    const dp_truth *t = &v->truth;
    uint64_t        cut = v->protocol == DP_CRAWL_BY_TIME ? UINT64_MAX : dp_first_of(v->share, t->records);
    v->crawl = (dp_crawl){.n = t->n, .cluster = t->cluster, .host = t->host, .clusters = t->clusters.n,
                          .hosts = t->nhost};
    DP_TRY(dp_crawl_order(&v->crawl, v->met, cut, v->share));
    if (!(v->crawled = calloc(v->maps.count, sizeof *v->crawled)))
        return DP_ENOMEM;
    if (v->by_host && !(v->crawled_host = calloc(t->nhost, sizeof *v->crawled_host)))
        return DP_ENOMEM;
    for (size_t i = 0; i < v->maps.count; i++)
        DP_TRY(dp_crawl_run(&v->crawled[i], i == DP_MAP_RULES ? v->crawled_host : NULL, &v->crawl, v->maps.v[i].key,
                            v->pool));
    return DP_OK;
}

/* What is in doubt, for those who read the numbers. */
static dp_err warn_of_input(dp_eval *v)
{
    char line[DP_DOUBT_SIZE];
    for (size_t i = 0; v->nwarning < DP_WARNINGS && dp_doubt(line, &v->truth, i); i++) {
        if (!(v->warning[v->nwarning] = strdup(line)))
            return DP_ENOMEM;
        v->nwarning++;
    }
    for (size_t i = 0; i < v->nrules && v->nwarning < DP_WARNINGS; i++) {
        uint64_t limit = v->maps.v[DP_MAP_RULES + i].limit;
        if (!limit)
            continue;
        snprintf(line, sizeof line,
                 "%.100s: %" PRIu64 " URL%s stopped after 64 rewrites; only the basic URL cleanup counts there",
                 v->name[i], limit, dp_s(limit));
        if (!(v->warning[v->nwarning] = strdup(line)))
            return DP_ENOMEM;
        v->nwarning++;
    }
    return DP_OK;
}

static dp_err judge_rules(dp_eval *v)
{
    dp_labels labels = {v->truth.cluster, v->truth.clusters.n, v->truth.fold, NULL};
    DP_TRY(dp_replay_judge(v->replay, &labels));
    size_t    n = dp_engine_count(v->engine[0]);
    dp_votes *votes = malloc((n ? n : 1) * sizeof *votes);
    if (!votes)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        dp_vote_sum sum = dp_trial_sum(dp_replay_rule(v->replay, i), DP_ALL_FOLDS);
        votes[i] = (dp_votes){(double)sum.s, (double)(sum.n - sum.s)};
    }
    v->bound.noise = dp_noise_estimate(votes, n);
    free(votes);
    return DP_OK;
}

static dp_err evaluate(dp_eval *v, const char *const *paths, size_t count, dp_error *err)
{
    DP_TRY(prepare(v, err));
    DP_TRY(read_records(v, paths, count, err));
    if (v->truth.n == 0)
        return dp_records_none(&v->in, &v->truth, err);
    dp_records_close(&v->in);
    if (v->protocol != DP_CRAWL_NONE) {
        DP_TRY(crawl_maps(v));
        return warn_of_input(v);
    }
    DP_TRY(count_maps(v));
    DP_TRY(warn_of_input(v));
    if (v->by_host) {
        if (!(v->host_score = calloc(v->truth.nhost, sizeof *v->host_score)))
            return DP_ENOMEM;
        DP_TRY(dp_eval_hosts(v->host_score, v, v->maps.v[DP_MAP_RULES].key));
    }
    if (v->replay)
        DP_TRY(judge_rules(v));
    return v->table == DP_TABLE_NONE ? DP_OK : dp_papers_table(v, err);
}

dp_err dp_eval_run(dp_eval *v, const char *const *paths, size_t count, dp_error *err)
{
    if (err)
        *err = (dp_error){0};
    if (v->done || v->nrules == 0)
        return dp_fail(err, DP_EINVALID,
                       v->done ? "an evaluation can run only once" : "there are no rules to evaluate");
    v->done = true;
    dp_err code = evaluate(v, paths, count, err);
    dp_records_close(&v->in);
    if (code != DP_OK && err && !err->message[0])
        dp_fail_as(err, code);
    return code;
}

/* ---- answers ------------------------------------------------------------------------------------------ */

dp_err dp_eval_metric(const dp_eval *v, const char *name, double *value)
{
    if (v->crawled)
        return dp_crawl_find(&v->crawled[DP_MAP_RULES], name, value) ? DP_OK : DP_EINVALID;
    return v->score && dp_score_find(&v->score[DP_MAP_RULES], name, value) ? DP_OK : DP_EINVALID;
}

const char *dp_eval_identity(const dp_eval *v)
{
    return dp_truth_identity(&v->truth);
}

const char *dp_eval_warning(const dp_eval *v, size_t i)
{
    return i < v->nwarning ? v->warning[i] : NULL;
}

uint64_t dp_eval_bad_lines(const dp_eval *v)
{
    return v->in.bad;
}

dp_err dp_eval_bad(const dp_eval *v, size_t i, dp_error *bad)
{
    return dp_records_bad(&v->in, i, bad);
}

uint64_t dp_eval_bytes(const dp_eval *v)
{
    return v->bytes;
}
