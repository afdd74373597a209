/* learn/seq2seq/glossary.h - what templates become: the answers of table and network, kept after the first time.
 *
 *     template ─ step ─► template ─ step ─► ... ─► one that stays as it is: the end of all on the way
 *
 * A template that training has seen becomes what nearly all of its URLs became (majority.h); the network answers for
 * others, and sees templates, so that its answer is a function of the template. An answer is translated again until
 * it stays as it is, so that the key of a key is the key itself. A template keeps its own form when an answer is no URL
 * of the site, does not end, is unsure, or goes round in a circle.
 *
 * Memory: about 300 bytes a distinct template.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SEQ2SEQ_GLOSSARY_H
#define DP_LEARN_SEQ2SEQ_GLOSSARY_H

#include "base/index.h"
#include "learn/seq2seq/decode.h"
#include "learn/seq2seq/model.h"

/* What a template becomes in the end, in its own arguments. */
typedef struct dp_seq_outcome {
    uint32_t id[DP_SEQ_LONGEST];
    uint32_t n;    /* 0: it keeps its own form */
    float    sure; /* of the least sure translation on the way */
} dp_seq_outcome;

/* A template, and the number of its site in the model. */
typedef struct dp_seq_asked {
    uint32_t        site, n;
    const uint32_t *id; /* [n] */
} dp_seq_asked;

typedef struct dp_glossary {
    const dp_seq_model        *model;
    dp_gru_tables             *tables; /* [model->n] */
    struct dp_glossary_entry **v;      /* [index.n] */
    size_t                     cap;
    dp_index                   index;
    dp_arena                   arena;
} dp_glossary;

/* The model must outlive it. DP_ENOMEM; dp_glossary_done gives back what there is, also then. */
dp_err dp_glossary_init(dp_glossary *g, const dp_seq_model *m);
void   dp_glossary_done(dp_glossary *g);

/* Make sure that these templates have an end: what is missing is decoded, many templates together. DP_ENOMEM: then
 * nothing is known any more. */
dp_err dp_glossary_learn(dp_glossary *g, const dp_seq_asked *v, size_t n);

/* The end of a template; NULL: not known yet. It holds until the next reset. */
const dp_seq_outcome *dp_glossary_find(const dp_glossary *g, const dp_seq_asked *a);

/* Forget all. */
void dp_glossary_reset(dp_glossary *g);

#endif
