/* SPDX-License-Identifier: Apache-2.0 */
#include "support/naive_url.h"

#include <arpa/inet.h>
#include <idn2.h>

/* ---- splitting and printing ------------------------------------------------------------- */

/* Two labels or more, none empty, one dot at the end allowed. */
static bool is_dotted_name(dp_str s)
{
    if (s.n && s.p[s.n - 1] == '.')
        s.n--;
    size_t labels = 0, length = 0;
    for (size_t i = 0; i <= s.n; i++) {
        if (i == s.n || s.p[i] == '.') {
            if (length == 0)
                return false;
            labels++;
            length = 0;
        } else if (is_unreserved(s.p[i]) || (unsigned char)s.p[i] >= 0x80) {
            length++;
        } else {
            return false;
        }
    }
    return labels >= 2;
}

static void split_path(frame *f, dp_arena *a)
{
    f->nseg = 0;
    for (size_t i = 0; i < f->path.n; i++)
        f->nseg += f->path.p[i] == '/';
    f->seg = need(DP_NEWS(a, f->nseg, dp_str));
    size_t k = 0;
    for (size_t i = 0; i < f->path.n;) {
        size_t end = find_byte(f->path, '/', i + 1);
        f->seg[k++] = dp_str_cut(f->path, i + 1, end);
        i = end;
    }
}

/* All pairs, those of zero bytes too. */
static void split_query(frame *f, dp_str query, dp_arena *a)
{
    size_t n = 1;
    for (size_t i = 0; i < query.n; i++)
        n += query.p[i] == '&' || query.p[i] == ';';
    f->pair = need(DP_NEWS(a, n, pair));
    f->npair = 0;
    char sep = '&';
    for (size_t i = 0;; i++) {
        size_t end = i;
        while (end < query.n && query.p[end] != '&' && query.p[end] != ';')
            end++;
        dp_str whole = {query.p + i, end - i};
        size_t eq = find_byte(whole, '=', 0);
        pair  *p = &f->pair[f->npair++];
        p->sep = sep;
        p->has_eq = eq < whole.n;
        p->name = (dp_str){whole.p, eq};
        p->value = p->has_eq ? dp_str_cut(whole, eq + 1, whole.n) : (dp_str){whole.p + eq, 0};
        if (end >= query.n)
            return;
        sep = query.p[end];
        i = end;
    }
}

bool naive_split(dp_str t, frame *f, dp_arena *a)
{
    *f = (frame){0};
    t.n = find_byte(t, '#', 0);

    size_t i = 0;
    if (t.n && is_alpha(t.p[0]))
        while (i < t.n && (is_alnum(t.p[i]) || is_one_of(t.p[i], "+-.")))
            i++;
    dp_str rest;
    if (i > 0 && dp_str_starts(from(t, i), DP_STR("://"))) {
        f->scheme = dp_str_cut(t, 0, i);
        rest = from(t, i + 3);
    } else {
        f->no_scheme = true;
        f->scheme = DP_STR("http");
        rest = t;
    }

    size_t end = 0;
    while (end < rest.n && !is_one_of(rest.p[end], "/?"))
        end++;
    dp_str authority = {rest.p, end};
    rest = from(rest, end);

    dp_str host = authority;
    if (!f->no_scheme) {
        for (size_t k = 0; k < authority.n; k++) {
            if (authority.p[k] == '@') { /* the last one counts */
                f->has_user = true;
                f->user = dp_str_cut(authority, 0, k);
                host = dp_str_cut(authority, k + 1, authority.n);
            }
        }
    }
    size_t colon = find_byte(host, ':', 0);
    if (host.n && host.p[0] == '[') {
        colon = find_byte(host, ']', 0) + 1;
        if (colon > host.n || (colon < host.n && host.p[colon] != ':'))
            return false;
    }
    if (colon < host.n)
        f->port = dp_str_cut(host, colon + 1, host.n);
    for (size_t k = 0; k < f->port.n; k++)
        if (!is_digit(f->port.p[k]))
            return false;
    f->host = (dp_str){host.p, colon};
    if (f->host.n == 0)
        return false;
    if (f->no_scheme && (!is_dotted_name(f->host) || (colon < host.n && f->port.n == 0))) /* `:digits` */
        return false;

    size_t question = find_byte(rest, '?', 0);
    f->path = (dp_str){rest.p, question};
    split_path(f, a);
    if (question < rest.n)
        split_query(f, from(rest, question + 1), a);
    return true;
}

dp_str naive_print(const frame *f, dp_arena *a)
{
    text t = {.a = a};
    if (!f->no_scheme || !dp_str_eq(f->scheme, DP_STR("http")) || !is_dotted_name(f->host)) {
        add(&t, f->scheme);
        add(&t, DP_STR("://"));
    }
    if (f->has_user) {
        add(&t, f->user);
        add_char(&t, '@');
    }
    add(&t, f->host);
    if (f->port.n) {
        add_char(&t, ':');
        add(&t, f->port);
    }
    add(&t, f->path);
    for (size_t i = 0; i < f->npair; i++) {
        const pair *p = &f->pair[i];
        add_char(&t, i == 0 ? '?' : p->sep);
        add(&t, p->name);
        if (p->has_eq) {
            add_char(&t, '=');
            add(&t, p->value);
        }
    }
    return view(&t);
}

/* ---- stage 0 --------------------------------------------------------------------------- */

static dp_str percent_pass(dp_str s, dp_arena *a)
{
    text t = {.a = a};
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (is_escape(s, i)) {
            char byte = escaped_byte(s, i);
            if (is_unreserved(byte))
                add_char(&t, byte);
            else
                add_escape(&t, byte); /* upper case */
            i += 2;
        } else if (c == '%' || c <= ' ' || c >= 0x7F || is_one_of((char)c, "\"<>\\^{|}`")) {
            add_escape(&t, (char)c);
        } else {
            add_char(&t, (char)c);
        }
    }
    return view(&t);
}

/* RFC 3986 section 5.2.4, with its letters. */
static dp_str remove_dot_segments(dp_str path, dp_arena *a)
{
    char *in = need(dp_arena_alloc(a, path.n)), *out = need(dp_arena_alloc(a, path.n));
    if (path.n)
        memcpy(in, path.p, path.n);
    size_t n = 0;
    for (size_t i = 0; i < path.n;) {
        dp_str input = {in + i, path.n - i};
        if (dp_str_starts(input, DP_STR("/./"))) { /* B */
            i += 2;
        } else if (dp_str_eq(input, DP_STR("/."))) {
            in[++i] = '/';
        } else if (dp_str_starts(input, DP_STR("/../")) || dp_str_eq(input, DP_STR("/.."))) { /* C */
            if (input.n == 3)
                in[i += 2] = '/';
            else
                i += 3;
            while (n > 0 && out[--n] != '/') {}
        } else { /* E; A and D do not begin with a slash */
            do
                out[n++] = in[i++];
            while (i < path.n && in[i] != '/');
        }
    }
    return (dp_str){out, n};
}

/* [IPv6]: only lower case. */
static bool normal_address(dp_str host, dp_arena *a, dp_str *out)
{
    struct in6_addr ignored;
    char           *p = need(dp_arena_alloc(a, host.n + 1));
    for (size_t i = 0; i < host.n; i++)
        p[i] = lower(host.p[i]);
    p[host.n] = 0;
    *out = (dp_str){p, host.n};
    if (host.n < 2 || p[host.n - 1] != ']' || strlen(p) != host.n)
        return false;
    p[host.n - 1] = 0;
    bool ok = inet_pton(AF_INET6, p + 1, &ignored) == 1;
    p[host.n - 1] = ']';
    return ok;
}

static bool normal_host(dp_str host, dp_arena *a, dp_str *out)
{
    if (host.n && host.p[0] == '[')
        return normal_address(host, a, out);
    text t = {.a = a};
    bool ascii = true;
    for (size_t i = 0; i < host.n; i++) {
        char c = host.p[i];
        if (is_escape(host, i)) {
            c = escaped_byte(host, i);
            i += 2;
        }
        if (c == 0)
            return false;
        ascii = ascii && (unsigned char)c < 0x80;
        add_char(&t, c);
    }
    dp_str h = view(&t);
    if (!ascii) {
        add_char(&t, 0);
        uint8_t *ace = NULL;
        if (idn2_lookup_u8((const uint8_t *)t.p, &ace, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL) != IDN2_OK)
            return false;
        h = dp_arena_str(a, dp_str_c((const char *)ace));
        idn2_free(ace);
    }
    char *p = need(dp_arena_alloc(a, h.n));
    for (size_t i = 0; i < h.n; i++) {
        p[i] = lower(h.p[i]);
        if (!is_unreserved(p[i]))
            return false;
    }
    *out = (dp_str){p, h.n};
    return h.n > 0;
}

/* 0: the scheme has none. */
static int default_port(dp_str scheme)
{
    static const struct { const char *scheme; int port; } known[] = {
        {"http", 80}, {"https", 443}, {"ws", 80}, {"wss", 443}, {"ftp", 21},
    };
    for (size_t i = 0; i < DP_COUNT(known); i++)
        if (dp_str_eq(scheme, dp_str_c(known[i].scheme)))
            return known[i].port;
    return 0;
}

static int port_number(dp_str digits)
{
    int n = 0;
    for (size_t i = 0; i < digits.n && n <= 65535; i++)
        n = n * 10 + (digits.p[i] - '0');
    return n;
}

int naive_port(const frame *f)
{
    if (f->port.n)
        return port_number(f->port);
    int port = default_port(f->scheme);
    return port ? port : -1;
}

long naive_place(const dp_block *b, const frame *f)
{
    enum { ANY = 0, NAME = 1000000, NAME_PORT = 1000001 };
    long best = -1;
    if (b->off)
        return best;
    for (size_t i = 0; i < b->nscope; i++) {
        const dp_scope *s = &b->scope[i];
        long            place = -1;
        if (s->any) {
            place = ANY;
        } else if (s->wildcard) {
            /* a proper sub-domain: a label and a dot before the name */
            if (f->host.n > s->name.n + 1 && dp_str_ends(f->host, s->name) &&
                f->host.p[f->host.n - s->name.n - 1] == '.')
                place = 1 + (long)s->name.n;
        } else if (dp_str_eq(f->host, s->name)) {
            if (s->port < 0)
                place = NAME;
            else if (s->port == naive_port(f))
                place = NAME_PORT;
        }
        if (place > best)
            best = place;
    }
    return best;
}

static bool wants_sorting(const dp_rules *r, const frame *f)
{
    long     best = -1;
    dp_order order = DP_ORDER_KEEP;
    for (size_t i = 0; r && i < r->nblock; i++) {
        long place = naive_place(r->block[i], f);
        if (r->block[i]->order != DP_ORDER_UNSET && place > best) {
            best = place;
            order = r->block[i]->order;
        }
    }
    return order == DP_ORDER_ANY;
}

static void sort_pairs(frame *f)
{
    for (size_t i = 1; i < f->npair; i++) {
        for (size_t j = i; j > 0 && dp_str_cmp(f->pair[j].name, f->pair[j - 1].name) < 0; j--) {
            pair x = f->pair[j], y = f->pair[j - 1];
            f->pair[j] = y;
            f->pair[j - 1] = x;
            f->pair[j].sep = x.sep; /* separators keep their places */
            f->pair[j - 1].sep = y.sep;
        }
    }
}

void naive_drop_pair(frame *f, size_t at)
{
    for (size_t i = at; i + 1 < f->npair; i++)
        f->pair[i] = f->pair[i + 1];
    f->npair--;
    if (f->npair)
        f->pair[0].sep = '&';
}

bool naive_frame(dp_str t, const dp_rules *rules, frame *f, dp_arena *a)
{
    if (!naive_split(t, f, a))
        return false;
    f->user = percent_pass(f->user, a);
    f->path = percent_pass(f->path, a);
    for (size_t i = 0; i < f->npair; i++) {
        f->pair[i].name = percent_pass(f->pair[i].name, a);
        f->pair[i].value = percent_pass(f->pair[i].value, a);
    }
    f->path = remove_dot_segments(f->path, a);
    if (f->path.n == 0)
        f->path = DP_STR("/");
    split_path(f, a);

    text scheme = {.a = a};
    for (size_t i = 0; i < f->scheme.n; i++)
        add_char(&scheme, lower(f->scheme.p[i]));
    f->scheme = view(&scheme);
    if (!normal_host(f->host, a, &f->host))
        return false;
    while (f->port.n > 1 && f->port.p[0] == '0')
        f->port = from(f->port, 1);
    if (port_number(f->port) > 65535)
        return false;
    if (f->port.n && default_port(f->scheme) && port_number(f->port) == default_port(f->scheme))
        f->port.n = 0;

    for (size_t i = 0; i < f->npair;) {
        if (f->pair[i].name.n == 0 && !f->pair[i].has_eq)
            naive_drop_pair(f, i);
        else
            i++;
    }
    if (wants_sorting(rules, f))
        sort_pairs(f);
    return true;
}
