/* learn/auto/rounds/promise: which rules may hold by accident, and so promise no more than their votes.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "learn/auto/rounds/promise.h"
#include "learn/auto/thresholds.h"

static const struct {
    const char *rule;
    bool        want;
} rows[] = {
    {"drop ?sid", false},
    {"drop ?sort", true},
    {"drop ?sort if =name", false}, /* that one order is the default is another matter */
    {"drop ?page,@sort0 unless /{**}/latest", true},
    {"drop ?page on /{**}?sort=name", false},
    {"drop ;sort", false},
    {"set ?count=25 on /{**}?count=100", true},
    {"set ?count=25", true},
    {"set ?count=25 on /{**}?count=100 unless /{**}/latest", true},
    {"set ?count=25 on /{l=de|fr}/{**}?a=b&count=100", true},
    {"set ?sort=creator on /{**}?sort=author", false}, /* one order */
    {"erase ?sort", true},
    {"erase ?count unless /{**}/latest", true},
    {"drop ?account", false},
    {"drop ?count if =10", false},
    {"set ?cat=2 on /{**}?cat=music", false}, /* its name */
    {"set ?lang=en on /{**}?lang=us", false},
    {"/{**}?q=&sort_by=rating&... => /{**}?...", true},
    {"/{s0}?sort_by={a}-desc&... => /{s0}?sort_by={a}-asc&...", true},
    {"/{**}?desc=1&order=priority&... => /{**}?...", true},
    {"/{**}?sort={a}&id={b}&... => /{**}/{b}?sort={a}&...", false}, /* the order stays */
    {"/{**}?sort={a}&id={b}&... => /{**}/{b}?sort={a}&... unless /{**}?+id", false},
    {"/{**}?sort={a} => /{**}?order={a}", true},
    {"/{a}?q={b}&... => /{a}/{b}?...", false},
    {"/{a}/sort => /{a}", false},
    {"fold case path", false},
    {"sub \"sort=a\" -> \"sort=b\"", false},
};

static void what_is_about_rows_may_hold_by_accident(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(rows); i++) {
        dp_taken t = {.text = {dp_str_c(rows[i].rule), {"", 0}}, .factor = 1, .family = DP_FAMILY_PARAM};
        if (dp_promise_is_accident(&t) != rows[i].want)
            fail_msg("%s", rows[i].rule);
    }
}

/* A list of one certain rule and one that was equal so far: r->v[1] with 28 votes for it, one against. */
static dp_rounds list_of_two(dp_taken v[2], const dp_learn_context *ctx, double against)
{
    v[0] = (dp_taken){.text = {DP_STR("drop ?sid"), {"", 0}}, .factor = 1, .p = .9999, .family = DP_FAMILY_PARAM,
                      .count = {.pos = 100}, .later = {.pos = 100, .neg = against, .good = 20}};
    v[1] = (dp_taken){.text = {DP_STR("drop ?sort"), {"", 0}}, .factor = 1, .p = .995, .family = DP_FAMILY_PARAM,
                      .count = {.pos = 28}, .later = {.pos = 28, .neg = 1, .good = 60}};
    return (dp_rounds){.ctx = ctx, .v = v, .n = 2, .cap = 2, .trust = {.noise = .05, .most = .1}};
}

static void wrong_labels_are_no_accidents(void **state)
{
    (void)state;
    const dp_learn_context ctx = {.min_precision = .99};
    for (int noisy = 0; noisy < 2; noisy++) {
        dp_taken  v[2];
        dp_rounds r = list_of_two(v, &ctx, noisy ? 5 : 0);
        bool      kept;
        assert_int_equal(DP_OK, dp_promise_keep(&r, &kept));
        assert_int_equal(1, r.n); /* too much hangs on it */
        free(r.suggested);
        r = list_of_two(v, &ctx, noisy ? 5 : 0);
        v[0].later.good = 1500;
        assert_int_equal(DP_OK, dp_promise_keep(&r, &kept));
        assert_true(kept);
        assert_int_equal(2, r.n);
        assert_true(noisy ? v[1].p > .96 : v[1].p < .94); /* 29 of 30, or of 31 */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_about_rows_may_hold_by_accident),
        cmocka_unit_test(wrong_labels_are_no_accidents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
