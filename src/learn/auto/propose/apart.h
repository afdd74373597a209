/* learn/auto/propose/apart.h - a number or a hash in one piece, or with delimiters.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_PROPOSE_APART_H
#define DP_LEARN_AUTO_PROPOSE_APART_H

#include "learn/auto/propose/propose.h"

/* Ideas that write a code of `u` with the delimiters that it has in `v`, or without. */
void dp_generate_apart(dp_pairing *p);

#endif
