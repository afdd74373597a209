/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/duster/instance.h"

#include "url/chars.h"

dp_err dp_duster_maker_init(dp_duster_maker *m)
{
    m->bench = dp_duster_bench_new();
    return m->bench ? DP_OK : DP_ENOMEM;
}

void dp_duster_maker_done(dp_duster_maker *m)
{
    dp_duster_bench_free(m->bench);
    for (uint32_t i = 0; i < DP_DUSTER_URLS; i++)
        dp_frame_done(&m->frame[i]);
    dp_frame_done(&m->canonical);
    dp_buf_done(&m->text);
}

/* ---- columns --------------------------------------------------------------------------------- */

static uint32_t weigh(dp_str s)
{
    uint32_t w = 0;
    for (size_t i = 0; i < s.n; i++)
        w += dp_is(s.p[i], DP_CH_UPPER) ? 2 : 1;
    return w;
}

/* Order by (W, length, bytes), of tokens of one type. */
static bool is_below(dp_str x, dp_str y)
{
    uint32_t a = weigh(x), b = weigh(y);
    if (a != b || x.n != y.n)
        return a != b ? a < b : x.n < y.n;
    return dp_str_cmp(x, y) < 0;
}

/* The least token of a column; NULL when some URL lacks it. `*same`: whether all have it. */
static const dp_duster_token *first_of(const dp_duster_maker *m, uint32_t col, bool *same)
{
    const dp_duster_token *least = NULL;
    *same = true;
    for (uint32_t r = 0; r < m->rows.rows; r++) {
        uint16_t at = m->rows.cell[r][col];
        if (at == DP_DUSTER_NONE) {
            *same = false;
            return NULL;
        }
        const dp_duster_token *t = &m->token[r].v[at];
        *same &= !least || dp_str_eq(t->text, least->text);
        if (!least || is_below(t->text, least->text))
            least = t;
    }
    return least;
}

/* The text of the canonical form, its tokens, and which columns are the same in all URLs. False when it is not a URL,
 * or memory is out (m->text.failed). */
static bool write_canonical(dp_duster_maker *m, bool *is_same)
{
    dp_duster_tokens *out = &m->first;
    dp_buf_reset(&m->text);
    out->n = 0;
    for (uint32_t c = 0; c < m->rows.cols; c++) {
        const dp_duster_token *t = first_of(m, c, &is_same[c]);
        if (!t)
            continue;
        if (out->n == DP_DUSTER_TOKENS)
            return false;
        m->column[out->n] = (uint16_t)c;
        out->v[out->n++] = (dp_duster_token){t->text, (uint32_t)m->text.n, t->type};
        dp_buf_str(&m->text, t->text);
        dp_buf_c(&m->text, t->type == DP_DUSTER_SCHEME ? "://" : "");
    }
    return !m->text.failed;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* A URL, or the canonical form, that is cut into parts. */
typedef struct cutting {
    const dp_frame         *f;
    const dp_duster_tokens *t;
    uint16_t                column[DP_DUSTER_TOKENS]; /* of each token */
    const bool             *is_same;                  /* [columns] */
    uint32_t                now;                      /* the next token */
    dp_duster_side         *out;
} cutting;

static bool is_same(const cutting *c, uint32_t t)
{
    return c->is_same[c->column[t]];
}

static void put_piece(cutting *c, dp_duster_kind kind, uint32_t from, uint32_t to)
{
    const dp_duster_token *v = c->t->v;
    uint32_t               at = v[from].at, end = v[to - 1].at + (uint32_t)v[to - 1].text.n;
    c->out->piece[c->out->npiece++] = (dp_duster_piece){dp_frame_cut(c->f, at, end), c->column[from],
                                                        (uint16_t)(c->column[to - 1] + 1), (uint8_t)kind};
}

/* Tokens [from, to), one slot but for the characters at its ends, which tell it from what stands beside it. */
static void put_slot(cutting *c, uint32_t from, uint32_t to, bool at_start, bool at_end)
{
    uint32_t end = to;
    while (!at_start && from < to && !dp_duster_is_word(&c->t->v[from])) {
        put_piece(c, DP_DUSTER_MARK, from, from + 1);
        from++;
    }
    while (!at_end && end > from && !dp_duster_is_word(&c->t->v[end - 1]))
        end--;
    if (end > from)
        put_piece(c, DP_DUSTER_SLOT, from, end);
    for (; end < to; end++)
        put_piece(c, DP_DUSTER_MARK, end, end + 1);
}

/* The end of the run of fixed tokens in columns side by side that begins at `t`; `t` itself: it is not fixed. */
static uint32_t run_end(const cutting *c, uint32_t t, uint32_t end)
{
    uint32_t i = t;
    while (i < end && is_same(c, i) && c->column[i] == c->column[t] + (i - t))
        i++;
    return i;
}

static void cut_pieces(cutting *c, uint32_t first, uint32_t end)
{
    for (uint32_t t = first, to; t < end; t = to) {
        to = run_end(c, t, end);
        if (to > t) {
            put_slot(c, t, to, t == first, to == end);
            continue;
        }
        to = t + 1;
        bool is_word = dp_duster_is_word(&c->t->v[t]);
        while (is_word && to < end && !is_same(c, to) && dp_duster_is_word(&c->t->v[to]))
            to++;
        put_piece(c, is_word ? DP_DUSTER_VARIANT : DP_DUSTER_MARK, t, to);
    }
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Go on to the first token at or behind a place in the text. */
static uint32_t token_at(cutting *c, uint32_t at)
{
    while (c->now < c->t->n && c->t->v[c->now].at < at)
        c->now++;
    return c->now;
}

/* The bytes [from, to). */
static dp_duster_part cut_part(cutting *c, uint32_t from, uint32_t to)
{
    uint32_t       first = token_at(c, from), end = token_at(c, to), was = c->out->npiece;
    dp_duster_part p = {.text = dp_frame_cut(c->f, from, to), .piece = was, .before = c->column[first - 1],
                        .is_fixed = run_end(c, first, end) == end};
    if (first == end)
        return p;
    cut_pieces(c, first, end);
    p.n = (uint16_t)(c->out->npiece - was);
    p.from = c->column[first];
    p.to = (uint16_t)(c->column[end - 1] + 1);
    return p;
}

static void cut_pair(cutting *c, dp_duster_pair *out, const dp_pair *p)
{
    uint32_t first = token_at(c, p->at);
    *out = (dp_duster_pair){.name = dp_pair_name(c->f, p), .nth = 1, .has_eq = p->has_eq,
                            .value = cut_part(c, p->eq + p->has_eq, p->end)};
    uint32_t all = token_at(c, p->end);
    out->is_fixed = run_end(c, first, all) == all;
    out->from = c->column[first];
    out->to = (uint16_t)(c->column[all - 1] + 1);
}

/* Cut all of it; `c` has the text, its tokens and their columns. */
static dp_err cut_side(cutting *c, dp_duster_side *out, dp_arena *a)
{
    const dp_frame *f = c->f;
    *out = (dp_duster_side){.scheme = dp_frame_scheme(f), .host = dp_frame_cut(f, f->host, f->path),
                            .seg = DP_NEWS(a, f->nseg, dp_duster_part),
                            .pair = DP_NEWS(a, f->npair, dp_duster_pair),
                            .piece = DP_NEWS(a, c->t->n, dp_duster_piece)};
    if (!out->seg || !out->pair || !out->piece)
        return DP_ENOMEM;
    c->out = out;
    c->now = 2;
    for (uint32_t i = 0; i < f->nseg; i++)
        out->seg[out->nseg++] = cut_part(c, f->seg[i], f->seg[i + 1] - 1);
    for (uint32_t i = 0; i < f->npair; i++) {
        cut_pair(c, &out->pair[i], &f->pair[i]);
        for (uint32_t j = 0; j < i; j++)
            out->pair[i].nth += dp_str_eq(out->pair[i].name, out->pair[j].name);
        out->npair++;
    }
    return DP_OK;
}

/* ---- instances ------------------------------------------------------------------------------- */

static dp_err cut_canonical(dp_duster_side **out, dp_duster_maker *m, const bool *is_same, dp_arena *a)
{
    dp_str text = dp_arena_str(a, dp_buf_view(&m->text));
    *out = NULL;
    if (!text.p)
        return DP_ENOMEM;
    dp_frame_result r = dp_frame_read(&m->canonical, text);
    if (r != DP_FRAME_OK)
        return r == DP_FRAME_NOMEM ? DP_ENOMEM : DP_OK;
    cutting c = {.f = &m->canonical, .t = &m->first, .is_same = is_same};
    memcpy(c.column, m->column, m->first.n * sizeof *c.column);
    dp_duster_side *side = DP_NEW(a, dp_duster_side);
    if (!side)
        return DP_ENOMEM;
    DP_TRY(cut_side(&c, side, a));
    *out = side;
    return DP_OK;
}

static dp_err cut_url(dp_duster_side *out, const dp_duster_maker *m, uint32_t row, const bool *is_same, dp_arena *a)
{
    cutting c = {.f = &m->frame[row], .t = &m->token[row], .is_same = is_same};
    for (uint32_t col = 0; col < m->rows.cols; col++)
        if (m->rows.cell[row][col] != DP_DUSTER_NONE)
            c.column[m->rows.cell[row][col]] = (uint16_t)col;
    return cut_side(&c, out, a);
}

/* URLs that can be aligned go into the maker, their numbers into `kept`. */
static dp_err read_urls(uint32_t *kept, uint32_t *nkept, dp_duster_maker *m, const dp_site *s, const uint32_t *url,
                        uint32_t n)
{
    *nkept = 0;
    for (uint32_t i = 0; i < n; i++) {
        dp_frame_result r = dp_frame_read(&m->frame[*nkept], s->url[url[i]]);
        if (r == DP_FRAME_NOMEM)
            return DP_ENOMEM;
        if (r == DP_FRAME_OK && dp_duster_cut(&m->token[*nkept], &m->frame[*nkept]))
            kept[(*nkept)++] = url[i];
    }
    return DP_OK;
}

dp_err dp_duster_instances_make(dp_duster_instances *out, dp_duster_maker *m, const dp_site *s, const uint32_t *url,
                                uint32_t n, dp_arena *a)
{
    uint32_t        kept[DP_DUSTER_URLS], nkept;
    bool            is_same[DP_DUSTER_COLUMNS];
    dp_duster_side *right;
    *out = (dp_duster_instances){0};
    DP_TRY(read_urls(kept, &nkept, m, s, url, n));
    if (nkept < 2 || !dp_duster_consensus(&m->rows, m->bench, m->token, nkept))
        return DP_OK;
    if (!write_canonical(m, is_same))
        return m->text.failed ? DP_ENOMEM : DP_OK;
    DP_TRY(cut_canonical(&right, m, is_same, a));
    if (!right)
        return DP_OK;
    if (!(out->v = DP_NEWS(a, nkept, dp_duster_instance)))
        return DP_ENOMEM;
    for (uint32_t i = 0; i < nkept; i++) {
        if (dp_str_eq(s->url[kept[i]], dp_buf_view(&m->text)))
            continue;
        dp_duster_instance *one = &out->v[out->n++];
        *one = (dp_duster_instance){.cluster = s->cluster[kept[i]], .by = s->by[kept[i]], .right = right};
        DP_TRY(cut_url(&one->left, m, i, is_same, a));
    }
    return DP_OK;
}

uint32_t dp_duster_slots(uint32_t *first, const dp_duster_side *side, uint16_t from, uint16_t to)
{
    uint32_t i = 0, n = 0;
    while (i < side->npiece && side->piece[i].from < from)
        i++;
    *first = i;
    for (; i + n < side->npiece && from < to; n++) {
        const dp_duster_piece *p = &side->piece[i + n];
        if (p->from != from || p->kind == DP_DUSTER_VARIANT)
            return 0;
        from = p->to;
    }
    return from == to ? n : 0;
}
