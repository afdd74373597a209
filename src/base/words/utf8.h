/* base/words/utf8.h - UTF-8, taken strictly.
 *
 *     "\xC3\xA4x"  ->  U+00E4, 2 bytes; then 'x'        "\xC3x"  ->  no character, 0 bytes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_WORDS_UTF8_H
#define DP_BASE_WORDS_UTF8_H

#include "base/buf.h"

/* Bytes of the character that `s` (not empty) begins with; 0 when it begins with none: stray
 * or missing continuation bytes, overlong forms, surrogates, above U+10FFFF. */
static inline size_t dp_utf8_length(dp_str s)
{
    unsigned char a = (unsigned char)s.p[0];
    unsigned char b = s.n > 1 ? (unsigned char)s.p[1] : 0;
    size_t        n = a < 0x80 ? 1 : a < 0xC2 ? 0 : a < 0xE0 ? 2 : a < 0xF0 ? 3 : a < 0xF5 ? 4 : 0;
    if (n <= 1 || n > s.n)
        return n == 1;
    if ((a == 0xE0 && b < 0xA0) || (a == 0xED && b > 0x9F) || (a == 0xF0 && b < 0x90) || (a == 0xF4 && b > 0x8F))
        return 0;
    for (size_t i = 1; i < n; i++)
        if (((unsigned char)s.p[i] & 0xC0) != 0x80)
            return 0;
    return n;
}

/* The code point of the character that lies in `n` (1 to 4) bytes. */
static inline uint32_t dp_utf8_code(const char *p, size_t n)
{
    uint32_t code = (unsigned char)p[0] & (n == 1 ? 0x7Fu : 0xFFu >> (n + 1));
    for (size_t i = 1; i < n; i++)
        code = code << 6 | ((unsigned char)p[i] & 0x3Fu);
    return code;
}

/* Append a code point; one that is no character becomes U+FFFD. */
void dp_utf8_put(dp_buf *out, uint32_t code);

bool dp_utf8_is_valid(dp_str s);

/* Append `s`, with U+FFFD for each byte that belongs to no character. */
void dp_utf8_clean(dp_buf *out, dp_str s);

#endif
