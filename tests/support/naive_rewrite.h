/* support/naive_rewrite.h - KDD 2008 as its pages say it: all pairs, all rules compared, rounds until nothing is new.
 *
 *     "k03 =show @k03|~?sid#1 =x =y|"      a rule is a text: for each key on either side its name, c(k) and a(k)
 *
 * Values are "=text", "-" (no '='), "e" (empty), "*", "@key" (a reference) or "" (absent). Knows nothing of the
 * library but how keys are read from a URL. What is slow stays slow; memory that is out aborts.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_NAIVE_REWRITE_H
#define DP_SUPPORT_NAIVE_REWRITE_H

#include "learn/rewrite/rewrite.h"

typedef struct naive_rule {
    char    *text;
    uint64_t matched, explained, support, wrong; /* Definitions 4 and 5, by trying all pairs */
} naive_rule;

typedef struct naive_rules {
    naive_rule *v; /* by text; those with a star */
    size_t      n;
} naive_rules;

naive_rules naive_rewrite(const dp_site *s, const dp_rewrite_options *o, uint32_t folds);
void        naive_rewrite_done(naive_rules *r);

#endif
