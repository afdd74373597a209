/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/sizes/tell_pairs.h"

#include "base/hash.h"
#include "base/words/case.h"
#include "url/chars.h"
#include "url/sorting.h"

/* ---- orders of rows --------------------------------------------------------------------------------------------- */

static bool has_pair(const dp_frame *f, dp_str name, dp_str value)
{
    for (uint32_t i = 0; i < f->npair; i++) {
        if (dp_str_eq(name, dp_pair_name(f, &f->pair[i])) && dp_str_eq(value, dp_pair_value(f, &f->pair[i])))
            return true;
    }
    return false;
}

static bool sorts_otherwise(const dp_frame *f, const dp_frame *g)
{
    for (uint32_t i = 0; i < f->npair; i++) {
        dp_str name = dp_pair_name(f, &f->pair[i]), value = dp_pair_value(f, &f->pair[i]);
        if (dp_sorts(name, value) && !has_pair(g, name, value))
            return true;
    }
    return false;
}

uint64_t dp_sorting_of(const dp_frame *f)
{
    uint64_t h = 0;
    for (uint32_t i = 0; i < f->npair; i++) {
        const dp_pair *p = &f->pair[i];
        if (dp_sorts(dp_pair_name(f, p), dp_pair_value(f, p)))
            h += dp_hash_mix(dp_hash_str(dp_frame_cut(f, p->at, p->end)));
    }
    return h;
}

/* ---- versions ----------------------------------------------------------------------------------------------- */

/* 2.2, v1.10.3 */
static bool is_version(dp_str s)
{
    size_t i = s.n && dp_lower(s.p[0]) == 'v', dots = 0;
    if (i == s.n || !dp_is(s.p[i], DP_CH_DIGIT) || !dp_is(s.p[s.n - 1], DP_CH_DIGIT))
        return false;
    for (; i < s.n; i++) {
        if (s.p[i] == '.')
            dots++;
        else if (!dp_is(s.p[i], DP_CH_DIGIT))
            return false;
    }
    return dots > 0;
}

/* What sites call the version that is not named by its number: then one number is meant. */
static bool is_current(dp_str s)
{
    return dp_is_word(s, "latest") || dp_is_word(s, "stable") || dp_is_word(s, "current");
}

static bool has_component(const dp_frame *f, dp_str text)
{
    for (uint32_t i = 0; i < f->nseg; i++) {
        if (dp_str_eq(text, dp_frame_seg(f, i)))
            return true;
    }
    return false;
}

static bool has_current(const dp_frame *f)
{
    for (uint32_t i = 0; i < f->nseg; i++) {
        if (is_current(dp_frame_seg(f, i)))
            return true;
    }
    return false;
}

static dp_str number_of(dp_str version)
{
    return dp_str_cut(version, version.n && dp_lower(version.p[0]) == 'v', version.n);
}

dp_str dp_version_of(const dp_frame *f)
{
    for (uint32_t i = 0; i < f->nseg; i++) {
        if (is_version(dp_frame_seg(f, i)))
            return number_of(dp_frame_seg(f, i));
    }
    return (dp_str){"", 0};
}

/* The next number of a version, without leading zeros. */
static dp_str next_number(dp_str *s)
{
    size_t from = 0, to = 0;
    while (to < s->n && s->p[to] != '.')
        to++;
    while (from < to && s->p[from] == '0')
        from++;
    dp_str number = dp_str_cut(*s, from, to);
    *s = dp_str_cut(*s, to + (to < s->n), s->n);
    return number;
}

int dp_version_cmp(dp_str a, dp_str b)
{
    while (a.n && b.n) {
        dp_str x = next_number(&a), y = next_number(&b);
        int    order = x.n != y.n ? (x.n < y.n ? -1 : 1) : dp_str_cmp(x, y);
        if (order)
            return order;
    }
    return (a.n > 0) - (b.n > 0);
}

/* Whether `f` has the number of a version that `g` has not. What has none is taken for the newest. */
static bool has_other_version(const dp_pair_teller *t, const dp_frame *f, const dp_frame *g)
{
    for (uint32_t i = 0; i < f->nseg; i++) {
        dp_str seg = dp_frame_seg(f, i);
        if (!is_version(seg) || has_component(g, seg))
            continue;
        bool is_newest = t->newest.n && dp_version_cmp(number_of(seg), t->newest) == 0 && !dp_version_of(g).n;
        return !is_newest && !has_current(g);
    }
    return false;
}

/* ---- all together ------------------------------------------------------------------------------------------- */

bool dp_pair_proves_nothing(dp_pair_teller *t, dp_str a, dp_str b)
{
    dp_frame_result x = dp_frame_read(&t->a, a), y = dp_frame_read(&t->b, b);
    t->failed |= x == DP_FRAME_NOMEM || y == DP_FRAME_NOMEM;
    t->sorts = false;
    if (x != DP_FRAME_OK || y != DP_FRAME_OK)
        return false;
    if (has_other_version(t, &t->a, &t->b) || has_other_version(t, &t->b, &t->a))
        return true;
    return t->sorts = sorts_otherwise(&t->a, &t->b) || sorts_otherwise(&t->b, &t->a);
}

bool dp_pair_has_other_numbers(dp_str a, dp_str b)
{
    if (a.n != b.n)
        return false;
    for (size_t i = 0; i < a.n; i++) {
        if (a.p[i] != b.p[i] && !(dp_is(a.p[i], DP_CH_DIGIT) && dp_is(b.p[i], DP_CH_DIGIT)))
            return false;
    }
    return true;
}

void dp_pair_teller_done(dp_pair_teller *t)
{
    dp_frame_done(&t->a);
    dp_frame_done(&t->b);
    *t = (dp_pair_teller){0};
}
