/* learn/auto/rounds/needless.h - exceptions that hold nothing back any more.
 *
 *     drop ?sid unless /old/{**}        nothing spoke for it in /old/, whose pages differed in another way as well
 *     /old/{t}/{x} => /old/{x}          found later
 *     drop ?sid                         what the exception had held back, found last
 *
 * An exception is written when a rule fires somewhere and nothing there speaks for it: on a part of the site, or while
 * other duplicates hide the evidence. Later rules may do what it forbids, or leave no URL to which it applies. At the
 * end those are left out without which every URL has the key that it has with them, and then the rules that fire
 * nowhere: what was seen does not change, and the file is easier to read.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_ROUNDS_NEEDLESS_H
#define DP_LEARN_AUTO_ROUNDS_NEEDLESS_H

#include "learn/auto/rounds/rounds.h"

/* The forms are what the rules make of the URLs, before and after. DP_ENOMEM. */
dp_err dp_needless_drop(dp_rounds *r);

#endif
