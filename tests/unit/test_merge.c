/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "base/str.h"
#include "dustpan.h"
#include "support/failing_alloc.h"

#define H "dustpan-rules 1\n"

static dp_rules *read_rules(const char *first, const char *second)
{
    dp_rules *r;
    assert_int_equal(DP_OK, dp_rules_new(&r));
    assert_int_equal(DP_OK, dp_rules_parse(r, "f", first, strlen(first), NULL));
    assert_int_equal(DP_OK, dp_rules_parse(r, "g", second, strlen(second), NULL));
    return r;
}

static const struct {
    const char *first, *second, *want;
} cases[] = {
    {H, H, H},
    /* equal scopes, in whatever order, are joined at the first one's place */
    {H "host a.com, b.com\ndrop ?a\nhost c.com\ndrop ?b\n", H "host b.com,a.com\ndrop ?c\nhost d.com\ndrop ?d\n",
     H "host a.com, b.com\ndrop ?a\ndrop ?c\nhost c.com\ndrop ?b\nhost d.com\ndrop ?d\n"},
    {H "host a.com\ndrop ?a\nhost a.com, b.com\ndrop ?b\nhost a.com\ndrop ?c\n", H,
     H "host a.com\ndrop ?a\ndrop ?c\nhost a.com, b.com\ndrop ?b\n"},
    /* the same rule once: first place and attributes, strongest state */
    {H "host a.com\ndrop ?a [n=1]\ndrop ?b\n", H "host a.com\ndrop ?c\ndrop ?a [n=2 p=.5]\n",
     H "host a.com\ndrop ?a                                                      [n=1]\ndrop ?b\ndrop ?c\n"},
    {H "host a.com\nlikely drop ?a\ndrop ?b\noff drop ?c\npin drop ?d\n",
     H "host a.com\ndrop ?a\noff drop ?b\npin drop ?c\noff drop ?d\n",
     H "host a.com\ndrop ?a\noff drop ?b\npin drop ?c\npin drop ?d\n"},
    {H "host a.com\ndrop ?a\noff drop ?b\n", H "host a.com\nlikely drop ?a\ndrop ?b\n",
     H "host a.com\ndrop ?a\noff drop ?b\n"},
    /* keep lines united, order taken from whoever has one */
    {H "host a.com\nkeep ?l\nkeep /x\n", H "host a.com\norder any\nkeep ?m\nkeep ?l\n",
     H "host a.com\norder any\nkeep ?l\nkeep /x\nkeep ?m\n"},
    {H "host a.com\norder any\n", H "host a.com\norder any\n", H "host a.com\norder any\n"},
    /* a block that is off stays by itself */
    {H "host a.com off\norder any\ndrop ?a\n", H "host a.com\norder keep\ndrop ?a\nhost a.com off\ndrop ?b\n",
     H "host a.com off\norder any\ndrop ?a\ndrop ?b\nhost a.com\norder keep\ndrop ?a\n"},
    /* comments */
    {H "# 1\nhost a.com # 2\n# 3\ndrop ?a\ndrop ?b # 4\n# 5\n",
     H "# 6\nhost a.com # 7\n# 8\norder any # 9\n# 10\ndrop ?a # 11\n# 12\ndrop ?b\n# 13\n",
     H "# 1\n# 5\n# 6\n# 7\nhost a.com  # 2\n# 8\norder any  # 9\n# 3\ndrop ?a  # 11\n# 12\ndrop ?b  # 4\n# 13\n"},
};

static void merges_as_the_table_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_rules *r = read_rules(cases[i].first, cases[i].second), *m;
        dp_text  *t;
        assert_int_equal(DP_OK, dp_rules_merge(&m, r, NULL));
        dp_rules_free(r); /* the result stands alone */
        assert_int_equal(DP_OK, dp_rules_print(&t, m));
        assert_string_equal(cases[i].want, dp_text_data(t));
        dp_text_free(t);
        dp_rules_free(m);
    }
}

static void refuses_orders_that_disagree(void **state)
{
    (void)state;
    dp_rules *r = read_rules(H "host a.com\norder any\n", H "# x\nhost a.com\ndrop ?a\norder keep\n"), *m = NULL;
    dp_error  err = {0};
    assert_int_equal(DP_ESYNTAX, dp_rules_merge(&m, r, &err));
    assert_null(m);
    assert_string_equal("g", err.file);
    assert_int_equal(5, err.line);
    assert_string_equal("this order line for host a.com contradicts f:3; make them the same", err.message);
    assert_int_equal(DP_ESYNTAX, dp_rules_merge(&m, r, NULL));
    dp_rules_free(r);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    dp_rules *r = read_rules(cases[9].first, cases[9].second);
    DP_EVERY_ALLOC_FAILURE
    {
        dp_rules *m = NULL;
        dp_err    e = dp_rules_merge(&m, r, NULL);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, e);
        dp_rules_free(m);
    }
    dp_rules_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merges_as_the_table_says),
        cmocka_unit_test(refuses_orders_that_disagree),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
