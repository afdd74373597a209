/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/duster/consensus.h"

#include <assert.h>
#include <stdlib.h>

#include "base/hash.h"

enum { MOST_TOKENS = DP_DUSTER_URLS * DP_DUSTER_TOKENS, TABLE = 8192 };

static_assert(TABLE > MOST_TOKENS, "the table of tokens is never full");

/* What some URLs have become; those that are merged into others have no rows. */
typedef struct sequence {
    uint32_t      n, rows;
    dp_duster_set set[DP_DUSTER_COLUMNS]; /* [n] */
    uint16_t      row[DP_DUSTER_URLS];    /* [rows] which URLs */
} sequence;

struct dp_duster_bench {
    dp_duster_aligner aligner;
    sequence          seq[DP_DUSTER_URLS], new;
    uint32_t          score[DP_DUSTER_URLS][DP_DUSTER_URLS]; /* x < y */
    uint16_t          number[TABLE]; /* of a token, by its hash; 0: free */
    dp_str            name[MOST_TOKENS + 1];
    uint16_t          names;
};

dp_duster_bench *dp_duster_bench_new(void)
{
    return calloc(1, sizeof(dp_duster_bench));
}

void dp_duster_bench_free(dp_duster_bench *b)
{
    free(b);
}

/* ---- tokens as numbers ----------------------------------------------------------------------- */

/* From 1 on, the same for the same text. */
static uint16_t number_of(dp_duster_bench *b, dp_str text)
{
    size_t at = dp_hash_str(text) % TABLE;
    while (b->number[at] && !dp_str_eq(b->name[b->number[at]], text))
        at = (at + 1) % TABLE;
    if (!b->number[at]) {
        b->number[at] = ++b->names;
        b->name[b->names] = text;
    }
    return b->number[at];
}

static void put_url(dp_duster_bench *b, dp_duster_rows *out, uint32_t i, const dp_duster_tokens *url)
{
    sequence *s = &b->seq[i];
    s->n = url->n;
    s->rows = 1;
    s->row[0] = (uint16_t)i;
    for (uint32_t k = 0; k < url->n; k++) {
        s->set[k] = (dp_duster_set){.type = url->v[k].type, .n = 1, .v = {number_of(b, url->v[k].text)}};
        out->cell[i][k] = (uint16_t)k;
    }
}

/* ---- two sequences become one ---------------------------------------------------------------- */

static void join(dp_duster_set *out, const dp_duster_set *x, const dp_duster_set *y)
{
    uint32_t i = 0, j = 0;
    *out = (dp_duster_set){.type = x->type};
    while (i < x->n || j < y->n) {
        bool from_x = j == y->n || (i < x->n && x->v[i] <= y->v[j]);
        bool from_y = i == x->n || (j < y->n && y->v[j] <= x->v[i]);
        out->v[out->n++] = from_x ? x->v[i] : y->v[j];
        i += from_x;
        j += from_y;
    }
}

/* Spread the cells of a sequence's rows over the columns of the steps. */
static void spread(dp_duster_rows *out, const dp_duster_aligner *a, const sequence *s, bool is_y)
{
    uint16_t old[DP_DUSTER_COLUMNS];
    for (uint32_t r = 0; r < s->rows; r++) {
        uint16_t *cell = out->cell[s->row[r]];
        memcpy(old, cell, s->n * sizeof *old);
        for (uint32_t k = 0; k < a->n; k++) {
            uint16_t from = is_y ? a->step[k].y : a->step[k].x;
            cell[k] = from == DP_DUSTER_NONE ? (uint16_t)DP_DUSTER_NONE : old[from];
        }
    }
}

/* Merge `y` into `x`, as they were aligned last. */
static void merge(dp_duster_bench *b, dp_duster_rows *out, sequence *x, sequence *y)
{
    static const dp_duster_set gap = {.n = 1, .v = {DP_DUSTER_GAP}};
    const dp_duster_aligner   *a = &b->aligner;
    for (uint32_t k = 0; k < a->n; k++) {
        dp_duster_step s = a->step[k];
        if (s.x == DP_DUSTER_NONE)
            join(&b->new.set[k], &y->set[s.y], &gap);
        else
            join(&b->new.set[k], &x->set[s.x], s.y == DP_DUSTER_NONE ? &gap : &y->set[s.y]);
    }
    spread(out, a, x, false);
    spread(out, a, y, true);
    memcpy(x->set, b->new.set, a->n * sizeof *x->set);
    memcpy(x->row + x->rows, y->row, y->rows * sizeof *x->row);
    x->n = a->n;
    x->rows += y->rows;
    y->rows = 0;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static uint32_t align(dp_duster_bench *b, uint32_t x, uint32_t y)
{
    return dp_duster_align(&b->aligner, b->seq[x].set, b->seq[x].n, b->seq[y].set, b->seq[y].n);
}

/* The pair with the best score, of sequences that are left. */
static void best_pair(const dp_duster_bench *b, uint32_t n, uint32_t *x, uint32_t *y)
{
    bool found = false;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++) {
            if (!b->seq[i].rows || !b->seq[j].rows || (found && b->score[i][j] <= b->score[*x][*y]))
                continue;
            found = true;
            *x = i;
            *y = j;
        }
}

bool dp_duster_consensus(dp_duster_rows *out, dp_duster_bench *b, const dp_duster_tokens *url, uint32_t n)
{
    b->names = 0;
    memset(b->number, 0, sizeof b->number);
    for (uint32_t i = 0; i < n; i++)
        put_url(b, out, i, &url[i]);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n && n > 2; j++)
            b->score[i][j] = align(b, i, j);
    for (uint32_t left = n; left > 1; left--) {
        uint32_t x = 0, y = 1;
        best_pair(b, n, &x, &y);
        align(b, x, y);
        if (b->aligner.n > DP_DUSTER_COLUMNS)
            return false;
        merge(b, out, &b->seq[x], &b->seq[y]);
        for (uint32_t i = 0; i < n && left > 3; i++)
            if (i != x && b->seq[i].rows)
                b->score[i < x ? i : x][i < x ? x : i] = align(b, i < x ? i : x, i < x ? x : i);
    }
    out->rows = n;
    out->cols = b->aligner.n;
    return true;
}
