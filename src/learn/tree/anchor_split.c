/* Patterns against values, with the matching that rules have (docs/rule-format.md, "Matching").
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/tree/anchor.h"

/* Whether position `i` of stage-0 text is inside an escape. */
static bool in_escape(dp_str s, size_t i)
{
    return (i >= 1 && s.p[i - 1] == '%') || (i >= 2 && s.p[i - 2] == '%');
}

/* The leftmost place of `literal` in `s` at or after `from` that does not begin inside an escape, and ends by `to`;
 * SIZE_MAX: none. */
static size_t find_literal(dp_str s, dp_str literal, size_t from, size_t to)
{
    while (from + literal.n <= to) {
        const char *p = memmem(s.p + from, to - from, literal.p, literal.n);
        if (!p)
            return SIZE_MAX;
        size_t at = (size_t)(p - s.p);
        if (!in_escape(s, at))
            return at;
        from = at + 1;
    }
    return SIZE_MAX;
}

bool dp_anchor_split(const dp_anchor_pattern *p, dp_str value, dp_str *piece)
{
    dp_str first = p->literal[0], last = p->literal[p->npiece];
    if (value.n < p->text.n || !dp_str_starts(value, first) || !dp_str_ends(value, last))
        return false;
    size_t at = first.n, end = value.n - last.n;
    if (in_escape(value, at) || (last.n && in_escape(value, end)))
        return false;
    for (size_t k = 0; k + 1 < p->npiece; k++) {
        size_t next = find_literal(value, p->literal[k + 1], at + 1, end);
        if (next == SIZE_MAX)
            return false;
        piece[k] = dp_str_cut(value, at, next);
        at = next + p->literal[k + 1].n;
    }
    if (at >= end)
        return false;
    piece[p->npiece - 1] = dp_str_cut(value, at, end);
    /* A piece with a raw star is an erased part, which no capture matches. */
    return !memchr(value.p, '*', value.n);
}

void dp_anchor_join(dp_buf *out, const dp_anchor_pattern *p, const dp_str *piece)
{
    for (size_t k = 0; k < p->npiece; k++) {
        dp_buf_str(out, p->literal[k]);
        dp_buf_str(out, piece[k]);
    }
    dp_buf_str(out, p->literal[p->npiece]);
}
