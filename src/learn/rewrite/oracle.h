/* learn/rewrite/oracle.h - filters that ask the URLs themselves whether a key may become * (KDD 2008, section 4).
 *
 *     rule about to be made  p?id=7&sid=*
 *     efpr   1 - |T| / |S|: URLs that match it, and those of them that it explains
 *     ideal  the least false-positive rate of the rule and of all that are more general:
 *            p?id=7&sid=*    p?id=*&sid=*    *?id=7&sid=*    *?id=*&sid=*    ...
 *
 * The ideal filter (Algorithm 1) is what Theorem 9 is about: with it a rule is never lost because one that it must be
 * made through is wrong. Its cost grows with the power of keys, so that it is for small sites alone: of the more
 * general rules the MOST that are nearest are asked, each once for all rules below it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_REWRITE_ORACLE_H
#define DP_LEARN_REWRITE_ORACLE_H

#include "learn/rewrite/rewrite.h"
#include "learn/rewrite/support.h"

/* Zeroed but for the first two, it knows nothing yet. */
typedef struct dp_rw_oracle {
    const dp_rw_index        *index;
    const dp_rewrite_options *options;
    dp_rw_rules               known; /* rules that were asked about */
    double                   *fpr;   /* [known.n] */
    size_t                    cap;
    dp_err                    error; /* memory was out: what it says is worth nothing */
} dp_rw_oracle;

/* A dp_rw_estimate (entry.h) for either filter; `self` is a dp_rw_oracle. */
bool dp_rw_oracle_lets(void *self, const dp_rw_draft *r);

void dp_rw_oracle_done(dp_rw_oracle *o);

#endif
