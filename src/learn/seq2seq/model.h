/* learn/seq2seq/model.h - trained networks, one a site, and the file that keeps them.
 *
 *     site "a.com"   hosts it is for   words   table   network        trained, or in the middle of it (dp_training)
 *
 *     magic | sites | XXH3 of all before          little-endian, checked before anything is believed
 *
 * learn/seq2seq/method.c makes one, translate.h applies it. A file is written whole or not at all, so that a run that
 * is cut short leaves the last one; what stands in it of unfinished sites is usable as it is, and training goes on
 * from there when pairs and options are the same (`made_of`).
 *
 * Invariants:
 *   - Sites are sorted by name; a loaded file is as safe as one that was just trained: all sizes are checked.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SEQ2SEQ_MODEL_H
#define DP_LEARN_SEQ2SEQ_MODEL_H

#include "learn/seq2seq/majority.h"
#include "learn/seq2seq/train.h"

typedef struct dp_seq_site {
    dp_str      name;
    dp_str     *domain;   /* [ndomain] registrable domains that it is for, sorted */
    uint32_t    ndomain;
    dp_vocab    vocab;
    double      sure;     /* answers less sure than that are not given */
    uint64_t    made_of;  /* hash of pairs and options */
    bool        finished;
    dp_majority majority; /* answers for templates that training has seen; empty: the network answers for all */
    dp_training training; /* `best` is the network; the rest is NULL once it is finished. n 0: there is none */
    dp_arena    arena;
} dp_seq_site;

/* A zeroed one is valid and empty. */
typedef struct dp_seq_model {
    dp_seq_site **v; /* [n] by name */
    size_t        n, cap;
    uint64_t      id; /* checksum of the file it was loaded from */
} dp_seq_model;

void dp_seq_model_done(dp_seq_model *m);

/* The site of that name; NULL: none. */
dp_seq_site *dp_seq_model_find(const dp_seq_model *m, dp_str name);

/* A new, empty site in its place. DP_ENOMEM. */
dp_err dp_seq_model_add(dp_seq_model *m, dp_str name, dp_seq_site **out);

/* Put a site of another model in its place; take one out and free it. DP_ENOMEM. */
dp_err dp_seq_model_put(dp_seq_model *m, dp_seq_site *s);
void   dp_seq_model_remove(dp_seq_model *m, dp_seq_site *s);
void   dp_seq_site_free(dp_seq_site *s);

/* The domains of the URLs of a site into `s`. DP_ENOMEM. */
dp_err dp_seq_site_domains(dp_seq_site *s, const dp_site *from);

/* DP_EIO, DP_ENOMEM. */
dp_err dp_seq_model_save(const dp_seq_model *m, const char *path, dp_error *err);

/* DP_EIO, DP_ENOMEM; DP_ESYNTAX when it is no model file, is damaged, or of another version. */
dp_err dp_seq_model_load(dp_seq_model *m, const char *path, dp_error *err);

#endif
