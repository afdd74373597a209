/* SPDX-License-Identifier: Apache-2.0 */
#include "apply/verify.h"

#include <stdlib.h>

#include "rule/rule.h"

static uint64_t count(const dp_image *im, dp_section s)
{
    return im->head->section[s].count;
}

static bool inside(const dp_image *im, dp_section s, dp_ref r)
{
    return (uint64_t)r.at + r.n <= count(im, s);
}

/* What a template does with captures: a left side or condition binds slots 0, 1, ... in order
 * of appearance; a right side only uses them. */
typedef struct slot_use {
    uint32_t binds;  /* slots bound here */
    uint32_t uses;   /* one more than the highest slot mentioned again */
    bool     closed; /* everything mentioned again is bound here, further left */
    bool     right;  /* it is a right side */
} slot_use;

/* One body under check. */
typedef struct body {
    const dp_image   *im;
    const dp_im_rule *head;
    uint64_t          budget; /* things that may still be looked at: overlaps cannot make it slow */
} body;

typedef struct sweep {
    const dp_image *im;
    uint64_t       *rule;  /* bit for each unit of BODY where a rule begins that is no `sub` rule */
    uint64_t       *sub;   /* ... where a `sub` rule begins */
    uint64_t       *keep;  /* ... where a keep line begins */
    uint64_t       *layer; /* bit for each unit of PROGRAM where a layer begins */
} sweep;

static bool bit(const uint64_t *bits, uint64_t i)
{
    return bits[i / 64] >> i % 64 & 1;
}

static void set_bit(uint64_t *bits, uint64_t i)
{
    bits[i / 64] |= (uint64_t)1 << i % 64;
}

/* Whether n things of `size` bytes fit into the body at `c`. */
static bool fits(body *b, dp_cut c, size_t size)
{
    size_t at = (size_t)c.at * DP_BODY_UNIT;
    if (c.n == 0)
        return true;
    if (c.n > b->budget || at < sizeof(dp_im_rule) || at + c.n * size > b->head->size)
        return false;
    if (size > 1)
        b->budget -= c.n;
    return true;
}

static bool text_fits(body *b, dp_cut text)
{
    return fits(b, text, 1);
}

static bool check_list(body *b, dp_cut list)
{
    if (!fits(b, list, sizeof(dp_cut)))
        return false;
    const dp_cut *text = dp_im_at(b->head, list.at);
    for (uint32_t i = 0; i < list.n; i++)
        if (!text_fits(b, text[i]))
            return false;
    return true;
}

static bool check_item(body *b, const dp_im_item *it, slot_use *u)
{
    if (it->cls > DP_CLASS_LIST || it->conv > DP_CONV_INT || (it->length && !dp_class_has_length(it->cls)))
        return false;
    if (it->kind == DP_ITEM_LITERAL)
        return it->what.n > 0 && text_fits(b, it->what);
    if (!check_list(b, it->what))
        return false;
    if (it->kind != DP_ITEM_CAPTURE)
        return true;
    if (it->slot >= b->im->head->max_slot)
        return false;
    if (it->flags & DP_ITEM_AGAIN) {
        u->closed &= it->slot < u->binds;
        u->uses = it->slot + 1u > u->uses ? it->slot + 1u : u->uses;
    } else {
        u->closed &= it->slot == u->binds;
        u->binds++;
    }
    return true;
}

/* Literals and captures take turns, but for captures where the pattern is cut, and on the right. */
static bool check_pat(body *b, dp_im_pat p, slot_use *u)
{
    if (!fits(b, p, sizeof(dp_im_item)))
        return false;
    const dp_im_item *it = dp_im_at(b->head, p.at);
    bool              cuts = p.n && it->flags & DP_ITEM_CUTS;
    uint32_t          captures = 0;
    for (uint32_t i = 0; i < p.n; i++) {
        bool literal = it[i].kind == DP_ITEM_LITERAL, row = i && literal == (it[i - 1].kind == DP_ITEM_LITERAL);
        if (it[i].kind > DP_ITEM_STAR || (row && (literal || !(cuts || u->right))) || !check_item(b, &it[i], u))
            return false;
        captures += !literal;
    }
    return !cuts || (captures > 1 && captures <= b->im->head->max_cut);
}

/* It is the first capture of a left side; a right side uses it. */
static bool check_label(const body *b, const dp_im_template *t, slot_use *u)
{
    if (t->label == 0)
        return true;
    if (t->host.n == 0 || t->label > b->im->head->max_slot)
        return false;
    if (u->right)
        u->uses = t->label;
    else
        u->closed = t->label - 1u == u->binds++;
    return true;
}

static bool check_template(body *b, uint16_t at, slot_use *u)
{
    u->closed = true;
    if (!fits(b, (dp_cut){at, 1}, sizeof(dp_im_template)))
        return false;
    const dp_im_template *t = dp_im_at(b->head, at);
    if (!text_fits(b, t->scheme) || !text_fits(b, t->host) || t->port < -1 || t->port > 65535)
        return false;
    if (t->seg.n == 0 || !fits(b, t->seg, sizeof(dp_im_pat)) || (t->glob != DP_NO_SEG && t->glob >= t->seg.n))
        return false;
    if (!fits(b, t->query, sizeof(dp_im_query)) || !check_label(b, t, u))
        return false;
    const dp_im_pat   *seg = dp_im_at(b->head, t->seg.at);
    const dp_im_query *query = dp_im_at(b->head, t->query.at);
    /* Nobody looks at the pattern of {**} and of a name without a value: what it bound would not be there. */
    for (uint32_t i = 0; i < t->seg.n; i++)
        if (i == t->glob ? seg[i].n != 0 : !check_pat(b, seg[i], u))
            return false;
    for (uint32_t i = 0; i < t->query.n; i++)
        if (query[i].kind > DP_QUERY_ABSENT || query[i].k == 0 || !text_fits(b, query[i].name) ||
            (query[i].kind == DP_QUERY_VALUE ? !check_pat(b, query[i].pat, u) : query[i].pat.n != 0))
            return false;
    return true;
}

static bool check_condition(body *b, uint16_t at)
{
    slot_use u = {0};
    return check_template(b, at, &u) && u.closed;
}

static bool check_sides(body *b)
{
    slot_use left = {0}, right = {.right = true};
    if (!check_template(b, b->head->left, &left) || !left.closed || !check_template(b, b->head->right, &right))
        return false;
    const dp_im_template *l = dp_im_at(b->head, b->head->left), *r = dp_im_at(b->head, b->head->right);
    return right.binds == 0 && right.uses <= left.binds && (r->glob == DP_NO_SEG || l->glob != DP_NO_SEG);
}

static bool check_names(body *b)
{
    if (!fits(b, b->head->names, sizeof(dp_im_name)))
        return false;
    const dp_im_name *v = dp_im_at(b->head, b->head->names.at);
    for (uint32_t i = 0; i < b->head->names.n; i++)
        if (!text_fits(b, v[i].text))
            return false;
    return true;
}

static bool check_body(body *b)
{
    const dp_im_rule *r = b->head;
    if (r->state > DP_OFF || (r->on && !check_condition(b, r->on)) || !fits(b, r->unless, sizeof(uint16_t)))
        return false;
    const uint16_t *unless = dp_im_at(r, r->unless.at);
    for (uint32_t i = 0; i < r->unless.n; i++)
        if (!check_condition(b, unless[i]))
            return false;
    switch (r->kind) {
    case DP_RULE_REWRITE: return check_sides(b);
    case DP_RULE_DROP:
    case DP_RULE_ONLY:
    case DP_RULE_ERASE:
    case DP_RULE_SET: return check_names(b) && text_fits(b, r->value);
    case DP_RULE_SUB: return text_fits(b, r->alpha) && text_fits(b, r->beta) && r->pivot <= r->alpha.n;
    case DP_RULE_FOLD_PATH:
    case DP_RULE_FOLD_QUERY:
    case DP_RULE_FOLD_NAMES: return true;
    case DP_KEEP_LINE: return check_names(b);
    default: return false;
    }
}

/* Bodies and what people need of them stand in the same order, so that both are read once, from front to back. */
static bool check_bodies(sweep *w)
{
    const dp_image *im = w->im;
    uint64_t        units = count(im, DP_SEC_BODY), rules = count(im, DP_SEC_ABOUT), next = 0;
    for (uint64_t at = 0; at < units;) {
        const dp_im_rule *r = dp_im_body(im, (uint32_t)at);
        uint64_t          room = (units - at) * 8;
        if (room < sizeof *r || r->size < sizeof *r || r->size % 8 || r->size > room)
            return false;
        body b = {im, r, r->size};
        if (!check_body(&b))
            return false;
        if (r->kind == DP_KEEP_LINE) {
            set_bit(w->keep, at);
        } else {
            if (next >= rules || r->number != next || im->about[next].body != at)
                return false;
            set_bit(r->kind == DP_RULE_SUB ? w->sub : w->rule, at);
            next++;
        }
        at += r->size / 8;
    }
    return next == rules;
}

static bool check_blocks(const dp_image *im)
{
    uint32_t        next = 0;
    for (uint32_t i = 0; i < count(im, DP_SEC_BLOCK); i++) {
        const dp_im_block *b = &im->block[i];
        if (!inside(im, DP_SEC_TEXT, b->hosts) || b->order > DP_ORDER_ANY || !inside(im, DP_SEC_KEEP, b->keep) ||
            b->rule.at != next || !inside(im, DP_SEC_ABOUT, b->rule))
            return false;
        for (uint32_t j = 0; j < b->rule.n; j++, next++) {
            const dp_im_about *a = &im->about[next];
            if (!inside(im, DP_SEC_TEXT, a->text) || a->block != i)
                return false;
        }
    }
    return next == count(im, DP_SEC_ABOUT);
}

static bool check_keeps(const sweep *w)
{
    for (uint64_t i = 0; i < count(w->im, DP_SEC_KEEP); i++)
        if (w->im->keep[i] >= count(w->im, DP_SEC_BODY) || !bit(w->keep, w->im->keep[i]))
            return false;
    return true;
}

/* `n` rules, all of them `sub` rules or none. */
static bool check_entries(const sweep *w, const dp_im_entry *rule, uint32_t n, bool sub)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = rule[i] & DP_ENTRY_BODY;
        if (at >= count(w->im, DP_SEC_BODY) || !bit(sub ? w->sub : w->rule, at))
            return false;
    }
    return true;
}

/* A table of n slots; one at least is empty, for that is where a search ends. */
static bool check_slots(const sweep *w, const dp_im_layer *l, const dp_im_slot *slot, uint32_t n, bool sub)
{
    const dp_im_entry *list = dp_im_list(l);
    uint32_t           empty = 0;
    if (n & (n - 1))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        dp_im_entry e = slot[i].entry;
        uint32_t    at = e - DP_IN_LIST;
        if (e == DP_NONE)
            empty++;
        else if (e < DP_IN_LIST
                     ? !check_entries(w, &e, 1, sub)
                     : at >= l->nlist || list[at] >= l->nlist - at || !check_entries(w, list + at + 1, list[at], sub))
            return false;
    }
    return n == 0 || empty > 0;
}

static bool check_tuple(const dp_im_tuple *t)
{
    uint32_t reach = t->nseg >= 32 ? UINT32_MAX : (1u << t->nseg) - 1;
    bool     any = (t->origin | t->start_mask | t->end_mask) != 0;
    if (t->nseg < 1 || (t->more != 0 && t->more != UINT32_MAX - t->nseg) || t->driver > DP_DRIVE_ANY_PARAM)
        return false;
    if (t->origin > (DP_TUPLE_SCHEME | DP_TUPLE_HOST) || (!any && t->literal_filter != 0))
        return false;
    return !(t->start_mask & ~reach) && !(t->end_mask & ~reach);
}

/* Bytes of the layer at `l`, which has `room` bytes; 0 when it does not fit. */
static uint64_t layer_size(const dp_im_layer *l, uint64_t room)
{
    if (room < sizeof *l)
        return 0;
    uint64_t size = sizeof *l + (uint64_t)l->ntuple * sizeof(dp_im_tuple) +
                    ((uint64_t)l->nslot + l->nsub) * sizeof(dp_im_slot) + (uint64_t)l->nlist * sizeof(uint32_t);
    size = (size + 7) / 8 * 8;
    return size <= room ? size : 0;
}

static bool check_layer(const sweep *w, const dp_im_layer *l)
{
    if (!inside(w->im, DP_SEC_KEEP, l->keep) || l->order > DP_ORDER_ANY ||
        (uint64_t)l->sub_any.at + l->sub_any.n > l->nlist)
        return false;
    if (l->ntuple && !l->nslot)
        return false;
    for (uint32_t i = 0; i < l->ntuple; i++)
        if (!check_tuple(dp_im_tuples(l) + i))
            return false;
    if (l->nplain > l->ntuple || l->npaired > l->ntuple - l->nplain)
        return false;
    if (!check_entries(w, dp_im_list(l) + l->sub_any.at, l->sub_any.n, true))
        return false;
    return check_slots(w, l, dp_im_slots(l), l->nslot, false) && check_slots(w, l, dp_im_subs(l), l->nsub, true);
}

static bool check_program(sweep *w)
{
    uint64_t units = count(w->im, DP_SEC_PROGRAM);
    for (uint64_t at = 0; at < units;) {
        const dp_im_layer *l = dp_im_layer_at(w->im, (uint32_t)at);
        uint64_t           size = layer_size(l, (units - at) * 8);
        if (!size || !check_layer(w, l))
            return false;
        set_bit(w->layer, at);
        at += size / 8;
    }
    return true;
}

static bool is_layer(const sweep *w, uint32_t at)
{
    return at < count(w->im, DP_SEC_PROGRAM) && bit(w->layer, at);
}

enum { AHEAD = 32 };

static bool check_hosts(const sweep *w)
{
    const dp_image *im = w->im;
    uint64_t        n = count(im, DP_SEC_HOST), empty = 0;
    if (n < 2 || n & (n - 1))
        return false;
    for (uint64_t i = 0; i < n; i++) {
        const dp_im_host *h = &im->host[i];
        if (i + AHEAD < n)
            __builtin_prefetch(&w->layer[h[AHEAD].layer / 64]); /* hosts lie in no order */
        if (h->layer == DP_NONE)
            empty++;
        else if (!is_layer(w, h->layer) || !inside(im, DP_SEC_TEXT, h->name))
            return false;
    }
    return empty > 0 && (im->head->any == DP_NONE || is_layer(w, im->head->any));
}

static const char *find_damage(sweep *w)
{
    const dp_im_header *h = w->im->head;
    if (!inside(w->im, DP_SEC_TEXT, h->rules_text) || h->max_slot > count(w->im, DP_SEC_BODY) ||
        h->max_cut > DP_MAX_CUT)
        return "header";
    if (!check_bodies(w))
        return "rules";
    if (!check_keeps(w) || !check_blocks(w->im))
        return "blocks";
    if (!check_program(w))
        return "index";
    return check_hosts(w) ? NULL : "hosts";
}

dp_err dp_image_verify(const dp_image *im, const char *name, dp_error *err)
{
    size_t bodies = count(im, DP_SEC_BODY) / 64 + 1, layers = count(im, DP_SEC_PROGRAM) / 64 + 1;
    /* One piece: bits for rules, for sub rules, for keep lines, for layers. */
    uint64_t *bits = calloc(3 * bodies + layers, sizeof *bits);
    if (!bits)
        return dp_fail_at(err, DP_ENOMEM, name, 0, 0, "out of memory");
    sweep       w = {im, bits, bits + bodies, bits + 2 * bodies, bits + 3 * bodies};
    const char *what = find_damage(&w);
    free(bits);
    if (!what)
        return DP_OK;
    return dp_fail_at(err, DP_ESYNTAX, name, 0, 0,
                      "damaged: wrong %s; compile it again with 'dustpan rules compile'", what);
}
