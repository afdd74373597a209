/* SPDX-License-Identifier: Apache-2.0 */
#include "exchange/units.h"

#include "base/room.h"
#include "url/chars.h"

#include <inttypes.h>
#include <stdlib.h>

void dp_units_done(dp_units *u)
{
    free(u->v);
    dp_arena_done(&u->arena);
    dp_buf_done(&u->refusals);
    *u = (dp_units){0};
}

/* ---- refusals ---------------------------------------------------------------------------------- */

static void refuse_order(dp_units *u, const dp_block *b)
{
    dp_buf_printf(&u->refusals, "%.*s:%zu: 'order any' skipped: %s cannot sort parameters\n", DP_FMT(b->file),
                  b->order_line, u->tool);
    u->nlines++;
}

void dp_units_refuse(dp_units *u, const dp_rule *r, dp_str why)
{
    bool first = true;
    for (size_t i = 0; i < u->n; i++) {
        if (u->v[i].rule == r) {
            first &= !u->v[i].refused;
            u->v[i].refused = true;
        }
    }
    if (!first)
        return;
    dp_buf_printf(&u->refusals, "%.*s:%zu: rule %08" PRIx64 " skipped: %.*s\n", DP_FMT(r->file), r->line, r->id >> 32,
                  DP_FMT(why));
    u->nrefused++;
}

void dp_units_refuse_feature(dp_units *u, const dp_rule *r, const char *what)
{
    dp_buf why = {0};
    dp_buf_printf(&why, "%s %s", u->cannot, what);
    u->failed |= why.failed;
    dp_units_refuse(u, r, dp_buf_view(&why));
    dp_buf_done(&why);
}

/* ---- what can be expressed ----------------------------------------------------------------------- */

static const dp_item *capture_of(const dp_pat *p, size_t *n)
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

/* How often a capture of that name stands in the template. */
static size_t count_name(const dp_template *t, dp_str name)
{
    size_t n = 0;
    for (size_t i = 0; i < t->nseg; i++) {
        for (size_t j = 0; j < t->seg[i].n; j++)
            n += t->seg[i].v[j].kind == DP_ITEM_CAPTURE && dp_str_eq(t->seg[i].v[j].text, name);
    }
    return n;
}

static const char *refuse_left(const dp_template *t)
{
    if (t->port >= 0)
        return "a port in a template";
    if (t->label.n)
        return "a captured host label";
    if (t->nseg > DP_UNIT_SEGMENTS)
        return "a template of more than 64 segments";
    for (size_t i = 0; i < t->nseg; i++) {
        size_t         n;
        const dp_item *c = capture_of(&t->seg[i], &n);
        if (n > 1)
            return "two captures in one path segment";
        if (n && c->length && c->cls == DP_CLASS_SLUG)
            return "a slug of a fixed length";
        if (n && c->kind == DP_ITEM_CAPTURE && count_name(t, c->text) > 1)
            return "the same capture twice in a template";
        if (n && c + 1 < t->seg[i].v + t->seg[i].n && dp_is(c[1].text.p[0], DP_CH_HEX))
            return "a hexadecimal digit right after a capture: it might cut an escape (%XX) in two";
    }
    return NULL;
}

static bool only_dots(dp_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] != '.')
            return false;
    }
    return true;
}

static const char *refuse_right(const dp_template *t, const dp_template *left)
{
    if (t->port >= 0)
        return "a port in a template";
    if (t->label.n)
        return "a captured host label";
    if (t->nseg == 1 && t->glob == 0 && left->nseg > 1)
        return "a path that may become empty";
    /* A last {**} takes a trailing slash along, which may stand only at the end. */
    if (t->glob != DP_NO_GLOB && t->glob + 1 < t->nseg && left->glob + 1 == left->nseg)
        return "a path that may get an empty segment";
    for (size_t i = 0; i < t->nseg; i++) {
        const dp_pat *p = &t->seg[i];
        bool          dots = p->n > 1;
        if (!p->n && i != t->glob && i + 1 < t->nseg)
            return "a path that gets an empty segment";
        for (size_t j = 0; j < p->n; j++) {
            if (p->v[j].kind == DP_ITEM_STAR)
                return "an erased value (*)";
            if (p->v[j].conv != DP_CONV_NONE)
                return "a conversion such as {a|lower}";
            if (p->v[j].kind == DP_ITEM_LITERAL)
                dots &= only_dots(p->v[j].text);
        }
        if (dots)
            return "a path segment that may become dots";
    }
    return NULL;
}

static const char *refuse_rewrite(const dp_rule *r)
{
    if (r->left->has_query || r->right->has_query)
        return "a query in a template";
    const char *why = refuse_left(r->left);
    return why ? why : refuse_right(r->right, r->left);
}

static const char *refuse_kind(const dp_units *u, const dp_rule *r)
{
    if (!u->only && r->kind == DP_RULE_ONLY)
        return "a list of the parameters that stay (only)";
    return u->drops && r->kind == DP_RULE_REWRITE ? "a rewrite of the path; it can only drop parameters" : NULL;
}

static const char *refuse_condition(const dp_template *t)
{
    return t->has_query ? "a condition on parameters" : refuse_left(t);
}

static const char *refuse_conditions(const dp_units *u, const dp_rule *r)
{
    const char *why = NULL;
    if (u->conditions == DP_CONDITIONS_NONE)
        return r->on || r->nunless ? "a condition (on, unless)" : r->has_if ? "a condition on the value (if)" : NULL;
    if (r->on)
        why = refuse_condition(r->on);
    for (size_t i = 0; i < r->nunless && !why; i++)
        why = refuse_condition(r->unless[i]);
    return why;
}

static const char *refuse_rule(const dp_units *u, const dp_rule *r)
{
    const char *why = refuse_conditions(u, r);
    if (why)
        return why;
    switch (r->kind) {
    case DP_RULE_REWRITE: return refuse_rewrite(r);
    case DP_RULE_DROP: return r->names.kind != '?' ? "a path parameter (;name)" : NULL;
    case DP_RULE_ONLY: return r->names.kind != '?' ? "a path parameter (;name)" : NULL;
    case DP_RULE_ERASE: return "an erased value (erase)";
    case DP_RULE_SET: return "a fixed value (set)";
    case DP_RULE_FOLD_PATH:
    case DP_RULE_FOLD_QUERY:
    case DP_RULE_FOLD_NAMES: return "a change of case (fold case)";
    case DP_RULE_SUB: return "a text substitution (sub)";
    }
    return NULL;
}

/* ---- keep lines ------------------------------------------------------------------------------------ */

static bool names_meet(const dp_names *a, const dp_names *b)
{
    for (size_t i = 0; a->kind == b->kind && i < a->n; i++) {
        for (size_t j = 0; j < b->n; j++) {
            const dp_name *x = &a->v[i], *y = &b->v[j];
            if (dp_name_fits(x, y->text) || dp_name_fits(y, x->text))
                return true;
        }
    }
    return false;
}

/* Whether a keep line of these names might protect what the rule removes. */
static bool may_keep(const dp_names *names, const dp_rule *r)
{
    return r->kind == DP_RULE_ONLY ? names->kind == '?' : r->kind == DP_RULE_DROP && names_meet(names, &r->names);
}

/* Refuse a rule that some keep line of the file might hold back. Pinned rules do not ask. */
static bool refuse_kept(dp_units *u, const dp_rules *all, const dp_rule *r)
{
    for (size_t i = 0; r->state != DP_PIN && i < all->nblock; i++) {
        const dp_block *b = all->block[i];
        for (size_t j = 0; !b->off && j < b->nkeep; j++) {
            if (!b->keep[j].tpl && !may_keep(&b->keep[j].names, r))
                continue;
            dp_buf why = {0};
            dp_buf_printf(&why, "the keep line %.*s:%zu may protect URLs from it, and %s has no such exceptions",
                          DP_FMT(b->file), b->keep[j].line, u->tool);
            u->failed |= why.failed;
            dp_units_refuse(u, r, dp_buf_view(&why));
            dp_buf_done(&why);
            return true;
        }
    }
    return false;
}

/* ---- units and their order --------------------------------------------------------------------------- */

static void add_unit(dp_units *u, const dp_rule *r, const dp_scope **scope, size_t n)
{
    if (!DP_ROOM(u->v, u->n, u->cap)) {
        u->failed = true;
        return;
    }
    u->v[u->n] = (dp_export_unit){r, scope, n, u->n, false};
    u->n++;
}

/* Scopes of one place: names; wildcards of one length, for those of another match before or after them; any. */
static bool same_place(const dp_scope *a, const dp_scope *b)
{
    return a->any == b->any && a->wildcard == b->wildcard && (!a->wildcard || a->name.n == b->name.n);
}

static void take_rule(dp_units *u, const dp_rule *r)
{
    const dp_block *b = r->block;
    bool           *done = DP_NEWS(&u->arena, b->nscope, bool);
    u->failed |= !done;
    for (size_t i = 0; done && i < b->nscope; i++) {
        if (done[i])
            continue;
        const dp_scope **scope = DP_NEWS(&u->arena, b->nscope, const dp_scope *);
        size_t           n = 0;
        if (!scope) {
            u->failed = true;
            return;
        }
        for (size_t j = i; j < b->nscope; j++) {
            if (!done[j] && same_place(&b->scope[i], &b->scope[j])) {
                scope[n++] = &b->scope[j];
                done[j] = true;
            }
        }
        add_unit(u, r, scope, n);
    }
}

static int place_of(const dp_scope *s)
{
    return s->any ? 2 : s->wildcard ? 1 : 0;
}

/* Pinned rules first; names, then wildcards, the longest first, then any; then the order of the lines. */
static int by_place(const void *x, const void *y)
{
    const dp_export_unit *a = x, *b = y;
    int                   p = (a->rule->state != DP_PIN) - (b->rule->state != DP_PIN);
    int                   q = place_of(a->scope[0]) - place_of(b->scope[0]);
    if (p || q)
        return p ? p : q;
    if (a->scope[0]->wildcard && a->scope[0]->name.n != b->scope[0]->name.n)
        return a->scope[0]->name.n > b->scope[0]->name.n ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static bool fires(const dp_rule *r, bool likely)
{
    return r->state == DP_ACTIVE || r->state == DP_PIN || (likely && r->state == DP_LIKELY);
}

static const char *refuse_scope(const dp_rule *r)
{
    for (size_t i = 0; i < r->block->nscope; i++) {
        const dp_scope *s = &r->block->scope[i];
        if (s->port >= 0)
            return "a port in the host line";
        if (s->any && r->right && !r->left->host.n && (r->right->host.n || r->right->scheme.n))
            return "a change of scheme or host under 'host any'";
    }
    return NULL;
}

void dp_units_take(dp_units *u, const dp_rules *r, bool likely)
{
    for (size_t i = 0; i < r->nblock; i++) {
        const dp_block *b = r->block[i];
        if (!b->off && b->order == DP_ORDER_ANY)
            refuse_order(u, b);
        for (size_t j = 0; !b->off && j < b->nrule; j++) {
            const dp_rule *rule = b->rule[j];
            const char    *why;
            u->nlikely += !likely && rule->state == DP_LIKELY;
            if (!fires(rule, likely))
                continue;
            u->nrules++;
            if ((why = refuse_kind(u, rule)) || (why = refuse_scope(rule)) || (why = refuse_rule(u, rule)))
                dp_units_refuse_feature(u, rule, why);
            else if (!refuse_kept(u, r, rule))
                take_rule(u, rule);
        }
    }
    if (u->n)
        qsort(u->v, u->n, sizeof *u->v, by_place);
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

/* Whether some segment may fit both. */
static bool segments_meet(const dp_pat *a, const dp_pat *b)
{
    size_t na, nb;
    capture_of(a, &na);
    capture_of(b, &nb);
    dp_str x = end_of(a, false), y = end_of(b, false), p = end_of(a, true), q = end_of(b, true);
    if (!na && !nb)
        return dp_str_eq(x, y);
    if ((!na && (!a->n || x.n < y.n + (nb ? 1 : 0))) || (!nb && (!b->n || y.n < x.n + (na ? 1 : 0))))
        return false; /* a capture is never empty */
    return (dp_str_starts(x, y) || dp_str_starts(y, x)) && (dp_str_ends(p, q) || dp_str_ends(q, p));
}

/* Whether some path may fit the segments of `a` from `i` on and those of `b` from `j` on. */
static bool paths_meet(const dp_template *a, size_t i, const dp_template *b, size_t j)
{
    if (i == a->nseg && j == b->nseg)
        return true;
    if (i < a->nseg && i == a->glob)
        return paths_meet(a, i + 1, b, j) || (j < b->nseg && paths_meet(a, i, b, j + 1));
    if (j < b->nseg && j == b->glob)
        return paths_meet(a, i, b, j + 1) || (i < a->nseg && paths_meet(a, i + 1, b, j));
    return i < a->nseg && j < b->nseg && segments_meet(&a->seg[i], &b->seg[j]) && paths_meet(a, i + 1, b, j + 1);
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
    if (b->on && paths_meet(right, 0, b->on, 0) && !says_the_same(left, right, b->on))
        return true;
    for (size_t i = 0; i < b->nunless; i++) {
        if (paths_meet(left, 0, b->unless[i], 0) && !says_the_same(left, right, b->unless[i]))
            return true;
    }
    return false;
}

/* Whether what `a` writes may be what `b` looks for. A drop makes nothing fire; a rewrite that leaves the host makes no
 * drop fire, for it leaves the query, too, unless it changes what a condition says. */
static bool feeds(const dp_export_unit *a, const dp_export_unit *b)
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
    if (!right->host.n && !right->scheme.n && next->glob != DP_NO_GLOB &&
        leaves_ends(left, right, next->glob, next->nseg - next->glob - 1))
        return false;
    return paths_meet(right, 0, next, 0);
}

static void refuse_again(dp_units *u, const dp_rule *r)
{
    dp_buf why = {0};
    dp_buf_printf(&why, "it may make an earlier rule, or itself, match again, and %s goes through its rules only once",
                  u->tool);
    u->failed |= why.failed;
    dp_units_refuse(u, r, dp_buf_view(&why));
    dp_buf_done(&why);
}

void dp_units_settle(dp_units *u)
{
    size_t kept = 0;
    for (size_t i = 0; i < u->n; i++) {
        bool again = u->v[i].refused;
        for (size_t j = 0; !again && j <= i; j++) {
            if ((again = !u->v[j].refused && feeds(&u->v[i], &u->v[j])))
                refuse_again(u, u->v[i].rule);
        }
    }
    for (size_t i = 0; i < u->n; i++) {
        if (!u->v[i].refused)
            u->v[kept++] = u->v[i];
    }
    u->n = kept;
}
