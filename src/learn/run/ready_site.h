/* learn/run/ready_site.h - a site that is ready to be learned, and what is known of it before that.
 *
 *     dp_corpus, labelled ─► counts, dp_site ─► learn/accept/learn_site.h ─► dp_site_result
 *
 * The survey of learn/run/mirrors.h and the learning need the same site. Where nothing can change in between, it is
 * kept ready, and its facts are given back: it takes no more memory than they did.
 *
 * Memory a URL, beside its text: 16 place, 4 cluster, 1 why, a cluster 6, and the columns of site/site.h that some
 * record has.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_RUN_READY_SITE_H
#define DP_LEARN_RUN_READY_SITE_H

#include "learn/run/site_result.h"
#include "site/corpus.h"

/* A zeroed one is valid and empty. */
typedef struct dp_ready_site {
    dp_site_result counts; /* without what was learned */
    dp_site        site;
    dp_corpus      corpus; /* of the texts */
    dp_arena       arena;
} dp_ready_site;

/* Make a labelled corpus ready, which is its own from then on; `name` must live as long. DP_ENOMEM. */
dp_err dp_ready_site_make(dp_ready_site *out, dp_corpus *c, dp_str name);

/* Learn. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_ready_site_learn(dp_site_result *out, const dp_ready_site *p, const dp_learn_how *how);

void dp_ready_site_done(dp_ready_site *p);

#endif
