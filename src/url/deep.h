/* url/deep.h - cut one value into the runs that deep tokenization may take as anchors.
 *
 *     tt0112641-W0%20        tt | 0112641 | W | 0
 *                            ^ digit, lower '-', '-' digit, upper %20
 *
 * WSDM'10 definition 3: a candidate anchor is a maximal run of one unit class, [a-z]+, [A-Z]+ or
 * [0-9]+, bounded by a byte that is no letter or digit, by a unit change, or by an end of the
 * value. Which candidates become anchors is decided over all values of a key on a host, by
 * the learner; this module sees one value of url/keys.h (or any other bytes).
 *
 * Invariants:
 *   - Runs stand in order and do not overlap. What lies between two of them, before the first
 *     and behind the last is delimiters.
 *   - No run begins or ends inside an escape: %XX is one delimiter, and is told from the raw
 *     byte it stands for. Bytes >= 0x80 are delimiters; stage-0 text has none.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_URL_DEEP_H
#define DP_URL_DEEP_H

#include "base/arena.h"
#include "base/err.h"

typedef enum dp_edge_kind {
    DP_EDGE_END,    /* of the value */
    DP_EDGE_BYTE,   /* a delimiter */
    DP_EDGE_ESCAPE, /* a delimiter written %XX */
    DP_EDGE_UNIT    /* the run before or behind, which is the neighbour in the array */
} dp_edge_kind;

typedef enum dp_unit { DP_UNIT_LOWER, DP_UNIT_UPPER, DP_UNIT_DIGIT } dp_unit;

typedef struct dp_edge {
    uint8_t kind; /* a dp_edge_kind */
    uint8_t what; /* the byte, the byte that %XX stands for, or the neighbour's dp_unit; else 0 */
} dp_edge;

/* 32-bit positions: a learner holds the runs of all values of a key. */
typedef struct dp_deep_run {
    uint32_t at, end;
    uint8_t  unit; /* a dp_unit */
    dp_edge  left, right;
} dp_deep_run;

typedef struct dp_deep_runs {
    dp_deep_run *v; /* [n] */
    uint32_t     n;
} dp_deep_runs;

/* Cut `value`. DP_ELIMIT when it is longer than INT32_MAX bytes, DP_ENOMEM; `*out` is
 * untouched on failure. The array is in `a`. */
dp_err dp_deep_cut(dp_deep_runs *out, dp_str value, dp_arena *a);

#endif
