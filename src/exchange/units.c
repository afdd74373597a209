/* SPDX-License-Identifier: Apache-2.0 */
#include "exchange/units.h"

#include "base/room.h"
#include "exchange/feeds.h"
#include "url/chars.h"
#include "url/mask.h"

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
        const dp_item *c = dp_pat_capture(&t->seg[i], &n);
        if (n > 1)
            return "two captures in one path segment";
        if (n && c->length && c->cls == DP_CLASS_SLUG)
            return "a slug of a fixed length";
        if (n && c->kind == DP_ITEM_CAPTURE && dp_template_count(t, c->text) > 1)
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
    case DP_RULE_DROP: return r->names.kind != '?' && !u->path_params ? "a path parameter (;name)" : NULL;
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

/* ---- what is not for everybody --------------------------------------------------------------------- */

static const char *refuse_text(dp_str text)
{
    return dp_mask_is_personal(text) ? "a value in it looks like an e-mail address or an IP address" : NULL;
}

/* ";name=value" in a literal, and the literal itself. */
static const char *refuse_literal(dp_str s)
{
    const char *why = refuse_text(s);
    for (size_t at = 0, end; at < s.n && !why; at = end + 1) {
        const char *stop = memchr(s.p + at, ';', s.n - at), *eq;
        end = stop ? (size_t)(stop - s.p) : s.n;
        if (!(eq = memchr(s.p + at, '=', end - at)))
            continue;
        size_t sign = (size_t)(eq - s.p);
        if (sign + 1 < end && dp_mask_is_secret(dp_str_cut(s, at, sign)))
            why = "a path parameter in it may be secret, by its name";
        else
            why = refuse_text(dp_str_cut(s, sign + 1, end));
    }
    return why;
}

static const char *refuse_template(const dp_template *t)
{
    const char *why = NULL;
    for (size_t i = 0; t && i < t->nseg; i++) {
        for (size_t j = 0; j < t->seg[i].n && !why; j++) {
            const dp_item *c = &t->seg[i].v[j];
            if (c->kind == DP_ITEM_LITERAL)
                why = refuse_literal(c->text);
            for (size_t k = 0; k < c->nlist && !why; k++)
                why = refuse_literal(c->list[k]);
        }
    }
    return why;
}

/* Files of other tools are read by others: a value that only one visitor has is not for them. */
static const char *refuse_secret(const dp_rule *r)
{
    const char *why = refuse_template(r->left);
    for (size_t i = 0; r->has_if && r->value.n && i < r->names.n && !why; i++)
        why = dp_mask_is_secret(r->names.v[i].text) ? "the value in it may be secret, by the name of its parameter"
                                                    : NULL;
    if (!why && r->has_if)
        why = refuse_text(r->value);
    if (!why)
        why = refuse_template(r->right);
    if (!why)
        why = refuse_template(r->on);
    for (size_t i = 0; i < r->nunless && !why; i++)
        why = refuse_template(r->unless[i]);
    return why;
}

/* Say that a rule shows what may be secret. */
static void refuse_shown(dp_units *u, const dp_rule *r, const char *what)
{
    dp_buf why = {0};
    dp_buf_printf(&why, "%s, and the file of another tool may be public; --examples raw exports it", what);
    u->failed |= why.failed;
    dp_units_refuse(u, r, dp_buf_view(&why));
    dp_buf_done(&why);
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
    u->v[u->n] = (dp_export_unit){.rule = r, .scope = scope, .nscope = n, .number = u->n};
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
            else if (!u->secrets && (why = refuse_secret(rule)))
                refuse_shown(u, rule, why);
            else if (!refuse_kept(u, r, rule))
                take_rule(u, rule);
        }
    }
    if (u->n)
        qsort(u->v, u->n, sizeof *u->v, by_place);
}

/* ---- what another pass would change ------------------------------------------------------------------ */

static void refuse_again(dp_units *u, const dp_rule *r)
{
    dp_buf why = {0};
    if (u->comes_back)
        dp_buf_c(&why, "it may make itself match again, or a rule after which it matches again, so redirects might "
                       "never end");
    else
        dp_buf_printf(&why,
                      "it may make an earlier rule, or itself, match again, and %s goes through its rules only once",
                      u->tool);
    u->failed |= why.failed;
    dp_units_refuse(u, r, dp_buf_view(&why));
    dp_buf_done(&why);
}

/* Refuse those that feed one before them, or themselves. */
static void settle_one_pass(dp_units *u)
{
    for (size_t i = 0; i < u->n; i++) {
        bool again = u->v[i].refused;
        for (size_t j = 0; !again && j <= i; j++) {
            if ((again = !u->v[j].refused && dp_unit_feeds(&u->v[i], &u->v[j])))
                refuse_again(u, u->v[i].rule);
        }
    }
}

/* Where requests come back, a pass ends behind a unit that feeds one before it, or itself. Refuse those with which it
 * is not certain that all ends. */
static void settle_passes(dp_units *u)
{
    bool *fed = DP_NEWS(&u->arena, u->n * u->n + 1, bool); /* [from * n + to] */
    bool  loops = false;
    u->failed |= !fed;
    for (size_t i = 0; fed && i < u->n; i++) {
        dp_export_unit *unit = &u->v[i];
        for (size_t j = 0; j <= i && !unit->refused; j++) {
            fed[i * u->n + j] = !u->v[j].refused && dp_unit_feeds(unit, &u->v[j]);
            fed[j * u->n + i] = !u->v[j].refused && dp_unit_feeds(&u->v[j], unit);
            unit->ends |= fed[i * u->n + j];
        }
        loops |= unit->ends;
        if (!unit->refused && loops && !dp_units_end(u, i + 1, fed))
            refuse_again(u, unit->rule);
    }
}

void dp_units_settle(dp_units *u)
{
    size_t kept = 0;
    if (u->comes_back && u->n <= DP_UNITS_BACK)
        settle_passes(u);
    else
        settle_one_pass(u);
    for (size_t i = 0; i < u->n; i++) {
        if (!u->v[i].refused)
            u->v[kept++] = u->v[i];
    }
    u->n = kept;
}
