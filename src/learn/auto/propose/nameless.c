/* Ideas about queries that are an argument and have no name: what stands before it is exchanged.
 *
 *     /showthread.php?17-title    /threads/17-title     sub "/showthread.php?" -> "/threads/"
 *     /Title?0111161              /title/tt0111161      sub "/Title?" -> "/title/tt"
 *     /wiki.pl?Red-Oak            /wiki/Red-Oak         sub "/wiki.pl?" -> "/wiki/"
 *     /index.php?/topic/17-a/     /topic/17-b/          sub "/index.php?/" -> "/"
 *     /index.php?topic-17-2.html  /topic-17-2.html      sub "/index.php?topic-" -> "/topic-", sub "/index.php?" -> "/"
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

/* Propose to write `from` and a `mark` as `to`, both followed by `word`. */
static void propose(dp_pairing *p, dp_str from, dp_str to, dp_str word, dp_str mark)
{
    if (!is_plain(from) || !is_plain(to) || !is_plain(word))
        return;
    dp_buf_c(&p->text, "sub \"");
    dp_buf_str(&p->text, from);
    dp_buf_str(&p->text, mark);
    dp_buf_str(&p->text, word);
    dp_buf_c(&p->text, "\" -> \"");
    dp_buf_str(&p->text, to);
    dp_buf_str(&p->text, word);
    dp_buf_byte(&p->text, '"');
    dp_pairing_propose(p, DP_TIER_LITERAL, DP_FAMILY_TEMPLATE);
}

/* Both have an id, and words behind it that may differ. */
static void propose_id(dp_pairing *p, const dp_frame *u, const dp_frame *v, dp_str argument)
{
    size_t digits = 0;
    while (digits < argument.n && dp_is(argument.p[digits], DP_CH_DIGIT))
        digits++;
    uint32_t same = dp_path_cut_of(u, v).start;
    if (digits < LEAST_DIGITS || same >= u->nseg || same >= v->nseg)
        return;
    dp_str from = dp_frame_cut(u, u->seg[same] - 1, u->path_end), to = dp_frame_cut(v, v->seg[same] - 1, v->path_end);
    size_t at = find_number(to, dp_str_cut(argument, 0, digits));
    if (at < to.n)
        propose(p, from, dp_str_cut(to, 0, at), dp_str_cut(argument, 0, 0), DP_STR("?"));
}

/* Where two URLs differ in what stands before `argument`, of which `to` has what is behind it. */
typedef struct places {
    dp_str from, to;
} places;

/* Cut the components that both begin with. */
static places cut_same(dp_str from, dp_str to)
{
    size_t same = 0;
    for (size_t i = 1; i < from.n && i < to.n && from.p[i - 1] == to.p[i - 1]; i++)
        same = from.p[i] == '/' && to.p[i] == '/' ? i : same;
    return (places){dp_str_cut(from, same, from.n), dp_str_cut(to, same, to.n)};
}

/* The argument is a path, /topic/17-title: the other path has it up to its first number. */
static void propose_path(dp_pairing *p, const dp_frame *u, const dp_frame *v, dp_str argument)
{
    dp_str path = dp_frame_cut(v, v->path, v->path_end);
    size_t end = 0, digits = 0;
    while (end < argument.n && !(digits && !dp_is(argument.p[end], DP_CH_DIGIT)))
        digits += dp_is(argument.p[end++], DP_CH_DIGIT);
    dp_str head = dp_str_cut(argument, 0, end);
    if (head.n < 2 || head.p[0] != '/' || digits < LEAST_DIGITS)
        return;
    for (size_t i = 0; i + head.n <= path.n; i++) {
        if (memcmp(path.p + i, head.p, head.n) != 0 ||
            (i + head.n < path.n && dp_is(path.p[i + head.n], DP_CH_DIGIT)))
            continue;
        places x = cut_same(dp_frame_cut(u, u->path, u->path_end), dp_str_cut(path, 0, i + 1));
        propose(p, x.from, x.to, (dp_str){argument.p, 0}, DP_STR("?/"));
        return;
    }
}

/* A word that says what kind of thing the argument is, and the mark behind it. */
static dp_str kind_of(const dp_pairing *p, dp_str argument)
{
    size_t end = argument.n ? dp_lexicon_end(argument, 0) : 0;
    bool   kind = end && end < argument.n && dp_is(argument.p[0], DP_CH_ALPHA) &&
                dp_lexicon_has(p->lexicon, dp_str_cut(argument, 0, end));
    bool mark = kind && !dp_is(argument.p[end], DP_CH_ALNUM) && argument.p[end] != '%';
    return dp_str_cut(argument, 0, kind ? end + mark : 0);
}

/* The other path ends with the argument as it is. */
static void propose_whole(dp_pairing *p, const dp_frame *u, const dp_frame *v, dp_str argument)
{
    dp_str from = dp_frame_cut(u, u->path, u->path_end), to = dp_frame_cut(v, v->path, v->path_end);
    if (!argument.n || to.n <= argument.n || !dp_str_ends(to, argument))
        return;
    to = dp_str_cut(to, 0, to.n - argument.n);
    if (dp_is(to.p[to.n - 1], DP_CH_ALNUM))
        return;
    places x = cut_same(from, to);
    dp_str kind = kind_of(p, argument);
    if (kind.n)
        propose(p, x.from, x.to, kind, DP_STR("?"));
    if (x.from.n > 1) /* "/?" is in front of any query */
        propose(p, x.from, x.to, dp_str_cut(argument, 0, 0), DP_STR("?"));
}

void dp_generate_nameless(dp_pairing *p, const dp_frame *u, const dp_frame *v)
{
    if (u->npair != 1 || u->pair[0].has_eq || v->npair)
        return;
    dp_str argument = dp_pair_name(u, &u->pair[0]);
    propose_id(p, u, v, argument);
    propose_whole(p, u, v, argument);
    propose_path(p, u, v, argument);
}
