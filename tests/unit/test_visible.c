/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/words/utf8.h"
#include "base/words/visible.h"

static const struct {
    dp_str      text;
    const char *keep, *want;
} cases[] = {
    {DP_STR(""), "", ""},
    {DP_STR("http://a.com/?x=1"), "", "http://a.com/?x=1"},
    {DP_STR("a\x1b[31mb\x7f"), "\n\t", "a\\x1b[31mb\\x7f"},
    {DP_STR("a\nb\tc\rd"), "\n\t", "a\nb\tc\\x0dd"},
    {DP_STR("a\nb\tc\0d"), "", "a\\x0ab\\x09c\\x00d"},
    {DP_STR("\xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80"), "", "\xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80"},
    {DP_STR("\xff\x9b\xc3"), "", "\\xff\\x9b\\xc3"},
    {DP_STR("\xc2\x9b"), "", "\\u009b"},                            /* what ESC [ is in 8 bits */
    {DP_STR("a\xe2\x80\xae" "b\xe2\x81\xa6"), "", "a\\u202eb\\u2066"}, /* from right to left */
};

static void controls_become_letters(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_buf b = {0};
        dp_visible(&b, cases[i].text, cases[i].keep);
        dp_buf_byte(&b, 0);
        assert_string_equal(cases[i].want, b.p);
        dp_buf_done(&b);
    }
}

/* Whatever the bytes: what comes out is UTF-8 without a control character, and is not changed once more. */
static void any_bytes_become_text(void **state)
{
    (void)state;
    dp_rng r = dp_rng_seed(3);
    dp_buf in = {0}, out = {0}, again = {0};
    for (int i = 0; i < 2000; i++) {
        dp_buf_reset(&in);
        dp_buf_reset(&out);
        dp_buf_reset(&again);
        for (uint64_t n = dp_rng_below(&r, 40); n--;)
            dp_buf_byte(&in, (char)dp_rng_below(&r, 256));
        dp_visible(&out, dp_buf_view(&in), "");
        assert_true(dp_utf8_is_valid(dp_buf_view(&out)));
        for (size_t k = 0; k < out.n; k++)
            assert_true((unsigned char)out.p[k] >= ' ' && out.p[k] != 0x7F);
        dp_visible(&again, dp_buf_view(&out), "");
        assert_true(dp_str_eq(dp_buf_view(&out), dp_buf_view(&again)));
    }
    dp_buf_done(&in);
    dp_buf_done(&out);
    dp_buf_done(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(controls_become_letters),
        cmocka_unit_test(any_bytes_become_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
