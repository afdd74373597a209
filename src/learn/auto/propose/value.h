/* learn/auto/propose/value.h - what values of parameters have to do with each other.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_PROPOSE_VALUE_H
#define DP_LEARN_AUTO_PROPOSE_VALUE_H

#include "learn/auto/propose/propose.h"

/* Ideas about values that are there twice, in short or in full, or that are equal to each other. */
void dp_generate_values(dp_pairing *p);

#endif
