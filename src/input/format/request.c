/* SPDX-License-Identifier: Apache-2.0 */
#include "input/format/request.h"

#include "base/words/case.h"
#include "url/chars.h"
#include "url/split.h"

/* ---- the request line -------------------------------------------------------------------------- */

dp_line dp_request_check(dp_str method, dp_str target, dp_why *why)
{
    if (dp_str_eq(target, DP_STR("*")) || dp_str_eq(method, DP_STR("CONNECT")))
        return DP_LINE_NO_PAGE;
    if ((target.n && target.p[0] == '/') || dp_looks_like_url(target))
        return DP_LINE_RECORD;
    return dp_bad(why, "the request is not for a path: %s", dp_quote(target).text);
}

dp_line dp_request_split(dp_str request, dp_str *method, dp_str *target, dp_why *why)
{
    size_t n = 0, end = request.n;
    if (!dp_is_known(request))
        return dp_bad(why, "the request is missing");
    while (n < request.n && request.p[n] >= 'A' && request.p[n] <= 'Z')
        n++;
    if (request.p[0] < ' ' || request.p[0] == 0x7f) /* a TLS handshake, a probe of a scanner */
        return DP_LINE_NO_PAGE;
    if (!n || n == request.n || request.p[n] != ' ')
        return dp_bad(why, "malformed request: %s", dp_shape(request).text);
    /* The path may hold blanks; the protocol, where there is one, stands behind the last. */
    const char *last = memrchr(request.p + n + 1, ' ', request.n - n - 1);
    if (last && dp_str_starts(dp_str_cut(request, (size_t)(last - request.p) + 1, request.n), DP_STR("HTTP/")))
        end = (size_t)(last - request.p);
    *target = dp_str_cut(request, n + 1, end);
    *method = n == 3 && memcmp(request.p, "GET", 3) == 0 ? DP_STR("") : dp_str_cut(request, 0, n);
    return dp_request_check(*method, *target, why);
}

/* ---- escapes ------------------------------------------------------------------------------------ */

/* `n` hex digits at `p`, -1 when they are none. */
static int hex(const char *p, size_t n)
{
    int v = 0;
    for (size_t i = 0; i < n; i++) {
        if (!dp_is(p[i], DP_CH_HEX))
            return -1;
        v = v * 16 + dp_hex(p[i]);
    }
    return v;
}

void dp_log_unescape(dp_buf *out, dp_str s)
{
    static const char from[] = "nrtbfv", to[] = "\n\r\t\b\f\v";
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] != '\\' || i + 1 == s.n) {
            dp_buf_byte(out, s.p[i]);
            continue;
        }
        char        c = s.p[++i];
        const char *control = memchr(from, c, sizeof from - 1);
        int         v = -1;
        if (c == 'x' && s.n - i > 2 && (v = hex(s.p + i + 1, 2)) >= 0) {
            i += 2;
        } else if (c == 'u' && s.n - i > 4 && (v = hex(s.p + i + 1, 4)) >= 0 && v < 128) {
            i += 4;
        } else if (c == '"' || c == '\\' || c == '/') {
            v = c;
        } else if (control) {
            v = to[control - from];
        } else { /* none that we know: as it is */
            dp_buf_byte(out, '\\');
            v = c;
        }
        dp_buf_byte(out, (char)v);
    }
}

/* ---- the URL -------------------------------------------------------------------------------------- */

dp_err dp_origin_init(dp_origin *o, const char *base_url, dp_error *err)
{
    dp_split parts;
    *o = (dp_origin){.scheme = DP_STR("http")};
    if (!base_url)
        return DP_OK;
    dp_str base = dp_str_c(base_url);
    if (!dp_split_url(&parts, base) || !parts.has_scheme)
        return dp_fail_at(err, DP_EINVALID, NULL, 0, 0,
                          "--base-url: '%s' is not a URL with a scheme, such as https://example.com", base_url);
    if (parts.has_user || parts.path.n > 1 || parts.has_query || parts.has_fragment)
        return dp_fail_at(err, DP_EINVALID, NULL, 0, 0,
                          "--base-url: expected a scheme and a host alone, such as %.*s://%.*s; found more behind or "
                          "before the host",
                          DP_FMT(parts.scheme), DP_FMT(parts.host));
    o->scheme = parts.scheme;
    o->host = parts.host;
    dp_str last = parts.has_port ? parts.port : parts.host; /* an empty port, too, lies in the text */
    o->base = (dp_str){base.p, (size_t)(last.p + last.n - base.p)};
    return DP_OK;
}

void dp_origin_done(dp_origin *o)
{
    dp_buf_done(&o->url);
}

dp_err dp_origin_missing(const char *path, dp_error *err)
{
    return dp_fail_at(err, DP_EINVALID, path, 0, 0,
                      "the log has paths without hosts: add the host with --base-url https://example.com");
}

/* Cut ":443" off a host; `*port` is what it says, when nothing else did. */
static dp_str cut_port(dp_str host, dp_str *port)
{
    size_t at = host.n;
    while (at && host.p[at - 1] >= '0' && host.p[at - 1] <= '9')
        at--;
    if (at < 2 || at == host.n || host.p[at - 1] != ':')
        return host;
    /* One colon in a name, or one behind the bracket of an IPv6 address. */
    if (memchr(host.p, ':', at - 1) && host.p[at - 2] != ']')
        return host;
    if (!dp_is_known(*port))
        *port = dp_str_cut(host, at, host.n);
    return dp_str_cut(host, 0, at - 1);
}

static bool is_host(dp_str host)
{
    for (size_t i = 0; i < host.n; i++) {
        char c = host.p[i];
        if (c == '/' || c == '?' || c == '#' || c == '@' || c == '\\' || (c >= 0 && c <= ' '))
            return false;
    }
    return true;
}

static dp_line add_host(dp_origin *o, const dp_place *p, dp_why *why)
{
    dp_str port = p->port, host = cut_port(p->host, &port), scheme = o->scheme;
    if (!is_host(host))
        return dp_bad(why, "not a host: %s", dp_quote(p->host).text);
    bool is_443 = dp_str_eq(port, DP_STR("443"));
    if (dp_is_known(p->scheme))
        scheme = p->scheme;
    else if (is_443)
        scheme = DP_STR("https");
    else if (dp_str_eq(port, DP_STR("80")))
        scheme = DP_STR("http");
    bool secure = dp_str_eq(scheme, DP_STR("https"));
    dp_buf_str(&o->url, scheme);
    dp_buf_add(&o->url, "://", 3);
    dp_buf_str(&o->url, host);
    if (dp_is_known(port) && !(secure ? is_443 : dp_str_eq(port, DP_STR("80")))) {
        dp_buf_byte(&o->url, ':');
        dp_buf_str(&o->url, port);
    }
    return DP_LINE_RECORD;
}

/* A client may write the whole URL into its request: of a host that is the server's own. */
static dp_line take_whole(dp_origin *o, const dp_place *p, dp_str url, dp_why *why)
{
    dp_split parts;
    dp_str   port = DP_STR(""), own = dp_is_known(p->host) ? cut_port(p->host, &port) : o->host;
    if (!dp_split_url(&parts, url) || !own.n || parts.has_user || !dp_str_eq_but_case(parts.host, own))
        return dp_bad(why, "the request is for a whole URL of another host, as for a proxy: %s", dp_quote(url).text);
    return DP_LINE_RECORD;
}

dp_line dp_origin_join(dp_origin *o, const dp_place *p, dp_str path, dp_str query, dp_why *why)
{
    dp_line kind = DP_LINE_RECORD;
    dp_buf_reset(&o->url);
    if (path.n && path.p[0] != '/')
        kind = take_whole(o, p, path, why);
    else if (dp_is_known(p->host))
        kind = add_host(o, p, why);
    else if (o->base.n)
        dp_buf_str(&o->url, o->base);
    else
        return dp_bad(why, "the host is missing: add it with --base-url https://example.com");
    if (kind != DP_LINE_RECORD)
        return kind;
    dp_buf_str(&o->url, path);
    if (dp_is_known(query)) {
        if (query.p[0] != '?')
            dp_buf_byte(&o->url, '?');
        dp_buf_str(&o->url, query);
    }
    return o->url.failed ? DP_LINE_NOMEM : DP_LINE_RECORD;
}
