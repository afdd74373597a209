/* SPDX-License-Identifier: Apache-2.0 */
#include "base/words/json.h"

#include <inttypes.h>

#include "base/words/utf8.h"

static void put_escape(dp_buf *out, unsigned code)
{
    static const char digits[] = "0123456789abcdef";
    dp_buf_c(out, "\\u");
    for (int shift = 12; shift >= 0; shift -= 4)
        dp_buf_byte(out, digits[code >> shift & 15]);
}

static void put_ascii(dp_buf *out, char c)
{
    switch (c) {
    case '"': dp_buf_c(out, "\\\""); break;
    case '\\': dp_buf_c(out, "\\\\"); break;
    case '\n': dp_buf_c(out, "\\n"); break;
    case '\r': dp_buf_c(out, "\\r"); break;
    case '\t': dp_buf_c(out, "\\t"); break;
    default:
        if ((unsigned char)c < 0x20 || c == 0x7F)
            put_escape(out, (unsigned char)c);
        else
            dp_buf_byte(out, c);
    }
}

void dp_json_str(dp_buf *out, dp_str s)
{
    dp_buf_byte(out, '"');
    for (size_t i = 0, n; i < s.n; i += n) {
        n = dp_utf8_length(dp_str_cut(s, i, s.n));
        if (n == 1) {
            put_ascii(out, s.p[i]);
        } else if (n > 1 && dp_utf8_code(s.p + i, n) < 0xA0) {
            put_escape(out, dp_utf8_code(s.p + i, n));
        } else if (n > 1) {
            dp_buf_add(out, s.p + i, n);
        } else {
            put_escape(out, 0xDC00u | (unsigned char)s.p[i]);
            n = 1;
        }
    }
    dp_buf_byte(out, '"');
}

void dp_json_number(dp_buf *out, double v, int decimals)
{
    const double most = 1e18;
    uint64_t     scale = 1;
    for (int i = 0; i < decimals; i++)
        scale *= 10;
    v = v < most ? v : most;
    uint64_t whole = (uint64_t)v, part = (uint64_t)((v - (double)whole) * (double)scale + .5);
    if (part == scale) {
        whole++;
        part = 0;
    }
    dp_buf_printf(out, "%llu", (unsigned long long)whole);
    if (part == 0)
        return;
    for (; part % 10 == 0; decimals--)
        part /= 10;
    dp_buf_printf(out, ".%0*llu", decimals, (unsigned long long)part);
}

/* Between two values stands a comma; none behind what begins something: a bracket, a key, a line. */
static void separate(dp_buf *out)
{
    char last = out->n ? out->p[out->n - 1] : '\n';
    if (last != '{' && last != '[' && last != ':' && last != '\n')
        dp_buf_byte(out, ',');
}

void dp_json_key(dp_buf *out, const char *name)
{
    separate(out);
    if (!name)
        return;
    dp_buf_byte(out, '"');
    dp_buf_c(out, name);
    dp_buf_c(out, "\":");
}

void dp_json_line(dp_buf *out)
{
    separate(out);
    dp_buf_byte(out, '\n');
}

void dp_json_open(dp_buf *out, const char *name, char bracket)
{
    dp_json_key(out, name);
    dp_buf_byte(out, bracket);
}

void dp_json_text(dp_buf *out, const char *name, dp_str s)
{
    dp_json_key(out, name);
    dp_json_str(out, s);
}

void dp_json_count(dp_buf *out, const char *name, uint64_t n)
{
    dp_json_key(out, name);
    dp_buf_printf(out, "%" PRIu64, n);
}

void dp_json_share(dp_buf *out, const char *name, double v)
{
    dp_json_key(out, name);
    dp_json_number(out, v, 6);
}

void dp_json_flag(dp_buf *out, const char *name, bool v)
{
    dp_json_key(out, name);
    dp_buf_c(out, v ? "true" : "false");
}

void dp_json_null(dp_buf *out, const char *name)
{
    dp_json_key(out, name);
    dp_buf_c(out, "null");
}

void dp_json_id(dp_buf *out, const char *name, uint64_t id)
{
    dp_json_key(out, name);
    dp_buf_printf(out, "\"%016" PRIx64 "\"", id);
}

void dp_json_short_id(dp_buf *out, const char *name, uint64_t id)
{
    dp_json_key(out, name);
    dp_buf_printf(out, "\"%08" PRIx64 "\"", id >> 32);
}

void dp_json_take(dp_buf *out, const char *name, dp_buf *text)
{
    dp_json_text(out, name, dp_buf_view(text));
    out->failed |= text->failed;
    dp_buf_done(text);
}
