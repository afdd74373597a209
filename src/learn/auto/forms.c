/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/forms.h"

#include <stdlib.h>

#include "apply/engine.h"
#include "apply/hash.h"

enum { CHUNK = 4096 /* forms a task */ };

dp_err dp_forms_init(dp_forms *f, const dp_site *s, bool singletons, const dp_rewriting *how, dp_pool *pool)
{
    *f = (dp_forms){.site = s, .singletons = singletons, .pool = pool};
    size_t slots = 16;
    while (slots < s->n * 2)
        slots *= 2;
    f->nslot = slots;
    f->text = malloc((s->n + 1) * sizeof *f->text);
    f->label = malloc((s->n + 1) * sizeof *f->label);
    f->weight = malloc((s->n + 1) * sizeof *f->weight);
    f->by = malloc((s->n + 1) * sizeof *f->by);
    f->made = malloc((s->n + 1) * sizeof *f->made);
    f->of = malloc((s->n + 1) * sizeof *f->of);
    f->member = malloc((s->n + 1) * sizeof *f->member);
    f->first = malloc(((size_t)s->nclusters + 2) * sizeof *f->first);
    f->slot = malloc(slots * sizeof *f->slot);
    f->arena[0] = calloc(dp_pool_threads(pool), sizeof *f->arena[0]);
    f->arena[1] = calloc(dp_pool_threads(pool), sizeof *f->arena[1]);
    if (!f->text || !f->label || !f->weight || !f->by || !f->made || !f->of || !f->member || !f->first || !f->slot ||
        !f->arena[0] || !f->arena[1]) {
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
    free(f->slot);
    for (int k = 0; k < 2; k++) {
        for (unsigned i = 0; f->arena[k] && i < dp_pool_threads(f->pool); i++)
            dp_arena_done(&f->arena[k][i]);
        free(f->arena[k]);
    }
    *f = (dp_forms){0};
}

/* The slot of a hash: the form's, or a free one. */
static dp_form_slot *slot_of(const dp_forms *f, uint64_t hash)
{
    size_t i = hash & (f->nslot - 1);
    while (f->slot[i].form && f->slot[i].hash != hash)
        i = (i + 1) & (f->nslot - 1);
    return &f->slot[i];
}

uint32_t dp_forms_find(const dp_forms *f, uint64_t hash)
{
    return slot_of(f, hash)->form - 1;
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

bool dp_firings_add(dp_firings *f, dp_firing one)
{
    if (f->n == f->cap) {
        size_t     cap = f->cap ? f->cap * 2 : 1024;
        dp_firing *v = realloc(f->v, cap * sizeof *v);
        if (!v)
            return false;
        f->v = v;
        f->cap = cap;
    }
    f->v[f->n++] = one;
    return true;
}

void dp_firings_done(dp_firings *f)
{
    free(f->v);
    *f = (dp_firings){0};
}

/* What became of an old form, or of a URL. */
typedef struct step {
    dp_str   text;
    uint64_t hash;
    bool     made, same;
} step;

typedef struct rewriting {
    const dp_forms     *forms;
    const dp_rewriting *how;
    size_t              n;       /* old forms, or URLs */
    step               *v;       /* [n] */
    dp_scratch        **scratch; /* [threads] */
    dp_firings         *fired;   /* [nchunk] */
    bool               *limited; /* [nchunk] */
    size_t              nchunk;
} rewriting;

/* Run the engine on old form `i`. */
static dp_err run(rewriting *r, size_t i, size_t chunk, unsigned worker)
{
    const dp_rewriting *how = r->how;
    const dp_forms     *f = r->forms;
    dp_str              was = how->afresh ? f->site->url[i] : f->text[i], got = was;
    bool                made = !how->afresh && f->made[i];
    size_t              n = 0;
    const uint32_t     *fired = NULL;
    if (how->engine && !(how->touched && !how->touched[i])) {
        got = dp_engine_run(how->engine, r->scratch[worker], DP_KEY, was, NULL, NULL);
        if (!got.p)
            return DP_ENOMEM;
        r->limited[chunk] |= dp_scratch_hit_limit(r->scratch[worker]) != 0;
        fired = dp_scratch_fired(r->scratch[worker], &n);
    }
    bool same = dp_str_eq(got, was);
    for (size_t k = 0; how->fired && !same && k < n; k++)
        if (!dp_firings_add(&r->fired[chunk], (dp_firing){fired[k], (uint32_t)i}))
            return DP_ENOMEM;
    if (!same || made) /* what lies in the old texts goes, too */
        got = dp_arena_str(&f->arena[!f->now][worker], got);
    r->v[i] = (step){same && !made ? was : got, got.p ? dp_hash_str(got) : 0, made || !same, same};
    return got.p ? DP_OK : DP_ENOMEM;
}

static dp_err run_chunk(void *ctx, size_t chunk, unsigned worker)
{
    rewriting *r = ctx;
    size_t     end = (chunk + 1) * CHUNK < r->n ? (chunk + 1) * CHUNK : r->n;
    for (size_t i = chunk * CHUNK; i < end; i++)
        DP_TRY(run(r, i, chunk, worker));
    return DP_OK;
}

static dp_err run_all(rewriting *r)
{
    unsigned threads = dp_pool_threads(r->forms->pool);
    r->nchunk = (r->n + CHUNK - 1) / CHUNK;
    r->v = malloc((r->n + 1) * sizeof *r->v);
    r->scratch = calloc(threads, sizeof *r->scratch);
    r->fired = calloc(r->nchunk + 1, sizeof *r->fired);
    r->limited = calloc(r->nchunk + 1, sizeof *r->limited);
    if (!r->v || !r->scratch || !r->fired || !r->limited)
        return DP_ENOMEM;
    for (unsigned i = 0; i < threads && r->how->engine; i++)
        DP_TRY(dp_scratch_new(&r->scratch[i]));
    DP_TRY(dp_pool_run(r->forms->pool, r->nchunk, run_chunk, r));
    for (size_t i = 0; i < r->nchunk && r->how->fired; i++)
        for (size_t k = 0; k < r->fired[i].n; k++)
            if (!dp_firings_add(r->how->fired, r->fired[i].v[k]))
                return DP_ENOMEM;
    return DP_OK;
}

static void stop(rewriting *r)
{
    for (unsigned i = 0; r->scratch && i < dp_pool_threads(r->forms->pool); i++)
        dp_scratch_free(r->scratch[i]);
    for (size_t i = 0; r->fired && i < r->nchunk; i++)
        dp_firings_done(&r->fired[i]);
    free(r->v);
    free(r->scratch);
    free(r->fired);
    free(r->limited);
}

/* Number the new texts in the order of the old ones; where[i] is what old form i became. */
static void number(dp_forms *f, const rewriting *r, uint32_t *where)
{
    size_t n = 0;
    memset(f->slot, 0, f->nslot * sizeof *f->slot);
    for (size_t i = 0; i < r->n; i++) {
        const step   *s = &r->v[i];
        dp_form_slot *at = slot_of(f, s->hash);
        if (!at->form) {
            *at = (dp_form_slot){s->hash, (uint32_t)n + 1};
            f->made[n] = s->made; /* n <= i: read before */
            f->text[n++] = s->text;
        }
        where[i] = at->form - 1;
    }
    f->n = n;
}

/* What the URLs say of their forms. */
static void count_urls(dp_forms *f, const uint32_t *where, bool afresh)
{
    const dp_site *s = f->site;
    memset(f->weight, 0, (f->n + 1) * sizeof *f->weight);
    memset(f->by, 0, (f->n + 1) * sizeof *f->by);
    for (size_t u = 0; u < s->n; u++) {
        f->of[u] = where[afresh ? u : f->of[u]];
        f->weight[f->of[u]]++;
        f->by[f->of[u]] |= (uint8_t)(1u << s->by[u]);
    }
}

/* Who recalls the old forms is told what became of them. */
static void keep(dp_forms *f, const rewriting *r, uint32_t **where)
{
    bool afresh = r->how->afresh;
    free(f->kept);
    for (size_t i = 0; i < r->n && !afresh; i++)
        (*where)[i] = r->v[i].same ? (*where)[i] : DP_NO_FORM;
    f->kept = afresh ? NULL : *where;
    f->nkept = afresh ? 0 : r->n;
    f->steps++;
    if (!afresh)
        *where = NULL;
    f->limited &= !afresh;
    for (size_t i = 0; i < r->nchunk; i++)
        f->limited |= r->limited[i];
}

dp_err dp_forms_rewrite(dp_forms *f, const dp_rewriting *how)
{
    dp_rewriting all = *how;
    if (f->limited) /* what had no end may find one */
        all.touched = NULL;
    rewriting r = {.forms = f, .how = &all, .n = how->afresh ? f->site->n : f->n};
    uint32_t *where = malloc((r.n + 1) * sizeof *where);
    dp_err    code = where ? run_all(&r) : DP_ENOMEM;
    if (code == DP_OK) {
        number(f, &r, where);
        count_urls(f, where, how->afresh);
        keep(f, &r, &where);
        for (unsigned i = 0; i < dp_pool_threads(f->pool); i++)
            dp_arena_reset(&f->arena[f->now][i]);
        f->now = !f->now;
        code = label_forms(f);
    }
    if (code == DP_OK)
        index_labels(f);
    stop(&r);
    free(where);
    return code;
}
