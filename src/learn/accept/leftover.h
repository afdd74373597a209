/* learn/accept/leftover.h - what the written rules of a site do to the pages it was learned from, and what they leave.
 *
 *     URLs known by name or content ─► key ─┬─► how many keys: fetches, as `eval` counts them
 *                                           └─► pages that still have several ─► in what they differ
 *
 * Reads a dp_site and the blocks of its rules; learn/run/summary.h adds up what all sites leave. URLs that are known by
 * a redirect, a canonical link or a likeness alone are not counted: `eval` does not know their pages.
 *
 * Bounded: 24 bytes a URL for a while, and at most DP_LEFTOVER_FORMS forms; pairs of other forms count as one more.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_ACCEPT_LEFTOVER_H
#define DP_LEARN_ACCEPT_LEFTOVER_H

#include "base/buf.h"
#include "base/pool.h"
#include "site/site.h"

enum {
    DP_LEFTOVER_FORMS = 4096, /* that are told apart */
    DP_LEFTOVERS_KEPT = 8     /* of a site, those with the most keys */
};

/* Keys that one rule might save, which have something in common. */
typedef struct dp_leftover {
    dp_str   form;   /* learn/accept/change.h */
    uint64_t keys;   /* more than one for each page */
    dp_str   one, other; /* URLs of a page that differ so, masked */
    bool     plain;      /* no rule changes them */
} dp_leftover;

typedef struct dp_left {
    uint64_t urls, pages; /* known by name or content, as the input has them */
    uint64_t fetched;     /* keys */
    uint64_t spare;       /* keys of pages beyond the first */
    dp_buf   forms;       /* packed dp_leftover, those with the most keys first */
} dp_left;

typedef struct dp_left_task {
    const dp_site *site;
    dp_str         blocks; /* of the rule file */
    uint64_t      *key;    /* [site->n] hashes of keys by these rules, 0: not known; may be NULL */
    dp_by          named;  /* what names of clusters count as */
    uint64_t       spellings; /* so many more URLs than the site has are in the input, which stage 0 makes one */
    dp_pool       *pool;      /* may be NULL */
} dp_left_task;

/* `*out` is to be done with dp_left_done, also after a failure. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_left_find(dp_left *out, const dp_left_task *t);
void   dp_left_done(dp_left *l);

/* Add those of another site; then the DP_LEFTOVERS_KEPT with the most keys stay. DP_ENOMEM. */
dp_err dp_left_add(dp_left *sum, const dp_left *l);

/* Take the first of `*rest`, which begins as `forms`; false at the end. Texts are views. */
bool dp_leftover_next(dp_str *rest, dp_leftover *out);

#endif
