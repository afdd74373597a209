/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/tree/edit.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"
#include "url/percent.h"

void dp_tree_editor_done(dp_tree_editor *e)
{
    dp_buf_done(&e->text);
    dp_buf_done(&e->moved);
    free(e->atom);
    e->atom = NULL;
    e->atom_cap = 0;
}

/* ---- conversions ---------------------------------------------------------------------------------------- */

/* As apply/rewrite.c does it (docs/rule-format.md, "Rewriting"). */
static void move(dp_buf *out, dp_str s, bool to_query)
{
    const char *escape = to_query ? "&;+=" : "?#";
    for (size_t i = 0; i < s.n; i++) {
        if (!to_query && s.p[i] == '+')
            dp_buf_c(out, "%20");
        else if (strchr(escape, s.p[i]))
            dp_percent_escape(out, s.p[i]);
        else
            dp_buf_byte(out, s.p[i]);
    }
}

void dp_tree_convert(dp_buf *out, dp_buf *room, dp_str text, dp_conv conv, bool from_query, bool to_query)
{
    if (from_query != to_query) {
        dp_buf_reset(room);
        move(room, text, to_query);
        out->failed |= room->failed;
        text = dp_buf_view(room);
    }
    switch (conv) {
    case DP_CONV_NONE: dp_buf_str(out, text); break;
    case DP_CONV_LOWER: dp_percent_lower(out, text); break;
    case DP_CONV_UPPER: dp_percent_upper(out, text); break;
    case DP_CONV_DECODE: dp_percent_decode(out, text, to_query); break;
    case DP_CONV_ENCODE: dp_percent_encode(out, text); break;
    case DP_CONV_CAP: dp_percent_capital(out, text); break;
    case DP_CONV_INT: dp_percent_number(out, text); break;
    }
}

/* Whether a conversion may make `to` out of `from`, by what they hold: most need not be tried. */
static bool may_give(dp_conv conv, const dp_tree_value *from, const dp_tree_value *to, bool moves)
{
    bool plain = !(to->holds & DP_TREE_PERCENT);
    switch (conv) {
    case DP_CONV_LOWER: return from->holds & DP_TREE_UPPER && !(plain && to->holds & DP_TREE_UPPER);
    case DP_CONV_UPPER: return from->holds & DP_TREE_LOWER && !(plain && to->holds & DP_TREE_LOWER);
    case DP_CONV_DECODE: return from->holds & DP_TREE_PERCENT && (moves || to->n < from->n);
    case DP_CONV_ENCODE: return from->holds & DP_TREE_RAW && !plain;
    default: return true;
    }
}

static bool gives(dp_tree_editor *e, uint32_t from, bool from_query, dp_conv conv, uint32_t to, bool to_query)
{
    const dp_tree_values *t = &e->h->values;
    uint32_t              holds = t->v[from].holds;
    bool                  moves = from_query != to_query && holds & DP_TREE_ODD;
    if (conv == DP_CONV_NONE && !moves)
        return from == to;
    bool as_long = moves || conv > DP_CONV_UPPER || t->v[from].n == t->v[to].n;
    if (!as_long || !may_give(conv, &t->v[from], &t->v[to], moves))
        return false;
    dp_buf_reset(&e->text);
    dp_tree_convert(&e->text, &e->moved, dp_tree_text(t, from), conv, from_query, to_query);
    e->failed |= e->text.failed;
    return dp_str_eq(dp_buf_view(&e->text), dp_tree_text(t, to));
}

/* ---- values of the source ----------------------------------------------------------------------------------- */

static bool in_query(const dp_tree_host *h, const dp_tree_url *u, uint32_t slot)
{
    return slot >= dp_tree_shape_of(h, u)->nseg;
}

static dp_err add_atom(dp_tree_editor *e, uint32_t value, dp_tree_ref ref)
{
    if (!dp_tree_is_solid(&e->h->values, value))
        return DP_OK;
    if (!DP_ROOM(e->atom, e->natom, e->atom_cap))
        return DP_ENOMEM;
    e->atom[e->natom].value = value;
    e->atom[e->natom++].ref = ref;
    return DP_OK;
}

/* Whole values first, then pieces: a reference takes the first that fits. */
static dp_err list_atoms(dp_tree_edit *t, dp_tree_editor *e)
{
    dp_tree_host        *h = e->h;
    const dp_tree_shape *s = dp_tree_shape_of(h, t->u);
    uint32_t             n = s->nseg + s->npair;
    e->natom = 0;
    e->listed = true;
    for (uint32_t i = 0; i < n; i++)
        DP_TRY(add_atom(e, dp_tree_value_at(h, t->u, i), (dp_tree_ref){.slot = i}));
    for (uint32_t i = 0; i < n; i++) {
        dp_str piece[DP_ANCHOR_PIECES];
        t->pattern[i] = dp_tree_pattern_of(h, t->u, i, piece);
        for (size_t k = 0; t->pattern[i] && k < h->pattern[t->pattern[i]].npiece; k++) {
            uint32_t value = dp_tree_value_of(&h->values, piece[k]);
            if (!value)
                return DP_ENOMEM;
            DP_TRY(add_atom(e, value, (dp_tree_ref){.slot = i, .piece = (uint8_t)(k + 1)}));
        }
    }
    return DP_OK;
}

typedef struct wish {
    uint32_t value; /* of the target */
    bool     in_query;
    uint32_t slot;  /* of the source that it should come from, UINT32_MAX: none */
    uint8_t  piece;
} wish;

static bool is_wished(const wish *w, const dp_tree_ref *r)
{
    return r->slot == w->slot && r->piece == w->piece;
}

/* A reference that gives the value: the same key, else the first; unconverted before converted. */
static bool find_ref(dp_tree_edit *t, dp_tree_editor *e, const wish *w, dp_tree_piece *out)
{
    if (!dp_tree_is_solid(&e->h->values, w->value))
        return false;
    int last = e->conversions ? DP_CONV_ENCODE : DP_CONV_NONE;
    for (int conv = DP_CONV_NONE; conv <= last; conv++)
        for (int same = 1; same >= 0; same--)
            for (uint32_t i = 0; i < e->natom; i++) {
                const dp_tree_atom *a = &e->atom[i];
                if (is_wished(w, &a->ref) != (same == 1))
                    continue;
                if (gives(e, a->value, in_query(e->h, t->u, a->ref.slot), (dp_conv)conv, w->value, w->in_query)) {
                    *out = (dp_tree_piece){.is_ref = true, .ref = a->ref};
                    out->ref.conv = (uint8_t)conv;
                    return true;
                }
            }
    return false;
}

/* Express slot `slot` of the target; `same` is the slot of the source in its place, UINT32_MAX: none. */
static dp_err express(dp_tree_out *out, dp_tree_edit *t, dp_tree_editor *e, uint32_t slot, uint32_t same)
{
    dp_tree_host *h = e->h;
    bool          query = in_query(h, t->v, slot);
    uint32_t      value = dp_tree_value_at(h, t->v, slot);
    wish          w = {value, query, same, 0};
    if (!e->listed)
        DP_TRY(list_atoms(t, e)); /* most pairs only lose something, and do without */
    out->pattern = 0;
    out->slot = slot;
    if (find_ref(t, e, &w, &out->piece[0]))
        return DP_OK;
    dp_str   piece[DP_ANCHOR_PIECES];
    uint32_t pattern = dp_tree_is_solid(&h->values, value) ? dp_tree_pattern_of(h, t->v, slot, piece) : 0;
    bool     alike = pattern && same != UINT32_MAX && t->pattern[same] == pattern, refers = alike;
    for (size_t k = 0; pattern && k < h->pattern[pattern].npiece; k++) {
        uint32_t part = dp_tree_value_of(&h->values, piece[k]);
        if (!part)
            return DP_ENOMEM;
        wish p = {part, query, alike ? same : UINT32_MAX, (uint8_t)(k + 1)};
        if (find_ref(t, e, &p, &out->piece[k]))
            refers = true;
        else
            out->piece[k] = (dp_tree_piece){.literal = part, .replaces = alike};
    }
    if (refers) {
        out->pattern = pattern;
    } else {
        bool stood = same != UINT32_MAX && dp_tree_is_solid(&h->values, dp_tree_value_at(h, t->u, same)) &&
                     dp_tree_is_solid(&h->values, value);
        out->piece[0] = (dp_tree_piece){.literal = value, .replaces = stood};
    }
    size_t n = out->pattern ? h->pattern[pattern].npiece : 1;
    for (size_t k = 0; k < n; k++)
        t->replaces |= out->piece[k].replaces;
    return DP_OK;
}

/* ---- the parts ------------------------------------------------------------------------------------------ */

static dp_err edit_path(dp_tree_edit *t, dp_tree_editor *e)
{
    const dp_tree_host *h = e->h;
    uint32_t            m = dp_tree_shape_of(h, t->u)->nseg, l = dp_tree_shape_of(h, t->v)->nseg, least = m < l ? m : l;
    while (t->keep < least && dp_tree_value_at(h, t->u, t->keep) == dp_tree_value_at(h, t->v, t->keep))
        t->keep++;
    while (t->keep_end < least - t->keep &&
           dp_tree_value_at(h, t->u, m - 1 - t->keep_end) == dp_tree_value_at(h, t->v, l - 1 - t->keep_end))
        t->keep_end++;
    t->gone = m - t->keep - t->keep_end;
    t->ncome = l - t->keep - t->keep_end;
    t->path = t->gone || t->ncome;
    for (uint32_t i = 0; i < t->ncome; i++)
        DP_TRY(express(&t->come[i], t, e, t->keep + i, t->gone == t->ncome ? t->keep + i : UINT32_MAX));
    return DP_OK;
}

static dp_err edit_query(dp_tree_edit *t, dp_tree_editor *e)
{
    const dp_tree_host  *h = e->h;
    const dp_tree_shape *su = dp_tree_shape_of(h, t->u), *sv = dp_tree_shape_of(h, t->v);
    for (uint32_t i = 0; i < sv->npair; i++) {
        uint32_t same = dp_tree_find_pair(h, su, h->names[sv->name + i]), slot = sv->nseg + i;
        if (same != UINT32_MAX && dp_tree_value_at(h, t->u, same) == dp_tree_value_at(h, t->v, slot))
            continue;
        DP_TRY(express(&t->pair_out[t->npair_out++], t, e, slot, same));
    }
    for (uint32_t i = 0; i < su->npair; i++)
        if (dp_tree_find_pair(h, sv, h->names[su->name + i]) == UINT32_MAX)
            t->drop[t->ndrop++] = su->nseg + i;
    return DP_OK;
}

/* Path parameters may go; that is all that is learned of them. False when the target has others. */
static bool edit_params(dp_tree_edit *t, const dp_tree_host *h)
{
    const dp_tree_shape *su = dp_tree_shape_of(h, t->u), *sv = dp_tree_shape_of(h, t->v);
    const uint32_t      *pu = h->value + t->u->at + su->nseg + su->npair;
    const uint32_t      *pv = h->value + t->v->at + sv->nseg + sv->npair;
    uint32_t             k = 0;
    for (uint32_t i = 0; i < su->nparam; i++) {
        if (k < sv->nparam && pu[i] == pv[k])
            k++;
        else
            t->param[t->nparam++] = h->names[su->name + su->npair + i].name;
    }
    return k == sv->nparam;
}

/* Whether some value of the target is made of slot `slot`. */
bool dp_tree_refers(const dp_tree_edit *t, const dp_tree_host *h, uint32_t slot)
{
    for (uint32_t i = 0; i < t->ncome + t->npair_out; i++) {
        const dp_tree_out *out = i < t->ncome ? &t->come[i] : &t->pair_out[i - t->ncome];
        size_t             n = out->pattern ? h->pattern[out->pattern].npiece : 1;
        for (size_t j = 0; j < n; j++)
            if (out->piece[j].is_ref && out->piece[j].ref.slot == slot)
                return true;
    }
    return false;
}

/* A parameter that moves into the path is one change with it. */
static uint32_t count_changes(const dp_tree_edit *t, const dp_tree_host *h)
{
    uint32_t n = (uint32_t)t->scheme + t->host + t->path + t->npair_out + t->ndrop;
    for (uint32_t i = 0; i < t->ndrop; i++)
        n -= dp_tree_refers(t, h, t->drop[i]);
    return n;
}

dp_err dp_tree_edit_make(dp_tree_edit *t, dp_tree_editor *e, uint32_t u, uint32_t v, bool *sayable)
{
    const dp_tree_host *h = e->h;
    const dp_tree_url  *a = &h->url[u], *b = &h->url[v];
    t->u = a;
    t->v = b;
    t->scheme = a->scheme != b->scheme;
    t->host = b->foreign;
    t->keep = t->keep_end = t->gone = t->ncome = t->npair_out = t->ndrop = t->nparam = 0;
    t->path = t->replaces = false;
    *sayable = edit_params(t, h);
    if (!*sayable)
        return DP_OK;
    e->listed = false;
    DP_TRY(edit_path(t, e));
    DP_TRY(edit_query(t, e));
    if (e->failed)
        return DP_ENOMEM;
    t->changes = count_changes(t, h);
    bool other = t->scheme || t->host || t->path || t->npair_out || t->ndrop;
    /* Rules look at whole segments, parameters included: a URL that has some takes part only in dropping them. */
    *sayable = t->nparam ? !other : other && !dp_tree_shape_of(h, a)->nparam;
    return DP_OK;
}

/* ---- hash ----------------------------------------------------------------------------------------------- */

/* The name of a slot of the source: what it is for all URLs of the class. */
static uint64_t slot_name(const dp_tree_edit *t, const dp_tree_host *h, dp_tree_end end, uint32_t slot)
{
    const dp_tree_shape *s = dp_tree_shape_of(h, t->u);
    if (slot >= s->nseg) {
        dp_tree_name name = h->names[s->name + slot - s->nseg];
        return (uint64_t)7 << 60 | (uint64_t)name.name << 8 | name.nth;
    }
    uint64_t from_start = (uint64_t)1 << 60 | slot, from_end = (uint64_t)2 << 60 | (s->nseg - 1 - slot);
    if (!t->path)
        return end == DP_TREE_FROM_END ? from_end : from_start;
    if (slot < t->keep || end == DP_TREE_START_ALONE)
        return from_start;
    return slot < t->keep + t->gone ? (uint64_t)3 << 60 | (slot - t->keep) : from_end;
}

/* The place of the deep token that is referred to, counted as the class counts; 0: the whole value. */
static uint32_t deep_name(const dp_tree_edit *t, const dp_tree_host *h, dp_tree_end end, const dp_tree_ref *r)
{
    if (!r->piece)
        return 0;
    return dp_anchor_place(&h->pattern[t->pattern[r->slot]], r->piece - 1u, end == DP_TREE_FROM_END);
}

static uint64_t hash_out(uint64_t x, const dp_tree_edit *t, const dp_tree_host *h, dp_tree_end end, bool loose,
                         const dp_tree_out *out)
{
    size_t n = out->pattern ? h->pattern[out->pattern].npiece : 1;
    x = dp_tree_mix(x, out->pattern + 11u);
    for (size_t k = 0; k < n; k++) {
        const dp_tree_piece *p = &out->piece[k];
        if (p->is_ref) {
            x = dp_tree_mix(x, slot_name(t, h, end, p->ref.slot));
            x = dp_tree_mix(x, (uint64_t)deep_name(t, h, end, &p->ref) << 8 | p->ref.conv);
        } else {
            x = dp_tree_mix(x, loose && p->replaces ? 13 : (uint64_t)5 << 60 | p->literal);
        }
    }
    return x;
}

uint64_t dp_tree_edit_hash(const dp_tree_edit *t, const dp_tree_host *h, dp_tree_end end, bool loose)
{
    const dp_tree_shape *su = dp_tree_shape_of(h, t->u), *sv = dp_tree_shape_of(h, t->v);
    uint64_t             x = dp_tree_mix(t->scheme ? t->v->scheme + 1u : 0, (uint64_t)end + 1);
    /* The foreign host by where its name stands: hosts of one name share no text otherwise. */
    if (t->host) {
        dp_str      url = h->site->url[t->v->item];
        const char *colon = memmem(url.p, url.n, "://", 3);
        size_t      at = colon ? (size_t)(colon - url.p) + 3 : 0;
        const char *slash = memchr(url.p + at, '/', url.n - at);
        x = dp_tree_mix(x, dp_hash_str(dp_str_cut(url, at, slash ? (size_t)(slash - url.p) : url.n)));
    }
    /* Counted from the start alone, what stands behind a segment that goes or comes has another place then. */
    if (end == DP_TREE_START_ALONE && t->gone != t->ncome)
        x = dp_tree_mix(x, su->nseg);
    if (t->path) {
        x = dp_tree_mix(x, end == DP_TREE_FROM_END ? t->keep_end : t->keep);
        x = dp_tree_mix(x, (uint64_t)t->gone << 32 | t->ncome);
        for (uint32_t i = 0; i < t->ncome; i++)
            x = hash_out(x, t, h, end, loose, &t->come[i]);
    }
    for (uint32_t i = 0; i < t->npair_out; i++) {
        const dp_tree_name *name = &h->names[sv->name + t->pair_out[i].slot - sv->nseg];
        x = dp_tree_mix(x, (uint64_t)name->name << 8 | name->nth);
        x = hash_out(x, t, h, end, loose, &t->pair_out[i]);
    }
    uint64_t set = 0; /* whatever the order */
    for (uint32_t i = 0; i < t->ndrop; i++)
        set += dp_tree_mix(29, slot_name(t, h, DP_TREE_FROM_START, t->drop[i]));
    for (uint32_t i = 0; i < t->nparam; i++)
        set += dp_tree_mix(31, t->param[i]);
    return dp_tree_mix(x, set | 1);
}
