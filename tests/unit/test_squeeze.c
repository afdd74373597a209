/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "content/squeeze.h"

static const struct {
    const char *in, *want; /* '|' in `in` parts two pieces, '^' is a gap */
} cases[] = {
    {"", ""},
    {"  \n", ""},
    {"a", "a"},
    {" a  b\t\r\nc ", "a b c"},
    {"a|b", "ab"},
    {"a |b", "a b"},
    {"a| |b", "a b"},
    {"a^b", "a b"},
    {"^a^^b^", "a b"},
    /* Unicode's white space, and characters that are none */
    {"a\xC2\xA0" "b\xE3\x80\x80" "c\xE2\x80\xA8" "d\xE1\x9A\x80" "e\xC2\x85" "f", "a b c d e f"},
    {"\xE2\x82\xAC\xE3\x81\x82\xC2\xA9\xE1\xBA\xA0", "\xE2\x82\xAC\xE3\x81\x82\xC2\xA9\xE1\xBA\xA0"},
    {"\x01" "a\x7F" "b", "a b"},
};

static void squeezes_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_buf     out = {0};
        dp_squeeze s = {.out = &out};
        for (const char *p = cases[i].in; *p; p += *p != 0) {
            size_t n = strcspn(p, "|^");
            dp_squeeze_add(&s, (dp_str){p, n});
            p += n;
            if (*p == '^')
                dp_squeeze_gap(&s);
            if (!*p)
                break;
        }
        dp_buf_byte(&out, 0);
        assert_string_equal(cases[i].want, out.p);
        dp_buf_done(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squeezes_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
