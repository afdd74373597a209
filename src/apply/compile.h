/* apply/compile.h - rules (the model) to an image (flat, indexed).
 *
 * Reads rule/rule.h, writes apply/image.h. What a URL becomes is decided by the rules and
 * docs/rule-format.md alone; compiling only makes it cheap: for every layer it finds the parts of a
 * URL that each rule needs literally, and indexes the rule under them.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_APPLY_COMPILE_H
#define DP_APPLY_COMPILE_H

#include "apply/image.h"
#include "rule/rule.h"

/* DP_ENOMEM; DP_ELIMIT when some section passes 2^32 things. */
dp_err dp_compile(dp_image *out, const dp_rules *r, dp_error *err);

#endif
