/* learn/accept/known_firings.h - what a learner saw its rules do together, said of the file that its rules become.
 *
 *     as learned    host a, b: 0    host b: 1    host a, b: 2
 *     as a file     host a, b: 0, 2    host b: 1            the same on a, where 0 and 2 hold; on b another order
 *
 * In a file, rules of the same hosts stand together. On a host for which the rules that hold there keep their order,
 * they do what they did; on others it is not known what they do.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_ACCEPT_KNOWN_FIRINGS_H
#define DP_LEARN_ACCEPT_KNOWN_FIRINGS_H

#include "learn/method/firings.h"
#include "learn/accept/program.h"
#include "site/site.h"

/* Number the rules in `f`, which are the proposals that can fire, in their order, as the program numbers them. Empty
 * where the program has others. DP_ENOMEM. */
dp_err dp_known_firings(dp_firings *f, const dp_program *g, const dp_proposals *p, const dp_site *s);

#endif
