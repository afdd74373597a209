/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/propose/behind.h"

#include "learn/auto/propose/path.h"
#include "url/chars.h"

enum {
    MOST_NUMBERS = 6,  /* of a layout */
    LEAST_WORD = 4     /* letters of a word that says more than which kind of id follows */
};

/* A component: the layout, what stands between it and the words, the end of the file's name. */
typedef struct layout {
    dp_str core, mark, tail;
    bool   behind; /* the words are, else they stand in front */
} layout;

/* A run that is part of how the site is built, or a number. */
static bool is_fixed(const dp_pairing *p, dp_str run)
{
    return !dp_is(run.p[0], DP_CH_ALPHA) || dp_lexicon_has(p->lexicon, run);
}

/* Whether a layout says more than one id does: two numbers, or one and a word. */
static bool is_rich(dp_str core)
{
    size_t numbers = 0, words = 0;
    for (size_t i = 0, end; i < core.n; i = end) {
        end = dp_lexicon_end(core, i);
        numbers += dp_is(core.p[i], DP_CH_DIGIT);
        words += dp_is(core.p[i], DP_CH_ALPHA) && end - i >= LEAST_WORD;
    }
    return numbers && numbers <= MOST_NUMBERS && numbers + words > 1;
}

/* The longest beginning of `s` that is fixed, without what stands between words at its end. */
static dp_str fixed_start(const dp_pairing *p, dp_str s)
{
    size_t n = 0;
    for (size_t i = 0, end; i < s.n; i = end) {
        end = dp_lexicon_end(s, i);
        if (!is_fixed(p, dp_str_cut(s, i, end)))
            break;
        n = dp_is(s.p[i], DP_CH_ALNUM) ? end : n;
    }
    return dp_str_cut(s, 0, n);
}

/* The longest end of `s` that is fixed, the same way. */
static dp_str fixed_end(const dp_pairing *p, dp_str s)
{
    size_t from = s.n;
    for (size_t i = 0, end; i < s.n; i = end) {
        end = dp_lexicon_end(s, i);
        if (!is_fixed(p, dp_str_cut(s, i, end)))
            from = s.n;
        else if (from == s.n && dp_is(s.p[i], DP_CH_ALNUM))
            from = i;
    }
    return dp_str_cut(s, from, s.n);
}

/* How many bytes that are neither letters nor digits `s` begins with. */
static size_t marks(dp_str s)
{
    size_t n = 0;
    while (n < s.n && !dp_is(s.p[n], DP_CH_ALNUM) && s.p[n] != '%' && s.p[n] != '*')
        n++;
    return n;
}

static size_t common_start(dp_str a, dp_str b)
{
    size_t n = 0;
    while (n < a.n && n < b.n && a.p[n] == b.p[n])
        n++;
    return n;
}

static size_t common_end(dp_str a, dp_str b)
{
    size_t n = 0;
    while (n < a.n && n < b.n && a.p[a.n - 1 - n] == b.p[b.n - 1 - n])
        n++;
    return n;
}

static bool ends_word(dp_str s, size_t n)
{
    return n == s.n || !(dp_is(s.p[n - 1], DP_CH_ALNUM) && dp_is(s.p[n], DP_CH_ALNUM));
}

static bool begins_word(dp_str s, size_t at)
{
    return !at || !(dp_is(s.p[at - 1], DP_CH_ALNUM) && dp_is(s.p[at], DP_CH_ALNUM));
}

/* Both begin with one layout, and `a`, the longer, has words behind it. */
static bool find_behind(layout *out, const dp_pairing *p, dp_str a, dp_str b)
{
    size_t tail = a.n;
    for (size_t i = a.n; i-- > 0 && tail == a.n;)
        tail = a.p[i] == '.' ? i : tail;
    if (tail == a.n || common_end(a, b) < a.n - tail || !dp_lexicon_has(p->lexicon, dp_str_cut(a, tail + 1, a.n)))
        tail = a.n;
    dp_str core = fixed_start(p, dp_str_cut(a, 0, common_start(a, b)));
    while (core.n && !(ends_word(a, core.n) && ends_word(b, core.n)))
        core.n--;
    core = fixed_start(p, core);
    size_t mark = core.n <= tail ? marks(dp_str_cut(a, core.n, tail)) : 0;
    *out = (layout){core, dp_str_cut(a, core.n, core.n + mark), dp_str_cut(a, tail, a.n), true};
    return mark && core.n + mark < tail && is_rich(core);
}

/* Both end with one layout, and `a` has words in front of it. */
static bool find_front(layout *out, const dp_pairing *p, dp_str a, dp_str b)
{
    size_t same = common_end(a, b);
    dp_str core = fixed_end(p, dp_str_cut(a, a.n - same, a.n));
    while (core.n && !(begins_word(a, a.n - core.n) && begins_word(b, b.n - core.n)))
        core = dp_str_cut(core, 1, core.n);
    core = fixed_end(p, core);
    size_t at = a.n - core.n, mark = 0;
    while (mark < at && marks(dp_str_cut(a, at - mark - 1, at)) == mark + 1)
        mark++;
    *out = (layout){core, dp_str_cut(a, at - mark, at), dp_str_cut(a, a.n, a.n), false};
    return mark && mark < at && is_rich(core);
}

static void put_core(dp_buf *out, dp_str core, bool left)
{
    char name = 'n';
    for (size_t i = 0, end; i < core.n; i = end) {
        end = dp_lexicon_end(core, i);
        if (!dp_is(core.p[i], DP_CH_DIGIT)) {
            dp_buf_str(out, dp_str_cut(core, i, end));
            continue;
        }
        dp_buf_byte(out, '{');
        dp_buf_byte(out, name++);
        dp_buf_c(out, left ? ":int}" : "}");
    }
}

static void put_component(dp_buf *out, const layout *l, bool left)
{
    if (!l->behind && left) {
        dp_buf_c(out, "{z}");
        dp_buf_str(out, l->mark);
    }
    put_core(out, l->core, left);
    if (l->behind && left) {
        dp_buf_str(out, l->mark);
        dp_buf_c(out, "{z}");
    }
    dp_buf_str(out, l->tail);
}

static void propose(dp_pairing *p, const dp_frame *f, uint32_t at, const layout *l)
{
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < f->nseg; i++) {
            dp_str seg = dp_frame_seg(f, i);
            dp_buf_byte(&p->text, '/');
            if (i == at)
                put_component(&p->text, l, !side);
            else if (!seg.n || dp_lexicon_has(p->lexicon, seg))
                dp_buf_str(&p->text, seg);
            else
                dp_put_numbered(&p->text, 's', i, "");
        }
        dp_buf_c(&p->text, side ? "" : " => ");
    }
    dp_pairing_propose(p, DP_TIER_FORGET, DP_FAMILY_FORGET);
}

void dp_generate_behind(dp_pairing *p)
{
    const dp_frame *u = p->u, *v = p->v;
    dp_path_cut     c = dp_path_cut_of(u, v);
    layout          l;
    if (u->nseg != v->nseg || u->nseg > 20 || c.start + c.end + 1 != u->nseg)
        return;
    dp_str a = dp_frame_seg(u, c.start), b = dp_frame_seg(v, c.start);
    bool   turn = b.n > a.n;
    if (find_behind(&l, p, turn ? b : a, turn ? a : b))
        propose(p, turn ? v : u, c.start, &l);
    if (find_front(&l, p, turn ? b : a, turn ? a : b))
        propose(p, turn ? v : u, c.start, &l);
}
