/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "learn/accept/change.h"

static const struct { const char *a, *b, *want; } cases[] = {
    {"http://a.com/x", "http://a.com/x", ""},
    {"http://a.com/x", "https://a.com/x", "http or https"},
    {"http://a.com/x", "http://www.a.com/x", "the host"},
    {"http://a.com:81/x", "https://a.com/x", "http or https; the host"},
    {"http://a.com/X/y", "http://a.com/x/Y", "upper or lower case in the path"},
    {"http://a.com/r/log/12", "http://a.com/r/shortlog/12", "/../log/.. or /../shortlog/.."},
    {"http://a.com/r/12", "http://a.com/r/13", "/../{int}"},
    {"http://a.com/r/12", "http://a.com/r/oak-chair-of-oak", "/../{int} or /../{text}"},
    {"http://a.com/r/index.html", "http://a.com/r/", "/../ or /../index.html"},
    {"http://a.com/r", "http://a.com/r/", "/.. or /../"},
    {"http://a.com/a/b/c/d/e", "http://a.com/f", "/f or /{5 segments}"},
    {"http://a.com/?sid=1", "http://a.com/", "?sid in one of them"},
    {"http://a.com/?sid=1&b=2", "http://a.com/?b=3", "?sid in one of them; the value of ?b"},
    {"http://a.com/?a=1&b=2", "http://a.com/?b=2&a=1", "the order of parameters, or one of them twice"},
    {"http://a.com/?f=1&e=1&d=1&c=1&b=1&a=1", "http://a.com/", "?a,b,c,d,... in one of them"},
    {"http://a.com/x/1?p=1", "https://b.com/y/1?q=1", "http or https; the host; /x/.. or /y/..; ?p,q in one of them"},
};

static void says_in_what_they_differ_in_either_order(void **state)
{
    (void)state;
    dp_frame a = {0}, b = {0};
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        for (int turned = 0; turned < 2; turned++) {
            dp_buf out = {0};
            assert_int_equal(DP_FRAME_OK, dp_frame_read(&a, dp_str_c(turned ? cases[i].b : cases[i].a)));
            assert_int_equal(DP_FRAME_OK, dp_frame_read(&b, dp_str_c(turned ? cases[i].a : cases[i].b)));
            dp_change_say(&out, &a, &b);
            dp_buf_byte(&out, 0);
            assert_string_equal(cases[i].want, out.p);
            dp_buf_done(&out);
        }
    }
    dp_frame_done(&a);
    dp_frame_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(says_in_what_they_differ_in_either_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
