/* store/shelf.h - the facts of one drawer, brought together by site.
 *
 *     drawer:  fact of b.com, a.com, b.com, c.com ...   ──►   a.com: f f f | b.com: f f | ...
 *
 * For many sites that are small: all facts of the drawer are in memory at once. A large site is read alone, fact by
 * fact (dp_shelf_stream).
 *
 * Memory: the facts as they are packed (none where the drawer is in memory itself), 8 bytes a fact, 16 a site.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_STORE_SHELF_H
#define DP_STORE_SHELF_H

#include "store/facts.h"

#define DP_NO_SITE UINT32_MAX

typedef struct dp_shelf_site {
    uint32_t site;
    uint64_t from, n; /* fact[from] to fact[from + n - 1] */
} dp_shelf_site;

/* A zeroed one is valid and empty. */
typedef struct dp_shelf {
    dp_buf         bytes;
    const char   **fact; /* packed */
    dp_shelf_site *v;    /* [n] in the order of their numbers */
    size_t         n;
} dp_shelf;

/* site_of[domain] is a number, or DP_NO_SITE for what is left out. DP_EIO, DP_ENOMEM. */
dp_err dp_shelf_load(dp_shelf *s, dp_drawers *d, size_t drawer, const uint32_t *site_of, dp_error *err);
void   dp_shelf_done(dp_shelf *s);

/* What is done with a fact; not DP_OK ends the reading. */
typedef dp_err dp_fact_call(void *ctx, const dp_fact *f);

/* All facts of a site on the shelf. */
dp_err dp_shelf_each(const dp_shelf *s, const dp_shelf_site *site, dp_fact_call *call, void *ctx);

/* All facts of site `site` in a drawer, without a shelf; with `drain` the memory of the drawer goes meanwhile. */
dp_err dp_shelf_stream(dp_drawers *d, size_t drawer, const uint32_t *site_of, uint32_t site, bool drain,
                       dp_fact_call *call, void *ctx, dp_error *err);

#endif
