/* learn/auto/propose/nameless.h - queries that are an argument and have no name.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_PROPOSE_NAMELESS_H
#define DP_LEARN_AUTO_PROPOSE_NAMELESS_H

#include "learn/auto/propose/propose.h"

/* Ideas that write the query of `u`, if it is one argument without a name, as part of the path of `v`. */
void dp_generate_nameless(dp_pairing *p, const dp_frame *u, const dp_frame *v);

#endif
