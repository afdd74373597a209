/* learn/auto/vote/hosts: the hosts of a site, and those that a rule is written for.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "learn/auto/vote/hosts.h"
#include "support/failing_alloc.h"
#include "support/sites.h"

enum { MOST = 12 };

static const struct {
    const char *url, *host;
} names[] = {
    {"http://a.test/x", "a.test"},          {"https://www.a.test/x/y?z=//b.test/", "www.a.test"},
    {"http://a.test:8080/x", "a.test"},     {"http://user@a.test/x", "a.test"},
    {"http://user:key@a.test:81/", "a.test"}, {"http://a.test?x=1", "a.test"},
    {"http://[::1]:80/x", "[::1]"},         {"http://[::1]/x", "[::1]"},
    {"http://a.test", "a.test"},            {"a.test/x", "a.test"},
    {"http://a.test/x@y", "a.test"},        {"", ""},
};

static void finds_the_host_of_a_url(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(names); i++) {
        dp_str got = dp_host_of(dp_str_c(names[i].url));
        if (!dp_str_eq(got, dp_str_c(names[i].host)))
            fail_msg("%s: %.*s", names[i].url, DP_FMT(got));
    }
}

/* So many hosts, each in two runs of the sorted URLs: http and https. */
static void make_hosts(dp_site *s, size_t n, dp_arena *a)
{
    static char url[200][64];
    site_row    row[200];
    assert_true(2 * n <= DP_COUNT(row));
    for (size_t i = 0; i < 2 * n; i++) {
        snprintf(url[i], sizeof url[i], "%s://h%03zu.a.test/", i % 2 ? "https" : "http", i / 2);
        row[i] = (site_row){"a", url[i]};
    }
    make_site(s, row, 2 * n, a);
}

static void hosts_are_distinct_and_sorted(void **state)
{
    (void)state;
    static const size_t many[] = {0, 1, 8, 9, 16, 17, 100}; /* also more than the first array holds */
    for (size_t k = 0; k < DP_COUNT(many); k++) {
        dp_arena a = {0};
        dp_site  s;
        dp_hosts h;
        make_hosts(&s, many[k], &a);
        assert_int_equal(DP_OK, dp_hosts_init(&h, &s));
        assert_int_equal(many[k], h.n);
        for (size_t i = 0; i < h.n; i++) {
            char name[64];
            snprintf(name, sizeof name, "h%03zu.a.test", i);
            assert_true(dp_str_eq(h.v[i].name, dp_str_c(name)));
        }
        dp_hosts_done(&h);
        dp_arena_done(&a);
    }
}

#define A "http://a.test/"
#define B "http://b.a.test/"
#define C "http://c.a.test/"
#define D "http://d.a.test/"

/* Who has ?s, and what the labels say of it. */
static const struct {
    const char *what;
    site_row    row[MOST];
    const char *want, *silent; /* silent: the answer where those that say nothing count, too */
} spoken[] = {
    {"one host", {{"1", A "x"}, {"1", A "x?s=1"}}, "a.test", "a.test"},
    {"nobody has it", {{"1", A "x"}, {"2", B "x"}}, "", ""},
    {"nobody says anything", {{"1", A "x?s=1"}, {"2", B "y"}}, "", "a.test"},
    {"everybody is against", {{"1", A "x?s=1"}, {"2", A "x?s=2"}}, "", ""},
    {"as many for as against",
     {{"1", A "x"}, {"1", A "x?s=1"}, {"2", A "y"}, {"3", A "y?s=1"}}, "", ""},
    {"more for than against",
     {{"1", A "x"}, {"1", A "x?s=1"}, {"1", A "x?s=2"}, {"2", A "y"}, {"3", A "y?s=1"}}, "a.test", "a.test"},
    {"one for, one silent, one without",
     {{"1", A "x"}, {"1", A "x?s=1"}, {"2", B "y?s=1"}, {"3", C "z"}}, "a.test", "a.test, b.a.test"},
    {"one for, one against",
     {{"1", A "x"}, {"1", A "x?s=1"}, {"2", B "y"}, {"3", B "y?s=1"}}, "a.test", "a.test"},
    {"three for, one silent: all, those without it, too",
     {{"1", A "x"}, {"1", A "x?s=1"}, {"2", B "x"}, {"2", B "x?s=1"}, {"3", C "x"}, {"3", C "x?s=1"}, {"4", D "x"}},
     "a.test, b.a.test, c.a.test, d.a.test", "a.test, b.a.test, c.a.test, d.a.test"},
    {"three for, one against: the three",
     {{"1", A "x"}, {"1", A "x?s=1"}, {"2", B "x"}, {"2", B "x?s=1"}, {"3", C "x"}, {"3", C "x?s=1"}, {"4", D "x"},
      {"5", D "x?s=1"}},
     "a.test, b.a.test, c.a.test", "a.test, b.a.test, c.a.test"},
    {"three for, one with two pages that fall into one",
     {{"1", A "x"}, {"1", A "x?s=1"}, {"2", B "x"}, {"2", B "x?s=1"}, {"3", C "x"}, {"3", C "x?s=1"}, {"4", D "x?s=1"},
      {"5", D "x?s=2"}},
     "a.test, b.a.test, c.a.test", "a.test, b.a.test, c.a.test"},
    {"two for, two silent: the two",
     {{"1", A "x"}, {"1", A "x?s=1"}, {"2", B "x"}, {"2", B "x?s=1"}, {"3", C "x?s=1"}, {"4", D "x"}},
     "a.test, b.a.test", "a.test, b.a.test, c.a.test, d.a.test"},
    {"without labels nobody speaks", {{"", A "x"}, {"", A "x?s=1"}, {"", A "x?s=2"}}, "", "a.test"},
};

/* Where a rule may hold that fails: some speak for it and others against it. Nowhere in particular on other rows. */
static const struct {
    const char *what, *hosts;
} split[] = {
    {"one for, one against", "a.test"},
    {"three for, one against: the three", "a.test, b.a.test, c.a.test"},
    {"three for, one with two pages that fall into one", "a.test, b.a.test, c.a.test"},
};

static const char *split_of(const char *what)
{
    for (size_t i = 0; i < DP_COUNT(split); i++)
        if (strcmp(split[i].what, what) == 0)
            return split[i].hosts;
    return "";
}

static void a_rule_is_written_for_those_who_speak_for_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(spoken); i++) {
        dp_arena  a = {0};
        dp_site   s;
        dp_forms  f;
        dp_ballot b;
        dp_hosts  h;
        dp_idea   idea = {.text = {DP_STR("drop ?s")}};
        make_site(&s, spoken[i].row, MOST, &a);
        assert_int_equal(DP_OK, dp_hosts_init(&h, &s));
        assert_int_equal(DP_OK, dp_forms_init(&f, &s, true, NULL, NULL));
        assert_int_equal(DP_OK, dp_ballot_init(&b, &f, &idea, 1, NULL, NULL));
        for (int silent = 1; silent >= 0; silent--) { /* what was counted before does not matter */
            dp_str got = dp_hosts_for(&h, &b, 0, silent, &a);
            assert_non_null(got.p);
            if (!dp_str_eq(got, dp_str_c(silent ? spoken[i].silent : spoken[i].want)))
                fail_msg("%s: %.*s", spoken[i].what, DP_FMT(got));
        }
        dp_str some = dp_hosts_split(&h, &b, 0, &a);
        assert_non_null(some.p);
        if (!dp_str_eq(some, dp_str_c(split_of(spoken[i].what))))
            fail_msg("%s: split: %.*s", spoken[i].what, DP_FMT(some));
        dp_ballot_done(&b);
        dp_forms_done(&f);
        dp_hosts_done(&h);
        dp_arena_done(&a);
    }
}

/* A form speaks for its own host, though what it is merged with lies on another. */
static void every_form_speaks_for_its_own_host(void **state)
{
    (void)state;
    static const site_row rows[] = {{"1", A "x"}, {"1", B "x"}, {"2", A "y"}, {"2", B "y"}, {"3", C "z"}};
    dp_arena              a = {0};
    dp_site               s;
    dp_forms              f;
    dp_ballot             b;
    dp_hosts              h;
    dp_idea               idea = {.text = {DP_STR("//b.a.test/{**} => //a.test/{**}")}};
    make_site(&s, rows, DP_COUNT(rows), &a);
    assert_int_equal(DP_OK, dp_hosts_init(&h, &s));
    assert_int_equal(DP_OK, dp_forms_init(&f, &s, true, NULL, NULL));
    assert_int_equal(DP_OK, dp_ballot_init(&b, &f, &idea, 1, NULL, NULL));
    assert_true(dp_str_eq(dp_hosts_for(&h, &b, 0, false, &a), DP_STR("b.a.test")));
    dp_ballot_done(&b);
    dp_forms_done(&f);
    dp_hosts_done(&h);
    dp_arena_done(&a);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    dp_arena  a = {0};
    dp_site   s;
    dp_forms  f;
    dp_ballot b;
    dp_idea   idea = {.text = {DP_STR("/ => /x")}};
    make_hosts(&s, 40, &a);
    assert_int_equal(DP_OK, dp_forms_init(&f, &s, true, NULL, NULL));
    assert_int_equal(DP_OK, dp_ballot_init(&b, &f, &idea, 1, NULL, NULL));
    DP_EVERY_ALLOC_FAILURE {
        dp_hosts h = {0};
        dp_arena own = {0};
        dp_err   code = dp_hosts_init(&h, &s);
        if (code == DP_OK && !dp_hosts_for(&h, &b, 0, true, &own).p)
            code = DP_ENOMEM;
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        dp_hosts_done(&h);
        dp_arena_done(&own);
    }
    dp_ballot_done(&b);
    dp_forms_done(&f);
    dp_arena_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_host_of_a_url),
        cmocka_unit_test(hosts_are_distinct_and_sorted),
        cmocka_unit_test(a_rule_is_written_for_those_who_speak_for_it),
        cmocka_unit_test(every_form_speaks_for_its_own_host),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests_name("hosts", tests, NULL, NULL);
}
