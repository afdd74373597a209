/* learn/auto/vote/ballot.h - every idea tried on every form: what does each merge, and do the labels agree?
 *
 *     (idea, hash of the result, form)   sort ──►   groups: forms that an idea gives one text,
 *                                                   and the form that has this text already
 *
 * Votes. A group of n forms, n1 of them with its commonest label, is n1 - 1 merges that agree and n - n1 that do not.
 * Where agreement prevails the group has one vote, divided in that proportion, and a cluster has one vote in all
 * groups it leads: a soft error page under a thousand URLs is one piece of evidence, and one wrong label among ten is
 * a tenth of a vote against, as likely as any other wrong label. Where disagreement prevails nothing is scaled down:
 * every page that would be lost speaks.
 *
 * Invariants:
 *   - Forms without a label never vote.
 *   - Everything is decided by numbers and texts: the same for any number of threads.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_VOTE_BALLOT_H
#define DP_LEARN_AUTO_VOTE_BALLOT_H

#include "learn/auto/vote/attempt.h"

/* What a count needs of a group. */
typedef struct dp_group_votes {
    uint32_t label, n, agree, others, form;
} dp_group_votes;

typedef struct dp_ballot {
    const dp_forms *forms;
    const dp_idea  *idea; /* [nidea] */
    size_t          nidea;
    dp_attempt      tried;
    uint32_t       *stamp, now; /* [forms->n] forms that the idea at hand changes; see dp_ballot_take */
    uint32_t       *lead;       /* [nclusters] groups that a cluster leads */
    uint32_t       *parent;     /* [forms->n] forms merged in this round */
    bool            merged;     /* there are some */
    size_t          most_items; /* of a group */
    size_t          most_groups; /* of an idea */
    uint32_t       *item;       /* [most_items] forms of a group */
    uint32_t       *label;      /* [most_items] their labels, sorted */
    dp_group_votes *group;      /* [most_groups] of the idea at hand */
    size_t          ngroup;
} dp_ballot;

/* Try all ideas on all forms; `earlier` (may be NULL) is what is known of it. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_ballot_init(dp_ballot *b, const dp_forms *f, const dp_idea *idea, size_t n, const dp_earlier_attempt *earlier,
                      dp_pool *pool);
void   dp_ballot_done(dp_ballot *b);

/* What was counted for one idea. */
typedef struct dp_count {
    double   pos, neg; /* votes of clusters, as above */
    uint32_t clusters; /* that gain */
    uint32_t good, bad; /* merges */
    uint32_t firm; /* pages that it joins with another one, where no wrong label does: see learn/auto/rounds/review.h */
    uint32_t changed;  /* forms */
    uint32_t by;       /* 1 << dp_by of clusters that gain */
    uint32_t lost;     /* votes of `neg`, and of `bad`, by pages of which nothing would be left */
    uint32_t kept;     /* pages with an identity that it changes */
    uint32_t alone;    /* of these, pages with an id that no other page has */
} dp_count;

/* Count idea `i`, leaving out what was merged in this round already, and the votes of clusters of the folds that are
 * not in `folds`. */
dp_count dp_ballot_count(dp_ballot *b, size_t i, uint32_t folds);

/* The same for each idea, into out[nidea], before anything was merged: on all threads. DP_ENOMEM. */
dp_err dp_ballot_count_all(dp_ballot *b, dp_count *out, const uint32_t *folds, dp_pool *pool);

/* Called for each group of at least two forms with labels: the forms, how many agree with the commonest label. The
 * changed ones come first. */
typedef struct dp_group_seen {
    const uint32_t *form; /* [n] */
    size_t          n, changed;
    uint32_t        label;  /* the commonest */
    size_t          agree;  /* that have it */
    size_t          others; /* labels besides */
} dp_group_seen;

typedef void dp_on_group(void *ctx, const dp_group_seen *g);
void dp_ballot_walk(dp_ballot *b, size_t i, dp_on_group *call, void *ctx);

/* Merge what idea `i` merges: from now on it is old news. */
void dp_ballot_take(dp_ballot *b, size_t i);

#endif
