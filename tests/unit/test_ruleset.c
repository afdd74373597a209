/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>

#include "base/str.h"
#include "dustpan.h"
#include "support/rules.h"

static const char text[] = "dustpan-rules 1\n"
                           "host www.example.com, example.com\n"
                           "drop ?sid,utm_*   [p=.998 n=212 by=]\n"
                           "likely fold case path\n"
                           "host any\n"
                           "pin drop ?fbclid\n";

static void assert_text(const char *want, const char *got, size_t n)
{
    assert_int_equal(strlen(want), n);
    assert_memory_equal(want, got, n);
}

static void answers_about_each_rule(void **state)
{
    (void)state;
    dp_rules   *r = rules_of(text);
    size_t      n;
    const char *p;
    assert_int_equal(3, dp_rules_count(r));
    p = dp_rules_text(r, 0, &n);
    assert_text("drop ?sid,utm_*", p, n);
    p = dp_rules_hosts(r, 0, &n);
    assert_text("www.example.com, example.com", p, n);
    p = dp_rules_hosts(r, 2, &n);
    assert_text("any", p, n);
    p = dp_rules_attr(r, 0, "p", &n);
    assert_text(".998", p, n);
    p = dp_rules_attr(r, 0, "by", &n);
    assert_non_null(p);
    assert_int_equal(0, n);
    assert_null(dp_rules_attr(r, 0, "neg", &n));
    assert_int_equal(0, n);
    assert_int_equal(DP_ACTIVE, dp_rules_state(r, 0));
    assert_int_equal(DP_LIKELY, dp_rules_state(r, 1));
    assert_int_equal(DP_PIN, dp_rules_state(r, 2));
    dp_rules_free(r);
    dp_rules_free(NULL);
}

static void turns_rules_off_and_on(void **state)
{
    (void)state;
    dp_rules *r = rules_of(text);
    dp_text  *t;
    dp_error  err = {0};
    char      id[17];
    size_t    n = 99;
    snprintf(id, sizeof id, "%016llx", (unsigned long long)dp_rules_id(r, 1));
    assert_int_equal(DP_OK, dp_rules_turn(r, id, 0, &n, &err));
    assert_int_equal(1, n);
    assert_int_equal(DP_OFF, dp_rules_state(r, 1));
    assert_int_equal(DP_OK, dp_rules_turn(r, id, 0, &n, &err));
    assert_int_equal(0, n);
    assert_int_equal(DP_OK, dp_rules_turn(r, id, 1, &n, &err));
    assert_int_equal(DP_ACTIVE, dp_rules_state(r, 1));
    /* digits of either case, as few as one */
    assert_int_equal(DP_OK, dp_rules_turn(r, "195E483F", 0, &n, &err));
    assert_int_equal(DP_OFF, dp_rules_state(r, 0));
    assert_int_equal(DP_OK, dp_rules_turn(r, "a", 1, &n, &err));
    assert_int_equal(0, n); /* a pinned rule is on */
    assert_int_equal(DP_PIN, dp_rules_state(r, 2));
    assert_int_equal(DP_OK, dp_rules_turn(r, "a850a82513346f7c", 0, &n, &err));
    assert_int_equal(DP_OFF, dp_rules_state(r, 2));
    assert_int_equal(DP_OK, dp_rules_print(&t, r));
    assert_string_equal("dustpan-rules 1\n"
                        "host www.example.com, example.com\n"
                        "off drop ?sid,utm_*                                          [p=.998 n=212 by=]\n"
                        "fold case path\n"
                        "host any\n"
                        "off drop ?fbclid\n",
                        dp_text_data(t));
    dp_text_free(t);
    dp_rules_free(r);
}

/* A rule that audit has turned off forgets that, and when, once somebody turns it on. */
static void turns_on_what_had_ended(void **state)
{
    (void)state;
    dp_rules *r = rules_of("dustpan-rules 1\nhost a.com\n"
                           "off drop ?a [p=.99 until=2026-11-03]  # turned off: 2 pages for, 31 against\n"
                           "off drop ?b [p=.99]  # mine\n");
    dp_text  *t;
    dp_error  err = {0};
    size_t    n;
    for (size_t i = 0; i < 2; i++) {
        char id[17];
        snprintf(id, sizeof id, "%016llx", (unsigned long long)dp_rules_id(r, i));
        assert_int_equal(DP_OK, dp_rules_turn(r, id, 1, &n, &err));
    }
    assert_int_equal(DP_OK, dp_rules_print(&t, r));
    assert_string_equal("dustpan-rules 1\n"
                        "host a.com\n"
                        "drop ?a                                                      [p=.99]\n"
                        "drop ?b                                                      [p=.99]  # mine\n",
                        dp_text_data(t));
    dp_text_free(t);
    dp_rules_free(r);
}

static void refuses_ids_that_are_none(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "0123456789abcdef0", "xyz", "19 ", "195e483f0"};
    dp_rules                *r = rules_of(text);
    for (size_t i = 0; i < DP_COUNT(bad); i++) {
        dp_error err = {0};
        size_t   n = 99;
        assert_int_equal(DP_EINVALID, dp_rules_turn(r, bad[i], 0, &n, &err));
        assert_int_equal(99, n);
        assert_true(err.message[0] != 0);
    }
    assert_int_equal(DP_ACTIVE, dp_rules_state(r, 0));
    dp_rules_free(r);
}

/* A certificate speaks of the rules as they were: of all blocks of its site, and of no other. */
static void a_change_ends_the_certificate(void **state)
{
    static const char file[] = "dustpan-rules 1\n"
                               "host a.com [cert=.99/.95 n=300 pool=9 x=1]\ndrop ?a\n"
                               "host www.a.com [cert=.99/.95 n=300 pool=9]\nlikely drop ?b\n"
                               "host b.com [cert=.99/.95 n=400 pool=9]\ndrop ?c\n";
    dp_rules *r = NULL;
    dp_error  err;
    size_t    n;
    dp_text  *printed;
    (void)state;
    assert_int_equal(DP_OK, dp_rules_new(&r));
    assert_int_equal(DP_OK, dp_rules_parse(r, "test", file, sizeof file - 1, &err));
    char id[17];
    snprintf(id, sizeof id, "%016" PRIx64, dp_rules_id(r, 1));
    assert_int_equal(DP_OK, dp_rules_turn(r, id, 1, &n, &err));
    assert_int_equal(1, n);
    assert_int_equal(DP_OK, dp_rules_print(&printed, r));
    assert_string_equal(dp_text_data(printed), "dustpan-rules 1\nhost a.com [x=1]\ndrop ?a\nhost www.a.com\ndrop ?b\n"
                                            "host b.com [cert=.99/.95 n=400 pool=9]\ndrop ?c\n");
    dp_text_free(printed);
    dp_rules_free(r);
}

static void rules_below_a_precision_are_turned_off(void **state)
{
    (void)state;
    dp_rules *r = rules_of("dustpan-rules 1\nhost a.com\ndrop ?a [p=.9]\n"
                            "likely drop ?b [p=.57]\npin drop ?c [p=.1]\ndrop ?d\n");
    size_t    n;
    assert_int_equal(DP_OK, dp_rules_limit(r, .9, &n));
    assert_int_equal(1, n);
    assert_int_equal(DP_OFF, dp_rules_state(r, 1));
    assert_int_equal(DP_OK, dp_rules_limit(r, .9, &n));
    assert_int_equal(0, n);
    dp_rules_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_below_a_precision_are_turned_off),
        cmocka_unit_test(answers_about_each_rule),
        cmocka_unit_test(turns_rules_off_and_on),
        cmocka_unit_test(turns_on_what_had_ended),
        cmocka_unit_test(a_change_ends_the_certificate),
        cmocka_unit_test(refuses_ids_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
