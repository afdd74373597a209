/* learn/seq2seq/canonical.h - the words of a site, and the URL that stands for each cluster.
 *
 *     cluster  { /q/7  /questions/7/why  /questions/7 }      canonical: /q/7
 *
 * The domain that leads (site/lead.h); in one domain the fewest tokens, then the highest sum of document frequencies
 * (Xu et al. 2017, section 2.3), then the fewest bytes, then the first text. Words depend on canonical URLs, and
 * these on frequencies, so both are made here.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SEQ2SEQ_CANONICAL_H
#define DP_LEARN_SEQ2SEQ_CANONICAL_H

#include "learn/seq2seq/vocab.h"
#include "site/lead.h"

typedef struct dp_words_options {
    double         share; /* of the URLs that have a word; five have it on the smallest site */
    uint32_t       folds; /* bits: what URLs become is seen in clusters of these folds alone */
    const dp_lead *lead;  /* which domain stands for which; NULL: the site has but one */
} dp_words_options;

/* The words of `s` into the empty `v`, and of each cluster the number of its canonical URL into `canonical`,
 * [s->nclusters]. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_seq_words_learn(dp_vocab *v, uint32_t *canonical, const dp_site *s, dp_words_options o);

#endif
