/* live/broader.h - is a rule a special case of another one that holds? [BKS06], Figure 5, lines 4 to 7.
 *
 *     drop ?sid                         holds        set ?sid=1      sub "?sid=4711" -> ""       superfluous
 *     /{**}/index.html => /{**}/        holds        sub "/a/index.html$" -> "/a/$"              superfluous
 *
 * The paper compares substrings, and so do we where both rules are `sub`. Rules of other kinds are compared by what
 * they do: a rule is superfluous when the other gives each URL of the list that it changes one key with its result, the
 * other's host line covers its own, and the other also changes what it does not. Of two rules that do the same the
 * later one falls, if it is a `sub`, or the first one speaks of a parameter wherever it is.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_BROADER_H
#define DP_LIVE_BROADER_H

#include "live/verdict.h"

/* Of rule[0 .. n), which are in the order of their tests, one that holds and of which rule number `fine` is a special
 * case: its number in *by; SIZE_MAX: none. DP_ENOMEM. */
dp_err dp_broader_find(size_t *by, const dp_validation *v, size_t fine, const size_t *rule, size_t n);

/* When all rules are tested: rules that hold or are undecided, and are a special case of any other that holds, become
 * DP_REFINED. DP_ENOMEM. */
dp_err dp_broader_remove(dp_validation *v);

#endif
