/* apply/setid.h - one number for everything that can change a key (RULES 2).
 *
 * Scopes, the rules that can fire under the options given, in order, `order`, `keep`, and the
 * version of stage 0. Two engines with the same set id give the same keys.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_APPLY_SETID_H
#define DP_APPLY_SETID_H

#include "apply/candidates.h"

uint64_t dp_image_set_id(const dp_image *im, const dp_rule_choice *choice);

#endif
