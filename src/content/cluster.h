/* content/cluster.h - what is known of pages to sets of pages that are the same.
 *
 *     add, add, add ...  ──►  join  ──►  root, id of each page
 *
 * Two pages are the same when one of these holds, and so are all that a chain of such pairs
 * connects:
 *
 *     digest    the digests of their bytes are equal, and so are their MIME types; a page whose type
 *               is not known goes with those of its digest if all the others have one type
 *     text      the digests of their visible texts are equal
 *     hidden    they are equal when what is volatile on their host is hidden (content/hidden.h)
 *     shingles  at least `shingles` of their 4 min-hashes are equal, place by place
 *     simhash   their simhashes differ in at most `simhash` bits
 *
 * With `same_title` none holds between pages of different titles. output/clustering.c makes the
 * evidence out of records; content/soft.h looks at the result.
 *
 * All is done by sorting: equal keys are brought together (each of the C(4, K) choices of
 * min-hashes is a key), near ones as in content/near.h. No number of equal pages makes pairs.
 *
 * Invariants:
 *   - Sets and ids do not depend on the order in which pages were added.
 *   - The id of a set is the least of its members' content hashes; two sets never share one, as
 *     pages of equal content hash are joined.
 *   - Keys of equal hash are compared before they join; a collision can only hide a pair.
 *
 * Memory: 5 bytes a page, and for what at least one page has: digest 20, text 16, sketch 32,
 * simhash 8, title 8, slots 4 and content/hidden.h; while joining 36 more, afterwards 16.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CONTENT_CLUSTER_H
#define DP_CONTENT_CLUSTER_H

#include "base/err.h"
#include "base/hash.h"
#include "content/hidden.h"
#include "content/sets.h"
#include "content/shingle.h"

typedef enum dp_evidence_kind {
    DP_EVIDENCE_DIGEST = 1,
    DP_EVIDENCE_TEXT = 2,
    DP_EVIDENCE_SKETCH = 4,
    DP_EVIDENCE_SIMHASH = 8
} dp_evidence_kind;

/* What is known of one page. */
typedef struct dp_evidence {
    unsigned   has; /* of dp_evidence_kind */
    dp_hash128 digest, text;
    uint64_t   sketch[DP_SKETCH_SIZE];
    uint64_t   simhash;
    uint64_t   title; /* hash; 0: none */
    uint32_t   mime;  /* hash; 0: not known */
    dp_shown   shown; /* with TEXT; what it points to is the maker's */
} dp_evidence;

typedef struct dp_sameness {
    unsigned shingles; /* 1 to 4; 0: not compared */
    int      simhash;  /* 0 to DP_NEAR_MAX; -1: not compared */
    bool     same_title;
} dp_sameness;

/* The kinds of evidence that `same` looks at. */
unsigned dp_sameness_kinds(const dp_sameness *same);

/* A zeroed one is valid and empty. */
typedef struct dp_clusters {
    size_t      n, cap;
    uint8_t    *has;     /* [n] as in dp_evidence; 0: the page is left out */
    dp_hash128 *digest;  /* these are NULL while no page has any */
    uint32_t   *mime;
    dp_hash128 *text;
    uint64_t (*sketch)[DP_SKETCH_SIZE];
    uint64_t   *simhash, *title;
    uint32_t   *current; /* the fetch that stands for the page; DP_NO_FETCH: none */
    dp_fetches  fetches; /* those, and others of the same URLs */
    dp_hidden_ask *ask;  /* answered by dp_clusters_join; NULL: nobody asks */
    /* After dp_clusters_join: */
    dp_hidden_open open;
    dp_sets     sets;
    uint64_t   *id;      /* [n], of roots */
    uint32_t   *size;    /* [n], of roots: pages */
} dp_clusters;

/* Add a page; its number is the `n` before. DP_ENOMEM, DP_ELIMIT at 2^32 - 1 pages. */
dp_err dp_clusters_add(dp_clusters *c, const dp_evidence *e);

/* Put other evidence in the place of a page's. DP_ENOMEM. */
dp_err dp_clusters_put(dp_clusters *c, size_t page, const dp_evidence *e);

/* Note another fetch of a page, which changes nothing else. DP_ENOMEM. */
dp_err dp_clusters_echo(dp_clusters *c, size_t page, const dp_evidence *e);

/* Leave a page out. */
void dp_clusters_drop(dp_clusters *c, size_t page);

/* Leave a page out that was another fetch of `of`. */
void dp_clusters_drop_echo(dp_clusters *c, size_t page, size_t of);

/* The hash of all that is known of a page and that `same` looks at first: equal ones join. */
uint64_t dp_clusters_content(const dp_clusters *c, size_t page, const dp_sameness *same);

/* Find the sets. DP_ENOMEM. */
dp_err dp_clusters_join(dp_clusters *c, const dp_sameness *same);

void dp_clusters_done(dp_clusters *c);

#endif
