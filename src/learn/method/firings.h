/* learn/method/firings.h - all rules of a site together on its URLs: which of them fired, and what came out.
 *
 *     URL 0   rules 3, 1   key of /a        v    (3,0) (1,0) (0,2) ...
 *     URL 1   none         key of /b        key  [URLs] hashes
 *     URL 2   rule 0       not known
 *
 * A method that has run its rules together may leave here what it saw, so that nobody has to run them again where it is
 * known (learn/accept/run_together.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_METHOD_FIRINGS_H
#define DP_LEARN_METHOD_FIRINGS_H

#include "base/str.h"

/* 32-bit numbers: there are some for every URL. */
typedef struct dp_firing {
    uint32_t rule, url;
} dp_firing;

/* A zeroed one is valid and empty. */
typedef struct dp_firings {
    dp_firing *v;     /* [n] by URL, in the order of firing */
    size_t     n, cap;
    uint64_t  *key;   /* [URLs] dp_hash_str of each key; 0: not known, nor what fired. NULL: nobody asks */
    uint32_t   rules; /* that can fire: their numbers are below */
} dp_firings;

/* False when memory is out. */
bool dp_firings_add(dp_firings *f, dp_firing one);
void dp_firings_done(dp_firings *f);

/* The first firing on URL `url` or a later one. */
size_t dp_firings_find(const dp_firings *f, uint32_t url);

#endif
