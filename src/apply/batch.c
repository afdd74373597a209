/* Many URLs at once: the same answers, with the memory of many hosts fetched ahead.
 *
 *     window of 16:   find host, hash, prefetch its slot
 *                     read the slot, prefetch name and program
 *                     run each
 *
 * A program that lies in no cache costs several dependent misses of some 100 ns; sixteen at
 * a time they overlap. Tables that fit in a cache are not worth the second look at the host.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "apply/engine.h"
#include "apply/hash.h"
#include "url/chars.h"

enum { WINDOW = 16, LARGE_TABLE = 1 << 14 /* slots */ };

/* The host of a URL in stage-0 form; a guess that costs nothing when it is wrong. */
static dp_str guess_host(dp_str url)
{
    size_t at = 0;
    if (url.n > 8 && url.p[0] == 'h')
        at = url.p[4] == ':' ? 7 : url.p[5] == ':' ? 8 : 0;
    size_t end = at;
    while (end < url.n && dp_is(url.p[end], DP_CH_HOST))
        end++;
    return dp_str_cut(url, at, end);
}

static void prefetch(const dp_image *im, const dp_str *url, size_t n)
{
    uint64_t hash[WINDOW];
    for (size_t i = 0; i < n; i++) {
        hash[i] = dp_hash_host(guess_host(url[i]), DP_HOST_ANY_PORT);
        __builtin_prefetch(&im->host[hash[i] & im->host_mask]);
    }
    for (size_t i = 0; i < n; i++) {
        const dp_im_host *h = &im->host[hash[i] & im->host_mask];
        if (h->layer == DP_NONE)
            continue;
        const char *layer = (const char *)dp_im_layer_at(im, h->layer);
        __builtin_prefetch(im->text + h->name.at);
        __builtin_prefetch(layer);
        __builtin_prefetch(layer + 64);
        __builtin_prefetch(layer + 128);
    }
}

static uint8_t flags_of(const dp_scratch *s, dp_str url, dp_str answer)
{
    return (uint8_t)((s->is_url ? DP_IS_URL : 0) | (s->nfired && !s->hit_limit ? DP_FIRED : 0) |
                     (s->hit_limit ? DP_HIT_LIMIT : 0) | (answer.p != url.p && !dp_str_eq(answer, url) ? DP_CHANGED : 0));
}

size_t dp_apply_batch(const dp_engine *e, dp_scratch *s, dp_form form, const char *urls, const uint64_t *at, size_t count,
                      size_t gap, char *out, size_t cap, uint64_t *ends, uint8_t *flags)
{
    bool     large = e->im.host_mask >= LARGE_TABLE;
    uint64_t w = 0;
    for (size_t first = 0; first < count; first += WINDOW) {
        dp_str url[WINDOW];
        size_t n = count - first < WINDOW ? count - first : WINDOW;
        for (size_t i = 0; i < n; i++)
            url[i] = (dp_str){urls + at[first + i], at[first + i + 1] - at[first + i] - gap};
        if (large)
            prefetch(&e->im, url, n);
        for (size_t i = 0; i < n; i++) {
            dp_str answer = dp_engine_run(e, s, form, url[i], NULL, NULL);
            if (s->failed)
                return (size_t)-1;
            if (answer.n + gap > cap - w)
                return first + i;
            memcpy(out + w, answer.p, answer.n);
            w += answer.n;
            ends[first + i] = w;
            memset(out + w, '\n', gap);
            w += gap;
            if (flags)
                flags[first + i] = flags_of(s, url[i], answer);
        }
    }
    return count;
}
