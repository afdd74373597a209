/* learn/seq2seq/decode.h - what the network makes of templates: the likeliest token, step by step.
 *
 * Greedy, in batches of templates of one length. Used by model.h, once for each distinct template.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SEQ2SEQ_DECODE_H
#define DP_LEARN_SEQ2SEQ_DECODE_H

#include "learn/seq2seq/gru.h"
#include "learn/seq2seq/vocab.h"

enum { DP_SEQ_LONGER = 4 /* tokens an answer may have more than its source */ };

typedef struct dp_seq_answer {
    uint32_t id[DP_SEQ_LONGEST];
    uint32_t n;     /* 0: it did not end */
    float    sure;  /* mean probability of its tokens, the end included */
} dp_seq_answer;

typedef struct dp_seq_question {
    const uint32_t *id; /* [n], n >= 1 */
    uint32_t        n;
} dp_seq_question;

/* Answer `count` questions. DP_ENOMEM. An answer does not depend on the questions beside it. */
dp_err dp_seq_decode(dp_seq_answer *out, const dp_gru *g, const dp_gru_tables *t, const dp_seq_question *q,
                     size_t count);

#endif
