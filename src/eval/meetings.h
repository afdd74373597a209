/* eval/meetings.h - who meets whom under a rule: the URLs that it leads to one text, and the one that has it already.
 *
 *     /list?page=1  ─ drop ?page ─►  /list  ◄─ drop ?page ─  /list?page=2        one group
 *
 * eval/samples.h looks at the groups for votes and examples, eval/strata.h for votes by kind of URL.
 *
 * Memory: 16 bytes a URL and 32 for each rule that fires on one.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_MEETINGS_H
#define DP_EVAL_MEETINGS_H

#include "eval/trail.h"
#include "judge/trial.h"

#define DP_EVERY_RULE UINT32_MAX

/* In place of a URL's number: a form that the rule moves, so that nobody is thought to stay there. */
#define DP_MOVED UINT32_MAX

/* A zeroed one is empty. */
typedef struct dp_meetings {
    dp_members form;    /* one a URL that counts: its stage-0 form */
    dp_members changed; /* tag: rule; two a firing, the new text and, with DP_MOVED, the form it leaves */
} dp_meetings;

void dp_meetings_done(dp_meetings *f);

/* Of what rules do one after another: of all of them, or of one. Sorted. DP_ENOMEM. */
dp_err dp_meetings_along(dp_meetings *out, const dp_trail *trail, uint32_t rule);

/* Once both lists are complete. */
void dp_meetings_sort(dp_meetings *f);

/* The group at `*at`, which moves on; false at the end. Groups of one rule stand together; those that nobody comes to
 * are passed over. `*rule` is the number of its rule. */
bool dp_meetings_next(const dp_meetings *f, size_t *at, dp_rule_group *g, uint32_t *rule);

#endif
