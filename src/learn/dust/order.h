/* learn/dust/order.h - the URLs of a site in order, by their beginnings and by their ends.
 *
 *     http://a.com/ann/            piece 0 "http://"  piece 1 "a.com/a"  piece 2 "nn/"      by beginnings
 *     http://a.com/ann/x.html      piece 0 "$ html"   piece 1 ". x"  ...                    by ends
 *
 * A sequence is compared by pieces that fit into 64 bits, several bytes or units at a time: quicksort three ways, less,
 * equal (then by the next piece), greater.
 *
 * By beginnings, the URLs that begin with the same units stand side by side. For that, a byte that can end a word comes
 * before all bytes of words: "a/b" and "a~b" both stand before "ab". Where %XX ties tokens together neither
 * byte ends a unit.
 *
 * For the files dust_*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DUST_ORDER_H
#define DP_LEARN_DUST_ORDER_H

#include "base/keyed.h"
#include "learn/dust/dust.h"

typedef struct dp_dust_pieces {
    const void *self;
    void (*load)(const void *self, dp_keyed *v, size_t n, uint32_t piece); /* set the keys of `n` items */
    uint64_t mask, whole; /* a piece is the last one of its sequence when key & mask is less than `whole` */
} dp_dust_pieces;

void dp_dust_order(dp_keyed *v, size_t n, const dp_dust_pieces *p);

/* By beginnings; equal URLs stand side by side. Fills `v`, [n]. DP_ENOMEM. */
dp_err dp_dust_order_urls(dp_keyed *v, const dp_dust_url *url, size_t n);

#endif
