/* learn/duster/duster.h - rules from the alignment of all URLs of a page (Rodrigues et al. 2013 and 2015).
 *
 *     /news/7/print?s=a1          / news / 7  / print  ? s = a1        one column per position, a gap (-) where a
 *     /news/7?s=b2          ──►   / news / 7  -   -    ? s = b2   ──►  URL has nothing there
 *     /news/7?s=c3                / news / 7  -   -    ? s = c3
 *
 *     columns that are equal in all URLs stay, those with a gap are dropped, others do not matter:
 *     /news/7/print?s=a1 => /news/7?s=*           with other pages that have such a column:  /{**}/print => /{**}
 *
 * docs/algorithms/duster.md says how, what the papers leave open, and what we chose.
 *
 *     tokens.h     a URL as tokens                   align.h      two sequences of token sets
 *     consensus.h  all URLs of a page, aligned       instance.h   one of them and what it becomes, in parts
 *     outline.h    the same, more or less general    candidate.h  equal outlines of several pages: a rule
 *     text.h       a rule as templates               trial.h      what other pages say of rules
 *     method.c     the row of learn/methods.c
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DUSTER_DUSTER_H
#define DP_LEARN_DUSTER_DUSTER_H

#include "learn/method/method.h"

enum { DP_DUSTER_URLS = 20 /* that --align-urls may ask for */, DP_DUSTER_SET = 20 /* the same of --max-set */ };

typedef struct dp_duster_options {
    uint32_t align_urls;  /* K: URLs of a page that are aligned; 2 to DP_DUSTER_URLS */
    uint32_t max_set;     /* texts at one place above which only their type counts; up to DP_DUSTER_SET */
    uint32_t min_support; /* pages that a rule must merge URLs of */
    double   max_fpr;     /* share of them that it may merge with others */
} dp_duster_options;

#define DP_DUSTER_OPTIONS_INIT {.align_urls = 10, .max_set = 5, .min_support = 5, .max_fpr = .05}

extern const dp_method dp_method_duster;

#endif
