/* Ideas about numbers with leading zeros and without.
 *
 *     /archive/0003653.html    /archive/3653.html     /archive/{a:int}.html => /archive/{a|int}.html
 *     /2020/05/07/title        /2020/5/7/title        /{a:int}/{b:int}/{c:int}/{d} => /{a|int}/{b|int}/{c|int}/{d}
 *     /day-2020-05-07          /day-2020-5-7          /day-{a:int}-{b:int}-{c:int} => ...
 *     ?m=05                    ?m=5                   /{**}?m={x:int}&... => /{**}?m={x|int}&...
 *
 * Only of two URLs that differ in nothing else. All numbers of a component lose their zeros, since most days of a month
 * have two digits anyway.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/auto/propose/zeros.h"

#include "learn/auto/layout/reading.h"
#include "url/chars.h"

enum {
    MOST_SEGS = 12,    /* of a path */
    MOST_CAPTURES = 20 /* of a rule */
};

/* How components that both have are written: as they are, captured, or those before as {**}. */
typedef enum others { LITERAL, ANY, GLOB, OTHERS } others;

typedef struct writing {
    dp_pairing *p;
    uint32_t    captures;
    bool        left;
    bool        failed; /* cannot be said */
} writing;

static void put_name(writing *w, const char *left, const char *right)
{
    w->failed |= w->captures >= MOST_CAPTURES;
    dp_buf_byte(&w->p->text, '{');
    dp_buf_byte(&w->p->text, (char)('a' + w->captures++ % MOST_CAPTURES));
    dp_buf_c(&w->p->text, w->left ? left : right);
    dp_buf_byte(&w->p->text, '}');
}

/* Where the run that begins at `at` ends, of digits or of anything else. */
static size_t run_end(dp_str s, size_t at)
{
    bool   digit = dp_is(s.p[at], DP_CH_DIGIT);
    size_t end = at;
    while (end < s.n && dp_is(s.p[end], DP_CH_DIGIT) == digit)
        end++;
    return end;
}

/* Whether the words of a text are part of how the site is built. */
static bool is_fixed(const dp_pairing *p, dp_str s)
{
    bool fixed = true;
    for (size_t i = 0, j; i < s.n && fixed; i = j) {
        j = dp_lexicon_end(s, i);
        fixed = !dp_is(s.p[i], DP_CH_ALNUM) || dp_lexicon_has(p->lexicon, dp_str_cut(s, i, j));
    }
    return fixed;
}

/* What stands between two numbers, before the first or behind the last: literal, or words of any value with the
 * delimiters beside the numbers. */
static void put_between(writing *w, dp_str s, bool first, bool last)
{
    dp_str tail = last ? dp_tail_of(s) : dp_str_cut(s, s.n, s.n);
    if (is_fixed(w->p, s)) {
        dp_buf_str(&w->p->text, s);
        return;
    }
    size_t from = first ? 0 : 1, to = s.n - (last ? tail.n : 1);
    w->failed |= from >= to || (!first && dp_is(s.p[0], DP_CH_ALNUM)) || (!last && dp_is(s.p[s.n - 1], DP_CH_ALNUM));
    if (w->failed)
        return;
    dp_buf_str(&w->p->text, dp_str_cut(s, 0, from));
    put_name(w, "", "");
    dp_buf_str(&w->p->text, dp_str_cut(s, to, s.n));
}

/* A component whose numbers lose their zeros. */
static void put_numbers(writing *w, dp_str seg)
{
    for (size_t i = 0, j; i < seg.n; i = j) {
        j = run_end(seg, i);
        if (dp_is(seg.p[i], DP_CH_DIGIT))
            put_name(w, ":int", "|int");
        else
            put_between(w, dp_str_cut(seg, i, j), i == 0, j == seg.n);
    }
}

static void put_path(writing *w, others how)
{
    const dp_frame *u = w->p->u, *v = w->p->v;
    bool            before = true; /* the first component that differs */
    w->captures = 0;
    if (how == GLOB)
        dp_buf_c(&w->p->text, "/{**}");
    for (uint32_t i = 0; i < u->nseg; i++) {
        dp_str a = dp_frame_seg(u, i), b = dp_frame_seg(v, i);
        bool   same = dp_str_eq(a, b);
        before &= same;
        if (how == GLOB && before)
            continue;
        dp_buf_byte(&w->p->text, '/');
        if (!same || (a.n && dp_all(a, DP_CH_DIGIT)))
            put_numbers(w, a);
        else if (!a.n || (how == LITERAL && dp_lexicon_has(w->p->lexicon, a)))
            dp_buf_str(&w->p->text, a);
        else
            put_name(w, "", "");
    }
}

static void propose_path(dp_pairing *p)
{
    for (int how = LITERAL; how < OTHERS; how++) {
        writing w = {.p = p, .left = true};
        put_path(&w, (others)how);
        dp_buf_c(&p->text, " => ");
        w.left = false;
        put_path(&w, (others)how);
        if (!w.failed)
            dp_pairing_propose(p, DP_TIER_FORM, DP_FAMILY_CASE);
        dp_buf_reset(&p->text);
    }
}

static void propose_value(dp_pairing *p, dp_str name)
{
    dp_buf_c(&p->text, "/{**}?");
    dp_buf_str(&p->text, name);
    dp_buf_c(&p->text, "={x:int}&... => /{**}?");
    dp_buf_str(&p->text, name);
    dp_buf_c(&p->text, "={x|int}&...");
    dp_pairing_propose(p, DP_TIER_FORM, DP_FAMILY_CASE);
}

/* Whether one text is the other but for zeros; `*differ`: and not the same. */
static bool agree(dp_str a, dp_str b, bool *differ)
{
    bool same = dp_str_eq(a, b);
    *differ |= !same;
    return same || dp_same_but_zeros(a, b);
}

void dp_generate_zeros(dp_pairing *p)
{
    const dp_frame *u = p->u, *v = p->v;
    bool            path = false, query = false;
    if (u->nseg != v->nseg || u->npair != v->npair || u->nseg > MOST_SEGS)
        return;
    for (uint32_t i = 0; i < u->nseg; i++)
        if (!agree(dp_frame_seg(u, i), dp_frame_seg(v, i), &path))
            return;
    for (uint32_t i = 0; i < u->npair; i++)
        if (!dp_str_eq(dp_pair_name(u, &u->pair[i]), dp_pair_name(v, &v->pair[i])) ||
            !agree(dp_pair_value(u, &u->pair[i]), dp_pair_value(v, &v->pair[i]), &query))
            return;
    if (path)
        propose_path(p);
    for (uint32_t i = 0; i < u->npair && query; i++) {
        dp_str value = dp_pair_value(u, &u->pair[i]);
        if (!dp_str_eq(value, dp_pair_value(v, &v->pair[i])) && dp_all(value, DP_CH_DIGIT))
            propose_value(p, dp_pair_name(u, &u->pair[i]));
    }
}
