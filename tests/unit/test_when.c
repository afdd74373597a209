/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <time.h>

#include "base/rng.h"
#include "input/format/when.h"

static void reads_every_spelling(void **state)
{
    (void)state;
    static const struct { const char *text; int64_t want; } cases[] = {
        {"17/May/2015:10:05:03 +0000", 1431857103},
        {"17/May/2015:10:05:03 +0200", 1431857103 - 7200},
        {"10/Apr/2013:13:45:46 -0400", 1365615946},
        {"17/May/2015:10:05:03", 1431857103},
        {"20150517100503", 1431857103},
        {"20150517100503123", 1431857103},
        {"2015-05-17T10:05:03Z", 1431857103},
        {"2015-05-17t10:05:03z", 1431857103},
        {"2015-05-17 10:05:03", 1431857103},
        {"2015-05-17T10:05:03.532Z", 1431857103},
        {"2015-05-17T12:05:03+02:00", 1431857103},
        {"2015-05-17T05:05:03.1-0500", 1431857103},
        {"2015-05-17", 1431820800},
        {"1431857103", 1431857103},
        {"1431857103.25", 1431857103},
        {"0", 0},
        {"1969-12-31T23:59:59Z", -1},
        {"2000-02-29T00:00:00Z", 951782400},
        {"2016-12-31T23:59:60Z", 1483228800}, /* a leap second */
    };
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        int64_t t = 7;
        if (!dp_when(dp_str_c(cases[i].text), &t) || t != cases[i].want)
            fail_msg("%s: %" PRId64, cases[i].text, t);
    }
}

static void refuses_what_is_no_time(void **state)
{
    (void)state;
    static const char *const cases[] = {
        "",
        "-",
        "x",
        "17/Mai/2015:10:05:03 +0000",
        "17/May/2015:10:05:03 +00",
        "17/May/2015:10:05:03+0000",
        "17/May/2015:10:05:3x +0000",
        "20151317100503",
        "20150532100503",
        "2015051710050",
        "20150517106003",
        "2015-05-17T10:05",
        "2015-05-17X10:05:03",
        "2015-05-17T10:05:03+2:00",
        "2015-05-17T10:05:03.Z",
        "14318571.",
        "1.5.2",
        "1234567890123",
        "99/99/9999:99:99:99 +9999",
        "2015-05-17T25:00:00Z",
    };
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        int64_t t;
        if (dp_when(dp_str_c(cases[i]), &t))
            fail_msg("%s", cases[i]);
    }
}

/* Property: what timegm of the C library says. */
static void equals_timegm(void **state)
{
    (void)state;
    dp_rng r = dp_rng_seed(1);
    for (int i = 0; i < 20000; i++) {
        char      text[32];
        int64_t   t, want = (int64_t)dp_rng_below(&r, 8000000000u);
        time_t    seconds = (time_t)want;
        struct tm tm;
        gmtime_r(&seconds, &tm);
        strftime(text, sizeof text,
                 i % 3 == 0   ? "%Y%m%d%H%M%S"
                 : i % 3 == 1 ? "%Y-%m-%dT%H:%M:%SZ"
                              : "%d/%b/%Y:%H:%M:%S +0000",
                 &tm);
        if (!dp_when(dp_str_c(text), &t) || t != want)
            fail_msg("%s: %" PRId64 ", not %" PRId64, text, t, want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_spelling),
        cmocka_unit_test(refuses_what_is_no_time),
        cmocka_unit_test(equals_timegm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
