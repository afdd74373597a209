/* store/by_site.h - the facts of one bucket, brought together by site.
 *
 *     bucket:  fact of b.com, a.com, b.com, c.com ...   ──►   a.com: f f f | b.com: f f | ...
 *
 * For many sites that are small: all facts of the bucket are in memory at once. A large site is read alone, fact by
 * fact (dp_by_site_stream).
 *
 * Memory: the facts as they are packed (none where the bucket is in memory itself), 8 bytes a fact, 16 a site.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_STORE_BY_SITE_H
#define DP_STORE_BY_SITE_H

#include "store/facts.h"

#define DP_NO_SITE UINT32_MAX

typedef struct dp_by_site_run {
    uint32_t site;
    uint64_t from, n; /* fact[from] to fact[from + n - 1] */
} dp_by_site_run;

/* A zeroed one is valid and empty. */
typedef struct dp_by_site {
    dp_buf          bytes;
    const char    **fact; /* packed */
    dp_by_site_run *v;    /* [n] in the order of their numbers */
    size_t          n;
} dp_by_site;

/* The sites of domains. */
typedef struct dp_site_of {
    const uint32_t *v; /* [n] a number, or DP_NO_SITE for what is left out */
    uint32_t        n; /* domains */
} dp_site_of;

/* DP_EIO, DP_ENOMEM. */
dp_err dp_by_site_load(dp_by_site *s, dp_buckets *d, size_t bucket, dp_site_of sites, dp_error *err);
void   dp_by_site_done(dp_by_site *s);

/* What is done with a fact; not DP_OK ends the reading. */
typedef dp_err dp_fact_call(void *ctx, const dp_fact *f);

/* All facts of one of its sites. */
dp_err dp_by_site_each(const dp_by_site *s, const dp_by_site_run *site, dp_fact_call *call, void *ctx);

/* All facts of site `site` in a bucket, one by one; with `drain` the memory of the bucket goes meanwhile. */
dp_err dp_by_site_stream(dp_buckets *d, size_t bucket, dp_site_of sites, uint32_t site, bool drain,
                         dp_fact_call *call, void *ctx, dp_error *err);

#endif
