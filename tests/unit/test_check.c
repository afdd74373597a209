/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "rule/check.h"
#include "support/failing_alloc.h"

#define H "dustpan-rules 1\nhost a.com, *.b.com\n"

/* Rules under that host line, and the lines of the findings "line:column: message". */
static const struct {
    const char *text, *want;
} cases[] = {
    {"drop ?a\ndrop ?b\n", ""},
    {"drp ?a\nfold case pth\ndrop ?b\n",
     "3:1: expected a rule (a template, drop, only, erase, set, fold or sub), host, order or keep, found 'drp' (did "
     "you mean 'drop'?)\n4:11: expected 'path', 'query' or 'names', found 'pth' (did you mean 'path'?)\n"},
    /* both sides the same */
    {"/x/{n:int} => /x/{n}\n", "3:1: can never fire: both sides are the same\n"},
    {"/x/{n=a|b}/{**} => /x/{n}/{**}\n", "3:1: can never fire: both sides are the same\n"},
    {"http://a.com/x => //a.com/x\n", "3:1: can never fire: both sides are the same\n"},
    {"//a.com:80/x => /x\n", "3:1: can never fire: both sides are the same\n"},
    {"/x?a={q} => /x?a={q}\n", "3:1: can never fire: both sides are the same\n"},
    {"/x?a= => /x?a=\n", "3:1: can never fire: both sides are the same\n"},
    {"/x?a= => /x?a\n", ""},
    {"/x?a={q} => /x?b={q}\n", ""},
    {"/x?a={q}&... => /x?a={q}&...\n", ""},                       /* a goes first */
    {"/x?a={q}&b={r} => /x?a={q}&b={r}\n", ""},                   /* they get an order */
    {"/x?+a => /x?a=1\n", ""},
    {"/x-* => /x-*\n", ""},                                       /* erases */
    {"/x/{n} => /x/{n|lower}\n", ""},
    {"/{**}/x => /x/{**}\n", ""},
    {"/x => http:/x\n/x => //a.com/x\n//a.com/x => //a.com:81/x\n", ""},
    {"/x => /x unless /y\n", "3:1: can never fire: both sides are the same\n"},
    {"sub \"a\" -> \"a\"\n", "3:1: can never fire: both texts are the same\n"},
    {"sub \"^a\" -> \"^b\"\n", ""},
    /* a#k in a closed query */
    {"/x?a#2={q} => /y\n",
     "3:1: can never fire: it matches a#2 but not each one before it, and allows no other parameters (add &... on both "
     "sides)\n"},
    {"/x?a&a#3={q} => /y\n",
     "3:1: can never fire: it matches a#3 but not each one before it, and allows no other parameters (add &... on both "
     "sides)\n"},
    {"/x?a#2={q}&a={r}&b => /y\n/x?a#2={q}&... => /y?...\n", ""},
    /* kept */
    {"drop ?l\nkeep ?l,m*\n", "3:1: can never fire: all its parameters are protected by keep lines of this block\n"},
    {"keep ?l,m*\nerase ?mx,m,m*\n",
     "4:1: can never fire: all its parameters are protected by keep lines of this block\n"},
    {"keep ?l\nset ?l=1\n", "4:1: can never fire: all its parameters are protected by keep lines of this block\n"},
    {"keep ?l,m*\ndrop ?l,n\ndrop ;l\npin drop ?l\ndrop ?l*\noff erase ?l\n", ""},
    {"keep ?*\nfold case query\n", "4:1: can never fire: keep ?* protects every parameter\n"},
    {"keep ?l*\nfold case query\n", ""},
    {"keep /{**}\ndrop ?a\n", "3:1: protects every URL: only pinned rules of this block can fire\n"},
    {"keep /{**}\npin drop ?a\noff drop ?b\n", ""},
    {"keep //c.com/x\nkeep //x.b.com/\n", "3:1: can never match: host 'c.com' is not in this block\n"},
    /* repeated and covered */
    {"drop ?a\nfold case path\n drop  ?a\n", "5:2: repeats the rule in line 3 and can never fire\n"},
    {"drop ?a\nlikely drop ?a\n", "4:1: repeats the rule in line 3 and can never fire\n"},
    {"drop ?a\nhost *.b.com, a.com\ndrop ?a\nhost a.com\ndrop ?a\n",
     "5:1: repeats the rule in line 3 and can never fire\n"},
    {"off drop ?a\ndrop ?a\n", ""},
    {"likely drop ?a\ndrop ?a\ndrop ?a\n", "5:1: repeats the rule in line 4 and can never fire\n"},
    {"drop ?a [p=.9]\ndrop ?a [p=.99]\ndrop ?a [p=.95]\n", "5:1: repeats the rule in line 4 and can never fire\n"},
    {"drop ?a [p=.9]\ndrop ?a\n", ""},                            /* --min-precision takes the first away */
    {"drop ?a [by=text]\ndrop ?a [by=redirect]\n", ""},           /* --form fetch does */
    {"drop ?a [by=fetch]\ndrop ?a [by=text]\n", "4:1: repeats the rule in line 3 and can never fire\n"},
    {"drop ?a,b,c*\nerase ?a on /x\nset ?b=1\ndrop ?c if =1\ndrop ?cc*,a\ndrop ?a,d\ndrop ;a\n",
     "4:1: can never fire: the rule in line 3 already drops its parameters\n"
     "5:1: can never fire: the rule in line 3 already drops its parameters\n"
     "6:1: can never fire: the rule in line 3 already drops its parameters\n"
     "7:1: can never fire: the rule in line 3 already drops its parameters\n"},
    {"drop ?a if =1\ndrop ?b on /x\ndrop ?c unless /y\nerase ?a,b,c\n", ""},
    {"drop ?a\npin erase ?a\n", ""},
    {"pin drop ?a\npin erase ?a\n", "4:1: can never fire: the rule in line 3 already drops its parameters\n"},
    {"likely drop ?a\nerase ?a\nlikely set ?a=1\n",
     "5:1: can never fire: the rule in line 3 already drops its parameters\n"},
    {"only ?a,b\ndrop ?c\ndrop ?a\nerase ?d*\nset ?b=1\npin drop ?e\ndrop ;a\n",
     "4:1: can never fire: the rule in line 3 already removes its parameters\n"
     "6:1: can never fire: the rule in line 3 already removes its parameters\n"},
    {"only ?a on /x\ndrop ?c\n", ""},
    {"only ?*\nonly ?a,*\nonly ;b*\n", "3:1: can never fire: ?* names every parameter, so none is left to remove\n"
                                       "4:1: can never fire: ?* names every parameter, so none is left to remove\n"},
    {"keep ;*\nonly ;a\nonly ?a\nfold case names\n", "4:1: can never fire: keep ;* protects every parameter\n"},
    {"keep ?*\nfold case names\npin only ?\n", "4:1: can never fire: keep ?* protects every parameter\n"},
    {"/x?... => /x\n/y?... => /y?...\n//{u}.b.com/x => /x\n//{u}.b.com/{v} => //{v}.b.com/{v}\n",
     "4:1: can never fire: both sides are the same\n5:1: can never fire: both sides are the same\n"},
    /* conditions */
    {"drop ?a on //{u}.b.com/\ndrop ?b on //{u}.c.com/\n",
     "4:1: can never fire: host '*.c.com' of its condition is not in this block\n"},
    {"host www.c.com\ndrop ?a on //{u}.c.com/\n", ""},
    {"drop ?a on //c.com/\n", "3:1: can never fire: host 'c.com' of its condition is not in this block\n"},
    {"drop ?a on //x.b.com:80/\ndrop ?b on //a.com/\n", ""},
    {"drop ?a unless //c.com/\n", "3:1: an exception can never match: host 'c.com' is not in this block\n"},
    {"drop ?a unless /x unless /{**}\n",
     "3:1: can never fire: its exception matches every URL that it could change\n"},
    {"drop ?a on /x?b unless /x?b\n", "3:1: can never fire: its exception matches every URL that it could change\n"},
    {"drop ?a,b on /x?!a&!c&!b\n", "3:1: can never fire: its condition requires its parameters to be absent\n"},
    {"drop ?a,b on /x?!a\ndrop ?b* on /x?!b\ndrop ;c on /x?!c\n", ""},
    /* what is off is meant to be */
    {"host a.com off\ndrop ?a\ndrop ?a\nkeep ?a\n", ""},
    {"host b.com\ndrop ?a\nhost b.com off\ndrop ?a\n", ""},
    /* nothing is said of scopes under a bad host line but that */
    {"host A.com\n//x.com/ => /z\ndrop ?a on //y.com/\n", "3:6: host 'A.com' is not in normal form: write 'a.com'\n"},
};

static dp_err check(dp_buf *out, const char *rules, dp_format format)
{
    dp_findings f = {0};
    dp_rules   *r = NULL;
    dp_buf      text = {0};
    dp_buf_c(&text, H);
    dp_buf_c(&text, rules);
    dp_err e = text.failed ? DP_ENOMEM : dp_rules_new(&r);
    if (e == DP_OK)
        e = dp_check_text(&f, r, "f", dp_buf_view(&text));
    if (e == DP_OK)
        e = dp_check_rules(&f, r);
    if (e == DP_OK) {
        dp_findings_print(out, &f, r, format);
        dp_buf_byte(out, 0);
        e = out->failed ? DP_ENOMEM : DP_OK;
    }
    dp_findings_done(&f);
    dp_rules_free(r);
    dp_buf_done(&text);
    return e;
}

static void finds_what_the_table_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_buf got = {0}, want = {0};
        assert_int_equal(DP_OK, check(&got, cases[i].text, DP_PLAIN));
        for (const char *p = cases[i].want, *q; *p; p = q + 1) {
            q = strchr(p, '\n');
            dp_buf_printf(&want, "f:%.*s\n", (int)(q - p), p);
        }
        dp_buf_byte(&want, 0);
        if (strcmp(want.p, got.p) != 0)
            print_error("%s", cases[i].text);
        assert_string_equal(want.p, got.p);
        dp_buf_done(&got);
        dp_buf_done(&want);
    }
}

static void prints_json(void **state)
{
    (void)state;
    dp_buf got = {0};
    assert_int_equal(DP_OK, check(&got, "drop ?a\n", DP_JSON));
    assert_string_equal("{\"findings\":[],\"set\":\"2205b3b658a79251\"}\n", got.p);
    dp_buf_reset(&got);
    assert_int_equal(DP_OK, check(&got, "sub \"a\" -> \"a\"\nx\\\n", DP_JSON));
    assert_string_equal(
        "{\"findings\":[\n"
        "{\"file\":\"f\",\"line\":3,\"column\":1,\"message\":\"can never fire: both texts are the same\"},\n"
        "{\"file\":\"f\",\"line\":4,\"column\":1,\"message\":\"expected a rule (a template, drop, only, erase, set, "
        "fold or sub), host, order or keep, found 'x\\\\'\"}],\"set\":\"ddc9f672a96e76df\"}\n",
        got.p);
    dp_buf_done(&got);
}

static void many_names_take_linear_time(void **state)
{
    (void)state;
    dp_buf text = {0}, got = {0};
    dp_buf_c(&text, "keep ?k*\n");
    for (int i = 0; i < 20000; i++)
        dp_buf_printf(&text, "drop ?a%d*,b%d [p=.%d]\nerase ?a,x%d\n", i, i, i + 10000, i);
    for (int i = 0; i < 20000; i++)
        dp_buf_printf(&text, "drop ?z [p=.%d]\n", i + 10000);
    dp_buf_byte(&text, 0);
    assert_int_equal(DP_OK, check(&got, text.p, DP_PLAIN));
    assert_string_equal("", got.p);
    dp_buf_done(&text);
    dp_buf_done(&got);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    DP_EVERY_ALLOC_FAILURE
    {
        dp_buf out = {0};
        dp_err e = check(&out,
                         "drp\nkeep ?l,m*\nkeep /{**}\ndrop ?a\ndrop ?a on /x?!a unless //c.com/\n/x?a#2 => /\n"
                         "/x/{n:int} => /x/{n}\ndrop ?l\n",
                         DP_JSON);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, e);
        dp_buf_done(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_the_table_says),
        cmocka_unit_test(prints_json),
        cmocka_unit_test(many_names_take_linear_time),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
