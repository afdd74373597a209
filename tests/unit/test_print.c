/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "rule/id.h"
#include "rule/print.h"
#include "rule/rulefile.h"
#include "rule/scope.h"
#include "support/failing_alloc.h"

#define H "dustpan-rules 1\n"
#define B H "host a.com, *.b.com\n"

/* A line under `host a.com, *.b.com`, and how it is printed when that differs. */
static const struct {
    const char *line, *printed;
} lines[] = {
    /* templates: parts */
    {"/ => /x", NULL},
    {"/a/ => /a", NULL},
    {"/a//b => /a/b", NULL},
    {"//a.com//x => /x", NULL},
    {"http:/{**} => https:/{**}", NULL},
    {"//a.com:8080/x => //a.com/x", NULL},
    {"//x.b.com/ => //b.com:80/", NULL},
    {"http://x.y.b.com/{**} => https://a.com/{**}", NULL},
    {"svn+ssh:/x => /y", NULL},
    {"/x => //[::1]:80/", NULL},
    {"/a;v=1/x => /a/x", NULL},
    {"/a:b@c!$&'()+,=/%20%7B => /", NULL},
    /* captures */
    {"/{slug}/dp/{asin} => /dp/{asin}", NULL},
    {"/{a:int}/{b:hex}/{c:word}/{d:slug}/{e:uuid}/{f:date} => /{f}/{e}", NULL},
    {"/{x=v1|v2|a:b=c} => /{x}", NULL},
    {"/{_x1}.{X}.html => /{X}-{_x1}", NULL},
    {"/{a}/{a} => /{a}", NULL},
    {"/{a}/{a:int} => /{a}", NULL},
    {"/{a}/{b}/{c}/{d} => /{a|lower}/{b|upper}/{c|decode}/{d|encode}", NULL},
    {"/friends-* => /friends-*", NULL},
    {"/{x} => /*", NULL},
    {"/{**} => /{**}/x", NULL},
    {"/a/{**}/b => /{**}", NULL},
    /* queries */
    {"/x? => /y", NULL},
    {"/x => /y?", NULL},
    {"/x?a={v} => /y", NULL},
    {"/x => /y?a=1", NULL},
    {"/x?a={v}&b=&c&d=1{w}2 => /y?z={v}-{w}&b=&c", NULL},
    {"/x?+a&!b&c#2={v}&c#3&c#4=&... => /y?...", NULL},
    {"/x?... => /y?...", NULL},
    {"/x?a=b/c?d:e@f => /y", NULL},
    {"/x?a[]={v}&b.c={w=1|2} => /?a[]={w}", NULL},
    {"/x?a=* => /x?a=*", NULL},
    {"/x?a#4294967289 => /", NULL},
    /* drop, erase, set, fold */
    {"drop ?sid,utm_*", NULL},
    {"drop ?*", NULL},
    {"drop ;jsessionid,v*", NULL},
    {"drop ?a/b,c?d,[]", NULL},
    {"drop ?utm_,utm_*", NULL},
    {"drop ?a if =", NULL},
    {"drop ?a if =x/y=z on /shop/{**}", NULL},
    {"drop ;a if =b", NULL},
    {"erase ?a,b* on /x?c=1&!d&+e&f#2", NULL},
    {"erase ;a", NULL},
    {"set ?a=b", NULL},
    {"set ?a=", NULL},
    {"set ?a=b=c on //a.com/", NULL},
    {"fold case path", NULL},
    {"fold case query on /{**}/x", NULL},
    /* conditions */
    {"drop ?a on http://a.com:80/{x:int}/{x}?b={y=1|2}", NULL},
    {"drop ?a on //elsewhere.org/", NULL},
    {"drop ?a on /x?b&...", "drop ?a on /x?b"},
    {"drop ?a on /x?...", "drop ?a on /x"},
    {"drop ?a unless /x unless /y?z=*", NULL},
    {"/x => /y unless /x?a", NULL},
    /* sub */
    {"sub \"a\"->\"b\"", "sub \"a\" -> \"b\""},
    {"sub \"/s?id=\"\t->   \"/s_\" on /x unless /y", "sub \"/s?id=\" -> \"/s_\" on /x unless /y"},
    {"sub \"^http://\" -> \"^https://\"", NULL},
    {"sub \"/$\" -> \"$\"", NULL},
    {"sub \"^$\" -> \"^http://a.com/$\"", NULL},
    {"sub \"a\\$b\\$\" -> \"\"", NULL},
    {"sub \"\\$$\" -> \"\\$$\"", NULL},
    {"sub \"^\" -> \"^a\"", NULL},
    /* states, white space */
    {"pin drop ?a", NULL},
    {"likely fold case path", NULL},
    {"off /a => /b", NULL},
    {"  \tdrop \t ?a\t on   /x  ", "drop ?a on /x"},
    {"drop ?a\r", "drop ?a"},
    /* attributes */
    {"drop ?a [p=.5]", "drop ?a                                                      [p=.5]"},
    {"drop ?a [ p=1   n=2.50 neg=0 save=.0 by=text,near seen=2024-01-01 k.x-y_z= odd={[(#)}\t]",
     "drop ?a                                                      "
     "[p=1 n=2.50 neg=0 save=.0 by=text,near seen=2024-01-01 k.x-y_z= odd={[(#)}]"},
    {"drop ?abcdefghijklmnopqrstuvwxyz,ABCDEFGHIJKLMNOPQRSTUVWXYZ [p=1]",
     "drop ?abcdefghijklmnopqrstuvwxyz,ABCDEFGHIJKLMNOPQRSTUVWXYZ  [p=1]"},
    {"drop ?abcdefghijklmnopqrstuvwxyz,ABCDEFGHIJKLMNOPQRSTUVWXYZ0 [p=1]", NULL},
    {"drop ?abcdefghijklmnopqrstuvwxyz,ABCDEFGHIJKLMNOPQRSTUVWXYZ01 [p=1]", NULL},
    /* comments */
    {"drop ?a #b", "drop ?a  #b"},
    {"drop ?a\t#b#c # d", "drop ?a  #b#c # d"},
    {"drop ?a   # any bytes: \303\274 \377 \001  ", "drop ?a  # any bytes: \303\274 \377 \001"},
    {"drop ?a [p=1] # b", "drop ?a                                                      [p=1]  # b"},
};

/* Read `text`, print it, read and print that: it stays, and so do the ids. */
static void assert_prints(const char *text, const char *want)
{
    dp_rules *r, *again;
    dp_text  *t, *u;
    dp_error  err = {0};
    assert_int_equal(DP_OK, dp_rules_new(&r));
    assert_int_equal(DP_OK, dp_rules_new(&again));
    if (dp_rules_parse(r, "f", text, strlen(text), &err))
        fail_msg("%s%zu:%zu: %s", text, err.line, err.column, err.message);
    assert_int_equal(DP_OK, dp_rules_print(&t, r));
    assert_string_equal(want, dp_text_data(t));
    assert_int_equal(DP_OK, dp_rules_parse(again, "g", dp_text_data(t), dp_text_size(t), &err));
    assert_int_equal(DP_OK, dp_rules_print(&u, again));
    assert_string_equal(want, dp_text_data(u));
    assert_int_equal(dp_rules_count(r), dp_rules_count(again));
    for (size_t i = 0; i < dp_rules_count(r); i++)
        assert_true(dp_rules_id(r, i) == dp_rules_id(again, i));
    dp_text_free(t);
    dp_text_free(u);
    dp_rules_free(r);
    dp_rules_free(again);
}

static void prints_every_construct_as_it_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(lines); i++) {
        char text[512], want[512];
        snprintf(text, sizeof text, B "%s\n", lines[i].line);
        snprintf(want, sizeof want, B "%s\n", lines[i].printed ? lines[i].printed : lines[i].line);
        assert_prints(text, want);
    }
}

static const struct {
    const char *text, *want;
} files[] = {
    {H, H},
    {"dustpan-rules 1", H},
    {"dustpan-rules 1 \t\r\n\r\n\n", H},
    {"dustpan-rules 1 # head\n# more\nhost a.com", H "# head\n# more\nhost a.com\n"},
    {H "host any", H "host any\n"},
    {H "host a.com:80,*.b.com , [::1]:8080,[::2] ,any off",
     H "host a.com:80, *.b.com, [::1]:8080, [::2], any off\n"},
    {H "host off off\nhost localhost\n# x", H "host off off\nhost localhost\n# x\n"},
    {H "host a.com\norder keep\n", H "host a.com\norder keep\n"},
    /* order and keep lines come first; comments stay with their lines */
    {H "#1\n\n  #2 \nhost a.com #3\ndrop ?a #4\n#5\nkeep ?l,m* #6\nkeep ;v\nkeep /x?y=1\n#7\norder  any  #8\n#9",
     H "#1\n#2\nhost a.com  #3\n#7\norder any  #8\n#5\nkeep ?l,m*  #6\nkeep ;v\nkeep /x?y=1\ndrop ?a  #4\n#9\n"},
};

static void prints_blocks(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(files); i++)
        assert_prints(files[i].text, files[i].want);
}

/* Every file in docs/rule-format.md is right and stands as it is printed. */
static void examples_of_the_specification_are_in_printed_form(void **state)
{
    (void)state;
    dp_buf      doc = {0};
    size_t      n = 0;
    const char *begin = "```\n" H, *end;
    assert_int_equal(DP_OK, dp_rulefile_slurp(&doc, "docs/rule-format.md", NULL));
    dp_buf_byte(&doc, 0);
    for (char *p = doc.p; (p = strstr(p, begin)) != NULL; p += strlen(begin), n++) {
        end = strstr(p + strlen(begin), "```");
        assert_non_null(end);
        doc.p[end - doc.p] = 0;
        assert_prints(p + 4, p + 4);
        doc.p[end - doc.p] = '`';
    }
    assert_int_equal(3, n);
    dp_buf_done(&doc);
}

static void prints_heads_and_rules_without_comments(void **state)
{
    (void)state;
    dp_rules *r;
    dp_buf    b = {0};
    dp_str    text = DP_STR(H "# 1\nhost a.com off # 2\nkeep ?a # 3\norder any # 4\nlikely drop  ?b [p=1] # 5\n");
    assert_int_equal(DP_OK, dp_rules_new(&r));
    assert_int_equal(DP_OK, dp_rules_parse(r, "f", text.p, text.n, NULL));
    dp_print_block(&b, r->block[0]);
    dp_print_rule(&b, r->rule[0]);
    dp_buf_byte(&b, 0);
    assert_string_equal("host a.com off\norder any\nkeep ?a\nlikely drop ?b [p=1]", b.p);
    dp_buf_done(&b);
    dp_rules_free(r);
}

/* Learners build rules in memory: text and id must be those of the same rule in a file. */
static void names_rules_that_were_built(void **state)
{
    (void)state;
    dp_arena   a = {0};
    dp_buf     b = {0};
    dp_scope   scopes[] = {{.name = {"www.example.com", 15}, .port = -1}, {.name = {"example.com", 11}, .port = -1}};
    dp_block   block = {.scope = scopes, .nscope = 2};
    dp_name    names[] = {{DP_STR("sid"), false}, {DP_STR("utm_"), true}};
    dp_rule    rule = {.kind = DP_RULE_DROP, .names = {'?', names, 2}};
    dp_id_base base;
    assert_int_equal(DP_OK, dp_scope_index(&block, &a));
    dp_id_base_init(&base, &block);
    assert_int_equal(DP_OK, dp_id_fill(&rule, &base, &b, &a));
    assert_true(dp_str_eq(DP_STR("drop ?sid,utm_*"), rule.text));
    assert_true(0x195e483f1488d893 == rule.id);
    assert_true(dp_str_eq(DP_STR("www.example.com, example.com"), block.hosts));
    assert_true(dp_str_eq(DP_STR("example.com,www.example.com"), block.key));
    dp_buf_done(&b);
    dp_arena_done(&a);
}

static void naming_survives_every_allocation_failure(void **state)
{
    (void)state;
    dp_scope scopes[] = {{.any = true, .port = -1}, {.name = DP_STR("a.com"), .wildcard = true, .port = -1}};
    DP_EVERY_ALLOC_FAILURE
    {
        dp_arena   a = {0};
        dp_buf     b = {0};
        dp_block   block = {.scope = scopes, .nscope = 2};
        dp_rule    rule = {.kind = DP_RULE_FOLD_PATH};
        dp_id_base base;
        dp_err     e = dp_scope_index(&block, &a);
        if (e == DP_OK) {
            dp_id_base_init(&base, &block);
            e = dp_id_fill(&rule, &base, &b, &a);
        }
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, e);
        dp_buf_done(&b);
        dp_arena_done(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_every_construct_as_it_is_read),
        cmocka_unit_test(prints_blocks),
        cmocka_unit_test(examples_of_the_specification_are_in_printed_form),
        cmocka_unit_test(prints_heads_and_rules_without_comments),
        cmocka_unit_test(names_rules_that_were_built),
        cmocka_unit_test(naming_survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
