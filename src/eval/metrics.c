/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/metrics.h"

#include "base/number.h"

dp_score dp_score_of(const dp_tally *t)
{
    uint64_t duplicates = t->urls - t->clusters, left = t->groups - t->covered;
    dp_score s = {
        .urls = t->urls,
        .clusters = t->clusters,
        .fetched = t->groups,
        .covered = t->covered,
        .lost = t->clusters - t->covered,
        .good = t->good,
        .bad = t->bad,
        .reduction = dp_share(t->urls - t->groups, t->urls),
        .best_reduction = dp_share(duplicates, t->urls),
        .coverage = dp_share(duplicates > left ? duplicates - left : 0, duplicates),
        .precision = dp_share(t->covered, t->groups),
        .recall = dp_share(t->covered, t->clusters),
    };
    s.f1 = s.precision + s.recall > 0 ? 2 * s.precision * s.recall / (s.precision + s.recall) : 0;
    return s;
}

dp_tally dp_tally_keep_all(uint64_t urls, uint64_t clusters)
{
    return (dp_tally){.urls = urls, .groups = urls, .clusters = clusters, .covered = clusters};
}

dp_tally dp_tally_all_to_one(uint64_t urls, uint64_t clusters)
{
    uint64_t one = urls > 0;
    return (dp_tally){.urls = urls, .groups = one, .clusters = clusters, .good = urls - clusters, .bad = clusters - one,
                      .covered = one};
}

dp_tally dp_tally_best(uint64_t urls, uint64_t clusters)
{
    return (dp_tally){.urls = urls, .groups = clusters, .clusters = clusters, .good = urls - clusters,
                      .covered = clusters};
}

double dp_average_reduction(const dp_score *s, uint64_t rules)
{
    return dp_share(s->urls - s->fetched, rules);
}

bool dp_metric_find(const dp_metric *v, size_t n, const char *name, double *value)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(v[i].name, name) == 0) {
            *value = v[i].value;
            return true;
        }
    }
    return false;
}

bool dp_score_find(const dp_score *s, const char *name, double *value)
{
    const dp_metric all[] = {
        {"urls", (double)s->urls},
        {"clusters", (double)s->clusters},
        {"fetched", (double)s->fetched},
        {"covered", (double)s->covered},
        {"lost", (double)s->lost},
        {"good_merges", (double)s->good},
        {"bad_merges", (double)s->bad},
        {"reduction", s->reduction},
        {"best_reduction", s->best_reduction},
        {"coverage", s->coverage},
        {"precision", s->precision},
        {"recall", s->recall},
        {"f1", s->f1},
    };
    return dp_metric_find(all, DP_COUNT(all), name, value);
}

dp_rule_score dp_rule_score_of(const dp_trial *t, const dp_bound *b)
{
    dp_vote_sum v = dp_trial_sum(t, DP_ALL_FOLDS);
    return (dp_rule_score){
        .precision = t->changed ? 1 - t->f / (double)t->changed : 0,
        .merge_precision = dp_share(t->good, t->good + t->bad),
        .fpr = dp_share(t->false_support, t->support),
        .fpr_collide = dp_share(t->false_pairs, t->pairs),
        .expected = dp_bound_precision(b, (double)v.s, (double)v.n),
    };
}

bool dp_rule_is_valid(const dp_trial *t, double epsilon)
{
    return t->pairs && (double)t->false_pairs <= epsilon * (double)t->pairs;
}

double dp_precision_at(const bool *valid, size_t n, size_t k)
{
    size_t good = 0, upto = k < n ? k : n;
    for (size_t i = 0; i < upto; i++)
        good += valid[i];
    return dp_share(good, upto);
}
