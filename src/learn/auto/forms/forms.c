/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/forms/forms.h"

#include <stdlib.h>

#include "apply/engine.h"
#include "base/hash.h"

enum {
    CHUNK = 1024, /* forms a task */
    BATCH = 64    /* tasks whose results lie in memory at a time */
};

dp_err dp_forms_init(dp_forms *f, const dp_site *s, bool singletons, const dp_rewriting *how, dp_pool *pool)
{
    *f = (dp_forms){.site = s, .singletons = singletons, .pool = pool};
    f->text = malloc((s->n + 1) * sizeof *f->text);
    f->label = malloc((s->n + 1) * sizeof *f->label);
    f->weight = malloc((s->n + 1) * sizeof *f->weight);
    f->by = malloc((s->n + 1) * sizeof *f->by);
    f->made = malloc((s->n + 1) * sizeof *f->made);
    f->of = malloc((s->n + 1) * sizeof *f->of);
    f->member = malloc((s->n + 1) * sizeof *f->member);
    f->first = malloc(((size_t)s->nclusters + 2) * sizeof *f->first);
    f->hash = malloc((s->n + 1) * sizeof *f->hash);
    if (!f->text || !f->label || !f->weight || !f->by || !f->made || !f->of || !f->member || !f->first || !f->hash) {
        dp_forms_done(f);
        return DP_ENOMEM;
    }
    dp_err e = dp_forms_rewrite(f, how ? how : &(dp_rewriting){.afresh = true});
    if (e != DP_OK)
        dp_forms_done(f);
    return e;
}

void dp_forms_done(dp_forms *f)
{
    free(f->text);
    free(f->label);
    free(f->weight);
    free(f->by);
    free(f->made);
    free(f->of);
    free(f->member);
    free(f->first);
    free(f->kept);
    free(f->hash);
    dp_index_done(&f->index);
    dp_identities_done(&f->identities);
    dp_arena_done(&f->arena[0]);
    dp_arena_done(&f->arena[1]);
    *f = (dp_forms){0};
}

static uint64_t hash_of(const void *self, uint32_t number)
{
    return ((const dp_forms *)self)->hash[number];
}

/* The form with that hash, DP_NO_FORM: the walk has ended where it would be. */
static uint32_t find(const dp_forms *f, uint64_t hash, dp_index_walk *w)
{
    uint32_t i;
    *w = dp_index_from(&f->index, hash);
    while (dp_index_next(w, &i))
        if (f->hash[i] == hash)
            return i;
    return DP_NO_FORM;
}

uint32_t dp_forms_find(const dp_forms *f, uint64_t hash)
{
    dp_index_walk w;
    return find(f, hash, &w);
}

/* ---- labels ------------------------------------------------------------------------------- */

/* The label of each form: the cluster that most of its URLs have, of equal ones the least. Votes of a form lie in
 * a run of `vote` (cluster of each URL); runs are short, and the clusters of a long one few. */
static void choose_label(uint32_t *label, uint32_t *vote, size_t n)
{
    uint32_t best = DP_NO_CLUSTER;
    size_t   most = 0;
    if (n > 32) { /* by sorting; small runs by counting */
        for (size_t gap = n / 2; gap; gap /= 2)
            for (size_t i = gap; i < n; i++)
                for (size_t j = i; j >= gap && vote[j - gap] > vote[j]; j -= gap) {
                    uint32_t t = vote[j];
                    vote[j] = vote[j - gap];
                    vote[j - gap] = t;
                }
        for (size_t i = 0, j; i < n; i = j) {
            for (j = i + 1; j < n && vote[j] == vote[i]; j++) {}
            if (vote[i] != DP_NO_CLUSTER && j - i > most) {
                most = j - i;
                best = vote[i];
            }
        }
    } else {
        for (size_t i = 0; i < n; i++) {
            size_t same = 0;
            for (size_t j = 0; j < n; j++)
                same += vote[j] == vote[i];
            if (vote[i] != DP_NO_CLUSTER && (same > most || (same == most && vote[i] < best))) {
                most = same;
                best = vote[i];
            }
        }
    }
    *label = best;
}

static bool is_known(const dp_forms *f, size_t u)
{
    uint32_t c = f->site->cluster[u];
    return c != DP_NO_CLUSTER && (f->singletons || f->site->size[c] > 1);
}

static dp_err label_forms(dp_forms *f)
{
    const dp_site *s = f->site;
    uint32_t      *at = calloc(f->n + 1, sizeof *at), *vote = malloc((s->n + 1) * sizeof *vote);
    dp_err         e = at && vote ? DP_OK : DP_ENOMEM;
    if (e)
        goto done;
    for (size_t i = 0; i < f->n; i++)
        at[i + 1] = at[i] + f->weight[i];
    for (size_t u = 0; u < s->n; u++)
        vote[at[f->of[u]]++] = is_known(f, u) ? s->cluster[u] : DP_NO_CLUSTER;
    for (size_t i = 0; i < f->n; i++) /* at[i] is now the end of run i */
        choose_label(&f->label[i], vote + at[i] - f->weight[i], f->weight[i]);
done:
    free(at);
    free(vote);
    return e;
}

static void index_labels(dp_forms *f)
{
    uint32_t clusters = f->site->nclusters;
    memset(f->first, 0, ((size_t)clusters + 2) * sizeof *f->first);
    for (size_t i = 0; i < f->n; i++)
        if (f->label[i] != DP_NO_CLUSTER)
            f->first[f->label[i] + 2]++;
    for (uint32_t c = 0; c < clusters; c++)
        f->first[c + 2] += f->first[c + 1];
    for (size_t i = 0; i < f->n; i++) /* first[c + 1] runs from the start of c to its end */
        if (f->label[i] != DP_NO_CLUSTER)
            f->member[f->first[f->label[i] + 1]++] = (uint32_t)i;
}

/* ---- rewriting ---------------------------------------------------------------------------- */

/* Bit of a form's number: the text is another. Sites have fewer than 2^31 URLs. */
#define REWRITTEN 0x80000000u

/* What became of an old form, or of a URL. */
typedef struct step {
    dp_str   text; /* that of the old one, or in a worker's arena */
    uint64_t hash;
    bool     made, same;
    bool     open; /* what fired is not noted: it has no end, or leads back to where it began */
} step;

typedef struct worker {
    dp_scratch *scratch, *other; /* other: runs without a rule */
    dp_arena    arena;           /* texts of the batch */
} worker;

typedef struct rewriting {
    dp_forms           *forms;
    const dp_rewriting *how;
    size_t              n;     /* old forms, or URLs */
    size_t              from;  /* where the batch begins */
    step               *v;     /* of the batch */
    dp_firings          fired[BATCH];
    dp_absences         absences[BATCH];
    bool                limited[BATCH], any_limited;
    worker             *w;     /* [threads] */
    uint32_t           *where; /* [n] what each became */
} rewriting;

/* A URL under work whose firings are noted. */
typedef struct noting {
    const dp_rewriting *how;
    worker             *w;
    dp_absences        *out;
    size_t              first; /* of its own */
    uint32_t            url;
    bool                failed;
} noting;

/* The rules that a run fired from number `from` on, as bits; all of them where it has not ended. */
static uint64_t fired_by(const dp_owners *o, const dp_scratch *s, size_t from)
{
    uint64_t by = s->hit_limit ? UINT64_MAX : 0;
    for (size_t i = from; i < s->nfired; i++)
        by |= o->bit[o->of[s->fired[i]]];
    return by;
}

/* A rule fires; when for the first time, what would be without it? */
static bool note_firing(void *ctx, uint32_t rule, dp_str text)
{
    noting          *n = ctx;
    const dp_owners *o = &n->how->owners;
    uint32_t         owner = o->of[rule], from = o->first[owner];
    (void)text;
    for (size_t k = n->first; k < n->out->n; k++)
        if (n->out->v[k].rule == owner)
            return true;
    dp_absence one = {.rule = owner, .url = n->url};
    if (n->how->absent) {
        one.text = dp_engine_otherwise(n->how->engine, n->w->scratch, n->w->other, from, o->first[owner + 1] - from);
        n->failed = !one.text.p;
        one.key = n->failed ? 0 : dp_hash_str(one.text);
        one.by = fired_by(o, n->w->other, n->w->scratch->nfired - 1);
    }
    n->failed |= !dp_absences_add(n->out, &one);
    return !n->failed;
}

/* What fired, by marks. Where there was no end nothing is known. */
static void note_marks(dp_recall *c, size_t i, const uint32_t *fired, size_t n, bool limited)
{
    c->fired[i] = limited ? UINT64_MAX : 0;
    for (size_t k = 0; k < n; k++)
        if (c->mark[fired[k]] != DP_NO_MARK)
            c->fired[i] |= (uint64_t)1 << c->mark[fired[k]];
}

/* Run the engine on old form `i`. */
static dp_err run(rewriting *r, size_t i, size_t chunk, worker *w)
{
    const dp_rewriting *how = r->how;
    const dp_forms     *f = r->forms;
    dp_str              was = how->afresh ? f->site->url[i] : f->text[i], got = was;
    size_t              n = 0;
    bool                limited = false;
    const uint32_t     *fired = NULL;
    noting              noted = {how, w, &r->absences[chunk], r->absences[chunk].n, (uint32_t)i, false};
    if (how->recall && !(how->recall->fired[i] & how->recall->again)) {
        got = how->recall->text[i];
    } else if (how->engine && !(how->touched && !how->touched[i])) {
        got = dp_engine_run(how->engine, w->scratch, DP_KEY, was, how->absences ? note_firing : NULL, &noted);
        if (!got.p || noted.failed)
            return DP_ENOMEM;
        limited = dp_scratch_hit_limit(w->scratch) != 0;
        r->limited[chunk] |= limited;
        fired = dp_scratch_fired(w->scratch, &n);
        if (how->recall && how->recall->notes) {
            note_marks(how->recall, i, fired, n, limited);
            how->recall->text[i] = (dp_str){0};
        }
    }
    bool same = dp_str_eq(got, was);
    bool open = limited || (same && n);
    if (open)
        noted.out->n = noted.first;
    if (open && how->absences && !dp_absences_open(noted.out, (uint32_t)i))
        return DP_ENOMEM;
    for (size_t k = 0; how->fired && !same && k < n; k++)
        if (!dp_firings_add(&r->fired[chunk], (dp_firing){fired[k], (uint32_t)i}))
            return DP_ENOMEM;
    got = same ? was : dp_arena_str(&w->arena, got);
    if (got.p)
        r->v[i - r->from] = (step){got, dp_hash_str(got), !same || (!how->afresh && f->made[i]), same, open};
    return got.p ? DP_OK : DP_ENOMEM;
}

static dp_err run_chunk(void *ctx, size_t chunk, unsigned number)
{
    rewriting *r = ctx;
    size_t     i = r->from + chunk * CHUNK, end = i + CHUNK < r->n ? i + CHUNK : r->n;
    for (; i < end; i++)
        DP_TRY(run(r, i, chunk, &r->w[number]));
    return DP_OK;
}

/* Number the new texts of a batch in the order of the old ones, and keep them. */
static dp_err number(rewriting *r, size_t end)
{
    dp_forms *f = r->forms;
    uint64_t *key = r->how->afresh && r->how->fired ? r->how->fired->key : NULL;
    dp_recall *recall = r->how->recall && r->how->recall->notes ? r->how->recall : NULL;
    for (size_t i = r->from; i < end; i++) {
        const step *s = &r->v[i - r->from];
        dp_index_walk w;
        if (!dp_index_room(&f->index, hash_of, f))
            return DP_ENOMEM;
        uint32_t n = find(f, s->hash, &w);
        if (n == DP_NO_FORM) {
            n = dp_index_end(&f->index, &w);
            f->hash[n] = s->hash;
            f->made[n] = s->made; /* n <= i: read before */
            f->text[n] = s->made ? dp_arena_str(&f->arena[!f->now], s->text) : s->text;
            if (!f->text[n].p)
                return DP_ENOMEM;
        }
        r->where[i] = n;
        if (recall && !recall->text[i].p) {
            recall->text[i] = s->same ? s->text : dp_arena_str(&recall->arena, s->text);
            if (!recall->text[i].p)
                return DP_ENOMEM;
        }
        if (key)
            key[i] = s->open ? 0 : s->hash;
        if (!r->how->afresh && !s->same)
            r->where[i] |= REWRITTEN;
    }
    return DP_OK;
}

static dp_err run_batch(rewriting *r)
{
    size_t end = r->from + BATCH * CHUNK < r->n ? r->from + BATCH * CHUNK : r->n;
    size_t chunks = (end - r->from + CHUNK - 1) / CHUNK;
    DP_TRY(dp_pool_run(r->forms->pool, chunks, run_chunk, r));
    DP_TRY(number(r, end));
    for (size_t i = 0; i < chunks; i++) {
        for (size_t k = 0; k < r->fired[i].n; k++)
            if (!dp_firings_add(r->how->fired, r->fired[i].v[k]))
                return DP_ENOMEM;
        r->fired[i].n = 0;
        for (size_t k = 0; k < r->absences[i].n; k++)
            if (!dp_absences_add(r->how->absences, &r->absences[i].v[k]))
                return DP_ENOMEM;
        for (size_t k = 0; k < r->absences[i].nopen; k++)
            if (!dp_absences_open(r->how->absences, r->absences[i].open[k]))
                return DP_ENOMEM;
        dp_absences_reset(&r->absences[i]);
        r->any_limited |= r->limited[i];
    }
    for (unsigned i = 0; i < dp_pool_threads(r->forms->pool); i++)
        dp_arena_reset(&r->w[i].arena);
    r->from = end;
    return DP_OK;
}

static dp_err run_all(rewriting *r)
{
    unsigned threads = dp_pool_threads(r->forms->pool);
    r->w = calloc(threads, sizeof *r->w);
    r->where = malloc((r->n + 1) * sizeof *r->where);
    r->v = malloc((r->n < BATCH * CHUNK ? r->n + 1 : BATCH * CHUNK) * sizeof *r->v);
    if (!r->w || !r->where || !r->v)
        return DP_ENOMEM;
    for (unsigned i = 0; i < threads && r->how->engine; i++) {
        DP_TRY(dp_scratch_new(&r->w[i].scratch));
        DP_TRY(dp_scratch_new(&r->w[i].other));
    }
    dp_index_reset(&r->forms->index);
    while (r->from < r->n)
        DP_TRY(run_batch(r));
    r->forms->n = r->forms->index.n;
    return DP_OK;
}

static void stop(rewriting *r)
{
    for (unsigned i = 0; r->w && i < dp_pool_threads(r->forms->pool); i++) {
        dp_scratch_free(r->w[i].scratch);
        dp_scratch_free(r->w[i].other);
        dp_arena_done(&r->w[i].arena);
    }
    for (size_t i = 0; i < BATCH; i++) {
        dp_firings_done(&r->fired[i]);
        dp_absences_done(&r->absences[i]);
    }
    free(r->w);
    free(r->where);
    free(r->v);
}

/* What the URLs say of their forms. */
static void count_urls(dp_forms *f, const uint32_t *where, bool afresh)
{
    const dp_site *s = f->site;
    memset(f->weight, 0, (f->n + 1) * sizeof *f->weight);
    memset(f->by, 0, (f->n + 1) * sizeof *f->by);
    for (size_t u = 0; u < s->n; u++) {
        f->of[u] = where[afresh ? u : f->of[u]] & ~REWRITTEN;
        f->weight[f->of[u]]++;
        f->by[f->of[u]] |= (uint8_t)(1u << s->by[u]);
    }
}

/* Who recalls the old forms is told what became of them. */
static void keep(dp_forms *f, rewriting *r)
{
    bool afresh = r->how->afresh;
    free(f->kept);
    for (size_t i = 0; i < r->n && !afresh; i++)
        r->where[i] = r->where[i] & REWRITTEN ? DP_NO_FORM : r->where[i];
    f->kept = afresh ? NULL : r->where;
    f->nkept = afresh ? 0 : r->n;
    f->steps++;
    f->limited = r->any_limited || (f->limited && !afresh);
    if (!afresh)
        r->where = NULL;
}

dp_err dp_forms_rewrite(dp_forms *f, const dp_rewriting *how)
{
    dp_rewriting all = *how;
    rewriting    r = {.forms = f, .how = &all, .n = how->afresh ? f->site->n : f->n};
    if (f->limited) /* what had no end may find one */
        all.touched = NULL;
    dp_err code = run_all(&r);
    if (code == DP_OK) {
        count_urls(f, r.where, how->afresh);
        keep(f, &r);
        dp_arena_reset(&f->arena[f->now]);
        f->now = !f->now;
        code = label_forms(f);
    }
    if (code == DP_OK)
        index_labels(f);
    stop(&r);
    return code;
}

bool dp_form_is_bounded(dp_str text)
{
    size_t pairs = 0;
    if (text.n > DP_FORM_BYTES)
        return false;
    for (size_t i = 0; i < text.n && text.n > 2 * DP_FORM_PAIRS; i++)
        pairs += text.p[i] == '&' || text.p[i] == ';';
    return pairs < DP_FORM_PAIRS;
}
