/* learn/method/proposal.h - what a learner proposes: a rule as text, where it holds, and what was counted.
 *
 *     hosts "a.com, www.a.com"    text "drop ?sid"    n 212  neg 0    by text,redirect
 *
 * The text is in the language of the rule file, so whatever a learner can say has one form, and everything behind
 * it (judge, writer, apply) is the same for all. learn/accept/learn_site.h judges and writes them in the order given:
 * line order is priority.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_METHOD_PROPOSAL_H
#define DP_LEARN_METHOD_PROPOSAL_H

#include "site/site.h"

/* By what a rule may lead to another domain (learn/accept/across.h); `across=` of rules has the names. */
typedef enum dp_across {
    DP_ACROSS_NOTHING, /* it does not */
    DP_ACROSS_COPIES,  /* the other domain shows the same pages, and nobody says which is right */
    DP_ACROSS_CANONICAL,
    DP_ACROSS_REDIRECT,
    DP_ACROSS_OWNER,   /* both have one owner */
    DP_ACROSSES
} dp_across;

const char *dp_across_name(dp_across across); /* NULL: it leads nowhere */
dp_across   dp_across_find(dp_str name);

typedef struct dp_proposal {
    dp_str   hosts;  /* the names of a host line; "" is not allowed */
    dp_str   text;   /* the rule without state and attributes; or "order any" */
    uint64_t n, neg; /* clusters (or what the method counts) for and against */
    double   p;      /* expected precision; < 0: not known */
    uint64_t save;   /* URLs it merges away; 0: not known */
    uint64_t urls;   /* of its form that were seen, all of one page; 0: pages have voted on it */
    uint32_t sites;  /* others without which it would not hold; 0: it stands on its own evidence */
    unsigned by;     /* 1 << dp_by of the evidence */
    dp_state state;  /* DP_ACTIVE or DP_LIKELY, when the method decides itself */
    bool     passes; /* the method's own test (--accept paper) */
    bool     is_order; /* it is the line "order any", which is no rule */
    dp_across across;
    dp_str   guards; /* what its pairs differ in that is often equal by accident, "lang,version"; n == 0: nothing */
    int64_t  seen;   /* time of the newest record of the site; 0: records have none */
} dp_proposal;

typedef struct dp_proposals {
    dp_proposal *v; /* [n]; malloc'd; texts in the arena the learner was given */
    size_t        n, cap;
} dp_proposals;

dp_err dp_proposals_add(dp_proposals *c, const dp_proposal *one);
void   dp_proposals_done(dp_proposals *c);

#endif
