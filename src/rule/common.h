/* rule/common.h - rules/common.rules as it was when the library was built: a baseline of every evaluation, and what
 * `learn` knows of sites that are not in its input (learn/auto/priors/other_sites.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_RULE_COMMON_H
#define DP_RULE_COMMON_H

#include "base/str.h"

dp_str dp_common_text(void);

#endif
