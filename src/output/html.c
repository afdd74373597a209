/* SPDX-License-Identifier: Apache-2.0 */
#include "output/html.h"

#include "base/words/utf8.h"

/* Characters that are not seen themselves: controls, joiners, marks of direction, tags, and what is no character. */
static const struct { uint32_t from, to; } hidden[] = {
    {0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},     {0x61C, 0x61C},     {0x115F, 0x1160}, {0x17B4, 0x17B5},
    {0x180B, 0x180F}, {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F},   {0x3164, 0x3164}, {0xFE00, 0xFE0F},
    {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFDD0, 0xFDEF}, {0xFFF0, 0xFFFB},   {0xFFFE, 0xFFFF}, {0xE0000, 0xE0FFF},
};

static bool is_hidden(uint32_t code)
{
    for (size_t i = 0; i < DP_COUNT(hidden); i++) {
        if (code >= hidden[i].from && code <= hidden[i].to)
            return true;
    }
    return (code & 0xFFFE) == 0xFFFE;
}

static void put_escaped(dp_buf *out, const char *p, size_t n)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)p[i];
        dp_buf_byte(out, '%');
        dp_buf_byte(out, digits[c >> 4]);
        dp_buf_byte(out, digits[c & 15]);
    }
}

static void put_ascii(dp_buf *out, char c)
{
    switch (c) {
    case '&': dp_buf_c(out, "&amp;"); break;
    case '<': dp_buf_c(out, "&lt;"); break;
    case '>': dp_buf_c(out, "&gt;"); break;
    case '"': dp_buf_c(out, "&quot;"); break;
    case '\'': dp_buf_c(out, "&#39;"); break;
    default: dp_buf_byte(out, c);
    }
}

void dp_html_text(dp_buf *out, dp_str s)
{
    for (size_t i = 0, n; i < s.n; i += n) {
        n = dp_utf8_length(dp_str_cut(s, i, s.n));
        if (n == 0 || is_hidden(dp_utf8_code(s.p + i, n)))
            put_escaped(out, s.p + i, n = n ? n : 1);
        else if (n == 1)
            put_ascii(out, s.p[i]);
        else
            dp_buf_add(out, s.p + i, n);
    }
}

void dp_html_lines(dp_buf *out, dp_str s)
{
    for (size_t at = 0, end; at < s.n; at = end + 1) {
        const char *feed = memchr(s.p + at, '\n', s.n - at);
        end = feed ? (size_t)(feed - s.p) : s.n;
        dp_html_text(out, dp_str_cut(s, at, end));
        if (feed)
            dp_buf_byte(out, '\n');
    }
}

void dp_html_json(dp_buf *out, dp_str s)
{
    for (size_t i = 0, n; i < s.n; i += n ? n : 1) {
        n = dp_utf8_length(dp_str_cut(s, i, s.n));
        uint32_t code = n ? dp_utf8_code(s.p + i, n) : 0;
        if (n > 1 && is_hidden(code) && code > 0xFFFF)
            dp_buf_printf(out, "\\u%04x\\u%04x", 0xD7C0 + (unsigned)(code >> 10), 0xDC00 + (unsigned)(code & 0x3FF));
        else if ((n > 1 && is_hidden(code)) || s.p[i] == '<' || s.p[i] == '>' || s.p[i] == '&')
            dp_buf_printf(out, "\\u%04x", (unsigned)code);
        else
            dp_buf_add(out, s.p + i, n ? n : 1);
    }
}

void dp_html_count(dp_buf *out, uint64_t v)
{
    char   digits[32];
    size_t n = 0;
    do {
        if (n % 4 == 3)
            digits[n++] = ',';
        digits[n++] = (char)('0' + v % 10);
        v /= 10;
    } while (v);
    while (n)
        dp_buf_byte(out, digits[--n]);
}

/* Always with as many decimals, so that columns align. */
static void put_fixed(dp_buf *out, double v, int decimals)
{
    uint64_t scale = decimals == 2 ? 100 : 10, all = (uint64_t)(v * (double)scale + .5);
    dp_html_count(out, all / scale);
    dp_buf_printf(out, ".%0*u", decimals, (unsigned)(all % scale));
}

void dp_html_share(dp_buf *out, double v)
{
    if (v <= 0)
        dp_buf_c(out, "0");
    else if (v >= 1)
        dp_buf_c(out, "100");
    else if (v < .0001)
        dp_buf_c(out, "&lt; 0.01");
    else if (v > .9999)
        dp_buf_c(out, "&gt; 99.99");
    else
        put_fixed(out, 100 * v, v < .01 || v > .99 ? 2 : 1);
    dp_buf_c(out, "\xC2\xA0%"); /* a blank at which no line breaks */
}
