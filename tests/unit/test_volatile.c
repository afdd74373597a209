/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/rng.h"
#include "content/volatile.h"

static const struct {
    const char *in, *want;
} cases[] = {
    {"", ""},
    {"no numbers here", "no numbers here"},
    /* clocks */
    {"10:31", "<time>"},
    {"at 10:31:07.", "at <time>."},
    {"(9:05 pm)", "(<time>)"},
    {"9:05PM EST!", "<time>!"},
    {"10:31:07.123Z", "<time>"},
    {"23:59 UTC+01:00 x", "<time> x"},
    {"10:31 +0200", "<time>"},
    {"10:31 a.m. now", "<time> now"},
    {"10:71 25:00 1:2 1:2:3:4 10:31:07:1", "10:71 25:00 1:2 1:2:3:4 10:31:07:1"},
    {"John 3:16b", "John 3:16b"},
    {"ratio 16:9", "ratio 16:9"},
    /* dates */
    {"2024-05-03", "<date>"},
    {"2024/5/3, 3.5.2024, 5/3/2024, 03-05-2024", "<date>, <date>, <date>, <date>"},
    {"2024-05-03T10:31:07Z", "<date>"},
    {"2024-05-03 10:31", "<date> <time>"},
    {"20240503T103107Z 20240503103107", "<date> <date>"},
    {"3 May 2024", "<date>"},
    {"03-May-2024", "<date>"},
    {"May 3, 2024", "<date>"},
    {"May 3rd", "<date>"},
    {"Sun, 15 Nov 2026 02:53:53 GMT", "<date> <time>"},
    {"Friday, December 1st, 2023", "<date>"},
    {"Tue 14. Jan. 2020", "<date>"},
    {"May 2024, 3 mayors, may 3, Monday", "May 2024, 3 mayors, may 3, Monday"},
    {"1.2.3 3.5.24 2024-13-01 2024-05 99/99/2024", "1.2.3 3.5.24 2024-13-01 2024-05 99/99/2024"},
    {"version 2.10.2 page 12 of 2024", "version 2.10.2 page 12 of 2024"},
    /* counters */
    {"1,204 views", "<n> views"},
    {"Views: 1204, Hits:7", "Views: <n>, Hits:<n>"},
    {"12 guests online and 1 member online", "<n> guests online and <n> member online"},
    {"3 minutes ago, 1 hour ago", "<n> minutes ago, <n> hour ago"},
    {"generated in 0.031 seconds (0.5s)", "generated in <n> seconds (<n>s)"},
    {"cook 10 minutes, 3 guests, 4 items", "cook 10 minutes, 3 guests, 4 items"},
    {"overviews: 3", "overviews: 3"},
    /* ids */
    {"9f2c41d07ab3e65f", "<id>"},
    {"01234567-89ab-CDEF-0123-456789abcdef", "<id>"},
    {"sid=kbuv1uivg62bka94eh29vf25rv", "sid=<id>"},
    {"deadbeefdeadbeefdead", "deadbeefdeadbeefdead"}, /* no digit */
    {"9f2c41d07ab3e65", "9f2c41d07ab3e65"},           /* 15 digits */
    {"Donaudampfschifffahrtsgesellschaft internationalization2",
     "Donaudampfschifffahrtsgesellschaft internationalization2"},
    {"\xC3\xA4" "9f2c41d07ab3e65f \xE4", "\xC3\xA4" "9f2c41d07ab3e65f \xE4"},
};

static void hides_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_buf out = {0};
        dp_volatile_hide(&out, dp_str_c(cases[i].in));
        dp_buf_byte(&out, 0);
        assert_string_equal(cases[i].want, out.p);
        dp_buf_done(&out);
    }
}

/* Pieces of the table and others, joined at random: all kinds of neighbours. */
static void draw(dp_buf *out, dp_rng *g)
{
    static const char *const pieces[] = {
        "1", "12", "2024", ":", "-", "/", ".", ",", " ", "T", "Z", "May", "Fri", "views", "ago", "s", "10:31", "+0200",
        "online", "9f2c41d07ab3e65f", "pm", "am", "th", "x",
    };
    for (uint64_t n = dp_rng_below(g, 12); n; n--) {
        if (dp_rng_below(g, 3))
            dp_buf_c(out, pieces[dp_rng_below(g, DP_COUNT(pieces))]);
        else
            dp_buf_c(out, cases[dp_rng_below(g, DP_COUNT(cases))].in);
    }
}

static void hiding_twice_is_hiding_once(void **state)
{
    (void)state;
    dp_buf text = {0}, once = {0}, twice = {0};
    for (uint64_t seed = 1; seed <= 300000; seed++) {
        dp_rng g = dp_rng_seed(seed);
        dp_buf_reset(&text), dp_buf_reset(&once), dp_buf_reset(&twice);
        draw(&text, &g);
        dp_volatile_hide(&once, dp_buf_view(&text));
        dp_volatile_hide(&twice, dp_buf_view(&once));
        if (!dp_str_eq(dp_buf_view(&once), dp_buf_view(&twice)))
            fail_msg("'%.*s' -> '%.*s' -> '%.*s'", DP_FMT(dp_buf_view(&text)), DP_FMT(dp_buf_view(&once)),
                     DP_FMT(dp_buf_view(&twice)));
    }
    dp_buf_done(&text), dp_buf_done(&once), dp_buf_done(&twice);
}

static unsigned draw_below(dp_rng *g, unsigned n)
{
    return (unsigned)dp_rng_below(g, n);
}

/* Two visits to one page. */
static void clocks_and_sessions_make_no_difference(void **state)
{
    (void)state;
    dp_buf first = {0}, hidden = {0};
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        dp_rng g = dp_rng_seed(seed);
        dp_buf text = {0};
        dp_buf_printf(&text, "Last seen %u-%02u-%02u ", 1990 + draw_below(&g, 50), 1 + draw_below(&g, 12),
                      1 + draw_below(&g, 28));
        dp_buf_printf(&text, "%02u:%02u:%02u by visitor 1%08x%08x9, ", draw_below(&g, 24), draw_below(&g, 60),
                      draw_below(&g, 60), draw_below(&g, UINT32_MAX), draw_below(&g, UINT32_MAX));
        dp_buf_printf(&text, "%u hits, page 7 of 12, made in %u.%02u s", draw_below(&g, 100000), draw_below(&g, 9),
                      draw_below(&g, 99));
        dp_buf_reset(&hidden);
        dp_volatile_hide(&hidden, dp_buf_view(&text));
        if (!first.n)
            dp_buf_str(&first, dp_buf_view(&hidden));
        if (!dp_str_eq(dp_buf_view(&first), dp_buf_view(&hidden)))
            fail_msg("'%.*s' -> '%.*s'", DP_FMT(dp_buf_view(&text)), DP_FMT(dp_buf_view(&hidden)));
        dp_buf_done(&text);
    }
    dp_buf_done(&first);
    dp_buf_done(&hidden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hides_the_table),
        cmocka_unit_test(hiding_twice_is_hiding_once),
        cmocka_unit_test(clocks_and_sessions_make_no_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
