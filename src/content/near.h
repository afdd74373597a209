/* content/near.h - join pages whose 64-bit fingerprints differ in at most k bits.
 *
 *     k = 3:  |    A    |    B    |    C    |    D    |    four blocks of 16 bits: two fingerprints
 *                                                          at distance 3 agree in one at least
 *
 * The tables of Manku, Jain and Das Sarma 2007 (section 3): for each of k + 1 blocks the
 * fingerprints are sorted by it, and only those that agree there are compared. Where more than
 * a few dozen agree, the same is done again with the bits that are left, which is the paper's
 * choice of more and longer prefixes, made where it pays. Joined pages need no comparing, so a
 * run that is one set already is passed over.
 *
 * Time: linear but for logarithms, for any k, as the depth grows with log n; each step in depth
 * costs k + 1 times the step before, so k = 3 is cheap and k = 8 is not. Memory: none beside `tmp`.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CONTENT_NEAR_H
#define DP_CONTENT_NEAR_H

#include "base/keyed.h"
#include "content/sets.h"

enum { DP_NEAR_MAX = 8 /* bits */ };

/* Join the items of `v`, whose keys are fingerprints, that differ in at most `k` bits. `v` is
 * reordered and cut; `tmp` has room for `n`. */
void dp_near_join(dp_sets *sets, dp_keyed *v, dp_keyed *tmp, size_t n, unsigned k);

#endif
