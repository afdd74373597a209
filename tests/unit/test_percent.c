/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/failing_alloc.h"
#include "url/chars.h"
#include "url/percent.h"

typedef void convert(dp_buf *out, dp_str s);

static void decode_path(dp_buf *out, dp_str s)
{
    dp_percent_decode(out, s, false);
}

static void decode_query(dp_buf *out, dp_str s)
{
    dp_percent_decode(out, s, true);
}

static const struct {
    convert    *how;
    const char *text, *want;
} cases[] = {
    {dp_percent_normalize, "", ""},
    {dp_percent_normalize, "a%7Eb%%34 c", "a~b%254%20c"}, /* the header's */
    {dp_percent_normalize, "%", "%25"},
    {dp_percent_normalize, "%4", "%254"},
    {dp_percent_normalize, "%4g", "%254g"},
    {dp_percent_normalize, "%%34%31", "%2541"}, /* one pass: %41 that comes about is not read again */
    {dp_percent_normalize, "%2541", "%2541"},
    {dp_percent_normalize, "%25%34%31", "%2541"},
    {dp_percent_normalize, "%41%5a%61%7a%30%39%2d%2e%5f%7e", "AZaz09-._~"},
    {dp_percent_normalize, "%2f%3F%c3%Bc", "%2F%3F%C3%BC"},
    {dp_percent_normalize, " \"<>\\^{|}`", "%20%22%3C%3E%5C%5E%7B%7C%7D%60"},
    {dp_percent_normalize, "\x01\x1F\x7F", "%01%1F%7F"},
    {dp_percent_normalize, "\xC3\xBC\xFF", "%C3%BC%FF"},
    {dp_percent_normalize, "!#$&'()*+,/:;=?@[]", "!#$&'()*+,/:;=?@[]"},

    {dp_percent_lower, "aB%C3Z9%", "ab%C3z9%"},
    {dp_percent_lower, "%4G", "%4g"},
    {dp_percent_upper, "aB%c3z9%a", "AB%c3Z9%A"},

    {dp_percent_encode, "a/b?c=d%20-._~%", "a%2Fb%3Fc%3Dd%20-._~%25"},
    {dp_percent_encode, "\xC3\xBC", "%C3%BC"},

    {decode_path, "%21%24%26%27%28%29%2B%2C%3D%3A%40", "!$&'()+,=:@"},
    {decode_path, "%2F%3F%23%25%3B%20%00%2A%5B%C3", "%2F%3F%23%25%3B%20%00%2A%5B%C3"},
    {decode_query, "%21%24%27%28%29%2C%3A%40%2F%3F", "!$'(),:@/?"},
    {decode_query, "%26%3B%2B%3D%23%25%20%00%2A", "%26%3B%2B%3D%23%25%20%00%2A"},
    {decode_path, "%2525%2", "%2525%2"},
};

static void conversions_are_those_of_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_buf got = {0};
        cases[i].how(&got, dp_str_c(cases[i].text));
        dp_buf_byte(&got, 0);
        assert_string_equal(cases[i].want, got.p);
        dp_buf_done(&got);
    }
}

static void the_pass_is_idempotent_and_is_normal_agrees(void **state)
{
    (void)state;
    static const char hard[] = {'%', '2', '4', '5', 'f', 'F', '~', '/', 0, (char)0xC3};
    enum { LENGTH = 5, K = sizeof hard };
    size_t total = 1;
    for (int i = 0; i < LENGTH; i++)
        total *= K;
    dp_buf once = {0}, twice = {0};
    for (size_t i = 0; i < total; i++) { /* every text of five such bytes */
        char   text[LENGTH];
        size_t rest = i;
        for (int j = 0; j < LENGTH; j++, rest /= K)
            text[j] = hard[rest % K];
        dp_str s = {text, LENGTH};
        dp_buf_reset(&once);
        dp_buf_reset(&twice);
        dp_percent_normalize(&once, s);
        dp_percent_normalize(&twice, dp_buf_view(&once));
        assert_true(dp_str_eq(dp_buf_view(&once), dp_buf_view(&twice)));
        assert_true(dp_percent_is_normal(dp_buf_view(&once)));
        assert_int_equal(dp_str_eq(s, dp_buf_view(&once)), dp_percent_is_normal(s));
    }
    dp_buf_done(&once);
    dp_buf_done(&twice);
}

static void every_byte_is_kept_or_escaped(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++) {
        char   byte = (char)c, escape[4];
        bool   forbidden = c <= ' ' || c >= 0x7F || c == '%' || strchr("\"<>\\^{|}`", c);
        dp_buf raw = {0}, back = {0};
        snprintf(escape, sizeof escape, "%%%02x", (unsigned)c);
        dp_percent_normalize(&raw, (dp_str){&byte, 1});
        assert_int_equal(forbidden ? 3 : 1, raw.n);
        if (forbidden)
            assert_int_equal(byte, dp_unescape(raw.p));
        else
            assert_int_equal(byte, raw.p[0]);
        dp_percent_normalize(&back, dp_str_c(escape));
        bool unreserved = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' ||
                          c == '.' || c == '_' || c == '~';
        assert_int_equal(unreserved ? 1 : 3, back.n);
        dp_buf_done(&raw);
        dp_buf_done(&back);
    }
}

static void inside_means_between_percent_and_last_digit(void **state)
{
    (void)state;
    dp_str s = DP_STR("a%20b%41");
    /*                 0123456789 */
    static const bool want[] = {false, false, true, true, false, false, true, true, false};
    for (size_t i = 0; i < DP_COUNT(want); i++)
        assert_int_equal(want[i], dp_percent_inside(s, i));
}

static void a_megabyte_grows_threefold_at_most(void **state)
{
    (void)state;
    enum { N = 1 << 20 };
    dp_buf text = {0}, got = {0};
    while (text.n < N)
        dp_buf_c(&text, "% \xFF");
    dp_percent_normalize(&got, dp_buf_view(&text));
    assert_int_equal(text.n * 3, got.n);
    assert_true(dp_percent_is_normal(dp_buf_view(&got)));
    dp_buf_done(&text);
    dp_buf_done(&got);
}

static void survive_every_allocation_failure(void **state)
{
    (void)state;
    static convert *const all[] = {dp_percent_normalize, dp_percent_lower, dp_percent_upper, dp_percent_encode,
                                   decode_path};
    for (size_t i = 0; i < DP_COUNT(all); i++)
        DP_EVERY_ALLOC_FAILURE {
            dp_buf out = {0};
            all[i](&out, DP_STR("a%41 %2C"));
            assert_int_equal(dp_alloc_failed(), out.failed);
            dp_buf_done(&out);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conversions_are_those_of_the_table),
        cmocka_unit_test(the_pass_is_idempotent_and_is_normal_agrees),
        cmocka_unit_test(every_byte_is_kept_or_escaped),
        cmocka_unit_test(inside_means_between_percent_and_last_digit),
        cmocka_unit_test(a_megabyte_grows_threefold_at_most),
        cmocka_unit_test(survive_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
