/* output/pagelist.h - the pages of an input, in its order, until they are clustered.
 *
 *     entry:  URL | host | time | evidence (content/cluster.h)     or     URL | cluster as the input names it
 *
 * A URL that comes twice is one page: the newest record of it; where times are equal or not known
 * the one of the least content hash, so that the order of the input does not matter.
 * output/clustering.c is the caller.
 *
 * Memory: beside the URL and what content/cluster.h keeps, 12 bytes a page, 20 where times are known.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_OUTPUT_PAGELIST_H
#define DP_OUTPUT_PAGELIST_H

#include "base/intern.h"
#include "base/words/strlist.h"
#include "content/cluster.h"
#include "input/record.h"

#define DP_NO_HOST UINT32_MAX

/* A zeroed one is valid and empty. */
typedef struct dp_pagelist {
    dp_strlist  urls;     /* of the entries */
    dp_strlist  labels;   /* of those that have one, in order */
    dp_clusters clusters; /* page i is entry i */
    uint32_t   *host;     /* [cap] number; DP_NO_HOST: the entry is labelled */
    int64_t    *time;     /* [cap]; NULL while none is known */
    size_t      cap;
    dp_intern   hosts;
    dp_buf      name;     /* a host's, in lower case */
} dp_pagelist;

/* Add a page of `host`. DP_ENOMEM, DP_ELIMIT; the list can only be given up then. */
dp_err dp_pagelist_add(dp_pagelist *l, const dp_record *r, const dp_evidence *e, dp_str host);

/* Add a line that is passed on, with its cluster. */
dp_err dp_pagelist_add_labelled(dp_pagelist *l, const dp_record *r);

/* Leave out all but one page of each URL; `*dropped` says how many. DP_ENOMEM. */
dp_err dp_pagelist_drop_repeated(dp_pagelist *l, const dp_sameness *same, uint64_t *dropped);

void dp_pagelist_done(dp_pagelist *l);

#endif
