/* learn/tree/record.h - what rules, by their texts, make of the URLs of one host.
 *
 *     add "drop ?sid" ─► run: one engine, all URLs of the host ─► find "drop ?sid": (URL 7, hash of result) ...
 *
 * It does not depend on the folds that candidates are made from, so those of several choices of folds, which are mostly
 * the same, are run once, and together: a URL is read once for all that is new in a round.
 *
 * Memory: 16 bytes a firing.
 * For the files of learn/tree/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_TREE_RECORD_H
#define DP_LEARN_TREE_RECORD_H

#include "base/intern.h"
#include "learn/tree/court.h"

/* A zeroed one is valid and empty. */
typedef struct dp_tree_record {
    dp_intern          known;  /* texts to numbers of `effect` */
    dp_tree_effect    *effect; /* [neffect] */
    uint32_t           neffect, effect_cap;
    dp_tree_candidates fresh;  /* the last of `effect`, which were not run yet */
    dp_member        **page;   /* [npage] where effects lie */
    uint32_t           npage, page_cap;
} dp_tree_record;

/* Have a rule run, unless it was added before. Its text must stay until then. DP_ENOMEM. */
dp_err dp_tree_record_add(dp_tree_record *r, dp_str text);

/* Run what was added since the last time on the URLs of a host, each alone; the host is the same each time. `pool` may
 * be NULL. DP_ENOMEM. */
dp_err dp_tree_record_run(dp_tree_record *r, const dp_tree_court *c, uint32_t host, dp_pool *pool);

/* What a rule that was run does; one that cannot be read does nothing. */
dp_tree_effect dp_tree_record_find(dp_tree_record *r, dp_str text);

void dp_tree_record_done(dp_tree_record *r);

#endif
