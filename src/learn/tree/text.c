/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/tree/text.h"

#include <stdio.h>
#include <stdlib.h>

#include "url/chars.h"

enum { NONE = -1 };

typedef struct sayer {
    dp_tree_classes       *c;
    const dp_tree_host    *h;
    const dp_tree_class   *k;
    const dp_tree_context *x;
    const dp_tree_edit    *t;
    const uint32_t        *cell; /* [k->nkey] of the context's row */
    dp_tree_width          width;
    bool                   star;
    dp_template           *left, *right;
    dp_arena              *a;
    bool                   failed;    /* memory is out */
    bool                   unsayable; /* the language, or this context, has no form for it */
} sayer;

static void *take(sayer *s, size_t n, size_t size)
{
    void *p = dp_arena_zero(s->a, n, size);
    s->failed |= !p;
    return p;
}

static bool is_wild(const sayer *s, uint32_t key)
{
    return s->x->wild >> key & 1;
}

/* ---- patterns ------------------------------------------------------------------------------------------- */

static dp_pat new_pat(sayer *s, size_t items)
{
    return (dp_pat){take(s, items, sizeof(dp_item)), 0};
}

static void add_literal(sayer *s, dp_pat *p, dp_str text)
{
    if (!text.n || s->failed)
        return;
    if (p->n && p->v[p->n - 1].kind == DP_ITEM_LITERAL) {
        dp_str *before = &p->v[p->n - 1].text;
        char   *both = take(s, before->n + text.n, 1);
        if (!both)
            return;
        memcpy(both, before->p, before->n);
        memcpy(both + before->n, text.p, text.n);
        *before = (dp_str){both, before->n + text.n};
        return;
    }
    p->v[p->n++] = (dp_item){.kind = DP_ITEM_LITERAL, .text = text};
}

/* What stands for key number `key`: a capture, or its value. */
static void add_key(sayer *s, dp_pat *p, uint32_t key, dp_conv conv, bool from_query, bool to_query)
{
    if (s->failed)
        return;
    if (!is_wild(s, key)) {
        dp_buf text = {0}, room = {0};
        dp_tree_convert(&text, &room, dp_tree_text(&s->h->values, s->cell[key]), conv, from_query, to_query);
        dp_str copy = dp_arena_str(s->a, dp_buf_view(&text));
        s->failed |= text.failed || !copy.p;
        dp_buf_done(&text);
        dp_buf_done(&room);
        add_literal(s, p, copy);
        return;
    }
    char name[16];
    int  n = snprintf(name, sizeof name, "c%u", key);
    dp_str copy = dp_arena_str(s->a, (dp_str){name, (size_t)n});
    p->v[p->n++] = (dp_item){.kind = DP_ITEM_CAPTURE, .conv = conv, .text = copy};
    s->failed |= !copy.p;
}

/* The first key of a place: its others follow. NONE: it has none. */
static int find_key(const sayer *s, dp_tree_key_kind kind, uint32_t at, uint32_t nth)
{
    for (uint32_t i = 0; i < s->k->nkey; i++)
        if (s->k->key[i].kind == kind && s->k->key[i].at == at && s->k->key[i].nth == nth)
            return (int)i;
    return NONE;
}

/* What the context has at a place. */
typedef struct place {
    uint32_t first;   /* key */
    uint32_t pattern; /* 0: none */
    uint32_t whole;   /* key that stands for the value, where there is no pattern */
    bool     any;     /* any value */
} place;

static place place_at(const sayer *s, uint32_t first)
{
    place p = {.first = first, .whole = first};
    if (s->k->key[first].deep == DP_TREE_PATTERN && !is_wild(s, first)) {
        p.pattern = dp_tree_fitting(s->cell[first]);
        p.whole = first + !p.pattern; /* where some value fits none, its key stands next */
    }
    p.any = !p.pattern && is_wild(s, p.whole);
    return p;
}

/* The key of piece `k` of the pattern at a place. */
static uint32_t key_of_piece(const sayer *s, const place *p, size_t k)
{
    const dp_tree_key *v = s->k->key;
    uint32_t           deep = dp_anchor_place(&s->h->pattern[p->pattern], k, v[p->first].from_end);
    uint32_t           i = p->first + 1;
    while (v[i].deep != deep)
        i++;
    return i;
}

/* The whole value of a place, converted. */
static dp_pat whole(sayer *s, uint32_t first, dp_conv conv, bool from_query, bool to_query)
{
    place at = place_at(s, first);
    if (!at.pattern) {
        dp_pat p = new_pat(s, 1);
        add_key(s, &p, at.whole, conv, from_query, to_query);
        return p;
    }
    const dp_anchor_pattern *ap = &s->h->pattern[at.pattern];
    dp_pat                   p = new_pat(s, 2 * ap->npiece + 1);
    for (size_t i = 0; i <= ap->npiece; i++) {
        dp_buf text = {0}, room = {0};
        dp_tree_convert(&text, &room, ap->literal[i], conv, from_query, to_query);
        dp_str copy = dp_arena_str(s->a, dp_buf_view(&text));
        s->failed |= text.failed || !copy.p;
        dp_buf_done(&text);
        dp_buf_done(&room);
        add_literal(s, &p, copy);
        if (i < ap->npiece)
            add_key(s, &p, key_of_piece(s, &at, i), conv, from_query, to_query);
    }
    return p;
}

/* ---- places of the source ---------------------------------------------------------------------------------- */

/* The first key of a slot of the example's source; NONE: the class does not name it. */
static int key_of_slot(const sayer *s, uint32_t slot)
{
    const dp_tree_shape *shape = dp_tree_shape_of(s->h, s->t->u);
    if (slot >= shape->nseg) {
        dp_tree_name name = s->h->names[shape->name + slot - shape->nseg];
        return find_key(s, DP_TREE_PAIR, name.name, name.nth);
    }
    if (dp_tree_from_start(s->k, s->t, slot))
        return find_key(s, DP_TREE_START, slot, 0);
    return find_key(s, DP_TREE_END, shape->nseg - 1 - slot, 0);
}

/* ---- values of the target ---------------------------------------------------------------------------------- */

/* The key of the deep token that the example refers to: the context may have another pattern in its place.
 * UINT32_MAX: it has no such token. */
static uint32_t key_of_token(const sayer *s, uint32_t first, const dp_tree_ref *r)
{
    bool                     from_end = s->k->end == DP_TREE_FROM_END;
    place                    at = place_at(s, first);
    const dp_anchor_pattern *p = &s->h->pattern[at.pattern];
    uint32_t                 deep = dp_anchor_place(&s->h->pattern[s->t->pattern[r->slot]], r->piece - 1u, from_end);
    for (size_t i = 0; at.pattern && i < p->npiece; i++)
        if (dp_anchor_place(p, i, from_end) == deep)
            return key_of_piece(s, &at, i);
    return UINT32_MAX;
}

static void add_piece(sayer *s, dp_pat *p, const dp_tree_piece *piece, int same, bool to_query)
{
    if (!piece->is_ref) {
        bool star = s->star && piece->replaces;
        if (star && (same == NONE || !is_wild(s, (uint32_t)same)))
            s->unsayable = true; /* nothing any about it */
        else if (star && !s->failed)
            p->v[p->n++] = (dp_item){.kind = DP_ITEM_STAR};
        else
            add_literal(s, p, dp_tree_text(&s->h->values, piece->literal));
        return;
    }
    int key = key_of_slot(s, piece->ref.slot);
    if (key == NONE) {
        s->unsayable = true;
        return;
    }
    bool from_query = s->k->key[key].kind == DP_TREE_PAIR;
    if (piece->ref.piece) {
        uint32_t deep = key_of_token(s, (uint32_t)key, &piece->ref);
        if (deep == UINT32_MAX)
            s->unsayable = true;
        else
            add_key(s, p, deep, (dp_conv)piece->ref.conv, from_query, to_query);
        return;
    }
    dp_pat all = whole(s, (uint32_t)key, (dp_conv)piece->ref.conv, from_query, to_query);
    for (size_t i = 0; i < all.n && !s->failed; i++) {
        if (all.v[i].kind == DP_ITEM_LITERAL)
            add_literal(s, p, all.v[i].text);
        else
            p->v[p->n++] = all.v[i];
    }
}

/* `same` is the first key of the place of the source that it stands for; NONE: there is none. */
static dp_pat express(sayer *s, const dp_tree_out *out, int same, bool to_query)
{
    size_t npiece = out->pattern ? s->h->pattern[out->pattern].npiece : 1;
    dp_pat p = new_pat(s, (2 * npiece + 1) * (2 * DP_ANCHOR_PIECES + 1));
    place  at = {0};
    if (same != NONE)
        at = place_at(s, (uint32_t)same);
    bool alike = same != NONE && at.pattern == out->pattern;
    /* A whole value that any other replaces: its pieces, if it has some, must all be any. */
    if (!out->pattern && s->star && out->piece[0].replaces && same != NONE && at.pattern) {
        s->unsayable = true;
        return p;
    }
    for (size_t i = 0; i < npiece; i++) {
        if (out->pattern)
            add_literal(s, &p, s->h->pattern[out->pattern].literal[i]);
        int key = !alike ? NONE : (int)(out->pattern ? key_of_piece(s, &at, i) : at.whole);
        add_piece(s, &p, &out->piece[i], key, to_query);
    }
    if (out->pattern)
        add_literal(s, &p, s->h->pattern[out->pattern].literal[npiece]);
    return p;
}

/* ---- path ----------------------------------------------------------------------------------------------------- */

/* The key of the segment that segment `i` of those that come stands for. */
static int same_place(const sayer *s, uint32_t i)
{
    return s->t->gone == s->t->ncome ? key_of_slot(s, s->t->keep + i) : NONE;
}

static void say_path(sayer *s)
{
    const dp_tree_class *k = s->k;
    const dp_tree_edit  *t = s->t;
    dp_template         *l = s->left, *r = s->right;
    size_t               glob = k->exact ? 0 : 1, n = k->nstart + glob + k->nend;
    l->glob = k->exact ? DP_NO_GLOB : k->nstart;
    l->nseg = n;
    l->seg = take(s, n, sizeof *l->seg);
    r->seg = take(s, n + t->ncome, sizeof *r->seg);
    r->glob = DP_NO_GLOB;
    if (s->failed)
        return;
    /* What is replaced: segments [from, to) of the left side. */
    size_t from = k->exact || k->end != DP_TREE_FROM_END ? t->keep : n - t->keep_end - t->gone, to = from + t->gone;
    if (!t->path)
        from = to = n;
    for (size_t i = 0; i < n && !s->failed; i++) {
        if (i != l->glob) {
            int key = i < k->nstart ? find_key(s, DP_TREE_START, (uint32_t)i, 0)
                                    : find_key(s, DP_TREE_END, (uint32_t)(n - 1 - i), 0);
            if (key == NONE) {
                s->unsayable = true;
                return;
            }
            l->seg[i] = whole(s, (uint32_t)key, DP_CONV_NONE, false, false);
        }
    }
    for (size_t i = 0; i <= n && !s->failed; i++) {
        if (t->path && i == from) {
            for (uint32_t j = 0; j < t->ncome; j++)
                r->seg[r->nseg++] = express(s, &t->come[j], same_place(s, j), false);
        }
        if (i == n || (i >= from && i < to))
            continue;
        if (i == l->glob)
            r->glob = r->nseg;
        r->seg[r->nseg++] = l->seg[i];
    }
    if (!r->nseg)
        s->unsayable = true;
}

/* ---- query ------------------------------------------------------------------------------------------------------ */

/* What becomes of a pair of the source. */
typedef struct fate {
    bool               drops, changes, referred;
    const dp_tree_out *out; /* of `changes` */
} fate;

static fate fate_of(const sayer *s, dp_tree_name name)
{
    const dp_tree_edit  *t = s->t;
    const dp_tree_shape *su = dp_tree_shape_of(s->h, t->u), *sv = dp_tree_shape_of(s->h, t->v);
    uint32_t             slot = dp_tree_find_pair(s->h, su, name), to = dp_tree_find_pair(s->h, sv, name);
    fate                 f = {.referred = slot != UINT32_MAX && dp_tree_refers(t, s->h, slot)};
    for (uint32_t i = 0; i < t->ndrop; i++)
        f.drops |= t->drop[i] == slot;
    for (uint32_t i = 0; i < t->npair_out && to != UINT32_MAX; i++)
        if (t->pair_out[i].slot == to) {
            f.changes = true;
            f.out = &t->pair_out[i];
        }
    return f;
}

static dp_query_item item_of(sayer *s, dp_tree_name name, dp_pat pat)
{
    dp_str text = dp_tree_text(&s->h->values, name.name);
    return (dp_query_item){.kind = DP_QUERY_VALUE, .name = text, .k = name.nth, .pat = pat};
}

/* The value of pair `key` as an item: both sides have it so when it does not change. */
static dp_query_item item_of_key(sayer *s, uint32_t key, dp_tree_name name)
{
    dp_query_item q = item_of(s, name, (dp_pat){0});
    if (s->cell[key] == DP_TREE_BARE)
        q.kind = DP_QUERY_BARE;
    else if (s->cell[key] != DP_TREE_EMPTY)
        q.pat = whole(s, key, DP_CONV_NONE, true, true);
    return q;
}

static bool is_any(const sayer *s, uint32_t key)
{
    return place_at(s, key).any;
}

static dp_tree_name name_of_key(const dp_tree_key *key)
{
    return (dp_tree_name){key->at, key->nth};
}

/* Items of the left side; the right side's, where they stay as they are, into kept[] under the same number. */
static size_t say_left_query(sayer *s, dp_query_item *kept, dp_tree_name *names)
{
    size_t n = 0;
    for (uint32_t i = 0; i < s->k->nkey && !s->failed; i++) {
        const dp_tree_key *key = &s->k->key[i];
        if (key->kind != DP_TREE_PAIR || key->first != i || s->cell[i] == DP_TREE_ABSENT)
            continue;
        dp_tree_name name = name_of_key(key);
        fate         f = fate_of(s, name);
        bool         touched = f.drops || f.changes || f.referred;
        if (!touched && (s->width == DP_TREE_WIDE || (s->width == DP_TREE_MIDDLE && is_any(s, i))))
            continue;
        dp_query_item q = item_of_key(s, i, name);
        kept[n] = q;
        names[n] = name;
        if (s->width != DP_TREE_NARROW && f.drops && !f.referred && is_any(s, i))
            q = (dp_query_item){.kind = DP_QUERY_PRESENT, .name = q.name, .k = q.k};
        s->left->query[n++] = q;
    }
    return n;
}

static size_t find_name(const dp_tree_name *v, size_t n, dp_tree_name name)
{
    size_t i = 0;
    while (i < n && (v[i].name != name.name || v[i].nth != name.nth))
        i++;
    return i;
}

/* One item of the right side. */
static void add_right(sayer *s, dp_tree_name name, const dp_query_item *kept, const dp_tree_name *names, size_t n)
{
    fate   f = fate_of(s, name);
    size_t at = find_name(names, n, name);
    if (f.changes) {
        int      same = at < n ? find_key(s, DP_TREE_PAIR, name.name, name.nth) : NONE;
        uint32_t value = dp_tree_value_at(s->h, s->t->v, f.out->slot);
        dp_query_item q = item_of(s, name, (dp_pat){0});
        if (value == DP_TREE_BARE)
            q.kind = DP_QUERY_BARE;
        else
            q.pat = express(s, f.out, same, true);
        s->right->query[s->right->nquery++] = q;
    } else if (at < n && !f.drops) {
        s->right->query[s->right->nquery++] = kept[at];
    }
}

/* The order of the target, if it has all pairs that stay; else that of the source, new ones last. */
static void say_right_query(sayer *s, const dp_query_item *kept, const dp_tree_name *names, size_t n)
{
    const dp_tree_shape *sv = dp_tree_shape_of(s->h, s->t->v);
    bool                 like_target = true;
    for (size_t i = 0; i < n; i++)
        like_target &= fate_of(s, names[i]).drops || dp_tree_find_pair(s->h, sv, names[i]) != UINT32_MAX;
    for (size_t i = 0; i < n && !like_target; i++)
        add_right(s, names[i], kept, names, n);
    for (uint32_t i = 0; i < sv->npair; i++) {
        dp_tree_name name = s->h->names[sv->name + i];
        if (like_target || find_name(names, n, name) == n)
            add_right(s, name, kept, names, n);
    }
}

/* Whether the sources of the class have pairs that stay as they are. */
static bool has_others(const sayer *s)
{
    for (uint32_t i = 0; i < s->k->nkey; i++) {
        fate f = {0};
        if (s->k->key[i].kind == DP_TREE_PAIR)
            f = fate_of(s, name_of_key(&s->k->key[i]));
        if (s->k->key[i].kind == DP_TREE_PAIR && !f.drops && !f.changes && !f.referred)
            return true;
    }
    return false;
}

static void say_query(sayer *s)
{
    size_t         most = s->k->nkey + DP_TREE_PAIRS;
    dp_query_item *kept = take(s, most, sizeof *kept);
    dp_tree_name  *names = take(s, most, sizeof *names);
    s->left->query = take(s, most, sizeof *s->left->query);
    s->right->query = take(s, most, sizeof *s->right->query);
    if (s->failed)
        return;
    size_t n = say_left_query(s, kept, names);
    s->left->nquery = n;
    say_right_query(s, kept, names, n);
    bool written = s->width == DP_TREE_NARROW || n || s->right->nquery;
    s->left->has_query = s->right->has_query = written;
    /* A path made of pairs: others have not been seen beside them. */
    bool closed = s->t->path && n && !has_others(s);
    s->left->open = s->right->open = s->width != DP_TREE_NARROW && !closed;
}

/* ---- origin ------------------------------------------------------------------------------------------------------ */

static void split_host(dp_template *t, dp_str origin)
{
    const char *colon = memrchr(origin.p, ':', origin.n);
    bool        v6 = origin.n && origin.p[origin.n - 1] == ']';
    t->host = colon && !v6 ? dp_str_cut(origin, 0, (size_t)(colon - origin.p)) : origin;
    t->port = -1;
    if (colon && !v6)
        t->port = (int)strtol(colon + 1, NULL, 10);
}

static dp_str origin_of(dp_str url)
{
    const char *colon = memmem(url.p, url.n, "://", 3), *slash = memchr(url.p, '/', url.n);
    size_t      at = colon && slash == colon + 1 ? (size_t)(colon - url.p) + 3 : 0;
    slash = memchr(url.p + at, '/', url.n - at);
    return dp_str_cut(url, at, slash ? (size_t)(slash - url.p) : url.n);
}

static bool has_two_schemes(const dp_tree_host *h)
{
    return h->nscheme > 1;
}

static void say_origin(sayer *s)
{
    s->left->port = s->right->port = -1;
    if (s->t->host) {
        split_host(s->left, s->h->name);
        split_host(s->right, origin_of(s->h->site->url[s->t->v->item]));
    }
    if (s->t->scheme || (s->width == DP_TREE_NARROW && has_two_schemes(s->h))) {
        s->left->scheme = s->h->scheme[s->cell[0] - DP_TREE_EMPTY - 1];
        s->right->scheme = s->t->scheme ? s->h->scheme[s->t->v->scheme] : s->left->scheme;
    }
}

/* ---- all of it ------------------------------------------------------------------------------------------------ */

static bool is_plain(dp_str name)
{
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        if (!dp_is(c, DP_CH_ALNUM) && !strchr("_.-", c))
            return false;
    }
    return name.n > 0;
}

/* drop ;a,b */
static dp_err say_params(dp_phrase *out, const dp_tree_host *h, const dp_tree_edit *t, dp_arena *a)
{
    dp_buf b = {0};
    bool   good = true;
    dp_buf_c(&b, "drop ;");
    for (uint32_t i = 0; i < t->nparam; i++) {
        bool again = false;
        for (uint32_t k = 0; k < i; k++)
            again |= t->param[k] == t->param[i];
        if (again)
            continue;
        dp_buf_c(&b, i ? "," : "");
        dp_buf_str(&b, dp_tree_text(&h->values, t->param[i]));
        good &= is_plain(dp_tree_text(&h->values, t->param[i]));
    }
    *out = (dp_phrase){.why = good ? DP_SAID : DP_UNSAID_NAME, .falls = true};
    out->text = dp_arena_str(a, dp_buf_view(&b));
    good = !b.failed && out->text.p;
    dp_buf_done(&b);
    return good ? DP_OK : DP_ENOMEM;
}

dp_err dp_tree_say(dp_phrase *out, dp_tree_classes *c, const dp_tree_context *x, const dp_tree_edit *t,
                   dp_tree_width width, dp_arena *a)
{
    const dp_tree_class *k = &c->v[x->of];
    dp_template          left = {0}, right = {0};
    sayer                s = {.c = c, .h = c->h, .k = k, .x = x,
                              .t = t, .width = width, .star = k->pooled || x->star,
                              .left = &left, .right = &right, .a = a, .cell = k->cell + (size_t)x->row * k->nkey};
    if (t->nparam)
        return say_params(out, c->h, t, a);
    say_origin(&s);
    say_path(&s);
    if (!s.failed && !s.unsayable)
        say_query(&s);
    if (s.failed)
        return DP_ENOMEM;
    if (s.unsayable || (k->cut && width == DP_TREE_NARROW)) {
        *out = (dp_phrase){.why = DP_UNSAID_CAPTURE};
        return DP_OK;
    }
    return dp_phrase_say(out, &left, &right, c->h->name, a);
}
