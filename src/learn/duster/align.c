/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/duster/align.h"

uint32_t dp_duster_jaccard(const dp_duster_set *x, const dp_duster_set *y)
{
    uint32_t both = 0;
    if (x->type != y->type)
        return 0;
    for (uint32_t i = 0, j = 0; i < x->n && j < y->n;) {
        both += x->v[i] == y->v[j];
        bool next_x = x->v[i] <= y->v[j], next_y = y->v[j] <= x->v[i];
        i += next_x;
        j += next_y;
    }
    return both * DP_DUSTER_ONE / (x->n + y->n - both);
}

/* Two sequences at work, without the ends that are equal. */
typedef struct middle {
    const dp_duster_set *x, *y;
    uint32_t             nx, ny, width;
} middle;

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void fill(uint32_t *S, const middle *m)
{
    memset(S, 0, m->width * sizeof *S);
    for (uint32_t i = 1; i <= m->nx; i++) {
        uint32_t *row = S + i * m->width, *above = row - m->width;
        row[0] = 0;
        for (uint32_t j = 1; j <= m->ny; j++) {
            uint32_t best = most(above[j], row[j - 1]);
            if (m->x[i - 1].type == m->y[j - 1].type)
                best = most(best, above[j - 1] + dp_duster_jaccard(&m->x[i - 1], &m->y[j - 1]));
            row[j] = best;
        }
    }
}

/* The steps of the middle, the last first; returns how many. */
static uint32_t trace(dp_duster_step *out, const uint32_t *S, const middle *m)
{
    uint32_t n = 0, i = m->nx, j = m->ny;
    while (i || j) {
        const uint32_t *at = S + i * m->width + j;
        if (i && j && m->x[i - 1].type == m->y[j - 1].type &&
            *at == at[-1 - (ptrdiff_t)m->width] + dp_duster_jaccard(&m->x[i - 1], &m->y[j - 1]))
            out[n++] = (dp_duster_step){(uint16_t)--i, (uint16_t)--j};
        else if (j && (!i || *at == at[-1]))
            out[n++] = (dp_duster_step){DP_DUSTER_NONE, (uint16_t)--j};
        else
            out[n++] = (dp_duster_step){(uint16_t)--i, DP_DUSTER_NONE};
    }
    return n;
}

static void put(dp_duster_aligner *a, uint32_t x, uint32_t y)
{
    a->step[a->n++] = (dp_duster_step){(uint16_t)x, (uint16_t)y};
}

uint32_t dp_duster_align(dp_duster_aligner *a, const dp_duster_set *x, uint32_t nx, const dp_duster_set *y,
                         uint32_t ny)
{
    uint32_t head = 0, tail = 0, least = nx < ny ? nx : ny;
    while (head < least && dp_duster_jaccard(&x[head], &y[head]) == DP_DUSTER_ONE)
        head++;
    while (tail < least - head && dp_duster_jaccard(&x[nx - tail - 1], &y[ny - tail - 1]) == DP_DUSTER_ONE)
        tail++;
    middle m = {x + head, y + head, nx - head - tail, ny - head - tail, ny - head - tail + 1};
    fill(a->S, &m);
    a->n = 0;
    for (uint32_t i = 0; i < head; i++)
        put(a, i, i);
    dp_duster_step *first = a->step + a->n;
    uint32_t        n = trace(first, a->S, &m);
    for (uint32_t i = 0; i < n / 2; i++) {
        dp_duster_step swap = first[i];
        first[i] = first[n - 1 - i];
        first[n - 1 - i] = swap;
    }
    for (uint32_t i = 0; i < n; i++) {
        first[i].x = (uint16_t)(first[i].x == DP_DUSTER_NONE ? DP_DUSTER_NONE : first[i].x + head);
        first[i].y = (uint16_t)(first[i].y == DP_DUSTER_NONE ? DP_DUSTER_NONE : first[i].y + head);
    }
    a->n += n;
    for (uint32_t i = tail; i > 0; i--)
        put(a, nx - i, ny - i);
    return a->S[m.nx * m.width + m.ny] + (head + tail) * DP_DUSTER_ONE;
}
