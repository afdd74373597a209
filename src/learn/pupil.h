/* learn/pupil.h - a site that is ready to be learned, and what is known of it before that.
 *
 *     dp_corpus, labelled ─► counts, dp_site ─► learn/lesson.h ─► dp_fragment
 *
 * The survey of learn/linkage.h and the lesson need the same site. Where nothing can change in between, it waits as a
 * pupil, and its facts are given back: it takes no more memory than they did.
 *
 * Memory a URL, beside its text: 16 place, 4 cluster, 1 why, a cluster 6, and the columns of site/site.h that some
 * record has.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_PUPIL_H
#define DP_LEARN_PUPIL_H

#include "learn/fragment.h"
#include "site/corpus.h"

/* A zeroed one is valid and empty. */
typedef struct dp_pupil {
    dp_fragment counts; /* without a lesson */
    dp_site     site;
    dp_corpus   corpus; /* of the texts */
    dp_arena    arena;
} dp_pupil;

/* Make a pupil of a labelled corpus, which is its own from then on; `name` must live as long. DP_ENOMEM. */
dp_err dp_pupil_make(dp_pupil *out, dp_corpus *c, dp_str name);

/* Learn. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_pupil_learn(dp_fragment *out, const dp_pupil *p, const dp_teaching *how);

void dp_pupil_done(dp_pupil *p);

#endif
