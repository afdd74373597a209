/* learn/accept/judge_together: rules that find no end on URLs of a site are not written together; auto's review of such
 * rules.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "base/buf.h"
#include "learn/auto/rounds/review.h"
#include "learn/auto/forms/rulebook.h"
#include "learn/accept/judge_together.h"
#include "support/failing_alloc.h"

enum { PAGES = 6 };

/* /ab/1 and /ba/1 are one page, and so on. */
static void make_site(dp_site *out, dp_arena *a)
{
    dp_site_page page[2 * PAGES];
    for (unsigned i = 0; i < 2 * PAGES; i++) {
        char url[40], id[8];
        snprintf(url, sizeof url, "http://a.test/%s/%u", i % 2 ? "ab" : "ba", i / 2);
        snprintf(id, sizeof id, "c%u", i / 2);
        page[i] = (dp_site_page){dp_arena_str(a, dp_str_c(url)), dp_arena_str(a, dp_str_c(id)), DP_BY_TEXT};
        assert_true(page[i].url.p && page[i].cluster.p);
    }
    assert_int_equal(DP_OK, dp_site_make(out, DP_STR("a.test"), page, 2 * PAGES, a));
}

static const char *const circle[] = {"/ab/{x} => /ba/{x}", "/ba/{x} => /ab/{x}", "drop ?sid"};

/* Settle the circle, and say which rules are left, as bits. */
static dp_err settle(const dp_site *s, uint32_t *left, dp_rules_dropped *done)
{
    dp_court    court = {.site = s, .min_precision = .99, .trust = DP_TRUST_ALWAYS};
    dp_cases    c = {0};
    dp_case     v[DP_COUNT(circle)] = {0};
    dp_last_run t = {0};
    uint8_t     in[DP_COUNT(circle)] = {1, 1, 1};
    dp_err      code = DP_OK;
    for (size_t i = 0; i < DP_COUNT(circle) && code == DP_OK; i++) {
        v[i].own = (dp_proposal){.hosts = DP_STR("a.test"), .text = dp_str_c(circle[i]), .state = DP_ACTIVE, .n = 9,
                                 .p = .99 + .001 * (double)i};
        code = dp_proposals_add(&c.p, &v[i].own);
    }
    c.v = v;
    if (code == DP_OK)
        code = dp_judge_endless(&t, &c, &court, in, done);
    for (size_t i = 0; i < DP_COUNT(circle) && code == DP_OK; i++)
        *left |= (uint32_t)in[i] << i;
    assert_true(code != DP_OK || t.together.nendless == 0);
    dp_last_run_done(&t);
    dp_proposals_done(&c.p);
    return code;
}

static void the_more_certain_of_a_circle_stays(void **state)
{
    dp_arena         a = {0};
    dp_site          s;
    uint32_t         left = 0;
    dp_rules_dropped done = {0};
    (void)state;
    make_site(&s, &a);
    assert_int_equal(DP_OK, settle(&s, &left, &done));
    assert_int_equal(6, left); /* the second, and the one that has nothing to do with it */
    assert_int_equal(1, done.feeding);
    dp_arena_done(&a);
}

static void survives_every_allocation_failure(void **state)
{
    dp_arena a = {0};
    dp_site  s;
    (void)state;
    make_site(&s, &a);
    DP_EVERY_ALLOC_FAILURE {
        uint32_t         left = 0;
        dp_rules_dropped done = {0};
        dp_err           e = settle(&s, &left, &done);
        if (e != (dp_alloc_failed() ? DP_ENOMEM : DP_OK))
            fail_msg("allocation %zu: %d", dp_alloc_run_, (int)e);
    }
    dp_arena_done(&a);
}

/* Taking a rule back may let two others feed each other: they are reviewed all the same. */
static void a_circle_can_be_reviewed(void **state)
{
    dp_arena   a = {0};
    dp_site    s;
    dp_forms   forms;
    dp_review *review;
    dp_engine *e = NULL;
    dp_absences absences = {0};
    uint32_t   number[] = {0, 1, 2};
    dp_buf     text = {0};
    dp_taken   v[2] = {{.family = DP_FAMILY_BLOCK, .hosts = DP_STR("a.test")},
                       {.family = DP_FAMILY_BLOCK, .hosts = DP_STR("a.test")}};
    (void)state;
    make_site(&s, &a);
    v[0].text[0] = dp_str_c(circle[0]);
    v[1].text[0] = dp_str_c(circle[1]);
    dp_rounds_print(&text, v, 2);
    assert_int_equal(DP_ESYNTAX, dp_rulebook_engine(&e, dp_buf_view(&text), true));
    assert_int_equal(DP_OK, dp_rulebook_engine(&e, dp_buf_view(&text), false));
    dp_rewriting how = {.engine = e, .afresh = true, .absences = &absences, .owners = {number, number}};
    assert_int_equal(DP_OK, dp_forms_init(&forms, &s, true, &how, NULL));
    assert_true(forms.limited);
    assert_int_equal(DP_OK, dp_review_new(&review, &forms, &absences, &how, 2));
    for (size_t i = 0; i < 2; i++) {
        dp_count   count;
        dp_context c = {0};
        assert_int_equal(DP_OK, dp_review_rule(&count, &c, review, i));
        dp_context_done(&c);
    }
    dp_review_free(review);
    dp_forms_done(&forms);
    dp_absences_done(&absences);
    dp_engine_free(e);
    dp_buf_done(&text);
    dp_arena_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_more_certain_of_a_circle_stays),
        cmocka_unit_test(survives_every_allocation_failure),
        cmocka_unit_test(a_circle_can_be_reviewed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
