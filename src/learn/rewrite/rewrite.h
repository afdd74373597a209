/* learn/rewrite/rewrite.h - rewrite rules from clusters of duplicate URLs (KDD 2008, Algorithm 5, Offline).
 *
 *     clusters -- GenerateRule --> rules u -> v -- GeneralizeRules --> rules with * -- support, fpr --> proposals
 *
 *     show?id=7&sid=x1 -> show?id=7&sid=x2        show?id=7&sid=* -> show?id=7&sid=*        show?id=*&sid=* -> ...
 *     (every pair of a cluster)                   (ten values of sid or more)               (ten ids or more)
 *
 * docs/algorithms/rewrite.md says how, and where we differ. Rules say all keys of the URLs they match: they are
 * templates with a closed query.
 *
 *     book.h      URLs as maps                 rule.h     rules over them
 *     entry.h     Delta(r, k) and its filters  pairs.c    specific rules, first generalization
 *     rounds.c    to the fix-point             support.h  support and false-positive rate
 *     oracle.h    filters that ask the URLs    text.h     a rule as templates
 *     method.c    the row of learn/methods.c
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_REWRITE_REWRITE_H
#define DP_LEARN_REWRITE_REWRITE_H

#include "learn/method/method.h"

typedef enum dp_rewrite_filter {
    DP_REWRITE_FANOUT,
    DP_REWRITE_ENTROPY,
    DP_REWRITE_EFPR, /* this and what follows ask the URLs (oracle.h) */
    DP_REWRITE_IDEAL
} dp_rewrite_filter;

typedef enum dp_rewrite_unchanged { DP_REWRITE_MISS, DP_REWRITE_SKIP } dp_rewrite_unchanged;

typedef struct dp_rewrite_options {
    dp_rewrite_filter filter;
    uint32_t          fan_out;     /* values that a key must take to become *; 2 to 100 */
    double            min_entropy; /* of its values, as a share of the largest possible */
    dp_rewrite_unchanged unchanged; /* with DP_REWRITE_EFPR: is a URL with r(u) = u a miss? */
    uint32_t          min_support; /* minS: a rule needs more pairs than that */
    double            max_fpr;     /* maxP */
    bool              exact;       /* take all pairs of large clusters */
    uint32_t          max_rules;   /* of a site */
} dp_rewrite_options;

#define DP_REWRITE_OPTIONS_INIT                                                                               \
    {.filter = DP_REWRITE_FANOUT, .fan_out = 10, .min_entropy = .9, .min_support = 2, .max_fpr = .05,          \
     .max_rules = 1000000}

extern const dp_method dp_method_rewrite;

/* The paper's classes (section 3.3), of a rule as templates. Its Tables 4 and 5 need them. */
typedef enum dp_rewrite_class {
    DP_REWRITE_DUST, /* a string is replaced by another */
    DP_REWRITE_IRP,  /* irrelevant keys: all that differs is erased or left out, whatever it was */
    DP_REWRITE_REGX  /* all others */
} dp_rewrite_class;

#endif
