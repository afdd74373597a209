/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/number.h"

static const struct {
    const char *text;
    double      want; /* -1: no number */
} numbers[] = {
    {"0", 0}, {"1", 1}, {".5", .5}, {"0.5", .5}, {"5.", 5}, {".998", .998}, {"12.75", 12.75},
    {".1", .1}, {".99", .99}, {"00.10", .1}, {"1000000000000000", 1e15}, {"1000000000000001", -1},
    {".3333333333333333333333333333", 1. / 3}, {"99999999999999999999", -1}, {"", -1}, {".", -1},
    {"-1", -1}, {"+1", -1}, {"1e3", -1}, {"1.2.3", -1}, {"0x1", -1}, {" 1", -1}, {"nan", -1},
};

static void numbers_are_what_strtod_reads(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(numbers); i++) {
        double v = -1;
        bool   is = dp_number_read(&v, dp_str_c(numbers[i].text));
        if (is != (numbers[i].want >= 0) || (is && v - numbers[i].want > 1e-16) || (is && numbers[i].want - v > 1e-16))
            fail_msg("%s is %.17g", numbers[i].text, v);
    }
}

static const struct {
    const char *text;
    uint64_t    want; /* 1: no size */
} sizes[] = {
    {"0", 0}, {"400", 400}, {"2K", 2048}, {"400M", (uint64_t)400 << 20}, {"1.5G", (uint64_t)3 << 29}, {".5K", 512},
    {"4T", (uint64_t)4 << 40}, {"900000T", (uint64_t)900000 << 40}, {"1000000T", 1}, {"", 1}, {"G", 1}, {"4g", 1},
    {"4GB", 1}, {"4 G", 1}, {"-4G", 1}, {"1e3", 1}, {"4GG", 1}, {"much", 1},
};

static void sizes_have_units_of_1024(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(sizes); i++) {
        uint64_t n = 1;
        bool     is = dp_size_read(&n, dp_str_c(sizes[i].text));
        if (is != (sizes[i].want != 1) || n != sizes[i].want)
            fail_msg("%s is %llu", sizes[i].text, (unsigned long long)n);
    }
}

static void shares_of_nothing_are_nothing(void **state)
{
    (void)state;
    assert_true(dp_share(1, 4) == .25);
    assert_true(dp_share(0, 0) == 0);
}

static void hex_has_sixteen_digits(void **state)
{
    (void)state;
    char room[16];
    assert_true(dp_str_eq(DP_STR("0123456789abcdef"), dp_number_hex(room, 0x0123456789ABCDEF)));
    assert_true(dp_str_eq(DP_STR("0000000000000000"), dp_number_hex(room, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_what_strtod_reads),
        cmocka_unit_test(sizes_have_units_of_1024),
        cmocka_unit_test(shares_of_nothing_are_nothing),
        cmocka_unit_test(hex_has_sixteen_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
