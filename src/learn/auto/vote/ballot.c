/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/vote/ballot.h"

#include <stdlib.h>

#include "base/order.h"

/* Memory for looking at one idea at a time. */
static dp_err make_room(dp_ballot *b)
{
    b->now = 0;
    b->stamp = calloc(b->forms->n + 1, sizeof *b->stamp);
    b->lead = calloc((size_t)b->forms->site->nclusters + 1, sizeof *b->lead);
    b->item = malloc(b->most_items * sizeof *b->item);
    b->label = malloc(b->most_items * sizeof *b->label);
    b->group = malloc((b->most_groups + 1) * sizeof *b->group);
    return b->stamp && b->lead && b->item && b->label && b->group ? DP_OK : DP_ENOMEM;
}

static void drop_room(dp_ballot *b)
{
    free(b->stamp);
    free(b->lead);
    free(b->item);
    free(b->label);
    free(b->group);
}

/* The largest group and the idea with most of them bound what a walk needs. */
static void measure(dp_ballot *b)
{
    const dp_attempt *t = &b->tried;
    b->most_items = 2;
    for (size_t i = 0; i < b->nidea; i++) {
        size_t groups = 0;
        for (size_t k = t->at[i], end; k < t->at[i + 1]; k = end, groups++) {
            end = dp_group_end(t->v, t->at[i + 1], k);
            b->most_items = end - k + 1 > b->most_items ? end - k + 1 : b->most_items;
        }
        b->most_groups = groups > b->most_groups ? groups : b->most_groups;
    }
}

dp_err dp_ballot_init(dp_ballot *b, const dp_forms *f, const dp_idea *idea, size_t n, const dp_earlier_attempt *earlier,
                      dp_pool *pool)
{
    *b = (dp_ballot){.forms = f, .idea = idea, .nidea = n};
    DP_TRY(dp_attempt_init(&b->tried, f, idea, n, earlier, pool));
    measure(b);
    b->parent = malloc((f->n + 1) * sizeof *b->parent);
    dp_err code = b->parent ? make_room(b) : DP_ENOMEM;
    for (size_t i = 0; code == DP_OK && i < f->n; i++)
        b->parent[i] = (uint32_t)i;
    if (code != DP_OK)
        dp_ballot_done(b);
    return code;
}

void dp_ballot_done(dp_ballot *b)
{
    dp_attempt_done(&b->tried);
    drop_room(b);
    free(b->parent);
    *b = (dp_ballot){0};
}

/* ---- groups ------------------------------------------------------------------------------- */

static uint32_t root(dp_ballot *b, uint32_t f)
{
    while (b->parent[f] != f)
        f = b->parent[f] = b->parent[b->parent[f]];
    return f;
}

/* Mark the forms that idea `i` changes. */
static void mark_changed(dp_ballot *b, size_t i)
{
    b->now++;
    for (size_t k = b->tried.at[i]; k < b->tried.at[i + 1]; k++)
        b->stamp[b->tried.v[k].item] = b->now;
}

static void sort_numbers(uint32_t *v, size_t n)
{
    if (n > 24) {
        qsort(v, n, sizeof *v, dp_by_number);
        return;
    }
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j && v[j - 1] > v[j]; j--) {
            uint32_t t = v[j];
            v[j] = v[j - 1];
            v[j - 1] = t;
        }
}

/* The commonest label of the group; of equal ones the least. */
static void count_labels(dp_ballot *b, dp_group_seen *g)
{
    for (size_t i = 0; i < g->n; i++)
        b->label[i] = b->forms->label[g->form[i]];
    sort_numbers(b->label, g->n);
    g->agree = g->others = 0;
    for (size_t i = 0, j; i < g->n; i = j) {
        for (j = i + 1; j < g->n && b->label[j] == b->label[i]; j++) {}
        g->others++;
        if (j - i > g->agree) {
            g->agree = j - i;
            g->label = b->label[i];
        }
    }
    g->others--;
}

/* Sort, and leave one of each. */
static size_t make_distinct(uint32_t *v, size_t n)
{
    size_t kept = 0;
    sort_numbers(v, n);
    for (size_t i = 0; i < n; i++)
        if (!kept || v[kept - 1] != v[i])
            v[kept++] = v[i];
    return kept;
}

/* The group [k, end) of an idea, `home` the form that has its text already: forms with labels, one of each that were
 * merged already. */
static dp_group_seen group_of(dp_ballot *b, size_t k, size_t end, uint32_t home)
{
    const dp_forms  *f = b->forms;
    const dp_member *v = b->tried.v;
    dp_group_seen    g = {.form = b->item};
    home = home == DP_NO_FORM ? home : root(b, home);
    for (size_t m = k; m < end; m++) {
        uint32_t r = b->merged ? root(b, v[m].item) : v[m].item;
        if (r != home && f->label[r] != DP_NO_CLUSTER)
            b->item[g.n++] = r;
    }
    if (b->merged || home != DP_NO_FORM) /* else they are distinct and in order */
        g.n = make_distinct(b->item, g.n);
    g.changed = g.n;
    if (home != DP_NO_FORM && f->label[home] != DP_NO_CLUSTER)
        b->item[g.n++] = home;
    if (g.n >= 2)
        count_labels(b, &g);
    return g;
}

void dp_ballot_walk(dp_ballot *b, size_t i, dp_on_group *call, void *ctx)
{
    const dp_attempt *t = &b->tried;
    mark_changed(b, i);
    for (size_t k = t->at[i], end; k < t->at[i + 1]; k = end) {
        uint32_t home = dp_forms_find(b->forms, t->v[k].key);
        if (home != DP_NO_FORM && b->stamp[home] == b->now)
            home = DP_NO_FORM;
        end = dp_group_end(t->v, t->at[i + 1], k);
        if (end == k + 1 && home == DP_NO_FORM)
            continue;
        dp_group_seen g = group_of(b, k, end, home);
        if (g.n >= 2)
            call(ctx, &g);
    }
}

/* ---- votes -------------------------------------------------------------------------------- */

static bool agrees(const dp_group_votes *g)
{
    return g->agree - 1 >= g->n - g->agree;
}

static void keep_group(void *ctx, const dp_group_seen *g)
{
    dp_ballot *b = ctx;
    b->group[b->ngroup++] = (dp_group_votes){g->label, (uint32_t)g->n, (uint32_t)g->agree, (uint32_t)g->others,
                                             g->form[0]};
}

static void add_votes(dp_ballot *b, dp_count *c, const dp_group_votes *g, uint32_t folds)
{
    const dp_site *s = b->forms->site;
    c->good += g->n - 1 - g->others;
    c->bad += g->others;
    if (!(folds >> s->fold[g->label] & 1))
        return;
    if (!agrees(g)) {
        c->neg += (double)g->others;
        return;
    }
    if (s->is_soft[g->label])
        return;
    double share = 1.0 / (double)b->lead[g->label] / (double)(g->n - 1);
    c->pos += share * (double)(g->agree - 1);
    c->neg += share * (double)(g->n - g->agree);
}

/* Count the pages that have forms that idea `i` changes, and an identity. */
static void count_kept(dp_ballot *b, dp_count *c, size_t i)
{
    const dp_attempt *t = &b->tried;
    const dp_forms   *f = b->forms;
    for (size_t k = t->at[i]; f->identities.of && k < t->at[i + 1]; k++) {
        uint32_t label = f->label[t->v[k].item];
        if (label == DP_NO_CLUSTER || f->identities.of[label] == UINT32_MAX)
            continue;
        c->kept += !b->lead[label];
        c->alone += !b->lead[label] && f->identities.is_alone[f->identities.of[label]];
        b->lead[label] = 1;
    }
    for (size_t k = t->at[i]; k < t->at[i + 1]; k++)
        if (f->label[t->v[k].item] != DP_NO_CLUSTER)
            b->lead[f->label[t->v[k].item]] = 0;
}

/* Pages of which nothing is left in a URL that idea `i` changes speak against it, one vote each. */
static void add_lost(dp_ballot *b, dp_count *c, size_t i, uint32_t folds)
{
    const dp_tries *t = &b->tried.lost;
    const dp_site  *s = b->forms->site;
    for (size_t k = t->at[i]; k < t->at[i + 1]; k++) {
        uint32_t label = b->forms->label[t->v[k].item];
        if (!b->lead[label] && folds >> s->fold[label] & 1) {
            c->neg++;
            c->bad++;
            c->lost++;
        }
        b->lead[label] = 1;
    }
    for (size_t k = t->at[i]; k < t->at[i + 1]; k++)
        b->lead[b->forms->label[t->v[k].item]] = 0;
}

dp_count dp_ballot_count(dp_ballot *b, size_t i, uint32_t folds)
{
    dp_count c = {.changed = (uint32_t)(b->tried.at[i + 1] - b->tried.at[i])};
    b->ngroup = 0;
    dp_ballot_walk(b, i, keep_group, b);
    const dp_group_votes *end = b->group + b->ngroup;
    for (const dp_group_votes *g = b->group; g < end; g++)
        if (agrees(g))
            b->lead[g->label]++;
    for (const dp_group_votes *g = b->group; g < end; g++)
        add_votes(b, &c, g, folds);
    /* Lead counts are cleared on the way out; clusters that gain are those that lead. */
    for (const dp_group_votes *g = b->group; g < end; g++) {
        if (!agrees(g) || !b->lead[g->label])
            continue;
        b->lead[g->label] = 0;
        c.clusters++;
        c.by |= b->forms->by[g->form];
    }
    add_lost(b, &c, i, folds);
    count_kept(b, &c, i);
    return c;
}

typedef struct counting {
    dp_ballot      *one; /* [threads] the ballot with memory of its own */
    dp_count       *out;
    const uint32_t *folds;
} counting;

static dp_err count_one(void *ctx, size_t i, unsigned worker)
{
    counting *c = ctx;
    c->out[i] = dp_ballot_count(&c->one[worker], i, c->folds[i]);
    return DP_OK;
}

dp_err dp_ballot_count_all(dp_ballot *b, dp_count *out, const uint32_t *folds, dp_pool *pool)
{
    unsigned threads = dp_pool_threads(pool);
    for (size_t i = 0; i < b->nidea && threads == 1; i++)
        out[i] = dp_ballot_count(b, i, folds[i]);
    if (threads == 1)
        return DP_OK;
    counting c = {.one = calloc(threads, sizeof *c.one), .out = out, .folds = folds};
    dp_err   code = c.one ? DP_OK : DP_ENOMEM;
    for (unsigned i = 0; i < threads && code == DP_OK; i++) {
        c.one[i] = *b;
        code = make_room(&c.one[i]);
    }
    if (code == DP_OK)
        code = dp_pool_run(pool, b->nidea, count_one, &c);
    for (unsigned i = 0; i < threads && c.one; i++)
        drop_room(&c.one[i]);
    free(c.one);
    return code;
}

static void merge_group(void *ctx, const dp_group_seen *g)
{
    dp_ballot *b = ctx;
    uint32_t   to = g->form[g->n - 1];
    for (size_t i = 0; i + 1 < g->n; i++) /* the heavier keeps its label */
        if (b->forms->weight[g->form[i]] > b->forms->weight[to])
            to = g->form[i];
    for (size_t i = 0; i < g->n; i++)
        b->parent[root(b, g->form[i])] = root(b, to);
    b->merged = true;
}

void dp_ballot_take(dp_ballot *b, size_t i)
{
    dp_ballot_walk(b, i, merge_group, b);
}
