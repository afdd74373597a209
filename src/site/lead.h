/* site/lead.h - the domains of a site, and which of two stands for the other.
 *
 *     old.com ── 40 of its URLs lead to ──► new.com           new.com leads: rules go from old.com to new.com
 *     new.com ── 1 leads to ──────────────► old.com
 *
 * Across domains the shorter name says nothing, and what one says of itself neither: the one that the other names leads
 * (by redirects and rel=canonical of its own pages). Of one owner (site/ownership.h) the one that was put first. Where
 * neither names the other, the one with more pages; of equally many the first by name, whatever its length.
 *
 * Only what the two say of each other counts, so that nobody else can turn it round.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SITE_LEAD_H
#define DP_SITE_LEAD_H

#include "site/counted.h"
#include "site/ownership.h"
#include "site/site.h"

/* A zeroed one is valid, and knows no domain. */
typedef struct dp_lead {
    const dp_ownership *owners;
    uint32_t        *domain_of; /* [URLs of the site] */
    dp_str          *domain;    /* [ndomain] registrable ones, in the order of their first URL; views into URLs */
    uint32_t         ndomain, cap;
    dp_intern        number;    /* of domains */
    uint32_t        *crawled;   /* [ndomain] URLs with a record of their own */
    dp_counted       names;     /* two domains, and how often URLs of the first name URLs of the second */
} dp_lead;

/* DP_ENOMEM; dp_lead_done also then. */
dp_err dp_lead_init(dp_lead *l, const dp_site *s, const dp_ownership *o);
void   dp_lead_done(dp_lead *l);

/* The number of the domain of a host; UINT32_MAX: it is none of the site's. */
uint32_t dp_lead_find(const dp_lead *l, dp_str host);

bool dp_lead_one_owner(const dp_lead *l, uint32_t x, uint32_t y);

/* Above 0: y leads x. Below: x leads y. 0: they are the same, or one is not known. */
int dp_lead_compare(const dp_lead *l, uint32_t x, uint32_t y);

#endif
