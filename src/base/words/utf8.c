/* SPDX-License-Identifier: Apache-2.0 */
#include "base/words/utf8.h"

void dp_utf8_put(dp_buf *out, uint32_t code)
{
    if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        code = 0xFFFD;
    if (code < 0x80) {
        dp_buf_byte(out, (char)code);
        return;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    dp_buf_byte(out, (char)((0xFF00u >> (more + 1) & 0xFF) | code >> 6 * more));
    while (more-- > 0)
        dp_buf_byte(out, (char)(0x80 | (code >> 6 * more & 0x3F)));
}

/* How many bytes of `s` from `at` on are valid. */
static size_t valid_run(dp_str s, size_t at)
{
    size_t i = at;
    while (i < s.n) {
        uint64_t eight;
        while (i + sizeof eight <= s.n && (memcpy(&eight, s.p + i, sizeof eight), (eight & 0x8080808080808080u) == 0))
            i += sizeof eight;
        size_t n = i < s.n ? dp_utf8_length(dp_str_cut(s, i, s.n)) : 0;
        if (!n)
            break;
        i += n;
    }
    return i - at;
}

bool dp_utf8_is_valid(dp_str s)
{
    return valid_run(s, 0) == s.n;
}

void dp_utf8_clean(dp_buf *out, dp_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        size_t n = valid_run(s, i);
        dp_buf_add(out, s.p + i, n);
        i += n;
        if (i < s.n)
            dp_utf8_put(out, 0xFFFD);
    }
}
