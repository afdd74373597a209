/* live/ruletest.h - one side of one rule, tested on random URLs: ValidateRule, [BKS06] Figure 4.
 *
 *     draws ──► DP_PROBES at a time, one a host ──► findings in order ──► true, false, undecided
 *
 *     positive >= (1 - epsilon) N  true           negative >= epsilon N  false
 *
 * Findings count in the order of the draws, whichever page comes first, so the answer does not depend on time. Where we
 * differ from the paper:
 *   - A URL that the network failed on is unknown: it counts neither way. When min_tests are unknown, and they
 *     outnumber the others, the test ends undecided (unless `patient`).
 *   - When the draws (or the budget) end before N, what there is decides, with n tests in place of N, from `min_tests`
 *     tests on; below that it is undecided.
 *   - When DP_SOFT pairs or more were found the same, and all show one content, the test is undecided: they may be a
 *     soft error (a page that says "not found", a login), and are one vote where they are not.
 *   - A rule that leads to another domain because both show the same pages (across=copies) needs more than the same
 *     pages once more: most URLs must redirect there themselves, or it is undecided. Anybody can copy pages.
 *   - Of a list of names or values each must have been compared, and show the same in more than half of its pairs:
 *     one that is rare may choose other pages though 95 of 100 pairs of all are the same.
 *   - At most DP_DRAWS_PER_TEST * N URLs are drawn.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_RULETEST_H
#define DP_LIVE_RULETEST_H

#include "base/arena.h"
#include "live/draws.h"
#include "live/probe.h"

enum { DP_PROBES = 16, DP_SOFT = 5, DP_DRAWS_PER_TEST = 10 };

typedef struct dp_ruletest_options {
    unsigned tests;     /* N */
    double   epsilon;
    unsigned min_tests;
    unsigned shingles;  /* of 4 */
    bool     patient;   /* unknown costs nothing: draw on */
} dp_ruletest_options;

#define DP_RULETEST_OPTIONS_INIT {.tests = 100, .epsilon = .05, .min_tests = 10, .shingles = 4}

typedef enum dp_test_answer { DP_TEST_RUNS = 0, DP_TEST_TRUE, DP_TEST_FALSE, DP_TEST_UNDECIDED } dp_test_answer;

/* Why a test is undecided. */
typedef enum dp_undecided {
    DP_UNDECIDED_FEW = 0,     /* less than min_tests pairs could be compared */
    DP_UNDECIDED_BUDGET,      /* the same, because no more requests may be sent */
    DP_UNDECIDED_FAILURES,    /* more pairs failed than could be compared */
    DP_UNDECIDED_ONE_CONTENT, /* all pages are the same */
    DP_UNDECIDED_UNSEEN,      /* of one name or value of its list no pair could be compared */
    DP_UNDECIDED_OTHER,       /* the pairs of one name or value of its list differ, though few among all */
    DP_UNDECIDED_COPIES,      /* another domain shows the same pages, but this one does not lead there */
    DP_UNDECIDEDS
} dp_undecided;

typedef struct dp_ruletest {
    size_t        rule;
    dp_direction       side;
    bool          pairs; /* URLs of the list with equal results, not u and its result */
    const dp_branches *branches; /* names or values that it lists */
    size_t        branch; /* of them the one that leaves it undecided */
    bool          of_copies; /* of a rule with across=copies */
    dp_test_answer truth;
    dp_undecided  why;
    uint64_t      positive, negative, unknown, skipped;
    uint64_t      redirects; /* of the positive ones */
    uint64_t      moved;     /* of the positive ones: u itself redirects to the domain of the result */
    uint64_t      gone;      /* of the negative ones: v is no page */
    dp_pair_probe     *probe;     /* [nprobe] in the order of the draws; the first `counted` are done */
    size_t        nprobe, counted, cap;
    uint64_t      content;   /* of the first positive one */
    uint64_t      contents;  /* positive ones of another content */
} dp_ruletest;

/* A zeroed one with rule, side, pairs and branches is ready. */
void dp_ruletest_done(dp_ruletest *t);

/* Go on as far as possible without waiting; texts of probes lie in `a`. DP_EIO, DP_ENOMEM. */
dp_err dp_ruletest_step(dp_ruletest *t, dp_draws *d, const dp_teller *s, const dp_ruletest_options *o, dp_arena *a,
                        dp_error *err);

#endif
