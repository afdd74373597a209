/* learn/auto/propose/only.h - parameters of which all but a few fall.
 *
 *     /news.asp?id=7&x1=a     /news.asp?q9=b&id=7     /news.asp?id=7&m=4&k2=c
 *
 *     only ?id     only ?id on /{**}/news.asp
 *
 * Where every link has names of its own, no name has votes, and a list of them says nothing of the next. What pages
 * keep is proposed, once enough names have come and gone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_PROPOSE_ONLY_H
#define DP_LEARN_AUTO_PROPOSE_ONLY_H

#include "learn/auto/propose/propose.h"

/* Add these ideas. DP_ENOMEM. */
dp_err dp_only_propose(dp_pairing *p, const dp_forms *f, uint32_t folds);

#endif
