/* learn/recount/blame.h - which rule is to blame, when several have brought two pages to one key.
 *
 *     /item?id=1&sid=7 (page B) ── drop ?sid ──► /item?id=1 ── => /old/1 ──► /old/1
 *                                   guilty       /item?id=1 (page A) ──────► /old/1
 *
 * What a rule makes of a URL depends on its text alone. So the ways of all URLs of a group form a tree, whose root is
 * their key: two pages are merged where their ways first meet, by the rule that came there last.
 *
 * Reads a group of learn/accept/run_together.h; learn/recount/recount.h adds up.
 *
 * Memory: 32 bytes for each firing in the largest group.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_RECOUNT_BLAME_H
#define DP_LEARN_RECOUNT_BLAME_H

#include "apply/engine.h"
#include "site/site.h"

/* A URL after some firings. */
typedef struct dp_hop {
    uint64_t text; /* hash */
    uint32_t url;  /* in the group */
    uint32_t step; /* firings before */
    uint32_t rule; /* that fired last */
    bool     met;  /* URLs of another cluster come here, too */
} dp_hop;

/* A zeroed one with an engine and a scratch is valid. */
typedef struct dp_blame {
    const dp_engine *engine;
    dp_scratch      *scratch;
    dp_hop          *v; /* [n] */
    size_t           n, cap;
    bool             failed; /* memory was out while a URL was followed */
} dp_blame;

/* The URLs of these numbers in the site have one key, but not one cluster. Calls `guilty` once for each cluster but
 * `main`, with the rule that merged it. DP_ENOMEM. */
dp_err dp_blame_group(dp_blame *b, const dp_site *s, const uint32_t *url, size_t n, uint32_t main,
                      void (*guilty)(void *ctx, uint32_t rule), void *ctx);
void   dp_blame_done(dp_blame *b);

#endif
