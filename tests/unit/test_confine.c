/* Conditions and exceptions of ideas: which values are named, and what naming them costs.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "learn/auto/confine/context.h"
#include "learn/auto/confine/feature.h"

static void assert_near(double want, double got)
{
    assert_true(fabs(want - got) < 1e-9);
}

enum { FILES = 24 };

static const char *const others[] = {"banner", "logo"};

/* Votes of files of a folder that are the same in two releases, and `against` of each of `n` that are not. */
static void hear(dp_context *c, dp_arena *a, size_t n, double against)
{
    for (int i = 0; i < FILES; i++) {
        char url[64];
        int  k = snprintf(url, sizeof url, "http://a.com/lib-2.5/%c/file%d.png", i % 2 ? 'x' : 'y', i);
        dp_context_add(c, dp_arena_str(a, (dp_str){url, (size_t)k}), &(dp_testimony){1, 0, 1, 1});
    }
    for (size_t i = 0; i < n; i++) {
        char url[64];
        int  k = snprintf(url, sizeof url, "http://a.com/lib-2.5/x/%s.png", others[i]);
        dp_context_add(c, dp_arena_str(a, (dp_str){url, (size_t)k}), &(dp_testimony){0, against, 1, 0});
    }
}

/* What the first exception of the last component owes; -1: there is none. */
static double owed(size_t n, double against)
{
    dp_arena    a = {0};
    dp_context  c = {.noise = .001};
    dp_confined got[DP_MOST_CONFINED];
    double      found = -1;
    hear(&c, &a, n, against);
    size_t many = dp_context_split(got, &c, DP_STR("/lib-2.5/{**} => /lib-2.4/{**}"), &a);
    for (size_t i = 0; i < many && found < 0; i++)
        if (got[i].exception && memmem(got[i].text.p, got[i].text.n, "banner.png", 10))
            found = got[i].owed;
    assert_false(c.failed);
    dp_context_done(&c);
    dp_arena_done(&a);
    return found;
}

static void an_exception_for_one_vote_owes_it(void **state)
{
    (void)state;
    assert_near(1, owed(1, 1));
    assert_near(2, owed(2, 1)); /* each is chosen by its own vote alone */
}

static void an_exception_that_others_confirm_owes_nothing(void **state)
{
    (void)state;
    assert_near(0, owed(1, 3));
    assert_near(0, owed(2, 5));
}

/* Several extensions are a list; with pages that have none they are no condition. */
static void pages_without_extension_are_in_no_list(void **state)
{
    (void)state;
    dp_feature html = {.kind = DP_F_EXTENSION, .value = DP_STR(".html")};
    dp_feature htm = {.kind = DP_F_EXTENSION, .value = DP_STR(".htm")};
    dp_feature none = {.kind = DP_F_EXTENSION, .value = DP_STR("")};
    dp_buf     out = {0};
    assert_true(dp_feature_print(&out, (const dp_feature *[]){&htm, &html}, 2));
    assert_true(dp_str_eq(dp_buf_view(&out), DP_STR("/{**}/{x}.{e=htm|html}")));
    assert_false(dp_feature_print(&out, (const dp_feature *[]){&htm, &none}, 2));
    assert_false(out.failed);
    dp_buf_done(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exception_for_one_vote_owes_it),
        cmocka_unit_test(an_exception_that_others_confirm_owes_nothing),
        cmocka_unit_test(pages_without_extension_are_in_no_list),
    };
    return cmocka_run_group_tests_name("confine", tests, NULL, NULL);
}
