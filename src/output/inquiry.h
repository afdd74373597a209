/* output/inquiry.h - what records say about their pages, found by many threads, told in the order of the records.
 *
 *     records ──► a batch ──► a maker a thread (site/evidence.h) ──► told one by one
 *
 * Parsing a page takes a millisecond, so records with bodies are copied and wait for a batch. Where none waits, a
 * record without a body is told at once. What is told does not depend on the number of threads.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_OUTPUT_INQUIRY_H
#define DP_OUTPUT_INQUIRY_H

#include "base/arena.h"
#include "base/pool.h"
#include "site/evidence.h"

/* `r` lives as long as the call. */
typedef dp_err dp_on_answer(void *self, const dp_record *r, const dp_evidence *e);

typedef struct dp_inquiry {
    dp_pool            *pool;
    dp_evidence_maker  *maker; /* [threads] */
    unsigned            threads;
    dp_on_answer       *tell;
    void               *self;
    dp_arena            texts;
    struct dp_question *v; /* [n] of the batch */
    size_t              n, bytes;
} dp_inquiry;

/* Makers as `like`, which has options alone; 0 threads: as many as the machine has. DP_ENOMEM; dp_inquiry_done is
 * called in any case. */
dp_err dp_inquiry_init(dp_inquiry *q, const dp_evidence_maker *like, unsigned threads, dp_on_answer *tell, void *self);

/* Ask about a record; where not to `look`, what is told is empty. DP_ENOMEM, and what `tell` returns. */
dp_err dp_inquiry_ask(dp_inquiry *q, const dp_record *r, bool look);

/* Tell what waits. */
dp_err dp_inquiry_end(dp_inquiry *q);

void dp_inquiry_done(dp_inquiry *q);

#endif
