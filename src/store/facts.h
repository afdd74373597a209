/* store/facts.h - the facts of a run, by domain.
 *
 *     dp_fact ── its domain ──► bucket hash(domain) mod 256 ──► store/buckets.h
 *
 * The domain is that of the URL's host (url/host.h), or the host itself. A fact that leads to another domain is kept
 * there, too, as a `named` one (site/fact.h). Which domains are one site is not known here: learn/run/all_sites.h reads
 * a bucket at a time and brings facts together by site.
 *
 * Memory: 60 bytes a domain and 40 a host, beside their names; the facts are the buckets'.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_STORE_FACTS_H
#define DP_STORE_FACTS_H

#include "base/intern.h"
#include "site/fact.h"
#include "store/buckets.h"
#include "store/sharing.h"

enum { DP_BUCKETS = 256 };

/* A zeroed one with `buckets` is valid and empty. */
typedef struct dp_facts {
    dp_buckets *buckets;       /* DP_BUCKETS of them; the caller's */
    bool        by_host;
    uint64_t    n;             /* facts */
    dp_intern   name;          /* of domains, and their numbers */
    uint8_t    *bucket;        /* [domains] */
    uint64_t   *facts, *bytes; /* [domains] facts of a domain but those of others about it, and what all of them take */
    uint32_t    bucket_cap, facts_cap, bytes_cap;
    dp_intern   domain_of;     /* hosts */
    uint32_t    last;          /* domain of the last host */
    dp_buf      last_host, packed;
    dp_sharing  sharing;       /* looks when its limit is set before the first fact */
} dp_facts;

/* DP_EIO, DP_ENOMEM, DP_ELIMIT. */
dp_err dp_facts_add(dp_facts *s, const dp_fact *f, dp_error *err);

static inline dp_str dp_facts_name(const dp_facts *s, uint32_t domain)
{
    return s->name.v[domain].key;
}

/* The same on every machine and in every run, which may take another's files over: who chooses names can fill a bucket,
 * which costs balance. What is equal is told by names. */
static inline size_t dp_facts_bucket(dp_str domain)
{
    return dp_fact_hash(domain) % DP_BUCKETS;
}

/* The table of domains as bytes, and back. False when they are not ours or memory is out (*nomem). */
void dp_facts_pack(dp_buf *out, const dp_facts *s);
bool dp_facts_unpack(dp_facts *s, dp_str *rest, bool *nomem);

void dp_facts_done(dp_facts *s);

#endif
