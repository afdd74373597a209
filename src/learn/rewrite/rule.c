/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/rewrite/rule.h"

#include <stdlib.h>

#include "base/room.h"

static bool same_name(const dp_book_key *x, const dp_book_key *y)
{
    return x->name.n && dp_str_eq(x->name, y->name);
}

uint32_t dp_rw_target(const dp_book *b, const dp_cell *u, uint32_t nu, uint32_t key, uint32_t val)
{
    const dp_book_key *here = &b->key[key], *best = NULL;
    uint32_t           found = 0;
    if (!dp_is_text(val))
        return val;
    for (uint32_t i = 0; i < nu; i++) {
        const dp_book_key *k = &b->key[u[i].key];
        if (u[i].val != val)
            continue;
        if (u[i].key == key)
            return DP_V_REF | key;
        bool mine = same_name(k, here), theirs = best && same_name(best, here);
        if (!best || (mine != theirs ? mine : k->rank < best->rank)) {
            best = k;
            found = u[i].key;
        }
    }
    return best ? DP_V_REF | found : val;
}

void dp_rw_generate(dp_rw_draft *out, const dp_book *b, uint32_t u, uint32_t v)
{
    uint32_t       nu, nv, i = 0, j = 0;
    const dp_cell *x = dp_book_cells(b, u, &nu), *y = dp_book_cells(b, v, &nv);
    out->n = out->stars = 0;
    out->hash = 0;
    while (i < nu || j < nv) {
        dp_rw_part p;
        if (j == nv || (i < nu && x[i].key < y[j].key)) {
            p = (dp_rw_part){x[i].key, x[i].val, DP_V_ABSENT};
            i++;
        } else if (i == nu || y[j].key < x[i].key) {
            p = (dp_rw_part){y[j].key, DP_V_ABSENT, dp_rw_target(b, x, nu, y[j].key, y[j].val)};
            j++;
        } else {
            uint32_t a = x[i].val == y[j].val && dp_is_text(y[j].val) ? DP_V_REF | y[j].key
                                                                     : dp_rw_target(b, x, nu, y[j].key, y[j].val);
            p = (dp_rw_part){x[i].key, x[i].val, a};
            i++;
            j++;
        }
        out->hash += dp_rw_part_hash(p);
        out->part[out->n++] = p;
    }
}

static uint32_t stars_of(const dp_rw_part *p)
{
    return (p->c == DP_V_STAR ? 1u : 0u) + (p->a == DP_V_STAR ? 1u : 0u);
}

void dp_rw_put(dp_rw_draft *r, uint32_t i, uint32_t c, uint32_t a)
{
    dp_rw_part *p = &r->part[i];
    r->hash -= dp_rw_part_hash(*p);
    r->stars -= stars_of(p);
    p->c = c;
    p->a = a;
    r->stars += stars_of(p);
    r->hash += dp_rw_part_hash(*p);
}

uint32_t dp_rw_find(const dp_rw_draft *r, uint32_t key)
{
    for (uint32_t i = 0; i < r->n; i++)
        if (r->part[i].key == key)
            return i;
    return UINT32_MAX;
}

/* ---- sets of rules --------------------------------------------------------------------------- */

static uint64_t hash_of(const void *self, uint32_t number)
{
    return ((const dp_rw_rules *)self)->v[number].hash;
}

static bool room(dp_rw_rules *s, uint32_t parts)
{
    return DP_ROOM(s->v, s->n, s->cap) && DP_ROOM_FOR(s->part, s->npart + parts, s->part_cap) &&
           dp_index_room(&s->index, hash_of, s);
}

/* UINT32_MAX: the walk has ended where it would be. */
static uint32_t find(const dp_rw_rules *s, uint64_t hash, dp_index_walk *w)
{
    uint32_t i;
    *w = dp_index_from(&s->index, hash);
    while (dp_index_next(w, &i))
        if (s->v[i].hash == hash)
            return i;
    return UINT32_MAX;
}

dp_err dp_rw_rules_add(dp_rw_rules *s, const dp_rw_draft *r)
{
    dp_index_walk w;
    if (!room(s, r->n) || s->npart + r->n > UINT32_MAX)
        return DP_ENOMEM;
    if (find(s, r->hash, &w) != UINT32_MAX)
        return DP_OK;
    if (s->n >= s->most) {
        s->full = true;
        return DP_OK;
    }
    memcpy(s->part + s->npart, r->part, r->n * sizeof *r->part);
    s->v[s->n++] = (dp_rw_rule){r->hash, (uint32_t)s->npart, (uint16_t)r->n, (uint16_t)r->stars};
    s->npart += r->n;
    dp_index_end(&s->index, &w);
    return DP_OK;
}

uint32_t dp_rw_rules_find(const dp_rw_rules *s, uint64_t hash)
{
    dp_index_walk w;
    return find(s, hash, &w);
}

void dp_rw_rules_done(dp_rw_rules *s)
{
    free(s->v);
    free(s->part);
    dp_index_done(&s->index);
    *s = (dp_rw_rules){0};
}

void dp_rw_draft_of(dp_rw_draft *out, const dp_rw_rules *s, uint32_t i)
{
    const dp_rw_rule *r = &s->v[i];
    out->hash = r->hash;
    out->n = r->n;
    out->stars = r->stars;
    memcpy(out->part, s->part + r->at, r->n * sizeof *out->part);
}
