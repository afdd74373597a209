/* SPDX-License-Identifier: Apache-2.0 */
#include "url/percent.h"

#include "url/chars.h"

bool dp_percent_is_normal(dp_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (dp_is(c, DP_CH_ESCAPE))
            return false;
        if (c != '%')
            continue;
        const char *e = s.p + i;
        if (!dp_is_escape(e, s.n - i) || e[1] >= 'a' || e[2] >= 'a')
            return false;
        if (dp_is(dp_unescape(e), DP_CH_UNRESERVED))
            return false;
        i += 2;
    }
    return true;
}

void dp_percent_escape(dp_buf *out, char c)
{
    static const char digits[] = "0123456789ABCDEF";
    unsigned char     u = (unsigned char)c;
    char              e[3] = {'%', digits[u >> 4], digits[u & 15]};
    dp_buf_add(out, e, 3);
}

void dp_percent_normalize(dp_buf *out, dp_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (dp_is_escape(s.p + i, s.n - i)) {
            char decoded = dp_unescape(s.p + i);
            if (dp_is(decoded, DP_CH_UNRESERVED))
                dp_buf_byte(out, decoded);
            else
                dp_percent_escape(out, decoded);
            i += 2;
        } else if (c == '%' || dp_is(c, DP_CH_ESCAPE)) {
            dp_percent_escape(out, c);
        } else {
            dp_buf_byte(out, c);
        }
    }
}

/* Append `s`, escapes as they are, every other byte through `map`. */
static void map_outside(dp_buf *out, dp_str s, char (*map)(char))
{
    for (size_t i = 0; i < s.n; i++) {
        if (dp_is_escape(s.p + i, s.n - i)) {
            dp_buf_add(out, s.p + i, 3);
            i += 2;
        } else {
            dp_buf_byte(out, map(s.p[i]));
        }
    }
}

void dp_percent_lower(dp_buf *out, dp_str s)
{
    map_outside(out, s, dp_lower);
}

void dp_percent_upper(dp_buf *out, dp_str s)
{
    map_outside(out, s, dp_upper);
}

void dp_percent_capital(dp_buf *out, dp_str s)
{
    bool small = s.n && s.p[0] >= 'a' && s.p[0] <= 'z';
    if (small)
        dp_buf_byte(out, (char)(s.p[0] - 'a' + 'A'));
    dp_buf_str(out, dp_str_cut(s, small, s.n));
}

void dp_percent_number(dp_buf *out, dp_str s)
{
    size_t zeros = 0;
    if (dp_all(s, DP_CH_DIGIT))
        while (zeros + 1 < s.n && s.p[zeros] == '0')
            zeros++;
    dp_buf_str(out, dp_str_cut(s, zeros, s.n));
}

void dp_percent_encode(dp_buf *out, dp_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (dp_is_escape(s.p + i, s.n - i)) {
            dp_buf_add(out, s.p + i, 3);
            i += 2;
        } else if (dp_is(s.p[i], DP_CH_UNRESERVED)) {
            dp_buf_byte(out, s.p[i]);
        } else {
            dp_percent_escape(out, s.p[i]);
        }
    }
}

void dp_percent_decode(dp_buf *out, dp_str s, bool in_query)
{
    const char *data = in_query ? "!$'(),:@/?" : "!$&'()+,=:@";
    for (size_t i = 0; i < s.n; i++) {
        if (dp_is_escape(s.p + i, s.n - i)) {
            char c = dp_unescape(s.p + i);
            if (c && strchr(data, c))
                dp_buf_byte(out, c);
            else
                dp_buf_add(out, s.p + i, 3);
            i += 2;
        } else {
            dp_buf_byte(out, s.p[i]);
        }
    }
}
