/* learn/seq2seq/generalize: rules that several are cases of.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "learn/seq2seq/generalize.h"

static void propose(dp_proposals *all, const char *text)
{
    dp_proposal p = {.hosts = DP_STR("a.com"), .text = dp_str_c(text), .n = 5, .p = -1, .passes = true};
    assert_int_equal(DP_OK, dp_proposals_add(all, &p));
}

/* The proposal of that text; NULL: there is none. */
static const dp_proposal *find(const dp_proposals *all, const char *text)
{
    for (size_t i = 0; i < all->n; i++)
        if (dp_str_eq(all->v[i].text, dp_str_c(text)))
            return &all->v[i];
    return NULL;
}

static void words_ends_and_parameters_are_left_open(void **state)
{
    (void)state;
    dp_proposals all = {0};
    dp_arena     a = {0};
    propose(&all, "/docs/api/{a1} => /help/api/{a1}");
    propose(&all, "/docs/faq/{a1} => /help/faq/{a1}");
    propose(&all, "/docs/how/{a1} => /help/how/{a1}");
    propose(&all, "/x/{a1}?sort=up&id={a2} => /x/{a1}?id={a2}");
    propose(&all, "/y?sort={a1} => /y");
    propose(&all, "/z?a=1&sort=down => /z?a=1");
    assert_int_equal(DP_OK, dp_seq_generalize(&all, &a));
    const char *const wanted[] = {"/docs/{w}/{a1} => /help/{w}/{a1}", "/docs/{**} => /help/{**}", "drop ?sort"};
    for (size_t i = 0; i < DP_COUNT(wanted); i++) {
        const dp_proposal *p = find(&all, wanted[i]);
        assert_non_null(p);
        assert_int_equal(15, p->n);
        assert_false(p->passes);
    }
    assert_true(dp_str_eq(all.v[0].text, DP_STR("/docs/api/{a1} => /help/api/{a1}"))); /* cases come first */
    dp_proposals_done(&all);
    dp_arena_done(&a);
}

static void two_cases_are_too_few(void **state)
{
    (void)state;
    dp_proposals all = {0};
    dp_arena     a = {0};
    propose(&all, "/docs/api => /help/api");
    propose(&all, "/docs/faq => /help/faq");
    propose(&all, "drop ?sid");
    propose(&all, "/y?sort=1&page=2 => /y?page=1"); /* not only gone: changed */
    assert_int_equal(DP_OK, dp_seq_generalize(&all, &a));
    assert_int_equal(4, all.n);
    dp_proposals_done(&all);
    dp_arena_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_ends_and_parameters_are_left_open),
        cmocka_unit_test(two_cases_are_too_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
