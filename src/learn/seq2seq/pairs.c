/* Pairs of URLs, equal ones merged.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/seq2seq/pairs.h"

#include "base/hash.h"
#include "base/room.h"

#include <stdlib.h>

enum { HELD_ONE_IN = 10, HELD_SEED = 0x68656c64 };

/* One URL's pair, before equal ones are merged: ids at `at` in a common array. */
typedef struct draft {
    size_t   at;
    uint32_t nsource, ntarget;
    bool     held, single;
} draft;

typedef struct drafts {
    draft    *v; /* [n] */
    size_t    n, cap;
    uint32_t *id; /* [nid] */
    size_t    nid, id_cap;
} drafts;

static dp_err add_draft(drafts *d, const dp_seq_form *source, const uint32_t *target, uint32_t ntarget, draft how)
{
    size_t need = d->nid + source->n + ntarget;
    if (!DP_ROOM(d->v, d->n, d->cap) || !DP_ROOM_FOR(d->id, need, d->id_cap))
        return DP_ENOMEM;
    memcpy(d->id + d->nid, source->id, source->n * sizeof *d->id);
    memcpy(d->id + d->nid + source->n, target, ntarget * sizeof *d->id);
    how.at = d->nid;
    how.nsource = source->n;
    how.ntarget = ntarget;
    d->v[d->n++] = how;
    d->nid = need;
    return DP_OK;
}

bool dp_seq_is_held(dp_str first)
{
    return dp_hash_seeded(first.p, first.n, HELD_SEED) % HELD_ONE_IN == 0;
}

/* Of each cluster, whether it is held out. */
static void choose_held(bool *held, const dp_site *s)
{
    for (size_t i = s->n; i-- > 0;) /* the first URL of a cluster decides: it comes last */
        if (s->cluster[i] != DP_NO_CLUSTER)
            held[s->cluster[i]] = dp_seq_is_held(s->url[i]);
}

static dp_err draft_pairs(drafts *d, dp_seq_pairs *out, const dp_site *s, const dp_vocab *v, dp_pairs_options o,
                          const uint32_t *canonical_of, const bool *held)
{
    dp_seq_reader ours = {0}, theirs = {0};
    dp_err        code = DP_OK;
    for (size_t i = 0; i < s->n && code == DP_OK; i++) {
        uint32_t c = s->cluster[i];
        if (c == DP_NO_CLUSTER || !(o.folds >> s->fold[c] & 1) || (s->size[c] < 2 && !o.singles))
            continue;
        dp_seq_tokens t, canonical;
        dp_seq_form   source;
        uint32_t      target[DP_SEQ_LONGEST], n;
        draft         how = {.single = s->size[c] < 2, .held = held[c]};
        dp_str        to = s->url[canonical_of[c]];
        code = dp_seq_read(&ours, v, s->url[i], &t);
        if (code == DP_OK)
            code = dp_seq_read(&theirs, v, to, &canonical);
        if (code)
            break;
        out->urls += !how.single;
        if (dp_seq_form_of(&source, v, &t) && dp_seq_form_target(target, &n, v, &canonical, &source))
            code = add_draft(d, &source, target, n, how);
        else
            out->unsayable += !how.single;
    }
    dp_seq_reader_done(&ours);
    dp_seq_reader_done(&theirs);
    return code;
}

int dp_seq_order(const uint32_t *a, uint32_t na, const uint32_t *b, uint32_t nb)
{
    if (na != nb)
        return na < nb ? -1 : 1;
    for (uint32_t k = 0; k < na; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

/* By source, singles behind all others of their source, then by target. */
static int by_ids(const void *pa, const void *pb, void *ids)
{
    const draft    *a = pa, *b = pb;
    const uint32_t *x = (uint32_t *)ids + a->at, *y = (uint32_t *)ids + b->at;
    int             c = dp_seq_order(x, a->nsource, y, b->nsource);
    if (c)
        return c;
    if (a->single != b->single)
        return a->single ? 1 : -1;
    return dp_seq_order(x + a->nsource, a->ntarget, y + b->nsource, b->ntarget);
}

/* Whether `b`, behind `a` in that order, has the same source. */
static bool same_source(const draft *a, const draft *b, const uint32_t *id)
{
    return dp_seq_order(id + a->at, a->nsource, id + b->at, b->nsource) == 0;
}

/* Leave out singles whose source others have. */
static void drop_known_singles(drafts *d)
{
    size_t kept = 0;
    bool   known = false; /* the source at hand, by a cluster of several URLs */
    for (size_t i = 0; i < d->n; i++) {
        if (i == 0 || !same_source(&d->v[i - 1], &d->v[i], d->id))
            known = false;
        known = known || !d->v[i].single;
        if (!d->v[i].single || !known)
            d->v[kept++] = d->v[i];
    }
    d->n = kept;
}

static dp_err merge_pairs(dp_seq_pairs *out, const drafts *d, dp_arena *a)
{
    size_t kinds = 0;
    for (size_t i = 0; i < d->n; i++)
        kinds += i == 0 || by_ids(&d->v[i - 1], &d->v[i], d->id) != 0;
    out->v = DP_NEWS(a, kinds, dp_seq_pair);
    if (!out->v)
        return DP_ENOMEM;
    for (size_t i = 0; i < d->n; i++) {
        const draft *one = &d->v[i];
        if (i == 0 || by_ids(&d->v[i - 1], one, d->id) != 0) {
            size_t    n = one->nsource + one->ntarget;
            uint32_t *id = DP_NEWS(a, n, uint32_t);
            if (!id)
                return DP_ENOMEM;
            memcpy(id, d->id + one->at, n * sizeof *id);
            out->v[out->n++] = (dp_seq_pair){id, id + one->nsource, one->nsource, one->ntarget, 0, 0};
        }
        dp_seq_pair *p = &out->v[out->n - 1];
        p->weight += !one->held;
        p->held += one->held;
    }
    return DP_OK;
}

dp_err dp_seq_pairs_make(dp_seq_pairs *out, const dp_site *s, const dp_vocab *v, dp_pairs_options o,
                         const uint32_t *canonical, dp_arena *a)
{
    *out = (dp_seq_pairs){0};
    bool  *held = calloc((size_t)s->nclusters + 1, sizeof *held);
    drafts d = {0};
    dp_err code = held ? DP_OK : DP_ENOMEM;
    for (uint32_t c = 0; c < s->nclusters; c++)
        out->clusters += s->size[c] > 1 && (o.folds >> s->fold[c] & 1);
    if (code == DP_OK) {
        choose_held(held, s);
        code = draft_pairs(&d, out, s, v, o, canonical, held);
    }
    if (code == DP_OK) {
        if (d.n)
            qsort_r(d.v, d.n, sizeof *d.v, by_ids, d.id);
        drop_known_singles(&d);
        code = merge_pairs(out, &d, a);
    }
    free(held);
    free(d.v);
    free(d.id);
    return code;
}
