/* SPDX-License-Identifier: Apache-2.0 */
#include "content/volatile.h"

#include "content/patterns.h"
#include "url/chars.h"

static const struct {
    size_t (*match)(dp_str s, size_t at);
    const char *mark;
} matchers[] = {
    {dp_match_uuid, "<id>"},   {dp_match_date, "<date>"}, {dp_match_clock, "<time>"},
    {dp_match_counter, "<n>"}, {dp_match_id, "<id>"},
};

/* One pass from left to right; says whether anything was hidden. */
static bool hide(dp_buf *out, dp_str text)
{
    bool hidden = false;
    for (size_t at = 0; at < text.n;) {
        /* Words are left out as a whole where none of the matchers can begin. */
        size_t end = at;
        for (size_t k = 0; k < DP_COUNT(matchers) && end == at && dp_is(text.p[at], DP_CH_ALNUM); k++) {
            end = matchers[k].match(text, at);
            if (end > at)
                dp_buf_c(out, matchers[k].mark);
        }
        if (end > at) {
            at = end;
            hidden = true;
            continue;
        }
        while (end < text.n && dp_is_word_byte(text.p[end]))
            end++;
        end += end == at;
        dp_buf_add(out, text.p + at, end - at);
        at = end;
    }
    return hidden;
}

/* What is hidden may uncover a neighbour (in "Hits:7,9f2c41d07ab3e65f" the id ends the number);
 * each pass leaves fewer digits, and mostly the second finds nothing. */
void dp_volatile_hide(dp_buf *out, dp_str text)
{
    size_t start = out->n;
    dp_buf before = {0};
    for (bool more = hide(out, text); more && !out->failed;) {
        dp_buf_reset(&before);
        dp_buf_str(&before, dp_str_cut(dp_buf_view(out), start, out->n));
        out->n = start;
        out->failed |= before.failed;
        more = hide(out, dp_buf_view(&before));
    }
    dp_buf_done(&before);
}
