/* learn/duster/align.h - two sequences of token sets, aligned.
 *
 *     X   {/} {news} {/} {7} {/} {print}            S[i][j] = max of  S[i-1][j-1] + |Xi & Yj| / |Xi | Yj|
 *     Y   {/} {news} {/} {7, 8}                                       where both are of one type,
 *          1    1     1   1/2                                         S[i][j-1],  S[i-1][j]
 *
 * A gap is a member of its set like a token: a position that some URLs lack attracts less. The steps are the
 * trace-back, two positions side by side where S allows it; equal sets at both ends are taken side by side at once,
 * which costs no score.
 *
 * Scores are whole numbers, so that they are the same on every machine: DP_DUSTER_ONE is a Jaccard coefficient of 1,
 * and fractions are rounded down.
 *
 * For the files of learn/duster alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DUSTER_ALIGN_H
#define DP_LEARN_DUSTER_ALIGN_H

#include "learn/duster/duster.h"
#include "learn/duster/tokens.h"

enum {
    DP_DUSTER_ONE = 1 << 16,
    DP_DUSTER_GAP = 0, /* among the members of a set; tokens are numbered from 1 */
    DP_DUSTER_COLUMNS = 2 * DP_DUSTER_TOKENS, /* positions of a sequence at most */
    DP_DUSTER_NONE = UINT16_MAX
};

/* 16-bit numbers, for the work of aligning is to compare them. */
typedef struct dp_duster_set {
    uint16_t type;
    uint16_t n;
    uint16_t v[DP_DUSTER_URLS + 1]; /* [n] increasing */
} dp_duster_set;

typedef struct dp_duster_step {
    uint16_t x, y; /* positions; DP_DUSTER_NONE: a gap */
} dp_duster_step;

/* Room to work in; some 300 KB. Steps of the last alignment. */
typedef struct dp_duster_aligner {
    uint32_t       S[(DP_DUSTER_COLUMNS + 1) * (DP_DUSTER_COLUMNS + 1)];
    dp_duster_step step[2 * DP_DUSTER_COLUMNS]; /* [n] */
    uint32_t       n;
} dp_duster_aligner;

/* |x & y| / |x | y|, of sets that are of one type; else 0. */
uint32_t dp_duster_jaccard(const dp_duster_set *x, const dp_duster_set *y);

/* The score of the best alignment of nx and ny sets, DP_DUSTER_COLUMNS or fewer each; how, into a->step. */
uint32_t dp_duster_align(dp_duster_aligner *a, const dp_duster_set *x, uint32_t nx, const dp_duster_set *y,
                         uint32_t ny);

#endif
