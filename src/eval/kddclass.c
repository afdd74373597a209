/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/kddclass.h"

enum { MOST = 256 /* tokens; a rule with more is REGX */ };

typedef enum part { BETWEEN, SCHEME, HOST, SEGMENT, GLOB, NAME, VALUE } part;

typedef struct token {
    part          part;
    dp_str        text; /* unless `pat` holds a capture or star */
    const dp_pat *pat;  /* NULL: text alone */
} token;

typedef struct side {
    token  v[MOST];
    size_t n;
    bool   too_long;
} side;

static void add(side *s, part where, dp_str text)
{
    s->too_long |= s->n == MOST;
    if (!s->too_long)
        s->v[s->n++] = (token){.part = where, .text = text};
}

static void add_pat(side *s, part where, const dp_pat *p)
{
    bool is_text = p->n == 0 || (p->n == 1 && p->v[0].kind == DP_ITEM_LITERAL);
    add(s, where, is_text && p->n ? p->v[0].text : (dp_str){NULL, 0});
    if (!s->too_long && !is_text)
        s->v[s->n - 1].pat = p;
}

/* Conditions (+a, !a) are no tokens: they say where a rule holds. */
static void serialise(side *s, const dp_template *t)
{
    bool first = true;
    if (t->scheme.n) {
        add(s, SCHEME, t->scheme);
        add(s, BETWEEN, DP_STR(":"));
    }
    if (t->host.n) {
        add(s, BETWEEN, DP_STR("//"));
        add(s, HOST, t->host);
    }
    for (size_t i = 0; i < t->nseg; i++) {
        add(s, BETWEEN, DP_STR("/"));
        if (i == t->glob)
            add(s, GLOB, DP_STR("{**}"));
        else
            add_pat(s, SEGMENT, &t->seg[i]);
    }
    for (size_t i = 0; i < t->nquery; i++) {
        const dp_query_item *q = &t->query[i];
        if (q->kind != DP_QUERY_VALUE && q->kind != DP_QUERY_BARE)
            continue;
        add(s, BETWEEN, first ? DP_STR("?") : DP_STR("&"));
        add(s, NAME, q->name);
        first = false;
        if (q->kind != DP_QUERY_VALUE)
            continue;
        add(s, BETWEEN, DP_STR("="));
        add_pat(s, VALUE, &q->pat);
    }
}

static bool has_star(const token *t)
{
    for (size_t i = 0; t->pat && i < t->pat->n; i++) {
        if (t->pat->v[i].kind == DP_ITEM_STAR)
            return true;
    }
    return false;
}

static bool is_opaque(const token *t)
{
    for (size_t i = 0; t->pat && i < t->pat->n; i++) {
        if (t->pat->v[i].kind != DP_ITEM_LITERAL)
            return true;
    }
    return t->part == GLOB;
}

/* Whether the right side keeps what the left one has. */
static bool same(const token *l, const token *r)
{
    if (!l->pat || !r->pat)
        return !l->pat && !r->pat && dp_str_eq(l->text, r->text);
    if (l->pat->n != r->pat->n)
        return false;
    for (size_t i = 0; i < l->pat->n; i++) {
        const dp_item *a = &l->pat->v[i], *b = &r->pat->v[i];
        if (a->kind != b->kind || b->conv != DP_CONV_NONE || (a->kind != DP_ITEM_STAR && !dp_str_eq(a->text, b->text)))
            return false;
    }
    return true;
}

static bool is_any(const token *t)
{
    return t->pat && t->pat->n == 1 && t->pat->v[0].kind == DP_ITEM_STAR;
}

/* Whether the right side has the keys of the left one, but for some that are any value. */
static bool is_irrelevant(const side *l, const side *r)
{
    size_t k = 0;
    for (size_t i = 0; i < l->n; i++) {
        const token *t = &l->v[i];
        if (t->part == BETWEEN)
            continue;
        while (k < r->n && r->v[k].part == BETWEEN)
            k++;
        bool is_name = t->part == NAME && i + 2 < l->n && l->v[i + 2].part == VALUE;
        if (k < r->n && t->part == r->v[k].part && same(t, &r->v[k]))
            k++;
        else if (!is_any(is_name ? t + 2 : t))
            return false;
    }
    while (k < r->n && r->v[k].part == BETWEEN)
        k++;
    return k == r->n;
}

static dp_kddclass class_of_sides(const side *l, const side *r)
{
    size_t first = 0, last = 0, opaque = 0;
    while (first < l->n && first < r->n && same(&l->v[first], &r->v[first]) && !has_star(&l->v[first]))
        first++;
    while (first + last < l->n && first + last < r->n && same(&l->v[l->n - 1 - last], &r->v[r->n - 1 - last]) &&
           !has_star(&l->v[l->n - 1 - last]))
        last++;
    for (size_t i = first; i + last < l->n; i++)
        opaque += is_opaque(&l->v[i]);
    for (size_t i = first; i + last < r->n; i++)
        opaque += is_opaque(&r->v[i]);
    return !opaque ? DP_KDD_DUST : is_irrelevant(l, r) ? DP_KDD_IRP : DP_KDD_REGX;
}

dp_kddclass dp_kddclass_of(const dp_rule *r)
{
    side left = {.n = 0}, right = {.n = 0};
    switch (r->kind) {
    case DP_RULE_REWRITE: break;
    case DP_RULE_DROP: return r->has_if ? DP_KDD_DUST : DP_KDD_IRP;
    case DP_RULE_ONLY:
    case DP_RULE_ERASE: return DP_KDD_IRP;
    case DP_RULE_SUB: return DP_KDD_DUST;
    default: return DP_KDD_REGX;
    }
    serialise(&left, r->left);
    serialise(&right, r->right);
    return left.too_long || right.too_long ? DP_KDD_REGX : class_of_sides(&left, &right);
}

const char *dp_kddclass_name(dp_kddclass c)
{
    static const char *const names[] = {"DUST", "IRP", "REGX"};
    return names[c];
}
