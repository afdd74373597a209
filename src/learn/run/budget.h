/* learn/run/budget.h - the memory of a run: who has which share, and how tasks share one.
 *
 *     step         who                                      share       past it
 *     reading      FACTS       facts that wait               2/5        all go to files
 *                  SHARING     clusters of several domains   1/16       nobody looks any more: all domains are compared
 *                  LOGLINES    lines of a log, by URL        1/8        they become facts, and it begins again
 *                  -           readers                       the rest
 *     surveying    -           facts that wait               as above   nothing: those in files wait there
 *                  PRESENCES   clusters of each domain       1/8        they go to files
 *                  DOMAINS     domains that are labelled     3/4 less the facts that wait
 *                  -           pairs of domains, the plan    1/8
 *     moving       -           facts that wait               as above
 *                  MOVED       of linked domains: of one owner, 1/8      they go to files, as the others have
 *                              and of several                1/8
 *     learning     -           facts that wait, moved        as above
 *                  -           sites that are learned        all but these
 *                  HEAVY       of it: a site of more is learned alone, 1/8
 *     (of both)    SLOTS       of a site, while it is labelled 1/8       they go to a file (content/rows.h)
 *     recounting   PARTS       facts by key, waiting         1/4        they go to files
 *     (of learning's) COUNTED  parts that are counted        3/4
 *
 * No step takes more than all of it. Reading: 2/5 + 1/16 + 1/8 < 3/5. Surveying: facts and domains 3/4, presences
 * 1/8; what reading noted of shared clusters is given back before. Moving: 2/5 + 2/8. Learning: what is left is what
 * others do not hold, and facts are given back while sites are learned; a site that was kept ready after the survey
 * takes no more than its facts did (learn/run/ready_site.h). Slots are among the bytes that a site is said to need, so
 * that sites side by side hold no more of them than fits; a site that is alone has its share of them, and gives it back
 * before it is learned. Recounting: a site that was sampled is alone, its sample is given back before, 1/4 + 3/4. What
 * is not counted, since it does not grow with the facts: names of domains, 40 bytes each and the text, and a chunk a
 * bucket (store/buckets.h). A method that can do with less than it needs divides what it is given by itself
 * (learn/dust/support.c).
 *
 * Tasks of one step share what the step has:
 *
 *     take(need) ── waits until there is so much ──► work ──► give(need)
 *
 * A task that needs more than there is in all waits until it is alone and then has everything: whether that is enough
 * is for the caller to know.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_RUN_BUDGET_H
#define DP_LEARN_RUN_BUDGET_H

#include <pthread.h>
#include <stdint.h>

/* In the order of the table above. */
typedef enum dp_share {
    DP_SHARE_FACTS,
    DP_SHARE_SHARING,
    DP_SHARE_LOGLINES,
    DP_SHARE_PRESENCES,
    DP_SHARE_DOMAINS,
    DP_SHARE_MOVED,
    DP_SHARE_HEAVY,
    DP_SHARE_SLOTS,
    DP_SHARE_PARTS,
    DP_SHARE_COUNTED,
    DP_SHARES
} dp_share;

/* Bytes of a share. */
uint64_t dp_share_of(uint64_t memory, dp_share s);

/* Bytes that a URL is known to take in a step, beside its text. */
enum {
    DP_NEED_LABELLED = 160, /* at most, while a domain is labelled */
    DP_NEED_LEARNED = 700,  /* while its site is learned, where the method does not say (dp_method.url_bytes) */
    DP_NEED_COUNTED = 400   /* at most, in a part that is counted */
};

typedef struct dp_budget {
    pthread_mutex_t lock;
    pthread_cond_t  given;
    uint64_t        total, taken;
} dp_budget;

void dp_budget_init(dp_budget *b, uint64_t total);
void dp_budget_done(dp_budget *b);

/* Returns what to give back. */
uint64_t dp_budget_take(dp_budget *b, uint64_t need);
void     dp_budget_give(dp_budget *b, uint64_t taken);

#endif
