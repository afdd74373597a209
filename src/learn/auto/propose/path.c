/* Ideas about whole components: exchanged, left out, masked; the case of the path.
 *
 *     /docs/old/a/b     /docs/new/a/b        /{x}/old/{**} => /{x}/new/{**}
 *     /a/index.html     /a/                  /{**}/index.html => /{**}/
 *     /q/17/a-slug      /q/17                /{a}/{b}/{c} => /{a}/{b}
 *
 * The components that both have at the start and at the end are common; what is left in the middle is exchanged.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/auto/propose/path.h"

#include "base/words/case.h"
#include "learn/auto/layout/reading.h"
#include "learn/auto/propose/zeros.h"
#include "url/chars.h"

enum { MOST_BLOCK = 4, MOST_CAPTURED = 6 };

/* Append component `k` of the common part as a capture named after its place, or as it is. */
static void put(dp_pairing *p, const dp_frame *f, uint32_t i, char name, bool literal)
{
    dp_buf_byte(&p->text, '/');
    if (literal)
        dp_buf_str(&p->text, dp_frame_seg(f, i));
    else
        dp_put_capture(&p->text, name);
}

static void put_block(dp_pairing *p, const dp_frame *f, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        put(p, f, i, 0, true);
}

/* Which components of the common start are literal: all, the last, none. */
typedef enum start_how { START_ANY, START_LAST, START_LITERAL, START_GLOB } start_how;

/* How the common end is written: as it is long, component by component; or {**}. */
typedef enum rest_how { REST_GLOB, REST_CAPTURED, REST_NEXT } rest_how;

typedef struct cut_of {
    const dp_frame *f;
    uint32_t        from, to; /* the block */
} cut_of;

static dp_str block_text(cut_of c)
{
    return c.from == c.to ? (dp_str){c.f->s, 0} : dp_frame_cut(c.f, c.f->seg[c.from], c.f->seg[c.to] - 1);
}

static void put_side(dp_pairing *p, cut_of c, start_how s, rest_how r)
{
    uint32_t n = c.f->nseg;
    if (s == START_GLOB)
        dp_buf_c(&p->text, "/{**}");
    else
        for (uint32_t i = 0; i < c.from; i++)
            put(p, c.f, i, (char)('a' + i), s == START_LITERAL || (s == START_LAST && i + 1 == c.from));
    put_block(p, c.f, c.from, c.to);
    uint32_t at = c.to;
    if (r == REST_NEXT && at < n)
        put(p, c.f, at++, 0, true);
    if (at == n)
        return;
    if (r == REST_CAPTURED)
        for (uint32_t k = 0; at < n; at++, k++)
            put(p, c.f, at, (char)('n' + k), dp_frame_seg(c.f, at).n == 0);
    else
        dp_buf_c(&p->text, "/{**}");
}

/* Whether the block holds a number that is no default. */
static bool has_number(cut_of c)
{
    for (uint32_t i = c.from; i < c.to; i++) {
        dp_str seg = dp_frame_seg(c.f, i);
        if (dp_is_id(seg) || (seg.n && dp_all(seg, DP_CH_DIGIT) && !(seg.n == 1 && seg.p[0] <= '1')))
            return true;
    }
    return false;
}

/* Whether the block is words. */
static bool is_words(cut_of c)
{
    for (uint32_t i = c.from; i < c.to; i++) {
        dp_str seg = dp_frame_seg(c.f, i);
        if (!seg.n || !dp_is(seg.p[0], DP_CH_ALPHA) || has_number((cut_of){c.f, i, i + 1}))
            return false;
    }
    return c.from < c.to;
}

/* Whether the block holds the id of a page, or of a version: nobody gives one of these a name. */
static bool has_id(cut_of c)
{
    bool found = false;
    for (uint32_t i = c.from; i < c.to && !found; i++)
        found = dp_is_id(dp_frame_seg(c.f, i));
    return found;
}

/* Whether one of two blocks says a number, and the other does not give it a name: a rule may forget all numbers there,
 * or exchange them, but not one of them. */
static bool names_number(cut_of a, cut_of b)
{
    if (has_id(a) || has_id(b))
        return true;
    return has_number(a) ? !is_words(b) : has_number(b) && !is_words(a);
}

static void exchange(dp_pairing *p, cut_of from, cut_of to, start_how s, rest_how r)
{
    bool last = from.to == from.f->nseg && to.to == to.f->nseg;
    put_side(p, from, s, r);
    dp_buf_c(&p->text, " => ");
    size_t at = p->text.n;
    put_side(p, to, s, r);
    if (at == p->text.n) /* nothing is left of the path */
        dp_buf_byte(&p->text, '/');
    bool index = last && from.to - from.from == 1 && to.to - to.from <= 1 &&
                 (to.to == to.from || dp_frame_seg(to.f, to.from).n == 0);
    dp_pairing_propose(p, index ? DP_TIER_FORM : DP_TIER_LITERAL, index ? DP_FAMILY_INDEX : DP_FAMILY_BLOCK);
}

/* /{a}/x => /{a}: the slash at the end, which {**} would swallow. */
static void propose_slash(dp_pairing *p)
{
    dp_buf_c(&p->text, "/{**}/{x}/ => /{**}/{x}");
    dp_pairing_propose(p, DP_TIER_FORM, DP_FAMILY_INDEX);
}

static void propose_blocks(dp_pairing *p, cut_of from, cut_of to)
{
    uint32_t start = from.from, end = from.f->nseg - from.to;
    if (names_number(from, to))
        return;
    if (end == 0 && to.to == to.f->nseg && start <= MOST_CAPTURED) { /* at the end */
        exchange(p, from, to, START_GLOB, REST_CAPTURED);
        exchange(p, from, to, START_ANY, REST_CAPTURED);
        if (start)
            exchange(p, from, to, START_LITERAL, REST_CAPTURED);
        return;
    }
    if (start <= MOST_CAPTURED) {
        exchange(p, from, to, START_ANY, REST_GLOB);
        if (start) {
            exchange(p, from, to, START_LITERAL, REST_GLOB);
            if (start > 1)
                exchange(p, from, to, START_LAST, REST_GLOB);
        }
        if (end > 1 || dp_frame_seg(from.f, from.to).n)
            exchange(p, from, to, START_ANY, REST_NEXT);
    }
    if (end <= 3) {
        exchange(p, from, to, START_GLOB, REST_CAPTURED);
        if (start && start <= MOST_CAPTURED)
            exchange(p, from, to, START_LITERAL, REST_CAPTURED);
    }
}

/* ---- components of any value -------------------------------------------------------------- */

/* Write the path with the block of any value: captured on the left; left out, or masked on the right. `fixed` bits say
 * which common components are literal. */
static void put_any(dp_pairing *p, cut_of c, uint64_t fixed, bool left, bool mask)
{
    for (uint32_t i = 0; i < c.f->nseg; i++) {
        bool in = i >= c.from && i < c.to;
        if (in && !left && !mask)
            continue;
        if (in && !left)
            dp_buf_c(&p->text, "/*");
        else
            put(p, c.f, i, (char)('a' + i), (fixed >> i & 1) || (!in && dp_frame_seg(c.f, i).n == 0));
    }
}

static void forget(dp_pairing *p, cut_of c, uint64_t fixed, bool mask)
{
    put_any(p, c, fixed, true, mask);
    dp_buf_c(&p->text, " => ");
    size_t at = p->text.n;
    put_any(p, c, fixed, false, mask);
    if (at == p->text.n)
        dp_buf_byte(&p->text, '/');
    dp_pairing_propose(p, mask ? DP_TIER_MASK : DP_TIER_FORGET, DP_FAMILY_FORGET);
}

static void propose_forgetting(dp_pairing *p, cut_of c, bool mask)
{
    uint32_t n = c.f->nseg;
    if (n > 20)
        return;
    for (uint32_t i = c.from; i < c.to; i++)
        if (dp_frame_seg(c.f, i).n == 0)
            return;
    uint64_t common = 0;
    for (uint32_t i = 0; i < n; i++)
        if ((i < c.from || i >= c.to) && dp_lexicon_has(p->lexicon, dp_frame_seg(c.f, i)))
            common |= 1ull << i;
    forget(p, c, 0, mask);
    if (common)
        forget(p, c, common, mask);
    if (common & 1 && common != 1)
        forget(p, c, 1, mask);
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* Bytes of a hash, and of the shortest form of one. */
enum { SHORTEST_HASH = 6, LEAST_HASH = 16, MOST_HASH = 128 };

bool dp_is_short_hash(dp_str u, dp_str v)
{
    bool digits = false, letters = false;
    if (v.n < SHORTEST_HASH || u.n < LEAST_HASH || u.n > MOST_HASH || v.n >= u.n || !dp_str_starts(u, v))
        return false;
    for (size_t i = 0; i < u.n; i++) {
        digits |= dp_is(u.p[i], DP_CH_DIGIT);
        letters |= dp_is(u.p[i], DP_CH_ALPHA);
    }
    return digits && letters && dp_all(u, DP_CH_HEX);
}

void dp_put_hash(dp_buf *out, dp_str u, dp_str v)
{
    dp_buf_printf(out, "{x:hex*%zu}{y:hex*%zu}", v.n, u.n - v.n);
}

dp_path_cut dp_path_cut_of(const dp_frame *u, const dp_frame *v)
{
    uint32_t    least = u->nseg < v->nseg ? u->nseg : v->nseg;
    dp_path_cut c = {0};
    while (c.start < least && dp_str_eq(dp_frame_seg(u, c.start), dp_frame_seg(v, c.start)))
        c.start++;
    while (c.end < least - c.start &&
           dp_str_eq(dp_frame_seg(u, u->nseg - 1 - c.end), dp_frame_seg(v, v->nseg - 1 - c.end)))
        c.end++;
    return c;
}

void dp_generate_path(dp_pairing *p)
{
    const dp_frame *u = p->u, *v = p->v;
    dp_generate_zeros(p);
    dp_str          x = dp_frame_cut(u, u->path, u->path_end), y = dp_frame_cut(v, v->path, v->path_end);
    if (dp_str_eq(x, y))
        return;
    if (dp_str_eq_but_case(x, y)) {
        dp_buf_c(&p->text, "fold case path");
        dp_pairing_propose(p, DP_TIER_FORM, DP_FAMILY_CASE);
    }
    dp_path_cut k = dp_path_cut_of(u, v);
    cut_of      a = {u, k.start, u->nseg - k.end}, b = {v, k.start, v->nseg - k.end};
    uint32_t    na = a.to - a.from, nb = b.to - b.from;
    dp_str      last = na == 1 ? dp_frame_seg(u, a.from) : nb == 1 ? dp_frame_seg(v, b.from) : DP_STR("-");
    if (na + nb == 1 && last.n == 0 && k.end == 0) {
        propose_slash(p);
        return;
    }
    if (na <= MOST_BLOCK && nb <= MOST_BLOCK) {
        /* The dearer side is written as the cheaper one. */
        dp_str left = block_text(a), right = block_text(b);
        bool   falls = dp_pairing_falls(p, left, right);
        propose_blocks(p, falls ? a : b, falls ? b : a);
    }
    if (na && !nb && na <= 2)
        propose_forgetting(p, a, false);
    if (nb && !na && nb <= 2)
        propose_forgetting(p, b, false);
    if (na == 1 && nb == 1 && !dp_share_id(dp_frame_seg(u, a.from), dp_frame_seg(v, b.from)) &&
        !dp_same_but_zeros(dp_frame_seg(u, a.from), dp_frame_seg(v, b.from))) {
        propose_forgetting(p, a, true);
        propose_forgetting(p, b, true);
    }
}
