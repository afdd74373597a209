/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/probes.h"

#include <stdlib.h>

#include "base/ordinal.h"
#include "base/room.h"
#include "base/secret.h"

enum { ROUNDS = 100 };

void dp_probes_done(dp_probes *p)
{
    free(p->v);
    free(p->rule);
    *p = (dp_probes){0};
}

/* ---- finding ------------------------------------------------------------------------------------------- */

typedef struct search {
    dp_probes       *out;
    dp_engine        engine; /* a copy, so that rules can be left out */
    const dp_explored_urls *urls;
    dp_explore       explore;
    dp_scratch      *scratch, *other;
    dp_ordinals      keys;
    uint32_t        *first; /* [keys] the URL that had it first */
    uint32_t         first_cap;
    uint64_t        *form;  /* [URLs] hashes of stage-0 forms */
} search;

static dp_str key_of(const dp_engine *e, dp_scratch *s, dp_str url)
{
    return dp_engine_run(e, s, DP_KEY, url, NULL, NULL);
}

/* Add the rules that fired last in `s` to those of the probe at hand, each once. */
static dp_err add_fired(dp_probes *p, const dp_explored *probe, const dp_scratch *s)
{
    size_t          n;
    const uint32_t *fired = dp_scratch_fired(s, &n);
    for (size_t i = 0; i < n; i++) {
        bool known = false;
        for (size_t k = probe->rules; k < p->nrule && !known; k++)
            known = p->rule[k] == fired[i];
        if (known)
            continue;
        if (!DP_ROOM(p->rule, p->nrule, p->rule_cap))
            return DP_ENOMEM;
        p->rule[p->nrule++] = fired[i];
    }
    return DP_OK;
}

/* Of the rules that fired keep those without which the two would have different keys, unless there is none. */
static dp_err keep_needed(search *w, const dp_explored *probe, dp_str a, dp_str b)
{
    dp_probes *p = w->out;
    size_t     kept = probe->rules;
    dp_engine  rest = w->engine;
    rest.choice.nwithout = 1;
    for (size_t i = probe->rules; i < p->nrule; i++) {
        rest.choice.without = p->rule[i];
        dp_str x = key_of(&rest, w->scratch, a), y = key_of(&rest, w->other, b);
        if (!x.p || !y.p)
            return DP_ENOMEM;
        if (!dp_str_eq(x, y)) {
            uint32_t needed = p->rule[i];
            p->rule[i] = p->rule[kept];
            p->rule[kept++] = needed;
        }
    }
    p->nrule = kept > probe->rules ? kept : p->nrule;
    return DP_OK;
}

/* URLs are those of the truth and, from there on, those that show no page. */
static dp_str text_of(const dp_explored_urls *u, uint32_t item)
{
    return item < u->truth->n ? dp_truth_text(u->truth, item) : u->blank[item - u->truth->n].url;
}

/* `item`, whose key was the last of w->scratch, is a probe of what `first` stands for. */
static dp_err add_probe(search *w, uint32_t item, uint32_t first)
{
    const dp_truth *t = w->urls->truth;
    dp_probes      *p = w->out;
    dp_str          a = text_of(w->urls, item), b = text_of(w->urls, first);
    if (item >= t->n) {
        p->no_page++;
        return DP_OK;
    }
    if (first >= t->n && !w->urls->blank[first - t->n].is_error) {
        p->no_first++;
        return DP_OK;
    }
    if (!DP_ROOM(p->v, p->n, p->cap))
        return DP_ENOMEM;
    if (p->nrule > UINT32_MAX - 2 * DP_MAX_FIRINGS)
        return DP_ELIMIT;
    dp_explored probe = {.item = item, .first = first, .rules = (uint32_t)p->nrule};
    probe.wrong = first >= t->n || t->cluster[item] != t->cluster[first];
    DP_TRY(add_fired(p, &probe, w->scratch));
    if (!key_of(&w->engine, w->other, b).p)
        return DP_ENOMEM;
    DP_TRY(add_fired(p, &probe, w->other));
    DP_TRY(keep_needed(w, &probe, a, b));
    probe.end = (uint32_t)p->nrule;
    p->v[p->n++] = probe;
    return DP_OK;
}

static dp_err look_at(search *w, uint32_t item)
{
    dp_str   url = text_of(w->urls, item);
    uint32_t number;
    size_t   fired;
    bool     fresh;
    if (!url.p)
        return DP_OK;
    dp_str key = key_of(&w->engine, w->scratch, url);
    if (!key.p)
        return DP_ENOMEM;
    dp_str form = w->scratch->is_url ? w->scratch->stage0 : url;
    bool   taken = dp_explore_form(&w->explore, w->scratch).n != 0;
    w->form[item] = dp_secret_text(form);
    if (!DP_ROOM(w->first, w->keys.n, w->first_cap))
        return DP_ENOMEM;
    DP_TRY(dp_ordinals_add(&w->keys, dp_secret_text(key), &number, &fresh));
    if (fresh)
        w->first[number] = item;
    dp_scratch_fired(w->scratch, &fired);
    w->out->alone += fresh && taken && fired;
    bool same_url = w->form[w->first[number]] == w->form[item];
    return taken && !same_url ? add_probe(w, item, w->first[number]) : DP_OK;
}

typedef struct fetched {
    int64_t  time;
    uint64_t place; /* twice the number in the truth; what shows no page is in between */
    uint32_t item;
} fetched;

static int by_time(const void *a, const void *b)
{
    const fetched *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

/* All URLs as they were fetched: by time, unless one has none. What shows a page at another time is not blank. */
static void order_urls(fetched *order, const dp_explored_urls *u)
{
    uint32_t n = u->truth->n;
    bool     timed = u->time != NULL;
    for (uint32_t i = 0; i < n; i++) {
        order[i] = (fetched){u->time ? u->time[i] : 0, 2 * (uint64_t)i + 1, i};
        timed &= order[i].time > 0;
    }
    for (uint32_t i = 0; i < u->nblank; i++) {
        order[n + i] = (fetched){u->blank[i].time, 2 * (uint64_t)u->blank[i].place, n + i};
        dp_truth_find(u->truth, u->blank[i].url, &order[n + i].item);
        timed &= u->blank[i].time > 0;
    }
    for (uint32_t i = 0; i < n + u->nblank && !timed; i++)
        order[i].time = 0;
    qsort(order, n + u->nblank, sizeof *order, by_time);
}

static dp_err look_at_all(search *w)
{
    uint32_t n = w->urls->truth->n + w->urls->nblank;
    dp_err   code = DP_OK;
    fetched *order = malloc((n + 1u) * sizeof *order);
    if (!order)
        return DP_ENOMEM;
    order_urls(order, w->urls);
    for (uint32_t i = 0; i < n && code == DP_OK; i++)
        code = look_at(w, order[i].item);
    free(order);
    return code;
}

dp_err dp_probes_find(dp_probes *out, const dp_engine *e, const dp_explored_urls *urls, const dp_explore *x)
{
    search w = {.out = out, .engine = *e, .urls = urls, .explore = *x};
    *out = (dp_probes){0};
    w.form = malloc(((size_t)urls->truth->n + urls->nblank + 1) * sizeof *w.form);
    dp_err code = w.form ? dp_scratch_new(&w.scratch) : DP_ENOMEM;
    if (code == DP_OK)
        code = dp_scratch_new(&w.other);
    if (code == DP_OK)
        code = look_at_all(&w);
    dp_scratch_free(w.scratch);
    dp_scratch_free(w.other);
    dp_ordinals_done(&w.keys);
    free(w.first);
    free(w.form);
    return code;
}

dp_draws dp_probes_sum(const dp_probes *p)
{
    dp_draws d = {0, 0};
    for (size_t i = 0; i < p->n; i++)
        *(p->v[i].wrong ? &d.wrong : &d.right) += 1;
    return d;
}

/* ---- judging ------------------------------------------------------------------------------------------- */

typedef struct bench {
    const dp_probes *probes;
    size_t          *from;  /* [rules + 1] where the probes of a rule begin in ... */
    uint32_t        *probe; /* ... [nrule of probes], ascending */
    bool            *spent; /* [probes] a broken rule explains it */
    bool            *done;  /* [rules] it is broken */
    uint64_t        *wrong_at; /* [probes] of the rule at hand */
    double          *fails;    /* [rules] how often it does, by itself */
    double          *blame;    /* [rules] used inside */
} bench;

static dp_err set_up(bench *b, const dp_probes *p, size_t rules)
{
    size_t n = p->n ? p->n : 1;
    *b = (bench){.probes = p};
    b->from = calloc(rules + 2, sizeof *b->from);
    b->probe = malloc((p->nrule + 1) * sizeof *b->probe);
    b->spent = calloc(n, sizeof *b->spent);
    b->done = calloc(rules + 1, sizeof *b->done);
    b->wrong_at = malloc(n * sizeof *b->wrong_at);
    b->fails = malloc((rules + 1) * sizeof *b->fails);
    b->blame = malloc((rules + 1) * sizeof *b->blame);
    if (!b->from || !b->probe || !b->spent || !b->done || !b->wrong_at || !b->fails || !b->blame)
        return DP_ENOMEM;
    for (size_t i = 0; i < p->nrule; i++)
        b->from[p->rule[i] + 2]++;
    for (size_t i = 2; i <= rules + 1; i++)
        b->from[i] += b->from[i - 1];
    for (size_t i = 0; i < p->n; i++) {
        for (size_t k = p->v[i].rules; k < p->v[i].end; k++)
            b->probe[b->from[p->rule[k] + 1]++] = (uint32_t)i;
    }
    return DP_OK;
}

static void tear_down(bench *b)
{
    free(b->from);
    free(b->probe);
    free(b->spent);
    free(b->done);
    free(b->wrong_at);
    free(b->fails);
    free(b->blame);
}

/* One rule, by the probes that are not spent. */
static dp_probed judge_one(bench *b, size_t rule, double promise, dp_probe_bar bar)
{
    size_t   wrong = 0;
    uint64_t n = 0;
    for (size_t i = b->from[rule]; i < b->from[rule + 1]; i++) {
        if (b->spent[b->probe[i]])
            continue;
        if (b->probes->v[b->probe[i]].wrong)
            b->wrong_at[wrong++] = n;
        n++;
    }
    dp_probed of = {.draws = {n - wrong, wrong}, .odds = dp_bet_change(b->wrong_at, wrong, n, promise)};
    of.is_broken = of.odds >= bar.odds || dp_bet_most(of.draws, bar.confidence) < promise;
    return of;
}

/* Share out the blame for each wrong probe among its rules, by how often they fail. */
static void share_blame(bench *b)
{
    const dp_probes *p = b->probes;
    for (size_t i = 0; i < p->n; i++) {
        double right = 1;
        if (b->spent[i] || !p->v[i].wrong)
            continue;
        for (size_t k = p->v[i].rules; k < p->v[i].end; k++)
            right *= 1 - b->fails[p->rule[k]];
        for (size_t k = p->v[i].rules; k < p->v[i].end && right < 1; k++)
            b->blame[p->rule[k]] += b->fails[p->rule[k]] / (1 - right);
    }
}

/* How often each of the `n` rules fails by itself, by the probes that are not spent. */
static void find_fails(bench *b, const dp_probed *of, size_t n)
{
    for (size_t i = 0; i < n; i++)
        b->fails[i] = .5;
    for (int round = 0; round < ROUNDS; round++) {
        memset(b->blame, 0, n * sizeof *b->blame);
        share_blame(b);
        for (size_t i = 0; i < n; i++) {
            double drawn = (double)of[i].draws.right + (double)of[i].draws.wrong;
            b->fails[i] = drawn > 0 && b->blame[i] < drawn ? b->blame[i] / drawn : drawn > 0;
        }
    }
}

/* Of the rules that break now, those that are done with: the one that fails most often, and others like it. False when
 * there are none. */
static bool end_worst(bench *b, const dp_probed *of, size_t n)
{
    double worst = -1;
    for (size_t i = 0; i < n; i++) {
        if (!b->done[i] && of[i].is_broken && b->fails[i] > worst)
            worst = b->fails[i];
    }
    for (size_t i = 0; i < n && worst >= 0; i++) {
        if (b->done[i] || !of[i].is_broken || b->fails[i] < worst / 2)
            continue;
        b->done[i] = true;
        for (size_t k = b->from[i]; k < b->from[i + 1]; k++)
            b->spent[b->probe[k]] = true;
    }
    return worst >= 0;
}

dp_err dp_probes_judge(const dp_probes *p, const double *promise, dp_probe_bar bar, dp_probed *out, size_t n)
{
    bench  b;
    dp_err code = set_up(&b, p, n);
    for (bool more = code == DP_OK; more; more = end_worst(&b, out, n)) {
        for (size_t i = 0; i < n; i++) {
            if (!b.done[i])
                out[i] = judge_one(&b, i, promise[i], bar);
        }
        find_fails(&b, out, n);
    }
    tear_down(&b);
    return code;
}
