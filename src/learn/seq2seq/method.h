/* learn/seq2seq/method.h - the row of the table of learners.
 *
 *     site -> vocab -> pairs -> train -> distil -> proposals        and, with --model, the networks in a file
 *
 * The network of a run that proposes is trained on the folds it may see and then thrown away; the one for the file is
 * trained on all clusters, once the rules are chosen. What rules can say goes to the rule file, where it is judged like
 * all others; the rest is left to the model.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SEQ2SEQ_METHOD_H
#define DP_LEARN_SEQ2SEQ_METHOD_H

#include "learn/method/method.h"
#include "learn/seq2seq/train.h"

/* Who answers for a template: the table for those that training has seen and the network for others, or one alone. */
typedef enum dp_seq_answers { DP_ANSWERS_BOTH, DP_ANSWERS_TABLE, DP_ANSWERS_NETWORK } dp_seq_answers;

typedef struct dp_seq2seq_options {
    dp_train_options train;
    double           share;   /* of the URLs that a function word has */
    double           sure;    /* probability that an answer needs; 0: any */
    dp_seq_answers   answers;
    bool             singles_off;
    dp_str           model;   /* path; empty: none */
} dp_seq2seq_options;

extern const dp_method dp_method_seq2seq;

#endif
