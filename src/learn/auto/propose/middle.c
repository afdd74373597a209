/* Ideas about an id in the middle of a component, with a mark before it and anything before and behind.
 *
 *     /Red-Oak_W0QQitemZ320123QQihZ011QQcmdZView     /{z}QQitemZ{x:int}QQ{w} => /QQitemZ{x}
 *     /Stuhl_W0QQitemZ320123QQcmdZView
 *     /a-title.i320123.r7    /title.i320123.r2       /{z}.i{x:int}.r{w} => /.i{x}
 *
 * Old encodings of pairs in paths are such, and tracking that stands behind the id. The marks are what both have around
 * the id, cut where letters change their case or meet something else, never inside a word.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/auto/propose/middle.h"

#include "learn/auto/layout/reading.h"
#include "learn/auto/propose/path.h"
#include "url/chars.h"

/* A component around its id. */
typedef struct around {
    dp_str head, id, rest;
} around;

static int kind_of(char c)
{
    return dp_is(c, DP_CH_DIGIT) ? 1 : dp_is(c, DP_CH_UPPER) ? 2 : dp_is(c, DP_CH_ALPHA) ? 3 : 4;
}

/* Whether `s` may be cut before byte `i`. */
static bool is_edge(dp_str s, size_t i)
{
    if (i == 0 || i >= s.n)
        return true;
    if (s.p[i - 1] == '%' || (i > 1 && s.p[i - 2] == '%'))
        return false;
    return kind_of(s.p[i - 1]) != kind_of(s.p[i]) || kind_of(s.p[i]) == 4;
}

/* The first number of `a`, long enough to be an id, that `b` has, too. */
static bool find_id(around *x, around *y, dp_str a, dp_str b)
{
    for (size_t i = 0, j; i < a.n; i = j) {
        for (j = i; j < a.n && dp_is(a.p[j], DP_CH_DIGIT); j++) {}
        dp_str id = dp_str_cut(a, i, j);
        for (size_t k = 0; id.n >= DP_LEAST_ID && k + id.n <= b.n; k++) {
            if (memcmp(b.p + k, id.p, id.n) != 0 || (k && dp_is(b.p[k - 1], DP_CH_DIGIT)) ||
                (k + id.n < b.n && dp_is(b.p[k + id.n], DP_CH_DIGIT)))
                continue;
            *x = (around){dp_str_cut(a, 0, i), id, dp_str_cut(a, j, a.n)};
            *y = (around){dp_str_cut(b, 0, k), id, dp_str_cut(b, k + id.n, b.n)};
            return true;
        }
        j += j == i;
    }
    return false;
}

/* What both have before the id, behind something that is forgotten; where one of them has nothing else, all of it. */
static dp_str mark_before(dp_str a, dp_str b)
{
    size_t n = 0, least = a.n < b.n ? a.n : b.n, most = a.n < b.n ? b.n : a.n;
    dp_str more = a.n < b.n ? b : a;
    while (n < least && a.p[a.n - 1 - n] == b.p[b.n - 1 - n])
        n++;
    if (n == most) /* the same: the word next to the id */
        for (n = 0; n < most && dp_is(a.p[a.n - 1 - n], DP_CH_ALPHA); n++) {}
    while (n && n < least && !(is_edge(a, a.n - n) && is_edge(b, b.n - n)))
        n--;
    return dp_str_cut(more, n < most && is_edge(more, more.n - n) ? more.n - n : more.n, more.n);
}

/* What both have behind it, before something that is; where one has nothing there, the first letters of the other. */
static dp_str mark_behind(dp_str a, dp_str b)
{
    dp_str more = a.n < b.n ? b : a;
    size_t n = 0;
    if (!a.n || !b.n) {
        for (n = 1; n < more.n && !is_edge(more, n); n++) {}
        return dp_str_cut(more, 0, n < more.n ? n : 0);
    }
    while (n < a.n && n < b.n && a.p[n] == b.p[n])
        n++;
    while (n && !(n < a.n && n < b.n && is_edge(a, n) && is_edge(b, n)))
        n--;
    return dp_str_cut(a, 0, n);
}

/* The path with another component in place `at`; `glob`: whatever stands before it. */
static void put_path(dp_pairing *p, const dp_frame *f, uint32_t at, bool glob, dp_str segment)
{
    dp_buf_c(&p->text, glob ? "/{**}" : "");
    for (uint32_t i = glob ? at : 0; i < f->nseg; i++) {
        dp_buf_byte(&p->text, '/');
        if (i == at)
            dp_buf_str(&p->text, segment);
        else if (!dp_frame_seg(f, i).n || dp_lexicon_has(p->lexicon, dp_frame_seg(f, i)))
            dp_buf_str(&p->text, dp_frame_seg(f, i));
        else
            dp_put_capture(&p->text, (char)('a' + i));
    }
}

void dp_generate_middle(dp_pairing *p)
{
    const dp_frame *u = p->u, *v = p->v;
    dp_path_cut     c = dp_path_cut_of(u, v);
    around          x, y;
    if (u->nseg != v->nseg || u->nseg > 20 || c.start + c.end + 1 != u->nseg ||
        !find_id(&x, &y, dp_frame_seg(u, c.start), dp_frame_seg(v, c.start)))
        return;
    dp_str before = mark_before(x.head, y.head), behind = mark_behind(x.rest, y.rest);
    bool   same = dp_str_eq(x.rest, y.rest);
    if (!before.n || memchr(before.p, '*', before.n) || (!same && (!behind.n || memchr(behind.p, '*', behind.n))))
        return;
    for (int glob = 0; glob <= (c.start > 0); glob++) {
        dp_buf *one = &p->whole;
        dp_buf_reset(one);
        dp_buf_c(one, "{z}");
        dp_buf_str(one, before);
        dp_buf_c(one, "{x:int}");
        dp_buf_str(one, same ? x.rest : behind);
        dp_buf_c(one, same ? "" : "{w}");
        put_path(p, u, c.start, glob, dp_buf_view(one));
        dp_buf_c(&p->text, " => ");
        dp_buf_reset(one);
        dp_buf_str(one, before);
        dp_buf_c(one, "{x}");
        dp_buf_str(one, same ? x.rest : (dp_str){"", 0});
        put_path(p, u, c.start, glob, dp_buf_view(one));
        p->text.failed |= one->failed;
        dp_pairing_propose(p, DP_TIER_FORGET, DP_FAMILY_FORGET);
    }
}
