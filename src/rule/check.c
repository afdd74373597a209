/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/index.h"
#include "base/order.h"
#include "rule/nameset.h"
#include "rule/print.h"
#include "rule/rulefile.h"
#include "rule/scope.h"

static bool add_error(void *ctx, const dp_error *e)
{
    dp_findings *f = ctx;
    dp_findings_add(f, dp_str_c(e->file), e->line, e->column, dp_str_c(e->message));
    return !f->failed;
}

dp_err dp_check_text(dp_findings *out, dp_rules *r, const char *name, dp_str text)
{
    dp_err e = dp_rulefile_read(r, name, text, add_error, out);
    return out->failed ? DP_ENOMEM : e;
}

/* ---- state of a check ------------------------------------------------------------------- */

typedef struct checker {
    dp_findings    *out;
    const dp_block *b;
    dp_nameset      kept, dropped; /* names of this block */
    const dp_rule  *only[2];       /* unconditional `only` of this block: ?, ; */
    const dp_rule **rule;          /* [index.n] that were read, by their ids */
    dp_index        index;
    dp_buf          text, other;
} checker;

static void find(checker *c, const dp_rule *r, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void find(checker *c, const dp_rule *r, const char *format, ...)
{
    char    message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    dp_findings_add(c->out, r->file, r->line, r->column, dp_str_c(message));
}

/* ---- one rule before another ------------------------------------------------------------ */

static bool fetches(const dp_rule *r)
{
    return (r->state == DP_PIN || dp_rule_by(r, "fetch") || dp_rule_by(r, "redirect")) && !dp_rule_erases(r);
}

/* Whether `e`, which stands earlier, can fire and comes first wherever `r` can fire,
 * under all options. Keep lines have no rule and answer for all. */
static bool answers(const dp_rule *e, const dp_rule *r)
{
    if (!e || e->state == DP_PIN)
        return true;
    if (!r || r->state == DP_PIN || e->state == DP_OFF || (e->state == DP_LIKELY && r->state != DP_LIKELY))
        return false;
    return dp_rule_number(e, "p", 2) >= dp_rule_number(r, "p", 2) && (fetches(e) || !fetches(r));
}

static bool is_unconditional_drop(const dp_rule *r)
{
    return r->kind == DP_RULE_DROP && !r->has_if && !r->on && r->nunless == 0;
}

static void check_repeat(checker *c, const dp_rule *r)
{
    uint32_t      i;
    dp_index_walk w = dp_index_from(&c->index, r->id);
    while (dp_index_next(&w, &i)) {
        const dp_rule *e = c->rule[i];
        if (e->id != r->id || !dp_str_eq(e->text, r->text))
            continue;
        if (answers(e, r))
            find(c, r, "repeats the rule in line %zu and can never fire", e->line);
        else
            c->rule[i] = r;
        return;
    }
    c->rule[dp_index_end(&c->index, &w)] = r;
}

/* ---- names ------------------------------------------------------------------------------ */

/* Whether all names of the rule are in the set; `*by` is then who said the last of them. */
static bool all_in(const dp_nameset *s, const dp_rule *r, const dp_rule **by)
{
    for (size_t i = 0; i < r->names.n; i++) {
        const dp_nameset_entry *e = dp_nameset_find(s, r->names.kind, &r->names.v[i], r, answers);
        if (!e)
            return false;
        *by = e->rule;
    }
    return r->names.n > 0;
}

/* Whether the condition wants every parameter absent that the rule speaks of. */
static bool on_excludes(const dp_rule *r, dp_arena *a, bool *failed)
{
    size_t  n = 0;
    dp_str *absent = r->on && r->names.kind == '?' ? DP_NEWS(a, r->on->nquery, dp_str) : NULL;
    if (!r->on || r->names.kind != '?')
        return false;
    if (!absent) {
        *failed = true;
        return false;
    }
    for (size_t i = 0; i < r->on->nquery; i++)
        if (r->on->query[i].kind == DP_QUERY_ABSENT)
            absent[n++] = r->on->query[i].name;
    if (n > 1)
        qsort(absent, n, sizeof *absent, dp_by_bytes);
    for (size_t i = 0; i < r->names.n; i++)
        if (n == 0 || r->names.v[i].prefix || !bsearch(&r->names.v[i].text, absent, n, sizeof *absent, dp_by_bytes))
            return false;
    return true;
}

/* Whether the rule may change any parameter that there is. */
static bool is_of_all(const dp_rule *r)
{
    return r->kind == DP_RULE_FOLD_QUERY || r->kind == DP_RULE_FOLD_NAMES || r->kind == DP_RULE_ONLY;
}

static bool names_every(const dp_names *names)
{
    for (size_t i = 0; i < names->n; i++)
        if (names->v[i].prefix && names->v[i].text.n == 0)
            return true;
    return false;
}

/* Whether all parameters that the rule speaks of were removed by an earlier `only`: it leaves none of them. */
static bool left_out(const dp_rule *only, const dp_rule *r)
{
    if (!only || !answers(only, r) || r->names.n == 0 || r->kind == DP_RULE_ONLY)
        return false;
    for (size_t i = 0; i < r->names.n; i++)
        for (size_t j = 0; j < only->names.n; j++) {
            const dp_name *x = &r->names.v[i], *y = &only->names.v[j];
            if (dp_name_fits(y, x->text) || (x->prefix && dp_name_fits(x, y->text)))
                return false;
        }
    return true;
}

static dp_err check_names(checker *c, const dp_rule *r)
{
    const dp_rule *by = NULL, *only = c->only[r->names.kind == ';'];
    const dp_name  every = {{"", 0}, true};
    const char     kind = r->names.kind == ';' ? ';' : '?';
    bool           failed = false;
    if (r->kind == DP_RULE_ONLY && names_every(&r->names))
        find(c, r, "can never fire: %c* names every parameter, so none is left to remove", kind);
    else if (r->state != DP_PIN && !is_of_all(r) && all_in(&c->kept, r, &by))
        find(c, r, "can never fire: all its parameters are protected by keep lines of this block");
    else if (r->state != DP_PIN && is_of_all(r) && dp_nameset_find(&c->kept, kind, &every, r, answers))
        find(c, r, "can never fire: keep %c* protects every parameter", kind);
    else if (left_out(only, r))
        find(c, r, "can never fire: the rule in line %zu already removes its parameters", only->line);
    else if (r->kind != DP_RULE_ONLY && all_in(&c->dropped, r, &by))
        find(c, r, "can never fire: the rule in line %zu already drops its parameters", by->line);
    else if (r->kind != DP_RULE_ONLY && on_excludes(r, &c->out->arena, &failed))
        find(c, r, "can never fire: its condition requires its parameters to be absent");
    if (is_unconditional_drop(r))
        DP_TRY(dp_nameset_add(&c->dropped, &r->names, r, answers));
    if (r->kind == DP_RULE_ONLY && !r->on && r->nunless == 0 && !only)
        c->only[r->names.kind == ';'] = r;
    return failed ? DP_ENOMEM : DP_OK;
}

/* ---- templates -------------------------------------------------------------------------- */

static bool is_everything(const dp_template *t)
{
    return t->scheme.n == 0 && t->host.n == 0 && t->nseg == 1 && t->glob == 0 && t->nquery == 0;
}

/* Whether the host of some scope is one label and the name of {x}.name. */
static bool is_label_of_scope(const dp_block *b, const dp_template *t)
{
    for (size_t i = 0; t->label.n && i < b->nscope; i++) {
        dp_str name = b->scope[i].name, rest = dp_str_cut(t->host, 1, t->host.n);
        if (!b->scope[i].wildcard && name.n > rest.n && dp_str_ends(name, rest) &&
            !memchr(name.p, '.', name.n - rest.n))
            return true;
    }
    return false;
}

static bool is_outside(const dp_block *b, const dp_template *t)
{
    return t->host.n && b->nscope && !dp_scope_find(b, t->host, t->port) && !is_label_of_scope(b, t);
}

/* A pattern as the right side writes what the left side found: without classes. */
static void print_plain(dp_buf *out, const dp_template *t)
{
    for (size_t i = 0; i < dp_template_pats(t); i++) {
        const dp_pat *p = dp_template_pat(t, i);
        dp_buf_c(out, i == t->glob ? "/{**}" : "/");
        for (size_t j = 0; j < p->n; j++) {
            dp_buf_c(out, p->v[j].kind == DP_ITEM_LITERAL ? "" : p->v[j].conv ? "|" : "{");
            dp_buf_str(out, p->v[j].text);
        }
        if (i >= t->nseg) {
            dp_buf_byte(out, (char)('0' + t->query[i - t->nseg].kind));
            dp_buf_str(out, t->query[i - t->nseg].name);
        }
    }
}

/* Whether the right side writes again what the left side found. Two items or more, or one
 * in an open query, put pairs in another order. */
static bool is_identity(checker *c, const dp_template *l, const dp_template *r)
{
    bool query = l->nquery == 0 && r->nquery == 0 ? true : l->nquery == 1 && r->nquery == 1 && !l->open;
    if (!query || l->open != r->open || (r->scheme.n && !dp_str_eq(l->scheme, r->scheme)) ||
        (r->host.n && !(dp_str_eq(l->host, r->host) && dp_str_eq(l->label, r->label))) ||
        (r->port >= 0 && l->port != r->port))
        return false;
    dp_buf_reset(&c->text);
    dp_buf_reset(&c->other);
    print_plain(&c->text, l);
    print_plain(&c->other, r);
    return dp_str_eq(dp_buf_view(&c->text), dp_buf_view(&c->other));
}

static int by_name_and_k(const void *a, const void *b)
{
    const dp_query_item *x = *(dp_query_item *const *)a, *y = *(dp_query_item *const *)b;
    int                  order = dp_str_cmp(x->name, y->name);
    return order ? order : (x->k > y->k) - (x->k < y->k);
}

/* The item a#k of a closed query for which some earlier one of that name is not taken. */
static dp_err find_gap(const dp_query_item **out, const dp_template *t)
{
    *out = NULL;
    if (t->open || t->nquery == 0)
        return DP_OK;
    const dp_query_item **v = malloc(t->nquery * sizeof *v);
    if (!v)
        return DP_ENOMEM;
    for (size_t i = 0; i < t->nquery; i++)
        v[i] = &t->query[i];
    qsort(v, t->nquery, sizeof *v, by_name_and_k);
    for (size_t i = 0; i < t->nquery && !*out; i++) {
        bool again = i && dp_str_eq(v[i]->name, v[i - 1]->name);
        if (v[i]->k != (again ? v[i - 1]->k + 1 : 1))
            *out = v[i];
    }
    free(v);
    return DP_OK;
}

static dp_err check_rewrite(checker *c, const dp_rule *r)
{
    const dp_query_item *gap;
    DP_TRY(find_gap(&gap, r->left));
    if (gap)
        find(c, r,
             "can never fire: it matches %.*s#%zu but not each one before it, and allows no other parameters (add &... "
             "on both sides)",
             gap->name.n > 60 ? 60 : (int)gap->name.n, gap->name.p, gap->k);
    else if (!dp_rule_erases(r) && is_identity(c, r->left, r->right))
        find(c, r, "can never fire: both sides are the same");
    return DP_OK;
}

/* ---- conditions ------------------------------------------------------------------------- */

static void check_conditions(checker *c, const dp_rule *r)
{
    if (r->on && is_outside(c->b, r->on))
        find(c, r, "can never fire: host '%.*s' of its condition is not in this block", DP_FMT(r->on->host));
    dp_buf_reset(&c->text);
    if (r->on)
        dp_print_template(&c->text, r->on);
    for (size_t i = 0; i < r->nunless; i++) {
        const dp_template *u = r->unless[i];
        dp_buf_reset(&c->other);
        dp_print_template(&c->other, u);
        if (is_everything(u) || (r->on && dp_str_eq(dp_buf_view(&c->text), dp_buf_view(&c->other))))
            find(c, r, "can never fire: its exception matches every URL that it could change");
        else if (is_outside(c->b, u))
            find(c, r, "an exception can never match: host '%.*s' is not in this block", DP_FMT(u->host));
    }
}

static bool any_unpinned(const dp_block *b)
{
    for (size_t i = 0; i < b->nrule; i++)
        if (b->rule[i]->state != DP_PIN && b->rule[i]->state != DP_OFF)
            return true;
    return false;
}

static dp_err check_keeps(checker *c)
{
    for (size_t i = 0; i < c->b->nkeep; i++) {
        const dp_keep *k = &c->b->keep[i];
        dp_rule        at = {.file = c->b->file, .line = k->line, .column = k->column};
        if (k->names.n)
            DP_TRY(dp_nameset_add(&c->kept, &k->names, NULL, answers));
        else if (is_outside(c->b, k->tpl))
            find(c, &at, "can never match: host '%.*s' is not in this block", DP_FMT(k->tpl->host));
        else if (is_everything(k->tpl) && any_unpinned(c->b))
            find(c, &at, "protects every URL: only pinned rules of this block can fire");
    }
    return DP_OK;
}

/* ---- whole ------------------------------------------------------------------------------ */

static dp_err check_block(checker *c, const dp_block *b)
{
    c->b = b;
    dp_nameset_reset(&c->kept);
    dp_nameset_reset(&c->dropped);
    c->only[0] = c->only[1] = NULL;
    if (b->off)
        return DP_OK;
    DP_TRY(check_keeps(c));
    for (size_t i = 0; i < b->nrule; i++) {
        const dp_rule *r = b->rule[i];
        if (r->state == DP_OFF)
            continue;
        size_t before = c->out->n;
        if (b->nscope)
            check_repeat(c, r);
        if (c->out->n > before)
            continue;
        check_conditions(c, r);
        if (r->kind == DP_RULE_REWRITE)
            DP_TRY(check_rewrite(c, r));
        else if (r->kind == DP_RULE_SUB && dp_str_eq(r->alpha, r->beta))
            find(c, r, "can never fire: both texts are the same");
        else
            DP_TRY(check_names(c, r));
        if (c->out->failed || c->text.failed || c->other.failed)
            return DP_ENOMEM;
    }
    return DP_OK;
}

dp_err dp_check_rules(dp_findings *out, const dp_rules *r)
{
    checker c = {.out = out, .rule = calloc(r->nrule + 1, sizeof *c.rule)};
    dp_err  e = c.rule && dp_index_reserve(&c.index, r->nrule) ? DP_OK : DP_ENOMEM;
    for (size_t i = 0; i < r->nblock && e == DP_OK; i++)
        e = check_block(&c, r->block[i]);
    free(c.rule);
    dp_index_done(&c.index);
    dp_nameset_done(&c.kept);
    dp_nameset_done(&c.dropped);
    dp_buf_done(&c.text);
    dp_buf_done(&c.other);
    return out->failed ? DP_ENOMEM : e;
}
