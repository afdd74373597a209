/* Ideas about the inside of one component: what stands before or behind the common part.
 *
 *     /a/bako.html    /a/bako              /{**}/{x}.html => /{**}/{x}
 *     /a/17-some-title   /a/17             /{**}/{x:int}-{y} => /{**}/{x}
 *     /a/friends-3fa9   /a/friends-77cc    /{**}/friends-{y} => /{**}/friends-*
 *     /rev/3fa94c...    /rev/3fa94c        /{**}/{x:hex*6}{y:hex*34} => /{**}/{x}
 *
 * Cuts are made between runs of letters or digits, never inside a word; but hashes have short forms.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/auto/propose/apart.h"
#include "learn/auto/propose/behind.h"
#include "learn/auto/propose/middle.h"
#include "learn/auto/propose/path.h"
#include "url/chars.h"

/* A component cut in three: common start, what differs, common end. */
typedef struct inside {
    dp_str head, mid, tail;
} inside;

/* Whether `s` may be cut before byte `i`. */
static bool boundary(dp_str s, size_t i)
{
    if (i == 0 || i >= s.n)
        return true;
    if ((i >= 1 && s.p[i - 1] == '%') || (i >= 2 && s.p[i - 2] == '%'))
        return false;
    return !(dp_is(s.p[i - 1], DP_CH_ALNUM) && dp_is(s.p[i], DP_CH_ALNUM));
}

/* Where `a` and `b` begin and end alike, cut at boundaries of both. */
static void cut_inside(inside *x, inside *y, dp_str a, dp_str b)
{
    size_t least = a.n < b.n ? a.n : b.n, head = 0, tail = 0;
    while (head < least && a.p[head] == b.p[head])
        head++;
    while (head && !(boundary(a, head) && boundary(b, head)))
        head--;
    while (tail < least - head && a.p[a.n - 1 - tail] == b.p[b.n - 1 - tail])
        tail++;
    while (tail && !(boundary(a, a.n - tail) && boundary(b, b.n - tail)))
        tail--;
    *x = (inside){dp_str_cut(a, 0, head), dp_str_cut(a, head, a.n - tail), dp_str_cut(a, a.n - tail, a.n)};
    *y = (inside){dp_str_cut(b, 0, head), dp_str_cut(b, head, b.n - tail), dp_str_cut(b, b.n - tail, b.n)};
}

/* Where the component stands: `back` from the end with anything before it, or `at` from the start. */
typedef struct place {
    const dp_frame *f;
    uint32_t        at, back;
    bool            from_end;
} place;

static void put_before(dp_pairing *p, const place *w)
{
    if (w->from_end)
        dp_buf_c(&p->text, "/{**}");
    else
        for (uint32_t i = 0; i < w->at; i++) {
            dp_buf_byte(&p->text, '/');
            dp_put_capture(&p->text, (char)('a' + i));
        }
    dp_buf_byte(&p->text, '/');
}

static void put_behind(dp_pairing *p, const place *w)
{
    if (!w->from_end && w->back)
        dp_buf_c(&p->text, "/{**}");
    for (uint32_t i = 0; w->from_end && i < w->back; i++) {
        dp_str seg = dp_frame_seg(w->f, w->f->nseg - w->back + i);
        dp_buf_byte(&p->text, '/');
        if (seg.n)
            dp_put_capture(&p->text, (char)('n' + i));
    }
}

/* Head and tail captured, the middle exchanged. */
static void exchange(dp_pairing *p, const place *w, const inside *x, const inside *y)
{
    for (int side = 0; side < 2; side++) {
        put_before(p, w);
        if (x->head.n)
            dp_buf_c(&p->text, "{x}");
        dp_buf_str(&p->text, side ? y->mid : x->mid);
        if (x->tail.n)
            dp_buf_c(&p->text, "{y}");
        put_behind(p, w);
        if (!side)
            dp_buf_c(&p->text, " => ");
    }
    dp_pairing_propose(p, DP_TIER_LITERAL, DP_FAMILY_AFFIX);
}

/* The middle is of any value, without its delimiters: left out, or masked. */
static void forget(dp_pairing *p, const place *w, const inside *x, bool mask)
{
    dp_str mid = x->mid;
    size_t from = 0, to = mid.n;
    while (from < to && !dp_is(mid.p[from], DP_CH_ALNUM))
        from++;
    while (to > from && !dp_is(mid.p[to - 1], DP_CH_ALNUM))
        to--;
    if (from == to)
        return;
    for (int side = 0; side < 2; side++) {
        put_before(p, w);
        if (x->head.n && mask)
            dp_buf_str(&p->text, x->head);
        else if (x->head.n)
            dp_buf_c(&p->text, side ? "{x}" : dp_all(x->head, DP_CH_DIGIT) ? "{x:int}" : "{x}");
        if (side && mask) {
            dp_buf_str(&p->text, dp_str_cut(mid, 0, from));
            dp_buf_byte(&p->text, '*');
            dp_buf_str(&p->text, dp_str_cut(mid, to, mid.n));
        } else if (!side) {
            dp_buf_str(&p->text, dp_str_cut(mid, 0, from));
            dp_buf_c(&p->text, "{z}");
            dp_buf_str(&p->text, dp_str_cut(mid, to, mid.n));
        }
        if (x->tail.n && mask)
            dp_buf_str(&p->text, x->tail);
        else if (x->tail.n)
            dp_buf_c(&p->text, side ? "{y}" : dp_all(x->tail, DP_CH_DIGIT) ? "{y:int}" : "{y}");
        put_behind(p, w);
        if (!side)
            dp_buf_c(&p->text, " => ");
    }
    dp_pairing_propose(p, mask ? DP_TIER_MASK : DP_TIER_FORGET, DP_FAMILY_FORGET);
}

/* A hash becomes its short form. */
static void shorten(dp_pairing *p, const place *w, dp_str u, dp_str v)
{
    put_before(p, w);
    dp_put_hash(&p->text, u, v);
    put_behind(p, w);
    dp_buf_c(&p->text, " => ");
    put_before(p, w);
    dp_buf_c(&p->text, "{x}");
    put_behind(p, w);
    dp_pairing_propose(p, DP_TIER_LITERAL, DP_FAMILY_AFFIX);
}

void dp_generate_affix(dp_pairing *p)
{
    const dp_frame *u = p->u, *v = p->v;
    dp_path_cut     c = dp_path_cut_of(u, v);
    dp_generate_apart(p);
    if (u->nseg != v->nseg || c.start + c.end + 1 != u->nseg)
        return;
    inside x, y;
    dp_str a = dp_frame_seg(u, c.start), b = dp_frame_seg(v, c.start);
    place  end = {u, c.start, c.end, true}, start = {u, c.start, c.end, false};
    if ((!c.end || c.start <= 4) && (dp_is_short_hash(a, b) || (!p->directed && dp_is_short_hash(b, a))))
        shorten(p, c.end ? &start : &end, a.n > b.n ? a : b, a.n > b.n ? b : a);
    dp_generate_middle(p);
    dp_generate_behind(p);
    cut_inside(&x, &y, a, b);
    if (!x.head.n && !x.tail.n)
        return;
    bool falls = dp_pairing_falls(p, x.mid, y.mid);
    if (c.end <= 3) {
        exchange(p, &end, falls ? &x : &y, falls ? &y : &x);
        if (x.mid.n && y.mid.n) {
            forget(p, &end, &x, true);
            forget(p, &end, &y, true);
        } else {
            forget(p, &end, x.mid.n ? &x : &y, false);
        }
    }
    if (c.start <= 4 && c.end)
        exchange(p, &start, falls ? &x : &y, falls ? &y : &x);
}
