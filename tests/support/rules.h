/* support/rules.h - rules and engines of a text that is known to be right; the test fails where it is not.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_RULES_H
#define DP_SUPPORT_RULES_H

#include "dustpan.h"

/* The caller's, as what arrives through dustpan.h. */
dp_rules  *rules_of(const char *text);
dp_engine *engine_of(const char *text);

#endif
