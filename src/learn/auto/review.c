/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/review.h"

#include <stdlib.h>

#include "apply/engine.h"
#include "apply/hash.h"
#include "base/room.h"

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
    const dp_forms *forms;
    const dp_taken *v;
    size_t          n;
    const dp_engine *engine; /* of all rules */
    uint32_t       *number; /* [n + 1] of the engine's rules, the first of each */
    uint32_t       *owner; /* of each of the engine's rules */
    uint8_t        *used;  /* [threads][n + 1] rules that fired without the one at hand, for dp_review_used */
    uint32_t       *fired; /* [first[n]] URLs by rule, in order */
    size_t         *first; /* [n + 1] where each rule's begin */
    bool           *moved; /* [forms->n] groups of rules that were corrected */
    bool           *mixed; /* [forms->n] groups whose URLs have several clusters */
    uint32_t       *at;    /* [forms->n + 1] URLs by form */
    uint32_t       *url;   /* [site->n] */
    uint32_t        turn;  /* counts calls of dp_review_rule */
    uint32_t       *place; /* [site->n] + 1: of the URL among those that the rule at hand fired on; 0: it did not */
    uint64_t       *key;   /* [most] of these URLs, without the rule */
    dp_str         *text;  /* [most] the same as text, where somebody looks at it */
    uint32_t       *seen;  /* [forms->n] the turn that has looked at the form */
    piece          *piece; /* [npiece] the largest group */
    portion        *portion;
    size_t          nportion, portion_cap;
    verdict        *verdict;
    size_t          nverdict, verdict_cap;
    dp_arena       *arena; /* [threads] texts, of one rule */
};

void dp_review_free(dp_review *r)
{
    if (!r)
        return;
    free(r->number);
    free(r->owner);
    free(r->used);
    free(r->fired);
    free(r->first);
    free(r->moved);
    free(r->mixed);
    free(r->at);
    free(r->url);
    free(r->place);
    free(r->key);
    free(r->text);
    free(r->seen);
    free(r->piece);
    free(r->portion);
    free(r->verdict);
    for (unsigned i = 0; r->arena && i < dp_pool_threads(r->forms->pool); i++)
        dp_arena_done(&r->arena[i]);
    free(r->arena);
    free(r);
}

/* The numbers of the engine's rules: `order any` is none. */
static bool count_numbers(dp_review *r)
{
    uint32_t n = 0;
    r->number = malloc((r->n + 1) * sizeof *r->number);
    for (size_t i = 0; r->number && i <= r->n; i++) {
        r->number[i] = n;
        for (int j = 0; i < r->n && j < 2 && r->v[i].text[j].n; j++)
            n += r->v[i].family != DP_FAMILY_ORDER;
    }
    return r->number != NULL;
}

static uint32_t *owners(const dp_review *r)
{
    uint32_t *owner = malloc(((size_t)r->number[r->n] + 1) * sizeof *owner);
    for (size_t i = 0; owner && i < r->n; i++)
        for (uint32_t k = r->number[i]; k < r->number[i + 1]; k++)
            owner[k] = (uint32_t)i;
    return owner;
}

/* Run all rules on the URLs that they change. */
static dp_err run_all(dp_review *r, dp_firings *fired)
{
    const dp_site *s = r->forms->site;
    dp_scratch    *scratch = NULL;
    dp_err         code = dp_scratch_new(&scratch);
    for (size_t u = 0; u < s->n && code == DP_OK; u++) {
        size_t n;
        if (dp_str_eq(s->url[u], r->forms->text[r->forms->of[u]]))
            continue; /* no rule fires on its own result */
        dp_str key = dp_engine_run(r->engine, scratch, DP_KEY, s->url[u], NULL, NULL);
        if (!key.p)
            code = DP_ENOMEM;
        else if (fired->key && !dp_scratch_hit_limit(scratch))
            fired->key[u] = dp_hash_str(key);
        const uint32_t *rule = dp_scratch_fired(scratch, &n);
        for (size_t i = 0; i < n && code == DP_OK; i++)
            code = dp_firings_add(fired, (dp_firing){rule[i], (uint32_t)u}) ? DP_OK : DP_ENOMEM;
    }
    dp_scratch_free(scratch);
    return code;
}

/* Whether a rule of the same owner has fired on that URL before. */
static bool is_again(const dp_firings *f, size_t i, const uint32_t *owner)
{
    for (size_t k = i; k-- > 0 && f->v[k].url == f->v[i].url;)
        if (owner[f->v[k].rule] == owner[f->v[i].rule])
            return true;
    return false;
}

/* Room for the rule that fired most. */
static dp_err make_room(dp_review *r)
{
    size_t most = 1;
    for (size_t i = 0; i < r->n; i++)
        most = r->first[i + 1] - r->first[i] > most ? r->first[i + 1] - r->first[i] : most;
    r->key = malloc(most * sizeof *r->key);
    r->text = malloc(most * sizeof *r->text);
    r->used = calloc(dp_pool_threads(r->forms->pool), r->n + 1);
    return r->key && r->text && r->used ? DP_OK : DP_ENOMEM;
}

/* By rule, then by URL: they are in the order of URLs. */
static dp_err sort_firings(dp_review *r, const dp_firings *f)
{
    uint32_t *owner = r->owner = owners(r);
    size_t   *at = calloc(r->n + 2, sizeof *at);
    r->fired = malloc((f->n + 1) * sizeof *r->fired);
    r->first = at;
    if (!owner || !at || !r->fired)
        return DP_ENOMEM;
    for (size_t i = 0; i < f->n; i++)
        at[owner[f->v[i].rule] + 2] += !is_again(f, i, owner);
    for (size_t i = 0; i < r->n; i++)
        at[i + 2] += at[i + 1];
    for (size_t i = 0; i < f->n; i++) /* at[k + 1] runs from the start of k to its end */
        if (!is_again(f, i, owner))
            r->fired[at[owner[f->v[i].rule] + 1]++] = f->v[i].url;
    return make_room(r);
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

dp_err dp_review_new(dp_review **out, const dp_forms *forms, const dp_taken *v, size_t n, const dp_engine *e,
                     dp_firings *fired, bool known)
{
    const dp_site *s = forms->site;
    dp_review     *r = calloc(1, sizeof *r);
    size_t         most = 1;
    if (!r)
        return DP_ENOMEM;
    r->forms = forms;
    r->v = v;
    r->n = n;
    r->engine = e;
    for (size_t f = 0; f < forms->n; f++)
        most = forms->weight[f] > most ? forms->weight[f] : most;
    r->at = calloc(forms->n + 2, sizeof *r->at);
    r->url = malloc((s->n + 1) * sizeof *r->url);
    r->place = calloc(s->n + 1, sizeof *r->place);
    r->seen = calloc(forms->n + 1, sizeof *r->seen);
    r->moved = calloc(forms->n + 1, sizeof *r->moved);
    r->mixed = calloc(forms->n + 1, sizeof *r->mixed);
    r->piece = malloc(most * sizeof *r->piece);
    r->arena = calloc(dp_pool_threads(forms->pool), sizeof *r->arena);
    dp_err code = r->at && r->url && r->place && r->seen && r->moved && r->mixed && r->piece && r->arena &&
                          count_numbers(r)
                      ? DP_OK
                      : DP_ENOMEM;
    if (code == DP_OK) {
        group_urls(r);
        code = known ? DP_OK : run_all(r, fired);
    }
    if (code == DP_OK)
        code = sort_firings(r, fired);
    if (code != DP_OK)
        dp_review_free(r);
    else
        *out = r;
    return code;
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

/* The URLs on which a rule fired, run without it, or with others. */
typedef struct absence {
    dp_review   *r;
    dp_engine    rest;
    dp_scratch **scratch; /* [threads] */
    size_t       from, to;
    bool         texts;   /* somebody looks at them */
    bool         mixed;   /* only URLs of mixed groups */
} absence;

/* Which rules fired in the last run. */
static void note_used(const dp_review *r, const dp_scratch *s, uint8_t *used)
{
    size_t          n;
    const uint32_t *rule = dp_scratch_fired(s, &n);
    for (size_t i = 0; i < n; i++)
        used[r->owner[rule[i]]] = 1;
    used[r->n] |= dp_scratch_hit_limit(s) != 0;
}

static dp_err run_chunk(void *ctx, size_t chunk, unsigned worker)
{
    absence   *w = ctx;
    dp_review *r = w->r;
    size_t     k = w->from + chunk * CHUNK, end = k + CHUNK < w->to ? k + CHUNK : w->to;
    for (; k < end; k++) {
        uint32_t u = r->fired[k];
        if (w->mixed && !r->mixed[r->forms->of[u]])
            continue;
        dp_str got = dp_engine_run(&w->rest, w->scratch[worker], DP_KEY, r->forms->site->url[u], NULL, NULL);
        note_used(r, w->scratch[worker], r->used + worker * (r->n + 1));
        r->place[u] = (uint32_t)(k - w->from) + 1;
        r->key[k - w->from] = got.p ? dp_hash_str(got) : 0;
        if (w->texts)
            got = r->text[k - w->from] = got.p ? dp_arena_str(&r->arena[worker], got) : got;
        if (!got.p)
            return DP_ENOMEM;
    }
    return DP_OK;
}

/* The keys of the URLs, on all threads. */
static dp_err run_fired(absence *w)
{
    dp_review *r = w->r;
    unsigned   threads = dp_pool_threads(r->forms->pool);
    w->scratch = calloc(threads, sizeof *w->scratch);
    memset(r->used, 0, threads * (r->n + 1));
    dp_err code = w->scratch ? DP_OK : DP_ENOMEM;
    for (unsigned k = 0; k < threads && code == DP_OK; k++) {
        if (w->texts)
            dp_arena_reset(&r->arena[k]);
        code = dp_scratch_new(&w->scratch[k]);
    }
    if (code == DP_OK)
        code = dp_pool_run(r->forms->pool, (w->to - w->from + CHUNK - 1) / CHUNK, run_chunk, w);
    for (unsigned k = 1; k < threads; k++)
        for (size_t j = 0; j <= r->n; j++)
            r->used[j] |= r->used[k * (r->n + 1) + j];
    for (unsigned k = 0; k < threads && w->scratch; k++)
        dp_scratch_free(w->scratch[k]);
    free(w->scratch);
    return code;
}

/* The keys of the URLs on which rule `i` fired, without it. */
static dp_err run_without(dp_review *r, size_t i, bool texts, bool mixed)
{
    absence w = {.r = r, .rest = *r->engine, .from = r->first[i], .to = r->first[i + 1], .texts = texts,
                 .mixed = mixed};
    w.rest.choice.without = r->number[i];
    w.rest.choice.nwithout = r->number[i + 1] - r->number[i];
    return run_fired(&w);
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
static size_t take_apart(dp_review *r, uint32_t f, uint64_t home)
{
    const dp_site *s = r->forms->site;
    size_t         n = 0;
    for (uint32_t k = r->at[f]; k < r->at[f + 1]; k++) {
        uint32_t u = r->url[k];
        if (s->cluster[u] != DP_NO_CLUSTER)
            r->piece[n++] = (piece){r->place[u] ? r->key[r->place[u] - 1] : home, u, s->cluster[u]};
    }
    sort_pieces(r->piece, n);
    return n;
}

/* The parts of the group of form `f`, each with its commonest label. */
static bool divide(dp_review *r, uint32_t f)
{
    uint64_t home = dp_hash_str(r->forms->text[f]);
    size_t   n = take_apart(r, f, home);
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
    for (size_t i = 0; i < n; i++) {
        size_t same = 0;
        bool   before = false;
        for (size_t j = 0; j < n; j++) {
            bool equal = r->portion[first + j].label == r->portion[first + i].label;
            same += equal;
            before |= equal && j < i;
        }
        others += !before;
        if (same > agree || (same == agree && r->portion[first + i].label < label)) {
            agree = same;
            label = r->portion[first + i].label;
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

static int by_label(const void *x, const void *y)
{
    const verdict *a = x, *b = y;
    if (a->agrees != b->agrees)
        return a->agrees ? -1 : 1;
    if (a->label != b->label)
        return a->label < b->label ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

/* One vote a cluster, and by features of what the rule would fire on. */
static void sum_up(dp_review *r, dp_count *out, dp_context *c)
{
    if (r->nverdict)
        qsort(r->verdict, r->nverdict, sizeof *r->verdict, by_label);
    for (size_t a = 0, b; a < r->nverdict; a = b) {
        for (b = a + 1; r->verdict[a].agrees && b < r->nverdict && r->verdict[b].agrees &&
                        r->verdict[b].label == r->verdict[a].label;
             b++) {}
        out->clusters += r->verdict[a].agrees;
        for (size_t k = a; k < b; k++) {
            const verdict *g = &r->verdict[k];
            out->pos += g->pos / (double)(b - a);
            out->neg += g->neg / (double)(b - a);
            uint32_t changed = 0;
            for (uint32_t p = g->first; p < g->first + g->n; p++) {
                changed += r->portion[p].changed;
                out->by |= g->n > 1 ? 1u << r->forms->site->by[r->portion[p].url] : 0;
            }
            for (uint32_t p = g->first; c && p < g->first + g->n; p++) {
                const portion *x = &r->portion[p];
                bool           good = g->agrees && x->label == g->label;
                if (x->changed)
                    dp_context_add(c, r->text[r->place[x->url] - 1],
                                   &(dp_testimony){.pos = good ? 1.0 / changed : 0,
                                                   .neg = good ? 0 : (g->agrees ? 1 : g->neg) / changed,
                                                   .fired = 1,
                                                   .groups = good});
            }
        }
    }
}

/* The verdicts of the groups of rule `i`, or of the mixed ones alone. `all`: of what meets nothing, too. */
static dp_err judge_groups(dp_review *r, size_t i, bool all, bool mixed, dp_count *out)
{
    size_t a = r->first[i], b = r->first[i + 1];
    *out = (dp_count){.changed = (uint32_t)(b - a)};
    r->turn++;
    DP_TRY(run_without(r, i, all, mixed));
    r->nportion = r->nverdict = 0;
    for (size_t k = a; k < b; k++) {
        uint32_t f = r->forms->of[r->fired[k]];
        size_t   first = r->nportion;
        if (r->seen[f] == r->turn || (mixed && !r->mixed[f]))
            continue;
        r->seen[f] = r->turn;
        if (!divide(r, f) || !weigh(r, first, all, out))
            return DP_ENOMEM;
    }
    return DP_OK;
}

static void forget_places(dp_review *r, size_t i)
{
    for (size_t k = r->first[i]; k < r->first[i + 1]; k++)
        r->place[r->fired[k]] = 0;
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

dp_err dp_review_loses(bool *out, dp_review *r, size_t i, const dp_engine *e)
{
    absence   w = {.r = r, .rest = *e, .from = r->first[i], .to = r->first[i + 1]};
    ptrdiff_t loss = 0;
    DP_TRY(run_fired(&w));
    r->turn++;
    for (size_t k = w.from; k < w.to; k++) {
        uint32_t f = r->forms->of[r->fired[k]];
        if (r->seen[f] == r->turn)
            continue;
        r->seen[f] = r->turn;
        loss += count_losses(r->piece, take_apart(r, f, dp_hash_str(r->forms->text[f])));
    }
    forget_places(r, i);
    *out = loss > 0;
    return DP_OK;
}

dp_err dp_review_rule(dp_count *out, dp_context *c, dp_review *r, size_t i)
{
    DP_TRY(judge_groups(r, i, c != NULL, false, out));
    sum_up(r, out, c);
    forget_places(r, i);
    return c && c->failed ? DP_ENOMEM : DP_OK;
}

dp_err dp_review_doubt(dp_count *out, dp_review *r, size_t i)
{
    DP_TRY(judge_groups(r, i, false, true, out));
    for (size_t k = 0; k < r->nverdict; k++)
        out->neg += r->verdict[k].neg;
    forget_places(r, i);
    return DP_OK;
}

const uint8_t *dp_review_used(const dp_review *r)
{
    return r->used;
}

uint64_t dp_review_sign(dp_review *r, size_t i)
{
    uint64_t h = 1;
    r->turn++;
    for (size_t k = r->first[i]; k < r->first[i + 1]; k++) {
        uint32_t f = r->forms->of[r->fired[k]];
        h = dp_hash_fold(h, r->fired[k]);
        if (r->seen[f] == r->turn)
            continue;
        r->seen[f] = r->turn;
        h = dp_hash_fold(h, r->forms->hash[f]);
        for (uint32_t m = r->at[f]; m < r->at[f + 1]; m++)
            h = dp_hash_fold(h, r->url[m]);
    }
    return h;
}

void dp_review_correct(dp_review *r, size_t i)
{
    for (size_t k = r->first[i]; k < r->first[i + 1]; k++)
        r->moved[r->forms->of[r->fired[k]]] = true;
}

bool dp_review_holds(const dp_review *r, size_t i)
{
    for (size_t k = r->first[i]; k < r->first[i + 1]; k++)
        if (r->moved[r->forms->of[r->fired[k]]])
            return false;
    return true;
}
