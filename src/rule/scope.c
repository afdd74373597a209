/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/scope.h"

#include <stdlib.h>

#include "base/order.h"
#include "rule/attr.h"
#include "rule/print.h"

static dp_err read_scope(dp_scope *out, dp_cursor *c, dp_str s)
{
    *out = (dp_scope){.port = -1};
    if (dp_str_eq(s, DP_STR("any"))) {
        out->any = true;
        return DP_OK;
    }
    if (s.n >= 2 && s.p[0] == '*' && s.p[1] == '.') {
        out->wildcard = true;
        s = dp_str_cut(s, 2, s.n);
    }
    if (dp_str_find(s, '/') < s.n)
        return dp_cursor_fail(c, s.p, "a host line takes name, name:port, *.name or any, not " DP_SHOW, DP_SHOWN(s));
    /* The port follows the last ']' of an IPv6 address, or the first ':'. */
    size_t v6 = s.n && s.p[0] == '[' ? dp_str_find(s, ']') : 0;
    size_t colon = v6 + dp_str_find(dp_str_cut(s, v6, s.n), ':');
    out->name = dp_str_cut(s, 0, colon);
    DP_TRY(dp_cursor_host(c, out->name));
    if (out->wildcard && (colon < s.n || s.p[0] == '['))
        return dp_cursor_fail(c, s.p - 2, "*. must be followed by a name without a port");
    return colon < s.n ? dp_cursor_port(&out->port, c, dp_str_cut(s, colon, s.n)) : DP_OK;
}

static dp_str next_scope(dp_cursor *c)
{
    while (c->at < c->end && dp_is_space(*c->at))
        c->at++;
    const char *from = c->at;
    while (c->at < c->end && !dp_is_space(*c->at) && *c->at != ',')
        c->at++;
    return (dp_str){from, (size_t)(c->at - from)};
}

/* any, then wildcards, then names; by length, then bytes, so that a look-up compares
 * texts of equal length alone. */
static int by_name(const void *a, const void *b)
{
    const dp_scope *x = *(dp_scope *const *)a, *y = *(dp_scope *const *)b;
    if (x->any != y->any)
        return x->any ? -1 : 1;
    if (x->wildcard != y->wildcard)
        return x->wildcard ? -1 : 1;
    if (x->name.n != y->name.n)
        return x->name.n < y->name.n ? -1 : 1;
    int order = dp_str_cmp(x->name, y->name);
    return order ? order : (x->port > y->port) - (x->port < y->port);
}

dp_err dp_scope_read(dp_block *b, dp_cursor *c)
{
    size_t most = 1;
    for (const char *p = c->at; p < c->end; p++)
        most += *p == ',';
    if (!(b->scope = DP_NEWS(c->arena, most, dp_scope)))
        return DP_ENOMEM;
    dp_str first = {NULL, 0};
    for (bool more = true; more;) {
        dp_str s = next_scope(c);
        if (s.n == 0)
            return dp_cursor_fail(c, s.p, "a host name is missing after '%s'", b->nscope ? "," : "host");
        DP_TRY(read_scope(&b->scope[b->nscope++], c, s));
        first = first.p ? first : s;
        dp_str next = dp_cursor_peek(c);
        more = next.n && next.p[0] == ',';
        c->at += more;
    }
    dp_str word = dp_cursor_peek(c);
    b->off = dp_str_eq(word, DP_STR("off"));
    if (b->off)
        dp_cursor_word(c);
    word = dp_cursor_peek(c);
    if (word.n && word.p[0] == '[')
        DP_TRY(dp_attr_read(&b->attr, &b->nattr, c));
    else if (word.n)
        return b->off ? dp_cursor_fail(c, c->at, "expected attributes or the end of the host line after 'off'")
                      : dp_cursor_expected(c, word, "',', 'off' or attributes", "off");
    if (b->nscope == 1) {
        b->hosts = b->key = first;
        return DP_OK;
    }
    DP_TRY(dp_scope_index(b, c->arena));
    for (size_t i = 1; i < b->nscope; i++)
        if (by_name(&b->by_name[i - 1], &b->by_name[i]) == 0)
            return dp_cursor_fail(c, first.p, "the host line names %s%.*s twice", b->by_name[i]->wildcard ? "*." : "",
                                  DP_FMT(b->by_name[i]->any ? DP_STR("any") : b->by_name[i]->name));
    return DP_OK;
}

/* Texts joined by `comma`, in the arena; p is NULL when memory is out. */
static dp_str join(const dp_str *v, size_t n, dp_str comma, dp_arena *a)
{
    size_t size = 0;
    for (size_t i = 0; i < n; i++)
        size += v[i].n + comma.n;
    char *p = dp_arena_alloc(a, size), *at = p;
    if (!p)
        return (dp_str){NULL, 0};
    for (size_t i = 0; i < n; i++) {
        if (i) {
            memcpy(at, comma.p, comma.n);
            at += comma.n;
        }
        memcpy(at, v[i].p, v[i].n);
        at += v[i].n;
    }
    return (dp_str){p, (size_t)(at - p)};
}

dp_err dp_scope_index(dp_block *b, dp_arena *a)
{
    dp_err  e = DP_ENOMEM;
    dp_buf  print = {0};
    size_t  n = b->nscope;
    dp_str *text = NULL;
    size_t *ends = malloc((n + 1) * sizeof *ends);
    if (!ends)
        goto done;
    for (size_t i = 0; i < n; i++) {
        dp_print_scope(&print, &b->scope[i]);
        ends[i] = print.n;
    }
    text = malloc((n + 1) * sizeof *text);
    if (!text || print.failed)
        goto done;
    for (size_t i = 0; i < n; i++)
        text[i] = dp_str_cut(dp_buf_view(&print), i ? ends[i - 1] : 0, ends[i]);
    b->hosts = join(text, n, DP_STR(", "), a);
    b->key = b->hosts;
    if (n > 1) {
        qsort(text, n, sizeof *text, dp_by_bytes);
        b->key = join(text, n, DP_STR(","), a);
        b->by_name = DP_NEWS(a, n, dp_scope *);
        for (size_t i = 0; i < n && b->by_name; i++)
            b->by_name[i] = &b->scope[i];
        if (b->by_name)
            qsort(b->by_name, n, sizeof *b->by_name, by_name);
    }
    if (b->hosts.p && b->key.p && (n < 2 || b->by_name))
        e = DP_OK;
done:
    free(text);
    free(ends);
    dp_buf_done(&print);
    return e;
}

static bool fits(const dp_scope *s, dp_str host, int port)
{
    if (s->any)
        return true;
    if (s->wildcard)
        return host.n > s->name.n + 1 && dp_str_ends(host, s->name) && host.p[host.n - s->name.n - 1] == '.';
    return dp_str_eq(s->name, host) && (s->port == -1 || port == -1 || s->port == port);
}

static const dp_scope *search(const dp_block *b, dp_scope want, dp_str host, int port)
{
    const dp_scope *p = &want;
    size_t          i;
    DP_BISECT(i, b->nscope, by_name(&b->by_name[i], &p) < 0);
    /* Names with ports follow the name without in the order. */
    for (; i < b->nscope && dp_str_eq(b->by_name[i]->name, want.name); i++)
        if (fits(b->by_name[i], host, port))
            return b->by_name[i];
    return NULL;
}

const dp_scope *dp_scope_find(const dp_block *b, dp_str host, int port)
{
    if (!b->by_name) {
        for (size_t i = 0; i < b->nscope; i++)
            if (fits(&b->scope[i], host, port))
                return &b->scope[i];
        return NULL;
    }
    const dp_scope *s = search(b, (dp_scope){.name = host, .port = -1}, host, port);
    for (size_t i = 0; i < host.n && !s; i++) {
        dp_scope above = {.wildcard = true, .name = dp_str_cut(host, i + 1, host.n), .port = -1};
        if (host.p[i] == '.')
            s = search(b, above, host, port);
    }
    return s ? s : b->by_name[0]->any ? b->by_name[0] : NULL;
}
