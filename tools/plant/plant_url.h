/* plant/plant_url.h - pages and the URLs that show them.
 *
 *     page (part, j, d)  --form, decorations, random values-->  http://www.kalomi.com/dp/B07?sid=3fa
 *
 * Two URLs of a page have one key under the planted rules; two pages never have. Several pages may show one
 * content: soft errors, varieties that are equal today.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_PLANT_URL_H
#define DP_PLANT_URL_H

#include "base/rng.h"
#include "plant_host.h"

enum { PLANT_URL_MAX = 512 };

typedef struct plant_page {
    const plant_host *host;
    const plant_part *part;
    uint64_t          j;       /* item */
    unsigned          d;       /* variety */
    uint64_t          shown;   /* item as a number that looks random; no two are equal */
    uint64_t          hash;    /* of the item */
    uint64_t          id;      /* of the page */
    uint64_t          content; /* what it shows */
} plant_page;

/* How one URL is written. */
typedef struct plant_style {
    unsigned form;
    bool     alias;
    unsigned drops; /* bit i: parameter i of the host's that do not matter */
    bool     first; /* they stand before the others */
} plant_style;

plant_page  plant_page_make(const plant_host *h, const plant_part *p, uint64_t number);
plant_style plant_style_draw(const plant_page *p, dp_rng *r);

/* Write a URL of the page, at most PLANT_URL_MAX bytes, and return its length; random values come from `r`. */
size_t plant_url(char *to, const plant_page *p, plant_style s, dp_rng *r);

/* Size in bytes of what the page shows. */
uint64_t plant_page_size(const plant_page *p);

#endif
