/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/accept/run_together.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/order.h"
#include "base/room.h"
#include "judge/groups.h"

enum { CHUNK = 4096 /* URLs of a task */ };

/* Whether a URL takes part: its cluster is known by evidence that counts. */
static bool takes_part(const dp_together *j, size_t i)
{
    return j->site->cluster[i] != DP_NO_CLUSTER && (j->kinds >> j->site->by[i] & 1);
}

/* ---- running -------------------------------------------------------------------------------------------- */

typedef struct numbers {
    uint32_t *v;
    size_t    n, cap;
} numbers;

static bool push(numbers *x, uint32_t number)
{
    if (!DP_ROOM(x->v, x->n, x->cap))
        return false;
    x->v[x->n++] = number;
    return true;
}

typedef struct run {
    dp_together            *j;
    const dp_together_task *t;
    dp_scratch            **scratch; /* [threads] */
    numbers                *fired;   /* [chunks] */
    numbers                *endless; /* [chunks] */
} run;

/* A rule fired on the URL whose rules begin at `before`; each is noted once. */
static bool push_once(numbers *x, size_t before, uint32_t rule)
{
    for (size_t i = before; i < x->n; i++) {
        if (x->v[i] == rule)
            return true;
    }
    return push(x, rule);
}

/* What is known of URL `i`, whose firings begin at `*at`; it is left at those of the next. */
static bool recall(const dp_firings *known, size_t i, size_t *at, numbers *out)
{
    size_t before = out->n;
    bool   ok = true;
    for (; ok && *at < known->n && known->v[*at].url == i; ++*at)
        ok = push_once(out, before, known->v[*at].rule);
    return ok;
}

/* Run the rules on URL `i`. */
static dp_err run_one(run *r, size_t i, dp_scratch *s, numbers *out, numbers *endless)
{
    size_t n, before = out->n;
    bool   ok = true;
    dp_str key = dp_engine_run(&r->t->program->engine, s, DP_KEY, r->j->site->url[i], NULL, NULL);
    if (!key.p)
        return DP_ENOMEM;
    r->j->key[i] = dp_hash_str(key);
    if (dp_scratch_hit_limit(s))
        return push(endless, (uint32_t)i) ? DP_OK : DP_ENOMEM;
    const uint32_t *fired = dp_scratch_fired(s, &n);
    for (size_t k = 0; k < n && ok; k++)
        ok = push_once(out, before, fired[k]);
    return ok ? DP_OK : DP_ENOMEM;
}

static dp_err run_chunk(void *ctx, size_t chunk, unsigned worker)
{
    run              *r = ctx;
    dp_together      *j = r->j;
    const dp_firings *known = r->t->known;
    size_t            i = chunk * CHUNK, end = i + CHUNK < j->site->n ? i + CHUNK : j->site->n;
    size_t            at = known ? dp_firings_find(known, (uint32_t)i) : 0;
    numbers          *out = &r->fired[chunk];
    for (; i < end; i++) {
        size_t before = out->n;
        bool   is_known = known && known->key[i];
        while (known && at < known->n && known->v[at].url < i)
            at++;
        if (!takes_part(j, i))
            continue;
        j->key[i] = is_known ? known->key[i] : 0;
        if (is_known && !recall(known, i, &at, out))
            return DP_ENOMEM;
        if (!is_known)
            DP_TRY(run_one(r, i, r->scratch[worker], out, &r->endless[chunk]));
        j->at[i + 1] = out->n - before;
    }
    return DP_OK;
}

/* Counts in at[] become places, lists of chunks one list. */
static bool join_chunks(run *r, size_t chunks)
{
    dp_together *j = r->j;
    for (size_t i = 0; i < j->site->n; i++)
        j->at[i + 1] += j->at[i];
    j->fired = malloc((j->at[j->site->n] + 1) * sizeof *j->fired);
    for (size_t c = 0, to = 0; j->fired && c < chunks; to += r->fired[c++].n) {
        if (r->fired[c].n)
            memcpy(j->fired + to, r->fired[c].v, r->fired[c].n * sizeof *j->fired);
    }
    numbers all = {0};
    bool    ok = true;
    for (size_t c = 0; c < chunks; c++)
        for (size_t i = 0; i < r->endless[c].n && ok; i++)
            ok = push(&all, r->endless[c].v[i]);
    j->endless = all.v;
    j->nendless = all.n;
    return ok && j->fired != NULL;
}

dp_err dp_together_sort(dp_together *j)
{
    if (j->order)
        return DP_OK;
    dp_member *v = malloc((j->site->n + 1) * sizeof *v);
    j->n = 0;
    for (size_t i = 0; v && i < j->site->n; i++) {
        if (takes_part(j, i))
            v[j->n++] = (dp_member){j->key[i], 0, (uint32_t)i};
    }
    if (v)
        dp_members_sort(v, j->n);
    j->order = v ? malloc((j->n + 1) * sizeof *j->order) : NULL;
    for (size_t i = 0; j->order && i < j->n; i++)
        j->order[i] = v[i].item;
    free(v);
    return j->order ? DP_OK : DP_ENOMEM;
}

dp_err dp_together_run(dp_together *out, const dp_together_task *t)
{
    const dp_site *s = t->site;
    dp_together    j = {.site = s, .kinds = t->kinds};
    size_t         chunks = (s->n + CHUNK - 1) / CHUNK;
    unsigned       threads = dp_pool_threads(t->pool);
    run            r = {.j = &j, .t = t};
    j.key = calloc(s->n + 1, sizeof *j.key);
    j.at = calloc(s->n + 1, sizeof *j.at);
    r.scratch = calloc(threads, sizeof *r.scratch);
    r.fired = calloc(chunks + 1, sizeof *r.fired);
    r.endless = calloc(chunks + 1, sizeof *r.endless);
    dp_err code = j.key && j.at && r.scratch && r.fired && r.endless ? DP_OK : DP_ENOMEM;
    for (unsigned i = 0; i < threads && code == DP_OK; i++)
        code = dp_scratch_new(&r.scratch[i]);
    if (code == DP_OK)
        code = dp_pool_run(t->pool, chunks, run_chunk, &r);
    if (code == DP_OK && !join_chunks(&r, chunks))
        code = DP_ENOMEM;
    for (unsigned i = 0; r.scratch && i < threads; i++)
        dp_scratch_free(r.scratch[i]);
    for (size_t i = 0; r.fired && i < chunks; i++)
        free(r.fired[i].v);
    for (size_t i = 0; r.endless && i < chunks; i++)
        free(r.endless[i].v);
    free(r.scratch);
    free(r.fired);
    free(r.endless);
    if (code == DP_OK)
        *out = j;
    else
        dp_together_done(&j);
    return code;
}

void dp_together_done(dp_together *j)
{
    free(j->key);
    free(j->at);
    free(j->fired);
    free(j->order);
    free(j->endless);
    *j = (dp_together){0};
}

/* ---- groups ------------------------------------------------------------------------------------------------- */

/* URLs of the folds in `mask`, by key. */
static uint32_t *group(const dp_together *j, uint32_t mask, size_t *n)
{
    const dp_site *s = j->site;
    uint32_t      *v = malloc((j->n + 1) * sizeof *v);
    *n = 0;
    for (size_t i = 0; v && i < j->n; i++) {
        v[*n] = j->order[i];
        *n += mask >> s->fold[s->cluster[v[*n]]] & 1;
    }
    return v;
}

/* The end of the group that begins at `i`. */
static size_t group_end(const dp_together *j, const uint32_t *v, size_t n, size_t i)
{
    size_t end = i + 1;
    while (end < n && j->key[v[end]] == j->key[v[i]])
        end++;
    return end;
}

static bool is_changed(const dp_together *j, uint32_t url)
{
    return j->at[url + 1] > j->at[url];
}

/* The least certain of the rules that fired on a URL, the last of several. */
static uint32_t weakest(const dp_together *j, uint32_t url, const double *p)
{
    uint32_t worst = j->fired[j->at[url]];
    for (size_t k = j->at[url] + 1; k < j->at[url + 1]; k++) {
        if (p[j->fired[k]] <= p[worst])
            worst = j->fired[k];
    }
    return worst;
}

/* ---- what rules do ------------------------------------------------------------------------------------------- */

typedef struct counting {
    const dp_together *j;
    const double      *p;
    dp_together_rule  *out;
    uint32_t          *of; /* room for the clusters of a group */
} counting;

/* The cluster that most URLs of the group are of; of equal ones that of a URL that was there before, then the first. */
static uint32_t majority(counting *c, const uint32_t *v, size_t n)
{
    uint32_t best = DP_NO_CLUSTER, still = DP_NO_CLUSTER;
    size_t   most = 0;
    for (size_t i = 0; i < n; i++) {
        c->of[i] = c->j->site->cluster[v[i]];
        if (still == DP_NO_CLUSTER && !is_changed(c->j, v[i]))
            still = c->of[i];
    }
    qsort(c->of, n, sizeof *c->of, dp_by_number);
    for (size_t i = 0, k; i < n; i = k) {
        for (k = i + 1; k < n && c->of[k] == c->of[i]; k++) {}
        if (k - i > most || (k - i == most && c->of[i] == still)) {
            most = k - i;
            best = c->of[i];
        }
    }
    return best;
}

/* Wrong merges: one for each cluster of the group but that of the majority. A changed URL of it has brought it there;
 * where it has none, a URL of the majority came to it. */
static void blame(counting *c, const uint32_t *v, size_t n, uint32_t main)
{
    const dp_together *j = c->j;
    uint32_t           comer = UINT32_MAX;
    for (size_t i = 0; i < n && comer == UINT32_MAX; i++) {
        if (j->site->cluster[v[i]] == main && is_changed(j, v[i]))
            comer = v[i];
    }
    for (size_t i = 0, k; i < n; i = k) { /* c->of is sorted */
        uint32_t cluster = c->of[i], guilty = UINT32_MAX;
        for (k = i + 1; k < n && c->of[k] == cluster; k++) {}
        if (cluster == main)
            continue;
        for (size_t m = 0; m < n && guilty == UINT32_MAX; m++) {
            if (j->site->cluster[v[m]] == cluster && is_changed(j, v[m]))
                guilty = v[m];
        }
        guilty = guilty == UINT32_MAX ? comer : guilty;
        if (guilty != UINT32_MAX)
            c->out[weakest(j, guilty, c->p)].bad++;
    }
}

static void count_group(counting *c, const uint32_t *v, size_t n)
{
    const dp_together *j = c->j;
    uint32_t           main = majority(c, v, n);
    bool               pure = c->of[0] == c->of[n - 1];
    for (size_t i = 0; i < n; i++) {
        if (j->site->cluster[v[i]] != main)
            continue;
        for (size_t k = j->at[v[i]]; k < j->at[v[i] + 1]; k++) {
            c->out[j->fired[k]].good++;
            c->out[j->fired[k]].kind[j->site->by[v[i]]]++;
        }
    }
    if (!pure)
        blame(c, v, n, main);
}

dp_err dp_together_count(dp_together *j, uint32_t mask, const double *p, dp_together_rule *out, size_t rules)
{
    DP_TRY(dp_together_sort(j));
    size_t    n;
    uint32_t *v = group(j, mask, &n);
    counting  c = {j, p, out, malloc((n + 1) * sizeof *c.of)};
    dp_err    code = v && c.of ? DP_OK : DP_ENOMEM;
    memset(out, 0, rules * sizeof *out);
    for (size_t i = 0; i < n && code == DP_OK; i++) {
        for (size_t k = j->at[v[i]]; k < j->at[v[i] + 1]; k++)
            out[j->fired[k]].fired++;
    }
    for (size_t i = 0, end; i < n && code == DP_OK; i = end) {
        end = group_end(j, v, n, i);
        if (end - i > 1)
            count_group(&c, v + i, end - i);
    }
    free(v);
    free(c.of);
    return code;
}

/* ---- held-out clusters ------------------------------------------------------------------------------------------ */

/* Clusters of the fold of which no URL is the first of its key, among all URLs. */
static dp_err count_lost(const dp_together *j, uint32_t fold, dp_held_out_result *out)
{
    const dp_site *s = j->site;
    uint8_t       *seen = calloc((size_t)s->nclusters + 1, sizeof *seen); /* 1: it is there, 2: it is fetched */
    dp_err         code = seen ? DP_OK : DP_ENOMEM;
    for (size_t i = 0; i < j->n && code == DP_OK; i++) {
        bool is_first = i == 0 || j->key[j->order[i - 1]] != j->key[j->order[i]];
        seen[s->cluster[j->order[i]]] |= is_first ? 2 : 1;
    }
    for (uint32_t k = 0; k < s->nclusters && code == DP_OK; k++) {
        if (s->fold[k] != fold || !seen[k])
            continue;
        out->clusters++;
        out->lost += !(seen[k] & 2);
    }
    free(seen);
    return code;
}

dp_err dp_together_measure(dp_together *j, uint32_t fold, const double *p, dp_held_out_result *out)
{
    DP_TRY(dp_together_sort(j));
    size_t    n;
    uint32_t *v = group(j, 1u << fold, &n);
    *out = (dp_held_out_result){.urls = n};
    if (!v)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        bool is_first = i == 0 || j->key[v[i - 1]] != j->key[v[i]];
        out->fetched += is_first;
        if (!is_first && is_changed(j, v[i]))
            out->expected += 1 - p[weakest(j, v[i], p)];
    }
    free(v);
    return count_lost(j, fold, out);
}
