/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/phrase/verb.h"

static bool same_item(const dp_item *x, const dp_item *y)
{
    return x->kind == y->kind && y->conv == DP_CONV_NONE && dp_str_eq(x->text, y->text);
}

/* Whether the value that `left` takes is written again as it was; stars are not. */
static bool stays(const dp_pat *left, const dp_pat *right)
{
    bool same = left->n == right->n;
    for (size_t i = 0; i < left->n && same; i++)
        same = left->v[i].kind != DP_ITEM_STAR && same_item(&left->v[i], &right->v[i]);
    return same;
}

static bool path_stays(const dp_template *left, const dp_template *right)
{
    bool same = left->nseg == right->nseg && left->glob == right->glob && !right->scheme.n && !right->host.n;
    for (size_t i = 0; i < left->nseg && same; i++)
        same = i == left->glob || stays(&left->seg[i], &right->seg[i]);
    return same;
}

/* ---- what becomes of one item ------------------------------------------------------------- */

typedef enum fate { STAYS, DROPPED, DROPPED_VALUE, ERASED, SET, OTHER } fate;

static const dp_query_item *find_item(const dp_template *t, dp_str name)
{
    for (size_t i = 0; i < t->nquery; i++)
        if (dp_str_eq(t->query[i].name, name))
            return &t->query[i];
    return NULL;
}

static bool is_one(const dp_pat *p, dp_item_kind kind)
{
    return p->n == 1 && p->v[0].kind == kind;
}

/* Any value that is not empty. */
static bool is_any(const dp_query_item *q)
{
    return q->kind == DP_QUERY_VALUE &&
           (is_one(&q->pat, DP_ITEM_STAR) || (is_one(&q->pat, DP_ITEM_CAPTURE) && q->pat.v[0].cls == DP_CLASS_ANY));
}

static fate fate_of(const dp_query_item *l, const dp_query_item *r)
{
    if (l->k > 1)
        return OTHER;
    if (!r && l->kind == DP_QUERY_ABSENT)
        return STAYS;
    if (!r && l->kind == DP_QUERY_PRESENT)
        return DROPPED;
    if (!r)
        return l->kind == DP_QUERY_VALUE && (l->pat.n == 0 || is_one(&l->pat, DP_ITEM_LITERAL)) ? DROPPED_VALUE : OTHER;
    if (l->kind == r->kind && (l->kind == DP_QUERY_BARE || stays(&l->pat, &r->pat)))
        return STAYS;
    if (r->kind != DP_QUERY_VALUE || !is_any(l))
        return OTHER;
    if (is_one(&r->pat, DP_ITEM_STAR))
        return ERASED;
    return is_one(&r->pat, DP_ITEM_LITERAL) ? SET : OTHER;
}

/* The one fate of all items that do not stay; OTHER when there are several or none. */
static fate common_fate(size_t *changed, const dp_template *left, const dp_template *right)
{
    fate   all = STAYS;
    size_t met = 0;
    *changed = 0;
    for (size_t i = 0; i < left->nquery; i++) {
        const dp_query_item *r = find_item(right, left->query[i].name);
        fate                 f = fate_of(&left->query[i], r);
        met += r != NULL;
        if (f == STAYS)
            continue;
        all = all == STAYS || all == f ? f : OTHER;
        ++*changed;
    }
    bool single = all == SET || all == DROPPED_VALUE;
    return all == STAYS || met != right->nquery || (single && *changed > 1) ? OTHER : all;
}

/* ---- the verb ------------------------------------------------------------------------------ */

static bool is_everywhere(const dp_template *t)
{
    return !t->scheme.n && !t->host.n && t->nseg == 1 && t->glob == 0 && t->nquery == 0;
}

/* The left side as a condition. Of several names all must be there: the verb alone would be content with one. */
static dp_err condition(dp_template **out, const dp_template *left, const dp_template *right, size_t changed,
                        dp_arena *a)
{
    dp_template *t = DP_NEW(a, dp_template);
    if (!t)
        return DP_ENOMEM;
    DP_TRY(dp_phrase_copy(t, left, a));
    t->nquery = 0;
    for (size_t i = 0; i < left->nquery; i++)
        if (changed > 1 || fate_of(&left->query[i], find_item(right, left->query[i].name)) == STAYS)
            t->query[t->nquery++] = t->query[i];
    dp_phrase_star(t);
    t->open = true;
    t->has_query = t->nquery > 0;
    *out = is_everywhere(t) ? NULL : t;
    return DP_OK;
}

dp_err dp_phrase_verb(dp_rule *out, bool *found, const dp_template *left, const dp_template *right, dp_arena *a)
{
    static const dp_rule_kind kinds[] = {[DROPPED] = DP_RULE_DROP, [DROPPED_VALUE] = DP_RULE_DROP,
                                         [ERASED] = DP_RULE_ERASE, [SET] = DP_RULE_SET};
    size_t                    changed;
    fate                      all = common_fate(&changed, left, right);
    *found = left->open && right->open && all != OTHER && path_stays(left, right);
    if (!*found)
        return DP_OK;
    *out = (dp_rule){.kind = kinds[all], .names = {.kind = '?'}, .has_if = all == DROPPED_VALUE};
    if (!(out->names.v = DP_NEWS(a, changed, dp_name)))
        return DP_ENOMEM;
    for (size_t i = 0; i < left->nquery; i++) {
        const dp_query_item *r = find_item(right, left->query[i].name);
        if (fate_of(&left->query[i], r) == STAYS)
            continue;
        out->names.v[out->names.n++] = (dp_name){.text = left->query[i].name};
        if (all == SET || all == DROPPED_VALUE)
            out->value = dp_pat_literal(all == SET ? &r->pat : &left->query[i].pat);
    }
    return condition(&out->on, left, right, changed, a);
}
