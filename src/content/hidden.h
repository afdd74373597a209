/* content/hidden.h - what changes on a site when nothing changes: places whose text does not tell pages apart.
 *
 *     fetches of pages, each a row of slots (content/slots.h)
 *          │ of one host
 *          ├── two fetches of one URL: which places differ, which do not
 *          ▼
 *     hidden places ──► the hash of each page, made of its other slots
 *
 * Nothing is known beforehand of what changes: a place is hidden only where it was seen to change while the URL stayed
 * the same, often enough for what stands there (the table in hidden.c). The hash is one more way to be the same page
 * (content/cluster.h); pages whose texts are equal need none.
 *
 * Invariants:
 *   - What is hidden, and the hashes, depend on the set of fetches, not on their order.
 *   - Hosts do not know of each other.
 *
 * Memory: 48 bytes a fetch, and what content/rows.h keeps there of its slots.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CONTENT_HIDDEN_H
#define DP_CONTENT_HIDDEN_H

#include "content/rows.h"

/* What one fetch of a page has shown. */
typedef struct dp_shown {
    const dp_slot *slots; /* [n]; NULL: it is not known */
    uint32_t       n;
    uint32_t       host, path; /* hashes */
    uint64_t       ties;  /* what the URL is made of, a bit each */
    int64_t        time;  /* seconds; 0: not known */
    uint64_t       url;   /* hash of its stage-0 form; 0: no other page has it */
} dp_shown;

typedef struct dp_fetch {
    uint64_t at; /* of its first slot */
    uint32_t n;
    uint32_t page; /* which it is of */
    uint32_t host, path;
    uint64_t ties;
    int64_t  time;
    uint64_t url;
} dp_fetch;

/* A zeroed one is valid and empty. */
typedef struct dp_fetches {
    dp_fetch *v; /* [n] */
    size_t    n, cap;
    dp_rows   rows;  /* their slots */
} dp_fetches;

/* Add a fetch of a page; its number is the `n` before. DP_ENOMEM, DP_EIO, DP_ELIMIT at 2^32 - 1 fetches. */
dp_err dp_fetches_add(dp_fetches *f, uint32_t page, const dp_shown *s);

/* Fetch number `fetch` is one of `page`, too. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_fetches_repeat(dp_fetches *f, uint32_t fetch, uint32_t page);

void dp_fetches_done(dp_fetches *f);

/* Whether a place that differed in `changed` pairs of fetches of one URL, and not in `same` others, is to be hidden. */
bool dp_hidden_is_enough(dp_slot_kind kind, uint32_t changed, uint32_t same);

/* Why a place is hidden, or not. */
typedef enum dp_hidden_why {
    DP_HIDDEN_NOT,     /* nothing speaks for it */
    DP_HIDDEN_ECHO,    /* it changed between fetches of one URL */
    DP_HIDDEN_CLOCK,   /* it shows the time of the fetch */
    DP_HIDDEN_AGE,     /* pages that differ in nothing else show another age when fetched at another time */
    DP_HIDDEN_COUNTER, /* pages that differ in nothing else show a greater number when fetched later */
    DP_HIDDEN_TOKEN,   /* pages that differ in nothing else each have an id of their own, which is not in their URLs */
    DP_HIDDEN_ONCE,    /* text that changed in the one URL fetched twice; pages differ in nothing else */
    DP_HIDDEN_URLS     /* not hidden: that would make pages equal whose URLs share nothing */
} dp_hidden_why;

/* Pages that differ from another one in a few places of which nothing is known. */
typedef struct dp_hidden_open {
    uint64_t pages;
    uint32_t a, b;   /* two of them: pages; of the least hash */
    uint32_t places; /* in which they differ */
    uint64_t key;    /* that hash; 0: there are none */
} dp_hidden_open;

/* What is known of a place in which two pages differ. */
typedef struct dp_hidden_place {
    uint32_t      place;
    dp_slot_kind  kind;
    bool          hidden;
    dp_hidden_why why;
    uint32_t      changed, same; /* pairs of fetches of one URL */
    uint32_t      timed, now;    /* clocks, and those that show the time of the fetch */
} dp_hidden_place;

/* A question: in which places do two pages differ? */
typedef struct dp_hidden_ask {
    uint32_t         a, b; /* pages */
    bool             answered; /* they are on one host */
    dp_hidden_place *v;        /* [n], by place; to be freed by who asks */
    size_t           n, cap;
} dp_hidden_ask;

/* The fetch that stands for page i is current[i]; DP_NO_FETCH: none does, and others of that page do not count.
 * hash[i] becomes that of what is not hidden; 0 where nothing is hidden on the page's host. `ask` may be NULL.
 * Before, dp_rows_settle. DP_ENOMEM. */
#define DP_NO_FETCH UINT32_MAX
dp_err dp_hidden_find(uint64_t *hash, const dp_fetches *f, const uint32_t *current, size_t pages, dp_hidden_open *open,
                      dp_hidden_ask *ask);

#endif
