/* learn/seq2seq/frequency.h - how many URLs of a site have a token.
 *
 * The document frequency of Xu et al. 2017, section 2.3: a URL that has a token twice counts once.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SEQ2SEQ_FREQUENCY_H
#define DP_LEARN_SEQ2SEQ_FREQUENCY_H

#include "base/intern.h"
#include "url/token.h"

typedef struct dp_token_count {
    dp_str   text;
    uint32_t df, last; /* last: the last URL that has it */
} dp_token_count;

/* A zeroed one is valid and empty. */
typedef struct dp_frequency {
    dp_token_count *v; /* [n] */
    size_t          n, cap;
    dp_intern       index; /* text -> number */
} dp_frequency;

void dp_frequency_done(dp_frequency *f);

/* Count the tokens of a URL, which stands for `weight` of them; URLs come one after another. DP_ENOMEM. */
dp_err dp_frequency_add(dp_frequency *f, const dp_seq_tokens *t, uint32_t url, uint32_t weight);

/* How many URLs have a token. */
uint32_t dp_frequency_of(const dp_frequency *f, dp_str token);

#endif
