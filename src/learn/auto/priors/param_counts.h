/* learn/auto/priors/param_counts.h - the parameters of some URLs, and how many of these have each.
 *
 *     /p?utm_a=1&utm_b=2 ┐      ?utm_a  1     ?utm_b  2     ?utm_*  2
 *     /p;s=7?utm_b=3     ┘      ;s      1
 *
 * Names that begin alike up to a mark ("utm_") are also counted together, as "?utm_*". Names that no rule can write are
 * passed over. Who asks for a few names only says which, and pays little for all others: most names of a site are of
 * no interest to who knows those of which other sites speak (learn/auto/priors/other_sites.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_PRIORS_PARAM_COUNTS_H
#define DP_LEARN_AUTO_PRIORS_PARAM_COUNTS_H

#include "base/arena.h"
#include "base/ordinal.h"

typedef struct dp_param_counts_name {
    dp_str   text;    /* "?sid", ";sid", "?utm_*" */
    uint64_t hash;    /* of it */
    uint32_t urls;    /* that have it */
    bool     prefix;  /* "?utm_*": all names that begin so */
    uint32_t members; /* of these: how many there are, where all names are asked for */
    uint32_t last;    /* the last URL that has it */
} dp_param_counts_name;

typedef struct dp_param_counts {
    dp_param_counts_name *v; /* [n] those that most URLs have first, then by text */
    size_t                n, cap;
    dp_ordinals           known; /* hashes, in the order in which they were seen */
    dp_arena              texts;
} dp_param_counts;

/* Count all names of n URLs, which are in stage-0 form. dp_param_counts_done is due whatever comes back. DP_ENOMEM,
 * DP_ELIMIT. */
dp_err dp_param_counts_all(dp_param_counts *out, const dp_str *url, size_t n);

/* The same for the names that have these hashes. */
dp_err dp_param_counts_some(dp_param_counts *out, const dp_str *url, size_t n, const uint64_t *name, size_t names);

void dp_param_counts_done(dp_param_counts *t);

#endif
