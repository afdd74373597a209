/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/words/utf8.h"

static const struct {
    const char *in, *clean;
} cases[] = {
    {"", ""},
    {"plain ascii, long enough for eight at a time", "plain ascii, long enough for eight at a time"},
    {"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"},
    {"a\xFFz", "a\xEF\xBF\xBDz"},
    {"\xC3", "\xEF\xBF\xBD"},
    {"\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD"},                         /* overlong */
    {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},         /* surrogate */
    {"\xF4\x90\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"}, /* above U+10FFFF */
    {"12345678\xE2\x82x", "12345678\xEF\xBF\xBD\xEF\xBF\xBDx"},
};

static void cleans_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_buf out = {0};
        dp_utf8_clean(&out, dp_str_c(cases[i].in));
        dp_buf_byte(&out, 0);
        assert_string_equal(cases[i].clean, out.p);
        assert_int_equal(strcmp(cases[i].in, cases[i].clean) == 0, dp_utf8_is_valid(dp_str_c(cases[i].in)));
        dp_buf_done(&out);
    }
}

static void every_code_point_comes_back(void **state)
{
    (void)state;
    dp_buf out = {0};
    for (uint32_t code = 0; code < 0x110100; code++) {
        dp_buf_reset(&out);
        dp_utf8_put(&out, code);
        bool     is_character = code < 0x110000 && (code < 0xD800 || code > 0xDFFF);
        uint32_t want = is_character ? code : 0xFFFD;
        if (dp_utf8_length(dp_buf_view(&out)) != out.n || dp_utf8_code(out.p, out.n) != want)
            fail_msg("U+%04X", code);
    }
    dp_buf_done(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cleans_the_table),
        cmocka_unit_test(every_code_point_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
