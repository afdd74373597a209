/* learn/seq2seq/gru.h - the network: an encoder and a decoder of gated recurrent units, and their gradients.
 *
 *     source tokens ──► encoder ──► state ──► decoder ──► probabilities of tokens, step by step
 *                  embedding, shared            │  ▲
 *                                               └──┘ the token before (<eos> to begin with)
 *
 * Xu, Liu, Callan 2017, section 2.4: one layer each, no attention, both read the same embeddings. A unit is
 *
 *     z = s(Wz x + bz + Uz h)     r = s(Wr x + br + Ur h)     n = tanh(Wn x + bn + r (Un h))     h' = (1-z) n + z h
 *
 * The input side of a token, Wx + b, depends on the token alone, so it is looked up: a table of V rows is computed
 * once a batch, by one matrix product, and gradients are collected by rows of that table before they go on to W and
 * the embedding. learn/seq2seq/train.h calls this; decode.h runs it forward.
 *
 * Invariants:
 *   - Same parameters and batch: same bytes out, on one type of CPU. BLAS runs on one thread.
 *   - All matrices are row-major; h = hidden, e = embed, V = vocab.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SEQ2SEQ_GRU_H
#define DP_LEARN_SEQ2SEQ_GRU_H

#include "base/err.h"
#include "base/str.h"

typedef struct dp_gru_size {
    uint32_t vocab, embed, hidden;
} dp_gru_size;

/* All parameters are one array, `all`; the others are views into it. */
typedef struct dp_gru {
    dp_gru_size size;
    size_t      n;
    float      *all;          /* [n] */
    float      *embedding;    /* [V][e] */
    float      *enc_w, *dec_w; /* [e][3h]: z, r, n */
    float      *enc_b, *dec_b; /* [3h] */
    float      *enc_u, *dec_u; /* [h][3h] */
    float      *out_w;        /* [h][V] */
    float      *out_b;        /* [V] */
} dp_gru;

/* How many parameters a network has; 0 when the sizes make no sense (0, or above 2^14). */
size_t dp_gru_count(dp_gru_size size);

/* The views of `all`, [dp_gru_count(size)]. */
dp_gru dp_gru_view(dp_gru_size size, float *all);

/* Uniform in ±range, by seed. */
void dp_gru_draw(dp_gru *g, float range, uint64_t seed);

/* ---- forward ---------------------------------------------------------------------------------- */

/* The input side of every token: computed once, read by all. */
typedef struct dp_gru_tables {
    float *enc, *dec; /* [V][3h] */
} dp_gru_tables;

/* DP_ENOMEM, DP_EINVALID: there is no BLAS (learn/seq2seq/blas.h). */
dp_err dp_gru_tables_init(dp_gru_tables *t, dp_gru_size size);
void   dp_gru_tables_done(dp_gru_tables *t);
void   dp_gru_tables_fill(dp_gru_tables *t, const dp_gru *g);

/* One step of `rows` units: state[rows][h] is replaced. `token` chooses rows of `table`; `gates`, [rows][3h], is
 * scratch. */
void dp_gru_step(const dp_gru *g, const float *table, const float *u, const uint32_t *token, size_t rows, float *state,
                 float *gates);

/* Probabilities of the next token, [rows][V], out of states. */
void dp_gru_output(const dp_gru *g, const float *state, size_t rows, float *probability);

/* ---- learning --------------------------------------------------------------------------------- */

typedef enum dp_gru_loss {
    DP_LOSS_SOFTMAX, /* -log P(right token) */
    DP_LOSS_ACE      /* as printed in the paper: binary cross-entropy of every token */
} dp_gru_loss;

/* Pairs of one batch, columns by step: token t of row i at [t * rows + i]; what lies behind a row's end is not read. */
typedef struct dp_gru_batch {
    size_t          rows;
    const uint32_t *source, *target;     /* targets end with <eos> */
    const uint32_t *nsource, *ntarget;   /* [rows] 1 or more */
    const float    *weight;              /* [rows] of the row's loss */
} dp_gru_batch;

enum { DP_SEQ_EOS = 0 }; /* the token that ends targets and begins decoding */

/* Memory of one batch at work; a zeroed one is valid and grows. Threads have one each. */
typedef struct dp_gru_scratch {
    float *v;
    size_t cap;
} dp_gru_scratch;

void dp_gru_scratch_done(dp_gru_scratch *s);

/* Gradients by what a batch touches: tables instead of W and embedding. One array, as dp_gru. */
typedef struct dp_gru_slopes {
    size_t n;
    float *all;                 /* [n] */
    float *enc_table, *dec_table; /* [V][3h] */
    float *enc_u, *dec_u;       /* [h][3h] */
    float *out_w, *out_b;
} dp_gru_slopes;

size_t        dp_gru_slopes_count(dp_gru_size size);
dp_gru_slopes dp_gru_slopes_view(dp_gru_size size, float *all);

/* The loss of a batch, the sum over rows of weight times the mean over positions, into `*loss`; its slopes are added
 * to `slopes` (NULL: not asked for). DP_ENOMEM. */
dp_err dp_gru_learn(const dp_gru *g, const dp_gru_tables *t, const dp_gru_batch *b, dp_gru_loss kind,
                    dp_gru_scratch *s, dp_gru_slopes *slopes, double *loss);

/* Slopes of all parameters, [g->n], out of those of the tables. */
void dp_gru_gradient(float *gradient, const dp_gru *g, const dp_gru_slopes *slopes);

#endif
