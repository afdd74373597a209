/* Algorithm 1 of WSDM'10 (DeepTokenize): refine a pattern by the anchors of its values, recursively. Which anchors
 * those are is asked of anchor_select.c.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"
#include "learn/tree/anchor_select.h"
#include "url/chars.h"

typedef struct builder {
    const dp_anchor_options *o;
    dp_anchor_token         *token; /* [] all of them */
    dp_keyed                *tmp;   /* [] */
    dp_buf                   text;
    dp_anchor_pattern       *v;     /* [n] malloc'd */
    size_t                   n, cap;
    dp_arena                *out;
} builder;

/* ---- the pattern of a value whose anchors are marked ---------------------------------------------- */

static uint32_t edge_bytes(dp_edge e)
{
    return e.kind == DP_EDGE_BYTE ? 1 : e.kind == DP_EDGE_ESCAPE ? 3 : 0;
}

/* Append the pattern of a value: anchors with the delimiters around them, a star for what lies between. */
static void print_pattern(dp_buf *out, const dp_anchor_token *t)
{
    uint32_t at = 0; /* bytes written, as they are or as a star */
    for (uint32_t i = 0; i < t->run.n; i++) {
        if (!t->chosen[i])
            continue;
        const dp_deep_run *r = &t->run.v[i];
        uint32_t           from = r->at - edge_bytes(r->left), to = r->end + edge_bytes(r->right);
        if (from > at)
            dp_buf_byte(out, '*');
        else
            from = at;
        dp_buf_add(out, t->text.p + from, to - from);
        at = to;
    }
    if (at < t->text.n)
        dp_buf_byte(out, '*');
}

/* ---- leaves ------------------------------------------------------------------------------------------ */

/* Words and delimiters of a literal. */
static uint32_t count_tokens(dp_str s)
{
    uint32_t n = 0;
    int      before = 0;
    for (size_t i = 0; i < s.n; i++) {
        int unit = dp_is(s.p[i], DP_CH_DIGIT) ? 3 : dp_is(s.p[i], DP_CH_UPPER) ? 2 : dp_is(s.p[i], DP_CH_ALPHA);
        n += !unit || unit != before;
        if (s.p[i] == '%')
            i += 2;
        before = unit;
    }
    return n;
}

static void number_pieces(dp_anchor_pattern *p)
{
    uint32_t n = 0;
    for (size_t k = 0; k <= p->npiece; k++) {
        n += count_tokens(p->literal[k]) + (k < p->npiece);
        if (k < p->npiece)
            p->at[k] = (uint8_t)(n < UINT8_MAX ? n : UINT8_MAX);
    }
    p->ntoken = (uint8_t)(n < UINT8_MAX ? n : UINT8_MAX);
}

static dp_err cut_pattern(dp_anchor_pattern *p, dp_arena *a)
{
    size_t stars = 0, at = 0;
    for (size_t i = 0; i < p->text.n; i++)
        stars += p->text.p[i] == '*';
    p->npiece = stars;
    p->literal = DP_NEWS(a, stars + 1, dp_str);
    if (!p->literal)
        return DP_ENOMEM;
    for (size_t k = 0; k <= stars; k++) {
        size_t end = at;
        while (end < p->text.n && p->text.p[end] != '*')
            end++;
        p->literal[k] = dp_str_cut(p->text, at, end);
        at = end + 1;
    }
    number_pieces(p);
    return DP_OK;
}

static dp_err add_leaf(builder *b, const dp_anchor_token *t, size_t nvalue)
{
    dp_buf_reset(&b->text);
    print_pattern(&b->text, t);
    if (b->text.failed)
        return DP_ENOMEM;
    dp_str text = dp_buf_view(&b->text);
    size_t stars = 0;
    for (size_t i = 0; i < text.n; i++)
        stars += text.p[i] == '*';
    if (stars == 0 || stars == text.n || stars > DP_ANCHOR_PIECES)
        return DP_OK;
    for (size_t i = 0; i < b->n; i++)
        if (dp_str_eq(b->v[i].text, text)) {
            b->v[i].nvalue += nvalue;
            return DP_OK;
        }
    if (!DP_ROOM(b->v, b->n, b->cap))
        return DP_ENOMEM;
    dp_anchor_pattern p = {.text = dp_arena_str(b->out, text), .nvalue = nvalue};
    if (!p.text.p)
        return DP_ENOMEM;
    DP_TRY(cut_pattern(&p, b->out));
    b->v[b->n++] = p;
    return DP_OK;
}

/* ---- the tree ------------------------------------------------------------------------------------------- */

/* Bring the values with one pattern side by side; the key is its hash. */
static dp_err group_by_pattern(builder *b, dp_keyed *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dp_buf_reset(&b->text);
        print_pattern(&b->text, &b->token[v[i].item]);
        if (b->text.failed)
            return DP_ENOMEM;
        v[i].key = dp_hash_str(dp_buf_view(&b->text));
    }
    dp_keyed_sort(v, b->tmp, n, UINT64_MAX);
    return DP_OK;
}

/* Mark the anchors picked in values [0, n) and group them by pattern; those that lack one, *missing of them, come
 * first and stay as they are. */
static dp_err refine(builder *b, dp_anchor_chooser *c, dp_keyed *v, size_t n, size_t *missing)
{
    size_t without = 0;
    for (size_t i = 0; i < n; i++) {
        if (!dp_anchor_mark(c, &b->token[v[i].item])) {
            dp_keyed lacks = v[i];
            v[i] = v[without];
            v[without++] = lacks;
        }
    }
    *missing = without;
    return group_by_pattern(b, v + without, n - without);
}

static void unmark(builder *b, const dp_keyed *v, size_t n, uint8_t level)
{
    for (size_t i = 0; i < n; i++) {
        dp_anchor_token *t = &b->token[v[i].item];
        for (uint32_t k = 0; k < t->run.n; k++)
            if (t->chosen[k] >= level)
                t->chosen[k] = 0;
    }
}

/* Does a child that is large enough have a text that spans all of it? (Else the split only lists values.) */
static dp_err reveals(builder *b, dp_anchor_chooser *c, dp_keyed *v, size_t n, uint8_t level, bool *yes)
{
    dp_anchor_chooser below = {.o = b->o};
    size_t            missing;
    dp_err            code = refine(b, c, v, n, &missing);
    *yes = false;
    for (size_t i = missing, j; i < n && code == DP_OK && !*yes; i = j) {
        j = dp_keyed_end(v, n, i);
        if (j - i < b->o->least)
            continue;
        code = dp_anchor_choose(&below, b->token, v + i, j - i);
        *yes = below.nunique > 0;
    }
    unmark(b, v, n, level);
    dp_anchor_chooser_done(&below);
    return code;
}

static dp_err deep_tokenize(builder *b, dp_keyed *v, size_t n, uint32_t depth)
{
    dp_anchor_chooser c = {.o = b->o, .level = (uint8_t)(depth + 1)};
    dp_err            code = DP_OK;
    bool              refined = false;
    size_t            missing = 0;
    if (n >= b->o->least && depth < b->o->depth)
        code = dp_anchor_choose(&c, b->token, v, n);
    if (code == DP_OK && c.nunique > 0) {
        dp_anchor_pick_unique(&c);
        refined = true;
    }
    for (size_t i = 0; code == DP_OK && !refined && i < c.nmany; i++) {
        dp_anchor_pick_many(&c, i);
        code = reveals(b, &c, v, n, c.level, &refined);
    }
    if (code == DP_OK && refined)
        code = refine(b, &c, v, n, &missing);
    dp_anchor_chooser_done(&c);
    if (code != DP_OK)
        return code;
    if (!refined)
        return add_leaf(b, &b->token[v[0].item], n);
    if (missing)
        DP_TRY(add_leaf(b, &b->token[v[0].item], missing));
    for (size_t i = missing, j; i < n; i = j) {
        j = dp_keyed_end(v, n, i);
        DP_TRY(deep_tokenize(b, v + i, j - i, depth + 1));
    }
    return DP_OK;
}

static size_t literal_bytes(const dp_anchor_pattern *p)
{
    return p->text.n - p->npiece;
}

static int by_literals(const void *x, const void *y)
{
    const dp_anchor_pattern *a = x, *b = y;
    size_t                   m = literal_bytes(a), n = literal_bytes(b);
    return m != n ? (m < n) - (m > n) : dp_str_cmp(a->text, b->text);
}

/* Cut all values; those without a raw star are put into `v`. */
static dp_err cut_all(builder *b, dp_keyed *v, size_t *nv, const dp_str *value, size_t n, dp_arena *a)
{
    for (size_t i = 0; i < n; i++) {
        dp_anchor_token *t = &b->token[i];
        if (value[i].n && memchr(value[i].p, '*', value[i].n))
            continue;
        t->text = value[i];
        DP_TRY(dp_deep_cut(&t->run, value[i], a));
        t->chosen = DP_NEWS(a, t->run.n + 1, uint8_t);
        t->text_hash = DP_NEWS(a, t->run.n + 1, uint64_t);
        if (!t->chosen || !t->text_hash)
            return DP_ENOMEM;
        for (uint32_t k = 0; k < t->run.n; k++)
            t->text_hash[k] = dp_hash_str(dp_str_cut(t->text, t->run.v[k].at, t->run.v[k].end));
        v[(*nv)++].item = (uint32_t)i;
    }
    return DP_OK;
}

dp_err dp_anchor_learn(dp_anchor_patterns *out, const dp_str *value, size_t n, const dp_anchor_options *o, dp_arena *a)
{
    dp_arena  own = {0};
    builder   b = {.o = o, .out = a};
    size_t    nv = 0;
    dp_keyed *v = malloc((2 * n + 1) * sizeof *v);
    b.token = calloc(n + 1, sizeof *b.token);
    dp_err code = v && b.token ? DP_OK : DP_ENOMEM;
    if (code == DP_OK) {
        b.tmp = v + n;
        code = cut_all(&b, v, &nv, value, n, &own);
    }
    if (code == DP_OK && nv)
        code = deep_tokenize(&b, v, nv, 0);
    if (code == DP_OK) {
        if (b.n)
            qsort(b.v, b.n, sizeof *b.v, by_literals);
        dp_anchor_pattern *kept = DP_NEWS(a, b.n, dp_anchor_pattern);
        if (!kept)
            code = DP_ENOMEM;
        else if (b.n)
            memcpy(kept, b.v, b.n * sizeof *kept);
        if (code == DP_OK)
            *out = (dp_anchor_patterns){kept, b.n};
    }
    free(b.v);
    free(b.token);
    free(v);
    dp_buf_done(&b.text);
    dp_arena_done(&own);
    return code;
}
