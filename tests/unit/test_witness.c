/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "base/buf.h"
#include "rule/witness.h"
#include "support/failing_alloc.h"

static const struct {
    const char *host, *rule, *want; /* witnesses, each followed by a blank */
} cases[] = {
    /* origin */
    {"a.com", "/x => /y", "http://a.com/x "},
    {"b.com:8080, a.com", "/x => /y", "http://b.com:8080/x "},
    {"*.a.com", "/x => /y", "http://a.a.com/x "},
    {"any", "/x => /y", "http://a.example/x "},
    {"[::1]", "/x => /y", "http://[::1]/x "},
    {"a.com, b.com", "//b.com/x => /y", "http://b.com/x "},
    {"a.com, b.com:81", "https://b.com/x => /y", "https://b.com:81/x "},
    {"a.com", "https://a.com:444/ => /y", "https://a.com:444/ "},
    {"a.com", "ftp:/x/ => /y", "ftp://a.com/x/ "},
    /* captures */
    {"a.com", "/{s}/dp/{t} => /dp/{t}", "http://a.com/a/dp/a "},
    {"a.com", "/{a:int}/{b:hex}/{c:word}/{d:slug} => /", "http://a.com/1/a/a/a "},
    {"a.com", "/{a:int*3}{b:slug*2}-{a} => /", "http://a.com/111aa-111 "},
    {"*.a.com", "//{u}.a.com/x => /y", "http://a.a.com/x "},
    {"*.com", "//{u}.b.com/{u:int*2}/{**} => /y", "http://11.b.com/11 http://11.b.com/11/a "},
    {"a.com", "/x?b={v}&... => /y", "http://a.com/x?b=a "},
    {"a.com", "only ?a,b*,d", "http://a.com/?c=a "},
    {"a.com", "only ?", "http://a.com/?a=a "},
    {"a.com", "only ;s on /x/{**}", "http://a.com/x;a=a http://a.com/x/a;a=a "},
    {"a.com", "only ?*", ""},
    {"a.com", "fold case names on /x", "http://a.com/x?A=A "},
    {"a.com", "/{a:uuid}/{b:date} => /", "http://a.com/00000000-0000-0000-0000-000000000000/2000-01-01 "},
    {"a.com", "/x{a=v|w}-* => /", "http://a.com/xv-a "},
    {"a.com", "/{a}/{b}/{a:int}/{b=q|r}/{b:word} => /", "http://a.com/1/q/1/q/q "},
    {"a.com", "/{**} => /x", "http://a.com/ http://a.com/a "},
    {"a.com", "/{**}/index.html => /{**}/", "http://a.com/index.html http://a.com/a/index.html "},
    {"a.com", "/x/{**}/{y:int}/ => /", "http://a.com/x/1/ http://a.com/x/a/1/ "},
    /* query */
    {"a.com", "/?b={v}&+c&!d&e&f= => /", "http://a.com/?b=a&c=a&e&f= "},
    {"a.com", "/?z={v:int}&a#3={w}&a={v}&... => /?...", "http://a.com/?a=1&a=a&a=a&z=1 "},
    {"a.com", "/?a#4096&... => /?...", NULL},
    {"a.com", "/?a#4097&... => /?...", ""},
    /* parameters */
    {"a.com", "drop ?sid,utm_*", "http://a.com/?sid=a&utm_=a "},
    {"a.com", "drop ?*", "http://a.com/?=a "},
    {"a.com", "drop ?a if =", "http://a.com/?a= "},
    {"a.com", "drop ?a if =x on /y?b", "http://a.com/y?b&a=x "},
    {"a.com", "erase ?a on /{**}/y", "http://a.com/y?a=a http://a.com/a/y?a=a "},
    {"a.com", "drop ;v,w*", "http://a.com/;v=a;w=a "},
    {"a.com", "drop ;v if =1 on /x/{**}?q", "http://a.com/x;v=1?q http://a.com/x/a;v=1?q "},
    {"a.com", "set ?a=b", "http://a.com/?a=a "},
    {"a.com", "set ?a=a", "http://a.com/?a=b "},
    /* fold */
    {"a.com", "fold case path", "http://a.com/A "},
    {"a.com", "fold case path on /x/{y}/{**}", "http://a.com/x/A http://a.com/x/A/A "},
    {"a.com", "fold case query", "http://a.com/?A=A "},
    {"a.com", "fold case query on /x?y=1", "http://a.com/x?y=1&A=A "},
    /* sub */
    {"a.com", "sub \"/s?id=\" -> \"/s_\"", "http://a.com/s?id= "},
    {"a.com", "sub \"_$\" -> \"-$\"", "http://a.com/_ "},
    {"a.com", "sub \"$\" -> \"x$\"", "http://a.com/ "},
    {"a.com", "sub \":80/\" -> \"/\"", "http://a.com:80/ "},
    {"a.com", "sub \"?x\" -> \"\"", "http://a.com?x "},
    {"a.com", "sub \"^http://a.com/x\" -> \"^http://a.com/\"", "http://a.com/x "},
    {"a.com", "sub \"^\" -> \"^x\"", " "},
    {"a.com", "sub \"b\" -> \"c\" on /x", "http://a.com/x/b "},
    {"a.com", "sub \"b\" -> \"c\" on /x/", "http://a.com/x/b "},
    {"a.com", "sub \"b\" -> \"c\" on /x?y=1", "http://a.com/x?y=1&b "},
    {"a.com", "sub \"&b\" -> \"\" on /x?y=1", "http://a.com/x?y=1&b "},
};

static dp_rules *read_rule(const char *host, const char *rule)
{
    char      text[512];
    dp_rules *r;
    dp_error  err = {0};
    snprintf(text, sizeof text, "dustpan-rules 1\nhost %s\n%s\n", host, rule);
    assert_int_equal(DP_OK, dp_rules_new(&r));
    if (dp_rules_parse(r, "f", text, strlen(text), &err))
        fail_msg("%s%zu:%zu: %s", text, err.line, err.column, err.message);
    return r;
}

static void fills_in_left_sides(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_rules *r = read_rule(cases[i].host, cases[i].rule);
        dp_arena  a = {0};
        dp_buf    got = {0};
        dp_str    w[DP_WITNESSES];
        size_t    n;
        assert_int_equal(DP_OK, dp_witness_make(w, &n, r->block[0], r->rule[0], &a));
        for (size_t j = 0; j < n; j++) {
            dp_buf_str(&got, w[j]);
            dp_buf_byte(&got, ' ');
        }
        dp_buf_byte(&got, 0);
        if (cases[i].want)
            assert_string_equal(cases[i].want, got.p);
        else
            assert_int_equal(1, n);
        dp_buf_done(&got);
        dp_arena_done(&a);
        dp_rules_free(r);
    }
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    static const char *const rules[] = {
        "/{**}/{x}/{x:int}?a#3={y}&b => /", "drop ;a,b on /{x}?b", "sub \"a\" -> \"b\""};
    for (size_t i = 0; i < DP_COUNT(rules); i++) {
        dp_rules *r = read_rule("a.com", rules[i]);
        DP_EVERY_ALLOC_FAILURE
        {
            dp_arena a = {0};
            dp_str   w[DP_WITNESSES];
            size_t   n;
            dp_err   e = dp_witness_make(w, &n, r->block[0], r->rule[0], &a);
            assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, e);
            dp_arena_done(&a);
        }
        dp_rules_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_in_left_sides),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
