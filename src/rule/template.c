/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/template.h"

#include <stdlib.h>

#include "base/order.h"
#include "rule/pattern.h"
#include "rule/scope.h"
#include "url/chars.h"

/* Bytes of the scheme that `s` begins with, without its ':'; 0 when there is none. */
static size_t scheme_length(dp_str s)
{
    size_t i = 0;
    if (s.n && dp_is(s.p[0], DP_CH_ALPHA))
        while (i < s.n && (dp_is(s.p[i], DP_CH_ALNUM) || s.p[i] == '+' || s.p[i] == '-' || s.p[i] == '.'))
            i++;
    return i < s.n && s.p[i] == ':' ? i : 0;
}

bool dp_template_begins(dp_str word)
{
    return word.n && (word.p[0] == '/' || scheme_length(word) > 0);
}

/* ---- before the path ------------------------------------------------------------------ */

static dp_err read_scheme(dp_template *t, dp_cursor *c, dp_str *rest)
{
    size_t n = scheme_length(*rest);
    if (n == 0)
        return DP_OK;
    t->scheme = dp_str_cut(*rest, 0, n);
    for (size_t i = 0; i < n; i++)
        if (dp_is(rest->p[i], DP_CH_UPPER))
            return dp_cursor_fail(c, rest->p + i, "scheme " DP_SHOW " is not in normal form: write it in lower case",
                                  DP_SHOWN(t->scheme));
    *rest = dp_str_cut(*rest, n + 1, rest->n);
    return DP_OK;
}

/* {x}. before a name; `*s` is moved behind it, to the point. */
static dp_err read_label(dp_template *t, dp_cursor *c, dp_str *s)
{
    dp_str inner = dp_str_cut(*s, 1, s->n);
    size_t n = dp_pattern_capture(inner);
    if (n == 0 || n + 2 >= inner.n || inner.p[n] != '}' || inner.p[n + 1] != '.')
        return dp_cursor_fail(c, s->p,
                              "the host of a template must be a literal name, or {x}.name with a plain capture of one "
                              "label; for many hosts write 'host *.name' above");
    t->label = dp_str_cut(inner, 0, n);
    *s = dp_str_cut(inner, n + 1, inner.n);
    return DP_OK;
}

/* The host of {x}.name: *.name, which a scope can be asked for and no literal is equal to. */
static dp_err set_label_host(dp_template *t, dp_cursor *c, dp_str point_and_name)
{
    char *p = dp_arena_alloc(c->arena, point_and_name.n + 1);
    if (!p)
        return DP_ENOMEM;
    p[0] = '*';
    memcpy(p + 1, point_and_name.p, point_and_name.n);
    t->host = (dp_str){p, point_and_name.n + 1};
    return DP_OK;
}

static dp_err read_host(dp_template *t, dp_cursor *c, dp_str *rest)
{
    if (!dp_str_starts(*rest, DP_STR("//")))
        return DP_OK;
    dp_str s = dp_str_cut(*rest, 2, rest->n);
    if (s.n && s.p[0] == '{')
        DP_TRY(read_label(t, c, &s));
    size_t slash = dp_str_find(s, '/');
    size_t v6 = s.n && s.p[0] == '[' ? dp_str_find(dp_str_cut(s, 0, slash), ']') : 0;
    size_t colon = v6 + dp_str_find(dp_str_cut(s, v6, slash), ':');
    t->host = dp_str_cut(s, 0, colon);
    if (slash == 0)
        return dp_cursor_fail(c, s.p,
                              "a host name is missing after '//' (where a path begins with an empty segment, write its "
                              "host, too)");
    if (dp_str_find(t->host, '@') < t->host.n)
        return dp_cursor_fail(c, s.p,
                              "a template cannot contain user names and passwords: they always stay as they are");
    if (dp_str_find(t->host, '{') < t->host.n || dp_str_find(t->host, '*') < t->host.n)
        return dp_cursor_fail(
            c, s.p,
            "the host of a template must be a literal name, or {x}.name with a plain capture of one label; for many "
            "hosts write 'host *.name' above");
    DP_TRY(dp_cursor_host(c, dp_str_cut(t->host, t->label.n ? 1 : 0, t->host.n)));
    if (t->label.n)
        DP_TRY(set_label_host(t, c, t->host));
    if (colon < slash)
        DP_TRY(dp_cursor_port(&t->port, c, dp_str_cut(s, colon, slash)));
    *rest = dp_str_cut(s, slash, s.n);
    return DP_OK;
}

/* ---- path ------------------------------------------------------------------------------ */

static bool is_dots(dp_str s)
{
    return dp_str_eq(s, DP_STR(".")) || dp_str_eq(s, DP_STR(".."));
}

static dp_err read_segment(dp_template *t, dp_cursor *c, dp_str s, dp_side side)
{
    if (dp_str_eq(s, DP_STR("{**}"))) {
        if (t->glob != DP_NO_GLOB)
            return dp_cursor_fail(c, s.p, "a template can contain {**} only once");
        t->glob = t->nseg++;
        return DP_OK;
    }
    if (is_dots(s))
        return dp_cursor_fail(c, s.p, "segment '%.*s' never occurs after basic URL cleanup: leave it out", DP_FMT(s));
    return dp_pattern_read(&t->seg[t->nseg++], c, s, side, DP_ZONE_PATH);
}

static dp_err read_path(dp_template *t, dp_cursor *c, dp_str path, dp_side side)
{
    size_t n = 0;
    for (size_t i = 0; i < path.n; i++)
        n += path.p[i] == '/';
    if (!(t->seg = DP_NEWS(c->arena, n, dp_pat)))
        return DP_ENOMEM;
    for (size_t i = 1, j; i <= path.n; i = j + 1) {
        j = i + dp_str_find(dp_str_cut(path, i, path.n), '/');
        DP_TRY(read_segment(t, c, dp_str_cut(path, i, j), side));
    }
    return DP_OK;
}

/* ---- query ----------------------------------------------------------------------------- */

/* The number after '#', from 2. */
static dp_err read_k(dp_query_item *q, dp_cursor *c, dp_str digits)
{
    size_t k = 0;
    bool   good = digits.n > 0 && digits.p[0] != '0';
    for (size_t i = 0; i < digits.n && good; i++) {
        good = dp_is(digits.p[i], DP_CH_DIGIT) && k < UINT32_MAX / 10;
        k = k * 10 + (size_t)(digits.p[i] - '0');
    }
    if (!good)
        return dp_cursor_fail(c, digits.p, "expected a number of at least 2 after '#', found " DP_SHOW,
                              DP_SHOWN(digits));
    if (k < 2)
        return dp_cursor_fail(c, digits.p - 1, "write the first one without '#1'");
    q->k = k;
    return DP_OK;
}

static dp_err read_item(dp_query_item *q, dp_cursor *c, dp_str s, dp_side side)
{
    dp_str whole = s;
    *q = (dp_query_item){.kind = DP_QUERY_BARE, .k = 1};
    if (s.n && (s.p[0] == '+' || s.p[0] == '!')) {
        q->kind = s.p[0] == '+' ? DP_QUERY_PRESENT : DP_QUERY_ABSENT;
        s = dp_str_cut(s, 1, s.n);
    }
    size_t eq = dp_str_find(s, '=');
    q->name = dp_str_cut(s, 0, eq);
    size_t hash = dp_str_find(q->name, '#');
    if (side == DP_RIGHT && (q->kind != DP_QUERY_BARE || hash < q->name.n))
        return dp_cursor_fail(c, whole.p, "+a, !a and a#2 are allowed only on the left side and in conditions");
    if (q->kind != DP_QUERY_BARE && (eq < s.n || hash < q->name.n))
        return dp_cursor_fail(c, whole.p, "expected nothing but a name after '%c', found " DP_SHOW, whole.p[0],
                              DP_SHOWN(whole));
    if (hash < q->name.n) {
        DP_TRY(read_k(q, c, dp_str_cut(q->name, hash + 1, q->name.n)));
        q->name = dp_str_cut(q->name, 0, hash);
    }
    DP_TRY(dp_pattern_name(c, q->name, '?'));
    if (eq == s.n)
        return DP_OK;
    q->kind = DP_QUERY_VALUE;
    return dp_pattern_read(&q->pat, c, dp_str_cut(s, eq + 1, s.n), side, DP_ZONE_QUERY);
}

static int by_name_and_k(const void *a, const void *b)
{
    const dp_query_item *x = *(dp_query_item *const *)a, *y = *(dp_query_item *const *)b;
    int                  order = dp_str_cmp(x->name, y->name);
    order = order ? order : (x->k > y->k) - (x->k < y->k);
    return order ? order : (x->name.p > y->name.p) - (x->name.p < y->name.p);
}

/* The same (name, k) once; +a and !a speak of all of that name, so nothing else may. */
static dp_err check_items(const dp_template *t, dp_cursor *c, dp_side side)
{
    const dp_query_item *few[16], **sorted = few;
    if (t->nquery < 2)
        return DP_OK;
    if (t->nquery > DP_COUNT(few) && !(sorted = malloc(t->nquery * sizeof *sorted)))
        return DP_ENOMEM;
    for (size_t i = 0; i < t->nquery; i++)
        sorted[i] = &t->query[i];
    qsort(sorted, t->nquery, sizeof *sorted, by_name_and_k);
    dp_err e = DP_OK;
    for (size_t i = 1; i < t->nquery && e == DP_OK; i++) {
        const dp_query_item *x = sorted[i - 1], *y = sorted[i];
        if (!dp_str_eq(x->name, y->name))
            continue;
        const char *later = x->name.p > y->name.p ? x->name.p : y->name.p;
        if (dp_query_is_of_all(x) || dp_query_is_of_all(y))
            e = dp_cursor_fail(c, later, "+ and ! mean every parameter " DP_SHOW ": it cannot be named again",
                               DP_SHOWN(y->name));
        else if (x->k == y->k)
            e = dp_cursor_fail(c, later, "parameter " DP_SHOW " appears twice%s", DP_SHOWN(y->name),
                               side == DP_RIGHT ? "" : " (write its second occurrence as a#2)");
    }
    if (sorted != few)
        free(sorted);
    return e;
}

static dp_err read_query(dp_template *t, dp_cursor *c, dp_str s, dp_side side)
{
    size_t n = 1;
    for (size_t i = 0; i < s.n; i++)
        n += s.p[i] == '&';
    t->has_query = true;
    if (s.n == 0)
        return side == DP_COND ? dp_cursor_fail(c, s.p, "a condition allows any query: leave out the '?'") : DP_OK;
    if (!(t->query = DP_NEWS(c->arena, n, dp_query_item)))
        return DP_ENOMEM;
    for (size_t i = 0, j; i <= s.n; i = j + 1) {
        j = i + dp_str_find(dp_str_cut(s, i, s.n), '&');
        dp_str item = dp_str_cut(s, i, j);
        if (t->open)
            return dp_cursor_fail(c, item.p - 1, "'...' must be last in a query");
        t->open = dp_str_eq(item, DP_STR("..."));
        if (!t->open)
            DP_TRY(read_item(&t->query[t->nquery++], c, item, side));
    }
    return check_items(t, c, side);
}

/* ---- whole ----------------------------------------------------------------------------- */

dp_err dp_template_read(dp_template **out, dp_cursor *c, dp_str word, dp_side side)
{
    dp_template *t = DP_NEW(c->arena, dp_template);
    if (!t)
        return DP_ENOMEM;
    t->port = -1;
    t->glob = DP_NO_GLOB;
    for (size_t i = 1; i < word.n; i++)
        if (word.p[i] == '>' && word.p[i - 1] == '=')
            return dp_cursor_fail(c, word.p + i - 1, "put spaces around '=>'");
    dp_str rest = word;
    DP_TRY(read_scheme(t, c, &rest));
    DP_TRY(read_host(t, c, &rest));
    if (rest.n == 0 || rest.p[0] != '/')
        return dp_cursor_expected(c, rest, "a path (/{**} is every path)", "");
    size_t mark = dp_str_find(rest, '?');
    DP_TRY(read_path(t, c, dp_str_cut(rest, 0, mark), side));
    if (mark < rest.n)
        DP_TRY(read_query(t, c, dp_str_cut(rest, mark + 1, rest.n), side));
    if (side == DP_COND) {
        t->open = true;
        t->has_query = t->nquery > 0;
    }
    if (side == DP_LEFT && t->host.n && c->block->nscope && !dp_scope_find(c->block, t->host, t->port))
        return dp_cursor_fail(c, t->label.n ? t->label.p - 1 : t->host.p,
                              "host " DP_SHOW " is not in the host line above: %.*s", DP_SHOWN(t->host),
                              c->block->hosts.n > 200 ? 200 : (int)c->block->hosts.n, c->block->hosts.p);
    *out = t;
    return DP_OK;
}

/* ---- both sides ------------------------------------------------------------------------ */

static dp_err check_bound(dp_cursor *c, const dp_template *right, const dp_str *bound, size_t n)
{
    if (right->label.n && !(n && bsearch(&right->label, bound, n, sizeof *bound, dp_by_bytes)))
        return dp_cursor_fail(c, right->label.p, "{%.*s} is not captured on the left side", DP_FMT(right->label));
    for (size_t i = 0; i < dp_template_pats(right); i++) {
        const dp_pat *p = dp_template_pat(right, i);
        for (size_t j = 0; j < p->n; j++) {
            const dp_item *it = &p->v[j];
            if (it->kind == DP_ITEM_CAPTURE && !(n && bsearch(&it->text, bound, n, sizeof *bound, dp_by_bytes)))
                return dp_cursor_fail(c, it->text.p, "{%.*s} is not captured on the left side", DP_FMT(it->text));
        }
    }
    return DP_OK;
}

dp_err dp_template_pair(dp_cursor *c, const dp_template *left, const dp_template *right, dp_str word)
{
    if (right->glob != DP_NO_GLOB && left->glob == DP_NO_GLOB)
        return dp_cursor_fail(c, word.p, "{**} is on the right side but not on the left");
    if (right->open && !left->open)
        return dp_cursor_fail(c, word.p,
                              "'...' is on the right side only: write it on both sides, on the left alone (other "
                              "parameters go), or on neither");
    dp_str few[16], *bound = few;
    size_t n = dp_template_captures(left, (dp_str){NULL, 0}), k = 0;
    if (n > DP_COUNT(few) && !(bound = malloc(n * sizeof *bound)))
        return DP_ENOMEM;
    if (left->label.n)
        bound[k++] = left->label;
    for (size_t i = 0; i < dp_template_pats(left); i++)
        for (size_t j = 0; j < dp_template_pat(left, i)->n; j++)
            if (dp_template_pat(left, i)->v[j].kind == DP_ITEM_CAPTURE)
                bound[k++] = dp_template_pat(left, i)->v[j].text;
    if (n > 1)
        qsort(bound, n, sizeof *bound, dp_by_bytes);
    dp_err e = check_bound(c, right, bound, n);
    if (bound != few)
        free(bound);
    return e;
}
