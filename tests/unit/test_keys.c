/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/failing_alloc.h"
#include "url/keys.h"

static const struct {
    const char *url, *want; /* key value, then a bar; "-" stands for a value that has no '=' */
} cases[] = {
    {"https://me@a.com:81/p/q;s=1/?x=1&y;x=", /* the header's */
     "k(1,5) https|user me|k(2,4) a.com|port 81|k(3,3) p|k(4,2) q|k(4,2);s 1|k(5,1) |?x 1|?y -|?x#2 |"},
    {"http://en.wikipedia.org/wiki?title=Web_crawler", /* CIKM'09 */
     "k(1,3) http|k(2,2) en.wikipedia.org|k(3,1) wiki|?title Web_crawler|"},
    {"http://360.yahoo.com/friends-lttU7d6kIuGq", /* WSDM'10 */
     "k(1,3) http|k(2,2) 360.yahoo.com|k(3,1) friends-lttU7d6kIuGq|"},
    {"http://a.com/", "k(1,3) http|k(2,2) a.com|k(3,1) |"},
    {"http://a.com/x", "k(1,3) http|k(2,2) a.com|k(3,1) x|"},
    {"http://a.com/x/", "k(1,4) http|k(2,3) a.com|k(3,2) x|k(4,1) |"},
    {"http://a.com//x", "k(1,4) http|k(2,3) a.com|k(3,2) |k(4,1) x|"},
    {"a.com/", "k(1,3) http|k(2,2) a.com|k(3,1) |"},
    {"a.com:8080/?q", "k(1,3) http|k(2,2) a.com|port 8080|k(3,1) |?q -|"},
    {"http://@a.com/", "k(1,3) http|user |k(2,2) a.com|k(3,1) |"},
    {"http://u:p@w@a.com/", "k(1,3) http|user u:p@w|k(2,2) a.com|k(3,1) |"},
    {"http://[::1]:0/", "k(1,3) http|k(2,2) [::1]|port 0|k(3,1) |"},
    {"http://a.com/?a", "k(1,3) http|k(2,2) a.com|k(3,1) |?a -|"},
    {"http://a.com/?a=", "k(1,3) http|k(2,2) a.com|k(3,1) |?a |"},
    {"http://a.com/?=", "k(1,3) http|k(2,2) a.com|k(3,1) |? |"},
    {"http://a.com/?=1&=2", "k(1,3) http|k(2,2) a.com|k(3,1) |? 1|?#2 2|"},
    {"http://a.com/?a=b=c", "k(1,3) http|k(2,2) a.com|k(3,1) |?a b=c|"},
    {"http://a.com/?a=1;b=2&a=3;a", "k(1,3) http|k(2,2) a.com|k(3,1) |?a 1|?b 2|?a#2 3|?a#3 -|"},
    {"http://a.com/?a=1&A=2&ab=3", "k(1,3) http|k(2,2) a.com|k(3,1) |?a 1|?A 2|?ab 3|"},
    {"http://a.com/?a=%26&b=?/", "k(1,3) http|k(2,2) a.com|k(3,1) |?a %26|?b ?/|"},
    {"http://a.com/x;a;b=;c=1=2", "k(1,3) http|k(2,2) a.com|k(3,1) x|k(3,1);a -|k(3,1);b |k(3,1);c 1=2|"},
    {"http://a.com/x;a=1;a=2/y;a=3", "k(1,4) http|k(2,3) a.com|k(3,2) x|k(3,2);a 1|k(3,2);a#2 2|k(4,1) y|k(4,1);a 3|"},
    {"http://a.com/;a/;", "k(1,4) http|k(2,3) a.com|k(3,2) |k(3,2);a -|k(4,1) |k(4,1); -|"},
    {"http://a.com/x;;a;;", "k(1,3) http|k(2,2) a.com|k(3,1) x|k(3,1); -|k(3,1);a -|k(3,1);#2 -|k(3,1);#3 -|"},
    {"http://a.com/x=1;=2;a&b=3", "k(1,3) http|k(2,2) a.com|k(3,1) x=1|k(3,1); 2|k(3,1);a&b 3|"},
    {"http://a.com/x;a?b;c", "k(1,3) http|k(2,2) a.com|k(3,1) x|k(3,1);a -|?b -|?c -|"},
};

static void print(dp_buf *out, const dp_keys *k)
{
    for (uint32_t i = 0; i < k->n; i++) {
        const dp_key *key = &k->v[i];
        dp_key_print(out, k, key);
        dp_buf_byte(out, ' ');
        if ((key->kind == DP_K_PARAM || key->kind == DP_K_PAIR) && !key->has_eq)
            dp_buf_byte(out, '-');
        dp_buf_str(out, dp_key_value(k, key));
        dp_buf_byte(out, '|');
    }
    dp_buf_byte(out, 0);
}

static void read_keys(dp_keys *k, dp_frame *f, dp_str url, dp_arena *a)
{
    assert_int_equal(DP_FRAME_OK, dp_frame_read(f, url));
    assert_int_equal(DP_OK, dp_keys_read(k, f, a));
}

static void keys_are_those_of_the_table_and_join(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_arena a = {0};
        dp_frame f = {0};
        dp_keys  k;
        dp_buf   got = {0}, joined = {0};
        read_keys(&k, &f, dp_str_c(cases[i].url), &a);
        print(&got, &k);
        assert_string_equal(cases[i].want, got.p);
        dp_keys_join(&joined, &k);
        dp_buf_byte(&joined, 0);
        assert_string_equal(cases[i].url, joined.p);
        dp_buf_done(&got);
        dp_buf_done(&joined);
        dp_frame_done(&f);
        dp_arena_done(&a);
    }
}

static void a_component_has_one_place_from_each_end(void **state)
{
    (void)state;
    dp_arena a = {0};
    dp_frame f = {0};
    dp_keys  k;
    read_keys(&k, &f, DP_STR("http://u@a.com:8/x;p=1/y/?q=1"), &a);
    assert_int_equal(5, k.ncomponent);
    for (uint32_t i = 0; i < k.n; i++) {
        bool placed = k.v[i].kind != DP_K_USER && k.v[i].kind != DP_K_PORT && k.v[i].kind != DP_K_PAIR;
        assert_int_equal(placed ? k.ncomponent + 1 : 0, k.v[i].x + k.v[i].y);
    }
    dp_frame_done(&f);
    dp_arena_done(&a);
}

/* A learner may move pairs; the first one written is the one after '?'. */
static void pairs_join_in_the_order_of_the_array(void **state)
{
    (void)state;
    dp_arena a = {0};
    dp_frame f = {0};
    dp_keys  k;
    dp_buf   joined = {0};
    read_keys(&k, &f, DP_STR("http://a.com/?a=1;b=2"), &a);
    dp_key first = k.v[k.n - 2];
    k.v[k.n - 2] = k.v[k.n - 1];
    k.v[k.n - 1] = first;
    dp_keys_join(&joined, &k);
    dp_buf_byte(&joined, 0);
    assert_string_equal("http://a.com/?b=2&a=1", joined.p);
    dp_buf_done(&joined);
    dp_frame_done(&f);
    dp_arena_done(&a);
}

static const struct {
    const char *origin, *unit;
} long_cases[] = {
    {"http://a.com/?", "a&"},   {"http://a.com/?", "a=1;"}, {"http://a.com/", "a/"},
    {"http://a.com/", ";s=1"},  {"http://a.com/", ";"},     {"http://a.com/", "/"},
    {"http://a.com/?x=", "%20"},
};

static void a_megabyte_of_keys_joins(void **state)
{
    (void)state;
    enum { N = 1 << 20 };
    for (size_t i = 0; i < DP_COUNT(long_cases); i++) {
        dp_arena a = {0};
        dp_frame f = {0};
        dp_keys  k;
        dp_buf   url = {0}, joined = {0};
        dp_buf_c(&url, long_cases[i].origin);
        while (url.n < N)
            dp_buf_c(&url, long_cases[i].unit);
        dp_buf_byte(&url, 'z');
        read_keys(&k, &f, dp_buf_view(&url), &a);
        dp_keys_join(&joined, &k);
        assert_true(dp_str_eq(dp_buf_view(&url), dp_buf_view(&joined)));
        dp_buf_done(&url);
        dp_buf_done(&joined);
        dp_frame_done(&f);
        dp_arena_done(&a);
    }
}

static void many_equal_names_are_numbered_in_order(void **state)
{
    (void)state;
    enum { N = 100000 };
    dp_arena a = {0};
    dp_frame f = {0};
    dp_keys  k;
    dp_buf   url = {0};
    dp_buf_c(&url, "http://a.com/?");
    for (int i = 0; i < N; i++)
        dp_buf_c(&url, i == 0 ? "a" : i % 2 ? "&b" : "&a");
    read_keys(&k, &f, dp_buf_view(&url), &a);
    const dp_key *pair = k.v + k.n - N;
    for (uint32_t i = 0; i < N; i++)
        assert_int_equal(i / 2 + 1, pair[i].nth);
    dp_buf_done(&url);
    dp_frame_done(&f);
    dp_arena_done(&a);
}

static void survive_every_allocation_failure(void **state)
{
    (void)state;
    dp_frame f = {0};
    assert_int_equal(DP_FRAME_OK, dp_frame_read(&f, DP_STR("http://a.com/x;a/y?b&b")));
    DP_EVERY_ALLOC_FAILURE {
        dp_arena a = {0};
        dp_keys  k = {0};
        dp_err   e = dp_keys_read(&k, &f, &a);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, e);
        assert_int_equal(e == DP_OK, k.v != NULL);
        dp_arena_done(&a);
    }
    dp_frame_done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_those_of_the_table_and_join),
        cmocka_unit_test(a_component_has_one_place_from_each_end),
        cmocka_unit_test(pairs_join_in_the_order_of_the_array),
        cmocka_unit_test(a_megabyte_of_keys_joins),
        cmocka_unit_test(many_equal_names_are_numbered_in_order),
        cmocka_unit_test(survive_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
