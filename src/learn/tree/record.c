/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/tree/record.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"
#include "learn/tree/host.h"

enum { CHUNK = 4096 /* URLs of a task */ };

void dp_tree_record_done(dp_tree_record *r)
{
    for (uint32_t i = 0; i < r->npage; i++)
        free(r->page[i]);
    free(r->page);
    free(r->effect);
    free(r->fresh.v);
    dp_intern_done(&r->known);
    *r = (dp_tree_record){0};
}

dp_err dp_tree_record_add(dp_tree_record *r, dp_str text)
{
    uint32_t at;
    if (dp_intern_find(&r->known, text, &at))
        return DP_OK;
    if (!DP_ROOM(r->effect, r->neffect, r->effect_cap) || !DP_ROOM(r->fresh.v, r->fresh.n, r->fresh.cap))
        return DP_ENOMEM;
    r->effect[r->neffect] = (dp_tree_effect){0};
    if (!dp_intern_add(&r->known, text, r->neffect++))
        return DP_ENOMEM;
    r->fresh.v[r->fresh.n++] = (dp_tree_candidate){.text = text};
    return DP_OK;
}

dp_tree_effect dp_tree_record_find(dp_tree_record *r, dp_str text)
{
    uint32_t at;
    return dp_intern_find(&r->known, text, &at) ? r->effect[at] : (dp_tree_effect){0};
}

/* ---- firing ------------------------------------------------------------------------------------------------ */

typedef struct firing {
    const dp_tree_court  *c;
    const dp_tree_engine *g;
    const uint32_t       *item; /* [n] URLs of the host */
    size_t                n;
    dp_scratch          **scratch; /* [threads] */
    dp_members           *chunk;   /* [tasks] tag: candidate, key: hash of the result, item: URL */
} firing;

typedef struct note {
    dp_members     *out;
    const uint32_t *candidate;
    uint32_t        item;
    bool            failed;
} note;

static void note_firing(void *ctx, uint32_t rule, dp_str text)
{
    note *n = ctx;
    n->failed |= !dp_members_push(n->out, (dp_member){dp_hash_str(text), n->candidate[rule], n->item});
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

/* Put the firings of all chunks one behind the other, and give the chunks back. */
static dp_err join_chunks(dp_members *out, dp_members *chunk, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out->cap += chunk[i].n;
    out->v = malloc((out->cap + 1) * sizeof *out->v);
    for (size_t i = 0; i < n; i++) {
        if (out->v && chunk[i].n) {
            memcpy(out->v + out->n, chunk[i].v, chunk[i].n * sizeof *out->v);
            out->n += chunk[i].n;
        }
        free(chunk[i].v);
        chunk[i] = (dp_members){0};
    }
    return out->v ? DP_OK : DP_ENOMEM;
}

/* All firings of the host's URLs, by candidate, key and URL. */
static dp_err fire(dp_members *out, const dp_tree_court *c, const dp_tree_engine *g, uint32_t host, dp_pool *pool)
{
    firing f = {.c = c, .g = g};
    f.item = dp_tree_court_items(c, host, &f.n);
    size_t   tasks = (f.n + CHUNK - 1) / CHUNK;
    unsigned threads = dp_pool_threads(pool);
    f.scratch = calloc(threads, sizeof *f.scratch);
    f.chunk = calloc(tasks + 1, sizeof *f.chunk);
    dp_err code = f.scratch && f.chunk ? dp_pool_run(pool, tasks, fire_chunk, &f) : DP_ENOMEM;
    if (code == DP_OK)
        code = join_chunks(out, f.chunk, tasks);
    for (size_t i = 0; f.chunk && i < tasks; i++)
        free(f.chunk[i].v);
    for (unsigned i = 0; f.scratch && i < threads; i++)
        dp_scratch_free(f.scratch[i]);
    free(f.scratch);
    free(f.chunk);
    if (code == DP_OK)
        dp_members_sort(out->v, out->n);
    return code;
}

/* Keep what the fresh texts did; `f` becomes a page of it. */
static dp_err keep_deeds(dp_tree_record *r, dp_members *f)
{
    if (!DP_ROOM(r->page, r->npage, r->page_cap))
        return DP_ENOMEM;
    const dp_member *v = r->page[r->npage++] = f->v;
    f->v = NULL;
    for (size_t i = 0, end; i < f->n; i = end) {
        for (end = i + 1; end < f->n && v[end].tag == v[i].tag; end++) {}
        r->effect[r->neffect - r->fresh.n + v[i].tag] = (dp_tree_effect){v + i, end - i};
    }
    return DP_OK;
}

dp_err dp_tree_record_run(dp_tree_record *r, const dp_tree_court *c, uint32_t host, dp_pool *pool)
{
    dp_tree_engine g;
    dp_members     f = {0};
    if (!r->fresh.n)
        return DP_OK;
    DP_TRY(dp_tree_engine_make(&g, &r->fresh, c->p->host[host], NULL));
    dp_err code = fire(&f, c, &g, host, pool);
    dp_tree_engine_done(&g);
    if (code == DP_OK)
        code = keep_deeds(r, &f);
    free(f.v);
    free(r->fresh.v);
    r->fresh = (dp_tree_candidates){0};
    return code;
}
