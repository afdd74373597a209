/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "dustpan.h"
#include "eval/kddclass.h"

/* The class that a rule's line has. */
static const struct {
    dp_kddclass want;
    const char *rule;
} cases[] = {
    /* one text for another, whatever stands around it */
    {DP_KDD_DUST, "/{a}/index.html => /{a}/"},
    {DP_KDD_DUST, "/story?id={id} => /story/{id}"}, /* "?id=" for "/" */
    {DP_KDD_DUST, "/a/{x:int}? => //b.com/a/{x}"},
    {DP_KDD_DUST, "https:/x/{a}? => http:/x/{a}"},
    {DP_KDD_DUST, "/x/{**}/index.html => /x/{**}/"},
    {DP_KDD_DUST, "/x?sort=up => /x"},
    {DP_KDD_DUST, "/{a}?v= => /{a}"},
    {DP_KDD_DUST, "/x?a={a}&+b&... => /y?a={a}&..."}, /* a condition is no token */
    {DP_KDD_DUST, "drop ?a if =1"},
    {DP_KDD_DUST, "sub \"/old/\" -> \"/new/\""},
    /* what goes or is erased was any value */
    {DP_KDD_IRP, "/show?id={id}&sid=* => /show?id={id}"},
    {DP_KDD_IRP, "/show?id={id}&sid=* => /show?id={id}&sid=*"},
    {DP_KDD_IRP, "/show?sid=*&id={id} => /show?id={id}"},
    {DP_KDD_IRP, "/show?id=&sid=* => /show?id="},
    {DP_KDD_IRP, "/*/dp/{a}? => /dp/{a}"},
    {DP_KDD_IRP, "/*/dp/{a}? => /*/dp/{a}"},
    {DP_KDD_IRP, "/a/?sid=* => /a/"},
    {DP_KDD_IRP, "drop ?sid"},
    {DP_KDD_IRP, "erase ?sid"},
    /* the rest */
    {DP_KDD_REGX, "/show?id={id}&sid=* => /view?id={id}"},
    {DP_KDD_REGX, "/{a}/{b} => /{b}/{a}"},
    {DP_KDD_REGX, "/{a}? => /{a|lower}"},
    {DP_KDD_REGX, "/x/{a}/y => /x/z/{a}"},
    {DP_KDD_REGX, "/x?a=1&b=* => /x"}, /* a = 1 goes, too, which was not any value */
    {DP_KDD_REGX, "/x?a={v} => /x?b={v}&c=1"},
    {DP_KDD_REGX, "set ?lang=en"},
    {DP_KDD_REGX, "fold case path"},
};

static void classes_are_those_of_the_paper(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        char      text[256];
        dp_rules *r;
        dp_error  err;
        int       n = snprintf(text, sizeof text, "dustpan-rules 1\nhost a.com\n%s\n", cases[i].rule);
        assert_int_equal(DP_OK, dp_rules_new(&r));
        if (dp_rules_parse(r, "test", text, (size_t)n, &err) != DP_OK)
            fail_msg("%s: %s", cases[i].rule, err.message);
        if (dp_kddclass_of(r->rule[0]) != cases[i].want)
            fail_msg("%s: %s, not %s", cases[i].rule, dp_kddclass_name(dp_kddclass_of(r->rule[0])),
                     dp_kddclass_name(cases[i].want));
        dp_rules_free(r);
    }
}

/* No rule is too long to be asked. */
static void long_rules_have_a_class(void **state)
{
    (void)state;
    char      text[4096] = "dustpan-rules 1\nhost a.com\n/x?";
    size_t    n = strlen(text);
    dp_rules *r;
    for (int i = 0; i < 100; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%sp%d=1", i ? "&" : "", i);
    n += (size_t)snprintf(text + n, sizeof text - n, " => /x\n");
    assert_int_equal(DP_OK, dp_rules_new(&r));
    assert_int_equal(DP_OK, dp_rules_parse(r, "test", text, n, NULL));
    assert_int_equal(DP_KDD_REGX, dp_kddclass_of(r->rule[0]));
    dp_rules_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_those_of_the_paper),
        cmocka_unit_test(long_rules_have_a_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
