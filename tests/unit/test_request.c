/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "input/format/request.h"

static void cuts_request_lines(void **state)
{
    (void)state;
    static const struct { const char *text, *method, *target, *why; } cases[] = {
        {"GET /a?b=1 HTTP/1.1", "", "/a?b=1", NULL},
        {"POST / HTTP/1.0", "POST", "/", NULL},
        {"HEAD /x HTTP/2.0", "HEAD", "/x", NULL},
        {"GET /a b c HTTP/1.1", "", "/a b c", NULL}, /* blanks in the path */
        {"GET /a", "", "/a", NULL},                  /* HTTP/0.9 */
        {"GET // HTTP/1.1", "", "//", NULL},
        {"-", NULL, NULL, "the request is missing"},
        {"", NULL, NULL, "the request is missing"},
        {"GET", NULL, NULL, "malformed request: a"},
        {"get / HTTP/1.1", NULL, NULL, "malformed request: a / a/9.9"},
        {"GET http://b.com/ HTTP/1.1", "", "http://b.com/", NULL},
        {"GET x HTTP/1.1", NULL, NULL, "the request is not for a path: 'x'"},
        {"GET  HTTP/1.1", NULL, NULL, "the request is not for a path: ''"},
    };
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_str  method = {0}, target = {0};
        dp_why  why = {""};
        dp_line kind = dp_request_split(dp_str_c(cases[i].text), &method, &target, &why);
        assert_int_equal(cases[i].why ? DP_LINE_BAD : DP_LINE_RECORD, kind);
        assert_int_equal(kind, dp_request_split(dp_str_c(cases[i].text), &method, &target, NULL));
        if (cases[i].why)
            assert_string_equal(cases[i].why, why.text);
        else
            assert_true(dp_str_eq(dp_str_c(cases[i].method), method) && dp_str_eq(dp_str_c(cases[i].target), target));
    }
}

static void some_requests_are_for_no_page(void **state)
{
    (void)state;
    static const char *const cases[] = {"\x16\x03\x01", "\x80 /", "OPTIONS * HTTP/1.0", "CONNECT a.com:443 HTTP/1.1"};
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_str method, target;
        assert_int_equal(DP_LINE_NO_PAGE, dp_request_split(dp_str_c(cases[i]), &method, &target, NULL));
    }
}

/* The whole URL in the request of a client. */
static void takes_a_whole_url_of_its_own_host(void **state)
{
    (void)state;
    static const struct { const char *base, *host, *url; bool own; } cases[] = {
        {"https://a.com", "", "http://a.com/x?y", true},  {"https://a.com", "", "http://A.com:8080/", true},
        {"https://a.com", "", "http://b.com/", false},    {"https://a.com", "b.com:443", "http://b.com/", true},
        {"https://a.com", "b.com", "http://a.com/", false}, {NULL, "", "http://a.com/", false},
        {NULL, "a.com", "http://u@a.com/", false},
    };
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_origin o;
        dp_place  place = {.scheme = DP_STR(""), .host = dp_str_c(cases[i].host), .port = DP_STR("")};
        assert_int_equal(DP_OK, dp_origin_init(&o, cases[i].base, NULL));
        dp_line kind = dp_origin_join(&o, &place, dp_str_c(cases[i].url), DP_STR(""), NULL);
        assert_int_equal(cases[i].own ? DP_LINE_RECORD : DP_LINE_BAD, kind);
        if (cases[i].own)
            assert_true(dp_str_eq(dp_str_c(cases[i].url), dp_buf_view(&o.url)));
        dp_origin_done(&o);
    }
}

static void undoes_escapes(void **state)
{
    (void)state;
    static const struct { const char *text, *want; } cases[] = {
        {"/a", "/a"},          {"/\\\"x\\\\", "/\"x\\"}, {"\\x22\\xC3\\xa9", "\"\xc3\xa9"}, {"\\n\\t\\r", "\n\t\r"},
        {"\\u0022\\/", "\"/"}, {"\\q", "\\q"},           {"\\", "\\"},                      {"\\x2", "\\x2"},
        {"\\u20ac", "\\u20ac"},
    };
    dp_buf out = {0};
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_buf_reset(&out);
        dp_log_unescape(&out, dp_str_c(cases[i].text));
        if (!dp_str_eq(dp_str_c(cases[i].want), dp_buf_view(&out)))
            fail_msg("%s: %.*s", cases[i].text, DP_FMT(dp_buf_view(&out)));
    }
    dp_buf_done(&out);
}

static void finds_the_origin(void **state)
{
    (void)state;
    static const struct { const char *base, *scheme, *host, *port, *query, *want; } cases[] = {
        {"https://a.com", "", "", "", "", "https://a.com/p"},
        {"https://a.com:8443/", "", "", "", "", "https://a.com:8443/p"},
        {"https://[::1]/", "", "-", "", "", "https://[::1]/p"},
        {"https://a.com", "", "b.com", "", "", "https://b.com/p"}, /* the line's host, the scheme of --base-url */
        {"https://a.com", "", "b.com", "80", "", "http://b.com/p"},
        {NULL, "", "b.com", "", "", "http://b.com/p"},
        {NULL, "", "b.com", "443", "", "https://b.com/p"},
        {NULL, "", "b.com:443", "", "", "https://b.com/p"},
        {NULL, "", "b.com:80", "", "", "http://b.com/p"},
        {NULL, "", "b.com:8080", "", "", "http://b.com:8080/p"},
        {NULL, "https", "b.com", "8443", "", "https://b.com:8443/p"},
        {NULL, "https", "b.com", "443", "", "https://b.com/p"},
        {NULL, "http", "b.com", "443", "", "http://b.com:443/p"},
        {NULL, "", "[::1]:8080", "", "", "http://[::1]:8080/p"},
        {NULL, "", "[::1]", "", "", "http://[::1]/p"},
        {NULL, "", "b.com", "-", "x=1", "http://b.com/p?x=1"},
        {NULL, "", "b.com", "", "?x=1", "http://b.com/p?x=1"},
        {NULL, "", "b.com", "", "-", "http://b.com/p"},
        {NULL, "", "", "", "", NULL},
        {NULL, "", "b.com/evil", "", "", NULL},
        {NULL, "", "u@b.com", "", "", NULL},
    };
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_origin o;
        dp_place  place = {dp_str_c(cases[i].scheme), dp_str_c(cases[i].host), dp_str_c(cases[i].port)};
        assert_int_equal(DP_OK, dp_origin_init(&o, cases[i].base, NULL));
        dp_line kind = dp_origin_join(&o, &place, DP_STR("/p"), dp_str_c(cases[i].query), NULL);
        assert_int_equal(cases[i].want ? DP_LINE_RECORD : DP_LINE_BAD, kind);
        if (cases[i].want && !dp_str_eq(dp_str_c(cases[i].want), dp_buf_view(&o.url)))
            fail_msg("row %zu: %.*s", i, DP_FMT(dp_buf_view(&o.url)));
        dp_origin_done(&o);
    }
}

static void refuses_an_origin_that_is_none(void **state)
{
    (void)state;
    static const char *const cases[] = {"", "a.com", "/x", "http://", "http://a b:x/", "https://a.com/x",
                                       "https://a.com?x", "https://u@a.com", "https://a.com/#f"};
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_origin o;
        dp_error  err = {0};
        assert_int_equal(DP_EINVALID, dp_origin_init(&o, cases[i], &err));
        assert_non_null(strstr(err.message, "--base-url"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_request_lines),
        cmocka_unit_test(some_requests_are_for_no_page),
        cmocka_unit_test(takes_a_whole_url_of_its_own_host),
        cmocka_unit_test(undoes_escapes),
        cmocka_unit_test(finds_the_origin),
        cmocka_unit_test(refuses_an_origin_that_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
