/* learn/accept/learn_site.h - one site learned: from its URLs to the blocks of the rule file.
 *
 *     dp_site ─► method, per group of folds ─► judge_each ─► across ─► judge_together ─► write
 *
 * Cross-fitting. Of the ten folds of clusters (base/fold.h) the last proposes nothing. The others are divided into
 * groups: three, or two from DP_LARGE_SITE URLs on, since the method runs once for each. Each run proposes from
 * all groups but one and is judged on that one and on the last fold; a rule that several runs propose has the votes of
 * all their groups.
 *
 * A method that does not look at clusters runs once and is judged on all; one that decides itself runs once without
 * proposals of the last fold, and what it decides is written. With --accept paper the method runs once on everything.
 *
 * Rules that lead from one domain to another have more to show (learn/accept/across.h). Of domains of several owners
 * nothing else is learned together: each has had its own rules from its own URLs.
 *
 * What the rules are worth is not said here: every cluster has had its say. learn/run/held_out.h learns some sites once
 * more without the last fold. Only of a method for which that takes too long (dp_method.is_dear) it is measured here
 * what the rules would be worth without the votes of the last fold.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_ACCEPT_LEARN_SITE_H
#define DP_LEARN_ACCEPT_LEARN_SITE_H

#include "base/buf.h"
#include "learn/accept/leftover.h"
#include "learn/method/method.h"
#include "site/ownership.h"

enum { DP_LARGE_SITE = 4000 };

/* What is learned with; the same for all sites. */
typedef struct dp_learn_how {
    const dp_method *method;
    const void      *options; /* of the method */
    dp_learn_context ctx;
    dp_str           keep;    /* lines of every block */
    dp_by            named;   /* what the column `cluster` counts as */
    unsigned         trust;   /* 1 << dp_by */
    bool             across;  /* only what leads from a domain of one owner to one of another */
    const dp_ownership *owners; /* NULL: nobody has several domains */
    double           confidence; /* of --certify (learn/run/certify.h); 0: it is not asked for */
    bool             untested; /* nobody will read what the rules are worth */
    uint64_t         relearn; /* URLs of the site that are learned once more (learn/run/held_out.h); 0: none */
} dp_learn_how;

/* What came of it. */
typedef struct dp_learned {
    dp_buf   text;       /* blocks */
    uint64_t proposed, unreadable, refuted, feeding, idle, harmful; /* proposals, and why they were left out */
    uint64_t active, likely;
    uint64_t labelled, pairs; /* URLs with a cluster; of them beyond the first */
    uint64_t clusters, singletons; /* all; of one URL */
    uint64_t relearned;                      /* URLs that were learned once more, and those held out; 0: none */
    uint64_t held_urls, held_clusters;       /* of the last fold, held out */
    uint64_t held_fetched, held_lost;        /* keys of these URLs; clusters of which no page is fetched */
    double   held_expected;                  /* pages lost by what the rules promise */
    uint64_t cert_sites, certified;          /* whether a certificate was asked for, and given */
    uint64_t cert_good, cert_bad, cert_pool; /* votes on these rules; pages they were tried against */
    uint64_t cert_missing;                   /* votes, where there is none */
    double   noise;
    uint64_t *key;                           /* [URLs] hashes of keys by these rules, 0: not known; may be NULL */
    dp_left  left;                           /* by learn/run/ready_site.h */
} dp_learned;

/* DP_ENOMEM, DP_ELIMIT. */
dp_err dp_learn_site(dp_learned *out, const dp_site *s, const dp_learn_how *t);

/* Count the pages of a site, whatever of it was learned. */
void dp_learned_count(dp_learned *out, const dp_site *s);

void   dp_learned_done(dp_learned *l);

#endif
