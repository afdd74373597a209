/* learn/auto/propose/mirror: what a rule becomes on a site with languages.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "learn/auto/propose/mirror.h"

/* Rules as pages of one language propose them, and as they are proposed; NULL: not at all. */
static const struct {
    const char *rule, *want;
} pooled[] = {
    {"/fr/{b}/{c} => /fr/{c}", "/{l0=de|fr|ja}/{b}/{c} => /{l0}/{c}"},
    {"/{b}/{c} => /{c}", "/{b}/{c} => /{c} unless /{l0=de|fr|ja}/{**}"},
    {"/{**}/{B}/dp/{a}/{e} => /{**}/dp/{a}/{e}",
     "/{**}/{B}/dp/{a}/{e} => /{**}/dp/{a}/{e} unless /{l0=de|fr|ja}/dp/{a}/{e}"},
    {"/{**}/{b:int}/{c}?id={d}&... => /{**}/{c}?id={d}&...",
     "/{**}/{b:int}/{c}?id={d}&... => /{**}/{c}?id={d}&... unless /{l0=de|fr|ja}/{c}"},
    {"/{**}/{b}/{c} => /{**}/{b}", "/{**}/{b}/{c} => /{**}/{b}"}, /* what may be a language stays */
    {"/{**}/{b} => /{**}/x", "/{**}/{b} => /{**}/x"},               /* nothing follows: no language begins it */
    {"/{**}/x/{b} => /{**}/{b}", "/{**}/x/{b} => /{**}/{b}"},
    {"drop ?sid", "drop ?sid"},
    {"/{b}/{c} => /fr/{c}", NULL},
};

static void languages_are_asked_together_and_never_forgotten(void **state)
{
    (void)state;
    const dp_languages l = {.v = {DP_STR("de"), DP_STR("fr"), DP_STR("ja")}, .forms = {9, 9, 9}, .n = 3};
    for (size_t i = 0; i < DP_COUNT(pooled); i++) {
        dp_buf rule = {0}, room = {0};
        dp_buf_c(&rule, pooled[i].rule);
        assert_int_equal(pooled[i].want != NULL, dp_languages_pool(&l, &rule, &room));
        dp_buf_byte(&rule, 0);
        assert_false(rule.failed);
        if (pooled[i].want)
            assert_string_equal(pooled[i].want, dp_buf_view(&rule).p);
        dp_buf_done(&rule);
        dp_buf_done(&room);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(languages_are_asked_together_and_never_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
