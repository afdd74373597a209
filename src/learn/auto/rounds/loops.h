/* learn/auto/rounds/loops.h - may a rule be added to others without one of them feeding itself?
 *
 *     witness of rule r ──► text ──► text ──► ...    r fires twice: the file is refused
 *
 * A learner adds rule after rule, and asking all of them each time is the square of their number. The runs of the
 * witnesses are kept: a new rule changes those on a step of which it fires, and no other.
 *
 * Invariant: the answer is that of apply/feedback.h on the whole file.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_ROUNDS_LOOPS_H
#define DP_LEARN_AUTO_ROUNDS_LOOPS_H

#include "base/arena.h"
#include "base/err.h"
#include "judge/groups.h"
#include "learn/auto/forms/forms.h"

typedef struct dp_taken dp_taken;

/* The run of a witness: the witness and what each step makes of it. */
typedef struct dp_loop_run {
    size_t   first, n; /* texts */
    uint32_t rule;     /* number in the engine of all rules */
    size_t   instead;  /* + 1: of the run that it replaces; 0: it is new */
} dp_loop_run;

/* Zeroed: nothing is known. */
typedef struct dp_loops {
    dp_loop_run *run;  /* [nrun] */
    size_t       nrun, run_cap;
    dp_str      *text; /* [ntext] in the arena */
    size_t       ntext, text_cap;
    dp_arena     arena;
    uint64_t     rules;  /* hash of the rules they are of */
    size_t       blocks; /* of these */
} dp_loops;

/* Whether v[n - 1] may be added to the rules before it. What is known of them from the last call is used if they are
 * the same. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_loops_add(dp_loops *l, const dp_taken *v, size_t n, bool *ok);

/* Whether the rule fires again on what it makes of the forms in `fired`, and so makes forms of different pages one:
 * votes count one firing. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_loops_repeats(const dp_taken *t, const dp_forms *f, const dp_member *fired, size_t n, bool *wrong);
void   dp_loops_done(dp_loops *l);

#endif
