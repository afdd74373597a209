/* learn/sizes/tell_pairs.h - two URLs whose pages have one size: does that prove anything?
 *
 *     /list?sort=name   /list?sort=size     the same rows in another order
 *     /2.2/install      /manual/install     a manual of two versions: the number is in its text
 *
 * Read by learn/sizes/weigh_sizes.c.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SIZES_TELL_PAIRS_H
#define DP_LEARN_SIZES_TELL_PAIRS_H

#include "url/frame.h"

/* The number of a version in the path of a URL, without the "v" before it; n == 0: it has none. */
dp_str dp_version_of(const dp_frame *f);

/* By its numbers: 2.4 before 2.10. */
int dp_version_cmp(dp_str a, dp_str b);

/* A number for the order of rows that a URL asks for, 0 where it names none. */
uint64_t dp_sorting_of(const dp_frame *f);

/* Memory that is used again for the next pair. A zeroed one is valid. */
typedef struct dp_pair_teller {
    dp_frame a, b;
    dp_str   newest; /* version of the site: what has no number may well be that one; n == 0: not known */
    bool     sorts;  /* the last pair proves nothing for its order of rows alone */
    bool     failed; /* memory is out */
} dp_pair_teller;

/* Whether pages of `a` and `b`, in stage-0 form, may well have one size and differ. */
bool dp_pair_proves_nothing(dp_pair_teller *t, dp_str a, dp_str b);

/* Whether they differ in digits alone: a page that shows the number it was asked for has one size for all of them. */
bool dp_pair_has_other_numbers(dp_str a, dp_str b);
void dp_pair_teller_done(dp_pair_teller *t);

#endif
