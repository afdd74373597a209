/* learn/rewrite/rounds.h - specific rules of all pairs, and their generalizations to the fix-point.
 *
 *     pairs of clusters ─ first ─► rules with one * or two ─ rounds ─► until a round adds nothing
 *
 * Specific rules are never stored: each stands for one pair of URLs, has support 1, and matters only by the entry
 * (entry.h) it is a member of. An entry at key k needs `fan_out` sources that are equal but for k, or as many
 * targets; a count of URLs by what they are without k says where that can be, and only there keys are looked at. Pairs
 * of a cluster are walked twice: to count members of entries, then to keep those of entries with enough.
 *
 * In a cluster, URLs that are equal but for one key (the one with most of them) form groups, and the entries of that
 * key are filled from pairs of groups at once: n + m values stand for n * m pairs.
 *
 * KDD 2008, Algorithms 3 to 5. Rounds are the paper's: all that follows from the rules at hand is added at once.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_REWRITE_ROUNDS_H
#define DP_LEARN_REWRITE_ROUNDS_H

#include "learn/rewrite/entry.h"

/* Clusters that rules are learned from: two maps or more. */
typedef struct dp_rw_train {
    uint32_t *map;     /* [at[n]] */
    uint32_t *at;      /* [n + 1] of each cluster */
    uint32_t  n;
    bool     *is_used; /* [book.n] whether a map is in one of them */
} dp_rw_train;

/* The clusters of the folds in `folds` that are no soft errors. In `a`. */
dp_err dp_rw_train_init(dp_rw_train *out, const dp_book *b, const dp_site *s, uint32_t folds, dp_arena *a);

/* Clusters of more than DP_RW_LARGE maps give at most so many sources and targets, unless `exact`: the pairs of a URL
 * are bounded. */
enum { DP_RW_LARGE = 256, DP_RW_SOURCES = 1000, DP_RW_TARGETS = 32 };

/* Rules with one star or more, into m->rules: those of the first round and, into m->later, of the second; then all. */
dp_err dp_rw_first(dp_rw_maker *m, const dp_rw_train *t);
dp_err dp_rw_rounds(dp_rw_maker *m);

#endif
