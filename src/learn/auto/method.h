/* learn/auto/method.h - our own learner: generate widely, judge once, look again.
 *
 *     forms -> propose -> ballot -> trust, context -> accept      docs/algorithms/auto.md
 *       ^                                               |
 *       +-------------- rewrite all forms --------------+ -> review -> proposals
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_METHOD_H
#define DP_LEARN_AUTO_METHOD_H

#include "learn/method/method.h"

extern const dp_method dp_method_auto;

#endif
