/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/failing_alloc.h"
#include "url/token.h"

static const struct {
    const char *url, *delimiters;
    const char *want;   /* tokens, each followed by a blank */
    const char *joined; /* NULL: the URL */
} seq_cases[] = {
    {"http://en.wikipedia.org/wiki?title=LinearModel", DP_SEQ_DELIMITERS,
     "http: en.wikipedia.org wiki ? title = LinearModel ", NULL}, /* the paper's figure 1 */
    {"http://a.com/", DP_SEQ_DELIMITERS, "http: a.com ", NULL},
    {"http://a.com/x/y", DP_SEQ_DELIMITERS, "http: a.com x y ", NULL},
    {"http://a.com/x/y/", DP_SEQ_DELIMITERS, "http: a.com x y ", "http://a.com/x/y"},
    {"http://a.com//x///y", DP_SEQ_DELIMITERS, "http: a.com x y ", "http://a.com/x/y"},
    {"http://a.com/x-1_2.html", DP_SEQ_DELIMITERS, "http: a.com x-1_2.html ", NULL},
    {"http://a.com/x,y;z:1+2~3@4", DP_SEQ_DELIMITERS, "http: a.com x , y ; z : 1 + 2 ~ 3 @ 4 ", NULL},
    {"http://a.com/x;/y", DP_SEQ_DELIMITERS, "http: a.com x ; y ", "http://a.com/x;y"},
    {"http://a.com/?u=/x/y", DP_SEQ_DELIMITERS, "http: a.com ? u = /x/y ", NULL},
    {"http://a.com/?=;a", DP_SEQ_DELIMITERS, "http: a.com ? = ; a ", NULL},
    {"http://u:p@a.com:81/x", DP_SEQ_DELIMITERS, "http: u:p@a.com:81 x ", NULL},
    {"https://[::1]:81/x", DP_SEQ_DELIMITERS, "https: [::1]:81 x ", NULL},
    {"a.com/x", DP_SEQ_DELIMITERS, "http: a.com x ", "http://a.com/x"},
    {"a.com:81/x", DP_SEQ_DELIMITERS, "http: a.com:81 x ", "http://a.com:81/x"},
    {"http://a.com/x%2Fy?a%3Db", DP_SEQ_DELIMITERS, "http: a.com x%2Fy ? a%3Db ", NULL},
    {"http://a.com/x,y?a=b/c", "?", "http: a.com x,y ? a=b/c ", NULL},
    {"http://a.com/x/?a=b/c", "=", "http: a.com x ?a = b/c ", NULL},
};

static void tokenize(dp_seq_tokens *t, dp_frame *f, dp_str url, const char *delimiters, dp_arena *a)
{
    assert_int_equal(DP_FRAME_OK, dp_frame_read(f, url));
    assert_int_equal(DP_OK, dp_seq_tokenize(t, f, delimiters, a));
}

static void print_seq(dp_buf *out, const dp_seq_tokens *t)
{
    for (size_t i = 0; i < t->n; i++) {
        dp_buf_str(out, t->v[i]);
        dp_buf_byte(out, ' ');
    }
    dp_buf_byte(out, 0);
}

static void seq_tokens_are_those_of_the_table_and_join(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(seq_cases); i++) {
        dp_arena      a = {0};
        dp_frame      f = {0};
        dp_seq_tokens t, again;
        dp_buf        got = {0}, joined = {0}, got_again = {0};
        const char   *delimiters = seq_cases[i].delimiters;
        tokenize(&t, &f, dp_str_c(seq_cases[i].url), delimiters, &a);
        print_seq(&got, &t);
        assert_string_equal(seq_cases[i].want, got.p);
        dp_seq_join(&joined, &t, delimiters);
        dp_buf_byte(&joined, 0);
        assert_string_equal(seq_cases[i].joined ? seq_cases[i].joined : seq_cases[i].url, joined.p);
        tokenize(&again, &f, dp_str_c(joined.p), delimiters, &a);
        print_seq(&got_again, &again);
        assert_string_equal(got.p, got_again.p);
        dp_buf_done(&got);
        dp_buf_done(&joined);
        dp_buf_done(&got_again);
        dp_frame_done(&f);
        dp_arena_done(&a);
    }
}

static void a_megabyte_of_seq_tokens_joins(void **state)
{
    (void)state;
    enum { N = 1 << 20 };
    dp_arena      a = {0};
    dp_frame      f = {0};
    dp_seq_tokens t;
    dp_buf        url = {0}, joined = {0};
    dp_buf_c(&url, "http://a.com/x?");
    while (url.n < N)
        dp_buf_c(&url, "a=b&");
    dp_buf_byte(&url, 'z');
    tokenize(&t, &f, dp_buf_view(&url), DP_SEQ_DELIMITERS, &a);
    dp_seq_join(&joined, &t, DP_SEQ_DELIMITERS);
    assert_true(dp_str_eq(dp_buf_view(&url), dp_buf_view(&joined)));
    dp_buf_done(&url);
    dp_buf_done(&joined);
    dp_frame_done(&f);
    dp_arena_done(&a);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    dp_frame f = {0};
    assert_int_equal(DP_FRAME_OK, dp_frame_read(&f, DP_STR("http://a.com/x?a=b")));
    DP_EVERY_ALLOC_FAILURE {
        dp_arena      a = {0};
        dp_seq_tokens seq = {0};
        dp_err        e = dp_seq_tokenize(&seq, &f, DP_SEQ_DELIMITERS, &a);
        assert_int_equal(e == DP_OK, seq.v != NULL);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, e);
        dp_arena_done(&a);
    }
    dp_frame_done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seq_tokens_are_those_of_the_table_and_join),
        cmocka_unit_test(a_megabyte_of_seq_tokens_joins),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
