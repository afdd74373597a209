/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "base/str.h"
#include "dustpan.h"
#include "support/failing_alloc.h"

static const struct {
    const char *a, *b, *want;
} cases[] = {
    {"", "", ""},
    {"host a.com\ndrop ?a [n=1] # x\n", "# y\nhost a.com\ndrop  ?a [n=2 save=3]\n", ""},
    {"host a.com\ndrop ?a\n", "host b.com\ndrop ?a\n", "- a.com: drop ?a\n+ b.com: drop ?a\n"},
    {"host a.com, b.com\ndrop ?a\n", "host b.com,a.com\ndrop ?a\n", ""},
    {"host a.com\ndrop ?a\nlikely drop ?b\noff drop ?c\npin drop ?d\n", "",
     "- a.com: drop ?a\n- a.com: likely drop ?b\n- a.com: off drop ?c\n- a.com: pin drop ?d\n"},
    /* what can change a URL under some option */
    {"host a.com\ndrop ?a\ndrop ?b [p=.9 by=text]\n", "host a.com\nlikely drop ?a [p=.5]\ndrop ?b [by=fetch]\n",
     "~ a.com: drop ?a (state active -> likely, p none -> .5)\n"
     "~ a.com: drop ?b (p .9 -> none, by text -> fetch)\n"},
    {"host a.com\ndrop ?a\n", "host a.com off\ndrop ?a\n", "~ a.com: drop ?a (state active -> off)\n"},
    {"host a.com off\nkeep ?k\norder any\n", "host a.com off\nkeep ?l\n", ""},
    {"host a.com\norder any\nkeep ?k\nkeep ?l\n", "host a.com\nkeep ?l,m\nkeep ?k\n",
     "- a.com: keep ?l\n+ a.com: keep ?l,m\n~ a.com: order (any -> none)\n"},
    {"host a.com\norder any\n", "host a.com\norder keep\n", "~ a.com: order (any -> keep)\n"},
    /* order of rules, of blocks that share a name */
    {"host a.com\ndrop ?a\ndrop ?b\nfold case path\n", "host a.com\nfold case path\ndrop ?c\ndrop ?a\ndrop ?b\n",
     "+ a.com: drop ?c\n~ a.com: rules in another order\n"},
    {"host a.com\noff drop ?a\ndrop ?b\n", "host a.com\ndrop ?b\noff drop ?a\n", ""},
    {"host a.com\ndrop ?a\nhost b.com\ndrop ?b\n", "host b.com\ndrop ?b\nhost a.com\ndrop ?a\n", ""},
    {"host a.com, b.com\ndrop ?a\nhost b.com\ndrop ?b\n", "host b.com\ndrop ?b\nhost a.com, b.com\ndrop ?a\n",
     "~ b.com: host lines in another order\n"},
    /* said twice */
    {"host a.com\ndrop ?a\nhost a.com\ndrop ?a\ndrop ?b\n", "host a.com\noff drop ?a\ndrop ?a\ndrop ?b\n", ""},
};

static dp_rules *read_rules(const char *text)
{
    char      whole[512];
    dp_rules *r;
    snprintf(whole, sizeof whole, "dustpan-rules 1\n%s", text);
    assert_int_equal(DP_OK, dp_rules_new(&r));
    assert_int_equal(DP_OK, dp_rules_parse(r, "f", whole, strlen(whole), NULL));
    return r;
}

static void finds_what_the_table_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_rules *a = read_rules(cases[i].a), *b = read_rules(cases[i].b);
        dp_text  *t;
        size_t    n = 99, lines = 0;
        assert_int_equal(DP_OK, dp_rules_diff(&t, a, b, DP_PLAIN, &n));
        assert_string_equal(cases[i].want, dp_text_data(t));
        for (const char *p = cases[i].want; *p; p++)
            lines += *p == '\n';
        assert_int_equal(lines, n);
        dp_text_free(t);
        assert_int_equal(DP_OK, dp_rules_diff(&t, a, a, DP_PLAIN, &n));
        assert_string_equal("", dp_text_data(t));
        assert_int_equal(0, n);
        dp_text_free(t);
        dp_rules_free(a);
        dp_rules_free(b);
    }
}

static void prints_json(void **state)
{
    (void)state;
    dp_rules *a = read_rules("host a.com\ndrop ?a\nsub \"a\" -> \"b\"\n");
    dp_rules *b = read_rules("host a.com\noff drop ?a\n");
    dp_text  *t;
    size_t    n;
    assert_int_equal(DP_OK, dp_rules_diff(&t, a, b, DP_JSON, &n));
    assert_string_equal("{\"differences\":[\n"
                        "{\"change\":\"~\",\"hosts\":\"a.com\",\"text\":\"drop ?a\",\"note\":"
                        "\"state active -> off\"},\n"
                        "{\"change\":\"-\",\"hosts\":\"a.com\",\"text\":\"sub \\\"a\\\" -> \\\"b\\\"\"}],"
                        "\"set_a\":\"1201eded32dd3cd2\",\"set_b\":\"ed8f3c7343695f8e\"}\n",
                        dp_text_data(t));
    dp_text_free(t);
    dp_rules_free(a);
    dp_rules_free(b);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    dp_rules *a = read_rules("host a.com\norder any\nkeep ?k\ndrop ?a\nlikely drop ?b\n");
    dp_rules *b = read_rules("host a.com, b.com\nkeep ?l\ndrop ?b\nhost a.com\noff drop ?a\n");
    DP_EVERY_ALLOC_FAILURE
    {
        dp_text *t = NULL;
        size_t   n;
        dp_err   e = dp_rules_diff(&t, a, b, DP_PLAIN, &n);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, e);
        dp_text_free(t);
    }
    dp_rules_free(a);
    dp_rules_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_the_table_says),
        cmocka_unit_test(prints_json),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
