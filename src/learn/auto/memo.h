/* learn/auto/memo.h - what was said of a rule, while nothing that it depends on is corrected.
 *
 *     review ──► corrections ──► review ──► corrections ──► ...
 *
 * A review takes each rule away and runs the others (learn/auto/review.h). Most corrections concern few rules; what was
 * said of another one still holds when its URLs and their groups are the same, and none of the rules that fired
 * without it was corrected: a corrected rule fires on less than before, so it fires there no more than it did.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_MEMO_H
#define DP_LEARN_AUTO_MEMO_H

#include "base/arena.h"
#include "learn/auto/rounds.h"

/* Of one rule. */
typedef struct dp_memo {
    bool      known;
    uint64_t  sign; /* of its URLs and groups */
    uint32_t *used; /* [nused] ids of rules that fired without it */
    size_t    nused;
} dp_memo;

typedef struct dp_memos {
    dp_memo *of; /* [n] by dp_taken.id */
    bool    *changed, *changing; /* [n] corrected in the last review, in this one */
    size_t   n;
    dp_arena arena;
} dp_memos;

/* Begin with rules [0, n), which get ids. DP_ENOMEM. */
dp_err dp_memos_init(dp_memos *m, dp_taken *v, size_t n);
void   dp_memos_done(dp_memos *m);

/* Whether what was said of `t` still holds. */
bool dp_memos_hold(const dp_memos *m, const dp_taken *t, uint64_t sign);

/* Something was said of v[i]; used[k]: v[k] fired without it, used[n]: that is not known. DP_ENOMEM. */
dp_err dp_memos_note(dp_memos *m, const dp_taken *v, size_t n, size_t i, uint64_t sign, const uint8_t *used);

/* `t` was corrected. */
void dp_memos_correct(dp_memos *m, const dp_taken *t);

/* The review is over. */
void dp_memos_next(dp_memos *m);

#endif
