/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DP_LEARN_AUTO_PROPOSE_ZEROS_H
#define DP_LEARN_AUTO_PROPOSE_ZEROS_H

#include "learn/auto/propose/propose.h"

/* Ideas about leading zeros, learn/auto/propose/zeros.c; part of dp_generate_path. */
void dp_generate_zeros(dp_pairing *p);

#endif
