/* SPDX-License-Identifier: Apache-2.0 */
#include "store/loglines.h"

#include <stdlib.h>

#include "base/day.h"
#include "base/room.h"
#include "base/secret.h"
#include "site/corpus.h"

enum { MOST_URLS = 1 << 30, OFTEN = 4096 /* lines */ };

/* ---- URLs --------------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const void *self, uint32_t number)
{
    const dp_loglines *t = self;
    return dp_secret_text(dp_strlist_get(&t->url, number));
}

static dp_err number_url(dp_loglines *t, dp_str url, uint32_t *number)
{
    if (t->url.n >= MOST_URLS)
        return DP_ELIMIT;
    if (!dp_index_room(&t->seen, hash_of, t))
        return DP_ENOMEM;
    dp_index_walk w = dp_index_from(&t->seen, dp_secret_text(url));
    while (dp_index_next(&w, number)) {
        if (dp_str_eq(dp_strlist_get(&t->url, *number), url))
            return DP_OK;
    }
    uint32_t i = (uint32_t)t->url.n;
    if (!DP_ROOM(t->hits, i, t->hits_cap) || !DP_ROOM(t->linked, i, t->linked_cap) ||
        !DP_ROOM(t->day, i, t->day_cap) || !DP_ROOM(t->largest, i, t->largest_cap) || !dp_strlist_add(&t->url, url))
        return DP_ENOMEM;
    t->hits[i] = t->linked[i] = t->day[i] = 0;
    t->largest[i] = UINT32_MAX;
    *number = dp_index_end(&t->seen, &w);
    return DP_OK;
}

/* ---- taking ------------------------------------------------------------------------------------------------- */

/* Whether it is a line of a log that shows a page of which nothing else is known. */
static bool is_page_of_log(const dp_fact *f)
{
    const uint32_t of_log = DP_FACT_TIME | DP_FACT_CLIENT;
    const uint32_t may = of_log | DP_FACT_SIZE | DP_FACT_SPELLING | DP_FACT_LINKED | DP_FACT_TAGS;
    return f->kind == DP_FACT_PAGE && f->has & of_log && !(f->has & ~may) && f->size < UINT32_MAX;
}

static bool is_redirect_of_log(const dp_fact *f)
{
    const uint32_t must = DP_FACT_CLIENT | DP_FACT_LINK;
    return f->kind == DP_FACT_REDIRECT && (f->has & must) == must && !(f->has & ~(must | DP_FACT_SPELLING));
}

static dp_err take_page(dp_loglines *t, const dp_fact *f)
{
    uint32_t     i, client;
    dp_fact_size tag;
    DP_TRY(number_url(t, f->url, &i));
    t->hits[i] += t->hits[i] < UINT32_MAX - 1;
    t->linked[i] += f->linked;
    t->sizes.most = DP_SIZES_KEPT;
    t->tags.most = DP_TAGS_KEPT;
    t->client.most = DP_CLIENTS_KEPT;
    if (f->has & DP_FACT_SIZE) {
        if (t->largest[i] == UINT32_MAX || f->size > t->largest[i])
            t->largest[i] = (uint32_t)f->size;
        if (!dp_counted_add(&t->sizes, i, (uint32_t)f->size))
            return DP_ENOMEM;
    }
    if (f->has & DP_FACT_TIME && f->time > 0) {
        uint32_t day = (uint32_t)(f->time / DP_DAY_SECONDS);
        t->day[i] = day > t->day[i] ? day : t->day[i];
    }
    for (size_t k = 0; k < f->tags.n; k += sizeof tag) {
        memcpy(&tag, f->tags.p + k, sizeof tag);
        if (!dp_counted_add_times(&t->tags, i, tag.size, tag.times))
            return DP_ENOMEM;
    }
    for (size_t k = 0; k < f->clients.n; k += sizeof client) {
        memcpy(&client, f->clients.p + k, sizeof client);
        if (!dp_counted_add(&t->client, i, client))
            return DP_ENOMEM;
    }
    return DP_OK;
}

static dp_err take_arrow(dp_loglines *t, dp_counted *arrows, const dp_fact *f)
{
    uint32_t from, to;
    DP_TRY(number_url(t, f->url, &from));
    DP_TRY(number_url(t, f->link, &to));
    return dp_counted_add(arrows, from, to) ? DP_OK : DP_ENOMEM;
}

static dp_err take_gone(dp_loglines *t, const dp_fact *f)
{
    uint32_t number;
    bool     fresh;
    DP_TRY(dp_ordinals_add(&t->gone, dp_fact_hash(f->url), &number, &fresh));
    return fresh ? t->put(t->ctx, f) : DP_OK;
}

/* What is held, with what merging takes for a while. */
static uint64_t bytes_of(const dp_loglines *t)
{
    uint64_t pairs = (uint64_t)t->sizes.cap + t->tags.cap + t->client.cap + t->redirect.cap + t->followed.cap;
    return t->url.text.cap + t->url.cap * sizeof *t->url.end + dp_index_bytes(&t->seen) +
           (uint64_t)t->hits_cap * sizeof *t->hits + (uint64_t)t->linked_cap * sizeof *t->linked +
           (uint64_t)t->largest_cap * sizeof *t->largest + (uint64_t)t->day_cap * sizeof *t->day +
           2 * pairs * sizeof(dp_keyed) + dp_ordinals_bytes(&t->gone);
}

dp_err dp_loglines_add(dp_loglines *t, const dp_fact *f)
{
    if (t->limit && ++t->since >= OFTEN) {
        t->since = 0;
        if (bytes_of(t) > t->limit)
            DP_TRY(dp_loglines_flush(t));
    }
    if (is_page_of_log(f))
        return take_page(t, f);
    if (is_redirect_of_log(f))
        return take_arrow(t, &t->redirect, f);
    if (f->kind == DP_FACT_FOLLOWED && !(f->has & DP_FACT_HITS))
        return take_arrow(t, &t->followed, f);
    return f->kind == DP_FACT_GONE ? take_gone(t, f) : t->put(t->ctx, f);
}

/* ---- passing on --------------------------------------------------------------------------------------------- */

static bool is_of(const dp_counted *c, size_t at, uint32_t first)
{
    return at < c->n && dp_counted_first(&c->v[at]) == first;
}

/* Where the pairs of the URL at hand begin, in each list. */
typedef struct places {
    size_t size, tag, client, redirect, followed;
} places;

/* Append the pairs of URL `i` to t->list. */
static dp_fact_size list_pairs(dp_loglines *t, const dp_counted *pairs, size_t *at, uint32_t i)
{
    dp_fact_size one = {UINT32_MAX, 0};
    for (; is_of(pairs, *at, i); ++*at) {
        one = (dp_fact_size){dp_counted_second(&pairs->v[*at]), pairs->v[*at].item};
        dp_buf_add(&t->list, (const char *)&one, sizeof one);
    }
    return one;
}

/* The page of URL `i`; the places of its pairs are moved behind them. */
static dp_err put_page(dp_loglines *t, uint32_t i, places *at)
{
    dp_fact      f = {.kind = DP_FACT_PAGE, .has = DP_FACT_HITS, .url = dp_strlist_get(&t->url, i), .hits = t->hits[i]};
    dp_buf_reset(&t->list);
    dp_fact_size one = list_pairs(t, &t->sizes, &at->size, i);
    if (one.size != t->largest[i]) { /* one that is not kept */
        one = (dp_fact_size){t->largest[i], 1};
        dp_buf_add(&t->list, (const char *)&one, sizeof one);
    }
    size_t sizes = t->list.n;
    list_pairs(t, &t->tags, &at->tag, i);
    size_t tags = t->list.n;
    for (; is_of(&t->client, at->client, i); at->client++) {
        uint32_t hash = dp_counted_second(&t->client.v[at->client]);
        dp_buf_add(&t->list, (const char *)&hash, sizeof hash);
    }
    if (t->list.failed)
        return DP_ENOMEM;
    f.host = dp_fact_host(f.url);
    f.sizes = dp_str_cut(dp_buf_view(&t->list), 0, sizes);
    f.tags = dp_str_cut(dp_buf_view(&t->list), sizes, tags);
    f.clients = dp_str_cut(dp_buf_view(&t->list), tags, t->list.n);
    f.linked = t->linked[i];
    f.time = (int64_t)t->day[i] * DP_DAY_SECONDS;
    f.has |= (f.sizes.n ? DP_FACT_SIZES : 0u) | (f.tags.n ? DP_FACT_TAGS : 0u) | (f.clients.n ? DP_FACT_CLIENT : 0u) |
             (f.linked ? DP_FACT_LINKED : 0u) | (t->day[i] ? DP_FACT_TIME : 0u);
    return t->hits[i] ? t->put(t->ctx, &f) : DP_OK;
}

static dp_err put_arrows(dp_loglines *t, const dp_counted *arrows, dp_fact_kind kind, uint32_t i, size_t *at)
{
    dp_fact f = {.kind = kind, .has = DP_FACT_LINK | DP_FACT_HITS, .url = dp_strlist_get(&t->url, i)};
    f.host = dp_fact_host(f.url);
    for (; is_of(arrows, *at, i); ++*at) {
        f.link = dp_strlist_get(&t->url, dp_counted_second(&arrows->v[*at]));
        f.hits = arrows->v[*at].item;
        DP_TRY(t->put(t->ctx, &f));
    }
    return DP_OK;
}

dp_err dp_loglines_flush(dp_loglines *t)
{
    dp_err code = DP_OK;
    places at = {0};
    if (!dp_counted_merge(&t->sizes) || !dp_counted_merge(&t->tags) || !dp_counted_merge(&t->client) ||
        !dp_counted_merge(&t->redirect) || !dp_counted_merge(&t->followed))
        code = DP_ENOMEM;
    for (uint32_t i = 0; code == DP_OK && i < t->url.n; i++) {
        code = put_page(t, i, &at);
        if (code == DP_OK)
            code = put_arrows(t, &t->redirect, DP_FACT_REDIRECT, i, &at.redirect);
        if (code == DP_OK)
            code = put_arrows(t, &t->followed, DP_FACT_FOLLOWED, i, &at.followed);
    }
    dp_loglines rest = {.put = t->put, .ctx = t->ctx, .limit = t->limit};
    dp_loglines_done(t);
    *t = rest;
    return code;
}

void dp_loglines_done(dp_loglines *t)
{
    dp_strlist_done(&t->url);
    dp_index_done(&t->seen);
    free(t->hits);
    free(t->largest);
    free(t->day);
    free(t->linked);
    dp_counted_done(&t->sizes);
    dp_counted_done(&t->tags);
    dp_counted_done(&t->followed);
    dp_counted_done(&t->client);
    dp_counted_done(&t->redirect);
    dp_ordinals_done(&t->gone);
    dp_buf_done(&t->list);
    *t = (dp_loglines){0};
}
