/* learn/dust/method.h - DustBuster's row in the table of learners (learn/method/method.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DUST_METHOD_H
#define DP_LEARN_DUST_METHOD_H

#include "learn/method/method.h"

/* Its options are a dp_dust_options. */
extern const dp_method dp_method_dust;

#endif
