/* SPDX-License-Identifier: Apache-2.0 */
#include "url/normalize.h"

#include "url/chars.h"
#include "url/host.h"
#include "url/percent.h"
#include "url/split.h"

static bool is_dots(dp_str seg)
{
    return (seg.n == 1 || seg.n == 2) && seg.p[0] == '.' && seg.p[seg.n - 1] == '.';
}

/* Resolve the dot segments of the path that fills `out` from `start` (RFC 3986, 5.2.4, for
 * a path that is empty or begins with '/'). */
static void remove_dot_segments(dp_buf *out, size_t start)
{
    char  *p = out->p + start;
    size_t n = out->n - start, w = 0;
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;
        while (end < n && p[end] != '/')
            end++;
        dp_str seg = {p + i + 1, end - i - 1};
        if (is_dots(seg)) {
            if (seg.n == 2)
                while (w > 0 && p[--w] != '/') {}
            if (end == n)
                p[w++] = '/';
        } else {
            memmove(p + w, p + i, end - i);
            w += end - i;
        }
        i = end;
    }
    out->n = start + w;
}

static void append_path(dp_buf *out, dp_str path)
{
    size_t start = out->n;
    dp_percent_normalize(out, path);
    if (out->failed)
        return;
    remove_dot_segments(out, start);
    if (out->n == start)
        dp_buf_byte(out, '/');
}

static size_t pair_length(dp_str query)
{
    size_t n = 0;
    while (n < query.n && query.p[n] != '&' && query.p[n] != ';')
        n++;
    return n;
}

static void append_query(dp_buf *out, dp_str query)
{
    size_t mark = out->n;
    dp_buf_byte(out, '?');
    size_t start = out->n;
    dp_percent_normalize(out, query);
    if (out->failed)
        return;
    /* Remove pairs of zero bytes; whatever pair is first loses its separator. */
    char  *p = out->p + start;
    size_t n = out->n - start, w = 0;
    for (size_t i = 0; i <= n;) {
        size_t len = pair_length((dp_str){p + i, n - i});
        if (len) {
            if (w)
                p[w++] = p[i - 1];
            memmove(p + w, p + i, len);
            w += len;
        }
        i += len + 1;
    }
    out->n = w ? start + w : mark;
}

/* Append ":port" unless it is the scheme's default; false when it is none. */
static bool append_port(dp_buf *out, dp_str port, dp_str scheme)
{
    long value = 0;
    for (size_t i = 0; i < port.n; i++) {
        value = value * 10 + (port.p[i] - '0');
        if (value > 65535)
            return false;
    }
    if (port.n && value != dp_scheme_port(scheme))
        dp_buf_printf(out, ":%ld", value);
    return true;
}

/* Append scheme and authority; false when that makes no URL. */
static bool append_origin(dp_buf *out, const dp_split *s)
{
    size_t start = out->n;
    dp_str scheme = DP_STR("http");
    if (s->has_scheme) {
        for (size_t i = 0; i < s->scheme.n; i++)
            dp_buf_byte(out, dp_lower(s->scheme.p[i]));
    } else {
        dp_buf_str(out, scheme);
    }
    size_t scheme_n = out->n - start;
    dp_buf_c(out, "://");
    if (s->has_user) {
        dp_percent_normalize(out, s->user);
        dp_buf_byte(out, '@');
    }
    size_t host = out->n;
    if (!dp_host_normalize(out, s->host))
        return false;
    size_t host_n = out->n - host;
    if (!append_port(out, s->port, (dp_str){out->p + start, scheme_n}) || out->failed)
        return false;
    if (!s->has_scheme && dp_host_is_dotted((dp_str){out->p + host, host_n})) {
        memmove(out->p + start, out->p + host, out->n - host);
        out->n -= host - start;
    }
    return true;
}

bool dp_normalize(dp_buf *out, dp_str url)
{
    dp_split s;
    size_t   start = out->n;
    if (!dp_split_url(&s, url))
        return false;
    if (!append_origin(out, &s)) {
        out->n = start;
        return false;
    }
    append_path(out, s.path);
    if (s.has_query)
        append_query(out, s.query);
    if (out->failed)
        out->n = start;
    return !out->failed;
}

bool dp_normalize_forbids(dp_str url, size_t max_empty)
{
    dp_split s;
    if (!dp_split_url(&s, url))
        return true;
    size_t empty = 0;
    for (size_t i = 0; i < s.path.n;) {
        size_t end = i + 1;
        while (end < s.path.n && s.path.p[end] != '/')
            end++;
        dp_str seg = {s.path.p + i + 1, end - i - 1};
        if (is_dots(seg))
            return true;
        empty += seg.n == 0 && end < s.path.n;
        i = end;
    }
    return empty > max_empty;
}
