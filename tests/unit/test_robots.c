/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "live/robots.h"
#include "support/failing_alloc.h"

static const struct {
    const char *text, *path;
    bool        allowed;
} cases[] = {
    /* the examples of RFC 9309, 2.2.2, 2.2.3, 5.1, 5.2 */
    {"user-agent: dustpan\nallow: /p\ndisallow: /\n", "/page", true},
    {"user-agent: dustpan\nallow: /folder\ndisallow: /folder\n", "/folder/page", true},
    {"user-agent: dustpan\nallow: /page\ndisallow: /*.htm\n", "/page.htm", false},
    {"user-agent: dustpan\nallow: /page\ndisallow: /*.ph\n", "/page.php5", true},
    {"user-agent: dustpan\nallow: /$\ndisallow: /\n", "/", true},
    {"user-agent: dustpan\nallow: /$\ndisallow: /\n", "/page.htm", false},
    {"user-agent: *\ndisallow: *.gif$\ndisallow: /example/\nallow: /publications/\n", "/x/y.gif", false},
    {"user-agent: *\ndisallow: *.gif$\ndisallow: /example/\nallow: /publications/\n", "/x/y.gif?z", true},
    {"user-agent: *\ndisallow: /example/page/disallowed.gif\nallow: /example/page/\n", "/example/page/a", true},
    {"user-agent: *\ndisallow: /example/page/disallowed.gif\nallow: /example/page/\n",
     "/example/page/disallowed.gif", false},
    {"user-agent: *\ndisallow: /foo/bar?baz=quz\n", "/foo/bar?baz=quz", false},
    {"user-agent: *\ndisallow: /foo/bar/\xE3\x83\x84\n", "/foo/bar/%E3%83%84", false},
    {"user-agent: *\ndisallow: /foo/bar/%E3%83%84\n", "/foo/bar/%E3%83%84", false},
    {"user-agent: *\ndisallow: /foo/bar/%62%61%7A\n", "/foo/bar/baz", false},
    {"user-agent: *\ndisallow: /path/file-with-a-%2A.html\n", "/path/file-with-a-%2A.html", false},
    {"user-agent: *\ndisallow: /path/file-with-a-%2A.html\n", "/path/file-with-a-b.html", true},
    {"user-agent: *\ndisallow: /path/foo-%24\n", "/path/foo-%24x", false},
    {"user-agent: *\nallow: *.gif$\ndisallow: /example/\n", "/example/a.gif", false},
    /* groups */
    {"user-agent: *\ndisallow: /\nuser-agent: dustpan\ndisallow: /x\n", "/y", true},
    {"user-agent: *\ndisallow: /\nuser-agent: dustpan\ndisallow: /x\n", "/x", false},
    {"user-agent: DustPan/2.0 (beta)\ndisallow: /x\n", "/x", false},
    {"user-agent: dustpanner\ndisallow: /x\n", "/x", true},
    {"user-agent: dustpan\ndisallow: /a\nuser-agent: other\ndisallow: /b\nuser-agent: dustpan\ndisallow: /c\n", "/c",
     false},
    {"user-agent: dustpan\ndisallow: /a\nuser-agent: other\ndisallow: /b\nuser-agent: dustpan\ndisallow: /c\n", "/b",
     true},
    {"user-agent: other\nuser-agent: dustpan\nsitemap: http://a.com/s\ndisallow: /a\n", "/a", false},
    {"user-agent: dustpan\nuser-agent: other\n\ndisallow: /a\n", "/a", false},
    {"user-agent: dustpan\nuser-agent: *\ndisallow:\n", "/a", true},
    {"user-agent: dustpan\nallow: /only\n\nuser-agent: *\ndisallow: /\n", "/else", true},
    {"disallow: /\n", "/a", true}, /* of no group */
    {"user-agent: other\ndisallow: /\n", "/a", true},
    {"", "/a", true},
    /* lines */
    {"\xEF\xBB\xBFUser-Agent : * # all\r\nDisallow\t:\t/a # because\r\n", "/a", false},
    {"user-agent: *\rdisallow: /a\rdisallow: /b", "/b", false},
    {"user-agent: *\ndisallow /a\n<html>\ndisallow: a\n", "/a", true},
    {"user-agent: *\ndisallow: /\n", "/robots.txt", true},
    {"user-agent: *\ndisallow: /a*b*c$\n", "/aXbYbZc", false},
    {"user-agent: *\ndisallow: /a*b*c$\n", "/aXbYbZcd", true},
    {"user-agent: *\ndisallow: /a**$\n", "/a", false},
    {"user-agent: *\ndisallow: /$x\n", "/$x", false},
    {"user-agent: *\ndisallow: *\n", "/any", false},
};

static void decides_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_arena  a = {0};
        dp_buf    printed = {0};
        dp_robots r, again;
        assert_int_equal(DP_OK, dp_robots_read(&r, dp_str_c(cases[i].text), DP_STR("dustpan"), &a));
        if (dp_robots_allow(&r, dp_str_c(cases[i].path)) != cases[i].allowed)
            fail_msg("row %zu: %s", i, cases[i].path);
        dp_robots_print(&printed, &r);
        assert_int_equal(DP_OK, dp_robots_read(&again, dp_buf_view(&printed), DP_STR("x"), &a));
        if (dp_robots_allow(&again, dp_str_c(cases[i].path)) != cases[i].allowed)
            fail_msg("row %zu, printed and read again: %s", i, cases[i].path);
        dp_buf_done(&printed);
        dp_arena_done(&a);
    }
}

static double delay_of(const char *text)
{
    dp_arena  a = {0};
    dp_robots r;
    assert_int_equal(DP_OK, dp_robots_read(&r, dp_str_c(text), DP_STR("dustpan"), &a));
    dp_arena_done(&a);
    return r.delay;
}

static void notes_the_delay(void **state)
{
    (void)state;
    assert_float_equal(2.5, delay_of("user-agent: *\ncrawl-delay: 2.5\n"), 1e-9);
    assert_float_equal(7, delay_of("user-agent: *\ncrawl-delay: 3\nuser-agent: dustpan\nCrawl-Delay: 7\n"), 1e-9);
    assert_float_equal(0, delay_of("user-agent: *\ncrawl-delay: soon\n"), 1e-9);
    assert_float_equal(3600, delay_of("user-agent: *\ncrawl-delay: 99999999999999999999\n"), 1e-9);
}

static void reads_500_KiB(void **state)
{
    (void)state;
    dp_arena  a = {0};
    dp_buf    text = {0};
    dp_robots r;
    dp_buf_c(&text, "user-agent: *\n");
    while (text.n < DP_ROBOTS_MAX - 10)
        dp_buf_c(&text, "#\n");
    dp_buf_c(&text, "disallow: /late\ndisallow: /later\n"); /* begins within, ends beyond */
    assert_int_equal(DP_OK, dp_robots_read(&r, dp_buf_view(&text), DP_STR("dustpan"), &a));
    assert_int_equal(0, r.n);
    dp_buf_done(&text);
    dp_arena_done(&a);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    DP_EVERY_ALLOC_FAILURE
    {
        dp_arena  a = {0};
        dp_robots r;
        dp_str    text = DP_STR("user-agent: *\ndisallow: /a\nallow: /b\ndisallow: /c\n");
        dp_err    e = dp_robots_read(&r, text, DP_STR("x"), &a);
        assert_int_equal(e, dp_alloc_failed() ? DP_ENOMEM : DP_OK);
        dp_arena_done(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decides_the_table),
        cmocka_unit_test(notes_the_delay),
        cmocka_unit_test(reads_500_KiB),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
