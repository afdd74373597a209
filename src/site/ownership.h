/* site/ownership.h - who owns a domain, as somebody has said.
 *
 *     shop.example  shop.de  shop-mirror.net      one owner; the first name leads
 *     news.example, news.org                      another one
 *
 * Whoever is in no line owns one registrable domain (url/host.h). Of domains of one owner one speaks for the other;
 * what others say, or show, says nothing about a domain. Read by site/corpus.h, site/lead.h and learn/accept/across.h.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SITE_OWNERSHIP_H
#define DP_SITE_OWNERSHIP_H

#include "base/err.h"
#include "base/intern.h"
#include "base/words/strlist.h"

/* A zeroed one is valid: nobody has more than one domain. */
typedef struct dp_ownership {
    dp_strlist name;   /* domains, in the order in which they were given */
    uint32_t  *first;  /* [name.n] the number of the first one of the same owner */
    uint32_t   cap;
    dp_intern  number; /* of names */
} dp_ownership;

/* Lines of domains, divided by white space or commas; # begins a comment. `name` is for messages. DP_ESYNTAX: a word is
 * not a host, or a domain has two owners; DP_ENOMEM. */
dp_err dp_ownership_read(dp_ownership *o, dp_str text, const char *name, dp_error *err);
void   dp_ownership_done(dp_ownership *o);

/* The domain that leads those of the owner of `domain`, a registrable one: itself for most. */
dp_str dp_ownership_lead(const dp_ownership *o, dp_str domain);

/* Whether all of `n` domains have one owner. */
bool dp_ownership_are_one(const dp_ownership *o, const dp_str *domain, size_t n);

/* Of two different domains of one owner: whether the first leads the second. */
bool dp_ownership_prefer(const dp_ownership *o, dp_str domain, dp_str other);

#endif
