/* learn/recount/recount.h - rules learned from a sample, counted on all URLs of the site.
 *
 *     all URLs ── by the hash of their key ──► part 0: labels, who fired ─┐
 *                                              part 1: ...                ├─► sums
 *     rules with n, neg, save, p anew; failures dropped  ◄────────────────┘
 *
 * URLs that the rules merge have one key and so are in one part, whole: what is counted are sums over groups of one key
 * (learn/accept/run_together.h), and it does not matter how many parts there are, who counts them, and in which order.
 * The label of a URL is found from the facts of its part. A fact that leads to a URL of another part is in both; there
 * the other URL is known, but not counted.
 *
 * A group has one vote: for each rule that has moved URLs of the page that most of it are; against the one that has
 * brought another page to it (learn/recount/blame.h). These are n and neg. A rule is judged by URLs: those that it
 * merged rightly, and pages that it brought to others. What share of these the sample has is known as wrong labels,
 * since the rules were accepted there; what is beyond that must keep to --min-precision. A rule on which nobody votes
 * stays as it is. Active rules are counted among themselves, on evidence that is trusted; likely ones together with the
 * active ones, on all.
 *
 * Memory: what learn/accept/run_together.h takes for a part.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_RECOUNT_RECOUNT_H
#define DP_LEARN_RECOUNT_RECOUNT_H

#include "learn/sample/sample_site.h"
#include "learn/accept/run_together.h"
#include "learn/accept/learn_site.h"
#include "site/corpus.h"

/* What one rule did, together with the others. */
typedef struct dp_recounted {
    uint64_t votes, against; /* groups */
    uint64_t wrong;        /* pages that it brought to others */
    uint64_t good;         /* URLs that it moved, of the page that most of their group are */
    uint64_t save;         /* of them not fetched any more, and not moved by another rule before */
    uint64_t kind[DP_BYS]; /* good ones, by what their cluster rests on */
} dp_recounted;

/* What is counted: active rules, and likely ones with them, each on all URLs and on those of the sample. */
enum { DP_COUNT_ACTIVE, DP_COUNT_LIKELY, DP_COUNT_ACTIVE_SAMPLE, DP_COUNT_LIKELY_SAMPLE, DP_COUNTS };

typedef struct dp_recount {
    dp_program            program; /* the learned rules */
    size_t                n;       /* rules */
    dp_recounted         *sum;     /* [DP_COUNTS][n] */
    const dp_site_sample *sample;  /* what was learned from */
    bool                  any_likely;
    uint64_t              urls;    /* of the site */
    unsigned              parts;
    dp_scratch           *scratch; /* for one thread */
} dp_recount;

enum { DP_RECOUNT_PARTS = 256 };

/* Parts for the site that was drawn from, each as large as the sample; fewer when there would be too many. */
unsigned dp_recount_parts(const dp_site_sample *sample);

/* For the blocks of `text`, whose rules all can be read. DP_ENOMEM, DP_ESYNTAX, DP_ELIMIT; dp_recount_done also
 * then. */
dp_err dp_recount_init(dp_recount *r, dp_str text, const dp_site_sample *sample, unsigned parts);
void   dp_recount_done(dp_recount *r);

/* The parts of a fact: of its URL, and of where it leads, which may be the same. DP_ENOMEM. */
dp_err dp_recount_places(const dp_recount *r, dp_scratch *s, const dp_fact *f, unsigned part[2]);

/* Count what the rules do in a part: a labelled corpus of its facts. Several threads may do so with sums of their own
 * and one program. DP_ENOMEM. */
dp_err dp_recount_add_part(dp_recount *r, dp_corpus *c, unsigned part, unsigned trust, dp_pool *pool);

/* Add the sums of `more`, of the same rules. */
void dp_recount_add(dp_recount *r, const dp_recount *more);

/* The sums as bytes; add such bytes of the same rules. DP_ESYNTAX. */
void   dp_recount_pack(dp_buf *out, const dp_recount *r);
dp_err dp_recount_unpack(dp_recount *r, dp_str bytes);

/* All parts are counted: put the counts into `l`, whose text was given, and drop what failed. DP_ENOMEM. */
dp_err dp_recount_write(const dp_recount *r, dp_learned *l, double min_precision);

#endif
