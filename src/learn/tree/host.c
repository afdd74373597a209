/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/tree/host.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/index.h"
#include "base/room.h"
#include "url/chars.h"

/* ---- values ----------------------------------------------------------------------------------------- */

static uint32_t what_it_holds(dp_str s)
{
    uint32_t holds = 0;
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c >= 'a' && c <= 'z')
            holds |= DP_TREE_LOWER;
        else if (c >= 'A' && c <= 'Z')
            holds |= DP_TREE_UPPER;
        else if (c == '%')
            holds |= DP_TREE_PERCENT;
        else if (c == '*')
            holds |= DP_TREE_STAR | DP_TREE_RAW;
        else if (c == '?' || c == '#' || c == '&' || c == ';' || c == '+' || c == '=')
            holds |= DP_TREE_ODD | DP_TREE_RAW;
        else if (!dp_is((char)c, DP_CH_DIGIT) && c != '-' && c != '.' && c != '_' && c != '~')
            holds |= DP_TREE_RAW;
    }
    return holds;
}

enum { FIRST = DP_TREE_EMPTY + 1 /* number of a text; those before have none, or the empty one */ };

static uint64_t hash_value(const void *self, uint32_t number)
{
    return dp_hash_str(dp_tree_text(self, FIRST + number));
}

uint32_t dp_tree_value_of(dp_tree_values *t, dp_str text)
{
    uint32_t i;
    if (!DP_ROOM_FOR(t->v, t->n + FIRST + 1, t->cap) || !dp_index_room(&t->index, hash_value, t))
        return DP_TREE_ABSENT;
    while (t->n < FIRST)
        t->v[t->n++] = (dp_tree_value){"", 0, 0};
    if (text.n == 0)
        return DP_TREE_EMPTY;
    dp_index_walk w = dp_index_from(&t->index, dp_hash_str(text));
    while (dp_index_next(&w, &i))
        if (dp_str_eq(dp_tree_text(t, FIRST + i), text))
            return FIRST + i;
    dp_index_end(&t->index, &w);
    t->v[t->n] = (dp_tree_value){text.p, (uint32_t)text.n, what_it_holds(text)};
    return t->n++;
}

/* ---- shapes -------------------------------------------------------------------------------------------- */

static bool same_shape(const dp_tree_host *h, const dp_tree_shape *s, const dp_tree_shape *like,
                       const dp_tree_name *name)
{
    return s->hash == like->hash && s->nseg == like->nseg && s->npair == like->npair && s->nparam == like->nparam &&
           memcmp(h->names + s->name, name, (s->npair + s->nparam) * sizeof *name) == 0;
}

static uint64_t hash_shape(const void *self, uint32_t number)
{
    return ((const dp_tree_host *)self)->shape[number].hash;
}

/* Find or add the shape `like` with these names. */
static dp_err shape_of(dp_tree_host *h, dp_tree_shape like, const dp_tree_name *name, uint32_t *out)
{
    uint32_t nname = like.npair + like.nparam;
    like.hash = dp_tree_mix(like.nseg * 67u + like.npair, like.nparam);
    for (uint32_t i = 0; i < nname; i++)
        like.hash = dp_tree_mix(like.hash, (uint64_t)name[i].name << 32 | name[i].nth);
    if (!dp_index_room(&h->shapes, hash_shape, h))
        return DP_ENOMEM;
    dp_index_walk w = dp_index_from(&h->shapes, like.hash);
    while (dp_index_next(&w, out))
        if (same_shape(h, &h->shape[*out], &like, name))
            return DP_OK;
    if (!DP_ROOM(h->shape, h->nshape, h->shape_cap) || !DP_ROOM(h->names, h->nname + nname, h->name_cap))
        return DP_ENOMEM;
    like.name = h->nname;
    like.slot = h->nslot;
    if (nname)
        memcpy(h->names + h->nname, name, nname * sizeof *name);
    h->nname += nname;
    h->nslot += like.nseg + like.npair;
    *out = dp_index_end(&h->shapes, &w);
    h->shape[h->nshape++] = like;
    return DP_OK;
}

/* ---- URLs ------------------------------------------------------------------------------------------------ */

static uint16_t scheme_of(dp_tree_host *h, dp_str scheme)
{
    uint32_t i = 0;
    while (i < h->nscheme && !dp_str_eq(h->scheme[i], scheme))
        i++;
    if (i == h->nscheme && i < DP_TREE_SCHEMES)
        h->scheme[h->nscheme++] = scheme;
    return (uint16_t)i;
}

typedef struct reading {
    uint32_t     value[DP_TREE_SEGMENTS + DP_TREE_PAIRS + DP_TREE_PARAMS];
    dp_tree_name name[DP_TREE_PAIRS + DP_TREE_PARAMS];
    uint32_t     param[DP_TREE_PARAMS];
    dp_tree_name param_name[DP_TREE_PARAMS];
    uint32_t     nparam;
    bool         failed, too_many;
} reading;

static uint32_t number(dp_tree_host *h, reading *r, dp_str text)
{
    uint32_t value = dp_tree_value_of(&h->values, text);
    r->failed |= value == DP_TREE_ABSENT;
    return value;
}

/* The parameters of a segment, each ";name=value" as it stands. */
static void read_params(dp_tree_host *h, reading *r, dp_str s)
{
    for (size_t i = 0, end; i < s.n; i = end) {
        for (end = i + 1; end < s.n && s.p[end] != ';'; end++) {}
        dp_str      text = dp_str_cut(s, i, end);
        const char *eq = memchr(text.p, '=', text.n);
        if (r->nparam == DP_TREE_PARAMS) {
            r->too_many = true;
            return;
        }
        r->param[r->nparam] = number(h, r, text);
        r->param_name[r->nparam++] =
            (dp_tree_name){number(h, r, dp_str_cut(text, 1, eq ? (size_t)(eq - text.p) : text.n)), 1};
    }
}

static void read_segments(dp_tree_host *h, reading *r)
{
    const dp_frame *f = &h->frame;
    for (uint32_t i = 0; i < f->nseg; i++) {
        dp_str      s = dp_frame_seg(f, i);
        const char *semicolon = s.n ? memchr(s.p, ';', s.n) : NULL;
        size_t      n = semicolon ? (size_t)(semicolon - s.p) : s.n;
        r->value[i] = number(h, r, dp_str_cut(s, 0, n));
        if (semicolon)
            read_params(h, r, dp_str_cut(s, n, s.n));
    }
}

static void read_pairs(dp_tree_host *h, reading *r)
{
    const dp_frame *f = &h->frame;
    for (uint32_t i = 0; i < f->npair; i++) {
        const dp_pair *p = &f->pair[i];
        uint32_t       name = number(h, r, dp_pair_name(f, p)), nth = 1;
        for (uint32_t k = 0; k < i; k++)
            nth += r->name[k].name == name;
        r->name[i] = (dp_tree_name){name, nth};
        r->value[f->nseg + i] = p->has_eq ? number(h, r, dp_pair_value(f, p)) : DP_TREE_BARE;
    }
}

static dp_err add_values(dp_tree_host *h, const uint32_t *v, uint32_t n)
{
    if (!DP_ROOM(h->value, h->nvalue + n, h->value_cap)) /* never NULL */
        return DP_ENOMEM;
    memcpy(h->value + h->nvalue, v, n * sizeof *v);
    h->nvalue += n;
    return h->nvalue > UINT32_MAX ? DP_ELIMIT : DP_OK;
}

dp_err dp_tree_host_add(dp_tree_host *h, uint32_t item, bool foreign, uint32_t *out)
{
    dp_frame *f = &h->frame;
    reading   r;
    *out = UINT32_MAX;
    dp_frame_result read = dp_frame_read(f, h->site->url[item]);
    if (read == DP_FRAME_NOMEM)
        return DP_ENOMEM;
    if (read != DP_FRAME_OK || f->user_end || f->nseg > DP_TREE_SEGMENTS || f->npair > DP_TREE_PAIRS)
        return DP_OK;
    r.nparam = 0;
    r.failed = r.too_many = false;
    read_segments(h, &r);
    read_pairs(h, &r);
    uint16_t scheme = scheme_of(h, dp_frame_scheme(f));
    if (r.failed)
        return DP_ENOMEM;
    if (r.too_many || scheme == DP_TREE_SCHEMES)
        return DP_OK;
    memcpy(r.value + f->nseg + f->npair, r.param, r.nparam * sizeof *r.param);
    memcpy(r.name + f->npair, r.param_name, r.nparam * sizeof *r.name);
    dp_tree_url u = {.item = item, .at = (uint32_t)h->nvalue, .scheme = scheme, .foreign = foreign};
    DP_TRY(shape_of(h, (dp_tree_shape){.nseg = f->nseg, .npair = f->npair, .nparam = r.nparam}, r.name, &u.shape));
    DP_TRY(add_values(h, r.value, f->nseg + f->npair + r.nparam));
    if (!DP_ROOM(h->url, h->nurl, h->url_cap))
        return DP_ENOMEM;
    h->shape[u.shape].nurl++;
    h->url[h->nurl] = u;
    *out = h->nurl++;
    return DP_OK;
}

void dp_tree_host_done(dp_tree_host *h)
{
    free(h->values.v);
    dp_index_done(&h->values.index);
    free(h->url);
    free(h->value);
    free(h->shape);
    free(h->names);
    dp_index_done(&h->shapes);
    free(h->patterns);
    free(h->pattern);
    dp_frame_done(&h->frame);
    dp_arena_done(&h->arena);
}
