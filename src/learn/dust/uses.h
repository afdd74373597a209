/* learn/dust/uses.h - where the parameters of a site's URLs stand, by name and by bucket.
 *
 *     http://a.com/x?sid=17&p=2       before  http://a.com/x?sid=     value  17     behind  &p=2
 *
 * Uses are grouped by name. Those that have the same bytes before the value stand side by side then, since pages are in
 * the order of their beginnings; among these, buckets are found by what stands behind it, by bytes or, where these are
 * many, by hashes first.
 *
 * For the files dust_*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DUST_USES_H
#define DP_LEARN_DUST_USES_H

#include "base/intern.h"
#include "base/keyed.h"
#include "learn/dust/site.h"

enum { DP_DUST_PAIRED = 32 }; /* values of a bucket that are put in order, and paired */

/* 32-bit numbers: a URL may have many. */
typedef struct dp_dust_use {
    uint32_t page;
    uint32_t name, value, end; /* bytes where they begin; '&' or the end of the URL */
} dp_dust_use;

typedef struct dp_dust_uses {
    const dp_dust_site *s;
    uint64_t            hash_mask;
    dp_dust_use        *v;      /* [n] by name */
    uint32_t           *number; /* [n] of the name, while they are collected */
    size_t              n, cap;
    dp_intern           names;
    size_t             *from; /* [names.n + 1] where the uses of each name begin */
    dp_dust_use        *work; /* [most] uses of one name */
    dp_keyed           *key, *tmp; /* [most] */
    size_t              most;
} dp_dust_uses;

/* Of all pages, by name, in the order of pages. DP_ENOMEM. */
dp_err dp_dust_uses_init(dp_dust_uses *l, const dp_dust_site *s, const dp_dust_options *o);
void   dp_dust_uses_done(dp_dust_uses *l);

/* Put the uses of one name into an order in which the same bytes before the value stand side by side. */
void dp_dust_uses_order(dp_dust_uses *l, dp_dust_use *v, size_t n);

/* Order uses with the same bytes before the value by bucket, and the first of each bucket by value. */
void dp_dust_uses_buckets(dp_dust_uses *l, dp_dust_use *v, size_t n);

/* Have the text of a use at hand that will be asked for soon. */
void dp_dust_uses_fetch(const dp_dust_uses *l, const dp_dust_use *v, size_t i, size_t n);

static inline dp_str dp_dust_use_name(const dp_dust_uses *l, const dp_dust_use *u)
{
    return dp_str_cut(l->s->v[u->page].url, u->name, u->value - 1);
}

static inline dp_str dp_dust_use_value(const dp_dust_uses *l, const dp_dust_use *u)
{
    return dp_str_cut(l->s->v[u->page].url, u->value, u->end);
}

static inline dp_str dp_dust_use_before(const dp_dust_uses *l, const dp_dust_use *u)
{
    return dp_str_cut(l->s->v[u->page].url, 0, u->value);
}

static inline dp_str dp_dust_use_behind(const dp_dust_uses *l, const dp_dust_use *u)
{
    return dp_str_cut(l->s->v[u->page].url, u->end, l->s->v[u->page].url.n);
}

#endif
