/* SPDX-License-Identifier: Apache-2.0 */
#include "base/words/visible.h"

#include <stdio.h>

#include "base/words/utf8.h"

/* Controls beyond ASCII; marks, embeddings, overrides and isolates of direction; separators of lines and paragraphs. */
static bool is_control(uint32_t code)
{
    return (code >= 0x80 && code < 0xA0) || code == 0x61C || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

size_t dp_visible_next(char out[DP_VISIBLE_ROOM], dp_str s, const char *keep)
{
    unsigned char byte = (unsigned char)s.p[0];
    size_t        n = dp_utf8_length(s);
    if (n == 0 || (n == 1 && (byte < ' ' || byte == 0x7F) && !(byte && strchr(keep, byte)))) {
        snprintf(out, DP_VISIBLE_ROOM, "\\x%02x", byte);
    } else if (n > 1 && is_control(dp_utf8_code(s.p, n))) {
        snprintf(out, DP_VISIBLE_ROOM, "\\u%04x", (unsigned)dp_utf8_code(s.p, n) & 0xFFFF);
    } else {
        memcpy(out, s.p, n);
        out[n] = 0;
    }
    return n ? n : 1;
}

void dp_visible(dp_buf *out, dp_str s, const char *keep)
{
    char one[DP_VISIBLE_ROOM];
    while (s.n) {
        size_t n = dp_visible_next(one, s, keep);
        dp_buf_c(out, one);
        s = dp_str_cut(s, n, s.n);
    }
}
