/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/failing_alloc.h"
#include "url/resolve.h"

#define BASE "http://me@a.com:81/b/c/d?q#f"

static const struct {
    const char *base, *link, *want; /* NULL: leads to no URL */
} cases[] = {
    {BASE, "g", "http://me@a.com:81/b/c/g"},
    {BASE, "../g?x#y", "http://me@a.com:81/b/c/../g?x#y"},
    {BASE, "/g", "http://me@a.com:81/g"},
    {BASE, "//b.org/g", "http://b.org/g"},
    {BASE, "?x", "http://me@a.com:81/b/c/d?x"},
    {BASE, "#x", "http://me@a.com:81/b/c/d?q#x"},
    {BASE, "", "http://me@a.com:81/b/c/d?q"},
    {BASE, "https://b.org", "https://b.org"},
    {BASE, " \n g \t", "http://me@a.com:81/b/c/g"},
    {BASE, "g:h", NULL},
    {BASE, "mailto:me@a.com", NULL},
    {BASE, "javascript:alert('//a.com')", NULL},
    {BASE, "a.com:80/x", NULL}, /* "a.com" is a scheme here */
    {BASE, "x/y:z", "http://me@a.com:81/b/c/x/y:z"},
    {"http://a.com", "g", "http://a.com/g"},
    {"http://a.com", "?x", "http://a.com?x"},
    {"http://a.com?q", "g", "http://a.com/g"},
    {"a.com/b", "c", "a.com/c"},
    {"a.com/b", "//b.org/", "http://b.org/"},
    {"a.com/b", "https://b.org/", "https://b.org/"},
    {"nothing", "http://a.com/", NULL},
    {BASE, "//", NULL},
};

static void resolves_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_buf out = {0};
        dp_buf_c(&out, "before ");
        bool ok = dp_resolve(&out, dp_str_c(cases[i].base), dp_str_c(cases[i].link));
        dp_buf_byte(&out, 0);
        assert_int_equal(cases[i].want != NULL, ok);
        assert_string_equal(cases[i].want ? cases[i].want : "", out.p + strlen("before "));
        dp_buf_done(&out);
    }
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    DP_EVERY_ALLOC_FAILURE
    {
        dp_buf out = {0};
        bool   ok = dp_resolve(&out, DP_STR(BASE), DP_STR("g"));
        assert_int_equal(!dp_alloc_failed(), ok);
        dp_buf_done(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resolves_the_table),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
