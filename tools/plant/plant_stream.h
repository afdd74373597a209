/* plant/plant_stream.h - all URLs of a set, one after the other, without holding them.
 *
 *     hosts by Zipf  ->  contents by size  ->  URLs, none twice in a content  ->  window that mixes (--crawl)  ->  sink
 *
 * Memory: one host (with --crawl, up to 256 of them and the window), whatever the number of URLs.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_PLANT_STREAM_H
#define DP_PLANT_STREAM_H

#include "plant_url.h"

typedef struct plant_item {
    uint64_t host;          /* number */
    uint64_t page, content; /* ids */
    uint64_t size;
    uint64_t hash;          /* of the URL, for noise and jitter */
    uint16_t n, path;       /* bytes of the URL; where its path begins */
    char     url[PLANT_URL_MAX];
} plant_item;

typedef dp_err (*plant_sink)(void *ctx, const plant_item *item);

/* Which URLs of the sites: those of the set, or others with values that the set has not. */
typedef struct plant_draw {
    uint64_t urls;  /* 0: the set itself */
    uint64_t seed;
} plant_draw;

/* Give all URLs to `sink`, which may stop it with an error. */
dp_err plant_stream(const plant_options *o, plant_draw draw, plant_sink sink, void *ctx);

/* Hosts one after the other, with the number of URLs each has in the set and in `urls` others. */
typedef struct plant_hosts {
    const plant_options *o;
    uint64_t             next, urls, given, given_fresh;
    double               total, sum;
} plant_hosts;

void plant_hosts_open(plant_hosts *s, const plant_options *o, uint64_t urls);

/* Make the next host that has URLs; false after the last, or with `*code` not DP_OK when memory is out. */
bool plant_hosts_next(plant_hosts *s, plant_host *h, uint64_t *fresh, dp_err *code);

/* The URL as an item. */
void plant_item_set(plant_item *it, const plant_page *p, plant_style s, dp_rng *r);

#endif
