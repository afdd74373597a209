/* Redirects by what their clients asked for next.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "site/fact.h"

static void whoever_is_sent_on_is_known_again(void **state)
{
    (void)state;
    dp_follow f = {0};
    dp_str    from;
    assert_false(dp_follow_arrive(&f, 7, 10, DP_STR("http://a.com/b"), &from));
    assert_int_equal(DP_OK, dp_follow_note(&f, 7, 10, DP_STR("http://a.com/a")));
    assert_false(dp_follow_arrive(&f, 9, 10, DP_STR("http://a.com/b"), &from));          /* somebody else */
    assert_false(dp_follow_arrive(&f, 7, 10, DP_STR("http://a.com/logo.png"), &from));   /* of the page before */
    assert_true(dp_follow_arrive(&f, 7, 11, DP_STR("http://a.com/b"), &from));
    assert_true(dp_str_eq(from, DP_STR("http://a.com/a")));
    assert_false(dp_follow_arrive(&f, 7, 11, DP_STR("http://a.com/c"), &from));          /* once */
    assert_int_equal(DP_OK, dp_follow_note(&f, 7, 20, DP_STR("http://a.com/a")));
    assert_false(dp_follow_arrive(&f, 7, 20 + DP_FOLLOW_SECONDS + 1, DP_STR("http://a.com/b"), &from)); /* too late */
    assert_int_equal(DP_OK, dp_follow_note(&f, 7, 30, DP_STR("http://a.com/a")));
    dp_follow_reset(&f);
    assert_false(dp_follow_arrive(&f, 7, 30, DP_STR("http://a.com/b"), &from));          /* another file */
    dp_follow_done(&f);
}

static void some_targets_are_as_one_would_expect(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
        bool        want;
    } cases[] = {
        {"http://a.com/x", "http://a.com/x/", true},
        {"http://a.com/x", "https://www.a.com/x", true},
        {"http://a.com/About", "http://a.com/about", true},
        {"http://a.com/x/index.php", "http://a.com/x/", true},
        {"http://a.com/?lang=", "http://a.com/", true},
        {"http://a.com/2011/05/slug", "http://a.com/slug", true},
        {"http://a.com/private", "http://a.com/login", false},
        {"http://a.com/private", "http://a.com/", false},
    };
    for (size_t i = 0; i < DP_COUNT(cases); i++)
        assert_int_equal(cases[i].want, dp_follow_is_likely(dp_str_c(cases[i].from), dp_str_c(cases[i].to)));
}

/* A line of a log. */
static dp_record line_of(const char *url, uint16_t status, int64_t time)
{
    const uint32_t has = 1u << DP_FIELD_URL | 1u << DP_FIELD_STATUS | 1u << DP_FIELD_TIME | 1u << DP_FIELD_CLIENT;
    return (dp_record){.has = has, .url = dp_str_c(url), .status = status, .time = time, .path = "log",
                       .client = DP_STR("192.0.2.1")};
}

static void facts_of_a_log_say_who_was_sent_where(void **state)
{
    (void)state;
    dp_fact_maker m = {0};
    dp_fact       f, from;
    bool          any;
    dp_record     a = line_of("http://a.com/a", 301, 5), b = line_of("http://a.com/a/", 200, 5);
    b.referer = DP_STR("http://A.com/");
    b.etag = DP_STR("W/\"5d-a-gzip\"");
    assert_int_equal(DP_OK, dp_fact_make(&m, &f, &a, &any));
    assert_false(any);
    assert_int_equal(DP_OK, dp_fact_make(&m, &f, &b, &any));
    assert_true(any && dp_fact_followed(&m, &f, &from));
    assert_true(from.kind == DP_FACT_FOLLOWED && dp_str_eq(from.url, a.url) && dp_str_eq(from.link, b.url));
    assert_true(f.linked == 1 && f.tags.n == sizeof(dp_fact_size));
    dp_fact_size version;
    memcpy(&version, f.tags.p, sizeof version);
    b.etag = DP_STR("\"5d-a\"");
    b.status = 200;
    assert_int_equal(DP_OK, dp_fact_make(&m, &f, &b, &any));
    assert_true(any && !dp_fact_followed(&m, &f, &from));
    assert_memory_equal(f.tags.p, &version, sizeof version); /* packed on the way or not */
    b.status = 304;
    b.has |= 1u << DP_FIELD_SIZE;
    assert_int_equal(DP_OK, dp_fact_make(&m, &f, &b, &any));
    assert_true(any && f.kind == DP_FACT_PAGE && !(f.has & DP_FACT_SIZE)); /* a request for a page, of no size */
    dp_fact_maker_done(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whoever_is_sent_on_is_known_again),
        cmocka_unit_test(some_targets_are_as_one_would_expect),
        cmocka_unit_test(facts_of_a_log_say_who_was_sent_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
