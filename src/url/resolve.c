/* SPDX-License-Identifier: Apache-2.0 */
#include "url/resolve.h"

#include "url/chars.h"
#include "url/split.h"

/* Bytes of the scheme that `link` begins with, 0 when it is relative. */
static size_t scheme_length(dp_str link)
{
    size_t n = 0;
    while (n < link.n && (dp_is(link.p[n], DP_CH_ALNUM) || link.p[n] == '+' || link.p[n] == '-' || link.p[n] == '.'))
        n++;
    return n && n < link.n && link.p[n] == ':' && dp_is(link.p[0], DP_CH_ALPHA) ? n : 0;
}

/* The base up to where the link takes over. */
static void put_base(dp_buf *out, dp_split base, dp_str link)
{
    char first = link.n ? link.p[0] : 0;
    base.fragment.n = 0, base.has_fragment = false;
    if (first && first != '#')
        base.query.n = 0, base.has_query = false;
    if (first == '/') {
        base.path.n = 0;
    } else if (first && first != '?' && first != '#') {
        while (base.path.n && base.path.p[base.path.n - 1] != '/')
            base.path.n--;
        if (!base.path.n)
            base.path = DP_STR("/");
    }
    dp_split_join(out, &base);
}

bool dp_resolve(dp_buf *out, dp_str base, dp_str link)
{
    dp_split b, result;
    size_t   start = out->n;
    link = dp_str_trim(link);
    bool absolute = scheme_length(link) > 0;
    if (!dp_split_url(&b, base))
        return false;
    if (absolute) {
        dp_buf_str(out, link);
    } else if (dp_str_starts(link, DP_STR("//"))) {
        dp_buf_str(out, b.has_scheme ? b.scheme : DP_STR("http"));
        dp_buf_byte(out, ':');
        dp_buf_str(out, link);
    } else {
        put_base(out, b, link);
        dp_buf_str(out, link);
    }
    dp_str made = dp_str_cut(dp_buf_view(out), start, out->n);
    if (!out->failed && dp_split_url(&result, made) && (result.has_scheme || !absolute))
        return true;
    out->n = start;
    return false;
}
