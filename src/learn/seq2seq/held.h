/* learn/seq2seq/held.h - how well a network does on the clusters that training held out.
 *
 * The crawl simulation of Xu et al. 2017 on their URLs, in the order of the site: a page is fetched when its key is
 * new.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SEQ2SEQ_HELD_H
#define DP_LEARN_SEQ2SEQ_HELD_H

#include "learn/seq2seq/model.h"

typedef struct dp_held_score {
    double   precision, recall, f1; /* all 0 when nothing is held out */
    uint64_t urls, lost;            /* lost: clusters of which no page is fetched */
} dp_held_score;

/* The network of `s` as it is now, alone, on the clusters of `site` that are held out and whose fold is in `folds`.
 * DP_ENOMEM. */
dp_err dp_held_judge(dp_held_score *out, const dp_site *site, uint32_t folds, const dp_seq_site *s);

#endif
