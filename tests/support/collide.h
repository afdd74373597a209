/* support/collide.h - different URLs whose XXH3 is the same, 64 and 128 bits, as an adversary makes them.
 *
 * XXH3 takes a text above 240 bytes as stripes of eight words and sums, lane by lane, the word itself and the product
 * of its halves under a known key. One bit less in one stripe, one bit more in another: both sums stay where the upper
 * halves are the same under their keys. Each such place is a bit of the URL's number.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_COLLIDE_H
#define DP_SUPPORT_COLLIDE_H

#include "base/str.h"

enum { DP_COLLIDE_BYTES = 1024, DP_COLLIDE_COUNT = 1 << 14 };

/* Write URL number `number`, below DP_COLLIDE_COUNT, of https://h.example. */
dp_str dp_collide(char out[DP_COLLIDE_BYTES], unsigned number);

#endif
