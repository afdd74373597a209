/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/duster/trial.h"

#include <stdlib.h>

#include "apply/compile.h"
#include "apply/engine.h"
#include "judge/replay.h"
#include "rule/rulefile.h"

enum {
    RULES = 128, /* that are tried together: each takes memory for each URL that it changes */
    BATCH = 4096 /* URLs that are replayed together */
};

/* The URLs of known pages. */
typedef struct jury {
    const dp_site *site;
    dp_str        *url;     /* [n] */
    uint32_t      *cluster; /* [n] */
    size_t         n;
} jury;

static dp_err call_jury(jury *j)
{
    const dp_site *s = j->site;
    j->url = malloc((s->n + 1) * sizeof *j->url);
    j->cluster = malloc((s->n + 1) * sizeof *j->cluster);
    if (!j->url || !j->cluster)
        return DP_ENOMEM;
    for (size_t i = 0; i < s->n; i++) {
        if (s->cluster[i] == DP_NO_CLUSTER)
            continue;
        j->url[j->n] = s->url[i];
        j->cluster[j->n++] = s->cluster[i];
    }
    return DP_OK;
}

/* Candidate i of `n` stands on line 3 + 2i, under a host line of its own. */
static dp_err read_rules(dp_rules *out, const dp_duster_candidate *v, uint32_t n)
{
    dp_buf text = {0};
    dp_buf_c(&text, "dustpan-rules 1\n");
    for (uint32_t i = 0; i < n; i++) {
        dp_buf_c(&text, "host ");
        dp_buf_str(&text, v[i].hosts);
        dp_buf_byte(&text, '\n');
        dp_buf_str(&text, v[i].text);
        dp_buf_byte(&text, '\n');
    }
    dp_err e = text.failed ? DP_ENOMEM
                           : dp_rulefile_read(out, "duster", dp_buf_view(&text), dp_rulefile_skip, NULL);
    dp_buf_done(&text);
    return e;
}

static dp_err replay(dp_duster_candidate *v, const dp_rules *rules, dp_replay *r, const jury *j,
                     const dp_duster_test *t)
{
    const dp_site  *s = j->site;
    const dp_labels labels = {j->cluster, s->nclusters, s->fold, s->is_soft};
    for (size_t i = 0; i < j->n; i += BATCH)
        DP_TRY(dp_replay_add(r, j->url + i, j->n - i < BATCH ? j->n - i : BATCH));
    DP_TRY(dp_replay_judge(r, &labels));
    for (size_t i = 0; i < rules->nrule; i++) {
        dp_vote_sum          sum = dp_trial_sum(dp_replay_rule(r, i), t->folds);
        dp_duster_candidate *c = &v[(rules->rule[i]->line - 3) / 2];
        c->votes = sum.n;
        c->wrong = sum.n - sum.s;
        c->is_good = dp_duster_is_good(c, t->min_support, t->max_fpr);
    }
    return DP_OK;
}

static dp_err try_some(dp_duster_candidate *v, uint32_t n, const jury *j, const dp_duster_test *t)
{
    dp_rules  *rules = NULL;
    dp_engine  engine = {.choice = {.with_likely = true}};
    dp_replay *r = NULL;
    dp_err     e = dp_rules_new(&rules);
    if (e == DP_OK)
        e = read_rules(rules, v, n);
    if (e == DP_OK)
        e = dp_compile(&engine.im, rules, NULL);
    if (e == DP_OK)
        e = dp_replay_new(&r, &engine);
    if (e == DP_OK) {
        dp_replay_alone(r);
        e = dp_replay_on(r, t->pool);
    }
    if (e == DP_OK && rules->nrule)
        e = replay(v, rules, r, j, t);
    dp_replay_free(r);
    dp_image_done(&engine.im);
    dp_rules_free(rules);
    return e;
}

dp_err dp_duster_try(dp_duster_candidates *c, const dp_duster_lesson *l, const dp_duster_test *t)
{
    jury   j = {.site = l->site};
    dp_err e = call_jury(&j);
    for (uint32_t from = 0, to; from < c->n && e == DP_OK; from = to) {
        for (to = from + 1; to < c->n && c->v[to].level == c->v[from].level; to++) {}
        e = dp_duster_candidates_thin(c, from, &to, l);
        for (uint32_t i = from; i < to && e == DP_OK; i += RULES)
            e = try_some(c->v + i, to - i < RULES ? to - i : RULES, &j, t);
    }
    free(j.url);
    free(j.cluster);
    return e;
}
