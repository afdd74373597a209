/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/failing_alloc.h"
#include "url/split.h"

/* Parts are printed with a mark each: s scheme, u userinfo, h host, o port, p path, q query, f fragment. */
static const struct {
    const char *url, *want; /* NULL: no URL */
} cases[] = {
    {"http://me@a.com:80/p/q?x=1&y#f", "s<http> u<me> h<a.com> o<80> p</p/q> q<x=1&y> f<f>"},
    {"http://a", "s<http> h<a> p<>"},
    {"http://a/", "s<http> h<a> p</>"},
    {"http://a?", "s<http> h<a> p<> q<>"},
    {"http://a#", "s<http> h<a> p<> f<>"},
    {"http://a/?#", "s<http> h<a> p</> q<> f<>"},
    {"http://a/#?", "s<http> h<a> p</> f<?>"},
    {"http://a/#x#y", "s<http> h<a> p</> f<x#y>"},
    {"http://a/?x?y", "s<http> h<a> p</> q<x?y>"},
    {"http://a//b/", "s<http> h<a> p<//b/>"},

    /* schemes */
    {"HTTP://A/", "s<HTTP> h<A> p</>"},
    {"x-1.y+z://a/", "s<x-1.y+z> h<a> p</>"},
    {"a.com://b/", "s<a.com> h<b> p</>"}, /* scheme:// is asked before the dotted name */
    {"1x://a/", NULL},
    {"://a/", NULL},
    {"http:/a", NULL},
    {"http:a", NULL},
    {"http:", NULL},
    {"http//a.com/", NULL},
    {"mailto:a@b.com", NULL},
    {"javascript:alert(1)", NULL},
    {"//a.com/", NULL},
    {"/a.com/", NULL},
    {"", NULL},
    {" http://a/", NULL},

    /* authority */
    {"http:///x", NULL},
    {"http://?x", NULL},
    {"http://", NULL},
    {"http://@/", NULL},
    {"http://:80/", NULL},
    {"http://u@:80/", NULL},
    {"http://@a/", "s<http> u<> h<a> p</>"},
    {"http://u:p@a/", "s<http> u<u:p> h<a> p</>"},
    {"http://u@v@a/", "s<http> u<u@v> h<a> p</>"},
    {"http://a/@b", "s<http> h<a> p</@b>"},
    {"http://a?@b", "s<http> h<a> p<> q<@b>"},
    {"http://a#@b", "s<http> h<a> p<> f<@b>"},
    {"http://a:/", "s<http> h<a> o<> p</>"},
    {"http://a:0080/", "s<http> h<a> o<0080> p</>"},
    {"http://a:99999999/", "s<http> h<a> o<99999999> p</>"}, /* too large is for stage 0 to say */
    {"http://a:8o/", NULL},
    {"http://a:+8/", NULL},
    {"http://a:8:8/", NULL},
    {"http://[::1]/", "s<http> h<[::1]> p</>"},
    {"http://[::1]:8/", "s<http> h<[::1]> o<8> p</>"},
    {"http://u@[::1]:8/", "s<http> u<u> h<[::1]> o<8> p</>"},
    {"http://[::1/", NULL},
    {"http://[::1]x/", NULL},
    {"http://::1/", NULL},
    {"http://a b/", "s<http> h<a b> p</>"}, /* a bad host is for url/host.h to say */
    {"http://a\\b/", "s<http> h<a\\b> p</>"},

    /* no scheme: a dotted name, :digits, then / ? # or the end */
    {"a.com", "h<a.com> p<>"},
    {"a.com/x", "h<a.com> p</x>"},
    {"a.com?x", "h<a.com> p<> q<x>"},
    {"a.com#x", "h<a.com> p<> f<x>"},
    {"a.com.", "h<a.com.> p<>"},
    {"a.com:80", "h<a.com> o<80> p<>"},
    {"a.com:80/x", "h<a.com> o<80> p</x>"},
    {"A_b.C-d~e", "h<A_b.C-d~e> p<>"},
    {"b\xC3\xBC" "cher.de/", "h<b\xC3\xBC" "cher.de> p</>"},
    {"127.0.0.1/", "h<127.0.0.1> p</>"},
    {"a.com:", NULL},
    {"a.com:/x", NULL},
    {"a.com:x", NULL},
    {"a.com x", NULL},
    {"a", NULL},
    {"a/b.c", NULL},
    {"a./", NULL},
    {".a.com", NULL},
    {"a..com", NULL},
    {"a.com..", NULL},
    {"u@a.com/", NULL},
    {"a%2Ecom/", NULL},
    {"[::1]/", NULL},
};

static void add_part(dp_buf *out, char mark, bool there, dp_str part)
{
    if (!there)
        return;
    if (out->n)
        dp_buf_byte(out, ' ');
    dp_buf_byte(out, mark);
    dp_buf_byte(out, '<');
    dp_buf_str(out, part);
    dp_buf_byte(out, '>');
}

static void print(dp_buf *out, const dp_split *s)
{
    add_part(out, 's', s->has_scheme, s->scheme);
    add_part(out, 'u', s->has_user, s->user);
    add_part(out, 'h', true, s->host);
    add_part(out, 'o', s->has_port, s->port);
    add_part(out, 'p', true, s->path);
    add_part(out, 'q', s->has_query, s->query);
    add_part(out, 'f', s->has_fragment, s->fragment);
}

static void assert_joins(dp_str url)
{
    dp_split s;
    dp_buf   joined = {0};
    assert_true(dp_split_url(&s, url));
    dp_split_join(&joined, &s);
    assert_true(dp_str_eq(url, dp_buf_view(&joined)));
    dp_buf_done(&joined);
}

static void parts_are_those_of_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_split s;
        bool     is_url = dp_split_url(&s, dp_str_c(cases[i].url));
        if (is_url != (cases[i].want != NULL))
            fail_msg("'%s' is %s URL", cases[i].url, is_url ? "a" : "no");
        if (!is_url)
            continue;
        dp_buf got = {0};
        print(&got, &s);
        dp_buf_byte(&got, 0);
        assert_string_equal(cases[i].want, got.p);
        dp_buf_done(&got);
        assert_joins(dp_str_c(cases[i].url));
    }
}

static void any_bytes_join(void **state)
{
    (void)state;
    static const dp_str urls[] = {
        DP_STR("http://a\0b/\0?\0#\0"),
        DP_STR("http://\xFF\xFE/\x80?\xC3#\xE2\x98"),
        DP_STR("a.\xFF/\0"),
    };
    for (size_t i = 0; i < DP_COUNT(urls); i++)
        assert_joins(urls[i]);
}

static void the_empty_view_is_no_url(void **state)
{
    (void)state;
    dp_split s;
    assert_false(dp_split_url(&s, (dp_str){NULL, 0}));
}

static void what_is_no_url_leaves_the_answer_alone(void **state)
{
    (void)state;
    dp_split s = {.host = DP_STR("kept")};
    assert_false(dp_split_url(&s, DP_STR("http://u@/")));
    assert_true(dp_str_eq(DP_STR("kept"), s.host));
    assert_false(s.has_scheme);
}

static void megabytes_of_anything_join(void **state)
{
    (void)state;
    enum { N = 1 << 20 };
    static const char *const before[] = {"http://",   "http://u@", "http://a:", "http://a/",
                                         "http://a?", "http://a#", ""};
    static const char *const unit[] = {"a", "a.", "@a", "0", "/", "&=", "%41"};
    static const char *const after[] = {"", "@a", ".b/"};
    size_t                   joined = 0;
    dp_buf                   url = {0};
    for (size_t i = 0; i < DP_COUNT(before) * DP_COUNT(unit) * DP_COUNT(after); i++) {
        dp_split s;
        dp_buf_reset(&url);
        dp_buf_c(&url, before[i % DP_COUNT(before)]);
        while (url.n < N)
            dp_buf_c(&url, unit[i / DP_COUNT(before) % DP_COUNT(unit)]);
        dp_buf_c(&url, after[i / DP_COUNT(before) / DP_COUNT(unit)]);
        if (!dp_split_url(&s, dp_buf_view(&url)))
            continue;
        assert_joins(dp_buf_view(&url));
        joined++;
    }
    assert_in_range(joined, 60, 147);
    dp_buf_done(&url);
}

static void join_survives_every_allocation_failure(void **state)
{
    (void)state;
    dp_split s;
    assert_true(dp_split_url(&s, DP_STR("http://u@a:1/p?q#f")));
    DP_EVERY_ALLOC_FAILURE {
        dp_buf out = {0};
        dp_split_join(&out, &s);
        assert_int_equal(dp_alloc_failed(), out.failed);
        dp_buf_done(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_those_of_the_table),
        cmocka_unit_test(any_bytes_join),
        cmocka_unit_test(the_empty_view_is_no_url),
        cmocka_unit_test(what_is_no_url_leaves_the_answer_alone),
        cmocka_unit_test(megabytes_of_anything_join),
        cmocka_unit_test(join_survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
