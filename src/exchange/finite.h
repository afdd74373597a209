/* exchange/finite.h - the texts that a regular expression means, where they are few.
 *
 *     (?:%3F)?mc_(?:eid|cid)      mc_eid   mc_cid   %3Fmc_eid   %3Fmc_cid
 *     [cl]id\.x?                  cid.   cid.x   lid.   lid.x
 *
 * Lists of other tools are written in regular expressions and mean names and hosts. Literals, escapes, classes, groups,
 * alternatives and '?' are understood; a point is taken for itself, which is one of the texts that it means. Whatever
 * has no end ('*', '+', '{') is not.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EXCHANGE_FINITE_H
#define DP_EXCHANGE_FINITE_H

#include "base/arena.h"

enum { DP_FINITE = 64 /* texts at most */ };

typedef struct dp_finite {
    dp_str v[DP_FINITE];
    size_t n;
    bool   failed; /* memory was out */
} dp_finite;

/* False when it means anything else, or more. Texts are in `a`. */
bool dp_finite_read(dp_finite *out, dp_str regex, dp_arena *a);

#endif
