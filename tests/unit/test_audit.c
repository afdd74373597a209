/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "eval/agree.h"
#include "eval/auditodds.h"
#include "support/failing_alloc.h"
#include "support/rules.h"
#include "support/tempfile.h"

/* ---- odds and votes ------------------------------------------------------------------------------- */

static const struct { double pos, neg, promise, noise, least, most; } odds[] = {
    {0, 0, .99, .02, 1, 1},            /* nobody voted */
    {0, 1, .99, .02, 17, 18},          /* (1/2 (1 - (1-q)^2)) / q / (1-q), q = .9702 */
    {0, 2, .99, .02, 386, 388},
    {0, 3, .99, .02, 9000, 10000},     /* three against and none for */
    {950, 50, .99, .02, 1, 20},        /* as promised, by noise */
    {940, 60, .99, .02, 1000, 10000},
    {200, 0, .99, .02, 0, .1},
    {0, 1, 1, 0, 400, 600},            /* one vote never breaks a rule */
    {0, 1e6, .5, 0, 1e9, 1e9},         /* finite, whatever the votes */
    {1e9, 1e9, .5, 0, 0, 1},
    {5, 5, 0, 0, 0, 1},
};

static void odds_are_those_of_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(odds); i++) {
        double got = dp_audit_odds((dp_votes){odds[i].pos, odds[i].neg}, odds[i].promise, odds[i].noise);
        if (!(got >= odds[i].least && got <= odds[i].most))
            fail_msg("%g for, %g against: %g", odds[i].pos, odds[i].neg, got);
    }
}

/* Ville: of rules that just keep their promise, at most one in 20 ever reaches odds of 20. */
static void rules_that_keep_their_promise_are_seldom_broken(void **state)
{
    (void)state;
    uint64_t seed = 1, broken = 0, rules = 4000;
    for (uint64_t i = 0; i < rules; i++) {
        dp_votes v = {0, 0};
        bool     ever = false;
        for (int n = 0; n < 60 && !ever; n++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            if ((seed >> 33) % 1000 < 950)
                v.pos++;
            else
                v.neg++;
            ever = dp_audit_odds(v, .95, 0) >= 20;
        }
        broken += ever;
    }
    assert_true(broken <= rules / 20);
    assert_true(broken > 0);
}

static void clusters_agree_by_their_share_of_good_merges(void **state)
{
    (void)state;
    /* URLs 0 to 9 of cluster 0, but 9 is of cluster 1; 10 and 11 are two pages */
    uint32_t  cluster[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3};
    dp_member m[12];
    dp_agree  g;
    for (uint32_t i = 0; i < 12; i++)
        m[i] = (dp_member){1, 0, i};
    assert_int_equal(DP_OK, dp_agree_init(&g, 4));
    dp_agree_add(&g, cluster, m, 10, NULL, 0);
    dp_votes v = dp_agree_votes(&g);
    assert_true(v.pos + v.neg > 1.999 && v.pos + v.neg < 2.001); /* two clusters vote */
    assert_true(v.pos > 2 * 8. / 9 - 1e-9 && v.pos < 2 * 8. / 9 + 1e-9);
    dp_agree_add(&g, cluster, m + 10, 1, m + 11, 1); /* the one that stays has no voice */
    v = dp_agree_votes(&g);
    assert_true(v.pos == 0 && v.neg == 1);
    v = dp_agree_votes(&g);
    assert_true(v.pos == 0 && v.neg == 0);
    dp_agree_done(&g);
}

/* ---- audits ----------------------------------------------------------------------------------------- */

static const char rules_text[] = "dustpan-rules 1\nhost a.com\ndrop ?s  [p=.99 n=40 neg=0]\n"
                                 "drop ?page  [p=.99 n=40 neg=0 until=2001-01-01]  # by learn\npin drop ?u\n"
                                 "off drop ?v\nlikely drop ?w\n";

static const char records[] = "url\tcluster\ttime\n"
                              "http://a.com/x\tA\t1000000000\n"
                              "http://a.com/x?s=1\tA\t1000000001\n"
                              "http://a.com/l?page=1\tC\t1\n"
                              "http://a.com/l?page=2&token=geheim\tD\t1\n"
                              "http://a.com/l?page=1&token=geheim\tE\t1\n"
                              "http://a.com/l?page=2\tF\t1\n"
                              "http://a.com/l?page=3\tG\t1\n"
                              "http://a.com/y?w=1\tH\t1\n"
                              "http://a.com/y?w=2\tI\t1\n"
                              "http://a.com/y?w=3\tJ\t1\n"
                              "http://a.com/z?u=1\tK\t1\n"
                              "http://a.com/z?u=2\tL\t1\n"
                              "http://a.com/z?u=3\tM\t1\n"
                              "nothing\tN\t1\n"
                              "short\n";

static dp_audit *audit(const dp_rules *r, const char *path)
{
    dp_audit *a;
    dp_error  err;
    assert_int_equal(DP_OK, dp_audit_new(&a, r, NULL));
    if (dp_audit_run(a, &path, 1, &err) != DP_OK)
        fail_msg("%s: %s", err.file, err.message);
    return a;
}

static void finds_and_retires_what_is_broken(void **state)
{
    (void)state;
    dp_rules *r = rules_of(rules_text), *again = rules_of(rules_text);
    dp_audit *a = audit(r, dp_temp_write("records", dp_str_c(records)));
    dp_text  *text;
    size_t    retired = 0;
    char      line[8];
    dp_error  bad;
    assert_int_equal(3, dp_audit_total(a, DP_AUDIT_BROKEN));
    assert_int_equal(1, dp_audit_total(a, DP_AUDIT_BROKEN_ACTIVE));
    assert_int_equal(0, dp_audit_total(a, DP_AUDIT_DOUBTFUL));
    assert_int_equal(1, dp_audit_total(a, DP_AUDIT_HOLD));
    assert_int_equal(0, dp_audit_total(a, DP_AUDIT_SILENT));
    assert_int_equal(1, dp_audit_total(a, DP_AUDIT_OFF));
    assert_int_equal(1, dp_audit_total(a, DP_AUDIT_BAD_LINES));
    assert_int_equal(0, dp_audit_total(a, (dp_audit_count)99));
    assert_int_equal(DP_OK, dp_audit_bad(a, 0, &bad));
    assert_int_equal(16, bad.line);
    assert_int_equal(DP_EINVALID, dp_audit_bad(a, 1, &bad));
    assert_int_equal(DP_OK, dp_audit_warning(a, 0, line, sizeof line));
    assert_string_equal("1 recor", line); /* cut to the room there is */
    assert_int_equal(DP_EINVALID, dp_audit_warning(a, 1, line, sizeof line));
    assert_int_equal(DP_OK, dp_audit_retire(a, again, &retired));
    assert_int_equal(2, retired);
    assert_int_equal(DP_OK, dp_rules_print(&text, again));
    assert_string_equal("dustpan-rules 1\nhost a.com\n"
                        "drop ?s                                                      [p=.99 n=40 neg=0]\n"
                        "off drop ?page                                               [p=.99 n=40 neg=0 "
                        "until=2001-09-09]  # by learn; turned off: 0 pages for, 5 against\n"
                        "pin drop ?u\noff drop ?v\n"
                        "off drop ?w                                                  [until=2001-09-09]  "
                        "# turned off: 0 pages for, 3 against\n",
                        dp_text_data(text));
    dp_text_free(text);
    dp_audit_free(a);
    dp_rules_free(r);
    dp_rules_free(again);
}

static void masks_examples(void **state)
{
    (void)state;
    dp_rules   *r = rules_of(rules_text);
    dp_text    *text;
    const char *path = dp_temp_write("records", dp_str_c(records));
    dp_audit   *a;
    for (int raw = 0; raw < 2; raw++) {
        assert_int_equal(DP_OK, dp_audit_new(&a, r, NULL));
        assert_int_equal(DP_OK, dp_audit_set(a, DP_AUDIT_RAW, raw));
        assert_int_equal(DP_OK, dp_audit_set(a, DP_AUDIT_EXAMPLES, 3));
        assert_int_equal(DP_OK, dp_audit_run(a, &path, 1, NULL));
        for (int format = DP_PLAIN; format <= DP_JSON; format++) {
            assert_int_equal(DP_OK, dp_audit_print(&text, a, (dp_format)format));
            assert_true(!strstr(dp_text_data(text), "geheim") == !raw);
            assert_non_null(strstr(dp_text_data(text), "page=2&token="));
            dp_text_free(text);
        }
        dp_audit_free(a);
    }
    dp_rules_free(r);
}

static void refuses_what_makes_no_sense(void **state)
{
    (void)state;
    dp_rules   *r = rules_of(rules_text), *other;
    dp_audit   *a;
    dp_text    *text;
    size_t      n;
    dp_error    err;
    const char *path = dp_temp_write("list", dp_str_c("http://a.com/\nhttp://a.com/b\n"));
    assert_int_equal(DP_OK, dp_audit_new(&a, r, NULL));
    assert_int_equal(DP_EINVALID, dp_audit_set(a, DP_AUDIT_RAW, 2));
    assert_int_equal(DP_EINVALID, dp_audit_set(a, DP_AUDIT_STRICT, -1));
    assert_int_equal(DP_EINVALID, dp_audit_set(a, DP_AUDIT_EXAMPLES, 4));
    assert_int_equal(DP_EINVALID, dp_audit_set(a, DP_AUDIT_PROMISE, 1000001));
    assert_int_equal(DP_EINVALID, dp_audit_set(a, DP_AUDIT_NOISE, -1));
    assert_int_equal(DP_EINVALID, dp_audit_set(a, (dp_audit_option)99, 0));
    assert_int_equal(DP_EINVALID, dp_audit_input(a, (dp_input_option)99, "x"));
    assert_int_equal(DP_EINVALID, dp_audit_print(&text, a, DP_PLAIN));
    assert_int_equal(DP_EINVALID, dp_audit_retire(a, r, &n));
    assert_int_equal(DP_OK, dp_audit_set(a, DP_AUDIT_STRICT, 0));
    assert_int_equal(DP_ESYNTAX, dp_audit_run(a, &path, 1, &err));
    assert_non_null(strstr(err.message, "no record has both a URL and a cluster or content"));
    assert_int_equal(DP_EINVALID, dp_audit_run(a, &path, 1, &err));
    dp_audit_free(a);
    a = audit(r, dp_temp_write("records", dp_str_c(records)));
    assert_int_equal(DP_OK, dp_rules_new(&other));
    assert_int_equal(DP_EINVALID, dp_audit_retire(a, other, &n));
    dp_rules_free(other);
    dp_audit_free(a);
    dp_rules_free(r);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    const char *path = dp_temp_write("records", dp_str_c(records));
    DP_EVERY_ALLOC_FAILURE
    {
        dp_audit *a = NULL;
        dp_rules *r = NULL;
        dp_text  *text = NULL;
        size_t    n;
        dp_err    code = dp_rules_new(&r);
        if (code == DP_OK)
            code = dp_rules_parse(r, "test", rules_text, sizeof rules_text - 1, NULL);
        if (code == DP_OK)
            code = dp_audit_new(&a, r, NULL);
        if (code == DP_OK)
            code = dp_audit_run(a, &path, 1, NULL);
        if (code == DP_OK)
            code = dp_audit_print(&text, a, dp_alloc_count() % 2 ? DP_JSON : DP_PLAIN);
        if (code == DP_OK)
            code = dp_audit_retire(a, r, &n);
        if (code != DP_OK)
            assert_true(dp_alloc_failed() && code == DP_ENOMEM);
        dp_text_free(text);
        dp_audit_free(a);
        dp_rules_free(r);
    }
}

/* Votes by kind of URL: `u` is wrong on all of them, and nobody has a vote where the URL asked about is. */
static void explains_a_merge(void **state)
{
    (void)state;
    dp_rules  *r = rules_of(rules_text), *others = rules_of("dustpan-rules 1\n");
    dp_audit  *a = audit(r, dp_temp_write("records", dp_str_c(records)));
    dp_engine *e = NULL;
    dp_text   *text = NULL;
    int        same = 0;
    assert_int_equal(DP_OK, dp_engine_new(&e, r, 0, 0, NULL));
    assert_int_equal(DP_OK, dp_explain_evidence(&text, e, r, a, DP_KEY, "http://a.com/f/z.png?u=9",
                                                "http://a.com/f/z.png", DP_PLAIN, &same));
    assert_int_equal(1, same);
    assert_non_null(strstr(dp_text_data(text), "records: broken, 0 votes for, 3 against"));
    assert_non_null(strstr(dp_text_data(text), "      0        3       3  pages, depth 1, with parameters\n"));
    assert_non_null(strstr(dp_text_data(text), "> "));
    assert_non_null(strstr(dp_text_data(text), "images under /f/, depth 2, with parameters\n"));
    assert_non_null(strstr(dp_text_data(text), "no vote comes from URLs like these"));
    dp_text_free(text);
    assert_int_equal(DP_EINVALID, dp_explain_evidence(&text, e, others, NULL, DP_KEY, "a.com/", NULL, DP_PLAIN, &same));
    assert_int_equal(DP_EINVALID, dp_explain_evidence(&text, e, others, a, DP_KEY, "a.com/", NULL, DP_PLAIN, &same));
    dp_engine_free(e);
    dp_audit_free(a);
    dp_rules_free(r);
    dp_rules_free(others);
}

static void explaining_survives_every_allocation_failure(void **state)
{
    (void)state;
    dp_rules  *r = rules_of(rules_text);
    dp_audit  *a = audit(r, dp_temp_write("records", dp_str_c(records)));
    dp_engine *e = NULL;
    assert_int_equal(DP_OK, dp_engine_new(&e, r, 0, 0, NULL));
    DP_EVERY_ALLOC_FAILURE
    {
        dp_text *text = NULL;
        int      same;
        dp_err   code = dp_explain_evidence(&text, e, r, a, DP_KEY, "http://a.com/z?u=9&s=1", "http://a.com/z",
                                            dp_alloc_count() % 2 ? DP_JSON : DP_PLAIN, &same);
        if (code != DP_OK)
            assert_true(dp_alloc_failed() && code == DP_ENOMEM);
        dp_text_free(text);
    }
    dp_engine_free(e);
    dp_audit_free(a);
    dp_rules_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(odds_are_those_of_the_table),
        cmocka_unit_test(rules_that_keep_their_promise_are_seldom_broken),
        cmocka_unit_test(clusters_agree_by_their_share_of_good_merges),
        cmocka_unit_test_teardown(finds_and_retires_what_is_broken, dp_temp_remove),
        cmocka_unit_test_teardown(masks_examples, dp_temp_remove),
        cmocka_unit_test_teardown(refuses_what_makes_no_sense, dp_temp_remove),
        cmocka_unit_test_teardown(survives_every_allocation_failure, dp_temp_remove),
        cmocka_unit_test_teardown(explains_a_merge, dp_temp_remove),
        cmocka_unit_test_teardown(explaining_survives_every_allocation_failure, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
