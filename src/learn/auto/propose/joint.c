/* Ideas of two rules: neither URL can be made out of the other, but both have a common core.
 *
 *     /2016/06/23/some-title/     /{a:int}/{b:int}/{c:int}/{d}/ => /{d}-*
 *     /culture/some-title/        /{a}/{d}/ => ...
 *
 * Both are written as what they share, with a star for the rest: a key that no page has by itself.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/auto/propose/path.h"
#include "url/chars.h"

enum { MOST_SEGS = 12 };

/* Component `i` of `f` among those of `g`: its number, or -1. */
static int shared(const dp_frame *f, uint32_t i, const dp_frame *g)
{
    for (uint32_t k = 0; k < g->nseg; k++)
        if (dp_str_eq(dp_frame_seg(f, i), dp_frame_seg(g, k)))
            return (int)k;
    return -1;
}

/* The path of `f` as a left side: what the target has is named after its place there. */
static void put_left(dp_pairing *p, dp_buf *out, const dp_frame *f, const dp_frame *target)
{
    for (uint32_t i = 0; i < f->nseg; i++) {
        dp_str seg = dp_frame_seg(f, i);
        int    k = shared(f, i, target);
        dp_buf_byte(out, '/');
        if (!seg.n || (k < 0 && dp_lexicon_has(p->lexicon, seg) && f != target && !dp_all(seg, DP_CH_DIGIT)))
            dp_buf_str(out, seg);
        else if (k >= 0 && (f == target ? shared(f, i, p->u == target ? p->v : p->u) >= 0 : true))
            dp_put_numbered(out, 't', (uint32_t)k, "");
        else
            dp_put_numbered(out, 'x', i, dp_all(seg, DP_CH_DIGIT) ? ":int" : "");
    }
}

/* The path of `target` as the right side: stars for what the other has not. */
static void put_right(dp_buf *out, const dp_frame *target, const dp_frame *other)
{
    for (uint32_t i = 0; i < target->nseg; i++) {
        dp_str seg = dp_frame_seg(target, i);
        dp_buf_byte(out, '/');
        if (!seg.n)
            continue;
        if (shared(target, i, other) >= 0)
            dp_put_numbered(out, 't', i, "");
        else
            dp_buf_byte(out, '*');
    }
}

void dp_generate_joint(dp_pairing *p)
{
    const dp_frame *target = p->u->nseg < p->v->nseg ? p->u : p->v, *other = target == p->u ? p->v : p->u;
    uint32_t        arguments = 0, stars = 0;
    if (p->u->npair || p->v->npair || target->nseg > MOST_SEGS || other->nseg > MOST_SEGS)
        return;
    for (uint32_t i = 0; i < target->nseg; i++) {
        dp_str seg = dp_frame_seg(target, i);
        if (!seg.n)
            continue;
        if (shared(target, i, other) >= 0)
            arguments += !dp_lexicon_has(p->lexicon, seg);
        else
            stars++;
    }
    if (!arguments || !stars)
        return;
    put_left(p, &p->text, other, target);
    dp_buf_c(&p->text, " => ");
    put_right(&p->text, target, other);
    put_left(p, &p->other, target, target);
    dp_buf_c(&p->other, " => ");
    put_right(&p->other, target, other);
    dp_pairing_propose(p, DP_TIER_MASK, DP_FAMILY_JOINT);
}
