/* eval/truth.h - which URLs show the same page, in memory.
 *
 *     record ── cluster, else digest ──► dp_truth   URL i: cluster[i], host[i]     in input order
 *
 * Reads input/record.h; eval/ and split judge by it. A URL counts once, where it comes first;
 * what later records say of it is compared and, where it differs, counted.
 *
 * Invariants:
 *   - Clusters, hosts and URLs are numbered in the order in which they are first seen.
 *   - Text of URLs is kept up to `text_limit` bytes, that of the first ones: for examples, and
 *     for tables that run other rules over them.
 *
 * Memory: about 22 bytes a URL (8 hash, 6 look-up, 4 cluster, 4 host) and as much a cluster,
 * and the text that is kept with 8 bytes each.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_TRUTH_H
#define DP_EVAL_TRUTH_H

#include "base/buf.h"
#include "base/intern.h"
#include "base/ordinal.h"
#include "input/record.h"

typedef struct dp_truth {
    uint32_t    n, cap;
    uint32_t   *cluster; /* [n] */
    uint32_t   *host;    /* [n] */
    dp_ordinals urls, clusters;
    uint32_t   *size;    /* [clusters.n] URLs in it */
    uint8_t    *fold;    /* [clusters.n] base/fold.h */
    uint32_t    cluster_cap;
    dp_str     *host_name; /* [nhost] */
    uint32_t    nhost, host_cap;
    dp_intern   host_number;
    dp_buf      text;    /* URLs end to end */
    uint64_t   *at;      /* [kept + 1] where they begin */
    uint32_t    kept, at_cap;
    size_t      text_limit;
    uint64_t    records, repeated, contradicting, unlabelled, not_ok, not_urls;
} dp_truth;

/* A zeroed dp_truth is valid and empty. */
void dp_truth_done(dp_truth *t);

/* What a record says the page is: its cluster, else its digest; n == 0 when neither is known.
 * Digests count only of GET and status 200, where these are known. */
dp_str dp_truth_label(dp_truth *t, const dp_record *r);

/* Add a URL. *fresh: it is new and has number t->n - 1. DP_ENOMEM, DP_ELIMIT: then the truth may only be freed. */
dp_err dp_truth_add(dp_truth *t, dp_str url, dp_str host, dp_str label, bool *fresh);

/* The number of a URL that was added; false when it was not. */
bool dp_truth_find(const dp_truth *t, dp_str url, uint32_t *number);

/* Give URL `i` another label than it has; the cluster it leaves may be empty then. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_truth_relabel(dp_truth *t, uint32_t i, dp_str label);

/* Text of URL `i`; p NULL when it was not kept. */
dp_str dp_truth_text(const dp_truth *t, uint32_t i);

/* Clusters of one URL. */
uint32_t dp_truth_singletons(const dp_truth *t);

/* Append "8 URLs on 1 host show 5 pages; 2 pages have two or more URLs". */
void dp_truth_say(dp_buf *out, const dp_truth *t);

uint64_t dp_truth_bytes(const dp_truth *t);

#endif
