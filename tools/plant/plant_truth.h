/* plant/plant_truth.h - what the scorer asks: instances of each planted rule, pairs of each decoy.
 *
 *     rule   two URLs of one page that only this rule makes equal
 *     decoy  two URLs of different pages that look as if they were one
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_PLANT_TRUTH_H
#define DP_PLANT_TRUTH_H

#include "plant_stream.h"

/* One question: pairs are drawn from it. */
typedef struct plant_question {
    const plant_host      *host;
    const plant_mechanism *m;
    unsigned               rule; /* of the mechanism, from 1; 0: a decoy */
    const plant_part      *part; /* of a decoy */
} plant_question;

/* The host's questions: first its rules, then its decoys; at most `cap`. */
size_t plant_questions(plant_question *out, size_t cap, const plant_host *h);

/* Draw a pair out of pages number `from` and later. */
void plant_ask(plant_item pair[2], const plant_question *q, uint64_t from, dp_rng *r);

/* "kalomi.com:pagination.0": the same in every run. */
void plant_decoy_name(dp_buf *out, const plant_question *q);

/* Append the host's lines of the decoy list: name, kind, host and an example. */
void plant_host_decoys(dp_buf *out, const plant_host *h);

#endif
