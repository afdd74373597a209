/* SPDX-License-Identifier: Apache-2.0 */
#include "exchange/regex.h"

static void add_literal(dp_buf *out, dp_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (strchr("\\.[](){}*+?^$|", s.p[i]) && s.p[i])
            dp_buf_byte(out, '\\');
        dp_buf_byte(out, s.p[i]);
    }
}

/* A bracket that is not asked for: a group in POSIX. */
static const char *open_of(dp_dialect d)
{
    return d == DP_DIALECT_PERL ? "(?:" : "(";
}

static size_t silent(dp_dialect d)
{
    return d == DP_DIALECT_POSIX;
}

/* What may be there, as a group. In Java's dialect it takes part in every match. */
static void add_optional(dp_buf *out, const char *inner, dp_dialect d)
{
    dp_buf_printf(out, d == DP_DIALECT_PERL ? "((?:%s)?)" : "(%s)?", inner);
}

/* ---- scopes ------------------------------------------------------------------------------------------ */

/* The host, and how many groups it has. */
static size_t add_hosts(dp_buf *out, const dp_export_unit *u, dp_dialect d)
{
    const dp_scope *first = u->scope[0];
    if (first->any) {
        /* With its port; a bracket stands first in a POSIX class, and with a backslash in others. */
        dp_buf_c(out, d == DP_DIALECT_PERL ? "[a-z0-9._~:\\[\\]-]+" : "[][a-z0-9._~:-]+");
        return 0;
    }
    if (first->wildcard)
        dp_buf_c(out, "[a-z0-9._~-]+\\.");
    if (u->nscope > 1)
        dp_buf_c(out, open_of(d));
    for (size_t i = 0; i < u->nscope; i++) {
        if (i)
            dp_buf_byte(out, '|');
        add_literal(out, u->scope[i]->name);
    }
    if (u->nscope > 1)
        dp_buf_byte(out, ')');
    return u->nscope > 1 ? silent(d) : 0;
}

void dp_regex_scope(dp_buf *out, const dp_export_unit *u, dp_dialect d)
{
    const char *open = open_of(d);
    dp_buf_printf(out, "[a-z][a-z0-9+.-]*://%s[^/?]*@)?", open);
    add_hosts(out, u, d);
    if (!u->scope[0]->any)
        dp_buf_printf(out, "%s:[0-9]+)?", open);
    dp_buf_byte(out, '/');
}

/* ---- paths ---------------------------------------------------------------------------------------------- */

typedef struct writer {
    dp_buf               *out, *result;
    const dp_rule        *rule;
    dp_dialect            dialect;
    const dp_replacement *how;
    size_t                groups;
    bool                  tests; /* it writes a condition: no groups, and what is erased fits, too */
} writer;

/* Whether a segment on the right is the capture alone. */
static bool stands_alone(const dp_template *right, dp_str name)
{
    for (size_t i = 0; i < right->nseg; i++) {
        const dp_pat *p = &right->seg[i];
        if (p->n == 1 && p->v[0].kind == DP_ITEM_CAPTURE && dp_str_eq(p->v[0].text, name))
            return true;
    }
    return false;
}

static void add_list(dp_buf *out, const dp_item *i)
{
    for (size_t k = 0; k < i->nlist; k++) {
        dp_buf_c(out, k ? "|" : "");
        add_literal(out, i->list[k]);
    }
}

static void add_capture(writer *w, const dp_item *i, bool whole)
{
    static const char *const of[] = {
        [DP_CLASS_INT] = "[0-9]",
        [DP_CLASS_HEX] = "[0-9A-Fa-f]",
        [DP_CLASS_WORD] = "[A-Za-z]",
        [DP_CLASS_SLUG] = "[0-9_-]*[A-Za-z][A-Za-z0-9_-]*",
        [DP_CLASS_UUID] = "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}",
        [DP_CLASS_DATE] = "[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{8}",
    };
    w->groups += !w->tests;
    dp_buf_c(w->out, w->tests ? "(?:" : "(");
    if (i->cls == DP_CLASS_LIST) {
        add_list(w->out, i);
    } else if (i->cls != DP_CLASS_ANY) {
        dp_buf_c(w->out, of[i->cls]);
        if (i->length)
            dp_buf_printf(w->out, "{%zu}", i->length);
        else if (i->cls == DP_CLASS_INT || i->cls == DP_CLASS_HEX || i->cls == DP_CLASS_WORD)
            dp_buf_byte(w->out, '+');
    } else if (w->tests) {
        dp_buf_c(w->out, "[^/?]+");
    } else if (!whole && stands_alone(w->rule->right, i->text)) {
        /* A part of a segment may be dots, which would be no segment of their own. */
        dp_buf_c(w->out, "[^/?*]*[^./?*][^/?*]*|\\.\\.\\.+");
    } else {
        dp_buf_c(w->out, "[^/?*]+");
    }
    dp_buf_byte(w->out, ')');
}

static void add_glob(writer *w, bool alone)
{
    if (w->tests)
        dp_buf_c(w->out, alone ? "/[^?]*" : "(?:/[^?]*)?");
    else if (alone)
        dp_buf_c(w->out, "(/[^?]*)");
    else
        add_optional(w->out, "/[^?]*", w->dialect);
    w->groups += !w->tests;
}

/* A template from its path on; group[i] is that of the capture in segment i, or of {**}. */
static void add_path(writer *w, const dp_template *t, size_t *group)
{
    for (size_t i = 0; i < t->nseg; i++) {
        if (i == t->glob) {
            add_glob(w, t->nseg == 1);
            group[i] = w->groups;
            continue;
        }
        dp_buf_byte(w->out, '/');
        for (size_t j = 0; j < t->seg[i].n; j++) {
            const dp_item *item = &t->seg[i].v[j];
            if (item->kind == DP_ITEM_LITERAL) {
                add_literal(w->out, item->text);
                continue;
            }
            add_capture(w, item, t->seg[i].n == 1);
            group[i] = w->groups;
        }
    }
}

static void add_scheme(dp_buf *out, const dp_template *t)
{
    if (t->scheme.n)
        add_literal(out, t->scheme);
    else
        dp_buf_c(out, "[a-z][a-z0-9+.-]*");
}

/* ---- conditions ------------------------------------------------------------------------------------------- */

static void add_condition(dp_buf *out, const dp_template *t)
{
    writer w = {.out = out, .dialect = DP_DIALECT_PERL, .tests = true};
    size_t group[DP_UNIT_SEGMENTS];
    add_scheme(out, t);
    dp_buf_c(out, t->host.n ? "://(?:[^/?]*@)?" : "://[^/?]*");
    add_literal(out, t->host);
    dp_buf_c(out, t->host.n ? "(?::[0-9]+)?" : "");
    add_path(&w, t, group);
    dp_buf_c(out, "(?:\\?|$)");
}

/* What the whole URL has to be, before anything is taken of it. */
static void add_conditions(dp_buf *out, const dp_rule *r)
{
    if (r->on) {
        dp_buf_c(out, "(?=");
        add_condition(out, r->on);
        dp_buf_byte(out, ')');
    }
    for (size_t i = 0; i < r->nunless; i++) {
        dp_buf_c(out, "(?!");
        add_condition(out, r->unless[i]);
        dp_buf_byte(out, ')');
    }
}

/* ---- drops ---------------------------------------------------------------------------------------------- */

void dp_regex_names(dp_buf *out, const dp_names *names, dp_dialect d)
{
    dp_buf_c(out, open_of(d));
    for (size_t i = 0; i < names->n; i++) {
        if (i)
            dp_buf_byte(out, '|');
        add_literal(out, names->v[i].text);
        if (names->v[i].prefix)
            dp_buf_c(out, "[^=&;]*");
    }
    dp_buf_byte(out, ')');
}

/* A pair that goes: one of the names, with the value that is asked for. */
static void add_pair(dp_buf *out, const dp_export_unit *u)
{
    dp_regex_names(out, &u->rule->names, DP_DIALECT_PERL);
    if (!u->rule->has_if) {
        dp_buf_c(out, "(?:=[^&;]*)?");
        return;
    }
    dp_buf_byte(out, '=');
    add_literal(out, u->rule->value);
}

void dp_regex_drop(dp_buf *out, const dp_export_unit *u, dp_drop_step step, dp_scope_writer scope)
{
    dp_buf_byte(out, '^');
    add_conditions(out, u->rule);
    dp_buf_byte(out, '(');
    scope(out, u, DP_DIALECT_PERL);
    switch (step) {
    case DP_DROP_FIRST:
        dp_buf_c(out, "[^?]*\\?)(?:");
        add_pair(out, u);
        dp_buf_c(out, "[&;])+(.+)$");
        break;
    case DP_DROP_ONLY:
        dp_buf_c(out, "[^?]*)\\?");
        add_pair(out, u);
        dp_buf_c(out, "()$");
        break;
    case DP_DROP_LATER:
        dp_buf_c(out, "[^?]*\\?.*?)(?:[&;]");
        add_pair(out, u);
        dp_buf_c(out, ")+((?:[&;].*)?)$");
        break;
    }
}

void dp_regex_drop_all(dp_buf *out, const dp_export_unit *u, dp_scope_writer scope)
{
    dp_buf_c(out, "(^(?!");
    add_conditions(out, u->rule);
    scope(out, u, DP_DIALECT_PERL);
    dp_buf_c(out, "[^?]*\\?).*$|^[^?]*\\?[^&;]*|[&;](?!");
    add_pair(out, u);
    dp_buf_c(out, "(?:[&;]|$))[^&;]*)|[&;][^&;]*");
}

/* ---- rewrites --------------------------------------------------------------------------------------------- */

static void add_result(writer *w, dp_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        bool digit = s.p[i] >= '0' && s.p[i] <= '9' && strcmp(w->how->before, "$") == 0 && !w->how->after[0];
        if (strchr(w->how->special, s.p[i]) || (digit && strchr(w->how->special, '\\')))
            dp_buf_byte(w->result, '\\');
        dp_buf_byte(w->result, s.p[i]);
    }
}

static void add_group(writer *w, size_t n)
{
    dp_buf_printf(w->result, "%s%zu%s", w->how->before, n, w->how->after);
}

static size_t group_of(const dp_template *left, const size_t *group, dp_str name)
{
    for (size_t i = 0; i < left->nseg; i++) {
        for (size_t j = 0; j < left->seg[i].n; j++) {
            if (left->seg[i].v[j].kind == DP_ITEM_CAPTURE && dp_str_eq(left->seg[i].v[j].text, name))
                return group[i];
        }
    }
    return 0;
}

static void add_right(writer *w, const size_t *group)
{
    const dp_template *t = w->rule->right, *left = w->rule->left;
    for (size_t i = 0; i < t->nseg; i++) {
        if (i == t->glob) {
            add_group(w, group[left->glob]);
            continue;
        }
        dp_buf_byte(w->result, '/');
        for (size_t j = 0; j < t->seg[i].n; j++) {
            const dp_item *item = &t->seg[i].v[j];
            if (item->kind == DP_ITEM_LITERAL)
                add_result(w, item->text);
            else
                add_group(w, group_of(left, group, item->text));
        }
    }
}

static size_t add_host(writer *w, const dp_export_unit *u)
{
    if (!w->rule->left->host.n)
        return add_hosts(w->out, u, w->dialect);
    add_literal(w->out, w->rule->left->host);
    return 0;
}

/* All of it stays: one group. */
static void keep_origin(writer *w, const dp_export_unit *u)
{
    const char *open = open_of(w->dialect);
    dp_buf_byte(w->out, '(');
    add_scheme(w->out, w->rule->left);
    dp_buf_printf(w->out, "://%s[^/?]*@)?", open);
    w->groups = 1 + silent(w->dialect) + add_host(w, u);
    if (!u->scope[0]->any || w->rule->left->host.n) {
        dp_buf_printf(w->out, "%s:[0-9]+)?", open);
        w->groups += silent(w->dialect);
    }
    dp_buf_byte(w->out, ')');
    add_group(w, 1);
}

/* The port, which stays; one that the new scheme has by itself goes, as stage 0 would have it. */
static void add_port(writer *w)
{
    dp_str      scheme = w->rule->right->scheme;
    const char *standard = dp_str_eq(scheme, DP_STR("https")) ? "443" : dp_str_eq(scheme, DP_STR("http")) ? "80" : NULL;
    if (standard && w->dialect == DP_DIALECT_POSIX) {
        dp_buf_printf(w->out, "(:%s|(:[0-9]+))?", standard);
        w->groups++;
    } else {
        if (standard)
            dp_buf_printf(w->out, "(?::%s(?=/))?", standard);
        add_optional(w->out, ":[0-9]+", w->dialect);
    }
    add_group(w, ++w->groups);
}

/* Scheme, user, host and port; what the right side does not write stays. */
static void change_origin(writer *w, const dp_export_unit *u)
{
    enum { SCHEME = 1, USER, HOST };
    const dp_template *right = w->rule->right;
    dp_buf_byte(w->out, '(');
    add_scheme(w->out, w->rule->left);
    dp_buf_c(w->out, ")://");
    add_optional(w->out, "[^/?]*@", w->dialect);
    dp_buf_byte(w->out, '(');
    w->groups = HOST + add_host(w, u);
    dp_buf_byte(w->out, ')');
    if (right->scheme.n)
        add_result(w, right->scheme);
    else
        add_group(w, SCHEME);
    dp_buf_c(w->result, "://");
    add_group(w, USER);
    if (right->host.n)
        add_result(w, right->host);
    else
        add_group(w, HOST);
    add_port(w);
}

size_t dp_regex_rewrite(dp_buf *pattern, dp_buf *result, const dp_export_unit *u, dp_dialect d,
                        const dp_replacement *how)
{
    writer w = {pattern, result, u->rule, d, how, 0, false};
    size_t group[DP_UNIT_SEGMENTS] = {0};
    dp_buf_byte(pattern, '^');
    add_conditions(pattern, u->rule);
    if (u->rule->right->scheme.n || u->rule->right->host.n)
        change_origin(&w, u);
    else
        keep_origin(&w, u);
    add_path(&w, u->rule->left, group);
    add_optional(pattern, "\\?.*", d);
    dp_buf_byte(pattern, '$');
    add_right(&w, group);
    add_group(&w, ++w.groups);
    return w.groups;
}
