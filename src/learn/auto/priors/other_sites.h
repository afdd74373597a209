/* learn/auto/priors/other_sites.h - what other sites say of a parameter: a prior for sites that are too small to judge
 * it.
 *
 *     a.com   ?utm_*   40 : 0   odds 41  ┐
 *     b.org   ?utm_*    3 : 0   odds  4  ├─►  ?utm_*   sites by odds  ─►  chance that it holds on c.net
 *     b.org   ?id       0 : 9   odds  0  ┘
 *
 * Each site judges the parameters that its URLs have, whether its own clusters propose to drop them or not: a name that
 * matters is proposed by nobody. Odds say how many times likelier the votes are if dropping the name is right there and
 * disagreement is noise than if it is right in any share of cases. With q the share of sites on which the name may be
 * dropped, Beta(1/2, 1/2) before anything is heard,
 *
 *     chance on one more site = E[q]   under a density in proportion to   q^-1/2 (1-q)^-1/2  Π (q odds + 1 - q)
 *
 * A table is a plain array of bytes that can be added and sent about. It holds the names that most sites speak of; a
 * name that is pushed out is not known any more, and then nobody speaks for it.
 *
 * Invariants:
 *   - What a site says depends on its URLs and clusters alone: the same can be left out of the sum again.
 *   - Odds are rounded down, and at most DP_OTHER_SITES_SITES sites count.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_PRIORS_OTHER_SITES_H
#define DP_LEARN_AUTO_PRIORS_OTHER_SITES_H

#include "base/pool.h"
#include "learn/auto/forms/forms.h"
#include "learn/auto/forms/idea.h"

enum {
    DP_OTHER_SITES_NAMES = 256,
    DP_OTHER_SITES_ODDS = 7,  /* classes; see other_sites.c */
    DP_OTHER_SITES_STEPS = 64, /* of q */
    DP_KNOWN_PARAMS = 32
};

typedef struct dp_param_odds {
    uint64_t name;                   /* hash of "?sid", "?utm_*", ";sid" */
    uint16_t sites[DP_OTHER_SITES_ODDS]; /* by what they say */
    uint16_t by;                     /* 1 << dp_by of their evidence */
} dp_param_odds;

typedef struct dp_other_sites {
    uint32_t      n, unused;
    dp_param_odds v[DP_OTHER_SITES_NAMES]; /* [n] in the order in which they were first heard */
} dp_other_sites;

/* What is said of one name. */
typedef struct dp_opinion {
    double   chance; /* that it may be dropped on one more site; 0: nobody has said anything */
    uint32_t sites;  /* that speak for it */
    uint32_t by;
} dp_opinion;

/* q at each step, and the logarithm of q odds + 1 - q: the same for all names. */
typedef struct dp_odds {
    double q[DP_OTHER_SITES_STEPS], log[DP_OTHER_SITES_STEPS][DP_OTHER_SITES_ODDS];
} dp_odds;

void       dp_odds_init(dp_odds *o);
dp_opinion dp_other_sites_opinion(const dp_other_sites *h, const dp_odds *o, uint64_t name);

/* Add to `h` what another table says. */
void dp_other_sites_add(dp_other_sites *h, const dp_other_sites *one);

/* Sites that are one voter have been added up: let them have one vote on each name, that of the one in the middle. */
void dp_other_sites_unite(dp_other_sites *h);

/* Take out of `h` what was added as `own`. */
void dp_other_sites_leave_out(dp_other_sites *h, const dp_other_sites *own);

/* Count one site that has so many votes for dropping a name and so many against. */
void dp_other_sites_count(dp_other_sites *h, dp_str name, double pos, double neg, uint32_t by);

/* Add what a rule file says: each `drop NAMES` of `host any` as so many sites as its attributes `sites` (for, with n
 * votes together, one each where there is no n) and `against` count. Rules without them say nothing: somebody has
 * written them down. DP_ENOMEM. */
dp_err dp_other_sites_read(dp_other_sites *h, const dp_rules *pack);

/* What forms say of their parameters. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_other_sites_of_forms(dp_other_sites *out, const dp_forms *f, dp_pool *pool);

/* What the site says of its own, by DP_SURVEYED of its URLs. `singletons` as of dp_forms_init. */
dp_err dp_other_sites_survey(dp_other_sites *out, const dp_site *s, bool singletons, dp_pool *pool);

/* The parameters of one site of which others speak well. */
typedef struct dp_known_params {
    size_t n;
    struct {
        uint64_t   name;
        dp_opinion said;  /* by all */
        dp_opinion given; /* by the pack alone, where somebody has asked for it */
    } v[DP_KNOWN_PARAMS]; /* [n] the most frequent ones of the site first */
} dp_known_params;

/* Who speaks to a site. */
typedef struct dp_prior_sources {
    const dp_other_sites *others; /* the sum of all sites; may be NULL */
    const dp_other_sites *own;    /* what dp_other_sites_survey says of the site itself; NULL: not known yet */
    const dp_other_sites *pack;   /* may be NULL */
    bool                  asked;  /* somebody has asked for this pack: it speaks for whoever did */
} dp_prior_sources;

/* What others say without the site itself, and the pack. Of a site that is several domains others say nothing: each has
 * spoken, and they are one. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_other_sites_ask(dp_known_params *out, const dp_site *s, const dp_prior_sources *v, bool singletons,
                          dp_pool *pool);

/* Propose to drop those that some form has; such an idea has a prior. DP_ENOMEM. */
dp_err dp_other_sites_propose(dp_ideas *out, const dp_known_params *h, const dp_forms *f);

#endif
