/* url/chars.h - what each byte may be in a URL (RFC 3986), as bits of one table.
 *
 *     dp_chars['a'] & DP_CH_ALNUM
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_URL_CHARS_H
#define DP_URL_CHARS_H

#include "base/words/case.h"

enum {
    DP_CH_DIGIT = 1,
    DP_CH_ALPHA = 2,
    DP_CH_ALNUM = 3,
    DP_CH_HEX = 4,         /* 0-9 A-F a-f */
    DP_CH_UPPER = 8,       /* A-Z */
    DP_CH_UNRESERVED = 16, /* A-Z a-z 0-9 - . _ ~ */
    DP_CH_ESCAPE = 32,     /* stage 0 escapes it: space, controls, " < > \ ^ { | } ` and bytes >= 0x80 */
    DP_CH_HOST = 64        /* may stand in a normalised host: a-z 0-9 . _ ~ - */
};

extern const uint8_t dp_chars[256];

static inline bool dp_is(char c, int bits)
{
    return (dp_chars[(unsigned char)c] & bits) != 0;
}

/* Whether all bytes of `s` are; true when there is none. */
static inline bool dp_all(dp_str s, int bits)
{
    size_t i = 0;
    while (i < s.n && dp_is(s.p[i], bits))
        i++;
    return i == s.n;
}

/* The value of a hex digit. */
static inline int dp_hex(char c)
{
    return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

/* Whether an escape %XX begins at `p`, which has `n` bytes left. */
static inline bool dp_is_escape(const char *p, size_t n)
{
    return n >= 3 && p[0] == '%' && dp_is(p[1], DP_CH_HEX) && dp_is(p[2], DP_CH_HEX);
}

/* The byte that the escape at `p` stands for. */
static inline char dp_unescape(const char *p)
{
    return (char)(dp_hex(p[1]) * 16 + dp_hex(p[2]));
}

#endif
