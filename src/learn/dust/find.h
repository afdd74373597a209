/* learn/dust/find.h - the page of a site that has a URL.
 *
 *     slot    page 7 | .... | page 2 | ....        by the hash of its URL, a power of two, at most half of them taken
 *
 * For the files dust_*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DUST_FIND_H
#define DP_LEARN_DUST_FIND_H

#include "learn/dust/site.h"

typedef struct dp_dust_slot {
    uint32_t page; /* and 1; 0: free */
    uint32_t tag;  /* bits of the hash: a URL that is not there is seldom compared */
} dp_dust_slot;

typedef struct dp_dust_find {
    const dp_dust_site *s;
    dp_dust_slot       *slot; /* [nslot] */
    size_t              nslot;
} dp_dust_find;

/* DP_ENOMEM. */
dp_err dp_dust_find_init(dp_dust_find *f, const dp_dust_site *s);
void   dp_dust_find_done(dp_dust_find *f);

/* The hash of a URL; what is looked at for it is fetched meanwhile. */
uint64_t dp_dust_find_hash(const dp_dust_find *f, dp_str url);

/* Whether a page has that URL, and which. */
bool dp_dust_find_page(const dp_dust_find *f, dp_str url, uint64_t hash, uint32_t *page);

#endif
