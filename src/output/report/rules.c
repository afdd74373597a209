/* Families of rules for a report: one text under all its hosts, with what the file says of it and what it does here.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "output/report/report.h"

/* Judge each rule alone, on the URLs that count. */
static dp_err replay_rules(dp_report *r)
{
    const dp_truth *t = &r->truth;
    uint32_t       *cluster = malloc((r->nitem ? r->nitem : 1) * sizeof *cluster);
    dp_err          code = cluster ? dp_replay_new(&r->replay, r->engine) : DP_ENOMEM;
    for (uint32_t i = 0; i < r->nitem && code == DP_OK; i++) {
        dp_str url = dp_truth_text(t, r->item[i]);
        cluster[i] = t->cluster[r->item[i]];
        code = dp_replay_add(r->replay, &url, 1);
    }
    if (code == DP_OK)
        code = dp_replay_judge(r->replay, &(dp_labels){cluster, t->clusters.n, NULL, NULL});
    free(cluster);
    return code;
}

/* Least p of each band, but for the last, which has them all. */
static const double bands[DP_REPORT_BANDS] = {.999, .99, .95, .9, 0, 0};

static void add_band(dp_report_band *b, dp_vote_sum votes, double p)
{
    b->rules++;
    b->pos += votes.s;
    b->against += votes.n - votes.s;
    b->promised += p * (double)votes.n;
}

/* What rule `i` promised, and what became of it. */
static void compare_promise(dp_report *r, size_t i, dp_vote_sum votes)
{
    double p = dp_rule_number(r->rules->rule[i], "p", -1);
    size_t k = 0;
    if (p < 0 || !votes.n || dp_rule_state(r->rules->rule[i]) == DP_OFF)
        return;
    while (p < bands[k])
        k++;
    add_band(&r->band[k], votes, p);
    add_band(&r->band[DP_REPORT_BANDS - 1], votes, p);
}

static void add_rule(dp_rule_family *f, dp_report *r, size_t i)
{
    const dp_trial *t = dp_replay_rule(r->replay, i);
    dp_vote_sum     votes = dp_trial_sum(t, DP_ALL_FOLDS);
    f->loss += (double)dp_replay_fired(r->replay, i) * (1 - dp_rule_number(r->rules->rule[i], "p", 1));
    compare_promise(r, i, votes);
    dp_family_add(&f->said, r->rules->rule[i]);
    f->fired += dp_replay_fired(r->replay, i);
    f->changed += t->changed;
    f->good += t->good;
    f->bad += t->bad;
    f->pos += votes.s;
    f->against += votes.n - votes.s;
}

/* qsort has no context: the rules travel with their numbers. */
typedef struct numbered {
    const dp_rule *rule;
    size_t         i;
} numbered;

static int by_text(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    int             order = dp_str_cmp(x->rule->text, y->rule->text);
    return order ? order : (x->i > y->i) - (x->i < y->i);
}

static int most_loss_first(const void *a, const void *b)
{
    const dp_rule_family *x = a, *y = b;
    uint64_t              xm = x->good + x->bad, ym = y->good + y->bad;
    if (x->loss != y->loss)
        return (x->loss < y->loss) - (x->loss > y->loss);
    if (xm != ym)
        return (xm < ym) - (xm > ym);
    if (x->fired != y->fired)
        return (x->fired < y->fired) - (x->fired > y->fired);
    return dp_str_cmp(x->said.text, y->said.text);
}

dp_err dp_report_families(dp_report *r)
{
    size_t    n = r->rules->nrule, room = n ? n : 1;
    numbered *sorted = malloc(room * sizeof *sorted);
    r->samples = calloc(room, sizeof *r->samples);
    r->family = calloc(room, sizeof *r->family);
    r->by_family = calloc(room, sizeof *r->by_family);
    dp_err code = sorted && r->samples && r->family && r->by_family ? replay_rules(r) : DP_ENOMEM;
    for (size_t i = 0; i < DP_REPORT_BANDS; i++)
        r->band[i].from = bands[i];
    if (code == DP_OK)
        code = dp_samples_find(r->samples, r->engine, &r->truth, (dp_items){r->item, r->nitem}, &r->arena);
    if (code == DP_OK) {
        for (size_t i = 0; i < n; i++)
            sorted[i] = (numbered){r->rules->rule[i], i};
        qsort(sorted, n, sizeof *sorted, by_text);
    }
    for (size_t i = 0; i < n && code == DP_OK; i++) {
        if (i == 0 || !dp_str_eq(sorted[i].rule->text, sorted[i - 1].rule->text))
            r->family[r->nfamily++] = (dp_rule_family){.said.text = sorted[i].rule->text, .first = i};
        r->by_family[i] = sorted[i].i;
        add_rule(&r->family[r->nfamily - 1], r, sorted[i].i);
    }
    if (code == DP_OK) {
        qsort(r->family, r->nfamily, sizeof *r->family, most_loss_first);
        r->nshown = r->nfamily < r->most_families ? r->nfamily : r->most_families;
    }
    free(sorted);
    return code;
}
