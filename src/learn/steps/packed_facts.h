/* learn/steps/packed_facts.h - facts that were packed elsewhere, by another process or on another machine.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_STEPS_PACKED_FACTS_H
#define DP_LEARN_STEPS_PACKED_FACTS_H

#include "base/err.h"
#include "site/fact.h"

/* Call `call` with each of some packed facts, every part of which was checked. DP_ESYNTAX when they are none;
 * DP_ENOMEM; whatever `call` says. */
dp_err dp_packed_facts_each(dp_str packed, dp_err (*call)(void *ctx, const dp_fact *f), void *ctx, dp_error *err);

#endif
