/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DP_LEARN_AUTO_PROPOSE_MIDDLE_H
#define DP_LEARN_AUTO_PROPOSE_MIDDLE_H

#include "learn/auto/propose/propose.h"

/* Ideas about an id in the middle of a component, learn/auto/propose/middle.c; part of dp_generate_affix. */
void dp_generate_middle(dp_pairing *p);

#endif
