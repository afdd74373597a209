/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "rule/attr.h"
#include "rule/rule.h"
#include "rule/ruleline.h"
#include "rule/scope.h"

static const struct {
    dp_class    cls;
    const char *text;
    bool        fits;
} classes[] = {
    {DP_CLASS_ANY, "x", true},
    {DP_CLASS_ANY, "", false},
    {DP_CLASS_INT, "0123456789", true},
    {DP_CLASS_INT, "12a", false},
    {DP_CLASS_INT, "-1", false},
    {DP_CLASS_INT, "", false},
    {DP_CLASS_HEX, "09afAF", true},
    {DP_CLASS_HEX, "0g", false},
    {DP_CLASS_WORD, "azAZ", true},
    {DP_CLASS_WORD, "a1", false},
    {DP_CLASS_SLUG, "a-b_9", true},
    {DP_CLASS_SLUG, "2024-01", false},
    {DP_CLASS_SLUG, "a.b", false},
    {DP_CLASS_SLUG, "", false},
    {DP_CLASS_UUID, "01234567-89ab-cdef-ABCD-EF0123456789", true},
    {DP_CLASS_UUID, "0123456789abcdefABCDEF0123456789", false},
    {DP_CLASS_UUID, "01234567-89ab-cdef-ABCD-EF012345678g", false},
    {DP_CLASS_DATE, "2024-12-31", true},
    {DP_CLASS_DATE, "20241231", true},
    {DP_CLASS_DATE, "2024-1-31", false},
    {DP_CLASS_DATE, "2024/12/31", false},
};

static void classes_fit_what_the_table_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(classes); i++)
        if (dp_class_fits(classes[i].cls, dp_str_c(classes[i].text)) != classes[i].fits)
            fail_msg("%d %s", (int)classes[i].cls, classes[i].text);
}

static void names_fit_whole_or_as_prefix(void **state)
{
    (void)state;
    dp_name whole = {DP_STR("utm_"), false}, prefix = {DP_STR("utm_"), true}, every = {DP_STR(""), true};
    assert_true(dp_name_fits(&whole, DP_STR("utm_")));
    assert_false(dp_name_fits(&whole, DP_STR("utm_x")));
    assert_true(dp_name_fits(&prefix, DP_STR("utm_")));
    assert_true(dp_name_fits(&prefix, DP_STR("utm_x")));
    assert_false(dp_name_fits(&prefix, DP_STR("utm")));
    assert_true(dp_name_fits(&every, DP_STR("")));
}

static const struct {
    const char *hosts, *host;
    int         port;
    int         want; /* number of the scope, -1 for none */
} scopes[] = {
    {"a.com", "a.com", -1, 0},
    {"a.com", "a.com", 80, 0},
    {"a.com", "b.com", -1, -1},
    {"a.com:80", "a.com", -1, 0},
    {"a.com:80", "a.com", 81, -1},
    {"*.a.com", "a.com", -1, -1},
    {"*.a.com", "x.y.a.com", -1, 0},
    {"*.a.com", "xa.com", -1, -1},
    {"any", "x", 1, 0},
    /* among several: names before *.name, of which the longest, before any */
    {"any, *.a.com, *.b.a.com, c.b.a.com, c.b.a.com:8080", "c.b.a.com", 8080, 3},
    {"any, *.a.com, *.b.a.com, c.b.a.com:8080", "c.b.a.com", 80, 2},
    {"any, *.a.com, *.b.a.com, c.b.a.com:8080, c.b.a.com:80", "c.b.a.com", 8080, 3},
    {"any, *.a.com, *.b.a.com", "b.a.com", -1, 1},
    {"any, *.a.com, *.b.a.com", "a.com", -1, 0},
    {"*.a.com, *.b.a.com", "com", -1, -1},
    {"[::1]:80, [::1]", "[::1]", 81, 1},
};

static void scopes_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(scopes); i++) {
        dp_rules *r;
        dp_buf    text = {0};
        dp_buf_printf(&text, "dustpan-rules 1\nhost %s\n", scopes[i].hosts);
        assert_int_equal(DP_OK, dp_rules_new(&r));
        assert_int_equal(DP_OK, dp_rules_parse(r, "f", text.p, text.n, NULL));
        const dp_block *b = r->block[0];
        const dp_scope *s = dp_scope_find(b, dp_str_c(scopes[i].host), scopes[i].port);
        assert_int_equal(scopes[i].want, s ? s - b->scope : -1);
        dp_buf_done(&text);
        dp_rules_free(r);
    }
}

static void a_rule_is_read_alone(void **state)
{
    (void)state;
    dp_arena a = {0};
    dp_rule  r;
    assert_int_equal(DP_OK, dp_ruleline_parse(&r, DP_STR("drop ?s if =1 on /a/{**} unless /a/b unless /c"), &a));
    assert_int_equal(DP_RULE_DROP, r.kind);
    assert_true(r.has_if && r.on && r.nunless == 2 && !r.block);
    assert_int_equal(DP_OK, dp_ruleline_parse(&r, DP_STR("//a.com/{x} => //b.com/{x}"), &a));
    assert_true(dp_str_eq(r.left->host, DP_STR("a.com")));
    assert_int_equal(DP_ESYNTAX, dp_ruleline_parse(&r, DP_STR("order any"), &a));
    assert_null(r.left);
    assert_int_equal(DP_ESYNTAX, dp_ruleline_parse(&r, DP_STR("/a/{x} => /{y}"), &a));
    assert_int_equal(2, r.left->nseg); /* what stands before the mistake */
    dp_arena_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_fit_what_the_table_says),
        cmocka_unit_test(names_fit_whole_or_as_prefix),
        cmocka_unit_test(scopes_are_found),
        cmocka_unit_test(a_rule_is_read_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
