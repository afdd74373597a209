/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/tree_trial.h"

#include <stdlib.h>

#include "apply/compile.h"
#include "apply/engine.h"
#include "apply/feedback.h"
#include "apply/hash.h"
#include "judge/groups.h"
#include "learn/tree_host.h"
#include "rule/rulefile.h"

enum {
    CHUNK = 4096, /* URLs of a task */
    FEW_DEEDS = 1 << 18, /* places of a set to begin with, at most */
    COMPANY = 16384, /* URLs, about, that rules are run on together */
    FEEDBACK = 32 /* rounds of taking out rules that feed themselves */
};

#define NO_PRECISION 0.5 /* a rule that is wrong more often is not worth a judge's time */

/* Marks of clusters and URLs for one worker. */
typedef struct marks {
    uint32_t *good, *bad; /* [clusters] trial in which the cluster was for, against, + 1 */
    uint32_t *moved;      /* [urls] trial in which the URL was changed */
    uint32_t  now;
} marks;

/* Forms lie in the order of their hashes, about: those that a rule makes are looked for in that order. */
typedef struct form {
    uint32_t hash, item; /* low bits, where the place has the high ones; item + 1, 0: free */
} form;

struct dp_tree_court {
    const dp_site          *s;
    const dp_tree_picks    *p;
    const dp_tree_options  *o;
    const dp_learn_context *ctx;
    form                   *form; /* [nform], a power of two */
    size_t                  nform;
    unsigned                shift; /* of a hash, that its place is left */
    marks                  *marks; /* [workers] */
    unsigned                workers;
};

/* ---- all URLs -------------------------------------------------------------------------------------------- */

static void add_forms(dp_tree_court *c)
{
    for (size_t i = 0; i < c->s->n; i++) {
        uint64_t hash = dp_hash_str(c->s->url[i]);
        size_t   at = hash >> c->shift;
        while (c->form[at].item)
            at = (at + 1) & (c->nform - 1);
        c->form[at] = (form){(uint32_t)hash, (uint32_t)i + 1};
    }
}

/* The URL with that hash, UINT32_MAX: none. Its place and 32 bits more are compared: of 10^9 texts that are no URL of
 * the site not one is taken for a URL that stands near. */
static uint32_t find_form(const dp_tree_court *c, uint64_t hash)
{
    for (size_t at = hash >> c->shift; c->form[at].item; at = (at + 1) & (c->nform - 1))
        if (c->form[at].hash == (uint32_t)hash)
            return c->form[at].item - 1;
    return UINT32_MAX;
}

dp_err dp_tree_court_new(dp_tree_court **out, const dp_site *s, const dp_tree_picks *p, const dp_tree_options *o,
                         const dp_learn_context *ctx, unsigned workers)
{
    dp_tree_court *c = calloc(1, sizeof *c);
    if (!c)
        return DP_ENOMEM;
    *c = (dp_tree_court){.s = s, .p = p, .o = o, .ctx = ctx, .workers = workers, .nform = 64,
                         .shift = 64 - 6};
    for (; c->nform < s->n + s->n / 2; c->nform *= 2)
        c->shift--;
    c->form = calloc(c->nform, sizeof *c->form);
    c->marks = calloc(workers, sizeof *c->marks);
    bool good = c->form && c->marks;
    for (unsigned i = 0; i < workers && good; i++) {
        c->marks[i].good = calloc((size_t)s->nclusters + 1, sizeof(uint32_t));
        c->marks[i].bad = calloc((size_t)s->nclusters + 1, sizeof(uint32_t));
        c->marks[i].moved = calloc(s->n + 1, sizeof(uint32_t));
        good = c->marks[i].good && c->marks[i].bad && c->marks[i].moved;
    }
    if (!good) {
        dp_tree_court_free(c);
        return DP_ENOMEM;
    }
    add_forms(c);
    *out = c;
    return DP_OK;
}

void dp_tree_court_free(dp_tree_court *c)
{
    if (!c)
        return;
    for (unsigned i = 0; i < c->workers && c->marks; i++) {
        free(c->marks[i].good);
        free(c->marks[i].bad);
        free(c->marks[i].moved);
    }
    free(c->marks);
    free(c->form);
    free(c);
}

/* ---- an engine of candidates -------------------------------------------------------------------------------- */

typedef struct engine {
    dp_rules *rules;
    dp_engine e;
    uint32_t *candidate; /* [rules] of each rule */
    size_t    n;
} engine;

static bool is_any(const dp_tree_candidate *x)
{
    (void)x;
    return true;
}

static bool is_sure(const dp_tree_candidate *x)
{
    return x->sure;
}

static bool is_kept(const dp_tree_candidate *x)
{
    return x->kept;
}

static bool skip_line(void *ctx, const dp_error *error)
{
    (void)ctx;
    (void)error;
    return true;
}

static void engine_done(engine *g)
{
    dp_image_done(&g->e.im);
    dp_rules_free(g->rules);
    free(g->candidate);
    *g = (engine){0};
}

/* Compile those of candidates [from, n) that `wanted` wants; those that cannot be read are left out. */
static dp_err engine_make(engine *g, const dp_tree_candidates *v, uint32_t from, dp_str host,
                          bool (*wanted)(const dp_tree_candidate *x))
{
    enum { FIRST_LINE = 3 };
    dp_buf text = {0};
    *g = (engine){0};
    dp_buf_c(&text, "dustpan-rules 1\nhost ");
    dp_buf_str(&text, host);
    dp_buf_byte(&text, '\n');
    for (uint32_t i = from; i < v->n; i++) {
        if (wanted(&v->v[i]))
            dp_buf_str(&text, v->v[i].text);
        dp_buf_byte(&text, '\n');
    }
    dp_err code = text.failed ? DP_ENOMEM : dp_rules_new(&g->rules);
    if (code == DP_OK)
        code = dp_rulefile_read(g->rules, "candidates", dp_buf_view(&text), skip_line, NULL);
    dp_buf_done(&text);
    if (code == DP_OK)
        code = dp_compile(&g->e.im, g->rules, NULL);
    if (code == DP_OK) {
        g->n = g->rules->nrule;
        g->candidate = malloc((g->n + 1) * sizeof *g->candidate);
        code = g->candidate ? DP_OK : DP_ENOMEM;
    }
    for (size_t i = 0; code == DP_OK && i < g->n; i++)
        g->candidate[i] = from + (uint32_t)(g->rules->rule[i]->line - FIRST_LINE);
    if (code != DP_OK)
        engine_done(g);
    return code;
}

/* ---- firing ------------------------------------------------------------------------------------------------ */

typedef struct firings {
    dp_member *v; /* [n] tag: candidate, key: hash of the result, item: URL */
    size_t     n, cap;
} firings;

typedef struct firing {
    const dp_tree_court *c;
    const engine        *g;
    const uint32_t      *item; /* [n] URLs of the host */
    size_t               n;
    dp_scratch         **scratch; /* [threads] */
    firings             *chunk;   /* [tasks] */
} firing;

typedef struct note {
    firings        *out;
    const uint32_t *candidate;
    uint32_t        item;
    bool            failed;
} note;

static void note_firing(void *ctx, uint32_t rule, dp_str text)
{
    note    *n = ctx;
    firings *f = n->out;
    if (f->n == f->cap) {
        size_t     cap = f->cap ? f->cap + f->cap / 2 : 256;
        dp_member *bigger = realloc(f->v, cap * sizeof *bigger);
        if (!bigger) {
            n->failed = true;
            return;
        }
        f->v = bigger;
        f->cap = cap;
    }
    f->v[f->n++] = (dp_member){dp_hash_str(text), n->candidate[rule], n->item};
}

static dp_err fire_chunk(void *ctx, size_t i, unsigned worker)
{
    firing *f = ctx;
    size_t  from = i * CHUNK, to = from + CHUNK < f->n ? from + CHUNK : f->n;
    note    n = {.out = &f->chunk[i], .candidate = f->g->candidate};
    if (!f->scratch[worker])
        DP_TRY(dp_scratch_new(&f->scratch[worker]));
    for (size_t k = from; k < to; k++) {
        n.item = f->item[k];
        dp_str stage0 = dp_engine_each(&f->g->e, f->scratch[worker], f->c->s->url[n.item], note_firing, &n);
        if (!stage0.p || n.failed)
            return DP_ENOMEM;
    }
    return DP_OK;
}

/* All firings of the host's URLs, by candidate, key and URL. */
static dp_err fire(firings *out, const dp_tree_court *c, const engine *g, uint32_t host, dp_pool *pool)
{
    const uint32_t *at = c->p->item_at;
    firing          f = {.c = c, .g = g, .item = c->p->item + at[host], .n = at[host + 1] - at[host]};
    size_t          tasks = (f.n + CHUNK - 1) / CHUNK;
    unsigned        threads = dp_pool_threads(pool);
    f.scratch = calloc(threads, sizeof *f.scratch);
    f.chunk = calloc(tasks + 1, sizeof *f.chunk);
    dp_err code = f.scratch && f.chunk ? dp_pool_run(pool, tasks, fire_chunk, &f) : DP_ENOMEM;
    for (size_t i = 0; i < tasks && f.chunk && code == DP_OK; i++)
        out->cap += f.chunk[i].n;
    if (code == DP_OK && !(out->v = malloc((out->cap + 1) * sizeof *out->v)))
        code = DP_ENOMEM;
    for (size_t i = 0; f.chunk && i < tasks; i++) {
        if (code == DP_OK && f.chunk[i].n) {
            memcpy(out->v + out->n, f.chunk[i].v, f.chunk[i].n * sizeof *out->v);
            out->n += f.chunk[i].n;
        }
        free(f.chunk[i].v);
    }
    for (unsigned i = 0; f.scratch && i < threads; i++)
        dp_scratch_free(f.scratch[i]);
    free(f.scratch);
    free(f.chunk);
    if (code == DP_OK)
        dp_members_sort(out->v, out->n);
    return code;
}

/* ---- counting ---------------------------------------------------------------------------------------------- */

static bool is_learned_from(const dp_tree_trial *t, uint32_t cluster)
{
    const uint8_t *fold = t->court->s->fold;
    return !fold || t->folds >> fold[cluster] & 1;
}

/* One group: URLs v[0 .. n) become one, with `still` if it is there. */
static void count_group(dp_tree_candidate *x, const dp_tree_trial *t, marks *m, const dp_member *v, size_t n,
                        uint32_t still)
{
    const uint32_t *cluster = t->court->s->cluster;
    uint32_t        first = still == UINT32_MAX ? DP_NO_CLUSTER : cluster[still];
    bool            mixed = false;
    size_t          labelled = first != DP_NO_CLUSTER;
    for (size_t i = 0; i < n; i++) {
        uint32_t k = cluster[v[i].item];
        if (k == DP_NO_CLUSTER)
            continue;
        if (first == DP_NO_CLUSTER)
            first = k;
        mixed |= k != first;
        labelled++;
    }
    x->save += n - (still == UINT32_MAX);
    for (size_t i = 0; i < n; i++) {
        uint32_t k = cluster[v[i].item];
        if (k == DP_NO_CLUSTER || !is_learned_from(t, k))
            continue;
        x->covered++;
        x->wrong += mixed;
        if (labelled < 2)
            continue;
        x->met++;
        uint32_t *mark = mixed ? &m->bad[k] : &m->good[k];
        uint64_t *count = mixed ? &x->neg : &x->n;
        *count += *mark != m->now;
        *mark = m->now;
    }
}

static void count_rule(dp_tree_candidate *x, const dp_tree_trial *t)
{
    const dp_tree_court *c = t->court;
    marks               *m = &c->marks[t->worker];
    const dp_member     *v = x->did;
    size_t               n = x->ndid;
    m->now++;
    for (size_t i = 0; i < n; i++)
        m->moved[v[i].item] = m->now;
    for (size_t i = 0, j; i < n; i = j) {
        j = dp_group_end(v, n, i);
        uint32_t still = find_form(c, v[i].key);
        if (still != UINT32_MAX && c->p->host_of[still] == t->host && m->moved[still] == m->now)
            still = UINT32_MAX; /* it does not stay */
        count_group(x, t, m, v + i, j - i, still);
    }
    double precision = x->covered ? (double)(x->covered - x->wrong) / (double)x->covered : 0;
    double strict = x->met ? (double)(x->met - x->wrong) / (double)x->met : 0;
    x->passes = x->covered >= c->o->coverage && precision >= c->ctx->min_precision - 1e-12;
    x->sure = x->passes && x->met && strict >= c->ctx->min_precision - 1e-12;
}

/* ---- which are kept ------------------------------------------------------------------------------------------- */

static double precision_of(const dp_tree_candidate *x)
{
    return x->covered ? (double)(x->covered - x->wrong) / (double)x->covered : 0;
}

typedef struct set {
    uint64_t *v; /* [n], a power of two; 0: free */
    size_t    n, used;
} set;

static uint64_t deed(const dp_member *m)
{
    return dp_tree_mix(m->key, m->item) | 1;
}

/* Its place, or a free one. */
static uint64_t *set_find(const set *s, uint64_t x)
{
    size_t at = x >> 1 & (s->n - 1);
    while (s->v[at] && s->v[at] != x)
        at = (at + 1) & (s->n - 1);
    return &s->v[at];
}

static bool set_has(const set *s, uint64_t x)
{
    return *set_find(s, x) != 0;
}

/* False when memory is out. */
static bool set_add(set *s, uint64_t x)
{
    if (2 * s->used >= s->n) {
        set bigger = {.n = 2 * s->n, .used = s->used};
        if (!(bigger.v = calloc(bigger.n, sizeof *bigger.v)))
            return false;
        for (size_t i = 0; i < s->n; i++) {
            if (s->v[i])
                *set_find(&bigger, s->v[i]) = s->v[i];
        }
        free(s->v);
        *s = bigger;
    }
    uint64_t *to = set_find(s, x);
    s->used += !*to;
    *to = x;
    return true;
}

static int by_width(const void *p, const void *q)
{
    const dp_tree_candidate *a = *(dp_tree_candidate *const *)p, *b = *(dp_tree_candidate *const *)q;
    if (a->sure != b->sure)
        return a->sure ? -1 : 1;
    if (a->passes != b->passes)
        return a->passes ? -1 : 1;
    if (a->covered != b->covered)
        return a->covered > b->covered ? -1 : 1;
    if (a->text.n != b->text.n)
        return a->text.n < b->text.n ? -1 : 1;
    return dp_str_cmp(a->text, b->text);
}

static dp_err choose(dp_tree_candidate **w, size_t n, size_t deeds, uint32_t coverage)
{
    set done = {.n = 64};
    while (done.n < 2 * deeds && done.n < FEW_DEEDS) /* of many that are tried, few may be kept */
        done.n *= 2;
    bool ok = (done.v = calloc(done.n, sizeof *done.v)) != NULL;
    if (n)
        qsort(w, n, sizeof *w, by_width);
    for (size_t i = 0; i < n && ok; i++) {
        uint64_t new = 0;
        for (size_t k = 0; k < w[i]->ndid && new < coverage; k++)
            new += !set_has(&done, deed(&w[i]->did[k]));
        if (new < coverage)
            continue;
        w[i]->kept = true;
        for (size_t k = 0; k < w[i]->ndid && ok; k++)
            ok = set_add(&done, deed(&w[i]->did[k]));
    }
    free(done.v);
    return ok ? DP_OK : DP_ENOMEM;
}

/* Choose among the candidates that are worth it. */
static dp_err choose_all(dp_tree_candidates *v, uint32_t coverage)
{
    dp_tree_candidate **w = malloc(((size_t)v->n + 1) * sizeof *w);
    size_t              n = 0, deeds = 0;
    if (!w)
        return DP_ENOMEM;
    for (uint32_t i = 0; i < v->n; i++) {
        dp_tree_candidate *x = &v->v[i];
        if (!x->ndid || x->covered < coverage || (!x->passes && precision_of(x) < NO_PRECISION))
            continue;
        w[n++] = x;
        deeds += x->ndid;
    }
    dp_err code = choose(w, n, deeds, coverage);
    free(w);
    return code;
}

/* ---- order, and rules that feed themselves ------------------------------------------------------------------- */

static int by_priority(const void *p, const void *q)
{
    const dp_tree_candidate *a = p, *b = q;
    if (a->kept != b->kept)
        return a->kept ? -1 : 1;
    if (a->sure != b->sure)
        return a->sure ? -1 : 1;
    if (a->save != b->save)
        return a->save > b->save ? -1 : 1;
    double x = precision_of(a), y = precision_of(b);
    if (x < y || x > y)
        return x > y ? -1 : 1;
    return dp_str_cmp(a->text, b->text);
}

/* Rules found to feed themselves. */
typedef struct feedback {
    dp_tree_candidates *v;
    const engine       *g;
    uint32_t            last;  /* of them the last by priority, + 1 */
    bool                rises; /* some does not fall, and is dropped */
} feedback;

static int note_feeding(void *ctx, const dp_rule *r, dp_str run)
{
    feedback *f = ctx;
    (void)run;
    for (size_t i = 0; i < f->g->n; i++) {
        if (f->g->rules->rule[i] != r)
            continue;
        dp_tree_candidate *x = &f->v->v[f->g->candidate[i]];
        if (!x->falls) {
            x->kept = false;
            f->rises = true;
        }
        if (f->g->candidate[i] + 1 > f->last)
            f->last = f->g->candidate[i] + 1;
    }
    return 0;
}

/* A rule that fires twice in the run of its own witness may do so because of another: those that do not lower a URL
 * (learn/phrase.h) go first, then one at a time, the last by priority. What still feeds itself after many rounds is
 * left for the file's writer. */
static dp_err drop_feedback(dp_tree_candidates *v, dp_str host)
{
    for (int round = 0; round < FEEDBACK; round++) {
        engine g;
        DP_TRY(engine_make(&g, v, 0, host, is_kept));
        feedback f = {.v = v, .g = &g};
        dp_err   code = dp_feedback_find(&g.e, g.rules, note_feeding, &f);
        engine_done(&g);
        if (code != DP_OK || !f.last)
            return code;
        if (!f.rises)
            v->v[f.last - 1].kept = false;
    }
    return DP_OK;
}

/* ---- rules that do nothing in company ------------------------------------------------------------------------- */

typedef struct company {
    const dp_tree_court *c;
    const engine        *g;
    const uint32_t      *item;
    size_t               n, step; /* every step-th of them */
    dp_scratch         **scratch; /* [threads] */
    uint64_t           **fired;   /* [threads][rules] URLs */
} company;

static dp_err run_chunk(void *ctx, size_t i, unsigned worker)
{
    company *y = ctx;
    size_t   from = i * CHUNK, to = from + CHUNK < y->n / y->step ? from + CHUNK : y->n / y->step;
    if (!y->scratch[worker])
        DP_TRY(dp_scratch_new(&y->scratch[worker]));
    if (!y->fired[worker] && !(y->fired[worker] = calloc(y->g->n + 1, sizeof **y->fired)))
        return DP_ENOMEM;
    for (size_t k = from; k < to; k++) {
        size_t n;
        dp_str key = dp_engine_run(&y->g->e, y->scratch[worker], DP_KEY, y->c->s->url[y->item[k * y->step]], NULL,
                                   NULL);
        if (!key.p)
            return DP_ENOMEM;
        const uint32_t *fired = dp_scratch_fired(y->scratch[worker], &n);
        for (size_t r = 0; r < n; r++)
            y->fired[worker][fired[r]]++;
    }
    return DP_OK;
}

/* Rules that pass, in their order, on the URLs of the host, a part of them where they are many: one that comes to fewer
 * than it must cover has its work done by those before it. */
static dp_err drop_idle(dp_tree_candidates *v, const dp_tree_court *c, uint32_t host, dp_pool *pool)
{
    const uint32_t *at = c->p->item_at;
    unsigned        threads = dp_pool_threads(pool);
    engine          g;
    for (uint32_t i = 0; i < v->n; i++)
        v->v[i].kept &= v->v[i].passes;
    DP_TRY(engine_make(&g, v, 0, c->p->host[host], is_kept));
    company y = {.c = c, .g = &g, .item = c->p->item + at[host], .n = at[host + 1] - at[host]};
    y.step = y.n / COMPANY + 1;
    y.scratch = calloc(threads, sizeof *y.scratch);
    y.fired = calloc(threads, sizeof *y.fired);
    dp_err code = DP_ENOMEM;
    if (y.scratch && y.fired)
        code = dp_pool_run(pool, (y.n / y.step + CHUNK - 1) / CHUNK, run_chunk, &y);
    for (size_t i = 0; i < g.n && code == DP_OK; i++) {
        uint64_t fired = 0;
        for (unsigned t = 0; t < threads; t++)
            fired += y.fired[t] ? y.fired[t][i] : 0;
        v->v[g.candidate[i]].kept = fired * y.step >= c->o->coverage;
    }
    for (unsigned t = 0; t < threads; t++) {
        if (y.scratch)
            dp_scratch_free(y.scratch[t]);
        if (y.fired)
            free(y.fired[t]);
    }
    free(y.scratch);
    free(y.fired);
    engine_done(&g);
    return code;
}

/* ---- rounds ------------------------------------------------------------------------------------------------- */

void dp_tree_trial_done(dp_tree_trial *t)
{
    free(t->v.v);
    t->v = (dp_tree_candidates){0};
}

void dp_tree_record_done(dp_tree_record *r)
{
    for (uint32_t i = 0; i < r->npage; i++)
        free(r->page[i]);
    free(r->page);
    free(r->deed);
    dp_intern_done(&r->known);
    *r = (dp_tree_record){0};
}

/* Texts that the record does not know yet, into `out`; from now on it knows them, and that they do nothing. */
static dp_err list_new(dp_tree_candidates *out, const dp_tree_trial *t, size_t n)
{
    dp_tree_record *r = t->record;
    uint32_t        at;
    for (size_t k = 0; k < n; k++) {
        for (uint32_t i = t[k].tried; i < t[k].v.n; i++) {
            dp_str text = t[k].v.v[i].text;
            if (dp_intern_find(&r->known, text, &at))
                continue;
            DP_TRY(dp_tree_grow(&r->deed, r->ndeed, &r->deed_cap, sizeof *r->deed));
            DP_TRY(dp_tree_grow(&out->v, out->n, &out->cap, sizeof *out->v));
            r->deed[r->ndeed] = (dp_tree_deed){0};
            if (!dp_intern_add(&r->known, text, r->ndeed++))
                return DP_ENOMEM;
            out->v[out->n++] = (dp_tree_candidate){.text = text};
        }
    }
    return DP_OK;
}

/* Keep what new texts, the last `n` of the record, did; `f` becomes a page of it. */
static dp_err keep_deeds(dp_tree_record *r, firings *f, uint32_t n)
{
    DP_TRY(dp_tree_grow(&r->page, r->npage, &r->page_cap, sizeof *r->page));
    const dp_member *v = r->page[r->npage++] = f->v;
    f->v = NULL;
    for (size_t i = 0, end; i < f->n; i = end) {
        for (end = i + 1; end < f->n && v[end].tag == v[i].tag; end++) {}
        r->deed[r->ndeed - n + v[i].tag] = (dp_tree_deed){v + i, end - i};
    }
    return DP_OK;
}

static dp_err run_new(const dp_tree_trial *t, const dp_tree_candidates *new)
{
    engine  g;
    firings f = {0};
    dp_str  host = t->court->p->host[t->host];
    if (!new->n)
        return DP_OK;
    DP_TRY(engine_make(&g, new, 0, host, is_any));
    dp_err code = fire(&f, t->court, &g, t->host, t->pool);
    engine_done(&g);
    if (code == DP_OK)
        code = keep_deeds(t->record, &f, new->n);
    free(f.v);
    return code;
}

dp_err dp_tree_trial_round(dp_tree_trial *t, size_t n)
{
    dp_tree_candidates new = {0};
    dp_err             code = list_new(&new, t, n);
    if (code == DP_OK)
        code = run_new(t, &new);
    free(new.v);
    for (size_t k = 0; k < n && code == DP_OK; k++) {
        for (; t[k].tried < t[k].v.n; t[k].tried++) {
            dp_tree_candidate *x = &t[k].v.v[t[k].tried];
            uint32_t           at = 0;
            if (!dp_intern_find(&t->record->known, x->text, &at) || !t->record->deed[at].n)
                continue;
            x->did = t->record->deed[at].v;
            x->ndid = t->record->deed[at].n;
            count_rule(x, &t[k]);
        }
    }
    return code;
}

/* The sample is asked until its answer is clear. */
static dp_err explain_one(const dp_tree_trial *t, const engine *g, dp_scratch *s, dp_buf *key, dp_tree_sample *sample)
{
    const dp_str *url = t->court->s->url;
    size_t        good = 0;
    for (size_t i = 0; i < sample->n && good < sample->enough && good + (sample->n - i) >= sample->enough; i++) {
        dp_buf_reset(key);
        dp_str a = dp_engine_run(&g->e, s, DP_KEY, url[sample->u[i]], NULL, NULL);
        dp_buf_str(key, a);
        dp_str b = a.p ? dp_engine_run(&g->e, s, DP_KEY, url[sample->v[i]], NULL, NULL) : a;
        if (!b.p || key->failed)
            return DP_ENOMEM;
        good += dp_str_eq(dp_buf_view(key), b);
    }
    sample->same = good >= sample->enough;
    return DP_OK;
}

dp_err dp_tree_trial_explain(const dp_tree_trial *t, dp_tree_sample *sample, size_t n)
{
    engine      g;
    dp_scratch *s = NULL;
    dp_buf      key = {0};
    DP_TRY(engine_make(&g, &t->v, 0, t->court->p->host[t->host], is_sure));
    dp_err code = dp_scratch_new(&s);
    for (size_t i = 0; i < n && code == DP_OK; i++)
        code = explain_one(t, &g, s, &key, &sample[i]);
    dp_scratch_free(s);
    dp_buf_done(&key);
    engine_done(&g);
    return code;
}

dp_err dp_tree_trial_choose(dp_tree_trial *t)
{
    dp_tree_court *c = t->court;
    DP_TRY(choose_all(&t->v, c->o->coverage));
    if (t->v.n)
        qsort(t->v.v, t->v.n, sizeof *t->v.v, by_priority);
    DP_TRY(drop_feedback(&t->v, c->p->host[t->host]));
    return c->ctx->accept == DP_ACCEPT_PAPER ? drop_idle(&t->v, c, t->host, t->pool) : DP_OK;
}
