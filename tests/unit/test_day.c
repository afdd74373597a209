/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <time.h>

#include "base/day.h"

static void every_day_is_that_of_the_system(void **state)
{
    (void)state;
    for (int64_t day = 0; day < 150 * 366; day++) {
        char      want[32], got[DP_DAY_TEXT];
        struct tm when;
        time_t    time = day * DP_DAY_SECONDS;
        int64_t   again;
        assert_non_null(gmtime_r(&time, &when));
        assert_int_equal(10, strftime(want, sizeof want, "%Y-%m-%d", &when));
        assert_string_equal(want, dp_day_write(got, day).p);
        assert_true(dp_day_read(&again, dp_str_c(want)));
        assert_int_equal(day, again);
    }
}

static void the_last_one_ends_them(void **state)
{
    (void)state;
    char    got[DP_DAY_TEXT];
    int64_t day;
    assert_true(dp_day_read(&day, DP_STR("9999-12-31")));
    assert_string_equal("9999-12-31", dp_day_write(got, day).p);
    assert_string_equal("9999-12-31", dp_day_write(got, INT64_MAX).p);
    assert_string_equal("1970-01-01", dp_day_write(got, INT64_MIN).p);
}

static void what_is_no_day_is_refused(void **state)
{
    (void)state;
    static const char *const none[] = {"", "2026-11-3", "2026-13-01", "2026-00-10", "2026-02-29", "2100-02-29",
                                       "2026-11-31", "2026-11-00", "1969-12-31", "2026/11/03", "2026-11-03 ",
                                       "+026-11-03", "2026-11-0x"};
    int64_t day;
    for (size_t i = 0; i < DP_COUNT(none); i++)
        assert_false(dp_day_read(&day, dp_str_c(none[i])));
    assert_true(dp_day_read(&day, DP_STR("2024-02-29")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_day_is_that_of_the_system),
        cmocka_unit_test(the_last_one_ends_them),
        cmocka_unit_test(what_is_no_day_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
