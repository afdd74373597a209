/* learn/tree/anchor_select.h - SelectAnchors (WSDM'10, algorithm 2) on one node of the pattern tree.
 *
 *     candidates of all values ─► clusters by (left, right, alphabetic | numeric) ─► those that may be anchors
 *
 * `left` and `right` are an end, a delimiter, the text of a neighbour that is an anchor already, else the unit class of
 * the neighbour: so each anchor found tells its neighbours apart in the next round.
 *
 * For the files anchor*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_TREE_ANCHOR_SELECT_H
#define DP_LEARN_TREE_ANCHOR_SELECT_H

#include "base/index.h"
#include "base/keyed.h"
#include "learn/tree/anchor.h"
#include "url/deep.h"

/* A value under work. */
typedef struct dp_anchor_token {
    dp_str       text;
    dp_deep_runs run;
    uint8_t     *chosen;    /* [run.n] 0: candidate, else an anchor since that level of the tree */
    uint64_t    *text_hash; /* [run.n] */
} dp_anchor_token;

enum { DP_ANCHOR_UNIQUE = 15 };

/* A cluster of candidates that may be selected. */
typedef struct dp_anchor_cluster {
    uint64_t key;
    uint32_t values;   /* that have a candidate in it */
    uint32_t last;     /* value counted last, + 1 */
    uint32_t leftmost; /* least start of a candidate */
    uint32_t ntext;    /* different texts; above DP_ANCHOR_UNIQUE they are no longer told apart; once chosen, those
                          that are not rare */
    bool     numeric;
    struct {
        uint64_t hash;
        uint32_t values, last;
    } text[DP_ANCHOR_UNIQUE];
    double spread;
} dp_anchor_cluster;

typedef struct dp_anchor_chooser {
    const dp_anchor_options *o;
    uint8_t                  level; /* that is marked */
    dp_anchor_cluster       *v;     /* [n] all clusters of the node */
    size_t                   n, cap;
    dp_index                 index; /* by key */
    size_t                   nunique, nmany; /* after dp_anchor_choose: v[0 .. nunique) have one text, the next
                                                nmany several, best first */
    size_t                   from, to; /* clusters picked */
} dp_anchor_chooser;

/* Find the clusters of values v[0 .. n) that may be selected. DP_ENOMEM. */
dp_err dp_anchor_choose(dp_anchor_chooser *c, const dp_anchor_token *token, const dp_keyed *v, size_t n);
void   dp_anchor_chooser_done(dp_anchor_chooser *c);

/* Pick all that have one text, or the i-th of the others. */
void dp_anchor_pick_unique(dp_anchor_chooser *c);
void dp_anchor_pick_many(dp_anchor_chooser *c, size_t i);

/* Mark in a value the leftmost candidate of each cluster picked; false (and nothing marked) when it lacks one. */
bool dp_anchor_mark(const dp_anchor_chooser *c, dp_anchor_token *t);

#endif
