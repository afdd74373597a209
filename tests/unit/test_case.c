/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/words/case.h"

static const struct {
    const char *a, *b;
    const char *is; /* of a to b: = equal, < starts, > ends, + has */
} cases[] = {
    {"", "", "=<>+"}, {"a", "", "<>+"}, {"", "a", ""}, {"Text/HTML", "text/html", "=<>+"},
    {"TEXT/plain", "text/", "<+"}, {"image/svg+XML", "+xml", ">+"}, {"xGoogleBOTx", "googlebot", "+"},
    {"abc", "abd", ""},
    {"@[`{", "`{@[", ""}, /* beside the letters */
    {"\xC4", "\xE4", ""}, /* Ä and ä in Latin-1 */
};

static void letters_of_ascii_have_two_cases(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_str a = dp_str_c(cases[i].a), b = dp_str_c(cases[i].b), is = dp_str_c(cases[i].is);
        assert_int_equal(memchr(is.p, '=', is.n) != NULL, dp_str_eq_but_case(a, b));
        assert_int_equal(memchr(is.p, '=', is.n) != NULL, dp_is_word(a, cases[i].b));
        assert_int_equal(memchr(is.p, '<', is.n) != NULL, dp_str_starts_but_case(a, b));
        assert_int_equal(memchr(is.p, '>', is.n) != NULL, dp_str_ends_but_case(a, b));
        assert_int_equal(memchr(is.p, '+', is.n) != NULL, dp_str_has_but_case(a, b));
    }
    for (int c = 0; c < 256; c++) {
        bool is_upper = c >= 'A' && c <= 'Z', is_lower = c >= 'a' && c <= 'z';
        assert_int_equal((char)(is_upper ? c + 32 : c), dp_lower((char)c));
        assert_int_equal((char)(is_lower ? c - 32 : c), dp_upper((char)c));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(letters_of_ascii_have_two_cases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
