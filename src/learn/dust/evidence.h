/* learn/dust/evidence.h - who and what speaks for a rule: hosts, kinds of evidence, clients of a log.
 *
 *     rule 0    instances  (x, y) similar     by size    on a.com           only client 7 asked for x
 *                          (x, y) similar     by size    on a.com           several asked for both
 *                          (x, y) differ      neg, also in envelopes that are too large to count for the rule
 *
 * An instance is supplied by a client when it would not be there without: the client is the only one who asked for x,
 * the URL with α (or, when x is everybody's, for y). One client may not supply more than a third of a rule's
 * evidence: what it supplies beyond that is not counted. A crawler that invents URLs, or one visitor with a habit,
 * does not make a rule. A log in which all requests come from one address says nothing of clients.
 *
 * For the files dust_*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DUST_EVIDENCE_H
#define DP_LEARN_DUST_EVIDENCE_H

#include "base/keyed.h"
#include "learn/dust/dust.h"
#include "site/site.h"

typedef struct dp_dust_tally {
    uint64_t similar, neg;
    uint64_t n;     /* similar ones that count */
    unsigned by;    /* 1 << dp_by of each kind that said so */
    dp_str   hosts; /* of its instances, sorted, as in a host line */
} dp_dust_tally;

/* Pairs of a rule and a host, or of a rule and the client that supplied an instance. */
typedef struct dp_dust_votes {
    dp_keyed *v; /* [n] key: rule, then host or client */
    size_t    n, cap;
} dp_dust_votes;

typedef struct dp_dust_evidence {
    const dp_site         *site;
    const dp_dust_options *o;
    dp_dust_tally         *v;    /* [n] a rule */
    uint32_t              *last; /* [n] host + 1 that was noted last for a rule */
    size_t                 n;
    uint32_t              *host; /* [site->n] */
    dp_str                *name; /* [nhost] of hosts */
    size_t                 nhost;
    bool                   many_clients;
    dp_dust_votes          hosts, clients;
} dp_dust_evidence;

/* For rules numbered below `n`. DP_ENOMEM. */
dp_err dp_dust_evidence_init(dp_dust_evidence *e, const dp_site *s, const dp_dust_options *o, size_t n);
void   dp_dust_evidence_done(dp_dust_evidence *e);

/* A dp_dust_on_instance; `self` is the evidence, URLs are numbered as in the site. */
dp_err dp_dust_evidence_add(void *self, size_t rule, size_t x, size_t y, bool similar);

/* The same, of those that are similar alone. */
dp_err dp_dust_evidence_add_similar(void *self, size_t rule, size_t x, size_t y, bool similar);

/* Whether clients are told apart: behind a proxy, a log has but one. */
bool dp_dust_has_clients(const dp_site *s);

/* After the last one: fill `n` and `hosts`; their texts are in `a`. DP_ENOMEM. */
dp_err dp_dust_evidence_sum(dp_dust_evidence *e, dp_arena *a);

/* The largest n of which no client supplies more than a third, when `alone` instances have no supplier and client i
 * supplies supplied[i]. */
uint64_t dp_dust_evidence_cap(uint64_t alone, const uint64_t *supplied, size_t n);

#endif
