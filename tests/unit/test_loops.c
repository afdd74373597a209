/* learn/auto/rounds/loops: rules added one by one are refused when one of them would feed itself, and only then.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apply/engine.h"
#include "learn/auto/rounds/rounds.h"
#include "learn/auto/forms/rulebook.h"
#include "support/failing_alloc.h"

enum { MOST = 6 };

#define HOSTS      "a.test"
#define TAKEN(x)   {.text = {x}, .hosts = HOSTS, .ok = true}
#define REFUSED(x) {.text = {x}, .hosts = HOSTS, .ok = false}

/* Rules in the order of being asked about; those that are refused are left out. */
static const struct {
    const char *what;
    struct {
        const char *text[2], *hosts;
        bool        ok;
    } rule[MOST];
} sequences[] = {
    {"rules that have nothing to do with each other",
     {TAKEN("drop ?sid"), TAKEN("fold case path"), TAKEN("/{**}/index.html => /{**}/")}},
    {"a rule that feeds itself", {REFUSED("/x/{**} => /x/x/{**}"), TAKEN("drop ?sid")}},
    {"a rule that feeds itself from the end", {REFUSED("/{**}/x => /{**}/x/x")}},
    {"a loop of two", {TAKEN("/old/{a} => /new/{a}"), REFUSED("/new/{a} => /old/{a}")}},
    {"the same rule once more", {TAKEN("/old/{a} => /new/{a}"), TAKEN("/old/{a} => /new/{a}")}},
    {"a loop of three, after one of two that was refused",
     {TAKEN("/a/{x} => /b/{x}"), REFUSED("/b/{x} => /a/{x}"), TAKEN("/b/{x} => /c/{x}"), TAKEN("drop ?sid"),
      REFUSED("/c/{x} => /a/{x}"), TAKEN("/c/{x} => /d/{x}")}},
    {"an index file and the slash before it",
     {TAKEN("/{**}/index.html => /{**}/"), REFUSED("/{**}/ => /{**}/index.html")}},
    {"back on another host",
     {TAKEN("/old/{a} => /new/{a}"), {.text = {"/new/{a} => /old/{a}"}, .hosts = "b.test", .ok = true}}},
    {"back on a host that both have",
     {TAKEN("/old/{a} => /new/{a}"), {.text = {"/new/{a} => /old/{a}"}, .hosts = "b.test, a.test", .ok = false}}},
    {"two lines that feed each other",
     {{.text = {"/old/{a} => /new/{a}", "/new/{a} => /old/{a}"}, .hosts = HOSTS, .ok = false}}},
    {"two lines of which the second leads back",
     {TAKEN("/a/{x} => /b/{x}"),
      {.text = {"/c/{x} => /d/{x}", "/b/{x} => /a/{x}"}, .hosts = HOSTS, .ok = false}}},
    {"a parameter that becomes a folder, and back, with an order that holds for all",
     {TAKEN("/{b}?q={a} => /{a}/{b}"), TAKEN("order any"), REFUSED("/{a}/{b} => /{b}?q={a}")}},
    {"an order that makes of two rules a loop",
     {TAKEN("sub \"?a=1&b=\" -> \"?b=2&a=\""), TAKEN("sub \"?a=&b=2\" -> \"?a=1&b=\""), REFUSED("order any"),
      TAKEN("drop ?sid")}},
};

/* `second` may be NULL. */
static dp_taken rule_of(const char *first, const char *second, const char *hosts)
{
    dp_taken t = {.text = {dp_str_c(first)}, .hosts = dp_str_c(hosts), .family = DP_FAMILY_BLOCK};
    if (second)
        t.text[1] = dp_str_c(second);
    if (dp_str_eq(t.text[0], DP_STR("order any")))
        t.family = DP_FAMILY_ORDER;
    return t;
}

static dp_taken rule(const char *text)
{
    return rule_of(text, NULL, HOSTS);
}

/* Whether the whole file can be loaded. */
static bool is_good(const dp_taken *v, size_t n)
{
    dp_buf     text = {0};
    dp_engine *e = NULL;
    dp_rounds_print(&text, v, n);
    dp_err code = dp_rulebook_engine(&e, dp_buf_view(&text), true);
    assert_true(code == DP_OK || code == DP_ESYNTAX);
    dp_engine_free(e);
    dp_buf_done(&text);
    return code == DP_OK;
}

static bool add(dp_loops *l, const dp_taken *v, size_t n)
{
    bool ok;
    assert_int_equal(DP_OK, dp_loops_add(l, v, n, &ok));
    return ok;
}

static void a_rule_is_refused_when_the_file_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(sequences); i++) {
        dp_loops l = {0};
        dp_taken v[MOST];
        size_t   n = 0;
        for (size_t k = 0; k < MOST && sequences[i].rule[k].text[0]; k++) {
            v[n] = rule_of(sequences[i].rule[k].text[0], sequences[i].rule[k].text[1], sequences[i].rule[k].hosts);
            bool ok = add(&l, v, n + 1);
            if (ok != sequences[i].rule[k].ok || ok != is_good(v, n + 1))
                fail_msg("%s: %s %s", sequences[i].what, sequences[i].rule[k].text[0], ok ? "is taken" : "is refused");
            n += ok;
        }
        dp_loops_done(&l);
    }
}

static void who_is_refused_leaves_nothing_behind(void **state)
{
    (void)state;
    dp_loops l = {0};
    dp_taken v[] = {rule("/old/{a} => /new/{a}"), rule("/new/{a} => /old/{a}")};
    assert_true(add(&l, v, 1));
    dp_loops before = l;
    for (int k = 0; k < 2; k++) { /* asked again it is refused again */
        assert_false(add(&l, v, 2));
        assert_int_equal(before.nrun, l.nrun);
        assert_int_equal(before.ntext, l.ntext);
        assert_int_equal(before.blocks, l.blocks);
        assert_true(before.rules == l.rules);
    }
    dp_loops_done(&l);
}

/* Runs are kept from call to call: a rule that fires nowhere on them adds its own and no more. */
static void what_is_known_is_not_run_again(void **state)
{
    (void)state;
    dp_loops l = {0};
    dp_taken v[] = {rule("/a/{x} => /b/{x}"), rule("drop ?sid"), rule("/b/{x} => /c/{x}")};
    assert_true(add(&l, v, 1));
    assert_int_equal(1, l.nrun);
    assert_int_equal(2, l.run[0].n); /* /a/... and /b/... */
    size_t at = l.run[0].first;
    assert_true(add(&l, v, 2));
    assert_int_equal(2, l.nrun);
    assert_int_equal(at, l.run[0].first);
    assert_true(add(&l, v, 3)); /* changes the run of the first rule, which keeps its place */
    assert_int_equal(3, l.nrun);
    assert_int_equal(3, l.run[0].n);
    assert_int_equal(3, l.blocks);
    dp_loops_done(&l);
}

/* Rules that were taken back: what was known of them is forgotten, and the answers stay right. */
static void other_rules_before_it_are_asked_afresh(void **state)
{
    (void)state;
    dp_loops l = {0};
    dp_taken all[] = {rule("/old/{a} => /new/{a}"), rule("drop ?sid"), rule("/new/{a} => /old/{a}")};
    dp_taken less[] = {all[1], all[2]};
    assert_true(add(&l, all, 1));
    assert_true(add(&l, all, 2));
    assert_false(add(&l, all, 3));
    assert_true(add(&l, less, 2)); /* without the rule that it would lead back to */
    assert_int_equal(2, l.nrun);
    assert_false(add(&l, all, 3));
    dp_loops_done(&l);
}

/* Forms and what they show; the rule drops the last two components, whatever they are, until none are left. */
static void a_rule_that_repeats_itself_is_judged_by_its_end(void **state)
{
    (void)state;
    dp_str    text[] = {DP_STR("http://a.test/2016/04/14/lyon"), DP_STR("http://a.test/2017/05/21/bells"),
                        DP_STR("http://a.test/x/view/7/s/red")};
    uint32_t  apart[] = {0, 1, 2}, one[] = {0, 0, 2};
    dp_member fired[] = {{0, 0, 0}, {0, 0, 1}, {0, 0, 2}};
    dp_forms  f = {.text = text, .label = apart, .n = DP_COUNT(text)};
    dp_taken  every = rule("/{**}/{g}/{h} => /{**}"), once = rule("/{**}/s/{h} => /{**}");
    bool      wrong;
    assert_int_equal(DP_OK, dp_loops_repeats(&every, &f, fired, DP_COUNT(fired), &wrong));
    assert_true(wrong);
    assert_int_equal(DP_OK, dp_loops_repeats(&once, &f, fired, DP_COUNT(fired), &wrong));
    assert_false(wrong);
    f.label = one; /* the two are one page, and the third ends elsewhere */
    assert_int_equal(DP_OK, dp_loops_repeats(&every, &f, fired, 2, &wrong));
    assert_false(wrong);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    const dp_taken v[] = {rule("/a/{x} => /b/{x}"), rule("/b/{x} => /c/{x}"), rule("/c/{x} => /a/{x}")};
    DP_EVERY_ALLOC_FAILURE {
        dp_loops l = {0};
        bool     ok[3] = {false, false, true};
        dp_err   code = DP_OK;
        for (size_t n = 0; n < DP_COUNT(v) && code == DP_OK; n++)
            code = dp_loops_add(&l, v, n + 1, &ok[n]);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        if (code == DP_OK)
            assert_true(ok[0] && ok[1] && !ok[2]);
        dp_loops_done(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rule_is_refused_when_the_file_is),
        cmocka_unit_test(who_is_refused_leaves_nothing_behind),
        cmocka_unit_test(what_is_known_is_not_run_again),
        cmocka_unit_test(other_rules_before_it_are_asked_afresh),
        cmocka_unit_test(a_rule_that_repeats_itself_is_judged_by_its_end),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests_name("loops", tests, NULL, NULL);
}
