/* output/visitors.h - clients that are not what their user agents say, as far as a log alone can tell.
 *
 *     client  agent            what it asked for                          counts as
 *     7       Mozilla/5.0 ...  20 pages, no picture, script, style or     from the 21st on: behave like crawlers
 *                              link followed, on a site where others do
 *     8       Googlebot, then bingbot                                     from the second on: several crawlers' names
 *
 * One pass: what came before a client gave itself away stays where it was. A client is known by a hash that nobody else
 * can tell (base/secret.h); its address is written nowhere. Without clients, or on a site where hardly anybody follows
 * a link, agents are believed.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_OUTPUT_VISITORS_H
#define DP_OUTPUT_VISITORS_H

#include "base/ordinal.h"
#include "input/record.h"

typedef struct dp_visitor {
    uint32_t pages;   /* asked for as a browser, while nothing showed that it is one */
    uint32_t crawler; /* the name that it gave; UINT32_MAX: none so far */
    bool     browses; /* it followed a link, or loaded what belongs to a page */
    bool     several; /* it gave the names of two crawlers */
} dp_visitor;

/* A zeroed one is valid and empty. */
typedef struct dp_visitors {
    dp_ordinals client;
    dp_visitor *v;      /* [client.n] */
    uint32_t    cap;
    uint64_t    linked; /* requests that name the page that led there */
} dp_visitors;

void dp_visitors_done(dp_visitors *s);

/* The crawler that the record counts for, when its agent alone says `*crawler` (output/crawler.h). DP_ENOMEM,
 * DP_ELIMIT. */
dp_err dp_visitors_look(dp_visitors *s, const dp_record *rec, uint32_t *crawler);

#endif
