/* SPDX-License-Identifier: Apache-2.0 */
#include "apply/firstcut.h"

#include "rule/rule.h"
#include "url/chars.h"
#include "url/percent.h"

/* One capture, and what must stand behind it. */
typedef struct place {
    const dp_im_item *capture;
    dp_str            literal; /* empty when another capture follows, or the end */
    const uint32_t   *next;    /* row of the capture behind that; NULL: the text ends there */
} place;

/* Whether a capture may end at `end`: all that follows fits. */
static bool may_end(const dp_firstcut *c, const place *at, uint32_t end)
{
    size_t behind = end + at->literal.n;
    if (at->next ? behind >= c->text.n || !at->next[behind] : behind != c->text.n)
        return false;
    return (at->literal.n == 0 || memcmp(c->text.p + end, at->literal.p, at->literal.n) == 0) &&
           !dp_percent_inside(c->text, end);
}

/* ---- classes of bytes: int, hex, word, slug, and all -------------------------------------------- */

static bool is_byte_class(const dp_im_item *it)
{
    return it->cls < DP_CLASS_UUID;
}

static bool in_class(const dp_firstcut *c, const dp_im_item *it, char b)
{
    switch ((dp_class)it->cls) {
    case DP_CLASS_INT: return dp_is(b, DP_CH_DIGIT);
    case DP_CLASS_HEX: return dp_is(b, DP_CH_HEX);
    case DP_CLASS_WORD: return dp_is(b, DP_CH_ALPHA);
    case DP_CLASS_SLUG: return dp_is(b, DP_CH_ALNUM) || b == '_' || b == '-';
    default: return c->condition || b != '*';
    }
}

/* Where the shortest one that begins at p ends, 0: nowhere. */
static uint32_t end_of_bytes(const dp_firstcut *c, const place *at, uint32_t p)
{
    const dp_im_item *it = at->capture;
    bool              good = it->cls != DP_CLASS_SLUG; /* which needs a letter */
    uint32_t          n = (uint32_t)c->text.n, most = it->length && it->length < n - p ? p + it->length : n;
    for (uint32_t i = p; i < most && in_class(c, it, c->text.p[i]); i++) {
        good |= dp_is(c->text.p[i], DP_CH_ALPHA);
        if (good && (!it->length || i + 1 - p == it->length) && may_end(c, at, i + 1))
            return i + 1;
    }
    return 0;
}

/* The row of a capture of such a class. `near` is the first place behind p where it may end; a slug ends behind the
 * next letter. The last capture has one end: before the first byte that is not of its class nothing is left to see. */
static void fill_bytes(const dp_firstcut *c, const place *at, uint32_t *row)
{
    const dp_im_item *it = at->capture;
    bool              slug = it->cls == DP_CLASS_SLUG, last = !at->next;
    uint32_t          n = (uint32_t)c->text.n, stop = n, letter = n, near = 0, p = n;
    if (last)
        p -= (uint32_t)at->literal.n;
    memset(row, 0, n * sizeof *row);
    while (p-- > 0) {
        uint32_t end = 0;
        if (!it->length && may_end(c, at, p + 1))
            near = p + 1;
        if (!in_class(c, it, c->text.p[p])) {
            if (last)
                return;
            stop = p;
            continue;
        }
        if (!slug || dp_is(c->text.p[p], DP_CH_ALPHA)) {
            letter = p;
            end = near;
        } else if (letter < stop) {
            end = row[letter];
        }
        if (it->length)
            end = letter < p + it->length && may_end(c, at, p + it->length) ? p + it->length : 0;
        if (end <= stop && !dp_percent_inside(c->text, p))
            row[p] = end;
    }
}

/* ---- texts that are compared: uuid, date, list ------------------------------------------------------ */

static uint32_t shorter(uint32_t a, uint32_t b)
{
    return a && (!b || a < b) ? a : b;
}

/* The end of a capture of `n` bytes at p, 0 when it does not fit. */
static uint32_t end_of(const dp_firstcut *c, const place *at, uint32_t p, size_t n)
{
    return n <= c->text.n - p && may_end(c, at, p + (uint32_t)n) ? p + (uint32_t)n : 0;
}

static uint32_t end_of_class(const dp_firstcut *c, const place *at, uint32_t p, size_t n)
{
    uint32_t end = end_of(c, at, p, n);
    return end && dp_class_fits((dp_class)at->capture->cls, dp_str_cut(c->text, p, end)) ? end : 0;
}

static uint32_t end_of_text(const dp_firstcut *c, const place *at, uint32_t p)
{
    enum { UUID = 36, DAY = 8, DAY_WITH_DASHES = 10 };
    const dp_im_item *it = at->capture;
    if (it->cls == DP_CLASS_UUID)
        return end_of_class(c, at, p, UUID);
    if (it->cls == DP_CLASS_DATE)
        return shorter(end_of_class(c, at, p, DAY), end_of_class(c, at, p, DAY_WITH_DASHES));
    const dp_cut *v = dp_im_at(c->body, it->what.at);
    uint32_t      end = 0;
    for (uint32_t i = 0; i < it->what.n; i++) {
        dp_str value = dp_im_literal(c->body, v[i]);
        if (value.n && dp_str_starts(dp_str_cut(c->text, p, c->text.n), value))
            end = shorter(end_of(c, at, p, value.n), end);
    }
    return end;
}

static void fill_texts(const dp_firstcut *c, const place *at, uint32_t *row)
{
    for (uint32_t p = 0; p < c->text.n; p++)
        row[p] = dp_percent_inside(c->text, p) ? 0 : end_of_text(c, at, p);
}

/* ---- whole ------------------------------------------------------------------------------------------- */

bool dp_firstcut_find(const dp_firstcut *c, uint32_t end[DP_MAX_CUT])
{
    place    at[DP_MAX_CUT];
    uint32_t captures = 0, n = (uint32_t)c->text.n, begin = 0;
    if (c->item->kind == DP_ITEM_LITERAL) {
        dp_str first = dp_im_literal(c->body, c->item->what);
        if (!dp_str_starts(c->text, first))
            return false;
        begin = (uint32_t)first.n;
    }
    for (uint32_t i = begin > 0; i < c->n; i++) {
        if (c->item[i].kind == DP_ITEM_LITERAL)
            at[captures - 1].literal = dp_im_literal(c->body, c->item[i].what);
        else
            at[captures++] = (place){.capture = &c->item[i]};
    }
    if (begin >= n || !dp_str_ends(c->text, at[captures - 1].literal))
        return false;
    for (uint32_t k = captures; k-- > 1;) {
        at[k - 1].next = c->table + (size_t)k * n;
        (is_byte_class(at[k].capture) ? fill_bytes : fill_texts)(c, &at[k], c->table + (size_t)k * n);
    }
    end[0] = (is_byte_class(at[0].capture) ? end_of_bytes : end_of_text)(c, &at[0], begin);
    for (uint32_t k = 1; k < captures && end[0]; k++)
        end[k] = at[k - 1].next[end[k - 1] + at[k - 1].literal.n];
    return end[0] != 0;
}
