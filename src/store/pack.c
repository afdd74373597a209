/* SPDX-License-Identifier: Apache-2.0 */
#include "store/pack.h"

#include <math.h>
#include <stddef.h>

#include "base/fold.h"
#include "base/hash.h"

void dp_pack_number(dp_buf *out, uint64_t n)
{
    for (; n >= 0x80; n >>= 7)
        dp_buf_byte(out, (char)(n | 0x80));
    dp_buf_byte(out, (char)n);
}

bool dp_unpack_number(dp_str *rest, uint64_t *n)
{
    uint64_t value = 0;
    for (size_t i = 0; i < rest->n && i < 10; i++) {
        unsigned char byte = (unsigned char)rest->p[i];
        value |= (uint64_t)(byte & 0x7F) << (7 * i);
        if (byte < 0x80) {
            *n = value;
            *rest = dp_str_cut(*rest, i + 1, rest->n);
            return true;
        }
    }
    return false;
}

void dp_pack_text(dp_buf *out, dp_str text)
{
    dp_pack_number(out, text.n);
    dp_buf_str(out, text);
}

bool dp_unpack_text(dp_str *rest, dp_str *text)
{
    uint64_t n;
    if (!dp_unpack_number(rest, &n) || n > rest->n)
        return false;
    *text = dp_str_cut(*rest, 0, (size_t)n);
    *rest = dp_str_cut(*rest, (size_t)n, rest->n);
    return true;
}

/* ---- the parts of a fact that are copied as they are --------------------------------------------------------- */

typedef struct part {
    unsigned which; /* bits of dp_fact_part: there when one of them is */
    size_t   at, n; /* in dp_fact */
} part;

#define DP_PART(which, field) {which, offsetof(dp_fact, field), sizeof((dp_fact *)NULL)->field}

static const part parts[] = {
    DP_PART(DP_FACT_CLUSTER, cluster),
    DP_PART(DP_FACT_CLUSTER, fold),
    DP_PART(DP_FACT_DIGEST, digest),
    DP_PART(DP_FACT_TEXT, text),
    DP_PART(DP_FACT_DIGEST | DP_FACT_TEXT, mime),
    DP_PART(DP_FACT_SKETCH, sketch),
    DP_PART(DP_FACT_SIMHASH, simhash),
    DP_PART(DP_FACT_SIZE, size),
    DP_PART(DP_FACT_TIME, time),
    DP_PART(DP_FACT_HITS, hits),
    DP_PART(DP_FACT_IMPORTANCE, importance),
    DP_PART(DP_FACT_INLINKS, inlinks),
    DP_PART(DP_FACT_HOPS, hops),
    DP_PART(DP_FACT_SPELLING, spelling),
    DP_PART(DP_FACT_LINKED, linked),
    DP_PART(DP_FACT_RESOURCE, resource),
};

/* ---- facts --------------------------------------------------------------------------------------------------- */

enum { LENGTH = 4 /* bytes */ };

void dp_pack_fact(dp_buf *out, const dp_fact *f, uint32_t domain)
{
    uint64_t host_at = f->host.n ? (uint64_t)(f->host.p - f->url.p) : 0;
    size_t   start = out->n;
    uint32_t length = 0;
    dp_buf_add(out, (const char *)&length, LENGTH);
    dp_buf_add(out, (const char *)&domain, sizeof domain);
    dp_pack_number(out, (uint64_t)f->has * DP_FACT_KINDS + f->kind);
    dp_pack_text(out, f->url);
    dp_pack_number(out, host_at);
    dp_pack_number(out, f->host.n);
    if (f->has & DP_FACT_LINK)
        dp_pack_text(out, f->link);
    if (f->has & DP_FACT_SLOTS)
        dp_pack_text(out, f->slots);
    if (f->has & DP_FACT_CLIENT)
        dp_pack_text(out, f->clients);
    if (f->has & DP_FACT_SIZES)
        dp_pack_text(out, f->sizes);
    if (f->has & DP_FACT_TAGS)
        dp_pack_text(out, f->tags);
    if (f->kind == DP_FACT_NAMED) {
        dp_buf_byte(out, (char)f->by);
        dp_buf_add(out, (const char *)&f->from, sizeof f->from);
        dp_pack_text(out, f->from_domain);
    }
    for (size_t i = 0; i < DP_COUNT(parts); i++) {
        if (f->has & parts[i].which)
            dp_buf_add(out, (const char *)f + parts[i].at, parts[i].n);
    }
    if (out->failed)
        return;
    length = (uint32_t)(out->n - start);
    memcpy(out->p + start, &length, LENGTH);
}

static bool are_slots(dp_str bytes)
{
    for (size_t i = 0; i < bytes.n; i += sizeof(dp_slot)) {
        dp_slot s;
        if (bytes.n - i < sizeof s)
            return false;
        memcpy(&s, bytes.p + i, sizeof s);
        if (!dp_slot_is_valid(&s))
            return false;
    }
    return true;
}

static bool are_sizes(dp_str bytes)
{
    for (size_t i = 0; i < bytes.n; i += sizeof(dp_fact_size)) {
        dp_fact_size s;
        if (bytes.n - i < sizeof s)
            return false;
        memcpy(&s, bytes.p + i, sizeof s);
        if (s.size == UINT32_MAX)
            return false;
    }
    return true;
}

/* Whether all of it has values that dp_fact_make or dp_fact_named gives. */
static bool is_sound(const dp_fact *f)
{
    return f->fold < DP_FOLDS && f->size >= 0 && isfinite(f->importance) && are_slots(f->slots) &&
           f->clients.n % sizeof(uint32_t) == 0 && are_sizes(f->sizes) && f->tags.n % sizeof(dp_fact_size) == 0 &&
           (f->kind != DP_FACT_GONE || !f->has) && (f->kind != DP_FACT_FOLLOWED || f->link.n) &&
           (f->kind != DP_FACT_NAMED || f->by == DP_BY_REDIRECT || f->by == DP_BY_CANONICAL);
}

bool dp_unpack_head(dp_str *rest, dp_str *bytes, uint32_t *domain, uint32_t domains)
{
    uint32_t length;
    if (rest->n < LENGTH + sizeof *domain)
        return false;
    memcpy(&length, rest->p, LENGTH);
    if (length > rest->n || length < LENGTH + sizeof *domain)
        return false;
    memcpy(domain, rest->p + LENGTH, sizeof *domain);
    if (*domain >= domains)
        return false;
    *bytes = dp_str_cut(*rest, 0, length);
    *rest = dp_str_cut(*rest, length, rest->n);
    return true;
}

static bool copy(dp_str *rest, void *to, size_t n)
{
    if (rest->n < n)
        return false;
    memcpy(to, rest->p, n);
    *rest = dp_str_cut(*rest, n, rest->n);
    return true;
}

bool dp_unpack_fact(dp_str *rest, dp_fact *out, uint32_t *domain)
{
    dp_str   bytes;
    uint64_t word, host_at, host_n;
    dp_fact  f = {0};
    if (!dp_unpack_head(rest, &bytes, domain, UINT32_MAX))
        return false;
    bytes = dp_str_cut(bytes, LENGTH + sizeof *domain, bytes.n);
    if (!dp_unpack_number(&bytes, &word) || !dp_unpack_text(&bytes, &f.url) || !dp_unpack_number(&bytes, &host_at) ||
        !dp_unpack_number(&bytes, &host_n) || host_at > f.url.n || host_n > f.url.n - host_at)
        return false;
    if (word / DP_FACT_KINDS > DP_FACT_PARTS)
        return false;
    f.kind = (dp_fact_kind)(word % DP_FACT_KINDS);
    f.has = (uint32_t)(word / DP_FACT_KINDS);
    f.host = dp_str_cut(f.url, (size_t)host_at, (size_t)(host_at + host_n));
    if (f.has & DP_FACT_LINK && !dp_unpack_text(&bytes, &f.link))
        return false;
    if ((f.has & DP_FACT_SLOTS && !dp_unpack_text(&bytes, &f.slots)) ||
        (f.has & DP_FACT_CLIENT && !dp_unpack_text(&bytes, &f.clients)) ||
        (f.has & DP_FACT_SIZES && !dp_unpack_text(&bytes, &f.sizes)) ||
        (f.has & DP_FACT_TAGS && !dp_unpack_text(&bytes, &f.tags)))
        return false;
    if (f.kind == DP_FACT_NAMED && (!copy(&bytes, &f.by, 1) || !copy(&bytes, &f.from, sizeof f.from) ||
                                    !dp_unpack_text(&bytes, &f.from_domain)))
        return false;
    for (size_t i = 0; i < DP_COUNT(parts); i++) {
        if (f.has & parts[i].which && !copy(&bytes, (char *)&f + parts[i].at, parts[i].n))
            return false;
    }
    *out = f;
    return bytes.n == 0 && is_sound(&f);
}

void dp_pack_sum(dp_buf *out, size_t start)
{
    uint64_t sum = out->failed ? 0 : dp_hash_bytes(out->p + start, out->n - start);
    dp_buf_add(out, (const char *)&sum, sizeof sum);
}

bool dp_unpack_sum(dp_str bytes, dp_str mark, dp_str *inside)
{
    uint64_t sum;
    if (bytes.n < mark.n + sizeof sum || !dp_str_starts(bytes, mark))
        return false;
    memcpy(&sum, bytes.p + bytes.n - sizeof sum, sizeof sum);
    *inside = dp_str_cut(bytes, mark.n, bytes.n - sizeof sum);
    return dp_hash_bytes(bytes.p, bytes.n - sizeof sum) == sum;
}
