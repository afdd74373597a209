/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/failing_alloc.h"
#include "url/token.h"

/* ---- DUST ------------------------------------------------------------------------------ */

static const struct {
    dp_str text, want; /* tokens between ^ and $, each followed by a blank */
} dust_cases[] = {
    {DP_STR("http://www.site.com/index.html"), DP_STR("http : / / www . site . com / index . html ")}, /* the paper's */
    {DP_STR("http://a.com/x_1/?id=12"), DP_STR("http : / / a . com / x _ 1 / ? id = 12 ")},
    {DP_STR(""), DP_STR("")},
    {DP_STR("^$"), DP_STR("^ $ ")},
    {DP_STR("aB3Cd"), DP_STR("aB3Cd ")},
    {DP_STR("/%2Fa"), DP_STR("/ % 2Fa ")},
    {DP_STR("--"), DP_STR("- - ")},
    {DP_STR("a\0b"), DP_STR("a \0 b ")},
    {DP_STR("b\xC3\xBC" "cher.de"), DP_STR("b\xC3\xBC" "cher . de ")},
    {DP_STR("\xFF\x80/\xFE"), DP_STR("\xFF\x80 / \xFE ")},
};

static void dust_tokens_are_those_of_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(dust_cases); i++) {
        dp_arena       a = {0};
        dp_dust_tokens t;
        dp_buf         got = {0};
        assert_int_equal(DP_OK, dp_dust_tokenize(&t, dust_cases[i].text, &a));
        for (uint32_t j = 1; j + 1 < t.n; j++) {
            dp_buf_str(&got, dp_dust_text(&t, j, j + 1));
            dp_buf_byte(&got, ' ');
        }
        assert_int_equal(dust_cases[i].want.n, got.n);
        assert_true(dp_str_eq(dust_cases[i].want, dp_buf_view(&got)));
        dp_buf_done(&got);
        dp_arena_done(&a);
    }
}

static void the_papers_example_has_fifteen_dust_tokens(void **state)
{
    (void)state;
    dp_arena       a = {0};
    dp_dust_tokens t;
    assert_int_equal(DP_OK, dp_dust_tokenize(&t, DP_STR("http://www.site.com/index.html"), &a));
    assert_int_equal(15, t.n);
    dp_arena_done(&a);
}

static void only_the_ends_of_a_dust_sequence_are_empty(void **state)
{
    (void)state;
    dp_arena       a = {0};
    dp_dust_tokens t;
    dp_str         text = DP_STR("^a$%20\0;");
    assert_int_equal(DP_OK, dp_dust_tokenize(&t, text, &a));
    for (uint32_t i = 0; i < t.n; i++)
        assert_int_equal(i == 0 || i == t.n - 1, t.at[i] == t.at[i + 1]);
    assert_true(dp_str_eq(text, dp_dust_text(&t, 0, t.n)));
    dp_arena_done(&a);
}

static void dust_tokens_of_a_megabyte_are_as_many_as_its_bytes(void **state)
{
    (void)state;
    enum { N = 1 << 20 };
    dp_arena       a = {0};
    char          *p = dp_arena_alloc(&a, N);
    dp_dust_tokens t;
    assert_non_null(p);
    memset(p, '/', N);
    assert_int_equal(DP_OK, dp_dust_tokenize(&t, (dp_str){p, N}, &a));
    assert_int_equal(N + 2, t.n);
    memset(p, 'a', N);
    assert_int_equal(DP_OK, dp_dust_tokenize(&t, (dp_str){p, N}, &a));
    assert_int_equal(3, t.n);
    assert_true(dp_str_eq((dp_str){p, N}, dp_dust_text(&t, 1, 2)));
    dp_arena_done(&a);
}

static void dust_refuses_text_beyond_32_bits(void **state)
{
    (void)state;
    dp_arena       a = {0};
    dp_dust_tokens t = {0};
    assert_int_equal(DP_ELIMIT, dp_dust_tokenize(&t, (dp_str){"", (size_t)INT32_MAX + 1}, &a));
    assert_null(t.at);
    dp_arena_done(&a);
}

/* ---- SIGIR'17 -------------------------------------------------------------------------- */

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

/* ---- both ------------------------------------------------------------------------------ */

static void survive_every_allocation_failure(void **state)
{
    (void)state;
    dp_frame f = {0};
    assert_int_equal(DP_FRAME_OK, dp_frame_read(&f, DP_STR("http://a.com/x?a=b")));
    DP_EVERY_ALLOC_FAILURE {
        dp_arena       a = {0}, b = {0};
        dp_dust_tokens dust = {0};
        dp_seq_tokens  seq = {0};
        dp_err         e = dp_dust_tokenize(&dust, DP_STR("http://a.com/x"), &a);
        assert_int_equal(e == DP_OK, dust.at != NULL);
        if (e == DP_OK)
            e = dp_seq_tokenize(&seq, &f, DP_SEQ_DELIMITERS, &b);
        assert_int_equal(e == DP_OK, seq.v != NULL);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, e);
        dp_arena_done(&a);
        dp_arena_done(&b);
    }
    dp_frame_done(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dust_tokens_are_those_of_the_table),
        cmocka_unit_test(the_papers_example_has_fifteen_dust_tokens),
        cmocka_unit_test(only_the_ends_of_a_dust_sequence_are_empty),
        cmocka_unit_test(dust_tokens_of_a_megabyte_are_as_many_as_its_bytes),
        cmocka_unit_test(dust_refuses_text_beyond_32_bits),
        cmocka_unit_test(seq_tokens_are_those_of_the_table_and_join),
        cmocka_unit_test(a_megabyte_of_seq_tokens_joins),
        cmocka_unit_test(survive_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
