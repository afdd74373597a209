/* SPDX-License-Identifier: Apache-2.0 */
#include "url/split.h"

#include "url/chars.h"
#include "url/host.h"

/* Length of the scheme when `url` begins with scheme://, else 0. */
static size_t scheme_length(dp_str url)
{
    if (url.n == 0 || !dp_is(url.p[0], DP_CH_ALPHA))
        return 0;
    size_t n = 1;
    while (n < url.n && (dp_is(url.p[n], DP_CH_ALNUM) || url.p[n] == '+' || url.p[n] == '-' || url.p[n] == '.'))
        n++;
    return dp_str_starts(dp_str_cut(url, n, url.n), DP_STR("://")) ? n : 0;
}

bool dp_split_authority(dp_split *s, dp_str a)
{
    const char *at = a.n ? memrchr(a.p, '@', a.n) : NULL;
    if (at) {
        s->has_user = true;
        s->user = dp_str_cut(a, 0, (size_t)(at - a.p));
        a = dp_str_cut(a, s->user.n + 1, a.n);
    }
    size_t host = 0;
    if (a.n && a.p[0] == '[') {
        const char *close = memchr(a.p, ']', a.n);
        if (!close)
            return false;
        host = (size_t)(close - a.p) + 1;
    } else {
        const char *colon = a.n ? memchr(a.p, ':', a.n) : NULL;
        host = colon ? (size_t)(colon - a.p) : a.n;
    }
    s->host = dp_str_cut(a, 0, host);
    if (host < a.n) {
        if (a.p[host] != ':')
            return false;
        s->has_port = true;
        s->port = dp_str_cut(a, host + 1, a.n);
    }
    return host > 0 && dp_all(s->port, DP_CH_DIGIT);
}

bool dp_split_url(dp_split *out, dp_str url)
{
    if (url.n == 0)
        return false;
    dp_split s = {0};
    dp_str   rest = url;
    size_t   scheme = scheme_length(url);
    if (scheme) {
        s.has_scheme = true;
        s.scheme = dp_str_cut(url, 0, scheme);
        rest = dp_str_cut(url, scheme + 3, url.n);
    }
    size_t end = 0;
    while (end < rest.n && rest.p[end] != '/' && rest.p[end] != '?' && rest.p[end] != '#')
        end++;
    if (!dp_split_authority(&s, dp_str_cut(rest, 0, end)))
        return false;
    if (!scheme && (s.has_user || (s.has_port && s.port.n == 0) || !dp_host_is_dotted(s.host)))
        return false;
    rest = dp_str_cut(rest, end, rest.n);
    const char *hash = rest.n ? memchr(rest.p, '#', rest.n) : NULL;
    if (hash) {
        s.has_fragment = true;
        s.fragment = dp_str_cut(rest, (size_t)(hash - rest.p) + 1, rest.n);
        rest.n = (size_t)(hash - rest.p);
    }
    const char *query = rest.n ? memchr(rest.p, '?', rest.n) : NULL;
    if (query) {
        s.has_query = true;
        s.query = dp_str_cut(rest, (size_t)(query - rest.p) + 1, rest.n);
        rest.n = (size_t)(query - rest.p);
    }
    s.path = rest;
    *out = s;
    return true;
}

void dp_split_join(dp_buf *out, const dp_split *s)
{
    if (s->has_scheme) {
        dp_buf_str(out, s->scheme);
        dp_buf_c(out, "://");
    }
    if (s->has_user) {
        dp_buf_str(out, s->user);
        dp_buf_byte(out, '@');
    }
    dp_buf_str(out, s->host);
    if (s->has_port) {
        dp_buf_byte(out, ':');
        dp_buf_str(out, s->port);
    }
    dp_buf_str(out, s->path);
    if (s->has_query) {
        dp_buf_byte(out, '?');
        dp_buf_str(out, s->query);
    }
    if (s->has_fragment) {
        dp_buf_byte(out, '#');
        dp_buf_str(out, s->fragment);
    }
}
