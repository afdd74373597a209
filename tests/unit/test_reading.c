/* learn/auto/layout/reading: marks that say what kind of id follows, and ids of several numbers.
 * tests/prop/prop_layout.c has the readings with one id.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/err.h"
#include "learn/auto/layout/reading.h"
#include "support/sites.h"

static void words_share_a_mark_when_they_end_in_the_same_letters_or_number(void **state)
{
    static const struct {
        const char *a, *b;
        bool        share;
    } v[] = {
        {"red-oak-p", "stuhl-p", true},     {"red-oak-p", "stuhl-c", false}, {"red-oak-chair", "blue-chair", false},
        {"lamp-c-15_9", "lamp-c-15_9", true}, {"lamp-c-15_9", "bag-c-15_8", false}, {"p", "p", false}, {"", "", false},
        {"red-oak-", "stuhl-", false},
    };
    (void)state;
    for (size_t i = 0; i < DP_COUNT(v); i++)
        if (dp_share_mark(dp_str_c(v[i].a), dp_str_c(v[i].b)) != v[i].share)
            fail_msg("%s, %s", v[i].a, v[i].b);
}

static void several_numbers_behind_a_mark_are_one_id(void **state)
{
    static const char *const none[] = {"red-oak-c-15", "red-oaks-15_9", "c-15_9", "red-oak-chair-15_9", "red-oak-c-_9",
                                       "", "*-c-15_9"};
    dp_reading r;
    (void)state;
    assert_true(dp_reading_of_list(&r, DP_STR("red-oak-c-15_9_14.html")));
    assert_true(r.is_list && !r.id_first && !r.is_hex);
    assert_true(dp_str_eq(r.words, DP_STR("red-oak")));
    assert_true(dp_str_eq(r.mark, DP_STR("-c-")));
    assert_true(dp_str_eq(r.id, DP_STR("15_9_14")));
    assert_true(dp_str_eq(r.tail, DP_STR(".html")));
    for (size_t i = 0; i < DP_COUNT(none); i++)
        if (dp_reading_of_list(&r, dp_str_c(none[i])))
            fail_msg("%s", none[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_share_a_mark_when_they_end_in_the_same_letters_or_number),
        cmocka_unit_test(several_numbers_behind_a_mark_are_one_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
