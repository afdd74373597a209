/* learn/seq2seq/train.h - fit the network to pairs of templates, epoch by epoch.
 *
 *     init ──► epoch, epoch, epoch ... until finished        after any of them `best` is usable
 *
 * Stochastic gradient descent as published, or Adam. Batches hold pairs of like lengths; the gradient's norm is
 * clipped. After each epoch the caller says how well the network does on held-out clusters (held.h); the best one is
 * kept, the one of lower loss among equals, and training stops after `patience` epochs without a better one. All that
 * an epoch depends on is in dp_training and the options, so a run that was cut short goes on as if it had not been
 * (model.h keeps it in a file).
 *
 * Invariants:
 *   - Same pairs, options and seed: same bytes, for any number of threads: a batch is always cut into the same
 *     SHARDS parts, and their slopes are added in order.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SEQ2SEQ_TRAIN_H
#define DP_LEARN_SEQ2SEQ_TRAIN_H

#include "base/pool.h"
#include "learn/seq2seq/gru.h"
#include "learn/seq2seq/pairs.h"

typedef enum dp_train_step { DP_STEP_ADAM, DP_STEP_SGD } dp_train_step;

typedef struct dp_train_options {
    uint32_t      hidden, embed; /* embed 0: as hidden */
    uint32_t      batch;         /* pairs */
    uint32_t      epochs;        /* at most */
    uint32_t      patience;      /* epochs without a better network */
    dp_gru_loss   loss;
    dp_train_step step;
    double        rate;          /* 0: .5 for sgd, .002 for adam */
    double        clip;          /* norm of the gradient at most */
} dp_train_options;

#define DP_TRAIN_OPTIONS_INIT \
    {.hidden = 64, .embed = 0, .batch = 20, .epochs = 400, .patience = 30, .clip = 5}

/* The state of a training. */
typedef struct dp_training {
    dp_gru_size size;
    size_t      n;              /* parameters */
    float      *now, *best;     /* [n] */
    float      *mean, *square;  /* [n] moments of Adam; all 0 under sgd */
    double      rate, loss;          /* of what is held out, on average a pair, after the last epoch */
    double      best_f1, best_loss;  /* of `best` on what is held out */
    uint64_t    steps;
    uint32_t    epoch, since_best;
    uint64_t    seed;
} dp_training;

/* Before the first epoch. DP_ENOMEM, DP_EINVALID: sizes that no network has. */
dp_err dp_training_init(dp_training *t, uint32_t vocab, const dp_train_options *o, uint64_t seed);
void   dp_training_done(dp_training *t);

bool dp_training_finished(const dp_training *t, const dp_train_options *o);

/* One pass over the pairs, or several where they are few; dp_training_note follows. DP_ENOMEM. */
dp_err dp_training_epoch(dp_training *t, const dp_seq_pairs *pairs, const dp_train_options *o, dp_pool *pool);

/* Keep the network of the last epoch if it is the best so far. f1: of the clusters held out; 0: there are none. */
void dp_training_note(dp_training *t, double f1, const dp_train_options *o);

#endif
