/* Ideas about queries that are an argument and have no name: what stands before it is exchanged.
 *
 *     /showthread.php?17-title    /threads/17-title     sub "/showthread.php?" -> "/threads/"
 *     /Title?0111161              /title/tt0111161      sub "/Title?" -> "/title/tt"
 *
 * A template cannot capture a name; the words behind the id are others' to forget.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/auto/propose/nameless.h"

#include "learn/auto/propose/path.h"
#include "url/chars.h"

enum { LEAST_DIGITS = 2 }; /* of an id: one digit stands anywhere */

/* Where the number `id` stands in `s`, whole; s.n: nowhere. */
static size_t find_number(dp_str s, dp_str id)
{
    for (size_t i = 0; i + id.n <= s.n; i++)
        if (memcmp(s.p + i, id.p, id.n) == 0 && (!i || !dp_is(s.p[i - 1], DP_CH_DIGIT)) &&
            (i + id.n == s.n || !dp_is(s.p[i + id.n], DP_CH_DIGIT)))
            return i;
    return s.n;
}

/* Whether a text can stand in quotes as it is. */
static bool is_plain(dp_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (memchr("\"\\^$*", s.p[i], 5))
            return false;
    return true;
}

void dp_generate_nameless(dp_pairing *p, const dp_frame *u, const dp_frame *v)
{
    if (u->npair != 1 || u->pair[0].has_eq || v->npair)
        return;
    dp_str name = dp_pair_name(u, &u->pair[0]);
    size_t digits = 0;
    while (digits < name.n && dp_is(name.p[digits], DP_CH_DIGIT))
        digits++;
    uint32_t same = dp_path_cut_of(u, v).start;
    if (digits < LEAST_DIGITS || same >= u->nseg || same >= v->nseg)
        return;
    dp_str from = dp_frame_cut(u, u->seg[same] - 1, u->path_end), to = dp_frame_cut(v, v->seg[same] - 1, v->path_end);
    size_t at = find_number(to, dp_str_cut(name, 0, digits));
    if (at == to.n || !is_plain(from) || !is_plain(dp_str_cut(to, 0, at)))
        return;
    dp_buf_c(&p->text, "sub \"");
    dp_buf_str(&p->text, from);
    dp_buf_c(&p->text, "?\" -> \"");
    dp_buf_str(&p->text, dp_str_cut(to, 0, at));
    dp_buf_byte(&p->text, '"');
    dp_pairing_propose(p, DP_TIER_LITERAL, DP_FAMILY_TEMPLATE);
}
