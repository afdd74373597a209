/* learn/dust/find.h - the page of a site that has a URL.
 *
 * For the files dust_*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DUST_FIND_H
#define DP_LEARN_DUST_FIND_H

#include "base/index.h"
#include "learn/dust/site.h"

typedef struct dp_dust_find {
    const dp_dust_site *s; /* NULL: nothing is in it yet */
    dp_index            index;
} dp_dust_find;

/* DP_ENOMEM. */
dp_err dp_dust_find_init(dp_dust_find *f, const dp_dust_site *s);
void   dp_dust_find_done(dp_dust_find *f);

/* Where to look for a URL; what is looked at is fetched meanwhile. */
dp_index_walk dp_dust_find_from(const dp_dust_find *f, dp_str url);

/* Whether a page has that URL, and which. */
bool dp_dust_find_page(const dp_dust_find *f, dp_str url, dp_index_walk from, uint32_t *page);

#endif
