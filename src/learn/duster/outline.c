/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/duster/outline.h"

#include "base/hash.h"

/* ---- levels ---------------------------------------------------------------------------------- */

dp_duster_level dp_duster_level_of(uint32_t i)
{
    return (dp_duster_level){.is_exact = i / 6 % 2, .variants = (dp_duster_variants)(i / 2 % 3), .is_section = i % 2};
}

bool dp_duster_is_wider(uint32_t i, uint32_t than)
{
    dp_duster_level x = dp_duster_level_of(i), y = dp_duster_level_of(than);
    return i != than && x.is_exact <= y.is_exact && x.is_section <= y.is_section && x.variants <= y.variants;
}

/* ---- marks ----------------------------------------------------------------------------------- */

typedef struct drawing {
    const dp_duster_side *left, *right;
    dp_duster_level       level;
    dp_duster_outline    *out;
    uint32_t              hole[DP_DUSTER_TOKENS]; /* of each piece of the left side: its mark + 1; 0: none */
    uint32_t              from, nglob;            /* segments that {**} stands for */
    bool                  failed;
} drawing;

static void put(drawing *d, dp_duster_op op, dp_str text, uint32_t number)
{
    if (d->out->n == DP_DUSTER_MARKS)
        d->failed = true;
    else
        d->out->v[d->out->n++] = (dp_duster_mark){(uint8_t)op, number, text};
}

static void put_op(drawing *d, dp_duster_op op)
{
    put(d, op, (dp_str){NULL, 0}, 0);
}

static void put_hole(drawing *d, dp_duster_op op, uint32_t piece)
{
    put(d, op, d->left->piece[piece].text, 0);
    d->hole[piece] = d->out->n;
}

static bool same_part(const dp_duster_part *x, const dp_duster_part *y)
{
    return x->is_fixed && y->is_fixed && x->from == y->from && x->to == y->to;
}

/* The pair of the other side that has the same columns, all of them fixed. */
static bool pair_stays(const dp_duster_pair *p, const dp_duster_side *other)
{
    for (uint32_t i = 0; i < other->npair && p->is_fixed; i++)
        if (other->pair[i].is_fixed && other->pair[i].from == p->from && other->pair[i].to == p->to)
            return true;
    return false;
}

/* Whether the right side has anything of the columns of a pair. */
static bool pair_is_left(const dp_duster_pair *p, const dp_duster_side *right)
{
    for (uint32_t i = 0; i < right->npair; i++)
        if (right->pair[i].from < p->to && p->from < right->pair[i].to)
            return true;
    return false;
}

/* ---- left side ------------------------------------------------------------------------------- */

/* `is_whole`: what varies makes the whole part a hole. */
static void draw_part(drawing *d, const dp_duster_part *p, bool is_whole)
{
    if (!p->is_fixed && is_whole) {
        put(d, DP_DUSTER_CHOICE, p->text, 0);
        return;
    }
    for (uint32_t i = p->piece; i < p->piece + p->n; i++) {
        const dp_duster_piece *piece = &d->left->piece[i];
        if (piece->kind == DP_DUSTER_SLOT)
            put_hole(d, DP_DUSTER_HOLE, i);
        else if (piece->kind == DP_DUSTER_VARIANT && d->level.variants != DP_DUSTER_AS_TEXT)
            put_hole(d, DP_DUSTER_CHOICE, i);
        else
            put(d, DP_DUSTER_LITERAL, piece->text, 0);
    }
}

/* Segments of a side, by what draws one. */
static void draw_path(drawing *d, const dp_duster_side *s, void (*draw)(drawing *, const dp_duster_part *, bool))
{
    for (uint32_t i = 0; i < s->nseg; i++) {
        if (i == d->from && d->nglob) {
            put_op(d, DP_DUSTER_GLOB);
            i += d->nglob - 1;
            continue;
        }
        put_op(d, DP_DUSTER_SEG);
        if (i == 0 && d->level.is_section)
            put(d, DP_DUSTER_LITERAL, s->seg[0].text, 0);
        else
            draw(d, &s->seg[i], d->level.variants == DP_DUSTER_AS_PARTS);
    }
}

static void draw_left_query(drawing *d)
{
    const dp_duster_side *s = d->left;
    bool                  as_text = d->level.variants == DP_DUSTER_AS_TEXT;
    for (uint32_t i = 0; i < s->npair; i++) {
        const dp_duster_pair *p = &s->pair[i];
        if (!d->level.is_exact && pair_stays(p, d->right))
            continue;
        if (!as_text && !p->is_fixed && !pair_is_left(p, d->right)) {
            put(d, DP_DUSTER_PRESENT, p->name, 0);
            continue;
        }
        put(d, p->has_eq ? DP_DUSTER_PAIR : DP_DUSTER_BARE, p->name, p->nth);
        draw_part(d, &p->value, !as_text);
    }
}

/* ---- right side ------------------------------------------------------------------------------ */

/* A slot of the canonical form, out of pieces of the URL. */
static void draw_slot(drawing *d, const dp_duster_piece *p)
{
    uint32_t first, n = dp_duster_slots(&first, d->left, p->from, p->to);
    d->failed |= n == 0;
    for (uint32_t i = first; i < first + n; i++) {
        const dp_duster_piece *from = &d->left->piece[i];
        if (from->kind == DP_DUSTER_MARK)
            put(d, DP_DUSTER_LITERAL, from->text, 0);
        else if (d->hole[i])
            put(d, DP_DUSTER_REF, (dp_str){NULL, 0}, d->hole[i] - 1);
        else
            d->failed = true; /* the hole there is larger */
    }
}

/* Whether what the URL has at the place of a part is one hole, in which there are others: a part that is left empty
 * stands for that as well. */
static bool is_star(const drawing *d, const dp_duster_part *p)
{
    uint32_t first = 0, n = p->is_fixed && p->n ? dp_duster_slots(&first, d->left, p->from, p->to) : 0;
    if (p->n)
        return n != 1 || !d->hole[first];
    for (uint32_t i = 0; i < d->left->nseg; i++)
        if (d->left->seg[i].before == p->before)
            return d->left->seg[i].n;
    for (uint32_t i = 0; i < d->left->npair; i++)
        if (d->left->pair[i].has_eq && d->left->pair[i].value.before == p->before)
            return d->left->pair[i].value.n;
    return false;
}

static void draw_right_part(drawing *d, const dp_duster_part *p, bool is_whole)
{
    if (is_whole && is_star(d, p)) {
        put_op(d, DP_DUSTER_STAR);
        return;
    }
    for (uint32_t i = p->piece; i < p->piece + p->n; i++) {
        const dp_duster_piece *piece = &d->right->piece[i];
        if (piece->kind == DP_DUSTER_SLOT)
            draw_slot(d, piece);
        else if (piece->kind == DP_DUSTER_VARIANT && d->level.variants != DP_DUSTER_AS_TEXT)
            put(d, DP_DUSTER_FIRST, piece->text, 0);
        else
            put(d, DP_DUSTER_LITERAL, piece->text, 0);
    }
}

static void draw_right_query(drawing *d)
{
    const dp_duster_side *s = d->right;
    for (uint32_t i = 0; i < s->npair; i++) {
        const dp_duster_pair *p = &s->pair[i];
        if (!d->level.is_exact && pair_stays(p, d->left))
            continue;
        put(d, p->has_eq ? DP_DUSTER_PAIR : DP_DUSTER_BARE, p->name, p->nth);
        draw_right_part(d, &p->value, d->level.variants != DP_DUSTER_AS_TEXT);
    }
}

/* ---- whole ----------------------------------------------------------------------------------- */

static bool has_changed_pair(const dp_duster_side *s, const dp_duster_side *other)
{
    for (uint32_t i = 0; i < s->npair; i++)
        if (!pair_stays(&s->pair[i], other))
            return true;
    return false;
}

static void draw_end(drawing *d)
{
    if (d->level.is_exact)
        put_op(d, DP_DUSTER_CLOSED);
    else if (has_changed_pair(d->left, d->right) || has_changed_pair(d->right, d->left))
        put_op(d, DP_DUSTER_OPEN);
}

static void draw_origin(drawing *d)
{
    const dp_duster_side *l = d->left, *r = d->right;
    if (!dp_str_eq(l->scheme, r->scheme)) {
        put(d, DP_DUSTER_FROM_SCHEME, l->scheme, 0);
        put(d, DP_DUSTER_TO_SCHEME, r->scheme, 0);
    }
    if (!dp_str_eq(l->host, r->host)) {
        put(d, DP_DUSTER_FROM_HOST, l->host, 0);
        put(d, DP_DUSTER_TO_HOST, r->host, 0);
    }
}

/* The segments that {**} stands for, where the level has it: those at the start of the path that are the same on both
 * sides. False when there is no section to write, and the level wants one. */
static bool find_glob(drawing *d)
{
    const dp_duster_side *l = d->left, *r = d->right;
    uint32_t              same = 0;
    while (same < l->nseg && same < r->nseg && same_part(&l->seg[same], &r->seg[same]))
        same++;
    d->from = d->level.is_section;
    if (d->level.is_section && (!same || !l->seg[0].n))
        return false;
    d->nglob = d->level.is_exact ? 0 : same - d->from;
    return true;
}

static bool is_open(uint8_t op)
{
    return op == DP_DUSTER_HOLE || op == DP_DUSTER_CHOICE || op == DP_DUSTER_FIRST;
}

static uint64_t hash_of(const dp_duster_outline *o)
{
    uint64_t h = dp_hash_mix(o->n);
    for (uint32_t i = 0; i < o->n; i++) {
        const dp_duster_mark *m = &o->v[i];
        h = dp_hash_fold(h, dp_hash_mix((uint64_t)m->number << 8 | m->op));
        h = is_open(m->op) ? h : dp_hash_fold(h, dp_hash_str(m->text));
    }
    return h;
}

bool dp_duster_outline_make(dp_duster_outline *out, const dp_duster_instance *i, uint32_t level)
{
    drawing d = {.left = &i->left, .right = i->right, .level = dp_duster_level_of(level), .out = out};
    out->n = 0;
    if (!find_glob(&d))
        return false;
    draw_origin(&d);
    draw_path(&d, d.left, draw_part);
    draw_left_query(&d);
    draw_end(&d);
    put_op(&d, DP_DUSTER_TO);
    draw_path(&d, d.right, draw_right_part);
    draw_right_query(&d);
    draw_end(&d);
    out->hash = dp_hash_mix(hash_of(out) + level + 1);
    return !d.failed;
}

bool dp_duster_outline_same(const dp_duster_outline *x, const dp_duster_outline *y)
{
    if (x->n != y->n)
        return false;
    for (uint32_t i = 0; i < x->n; i++) {
        const dp_duster_mark *a = &x->v[i], *b = &y->v[i];
        if (a->op != b->op || a->number != b->number || (!is_open(a->op) && !dp_str_eq(a->text, b->text)))
            return false;
    }
    return true;
}
