/* learn/duster/consensus.h - the URLs of a page, aligned all together.
 *
 *     URLs ── all pairs, by score ──► the best two become one: unions of sets, a gap where one has nothing
 *              ▲                                │
 *              └──── aligned with the rest ◄────┘        until one is left
 *
 *     columns     0     1      2   3    4   5     6
 *     row 0       http  a.com  /   x    /   print  -       cell: number of a token of the URL
 *     row 1       http  a.com  /   x    -   -      -             DP_DUSTER_NONE: a gap
 *
 * Of pairs with the same score the first is taken, in the order of the URLs given; what two become stands where the
 * first of them stood.
 *
 * For the files of learn/duster alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DUSTER_CONSENSUS_H
#define DP_LEARN_DUSTER_CONSENSUS_H

#include "learn/duster/align.h"

typedef struct dp_duster_rows {
    uint32_t rows, cols;
    uint16_t cell[DP_DUSTER_URLS][DP_DUSTER_COLUMNS];
} dp_duster_rows;

/* Room to work in, for one thread; about 800 KB. */
typedef struct dp_duster_bench dp_duster_bench;

dp_duster_bench *dp_duster_bench_new(void); /* NULL: memory is out */
void             dp_duster_bench_free(dp_duster_bench *b);

/* Align `n` URLs, 2 to DP_DUSTER_URLS. False when they have so little in common that more than DP_DUSTER_COLUMNS
 * columns would be needed. */
bool dp_duster_consensus(dp_duster_rows *out, dp_duster_bench *b, const dp_duster_tokens *url, uint32_t n);

#endif
