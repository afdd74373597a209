/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/rounds/review.h"

#include <stdlib.h>

#include "apply/engine.h"
#include "base/hash.h"
#include "base/order.h"
#include "base/room.h"
#include "url/resource.h"

enum { CHUNK = 128 /* URLs a task: many rules fire on no more */ };

/* A URL in a group under review. */
typedef struct piece {
    uint64_t key; /* without the rule */
    uint32_t url, cluster;
} piece;

/* A part of a group: its label, and a URL of it. */
typedef struct portion {
    uint32_t label, url;
    bool     changed;
} portion;

/* A group's verdict; one vote a cluster is counted when all are there. */
typedef struct verdict {
    uint32_t label;
    double   pos, neg;
    bool     agrees;
    uint32_t first, n; /* portions */
} verdict;

struct dp_review {
    const dp_forms   *forms;
    const dp_rewriting *how;  /* of all rules */
    dp_absences       *all;
    size_t            n;      /* rules */
    dp_absence       **fired;  /* [first[n]] by rule, in the order of URLs */
    dp_absence       **missing; /* [nmissing] of the rule at hand */
    size_t            nmissing;
    size_t           *first;  /* [n + 1] where each rule's begin */
    bool             *moved;  /* [forms->n] groups of rules that were corrected */
    bool             *mixed;  /* [forms->n] groups whose URLs have several clusters */
    uint32_t         *at;     /* [forms->n + 1] URLs by form */
    uint32_t         *url;    /* [site->n] */
    uint32_t          turn;   /* counts looks at a rule */
    const dp_absence **absent; /* [site->n] of the rule at hand; NULL: it did not fire */
    uint32_t         *seen;   /* [forms->n] the turn that has looked at the form */
    piece            *piece;  /* the largest group */
    uint32_t         *urls;   /* [nclusters] of each */
    uint32_t         *here;   /* [nclusters] in the group at hand; 0 between groups */
    uint32_t         *label;  /* of the portions at hand, as many as pieces */
    portion          *portion;
    size_t            nportion, portion_cap;
    verdict          *verdict;
    size_t            nverdict, verdict_cap;
};

void dp_review_free(dp_review *r)
{
    if (!r)
        return;
    free(r->fired);
    free(r->missing);
    free(r->first);
    free(r->moved);
    free(r->mixed);
    free(r->at);
    free(r->url);
    free(r->absent);
    free(r->seen);
    free(r->piece);
    free(r->urls);
    free(r->here);
    free(r->label);
    free(r->portion);
    free(r->verdict);
    free(r);
}

/* By rule, then by URL: they are in the order of URLs. */
static bool sort_firings(dp_review *r, dp_absences *f)
{
    size_t *at = r->first = calloc(r->n + 2, sizeof *at);
    r->fired = malloc((f->n + 1) * sizeof *r->fired);
    r->missing = malloc((f->n + 1) * sizeof *r->missing);
    if (!at || !r->fired || !r->missing)
        return false;
    for (size_t i = 0; i < f->n; i++)
        at[f->v[i].rule + 2]++;
    for (size_t i = 0; i < r->n; i++)
        at[i + 2] += at[i + 1];
    for (size_t i = 0; i < f->n; i++) /* at[k + 1] runs from the start of k to its end */
        r->fired[at[f->v[i].rule + 1]++] = &f->v[i];
    return true;
}

/* URLs by form, and which forms bring several clusters together. */
static void group_urls(dp_review *r)
{
    const dp_forms *f = r->forms;
    const dp_site  *s = f->site;
    for (size_t i = 0; i < f->n; i++)
        r->at[i + 2] = r->at[i + 1] + f->weight[i];
    for (size_t u = 0; u < s->n; u++)
        r->url[r->at[f->of[u] + 1]++] = (uint32_t)u;
    for (size_t i = 0; i < f->n; i++) {
        uint32_t first = DP_NO_CLUSTER;
        for (uint32_t k = r->at[i]; k < r->at[i + 1] && !r->mixed[i]; k++) {
            uint32_t c = s->cluster[r->url[k]];
            r->mixed[i] = first != DP_NO_CLUSTER && c != DP_NO_CLUSTER && c != first;
            first = c == DP_NO_CLUSTER ? first : c;
        }
    }
}

dp_err dp_review_new(dp_review **out, const dp_forms *forms, dp_absences *fired, const dp_rewriting *how, size_t n)
{
    const dp_site *s = forms->site;
    dp_review     *r = calloc(1, sizeof *r);
    size_t         most = 1;
    if (!r)
        return DP_ENOMEM;
    r->forms = forms;
    r->how = how;
    r->all = fired;
    r->n = n;
    for (size_t f = 0; f < forms->n; f++)
        most = forms->weight[f] > most ? forms->weight[f] : most;
    r->at = calloc(forms->n + 2, sizeof *r->at);
    r->url = malloc((s->n + 1) * sizeof *r->url);
    r->absent = calloc(s->n + 1, sizeof *r->absent);
    r->seen = calloc(forms->n + 1, sizeof *r->seen);
    r->moved = calloc(forms->n + 1, sizeof *r->moved);
    r->mixed = calloc(forms->n + 1, sizeof *r->mixed);
    r->piece = malloc(most * sizeof *r->piece);
    r->label = malloc(most * sizeof *r->label);
    r->urls = calloc((size_t)s->nclusters + 1, sizeof *r->urls);
    r->here = calloc((size_t)s->nclusters + 1, sizeof *r->here);
    if (!r->at || !r->url || !r->absent || !r->seen || !r->moved || !r->mixed || !r->piece || !r->urls || !r->here ||
        !r->label || !sort_firings(r, fired)) {
        dp_review_free(r);
        return DP_ENOMEM;
    }
    group_urls(r);
    for (size_t u = 0; u < s->n; u++)
        if (s->cluster[u] != DP_NO_CLUSTER)
            r->urls[s->cluster[u]]++;
    *out = r;
    return DP_OK;
}

/* ---- one rule ----------------------------------------------------------------------------- */

static int by_piece(const void *x, const void *y)
{
    const piece *a = x, *b = y;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->cluster != b->cluster)
        return a->cluster < b->cluster ? -1 : 1;
    return (a->url > b->url) - (a->url < b->url);
}

/* Groups are small for the most part. */
static void sort_pieces(piece *v, size_t n)
{
    if (n > 24) {
        qsort(v, n, sizeof *v, by_piece);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        piece  one = v[i];
        size_t j = i;
        for (; j && by_piece(&v[j - 1], &one) > 0; j--)
            v[j] = v[j - 1];
        v[j] = one;
    }
}

/* One thread's place in the URLs that are run without a rule, or with others. */
typedef struct runner {
    dp_scratch *scratch;
    dp_arena    arena;
    bool       *used; /* [r->n] rules that fired */
} runner;

typedef struct running {
    dp_review *r;
    dp_engine  engine;
    runner   *w; /* [threads] */
} running;

static dp_err run_chunk(void *ctx, size_t chunk, unsigned worker)
{
    running  *a = ctx;
    dp_review *r = a->r;
    runner   *w = &a->w[worker];
    size_t     k = chunk * CHUNK, end = k + CHUNK < r->nmissing ? k + CHUNK : r->nmissing;
    for (; k < end; k++) {
        dp_absence *f = r->missing[k];
        dp_str     got = dp_engine_run(&a->engine, w->scratch, DP_KEY, r->forms->site->url[f->url], NULL, NULL);
        size_t     n;
        f->text = got.p ? dp_arena_str(&w->arena, got) : got;
        if (!f->text.p)
            return DP_ENOMEM;
        f->key = dp_hash_str(got);
        const uint32_t *rule = dp_scratch_fired(w->scratch, &n);
        f->by = dp_scratch_hit_limit(w->scratch) ? UINT64_MAX : 0;
        for (size_t j = 0; j < n; j++) {
            w->used[r->how->owners.of[rule[j]]] = true;
            f->by |= r->how->owners.bit[r->how->owners.of[rule[j]]];
        }
    }
    return DP_OK;
}

/* Run what is missing. used[r->n] becomes which rules fire, and keys alone are asked for; NULL: texts are kept. */
static dp_err run_missing(dp_review *r, const dp_engine *e, bool *used)
{
    unsigned threads = dp_pool_threads(r->forms->pool);
    running a = {.r = r, .engine = *e, .w = calloc(threads, sizeof *a.w)};
    dp_err   code = a.w ? DP_OK : DP_ENOMEM;
    for (unsigned k = 0; k < threads && code == DP_OK; k++) {
        a.w[k].used = calloc(r->n + 1, sizeof *a.w[k].used);
        code = a.w[k].used ? dp_scratch_new(&a.w[k].scratch) : DP_ENOMEM;
    }
    if (code == DP_OK)
        code = dp_pool_run(r->forms->pool, (r->nmissing + CHUNK - 1) / CHUNK, run_chunk, &a);
    for (size_t k = 0; !used && k < r->nmissing && code == DP_OK; k++) {
        r->missing[k]->text = dp_arena_str(&r->all->arena, r->missing[k]->text);
        code = r->missing[k]->text.p ? DP_OK : DP_ENOMEM;
    }
    for (size_t i = 0; used && i < r->n && code == DP_OK; i++) {
        used[i] = false;
        for (unsigned k = 0; k < threads; k++)
            used[i] |= a.w[k].used[i];
    }
    for (unsigned k = 0; k < threads && a.w; k++) {
        dp_scratch_free(a.w[k].scratch);
        dp_arena_done(&a.w[k].arena);
        free(a.w[k].used);
    }
    free(a.w);
    return code;
}

/* Have noted what the URLs on which rule `i` fired, or those of mixed groups, are without it. */
static dp_err fill(dp_review *r, size_t i, bool mixed)
{
    const dp_owners *o = &r->how->owners;
    dp_engine        rest = *r->how->engine;
    rest.choice.without = o->first[i];
    rest.choice.nwithout = o->first[i + 1] - o->first[i];
    r->nmissing = 0;
    for (size_t k = r->first[i]; k < r->first[i + 1]; k++) {
        dp_absence *f = r->fired[k];
        if (!f->text.p && (!mixed || r->mixed[r->forms->of[f->url]]))
            r->missing[r->nmissing++] = f;
    }
    return r->nmissing ? run_missing(r, &rest, NULL) : DP_OK;
}

static bool add_portion(dp_review *r, portion p)
{
    if (!DP_ROOM(r->portion, r->nportion, r->portion_cap))
        return false;
    r->portion[r->nportion++] = p;
    return true;
}

static bool add_verdict(dp_review *r, verdict g)
{
    if (!DP_ROOM(r->verdict, r->nverdict, r->verdict_cap))
        return false;
    r->verdict[r->nverdict++] = g;
    return true;
}

/* The URLs of form `f` that have a label, by their keys; returns how many. */
static size_t take_apart(dp_review *r, uint32_t f)
{
    const dp_site *s = r->forms->site;
    uint64_t       home = r->forms->hash[f];
    size_t         n = 0;
    for (uint32_t k = r->at[f]; k < r->at[f + 1]; k++) {
        uint32_t u = r->url[k];
        if (s->cluster[u] != DP_NO_CLUSTER)
            r->piece[n++] = (piece){r->absent[u] ? r->absent[u]->key : home, u, s->cluster[u]};
    }
    sort_pieces(r->piece, n);
    return n;
}

/* Whether a page has several URLs, and all of them are in the group at hand. */
static bool is_whole(const dp_review *r, uint32_t cluster)
{
    return r->here[cluster] > 1 && r->here[cluster] == r->urls[cluster];
}

/* Pages of several URLs that the rule brings into one group of `n` pieces, sorted, with all their URLs, less one. */
static uint32_t count_firm(dp_review *r, size_t n)
{
    uint32_t whole = 0;
    bool     before = false; /* some are together without the rule */
    for (size_t i = 0; i < n; i++)
        r->here[r->piece[i].cluster]++;
    for (size_t a = 0, b; a < n; a = b) {
        uint32_t here = 0;
        for (b = a; b < n && r->piece[b].key == r->piece[a].key; b++)
            here += is_whole(r, r->piece[b].cluster) && (b == a || r->piece[b].cluster != r->piece[b - 1].cluster);
        for (size_t k = a; k < b && here > 1; k++)
            if (is_whole(r, r->piece[k].cluster))
                r->here[r->piece[k].cluster] = UINT32_MAX;
        before |= here > 1;
    }
    for (size_t i = 0; i < n; i++) {
        whole += is_whole(r, r->piece[i].cluster);
        r->here[r->piece[i].cluster] = 0;
    }
    whole += before;
    return whole ? whole - 1 : 0;
}

/* The parts of the group of form `f`, each with its commonest label. */
static bool divide(dp_review *r, uint32_t f, dp_count *out)
{
    uint64_t home = r->forms->hash[f];
    size_t   n = take_apart(r, f);
    if (r->mixed[f])
        out->firm += count_firm(r, n);
    for (size_t a = 0, b; a < n; a = b) {
        portion p = {.url = r->piece[a].url, .changed = r->piece[a].key != home};
        size_t  most = 0;
        for (b = a; b < n && r->piece[b].key == r->piece[a].key;) {
            size_t c = b;
            while (c < n && r->piece[c].key == r->piece[a].key && r->piece[c].cluster == r->piece[b].cluster)
                c++;
            if (c - b > most) {
                most = c - b;
                p.label = r->piece[b].cluster;
                p.url = r->piece[b].url;
            }
            b = c;
        }
        if (!add_portion(r, p))
            return false;
    }
    return true;
}

/* Judge the portions from `first` on as one group. `all`: keep what meets nothing, too. */
static bool weigh(dp_review *r, size_t first, bool all, dp_count *out)
{
    size_t   n = r->nportion - first, agree = 0, others = 0;
    uint32_t label = 0;
    if (n < 2 && !(n && all)) {
        r->nportion = first;
        return true;
    }
    if (n < 2)
        return add_verdict(r, (verdict){.label = r->portion[first].label, .first = (uint32_t)first, .n = 1});
    for (size_t i = 0; i < n; i++)
        r->label[i] = r->portion[first + i].label;
    qsort(r->label, n, sizeof *r->label, dp_by_number);
    for (size_t i = 0, j; i < n; i = j, others++) { /* of those that are commonest the least */
        for (j = i + 1; j < n && r->label[j] == r->label[i]; j++) {}
        if (j - i > agree) {
            agree = j - i;
            label = r->label[i];
        }
    }
    others--;
    out->good += (uint32_t)(n - 1 - others);
    out->bad += (uint32_t)others;
    bool agrees = agree - 1 >= n - agree;
    return add_verdict(r, (verdict){.label = label,
                                    .agrees = agrees,
                                    .pos = agrees ? (double)(agree - 1) / (double)(n - 1) : 0,
                                    .neg = agrees ? (double)(n - agree) / (double)(n - 1) : (double)others,
                                    .first = (uint32_t)first,
                                    .n = (uint32_t)n});
}

/* Groups that agree first, then by label, then as they came. */
static int by_label(const void *x, const void *y, void *verdicts)
{
    uint32_t       i = *(const uint32_t *)x, j = *(const uint32_t *)y;
    const verdict *v = verdicts, *a = &v[i], *b = &v[j];
    if (a->agrees != b->agrees)
        return a->agrees ? -1 : 1;
    if (a->label != b->label)
        return a->label < b->label ? -1 : 1;
    return (i > j) - (i < j);
}

/* The same by counting, where there are about as many as labels. DP_ENOMEM. */
static dp_err order_by_count(uint32_t *out, const dp_review *r, uint32_t labels)
{
    uint32_t *at = calloc(2 * (size_t)labels + 1, sizeof *at), sum = 0;
    if (!at)
        return DP_ENOMEM;
    for (size_t i = 0; i < r->nverdict; i++)
        at[r->verdict[i].label + (r->verdict[i].agrees ? 0 : (size_t)labels)]++;
    for (size_t k = 0; k < 2 * (size_t)labels; k++) {
        uint32_t n = at[k];
        at[k] = sum;
        sum += n;
    }
    for (size_t i = 0; i < r->nverdict; i++)
        out[at[r->verdict[i].label + (r->verdict[i].agrees ? 0 : (size_t)labels)]++] = (uint32_t)i;
    free(at);
    return DP_OK;
}

static dp_err order_verdicts(uint32_t *out, dp_review *r)
{
    uint32_t labels = r->forms->site->nclusters;
    if (r->nverdict > labels / 4)
        return order_by_count(out, r, labels);
    for (size_t i = 0; i < r->nverdict; i++)
        out[i] = (uint32_t)i;
    if (r->nverdict)
        qsort_r(out, r->nverdict, sizeof *out, by_label, r->verdict);
    return DP_OK;
}

/* What a URL shows, by its content type, else by its name. */
static dp_resource resource_of(const dp_site *s, uint32_t url)
{
    if (s->resource[url])
        return (dp_resource)(s->resource[url] - 1);
    const char *query = memchr(s->url[url].p, '?', s->url[url].n);
    dp_str      path = dp_str_cut(s->url[url], 0, query ? (size_t)(query - s->url[url].p) : s->url[url].n);
    size_t      at = path.n;
    while (at && path.p[at - 1] != '/')
        at--;
    return dp_resource_of((dp_str){"", 0}, dp_str_cut(path, at, path.n));
}

/* What the verdict `g`, one of `votes` of its cluster, adds. */
static void add_vote(dp_review *r, const verdict *g, size_t votes, dp_count *out, dp_context *c)
{
    uint32_t changed = 0;
    out->pos += g->pos / (double)votes;
    out->neg += g->neg / (double)votes;
    for (uint32_t p = g->first; p < g->first + g->n; p++) {
        changed += r->portion[p].changed;
        out->by |= g->n > 1 ? 1u << r->forms->site->by[r->portion[p].url] : 0;
    }
    for (uint32_t p = g->first; c && p < g->first + g->n; p++) {
        const portion *x = &r->portion[p];
        bool           good = g->agrees && x->label == g->label;
        if (!x->changed)
            continue;
        dp_context_add(c, r->absent[x->url]->text,
                       &(dp_testimony){.pos = good ? 1.0 / changed : 0,
                                       .neg = good ? 0 : (g->agrees ? 1 : g->neg) / changed,
                                       .fired = 1,
                                       .groups = good});
        if (!c->typed)
            continue;
        bool page = resource_of(r->forms->site, x->url) == DP_RESOURCE_PAGE;
        c->of[page].fired++;
        c->of[page].groups += good;
    }
}

/* One vote a cluster, and by features of what the rule would fire on. DP_ENOMEM. */
static dp_err sum_up(dp_review *r, dp_count *out, dp_context *c)
{
    uint32_t *order = malloc((r->nverdict + 1) * sizeof *order);
    dp_err    code = order ? order_verdicts(order, r) : DP_ENOMEM;
    if (c)
        c->typed = r->forms->site->resource != NULL;
    for (size_t a = 0, b; a < r->nverdict && code == DP_OK; a = b) {
        const verdict *g = &r->verdict[order[a]];
        for (b = a + 1; g->agrees && b < r->nverdict && r->verdict[order[b]].agrees &&
                        r->verdict[order[b]].label == g->label;
             b++) {}
        out->clusters += g->agrees;
        for (size_t k = a; k < b; k++)
            add_vote(r, &r->verdict[order[k]], b - a, out, c);
    }
    free(order);
    return code;
}

/* The verdicts of the groups of rule `i`, or of the mixed ones alone. `all`: of what meets nothing, too. */
static dp_err judge_groups(dp_review *r, size_t i, bool all, bool mixed, dp_count *out)
{
    size_t a = r->first[i], b = r->first[i + 1];
    *out = (dp_count){.changed = (uint32_t)(b - a)};
    DP_TRY(fill(r, i, mixed));
    r->turn++;
    r->nportion = r->nverdict = 0;
    for (size_t k = a; k < b; k++)
        r->absent[r->fired[k]->url] = r->fired[k];
    for (size_t k = a; k < b; k++) {
        uint32_t f = r->forms->of[r->fired[k]->url];
        size_t   first = r->nportion;
        if (r->seen[f] == r->turn || (mixed && !r->mixed[f]))
            continue;
        r->seen[f] = r->turn;
        if (!divide(r, f, out) || !weigh(r, first, all, out))
            return DP_ENOMEM;
    }
    return DP_OK;
}

static void leave(dp_review *r, size_t i)
{
    for (size_t k = r->first[i]; k < r->first[i + 1]; k++)
        r->absent[r->fired[k]->url] = NULL;
}

static int by_cluster(const void *x, const void *y)
{
    const piece *a = x, *b = y;
    return (a->cluster > b->cluster) - (a->cluster < b->cluster);
}

/* What a group of `n` pieces, sorted by keys, would lose: merges that agree, less those that do not. */
static ptrdiff_t count_losses(piece *v, size_t n)
{
    ptrdiff_t parts = 0, pieces = 0, clusters = 0;
    for (size_t i = 0; i < n; i++) {
        bool new = !i || v[i].key != v[i - 1].key;
        parts += new;
        pieces += new || v[i].cluster != v[i - 1].cluster;
    }
    if (parts < 2)
        return 0;
    qsort(v, n, sizeof *v, by_cluster);
    for (size_t i = 0; i < n; i++)
        clusters += !i || v[i].cluster != v[i - 1].cluster;
    ptrdiff_t good = pieces - clusters, bad = clusters - 1 - (pieces - parts);
    return good - bad;
}

dp_err dp_review_loses(bool *out, bool *used, dp_review *r, size_t i, const dp_engine *e)
{
    size_t     from = r->first[i], n = r->first[i + 1] - from;
    ptrdiff_t  loss = 0;
    dp_absence *other = malloc((n + 1) * sizeof *other);
    if (!other)
        return DP_ENOMEM;
    for (size_t k = 0; k < n; k++) {
        other[k] = *r->fired[from + k];
        r->missing[k] = &other[k];
    }
    r->nmissing = n;
    r->turn++;
    dp_err code = run_missing(r, e, used);
    for (size_t k = 0; k < n; k++)
        r->absent[other[k].url] = &other[k];
    for (size_t k = 0; k < n && code == DP_OK; k++) {
        uint32_t f = r->forms->of[other[k].url];
        if (r->seen[f] == r->turn)
            continue;
        r->seen[f] = r->turn;
        loss += count_losses(r->piece, take_apart(r, f));
    }
    leave(r, i);
    free(other);
    *out = loss > 0;
    return code;
}

dp_err dp_review_rule(dp_count *out, dp_context *c, dp_review *r, size_t i)
{
    DP_TRY(judge_groups(r, i, c != NULL, false, out));
    dp_err code = sum_up(r, out, c);
    leave(r, i);
    return c && c->failed ? DP_ENOMEM : code;
}

dp_err dp_review_doubt(dp_count *out, dp_review *r, size_t i)
{
    DP_TRY(judge_groups(r, i, false, true, out));
    for (size_t k = 0; k < r->nverdict; k++)
        out->neg += r->verdict[k].neg;
    leave(r, i);
    return DP_OK;
}

void dp_review_correct(dp_review *r, size_t i)
{
    for (size_t k = r->first[i]; k < r->first[i + 1]; k++)
        r->moved[r->forms->of[r->fired[k]->url]] = true;
}

bool dp_review_holds(const dp_review *r, size_t i)
{
    for (size_t k = r->first[i]; k < r->first[i + 1]; k++)
        if (r->moved[r->forms->of[r->fired[k]->url]])
            return false;
    return true;
}
