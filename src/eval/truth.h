/* eval/truth.h - which URLs show the same page, in memory.
 *
 *     record ─ dp_truth_read ─►  a name: the cluster of the input
 *                                or content: digest, visible text ── dp_truth_settle ──►  a name
 *     dp_truth   URL i: cluster[i], host[i]     in input order
 *
 * Reads input/record.h; eval, audit, report and split judge by it. What is equal in content is decided where `learn`
 * and `cluster` decide it (content/cluster.h), so that none of them denies what another says.
 *
 * A URL counts once, where it comes first. A name counts before content; of names the first, of contents the newest,
 * as in `learn`; what other records say of a URL is compared and, where it differs, counted.
 *
 * Invariants:
 *   - Clusters, hosts and URLs are numbered in the order in which they are first seen; pages that are known by their
 *     content get their numbers behind the others.
 *   - cluster[i] is DP_UNSETTLED until dp_truth_settle, where the input has no name for the page.
 *   - Text of URLs is kept up to `text_limit` bytes, that of the first ones: for examples, and
 *     for tables that run other rules over them.
 *
 * Memory: about 22 bytes a URL (8 hash, 6 look-up, 4 cluster, 4 host) and as much a cluster,
 * and the text that is kept with 8 bytes each; known by content 50 more, and 36 while settling.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_TRUTH_H
#define DP_EVAL_TRUTH_H

#include "base/buf.h"
#include "base/intern.h"
#include "base/ordinal.h"
#include "input/record.h"
#include "site/evidence.h"

#define DP_UNSETTLED UINT32_MAX

/* What a record says the page is. */
typedef struct dp_says {
    dp_str      name;    /* of its cluster; n == 0: none */
    dp_evidence content; /* has == 0: none */
    int64_t     time;    /* of the content; 0: not known */
} dp_says;

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
    dp_clusters content;   /* [n] or empty, of URLs without name; after dp_truth_settle their sets */
    int64_t    *time;      /* [n] of that */
    uint32_t    time_cap;
    uint32_t    unknown;   /* after dp_truth_settle: the cluster of URLs of which nothing is known, or DP_UNSETTLED */
    bool        decided;   /* whether what was added last is what counts of its URL now */
    uint64_t    records, repeated, contradicting, unlabelled, not_ok, not_urls;
} dp_truth;

/* A zeroed dp_truth is valid and empty. */
void dp_truth_done(dp_truth *t);

/* Make ready to read content. */
void dp_truth_maker(dp_evidence_maker *m);

/* What a record says; false, and counted, when that is nothing. As in `learn`, it counts only of GET and status 200,
 * where these are known; a name also of a redirect. DP_ENOMEM is *code. */
bool dp_truth_read(dp_truth *t, dp_evidence_maker *m, const dp_record *r, dp_says *out, dp_err *code);

/* Add what is said of a URL. *fresh: it is new and has number t->n - 1. DP_ENOMEM, DP_ELIMIT: then the truth may only
 * be freed. */
dp_err dp_truth_add(dp_truth *t, dp_str url, dp_str host, const dp_says *says, bool *fresh);

/* After the last one: find out which contents are the same. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_truth_settle(dp_truth *t);

/* Whether the page of URL `i` is known by its content, not by a name. */
bool dp_truth_has_content(const dp_truth *t, uint32_t i);

/* The name of such a page, in `room`; as `dustpan cluster` has it. */
dp_str dp_truth_name(const dp_truth *t, uint32_t i, char room[16]);

/* How pages were told apart: a name of input/identity.h. */
const char *dp_truth_identity(const dp_truth *t);

/* The number of a URL that was added; false when it was not. */
bool dp_truth_find(const dp_truth *t, dp_str url, uint32_t *number);

/* Text of URL `i`; p NULL when it was not kept. */
dp_str dp_truth_text(const dp_truth *t, uint32_t i);

/* Clusters of one URL. */
uint32_t dp_truth_singletons(const dp_truth *t);

/* Append "8 URLs on 1 host show 5 pages; 2 pages have two or more URLs". */
void dp_truth_say(dp_buf *out, const dp_truth *t);

uint64_t dp_truth_bytes(const dp_truth *t);

#endif
