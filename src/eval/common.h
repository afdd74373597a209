/* eval/common.h - rules/common.rules as it was when the library was built: a baseline of every evaluation.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_COMMON_H
#define DP_EVAL_COMMON_H

#include "base/str.h"

dp_str dp_common_text(void);

#endif
