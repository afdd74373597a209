/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/sample/sample_part.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/ordinal.h"
#include "base/room.h"
#include "learn/sample/url_outline.h"
#include "site/part.h"

enum {
    MOST_KEYS = 12, /* of a URL */
    MOST_ALIKE = 8  /* URLs beyond the drawn ones that one key may bring */
};

/* Hashes of a URL with something left out: what rules of the common kinds would make of it. */
typedef struct keys {
    uint64_t v[MOST_KEYS];
    size_t   n;
} keys;

typedef struct drawing {
    const dp_site *site;
    uint64_t       least; /* hashes from here on are not drawn */
    uint8_t       *drawn; /* [nclusters] */
    uint8_t       *in;    /* [site->n] */
    dp_ordinals    key;   /* of drawn URLs */
    uint8_t       *more;  /* [key.n] URLs that it brought */
    size_t         cap;
} drawing;

static void read_keys(keys *out, dp_str url)
{
    uint64_t   sum = 0, pair, of[MOST_KEYS];
    size_t     n = 0;
    dp_outline o;
    dp_str     name;
    dp_outline_open(&o, url);
    while (dp_outline_next(&o, &pair, &name)) {
        sum += pair;
        if (n < MOST_KEYS - 2)
            of[n++] = pair;
    }
    out->n = 0;
    out->v[out->n++] = o.path + sum;
    out->v[out->n++] = o.last + sum;
    for (size_t i = 0; i < n; i++)
        out->v[out->n++] = o.path + sum - of[i];
}

static bool add_key(drawing *d, uint64_t key)
{
    uint32_t i;
    bool     fresh;
    if (!DP_ROOM(d->more, d->key.n, d->cap) || dp_ordinals_add(&d->key, key, &i, &fresh))
        return false;
    if (fresh)
        d->more[i] = 0;
    return true;
}

/* Clusters by the hash of their first URL; URLs of which nothing is known by their own. */
static bool draw(drawing *d)
{
    const dp_site *s = d->site;
    uint32_t       next = 0;
    keys           k;
    for (size_t u = 0; u < s->n; u++) {
        uint32_t c = s->cluster[u];
        if (c == DP_NO_CLUSTER) {
            d->in[u] = dp_hash_str(s->url[u]) < d->least;
            continue;
        }
        if (c == next) {
            d->drawn[c] = dp_hash_str(s->url[u]) < d->least;
            next++;
        }
        d->in[u] = d->drawn[c];
        if (!d->in[u])
            continue;
        read_keys(&k, s->url[u]);
        for (size_t i = 0; i < k.n; i++)
            if (!add_key(d, k.v[i]))
                return false;
    }
    return true;
}

static void add_colliders(drawing *d)
{
    const dp_site *s = d->site;
    keys           k;
    for (size_t u = 0; u < s->n && d->key.n; u++) {
        if (d->in[u] || s->cluster[u] == DP_NO_CLUSTER)
            continue;
        read_keys(&k, s->url[u]);
        for (size_t i = 0; i < k.n && !d->in[u]; i++) {
            uint32_t at;
            if (dp_ordinals_find(&d->key, k.v[i], &at) && d->more[at] < MOST_ALIKE) {
                d->more[at]++;
                d->in[u] = 1;
            }
        }
    }
}

/* The part that is in, out of what was drawn; `*out` is the drawing, for the caller to end. */
static dp_err make(dp_site *part, drawing *out, const dp_site *s, size_t urls, dp_arena *a)
{
    drawing d = {.site = s, .least = urls >= s->n ? UINT64_MAX : UINT64_MAX / s->n * urls};
    d.drawn = calloc((size_t)s->nclusters + 1, 1);
    d.in = calloc(s->n + 1, 1);
    dp_err code = d.drawn && d.in && draw(&d) ? DP_OK : DP_ENOMEM;
    if (code == DP_OK) {
        add_colliders(&d);
        code = dp_site_part(part, s, d.in, a);
    }
    *out = d;
    return code;
}

static void end(drawing *d)
{
    free(d->drawn);
    free(d->in);
    free(d->more);
    dp_ordinals_done(&d->key);
}

dp_err dp_sample_part(dp_site *out, const dp_site *s, size_t urls, dp_arena *a)
{
    drawing d;
    dp_err  code = make(out, &d, s, urls, a);
    end(&d);
    return code;
}

dp_err dp_sample_part_held_out(dp_site *out, const dp_site *s, size_t urls, dp_arena *a)
{
    drawing  d;
    dp_err   code = make(out, &d, s, urls, a);
    uint8_t *fold = code == DP_OK ? DP_NEWS(a, out->nclusters + 1, uint8_t) : NULL;
    if (code == DP_OK && !fold)
        code = DP_ENOMEM;
    for (size_t u = 0, n = 0; code == DP_OK && u < s->n; u++) {
        uint32_t c = s->cluster[u];
        if (!d.in[u] || c == DP_NO_CLUSTER) {
            n += d.in[u];
            continue;
        }
        fold[out->cluster[n++]] = s->fold[c] == DP_REPORT_FOLD && !d.drawn[c] ? DP_ONLOOKERS : s->fold[c];
    }
    out->fold = fold;
    end(&d);
    return code;
}
