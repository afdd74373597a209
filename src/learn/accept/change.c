/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/accept/change.h"

#include "base/words/case.h"

enum {
    MOST_SEGMENTS = 3, /* of a path that are shown one by one */
    LONGEST_WORD = 12, /* bytes */
    MOST_NAMES = 4,    /* of parameters */
    LONGEST_NAME = 32  /* bytes */
};

static dp_str segment(const dp_frame *f, uint32_t i)
{
    return dp_frame_cut(f, f->seg[i], f->seg[i + 1] - 1);
}

static dp_str name_of(const dp_frame *f, uint32_t i)
{
    return dp_frame_cut(f, f->pair[i].at, f->pair[i].eq);
}

static void begin(dp_buf *out, size_t start)
{
    dp_buf_c(out, out->n > start ? "; " : "");
}

/* ---- the path ------------------------------------------------------------------------------------------------- */

/* A word that may be part of the site's structure: letters, and one ending such as .html. */
static bool is_word(dp_str s)
{
    size_t dots = 0;
    for (size_t i = 0; i < s.n; i++) {
        char c = (char)(s.p[i] | 32);
        dots += s.p[i] == '.';
        if (s.p[i] != '.' && s.p[i] != '_' && (c < 'a' || c > 'z'))
            return false;
    }
    return s.n <= LONGEST_WORD && dots < 2;
}

static bool is_number(dp_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
    }
    return s.n > 0;
}

/* The segments from `from` to `to`, with what stands around them. */
static void say_segments(dp_buf *out, const dp_frame *f, uint32_t from, uint32_t to)
{
    dp_buf_c(out, from ? "/.." : "");
    if (to - from > MOST_SEGMENTS)
        dp_buf_printf(out, "/{%u segments}", to - from);
    for (uint32_t i = from; i < to && to - from <= MOST_SEGMENTS; i++) {
        dp_str s = segment(f, i);
        dp_buf_byte(out, '/');
        if (is_word(s))
            dp_buf_str(out, s);
        else
            dp_buf_c(out, is_number(s) ? "{int}" : "{text}");
    }
    dp_buf_c(out, to < f->nseg ? "/.." : "");
}

static bool is_same_text(dp_str a, dp_str b)
{
    bool same = a.n == b.n;
    for (size_t i = 0; i < a.n && same; i++)
        same = dp_lower(a.p[i]) == dp_lower(b.p[i]);
    return same;
}

static void say_path(dp_buf *out, const dp_frame *a, const dp_frame *b)
{
    dp_str   x = dp_frame_cut(a, a->path, a->path_end), y = dp_frame_cut(b, b->path, b->path_end);
    uint32_t least = a->nseg < b->nseg ? a->nseg : b->nseg, head = 0, tail = 0;
    if (is_same_text(x, y)) {
        dp_buf_c(out, "upper or lower case in the path");
        return;
    }
    while (head < least && dp_str_eq(segment(a, head), segment(b, head)))
        head++;
    while (tail < least - head && dp_str_eq(segment(a, a->nseg - 1 - tail), segment(b, b->nseg - 1 - tail)))
        tail++;
    dp_buf first = {0}, second = {0};
    say_segments(&first, a, head, a->nseg - tail);
    say_segments(&second, b, head, b->nseg - tail);
    bool turned = dp_str_cmp(dp_buf_view(&first), dp_buf_view(&second)) > 0;
    out->failed |= first.failed || second.failed;
    if (first.n == second.n && !turned && dp_str_eq(dp_buf_view(&first), dp_buf_view(&second)))
        dp_buf_printf(out, "%.*s", DP_FMT(dp_buf_view(&first)));
    else
        dp_buf_printf(out, "%.*s or %.*s", DP_FMT(dp_buf_view(turned ? &second : &first)),
                      DP_FMT(dp_buf_view(turned ? &first : &second)));
    dp_buf_done(&first);
    dp_buf_done(&second);
}

/* ---- the query ------------------------------------------------------------------------------------------------ */

typedef enum odd { ONLY_HERE, OTHER_VALUE, ODDS } odd;

/* Whether pair `i` of `f` is missing in the other, or has another value there. */
static odd look(const dp_frame *f, uint32_t i, const dp_frame *other)
{
    odd found = ONLY_HERE;
    for (uint32_t k = 0; k < other->npair && found != ODDS; k++) {
        if (!dp_str_eq(name_of(f, i), name_of(other, k)))
            continue;
        found = OTHER_VALUE;
        if (dp_str_eq(dp_frame_cut(f, f->pair[i].at, f->pair[i].end),
                      dp_frame_cut(other, other->pair[k].at, other->pair[k].end)))
            found = ODDS;
    }
    return found;
}

typedef struct names {
    dp_str v[MOST_NAMES];
    size_t n, all;
} names;

/* The names in the order of their bytes, each once; of more than there is room for the least. */
static void add_name(names *l, dp_str name)
{
    size_t at = 0;
    while (at < l->n && dp_str_cmp(l->v[at], name) < 0)
        at++;
    if (at < l->n && dp_str_eq(l->v[at], name))
        return;
    l->all++;
    if (at == MOST_NAMES)
        return;
    l->n += l->n < MOST_NAMES;
    memmove(l->v + at + 1, l->v + at, (l->n - 1 - at) * sizeof *l->v);
    l->v[at] = name;
}

static void say_names(dp_buf *out, size_t start, const names *l, const char *before, const char *after)
{
    if (!l->n)
        return;
    begin(out, start);
    dp_buf_printf(out, "%s?", before);
    for (size_t i = 0; i < l->n; i++) {
        size_t n = l->v[i].n < LONGEST_NAME ? l->v[i].n : LONGEST_NAME;
        dp_buf_printf(out, "%s%.*s", i ? "," : "", (int)n, l->v[i].p);
    }
    dp_buf_printf(out, "%s%s", l->all > l->n ? ",..." : "", after);
}

static void say_query(dp_buf *out, size_t start, const dp_frame *a, const dp_frame *b)
{
    names            list[ODDS] = {{.n = 0}};
    const dp_frame *side[] = {a, b, a};
    for (int s = 0; s < 2; s++) {
        for (uint32_t i = 0; i < side[s]->npair; i++) {
            odd found = look(side[s], i, side[s + 1]);
            if (found != ODDS)
                add_name(&list[found], name_of(side[s], i));
        }
    }
    say_names(out, start, &list[ONLY_HERE], "", " in one of them");
    say_names(out, start, &list[OTHER_VALUE], "the value of ", "");
    bool same = dp_str_eq(dp_frame_cut(a, a->path_end, a->n), dp_frame_cut(b, b->path_end, b->n));
    if (!same && !list[ONLY_HERE].n && !list[OTHER_VALUE].n) {
        begin(out, start);
        dp_buf_c(out, "the order of parameters, or one of them twice");
    }
}

/* ---- all ------------------------------------------------------------------------------------------------------ */

void dp_change_say(dp_buf *out, const dp_frame *a, const dp_frame *b)
{
    size_t start = out->n;
    if (!dp_str_eq(dp_frame_scheme(a), dp_frame_scheme(b)))
        dp_buf_c(out, "http or https");
    if (!dp_str_eq(dp_frame_host(a), dp_frame_host(b)) || a->port != b->port) {
        begin(out, start);
        dp_buf_c(out, "the host");
    }
    if (!dp_str_eq(dp_frame_cut(a, a->path, a->path_end), dp_frame_cut(b, b->path, b->path_end))) {
        begin(out, start);
        say_path(out, a, b);
    }
    say_query(out, start, a, b);
}
