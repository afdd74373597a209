/* learn/auto/forms/idea.h - rules that might hold, each once, with who proposed it.
 *
 *     text "drop ?sid"      tier 1   family PARAM    proposed by 12 clusters of 7 folds
 *
 * A candidate is text in the language of the rule file: one rule, or two that only make sense together. What it does
 * is what the engine does with that text; there is no second meaning to keep in step.
 *
 * Tiers, gentle first (a harsh rule accepted early hides what a gentle one would have explained): see dp_tier.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_FORMS_IDEA_H
#define DP_LEARN_AUTO_FORMS_IDEA_H

#include "base/arena.h"
#include "base/err.h"
#include "base/index.h"

typedef enum dp_tier {
    DP_TIER_FORM,     /* scheme, www, order, case, delimiters, index file, slash */
    DP_TIER_PARAM,    /* one parameter dropped */
    DP_TIER_LITERAL,  /* literal parts exchanged; hosts; templates with references */
    DP_TIER_FORGET,   /* a component of any value dropped or masked; several parameters */
    DP_TIER_MASK,     /* a star written: what has one is matched by no capture, so nothing gentler may come behind */
    DP_TIERS
} dp_tier;

/* Kinds of rules of which one tells something about the next: each has its prior (learn/auto/vote/trust.h). */
typedef enum dp_family {
    DP_FAMILY_HOST,
    DP_FAMILY_ORDER,
    DP_FAMILY_CASE,
    DP_FAMILY_INDEX,    /* literal last component */
    DP_FAMILY_PARAM,    /* of any value */
    DP_FAMILY_VALUE,    /* of one value */
    DP_FAMILY_PARAMS,   /* several */
    DP_FAMILY_BLOCK,    /* components exchanged for components */
    DP_FAMILY_AFFIX,    /* inside a component */
    DP_FAMILY_TEMPLATE,
    DP_FAMILY_LOSSY,    /* template of which something is of any value, and forgotten */
    DP_FAMILY_FORGET,   /* component */
    DP_FAMILY_JOINT,
    DP_FAMILY_AGAIN,    /* a value that says again what another says */
    DP_FAMILIES
} dp_family;

typedef struct dp_idea {
    dp_str    text[2];  /* the second has n == 0 for most */
    dp_str    hosts;    /* it is tried on these alone, as a host line names them; n == 0: on all */
    uint8_t   tier, family;
    uint8_t   depth;    /* how often it was specialised from a candidate that failed */
    double    owed;     /* votes against it that chose its exceptions (learn/auto/confine/context.h) */
    double    paid;     /* votes for it that chose the values of its conditions */
    bool      doubted;  /* it was specialised from one that votes spoke against */
    bool      again;    /* it drops what is dropped elsewhere on the site, whose pages have shown its values */
    bool      second;   /* it drops a value of a name of which another is dropped already */
    uint32_t  of;       /* number of the idea it was specialised from, among those of its round */
    uint32_t  folds;    /* bits: of clusters that proposed it */
    uint32_t  clusters; /* that proposed it */
    uint32_t  last;     /* the last of them */
    uint32_t  drawn;    /* values of its form that show one page (learn/auto/propose/sink.h); 0: pages vote on it */
    double prior; /* chance that it is valid by what other sites say (learn/auto/priors/other_sites.h); 0: not known */
    double    kin;      /* the same by what holds elsewhere on the site (learn/auto/propose/mirror.h); 0: not known */
    double    given;    /* the same by the pack that somebody has asked for, alone */
    uint32_t  sites, given_sites; /* that say so */
    uint32_t  by;       /* 1 << dp_by of their evidence */
    uint64_t  hash;     /* of its texts and hosts, from when it was added on */
} dp_idea;

typedef struct dp_ideas {
    dp_idea *v; /* [n] */
    size_t   n, cap;
    dp_index index; /* by the hash of the text */
    dp_arena arena;
    bool     failed; /* memory was out: add freely, look once */
} dp_ideas;

/* Who proposes: a cluster and its fold. */
typedef struct dp_proposer {
    uint32_t cluster, fold;
} dp_proposer;

void dp_ideas_done(dp_ideas *c);

/* Add one, or count the proposer to the one that is there; it is returned, NULL when memory is out. Texts and hosts
 * are copied. */
dp_idea *dp_ideas_add(dp_ideas *c, const dp_idea *one, dp_proposer by);

#define DP_NO_IDEA UINT32_MAX

/* Leave only [0, n), whatever order they were brought to, and give back the memory of the others. DP_ENOMEM. */
dp_err dp_ideas_cut(dp_ideas *c, size_t n);

/* The number of the idea with these texts and hosts, DP_NO_IDEA when there is none. */
uint32_t dp_ideas_find(const dp_ideas *c, const dp_idea *one);

#endif
