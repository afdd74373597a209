/* SPDX-License-Identifier: Apache-2.0 */
#include "content/squeeze.h"

#include "base/words/utf8.h"

/* Bytes of the white space that text[at] begins; 0 when it is none. */
static size_t space_at(dp_str text, size_t at)
{
    unsigned char c = (unsigned char)text.p[at];
    if (c <= 0x20 || c == 0x7F)
        return 1;
    if (c != 0xC2 && (c < 0xE1 || c > 0xE3))
        return 0;
    size_t   n = dp_utf8_length(dp_str_cut(text, at, text.n));
    uint32_t code = n ? dp_utf8_code(text.p + at, n) : 0;
    bool     is = (code >= 0x80 && code <= 0xA0) || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
              code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
    return is ? n : 0;
}

void dp_squeeze_add(dp_squeeze *s, dp_str text)
{
    for (size_t i = 0, n; i < text.n;) {
        if ((n = space_at(text, i))) {
            s->gap = true;
            i += n;
            continue;
        }
        size_t end = i + 1;
        while (end < text.n && !space_at(text, end))
            end++;
        if (s->gap && s->out->n)
            dp_buf_byte(s->out, ' ');
        s->gap = false;
        dp_buf_add(s->out, text.p + i, end - i);
        i = end;
    }
}
