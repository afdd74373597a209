/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/phrase/phrase.h"

#include <stdio.h>

#include "learn/phrase/verb.h"
#include "rule/cursor.h"
#include "rule/print.h"
#include "url/chars.h"
#include "url/percent.h"

const char *dp_unsaid_name(dp_unsaid why)
{
    static const char *const names[] = {"", "same", "literal", "name", "repeated", "capture", "place"};
    return why < DP_COUNT(names) ? names[why] : "";
}

/* ---- a copy that may be changed ----------------------------------------------------------- */

static dp_err copy_pat(dp_pat *out, const dp_pat *p, dp_arena *a)
{
    *out = (dp_pat){NULL, p->n};
    if (p->n && !(out->v = DP_NEWS(a, p->n, dp_item)))
        return DP_ENOMEM;
    if (p->n)
        memcpy(out->v, p->v, p->n * sizeof *p->v);
    return DP_OK;
}

dp_err dp_phrase_copy(dp_template *out, const dp_template *t, dp_arena *a)
{
    *out = *t;
    if (!(out->seg = DP_NEWS(a, t->nseg, dp_pat)) || !(out->query = DP_NEWS(a, t->nquery, dp_query_item)))
        return DP_ENOMEM;
    for (size_t i = 0; i < t->nseg; i++)
        DP_TRY(copy_pat(&out->seg[i], &t->seg[i], a));
    for (size_t i = 0; i < t->nquery; i++) {
        out->query[i] = t->query[i];
        DP_TRY(copy_pat(&out->query[i].pat, &t->query[i].pat, a));
    }
    return DP_OK;
}

/* ---- what can be written -------------------------------------------------------------------- */

/* As dp_cursor_literal, without a message. */
static bool literal_is_good(dp_str s, const char *ends)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == '*' || s.p[i] == '#' || dp_is(s.p[i], DP_CH_ESCAPE) || strchr(ends, s.p[i]))
            return false;
    return dp_percent_is_normal(s);
}

static bool name_is_good(dp_str s)
{
    return s.n && s.p[0] != '+' && s.p[0] != '!' && !dp_str_eq(s, DP_STR("...")) && dp_str_find(s, ',') == s.n &&
           literal_is_good(s, "&;=");
}

static bool is_dots(const dp_pat *p)
{
    return p->n == 1 && p->v[0].kind == DP_ITEM_LITERAL &&
           (dp_str_eq(p->v[0].text, DP_STR(".")) || dp_str_eq(p->v[0].text, DP_STR("..")));
}

static dp_unsaid check_pat(const dp_pat *p, const char *ends)
{
    for (size_t i = 0; i < p->n; i++) {
        const dp_item *it = &p->v[i];
        if (i && it[-1].kind != DP_ITEM_LITERAL && it->kind != DP_ITEM_LITERAL)
            return DP_UNSAID_CAPTURE;
        if (it->kind == DP_ITEM_LITERAL && (it->text.n == 0 || !literal_is_good(it->text, ends)))
            return DP_UNSAID_LITERAL;
        for (size_t j = 0; j < it->nlist; j++)
            if (it->list[j].n == 0 || !literal_is_good(it->list[j], ends))
                return DP_UNSAID_LITERAL;
    }
    return is_dots(p) ? DP_UNSAID_LITERAL : DP_SAID;
}

static dp_unsaid check_template(const dp_template *t, bool right)
{
    for (size_t i = 0; i < t->nseg; i++) {
        dp_unsaid why = i == t->glob ? DP_SAID : check_pat(&t->seg[i], "/?");
        if (why != DP_SAID)
            return why;
    }
    for (size_t i = 0; i < t->nquery; i++) {
        const dp_query_item *q = &t->query[i];
        if (!name_is_good(q->name))
            return DP_UNSAID_NAME;
        if (right && (q->k > 1 || dp_query_is_of_all(q)))
            return DP_UNSAID_REPEATED;
        for (size_t j = 0; j < i; j++)
            if (dp_str_eq(q->name, t->query[j].name) &&
                (q->k == t->query[j].k || dp_query_is_of_all(q) || dp_query_is_of_all(&t->query[j])))
                return DP_UNSAID_REPEATED;
        dp_unsaid why = check_pat(&q->pat, "&;");
        if (why != DP_SAID)
            return why;
    }
    return DP_SAID;
}

static dp_unsaid check_pair(const dp_template *left, const dp_template *right)
{
    if ((right->glob != DP_NO_GLOB && left->glob == DP_NO_GLOB) || left->open != right->open)
        return DP_UNSAID_PLACE;
    for (size_t i = 0; i < dp_template_pats(right); i++)
        for (size_t j = 0; j < dp_template_pat(right, i)->n; j++) {
            const dp_item *it = &dp_template_pat(right, i)->v[j];
            if (it->kind == DP_ITEM_CAPTURE && !dp_template_captures(left, it->text))
                return DP_UNSAID_CAPTURE;
        }
    return DP_SAID;
}

/* ---- names of captures ------------------------------------------------------------------------ */

typedef struct renaming {
    dp_str *was, *is; /* [n] of captures, in the order of the left side */
    size_t  n;
} renaming;

static size_t find_text(const dp_str *v, size_t n, dp_str s)
{
    size_t i = 0;
    while (i < n && !dp_str_eq(v[i], s))
        i++;
    return i;
}

static bool is_identifier(dp_str s)
{
    size_t n = 0;
    if (s.n && (dp_is(s.p[0], DP_CH_ALPHA) || s.p[0] == '_'))
        while (n < s.n && (dp_is(s.p[n], DP_CH_ALNUM) || s.p[n] == '_'))
            n++;
    return n && n == s.n;
}

/* a, b, ... z, a1, b1, ... */
static dp_str letter(size_t i, dp_arena *a)
{
    char  *p = dp_arena_alloc(a, 24);
    size_t n = 0;
    if (!p)
        return (dp_str){NULL, 0};
    p[n++] = (char)('a' + i % 26);
    for (size_t rest = i / 26; rest; rest /= 10)
        p[n++] = (char)('0' + rest % 10);
    return (dp_str){p, n};
}

/* A capture that nothing refers to is a star. */
static void free_to_stars(dp_template *t, const dp_template *left, const dp_template *right)
{
    for (size_t i = 0; i < dp_template_pats(t); i++)
        for (size_t j = 0; j < dp_template_pat(t, i)->n; j++) {
            dp_item *it = &dp_template_pat(t, i)->v[j];
            if (it->kind == DP_ITEM_CAPTURE && it->cls == DP_CLASS_ANY && dp_template_captures(left, it->text) == 1 &&
                (!right || !dp_template_captures(right, it->text)))
                it->kind = DP_ITEM_STAR;
        }
}

void dp_phrase_star(dp_template *t)
{
    free_to_stars(t, t, NULL);
}

static dp_err name_captures(renaming *r, const dp_template *left, dp_arena *a)
{
    size_t all = 0, letters = 0;
    for (size_t i = 0; i < dp_template_pats(left); i++)
        all += dp_template_pat(left, i)->n;
    if (!(r->was = DP_NEWS(a, all, dp_str)) || !(r->is = DP_NEWS(a, all, dp_str)))
        return DP_ENOMEM;
    for (size_t i = 0; i < dp_template_pats(left); i++)
        for (size_t j = 0; j < dp_template_pat(left, i)->n; j++) {
            const dp_item *it = &dp_template_pat(left, i)->v[j];
            if (it->kind == DP_ITEM_CAPTURE && find_text(r->was, r->n, it->text) == r->n)
                r->was[r->n++] = it->text;
        }
    for (size_t i = 0; i < left->nquery; i++) {
        const dp_query_item *q = &left->query[i];
        if (q->pat.n != 1 || q->pat.v[0].kind != DP_ITEM_CAPTURE || !is_identifier(q->name))
            continue;
        size_t at = find_text(r->was, r->n, q->pat.v[0].text);
        if (!r->is[at].n && find_text(r->is, r->n, q->name) == r->n)
            r->is[at] = q->name;
    }
    for (size_t i = 0; i < r->n; i++)
        while (!r->is[i].n) {
            dp_str s = letter(letters++, a);
            if (!s.p)
                return DP_ENOMEM;
            if (find_text(r->is, r->n, s) == r->n)
                r->is[i] = s;
        }
    return DP_OK;
}

static void rename_in(dp_template *t, const renaming *r)
{
    for (size_t i = 0; i < dp_template_pats(t); i++)
        for (size_t j = 0; j < dp_template_pat(t, i)->n; j++) {
            dp_item *it = &dp_template_pat(t, i)->v[j];
            if (it->kind == DP_ITEM_CAPTURE)
                it->text = r->is[find_text(r->was, r->n, it->text)];
        }
}

/* ---- what need not be written ------------------------------------------------------------------ */

static bool begins_empty(const dp_template *t)
{
    return t->nseg > 1 && t->glob != 0 && t->seg[0].n == 0;
}

static bool is_only_host(const dp_template *t, dp_str hosts)
{
    char   port[16] = "";
    size_t n = 0;
    if (t->port >= 0)
        n = (size_t)snprintf(port, sizeof port, ":%d", t->port);
    return dp_str_starts(hosts, t->host) && dp_str_eq(dp_str_cut(hosts, t->host.n, hosts.n), (dp_str){port, n});
}

/* The one name of the host line, when it is a plain one. */
static dp_str only_name(dp_str hosts)
{
    bool plain = hosts.n && hosts.p[0] != '*' && !dp_str_eq(hosts, DP_STR("any"));
    for (size_t i = 0; i < hosts.n; i++)
        plain &= hosts.p[i] != ',' && hosts.p[i] != ':' && hosts.p[i] != ' ';
    return plain ? hosts : (dp_str){NULL, 0};
}

/* A path that begins with an empty segment needs its host before it. */
static dp_unsaid keep_host(dp_template *t, const dp_template *full, dp_str hosts)
{
    if (!begins_empty(t) || t->host.n)
        return DP_SAID;
    t->host = full->host.n ? full->host : only_name(hosts);
    t->port = full->host.n ? full->port : -1;
    return t->host.n ? DP_SAID : DP_UNSAID_PLACE;
}

/* What the right side leaves out is the left side's. */
static void complete(dp_template *right, const dp_template *left)
{
    if (!right->scheme.n)
        right->scheme = left->scheme;
    if (!right->host.n)
        right->host = left->host, right->port = left->port;
}

static dp_unsaid shorten(dp_template *left, dp_template *right, dp_str hosts)
{
    const dp_template full = *left;
    if (dp_str_eq(left->scheme, right->scheme))
        right->scheme = (dp_str){NULL, 0};
    if (dp_str_eq(left->host, right->host) && left->port == right->port)
        right->host = (dp_str){NULL, 0}, right->port = -1;
    if (left->host.n && is_only_host(left, hosts))
        left->host = (dp_str){NULL, 0}, left->port = -1;
    bool open = left->open, pairs = left->nquery || right->nquery;
    bool written = open ? pairs : left->has_query || right->has_query;
    left->has_query = written && (open || left->nquery || !right->nquery);
    right->has_query = written && (open || right->nquery);
    left->open = right->open = open && pairs;
    dp_unsaid why = keep_host(left, &full, hosts);
    return why == DP_SAID ? keep_host(right, &full, hosts) : why;
}

/* ---- whole --------------------------------------------------------------------------------------- */

static bool has_star(const dp_template *t)
{
    for (size_t i = 0; i < dp_template_pats(t); i++)
        for (size_t j = 0; j < dp_template_pat(t, i)->n; j++)
            if (dp_template_pat(t, i)->v[j].kind == DP_ITEM_STAR)
                return true;
    return false;
}

/* Whether the sides differ; equal texts do where a star makes all values one. */
static dp_err changes(bool *out, const dp_template *left, const dp_template *right)
{
    dp_buf l = {0}, r = {0};
    dp_print_template(&l, left);
    dp_print_template(&r, right);
    dp_err e = l.failed || r.failed ? DP_ENOMEM : DP_OK;
    *out = e == DP_OK && (!dp_str_eq(dp_buf_view(&l), dp_buf_view(&r)) || has_star(right));
    dp_buf_done(&l);
    dp_buf_done(&r);
    return e;
}

static dp_err keep_text(dp_phrase *out, dp_buf *b, dp_arena *a)
{
    dp_err e = b->failed ? DP_ENOMEM : DP_OK;
    if (e == DP_OK && (!out->text.n || b->n <= out->text.n)) {
        dp_str s = dp_arena_str(a, dp_buf_view(b));
        e = s.p ? DP_OK : DP_ENOMEM;
        out->text = s.p ? s : out->text;
    }
    dp_buf_done(b);
    return e;
}

static dp_err say(dp_phrase *out, dp_template *left, dp_template *right, dp_str hosts, dp_arena *a)
{
    dp_rule verb;
    bool    found;
    dp_buf  b = {0};
    if ((out->why = shorten(left, right, hosts)) != DP_SAID)
        return DP_OK;
    dp_print_text(&b, &(dp_rule){.kind = DP_RULE_REWRITE, .left = left, .right = right});
    DP_TRY(keep_text(out, &b, a));
    DP_TRY(dp_phrase_verb(&verb, &found, left, right, a));
    if (!found)
        return DP_OK;
    b = (dp_buf){0};
    dp_print_text(&b, &verb);
    return keep_text(out, &b, a);
}

dp_err dp_phrase_say(dp_phrase *out, const dp_template *left, const dp_template *right, dp_str hosts, dp_arena *a)
{
    dp_template l, r;
    renaming    names = {0};
    bool        is_change;
    *out = (dp_phrase){.why = check_template(left, false)};
    if (out->why == DP_SAID)
        out->why = check_template(right, true);
    if (out->why == DP_SAID)
        out->why = check_pair(left, right);
    if (out->why != DP_SAID)
        return DP_OK;
    DP_TRY(dp_phrase_copy(&l, left, a));
    DP_TRY(dp_phrase_copy(&r, right, a));
    complete(&r, &l);
    free_to_stars(&l, left, right);
    DP_TRY(name_captures(&names, &l, a));
    rename_in(&l, &names);
    rename_in(&r, &names);
    DP_TRY(dp_phrase_falls(&out->falls, &l, &r, hosts, a));
    DP_TRY(changes(&is_change, &l, &r));
    if (!is_change) {
        out->why = DP_UNSAID_SAME;
        return DP_OK;
    }
    DP_TRY(say(out, &l, &r, hosts, a));
    if (out->why != DP_SAID)
        out->text = (dp_str){NULL, 0};
    return DP_OK;
}

dp_err dp_phrase_literal(dp_pat *p, dp_str s, dp_arena *a)
{
    dp_item *last = p->n ? &p->v[p->n - 1] : NULL;
    if (s.n == 0)
        return DP_OK;
    if (!last || last->kind != DP_ITEM_LITERAL) {
        p->v[p->n++] = (dp_item){.kind = DP_ITEM_LITERAL, .text = s};
        return DP_OK;
    }
    char *both = dp_arena_alloc(a, last->text.n + s.n);
    if (!both)
        return DP_ENOMEM;
    memcpy(both, last->text.p, last->text.n);
    memcpy(both + last->text.n, s.p, s.n);
    last->text = (dp_str){both, last->text.n + s.n};
    return DP_OK;
}
