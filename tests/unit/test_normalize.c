/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/failing_alloc.h"
#include "url/normalize.h"

/* tests/cases/stage0.test has docs/rule-format.md 8.2 line by line; this table is about how its parts meet. */
static const struct {
    const char *url, *want; /* NULL: no URL */
} cases[] = {
    {"HTTP://A.com:80/x/../%7Eb?&q=%c3#top", "http://a.com/~b?q=%C3"}, /* the header's */
    {"http://a.com", "http://a.com/"},
    {"http://a.com?x", "http://a.com/?x"},
    {"http://a.com#x", "http://a.com/"},
    {"http://a.com/#?x", "http://a.com/"},

    /* dot segments after the percent pass, RFC 3986 5.4 */
    {"http://a/b/c/./../../g", "http://a/g"},
    {"http://a/mid/content=5/../6", "http://a/mid/6"},
    {"http://a/../../g", "http://a/g"},
    {"http://a/b/%2e%2E/g", "http://a/g"},
    {"http://a/b/%252e%252e/g", "http://a/b/%252e%252e/g"},
    {"http://a/b/..", "http://a/"},
    {"http://a/b/../", "http://a/"},
    {"http://a/b/.", "http://a/b/"},
    {"http://a/b//../c", "http://a/b/c"},
    {"http://a//..//c", "http://a//c"},
    {"http://a/...", "http://a/..."},
    {"http://a/..;x/b", "http://a/..;x/b"},
    {"http://a/?/../b", "http://a/?/../b"},
    {"http://a/b%2F../c", "http://a/b%2F../c"}, /* an escaped slash ends no segment */

    /* pairs of zero bytes */
    {"http://a/?", "http://a/"},
    {"http://a/?&", "http://a/"},
    {"http://a/?&;&", "http://a/"},
    {"http://a/?;b", "http://a/?b"},
    {"http://a/?b;", "http://a/?b"},
    {"http://a/?b&;c", "http://a/?b;c"}, /* the separator before a pair goes with the pair */
    {"http://a/?b;&c", "http://a/?b&c"},
    {"http://a/?=&==", "http://a/?=&=="},
    {"http://a/??", "http://a/??"},
    {"http://a/?%26", "http://a/?%26"},

    /* origin */
    {"HtTpS://A:443/", "https://a/"},
    {"https://a:80/", "https://a:80/"},
    {"http://a:/", "http://a/"},
    {"http://a:0/", "http://a:0/"},
    {"http://a:00000000000000000000081/", "http://a:81/"},
    {"http://a:65535/", "http://a:65535/"},
    {"http://a:65536/", NULL},
    {"http://a:99999999999999999999999/", NULL},
    {"ws://a:80/", "ws://a/"},
    {"wss://a:443/", "wss://a/"},
    {"ftp://a:21/", "ftp://a/"},
    {"gopher://a:70/", "gopher://a:70/"},
    {"http://u:p@A/", "http://u:p@a/"},
    {"http://%75%3A@v@A/", "http://u%3A@v@a/"},
    {"http://@a/", "http://@a/"},
    {"http://:@a/", "http://:@a/"},
    {"http://u\xC3\xBC@a/", "http://u%C3%BC@a/"},
    {"http://[2001:DB8::1]:80/", "http://[2001:db8::1]/"},
    {"http://[2001:DB8::1]:81", "http://[2001:db8::1]:81/"},
    {"http://B\xC3\x9C" "CHER.ch/\xC3\xBC?\xC3\xBC", "http://xn--bcher-kva.ch/%C3%BC?%C3%BC"},
    {"http://b%C3%BCcher.ch/", "http://xn--bcher-kva.ch/"},
    {"http://a%2fb/", NULL},
    {"http://a b/", NULL},
    {"http://a\xFF/", NULL},

    /* no scheme */
    {"A.com", "a.com/"},
    {"a.com:80", "a.com/"},
    {"a.com:443/x", "a.com:443/x"},
    {"a.com.", "a.com./"},
    {"B\xC3\x9C" "CHER.ch", "xn--bcher-kva.ch/"},
    {"a\xE3\x80\x82" "b.c", "a.b.c/"},
    {"a\xE3\x80\x82" "b", NULL}, /* no dot yet when it is read */
    {"a.com:70000", NULL},
    {"a.com:", NULL},
    {"127.0.0.1", "127.0.0.1/"},
    {"a.\xFF", NULL},
    {"mailto:a@b.com", NULL},
};

static void stage_0_is_that_of_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_buf got = {0};
        bool   ok = dp_normalize(&got, dp_str_c(cases[i].url));
        if (ok != (cases[i].want != NULL))
            fail_msg("'%s' is %s URL", cases[i].url, ok ? "a" : "no");
        dp_buf_byte(&got, 0);
        if (ok)
            assert_string_equal(cases[i].want, got.p);
        dp_buf_done(&got);
    }
}

static void stage_0_text_stays(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_buf got = {0};
        if (!cases[i].want)
            continue;
        assert_true(dp_normalize(&got, dp_str_c(cases[i].want)));
        assert_true(dp_str_eq(dp_str_c(cases[i].want), dp_buf_view(&got)));
        dp_buf_done(&got);
    }
}

static void nul_bytes_are_escaped_outside_the_host(void **state)
{
    (void)state;
    dp_buf got = {0};
    assert_true(dp_normalize(&got, DP_STR("http://\0@a/\0?\0=\0#\0")));
    assert_true(dp_str_eq(DP_STR("http://%00@a/%00?%00=%00"), dp_buf_view(&got)));
    assert_false(dp_normalize(&got, DP_STR("http://a\0/")));
    dp_buf_done(&got);
}

static void what_is_no_url_leaves_the_buffer_as_it_was(void **state)
{
    (void)state;
    static const char *const bad[] = {"", "x", "http://", "http://u@a b/x", "http://u@a:70000/"};
    for (size_t i = 0; i < DP_COUNT(bad); i++) {
        dp_buf got = {0};
        dp_buf_c(&got, "kept");
        assert_false(dp_normalize(&got, dp_str_c(bad[i])));
        assert_true(dp_str_eq(DP_STR("kept"), dp_buf_view(&got)));
        dp_buf_done(&got);
    }
    dp_buf none = {0};
    assert_false(dp_normalize(&none, (dp_str){NULL, 0}));
    dp_buf_done(&none);
}

static void appends_to_what_the_buffer_holds(void **state)
{
    (void)state;
    dp_buf got = {0};
    assert_true(dp_normalize(&got, DP_STR("A.com")));
    assert_true(dp_normalize(&got, DP_STR("http://B/../c")));
    assert_true(dp_str_eq(DP_STR("a.com/http://b/c"), dp_buf_view(&got)));
    dp_buf_done(&got);
}

static const struct {
    const char *before, *unit, *want_before, *want_unit; /* both repeated equally often */
} long_cases[] = {
    {"http://a/", "a", "http://a/", "a"},
    {"http://a", "/.", "http://a/", ""},
    {"http://a/b", "/%2e%2e", "http://a/", ""},
    {"http://a", "/", "http://a", "/"},
    {"http://a/", "\xFF", "http://a/", "%FF"},
    {"http://a/", "%", "http://a/", "%25"},
    {"http://a/?", "&", "http://a/", ""},
    {"http://a/?", "a&", "http://a/?", NULL}, /* the last '&' goes */
    {"http://", "A", "http://", NULL},        /* '/' comes behind */
};

static void a_megabyte_is_normalised(void **state)
{
    (void)state;
    enum { TIMES = 1 << 20 };
    for (size_t i = 0; i < DP_COUNT(long_cases); i++) {
        dp_buf url = {0}, want = {0}, got = {0}, again = {0};
        dp_buf_c(&url, long_cases[i].before);
        dp_buf_c(&want, long_cases[i].want_before);
        for (int t = 0; t < TIMES; t++) {
            dp_buf_c(&url, long_cases[i].unit);
            if (long_cases[i].want_unit)
                dp_buf_c(&want, long_cases[i].want_unit);
        }
        assert_true(dp_normalize(&got, dp_buf_view(&url)));
        if (long_cases[i].want_unit)
            assert_true(dp_str_eq(dp_buf_view(&want), dp_buf_view(&got)));
        else
            assert_true(dp_str_starts(dp_buf_view(&got), dp_buf_view(&want)));
        assert_true(dp_normalize(&again, dp_buf_view(&got)));
        assert_true(dp_str_eq(dp_buf_view(&got), dp_buf_view(&again)));
        dp_buf_done(&url);
        dp_buf_done(&want);
        dp_buf_done(&got);
        dp_buf_done(&again);
    }
}

static const struct {
    const char *url;
    size_t      max_empty;
    bool        forbids;
} forbidden_cases[] = {
    {"http://a/x", 0, false},    {"http://a", 0, false},     {"http://a/", 0, false},   {"http://a/x/", 0, false},
    {"http://a/./x", 0, true},   {"http://a/..", 0, true},   {"http://a/x/.", 9, true}, {"http://a/...", 0, false},
    {"http://a//x", 0, true},    {"http://a//x", 1, false},  {"http://a//", 0, true},   {"http://a///x", 1, true},
    {"http://a/?/../", 0, false}, {"http://a/%2e", 0, false}, {"a.com/../", 0, true},    {"no url", 9, true},
};

static void forbidden_results_are_those_of_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(forbidden_cases); i++) {
        const char *url = forbidden_cases[i].url;
        size_t      max_empty = forbidden_cases[i].max_empty;
        if (dp_normalize_forbids(dp_str_c(url), max_empty) != forbidden_cases[i].forbids)
            fail_msg("%s, %zu", url, max_empty);
    }
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    static const char *const urls[] = {"http://u@\xC3\xBC.ch:81/a/../b?c&&d", "A.com", "http://[::1]/"};
    char                     path[600]; /* so that the buffer grows more than once */
    memset(path, ' ', sizeof path);
    for (size_t i = 0; i < DP_COUNT(urls); i++)
        DP_EVERY_ALLOC_FAILURE {
            dp_buf url = {0}, out = {0};
            dp_buf_c(&url, urls[i]);
            dp_buf_byte(&url, '/');
            dp_buf_add(&url, path, sizeof path);
            bool ok = !url.failed && dp_normalize(&out, dp_buf_view(&url));
            assert_int_equal(!dp_alloc_failed(), ok);
            assert_int_equal(dp_alloc_failed(), url.failed || out.failed);
            if (!ok)
                assert_int_equal(0, out.n);
            dp_buf_done(&url);
            dp_buf_done(&out);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stage_0_is_that_of_the_table),
        cmocka_unit_test(stage_0_text_stays),
        cmocka_unit_test(nul_bytes_are_escaped_outside_the_host),
        cmocka_unit_test(what_is_no_url_leaves_the_buffer_as_it_was),
        cmocka_unit_test(appends_to_what_the_buffer_holds),
        cmocka_unit_test(a_megabyte_is_normalised),
        cmocka_unit_test(forbidden_results_are_those_of_the_table),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
