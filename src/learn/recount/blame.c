/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/recount/blame.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"

static bool push(dp_blame *b, const dp_hop *hop)
{
    if (!DP_ROOM(b->v, b->n, b->cap))
        return false;
    b->v[b->n++] = *hop;
    return true;
}

static bool follow(void *ctx, uint32_t rule, dp_str text)
{
    dp_blame *b = ctx;
    dp_hop    hop = b->v[b->n - 1];
    hop.text = dp_hash_str(text);
    hop.rule = rule;
    hop.step++;
    b->failed |= !push(b, &hop);
    return !b->failed;
}

static int by_text(const void *a, const void *b)
{
    const dp_hop *x = a, *y = b;
    if (x->text != y->text)
        return x->text < y->text ? -1 : 1;
    if (x->url != y->url)
        return x->url < y->url ? -1 : 1;
    return (x->step > y->step) - (x->step < y->step);
}

/* The hops of all URLs, by their text, and where clusters meet. */
static dp_err walk(dp_blame *b, const dp_site *s, const uint32_t *url, size_t n)
{
    b->n = 0;
    for (uint32_t i = 0; i < n; i++) {
        dp_str text = s->url[url[i]];
        if (!push(b, &(dp_hop){.text = dp_hash_str(text), .url = i}) ||
            !dp_engine_run(b->engine, b->scratch, DP_KEY, text, follow, b).p || b->failed)
            return DP_ENOMEM;
    }
    qsort(b->v, b->n, sizeof *b->v, by_text);
    for (size_t i = 0, j; i < b->n; i = j) {
        bool met = false;
        for (j = i; j < b->n && b->v[j].text == b->v[i].text; j++)
            met |= s->cluster[url[b->v[j].url]] != s->cluster[url[b->v[i].url]];
        for (size_t k = i; k < j; k++)
            b->v[k].met = met;
    }
    return DP_OK;
}

/* The first hop of each URL at which it meets another cluster; NULL: none. */
static void first_meetings(const dp_blame *b, const dp_hop **first, size_t n)
{
    memset(first, 0, n * sizeof *first);
    for (size_t i = 0; i < b->n; i++) {
        const dp_hop *hop = &b->v[i], **best = &first[hop->url];
        if (hop->met && (!*best || hop->step < (*best)->step))
            *best = hop;
    }
}

/* Who came to where a URL was from the beginning: the first hop with that text of a URL that was moved. */
static const dp_hop *comer(const dp_blame *b, const dp_hop *hop)
{
    const dp_hop *end = b->v + b->n;
    while (hop > b->v && hop[-1].text == hop->text)
        hop--;
    for (uint64_t text = hop->text; hop < end && hop->text == text; hop++) {
        if (hop->step)
            return hop;
    }
    return NULL;
}

typedef struct member {
    uint32_t cluster, url;
} member;

static int by_cluster(const void *a, const void *b)
{
    const member *x = a, *y = b;
    if (x->cluster != y->cluster)
        return x->cluster < y->cluster ? -1 : 1;
    return (x->url > y->url) - (x->url < y->url);
}

dp_err dp_blame_group(dp_blame *b, const dp_site *s, const uint32_t *url, size_t n, uint32_t main,
                      void (*guilty)(void *ctx, uint32_t rule), void *ctx)
{
    const dp_hop **first = malloc(n * sizeof *first);
    member        *of = malloc(n * sizeof *of);
    dp_err         code = first && of ? walk(b, s, url, n) : DP_ENOMEM;
    if (code == DP_OK) {
        first_meetings(b, first, n);
        for (uint32_t i = 0; i < n; i++)
            of[i] = (member){s->cluster[url[i]], i};
        qsort(of, n, sizeof *of, by_cluster);
    }
    for (size_t i = 0, j; i < n && code == DP_OK; i = j) {
        const dp_hop *hop = NULL;
        for (j = i; j < n && of[j].cluster == of[i].cluster; j++) {
            const dp_hop *one = first[of[j].url];
            hop = one && (!hop || one->step < hop->step) ? one : hop;
        }
        if (hop && !hop->step)
            hop = comer(b, hop);
        if (hop && of[i].cluster != main)
            guilty(ctx, hop->rule);
    }
    free(first);
    free(of);
    return code;
}

void dp_blame_done(dp_blame *b)
{
    free(b->v);
    b->v = NULL;
    b->n = b->cap = 0;
}
