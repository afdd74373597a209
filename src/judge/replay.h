/* judge/replay.h - run an engine over labelled URLs: what does each of its rules merge, alone?
 *
 *     new ── add URLs 0, 1, 2 ... ──► judge(labels) ──► one dp_trial a rule
 *
 * f_r(u) is what rule r makes of u in one firing, and u where it does not fire; `keep` and `order`
 * lines of the file hold. URLs of one stage-0 form are one, of the cluster that most of them have: what stage 0 joins
 * is no rule's doing. Learners and eval/ use it. What all rules together merge is eval/maps.h's question.
 *
 * Invariants:
 *   - Distinct URLs are the caller's promise; no text is kept.
 *   - No rule fires on what is no URL.
 *   - The counts are the same for any number of threads.
 *
 * Memory: 16 bytes a URL and 16 for each rule that fires on it alone; judging takes 9 bytes a URL more, and on each
 * thread 4 a URL and 5 a cluster.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_JUDGE_REPLAY_H
#define DP_JUDGE_REPLAY_H

#include "judge/trial.h"

typedef struct dp_replay dp_replay;

/* DP_ENOMEM. The engine must outlive it. */
dp_err dp_replay_new(dp_replay **out, const dp_engine *e);
void   dp_replay_free(dp_replay *r);

/* Do not run all rules together, too: nobody asks dp_replay_fired. Before the first URL. Rules that were never meant to
 * stand in one file may feed each other. */
void dp_replay_alone(dp_replay *r);

/* Use all threads of `pool`, which must outlive it, to add and to judge; before the first URL. DP_ENOMEM. */
dp_err dp_replay_on(dp_replay *r, dp_pool *pool);

/* Add the next `n` URLs: thousands at once, where there are threads. DP_ENOMEM; DP_ELIMIT past 2^31 URLs. Then it may
 * only be freed. */
dp_err dp_replay_add(dp_replay *r, const dp_str *url, size_t n);

/* The same of URLs in stage-0 form whose firings the caller knows: no rule is tried on them. Rules that put pairs into
 * order, and all rules together, cannot be judged so. */
dp_err dp_replay_add_known(dp_replay *r, const dp_str *url, size_t n);

/* The same by the hash of its text. */
dp_err dp_replay_add_hash(dp_replay *r, uint64_t hash);

/* Say that rule `tag` makes of URL `item`, the how many-th that was added, a text with the hash `key`. DP_ENOMEM. */
dp_err dp_replay_tell(dp_replay *r, dp_member firing);

/* Judge all that was added, once. DP_ENOMEM. */
dp_err dp_replay_judge(dp_replay *r, const dp_labels *labels);

/* After that: rule number i alone. */
const dp_trial *dp_replay_rule(const dp_replay *r, size_t i);

/* URLs on which rule i fired, together with the others. */
uint64_t dp_replay_fired(const dp_replay *r, size_t i);

#endif
