/* live/verdict.h - what became of each rule: the inside of dp_validation.
 *
 *     rule 3   sub "/index.html$" -> "/$"     test written: false      test turned: true      ──► turned
 *
 * live/validate.c makes them, live/verdictrules.c writes the rule file, live/verdictprint.c the evidence,
 * live/verdictreason.c says why a rule was not tested, live/verdictsummary.c what to do next.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_VERDICT_H
#define DP_LIVE_VERDICT_H

#include "input/how.h"
#include "live/fetcher.h"
#include "live/ruletest.h"

#define DP_FETCHED_IDENTITY "content" /* of pages that are fetched: their words */

enum { DP_TESTS_MAX = 3 /* of one rule: a side, the other, or pairs */ };

typedef struct dp_verdict_of {
    dp_validation_answer  kind;
    size_t      refines; /* DP_REFINED: number of the rule that holds already */
    dp_ruletest test[DP_TESTS_MAX];
    size_t      ntest;
    size_t      decisive; /* test that decided; ntest: none */
} dp_verdict_of;

/* What is to be done about a rule. */
typedef enum dp_plan_kind {
    DP_PLAN_NOTHING = 0, /* it is off */
    DP_PLAN_TEST,
    DP_PLAN_LATER,       /* the budget has no room for it */
    DP_PLAN_FEW          /* too few URLs: with a budget no request is spent on what nothing can decide */
} dp_plan_kind;

typedef struct dp_plan_of {
    dp_plan_kind kind;
    uint64_t     requests; /* that its tests take at most */
    size_t       draws;    /* pairs that can be compared at most */
} dp_plan_of;

enum { DP_ECHO_AFTER = 60 /* seconds: a clock without seconds has changed then */ };

/* What `validate --echo` does, and did: live/echo.h. */
typedef struct dp_echo_of {
    size_t  wanted; /* URLs to fetch twice; 0: rules are tested */
    int64_t after;  /* seconds between the two fetches, at least */
    size_t  forms, asked, twice, changed;
    bool    spent; /* no request was left */
} dp_echo_of;

struct dp_validation {
    dp_ruletest_options test;
    dp_fetcher_options  fetch;
    char               *user_agent, *cache, *ca_file;
    bool                cache_is_for_run; /* remove it when the run ends well */
    uint64_t            seed, budget;
    dp_echo_of          echo;
    bool                absent_is_negative, raw, strict, offline;
    char               *how[DP_HOWS];
    char              **labels; /* [nlabels] files of the labelled set */
    size_t              nlabels;
    dp_progress         progress;
    void               *progress_ctx;
    dp_expectation      expect;
    void               *expect_ctx;
    /* of the run */
    const dp_rules     *rules;
    dp_draws           *draws;
    dp_verdict_of      *verdict; /* [rules] */
    dp_plan_of         *plan;    /* [rules] NULL: nothing is fetched */
    const char         *identity; /* how pages were told apart; NULL before the run */
    size_t              urls, not_urls;
    dp_fetcher_counts   fetched;
    uint64_t            bad_lines;
    dp_error            bad[5];
    size_t              nbad;
    dp_arena            arena; /* texts of probes */
    bool                ran;
};

/* Read the pages of some files; what cannot be read is counted. What `take` returns, DP_EIO, DP_ESYNTAX, DP_ENOMEM. */
dp_err dp_validation_read(dp_validation *v, const char *const *paths, size_t count,
                          dp_err (*take)(void *ctx, const dp_record *rec), void *ctx, dp_error *err);

/* The requests of a run, what gave no page and why: a line. */
void dp_validation_put_requests(dp_buf *b, const dp_validation *v);

/* The test to blame for a verdict that is DP_UNDECIDED: of the undecided ones the one with most pairs. */
const dp_ruletest *dp_verdict_open_test(const dp_verdict_of *o);

/* Whether a rule that is DP_UNDECIDED was not tested at all: no pair could be compared. */
bool dp_verdict_is_untested(const dp_verdict_of *o);

/* Why it is undecided: for programs, never changed ("too few URLs to test it on"); and a sentence for people. */
const char *dp_verdict_why(const dp_verdict_of *o);
void        dp_verdict_reason(dp_buf *out, const dp_validation *v, const dp_verdict_of *o);

/* Why no request is spent on rule number i, which v->plan leaves out. */
void dp_plan_reason(dp_buf *out, const dp_validation *v, size_t i);

/* What to do so that it can be tested. */
const char *dp_verdict_next(const dp_verdict_of *o);

/* Whether the pages of the deciding test were fetched by the URL that the rule writes. */
bool dp_verdict_is_direct(const dp_validation *v, size_t rule);

#endif
