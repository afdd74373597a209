/* SPDX-License-Identifier: Apache-2.0 */
#include "exchange/feeds.h"

/* ---- templates ---------------------------------------------------------------------------------------- */

const dp_item *dp_pat_capture(const dp_pat *p, size_t *n)
{
    const dp_item *found = NULL;
    *n = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (p->v[i].kind != DP_ITEM_LITERAL) {
            found = &p->v[i];
            ++*n;
        }
    }
    return found;
}

size_t dp_template_count(const dp_template *t, dp_str name)
{
    size_t n = 0;
    for (size_t i = 0; i < t->nseg; i++) {
        for (size_t j = 0; j < t->seg[i].n; j++)
            n += t->seg[i].v[j].kind == DP_ITEM_CAPTURE && dp_str_eq(t->seg[i].v[j].text, name);
    }
    return n;
}

/* ---- who feeds whom --------------------------------------------------------------------------------- */

static bool scope_fits(const dp_scope *s, dp_str host)
{
    if (s->any)
        return true;
    if (!s->wildcard)
        return dp_str_eq(s->name, host);
    return host.n > s->name.n + 1 && dp_str_ends(host, s->name) && host.p[host.n - s->name.n - 1] == '.';
}

static bool unit_fits(const dp_export_unit *u, dp_str host)
{
    for (size_t i = 0; i < u->nscope; i++) {
        if (scope_fits(u->scope[i], host))
            return true;
    }
    return false;
}

/* Whether some host falls under both: one of them under a name of the other, or both under wildcards. */
static bool scopes_meet(const dp_export_unit *a, const dp_export_unit *b)
{
    for (size_t i = 0; i < a->nscope; i++) {
        const dp_scope *s = a->scope[i];
        for (size_t j = 0; j < b->nscope; j++) {
            const dp_scope *t = b->scope[j];
            bool open = (s->any || s->wildcard) && (t->any || t->wildcard);
            if (open || (!s->any && !s->wildcard && scope_fits(t, s->name)) ||
                (!t->any && !t->wildcard && scope_fits(s, t->name)))
                return true;
        }
    }
    return false;
}

/* The literal at one end of a pattern; all of it when there is no capture. */
static dp_str end_of(const dp_pat *p, bool last)
{
    const dp_item *i = p->n ? &p->v[last ? p->n - 1 : 0] : NULL;
    return i && i->kind == DP_ITEM_LITERAL ? i->text : (dp_str){"", 0};
}

/* The values of a segment that is one of a list; NULL: it is not. A reference on the right is what `left` captures. */
static const dp_item *list_of(const dp_pat *p, const dp_template *left)
{
    const dp_item *c = p->n == 1 && p->v[0].kind == DP_ITEM_CAPTURE ? &p->v[0] : NULL;
    for (size_t i = 0; c && !c->nlist && i < left->nseg; i++) {
        for (size_t j = 0; j < left->seg[i].n; j++) {
            const dp_item *x = &left->seg[i].v[j];
            if (x->kind == DP_ITEM_CAPTURE && x->cls == DP_CLASS_LIST && dp_str_eq(x->text, c->text))
                return x;
        }
    }
    return c && c->nlist ? c : NULL;
}

static bool is_listed(const dp_item *list, dp_str value)
{
    for (size_t i = 0; i < list->nlist; i++) {
        if (dp_str_eq(list->list[i], value))
            return true;
    }
    return false;
}

/* Whether a value may be all of a segment. */
static bool may_hold(const dp_pat *p, const dp_item *list, dp_str value)
{
    size_t n;
    dp_str first = end_of(p, false), last = end_of(p, true);
    if (list)
        return is_listed(list, value);
    dp_pat_capture(p, &n);
    if (!n)
        return dp_str_eq(first, value);
    return value.n > first.n + last.n && dp_str_starts(value, first) && dp_str_ends(value, last);
}

/* Whether some segment may fit both, `a` of a rule whose left side is `left`. */
static bool segments_meet(const dp_pat *a, const dp_pat *b, const dp_template *left)
{
    size_t         na, nb;
    const dp_item *va = list_of(a, left), *vb = list_of(b, &(dp_template){0}), *v = va ? va : vb;
    for (size_t i = 0; v && i < v->nlist; i++) {
        if (may_hold(va ? b : a, va ? vb : va, v->list[i]))
            return true;
    }
    if (v)
        return false;
    dp_pat_capture(a, &na);
    dp_pat_capture(b, &nb);
    dp_str x = end_of(a, false), y = end_of(b, false), p = end_of(a, true), q = end_of(b, true);
    if (!na && !nb)
        return dp_str_eq(x, y);
    if ((!na && (!a->n || x.n < y.n + (nb ? 1 : 0))) || (!nb && (!b->n || y.n < x.n + (na ? 1 : 0))))
        return false; /* a capture is never empty */
    return (dp_str_starts(x, y) || dp_str_starts(y, x)) && (dp_str_ends(p, q) || dp_str_ends(q, p));
}

/* Whether some path may fit the segments of `a`, a side of a rule, from `i` on and those of `b` from `j` on. */
static bool paths_meet(const dp_template *left, const dp_template *a, size_t i, const dp_template *b, size_t j)
{
    if (i == a->nseg && j == b->nseg)
        return true;
    if (i < a->nseg && i == a->glob)
        return paths_meet(left, a, i + 1, b, j) || (j < b->nseg && paths_meet(left, a, i, b, j + 1));
    if (j < b->nseg && j == b->glob)
        return paths_meet(left, a, i, b, j + 1) || (i < a->nseg && paths_meet(left, a, i + 1, b, j));
    return i < a->nseg && j < b->nseg && segments_meet(&a->seg[i], &b->seg[j], left) &&
           paths_meet(left, a, i + 1, b, j + 1);
}

static bool same_segment(const dp_pat *a, const dp_pat *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++)
        same = a->v[i].kind == b->v[i].kind && dp_str_eq(a->v[i].text, b->v[i].text);
    return same;
}

/* Whether a rewrite leaves the first `head` and the last `tail` segments of a path as they are. */
static bool leaves_ends(const dp_template *left, const dp_template *right, size_t head, size_t tail)
{
    size_t n = left->nseg < right->nseg ? left->nseg : right->nseg;
    if (head > n || tail > n)
        return false;
    for (size_t i = 0; i < head; i++) {
        if (i == left->glob || i == right->glob || !same_segment(&left->seg[i], &right->seg[i]))
            return false;
    }
    for (size_t i = 1; i <= tail; i++) {
        size_t l = left->nseg - i, r = right->nseg - i;
        if (l == left->glob || r == right->glob || !same_segment(&left->seg[l], &right->seg[r]))
            return false;
    }
    return true;
}

/* Whether a condition that looks at the ends of a path alone says the same after a rewrite. */
static bool says_the_same(const dp_template *left, const dp_template *right, const dp_template *condition)
{
    return condition->glob != DP_NO_GLOB &&
           leaves_ends(left, right, condition->glob, condition->nseg - condition->glob - 1);
}

/* Whether the rewrite `a` may make the conditions of `b` hold that did not. */
static bool lets_in(const dp_rule *a, const dp_rule *b)
{
    const dp_template *left = a->left, *right = a->right;
    if (!b->on && !b->nunless)
        return false;
    if (right->host.n || right->scheme.n)
        return true;
    if (b->on && paths_meet(left, right, 0, b->on, 0) && !says_the_same(left, right, b->on))
        return true;
    for (size_t i = 0; i < b->nunless; i++) {
        if (paths_meet(left, left, 0, b->unless[i], 0) && !says_the_same(left, right, b->unless[i]))
            return true;
    }
    return false;
}

/* A drop makes nothing fire; a rewrite that leaves the host makes no
 * drop fire, for it leaves the query, too, unless it changes what a condition says. */
bool dp_unit_feeds(const dp_export_unit *a, const dp_export_unit *b)
{
    const dp_template *left = a->rule->left, *right = a->rule->right;
    if (a->rule->kind != DP_RULE_REWRITE)
        return false;
    dp_str host = right->host.n ? right->host : left->host, scheme = right->scheme.n ? right->scheme : left->scheme;
    if (host.n ? !unit_fits(b, host) : !scopes_meet(a, b))
        return false;
    if (a != b && lets_in(a->rule, b->rule)) /* what has fired itself was let in before */
        return true;
    if (b->rule->kind != DP_RULE_REWRITE)
        return right->host.n > 0;
    const dp_template *next = b->rule->left;
    if ((host.n && next->host.n && !dp_str_eq(host, next->host)) ||
        (scheme.n && next->scheme.n && !dp_str_eq(scheme, next->scheme)))
        return false;
    /* What looks at the ends of a path alone has fired before, if they stay. */
    if (a != b && !right->host.n && !right->scheme.n && next->glob != DP_NO_GLOB &&
        leaves_ends(left, right, next->glob, next->nseg - next->glob - 1))
        return false;
    return paths_meet(left, right, 0, next, 0);
}

/* ---- whether it ends ---------------------------------------------------------------------------------- */

/* How many segments are that text and no more. */
static size_t count_text(const dp_template *t, dp_str text)
{
    size_t n = 0;
    for (size_t i = 0; i < t->nseg; i++) {
        const dp_pat *p = &t->seg[i];
        n += p->n == 1 && p->v[0].kind == DP_ITEM_LITERAL && dp_str_eq(p->v[0].text, text);
    }
    return n;
}

/* Whether a segment on the right is one of the left, captured as a whole, and stands there once. */
static bool is_copy(const dp_rule *r, const dp_pat *p)
{
    if (p->n != 1 || p->v[0].kind != DP_ITEM_CAPTURE || dp_template_count(r->right, p->v[0].text) > 1)
        return false;
    for (size_t i = 0; i < r->left->nseg; i++) {
        const dp_pat *q = &r->left->seg[i];
        if (q->n == 1 && q->v[0].kind == DP_ITEM_CAPTURE && dp_str_eq(q->v[0].text, p->v[0].text))
            return true;
    }
    return false;
}

/* Whether a rule may write more segments of that text than there were. */
static bool may_make(const dp_rule *r, dp_str text)
{
    size_t n;
    for (size_t i = 0; i < r->right->nseg; i++) {
        const dp_pat *p = &r->right->seg[i];
        dp_pat_capture(p, &n);
        if (i != r->right->glob && n && !is_copy(r, p) && may_hold(p, list_of(p, r->left), text))
            return true;
    }
    return count_text(r->right, text) > count_text(r->left, text);
}

typedef bool (*dp_makes)(const dp_rule *r, dp_str text);

static bool makes_host(const dp_rule *r, dp_str host)
{
    return dp_str_eq(r->right->host, host) && !dp_str_eq(r->left->host, host);
}

static bool makes_scheme(const dp_rule *r, dp_str scheme)
{
    return dp_str_eq(r->right->scheme, scheme) && !dp_str_eq(r->left->scheme, scheme);
}

/* Whether none of the units that `in` has makes such a text. */
static bool nobody_makes(const dp_units *u, size_t n, const bool *in, dp_makes makes, dp_str text)
{
    for (size_t i = 0; i < n; i++) {
        if (in[i] && makes(u->v[i].rule, text))
            return false;
    }
    return true;
}

/* Whether a rule uses up something that there is less of each time it fires: a segment of one text, a host, a scheme
 * that none of the units makes. */
static bool uses_up(const dp_units *u, size_t n, const bool *in, const dp_rule *r)
{
    const dp_template *left = r->left, *right = r->right;
    if (left->host.n && right->host.n && !dp_str_eq(left->host, right->host) &&
        nobody_makes(u, n, in, makes_host, left->host))
        return true;
    if (left->scheme.n && right->scheme.n && !dp_str_eq(left->scheme, right->scheme) &&
        nobody_makes(u, n, in, makes_scheme, left->scheme))
        return true;
    for (size_t i = 0; i < left->nseg; i++) {
        const dp_pat *p = &left->seg[i];
        dp_str        text = p->n == 1 && p->v[0].kind == DP_ITEM_LITERAL ? p->v[0].text : DP_STR("");
        if (text.n && count_text(left, text) > count_text(right, text) && nobody_makes(u, n, in, may_make, text))
            return true;
    }
    return false;
}

/* What fires without end must be fed by what does, and uses nothing up that is not made anew. So units that are not
 * fed, or use something up, are taken away until none is left. Drops make nothing, and have less to drop each time. */
bool dp_units_end(dp_units *u, size_t n, const bool *fed)
{
    bool *in = DP_NEWS(&u->arena, n, bool);
    size_t left = 0, before;
    u->failed |= !in;
    for (size_t i = 0; in && i < n; i++)
        left += in[i] = !u->v[i].refused && u->v[i].rule->kind == DP_RULE_REWRITE;
    do {
        before = left;
        for (size_t i = 0; in && i < n; i++) {
            bool is_fed = false;
            for (size_t j = 0; in[i] && j < n && !is_fed; j++)
                is_fed = in[j] && fed[j * u->n + i];
            if (in[i] && (!is_fed || uses_up(u, n, in, u->v[i].rule))) {
                in[i] = false;
                left--;
            }
        }
    } while (left && left < before);
    return in && !left;
}
