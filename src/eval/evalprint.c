/* dp_eval_print of dustpan.h, and what its two forms share.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "eval/evalprint.h"

#include <stdlib.h>

#include "base/text.h"
#include "url/mask.h"

void dp_eval_baselines(dp_eval_row *out, const dp_eval *v)
{
    dp_tally all = dp_tally_keep_all(v->truth.n, v->truth.clusters.n);
    dp_tally one = dp_tally_all_to_one(v->truth.n, v->truth.clusters.n);
    out[0] = (dp_eval_row){"no rules", "identity", dp_score_of(&all), NULL};
    out[1] = (dp_eval_row){"basic cleanup", "stage0", v->score[DP_MAP_STAGE0], NULL};
    out[2] = (dp_eval_row){"common trackers", "common", v->score[DP_MAP_COMMON], v->common};
    out[3] = (dp_eval_row){"one key for all", "all_to_one", dp_score_of(&one), NULL};
}

static int by_urls(const void *pa, const void *pb)
{
    const dp_eval_host *a = pa, *b = pb;
    return a->urls != b->urls ? (a->urls < b->urls) - (a->urls > b->urls) : dp_str_cmp(a->name, b->name);
}

dp_eval_host *dp_eval_sort_hosts(const dp_eval *v)
{
    dp_eval_host *r = malloc(v->truth.nhost * sizeof *r);
    for (uint32_t i = 0; r && i < v->truth.nhost; i++) {
        r[i] = (dp_eval_host){.name = v->truth.host_name[i]};
        if (v->crawled_host)
            r[i].crawled = &v->crawled_host[i];
        else
            r[i].score = &v->host_score[i];
        r[i].urls = v->crawled_host ? r[i].crawled->rest : r[i].score->urls;
    }
    if (r)
        qsort(r, v->truth.nhost, sizeof *r, by_urls);
    return r;
}

bool dp_crawl_row_of(dp_crawl_row *out, const dp_eval *v, size_t i)
{
    static const char *const name[] = {"no rules", "basic cleanup", "common trackers"};
    static const char *const field[] = {"identity", "stage0", "common"};
    if (i >= DP_CRAWL_BASELINES + v->nrules)
        return false;
    if (i == 0) { /* every URL is its own key */
        const dp_crawl_score *s = &v->crawled[DP_MAP_STAGE0];
        *out = (dp_crawl_row){name[0], field[0], {.rest = s->rest, .needed = s->needed, .fetched = s->rest}, NULL};
        return true;
    }
    *out = (dp_crawl_row){.score = v->crawled[i - 1]};
    if (i < DP_CRAWL_BASELINES) {
        out->name = name[i];
        out->field = field[i];
        out->engine = i == 1 ? NULL : v->common;
    } else {
        out->name = v->name[i - DP_CRAWL_BASELINES];
        out->engine = v->engine[i - DP_CRAWL_BASELINES];
    }
    return true;
}

void dp_eval_add_url(dp_buf *out, const dp_eval *v, uint32_t i, uint32_t other)
{
    dp_str url = dp_truth_text(&v->truth, i), kept = dp_truth_text(&v->truth, other);
    if (v->raw)
        dp_buf_str(out, url);
    else
        dp_mask_url(out, url, &kept, 1);
}

bool dp_eval_has_pair(const dp_eval *v, uint32_t a, uint32_t b)
{
    return a < v->truth.kept && b < v->truth.kept;
}

dp_err dp_eval_print(dp_text **out, const dp_eval *v, dp_format format)
{
    dp_buf b = {0};
    if (v->crawled)
        (format == DP_JSON ? dp_crawl_json : dp_crawl_plain)(&b, v);
    else if (v->score)
        (format == DP_JSON ? dp_eval_json : dp_eval_plain)(&b, v);
    else
        return DP_EINVALID;
    return dp_text_take(out, &b);
}

dp_eval_rule dp_eval_rule_of(const dp_eval *v, size_t i)
{
    const dp_engine *e = v->engine[0];
    const dp_trial  *t = dp_replay_rule(v->replay, i);
    dp_eval_rule     r = {.id = dp_engine_id(e, i), .trial = t};
    r.text.p = dp_engine_text(e, i, &r.text.n);
    r.hosts.p = dp_engine_hosts(e, i, &r.hosts.n);
    r.score = dp_rule_score_of(t, &v->bound);
    r.votes = dp_trial_sum(t, DP_ALL_FOLDS);
    return r;
}
