/* learn/accept/ordering.h - what clusters say of "order any": URLs that differ in the order of their parameters alone.
 *
 *     http://a.com/?b=1&a=2  ── sorted ──►  http://a.com/?a=2&b=1       together a group
 *
 * An order line is no rule, so judge/replay.h does not try it; the votes are counted the same way (judge/trial.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_ACCEPT_ORDERING_H
#define DP_LEARN_ACCEPT_ORDERING_H

#include "judge/trial.h"
#include "learn/method/proposal.h"

/* Try the order line of `p` on `n` URLs of the site, whose clusters are labels->cluster. DP_ENOMEM; DP_ESYNTAX when its
 * hosts cannot be read. */
dp_err dp_order_try(dp_trial *out, const dp_proposal *p, const dp_site *s, const uint32_t *url, size_t n,
                    const dp_labels *labels);

#endif
