/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "url/mask.h"

static void hides_what_may_be_secret(void **state)
{
    (void)state;
    static const struct { const char *url, *want; } cases[] = {
        {"http://a.com/x?p=2", "http://a.com/x?p=2"},
        {"http://me:pw@a.com/x", "http://xxx@a.com/x"},
        {"http://a@b@a.com/x@y", "http://xxx@a.com/x@y"},
        {"//me:pw@a.com/", "//xxx@a.com/"},
        {"http://a.com/x?token=1&p=2", "http://a.com/x?token=xxx&p=2"},
        {"http://a.com/x?p=2&ApiKey=a/b?c=d;q=1", "http://a.com/x?p=2&ApiKey=xxx;q=1"},
        {"http://a.com/x;jsessionid=12/y;v=1?q#f", "http://a.com/x;jsessionid=xxx/y;v=1?q#f"},
        {"http://a.com/?sid=1#sid=1", "http://a.com/?sid=xxx#sid=1"},
        {"http://a.com/?sid=&sid&sid=1", "http://a.com/?sid=&sid&sid=xxx"},
        {"mailto:me@a.com", "xxx@a.com"},
        {"?password=1", "?password=xxx"},
        {"", ""},
    };
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_buf b = {0};
        dp_mask_url(&b, dp_str_c(cases[i].url), NULL, 0);
        dp_buf_byte(&b, 0);
        assert_string_equal(cases[i].want, b.p);
        dp_buf_done(&b);
    }
}

static void hides_what_a_rule_dropped_or_erased(void **state)
{
    (void)state;
    static const struct { const char *url, *key, *want; } cases[] = {
        {"http://a/?q=1&r=2", "http://a/?r=2", "http://a/?q=xxx&r=2"},
        {"http://a/?q=1&r=2", "http://a/?q=*&r=2", "http://a/?q=xxx&r=2"},
        {"http://a/?q=1&r=2", "http://a/?r=3&q=1", "http://a/?q=1&r=2"}, /* a value that was set is shown */
        {"http://a/?q=1", "http://a/?xq=1", "http://a/?q=xxx"},
        {"http://a/x;v=1", "http://a/x", "http://a/x;v=xxx"},
    };
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_buf b = {0};
        dp_str key = dp_str_c(cases[i].key);
        dp_mask_url(&b, dp_str_c(cases[i].url), &key, 1);
        dp_buf_byte(&b, 0);
        assert_string_equal(cases[i].want, b.p);
        dp_buf_done(&b);
    }
}

static void an_example_shows_what_cannot_be_a_secret(void **state)
{
    (void)state;
    static const struct { const char *url, *want; } cases[] = { /* all of it was dropped */
        {"http://a/?page=12&per=100", "http://a/?page=12&per=100"},
        {"http://a/?id=4711", "http://a/?id=xxx"},
        {"http://a/?utm_source=mail&sort=price-desc", "http://a/?utm_source=mail&sort=price-desc"},
        {"http://a/?view=Print&lang=EN", "http://a/?view=Print&lang=EN"},
        {"http://a/?s=f3a8&t=deadbeef99", "http://a/?s=xxx&t=xxx"},
        {"http://a/?x=aGVsbG8", "http://a/?x=xxx"},
        {"http://a/?x=qwrtpsdfg&y=a", "http://a/?x=xxx&y=xxx"},
        {"http://a/?x=one-two-three-four", "http://a/?x=xxx"},
        {"http://a/?x=-", "http://a/?x=xxx"},
        {"http://a/?user=alice&LoginName=bob", "http://a/?user=xxx&LoginName=xxx"},
        {"http://a/?token=mail&page=2", "http://a/?token=xxx&page=2"},
        {"http://me:pw@a/?page=2", "http://xxx@a/?page=2"},
    };
    dp_buf moved = {0};
    dp_str wiki = DP_STR("http://a/wiki/Otter_2?s=9f1");
    dp_mask_example(&moved, DP_STR("http://a/?title=Otter_2&t=9f1"), &wiki, 1);
    dp_buf_byte(&moved, 0);
    assert_string_equal("http://a/?title=Otter_2&t=xxx", moved.p);
    dp_buf_done(&moved);
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_buf b = {0};
        dp_str key = DP_STR("http://a/");
        dp_mask_example(&b, dp_str_c(cases[i].url), &key, 1);
        dp_buf_byte(&b, 0);
        assert_string_equal(cases[i].want, b.p);
        dp_buf_done(&b);
    }
}

static void lines_are_cut_and_made_printable(void **state)
{
    (void)state;
    char out[12], big[10000];
    dp_mask_line(out, sizeof out, DP_STR("a\tb\xff"));
    assert_string_equal("a?b?", out);
    dp_mask_line(out, sizeof out, DP_STR("12345678901"));
    assert_string_equal("12345678901", out);
    dp_mask_line(out, sizeof out, DP_STR("123456789012"));
    assert_string_equal("12345678...", out);
    memset(big, 'x', sizeof big);
    dp_mask_line(out, sizeof out, (dp_str){big, sizeof big});
    assert_string_equal("xxxxxxxx...", out);
}

static void nobody_who_has_asked_is_shown(void **state)
{
    (void)state;
    static const struct { const char *text, *want; } cases[] = {
        {"http://a.com/x?203.0.113.77?GET", "http://a.com/x?************?GET"},
        {"/x?client=2001:db8:1::5&a=1", "/x?client=*************&a=1"},
        {"/x@203.0.113.7", "/x@***********"},
        {"h.example|2001:db8::17|frank|GET /a", "a.a|9:a::9|a|a /a"},
        {"h1 - frank [x]", "a - a [a]"},
    };
    char out[64];
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_mask_stray(out, sizeof out, dp_str_c(cases[i].text));
        assert_string_equal(cases[i].want, out);
    }
    dp_mask_shape(out, 4, DP_STR("a.b.c"));
    assert_string_equal("a.a", out);
}

static void knows_what_is_of_one_person(void **state)
{
    (void)state;
    static const char *const yes[] = {"alice.smith%40example.org", "a@b.org", "203.0.113.77", "2001:db8::1",
                                      "2001%3Adb8%3A%3A1"};
    static const char *const no[] = {"", "2.4", "1.2.3", "alice", "a@b", "@b.org", "12:30", "index.html"};
    for (size_t i = 0; i < DP_COUNT(yes); i++)
        assert_true(dp_mask_is_personal(dp_str_c(yes[i])));
    for (size_t i = 0; i < DP_COUNT(no); i++)
        assert_false(dp_mask_is_personal(dp_str_c(no[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hides_what_may_be_secret),
        cmocka_unit_test(hides_what_a_rule_dropped_or_erased),
        cmocka_unit_test(an_example_shows_what_cannot_be_a_secret),
        cmocka_unit_test(lines_are_cut_and_made_printable),
        cmocka_unit_test(nobody_who_has_asked_is_shown),
        cmocka_unit_test(knows_what_is_of_one_person),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
