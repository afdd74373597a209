/* SPDX-License-Identifier: Apache-2.0 */
#include "store/facts.h"

#include <stdlib.h>

#include "base/room.h"
#include "store/pack.h"
#include "url/host.h"

/* The number of a domain, new or not. */
static dp_err number_domain(dp_facts *s, dp_str name, uint32_t *number)
{
    if (dp_intern_find(&s->name, name, number))
        return DP_OK;
    *number = (uint32_t)s->name.n;
    if (!DP_ROOM(s->bucket, *number, s->bucket_cap) || !DP_ROOM(s->facts, *number, s->facts_cap) ||
        !DP_ROOM(s->bytes, *number, s->bytes_cap) || !dp_intern_add(&s->name, name, *number))
        return DP_ENOMEM;
    s->bucket[*number] = (uint8_t)dp_facts_bucket(name);
    s->facts[*number] = s->bytes[*number] = 0;
    return DP_OK;
}

/* The domain of a host. Most facts have the host of the one before. */
static dp_err find_domain(dp_facts *s, dp_str host, uint32_t *number)
{
    if (s->name.n && dp_str_eq(dp_buf_view(&s->last_host), host)) {
        *number = s->last;
        return DP_OK;
    }
    if (!dp_intern_find(&s->domain_of, host, number)) {
        DP_TRY(number_domain(s, s->by_host ? host : dp_host_domain(host), number));
        if (!dp_intern_add(&s->domain_of, host, *number))
            return DP_ENOMEM;
    }
    dp_buf_reset(&s->last_host);
    dp_buf_str(&s->last_host, host);
    s->last = *number;
    return s->last_host.failed ? DP_ENOMEM : DP_OK;
}

static dp_err put(dp_facts *s, const dp_fact *f, uint32_t domain, dp_error *err)
{
    dp_buf_reset(&s->packed);
    dp_pack_fact(&s->packed, f, domain);
    if (s->packed.failed)
        return DP_ENOMEM;
    s->n++;
    s->facts[domain] += dp_fact_is_of_url(f);
    s->bytes[domain] += s->packed.n;
    return dp_buckets_put(s->buckets, s->bucket[domain], dp_buf_view(&s->packed), err);
}

dp_err dp_facts_add(dp_facts *s, const dp_fact *f, dp_error *err)
{
    uint32_t domain, other;
    DP_TRY(find_domain(s, f->host, &domain));
    DP_TRY(put(s, f, domain, err));
    DP_TRY(dp_sharing_note(&s->sharing, f, domain));
    if (!(f->has & DP_FACT_LINK))
        return DP_OK;
    dp_str host = dp_fact_host(f->link);
    DP_TRY(find_domain(s, host, &other));
    if (other == domain)
        return DP_OK;
    dp_fact named = dp_fact_named(f, dp_facts_name(s, domain), host);
    return put(s, &named, other, err);
}

void dp_facts_pack(dp_buf *out, const dp_facts *s)
{
    dp_pack_number(out, s->n);
    dp_pack_number(out, s->name.n);
    for (size_t i = 0; i < s->name.n; i++) {
        dp_pack_text(out, dp_facts_name(s, (uint32_t)i));
        dp_pack_number(out, s->facts[i]);
        dp_pack_number(out, s->bytes[i]);
    }
}

bool dp_facts_unpack(dp_facts *s, dp_str *rest, bool *nomem)
{
    uint64_t n;
    *nomem = false;
    if (!dp_unpack_number(rest, &s->n) || !dp_unpack_number(rest, &n))
        return false;
    for (uint64_t i = 0; i < n; i++) {
        dp_str   name;
        uint32_t number;
        if (!dp_unpack_text(rest, &name))
            return false;
        *nomem = number_domain(s, name, &number) != DP_OK;
        if (*nomem || number != i || !dp_unpack_number(rest, &s->facts[i]) || !dp_unpack_number(rest, &s->bytes[i]))
            return false;
    }
    return true;
}

void dp_facts_done(dp_facts *s)
{
    dp_intern_done(&s->name);
    free(s->bucket);
    free(s->facts);
    free(s->bytes);
    dp_intern_done(&s->domain_of);
    dp_buf_done(&s->last_host);
    dp_buf_done(&s->packed);
    dp_sharing_done(&s->sharing);
    *s = (dp_facts){0};
}
