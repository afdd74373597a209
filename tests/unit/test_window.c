/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/rng.h"
#include "input/bytes/window.h"
#include "support/failing_alloc.h"
#include "support/packed.h"
#include "support/tempfile.h"

static dp_err open_window(dp_window *w, const char *path)
{
    dp_stream *s;
    *w = (dp_window){0};
    DP_TRY(dp_stream_open(&s, path, NULL));
    dp_window_init(w, s);
    return DP_OK;
}

static void gives_lines_of_any_length(void **state)
{
    (void)state;
    dp_rng r = dp_rng_seed(4);
    for (int round = 0; round < 20; round++) {
        dp_buf    text = {0}, got = {0};
        dp_window w;
        dp_str    line;
        bool      more;
        for (size_t i = 0; i < 30; i++) {
            for (size_t n = dp_rng_below(&r, i % 7 ? 200 : 200000); n; n--)
                dp_buf_byte(&text, (char)('a' + dp_rng_below(&r, 26)));
            dp_buf_c(&text, round % 2 ? "\r\n" : "\n");
        }
        const char *path = dp_temp_write("text", dp_buf_view(&text));
        assert_int_equal(DP_OK, open_window(&w, path));
        while (dp_window_line(&w, &line, &more, NULL) == DP_OK && more) {
            dp_buf_str(&got, line);
            dp_buf_c(&got, round % 2 ? "\r\n" : "\n");
        }
        assert_true(dp_str_eq(dp_buf_view(&text), dp_buf_view(&got)));
        dp_window_done(&w);
        dp_buf_done(&text);
        dp_buf_done(&got);
        dp_temp_remove(NULL);
    }
}

static void the_last_line_need_not_end(void **state)
{
    (void)state;
    static const struct { const char *text, *last; size_t lines;
    } cases[] = {
        {"", NULL, 0},    {"a", "a", 1},    {"a\n", "a", 1}, {"a\r", "a", 1},
        {"a\n\n", "", 2}, {"a\nb", "b", 2}, {"\r\n", "", 1}, {"\r", "", 1},
    };
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_window w;
        dp_str    line, last = {0};
        bool      more;
        size_t    n = 0;
        assert_int_equal(DP_OK, open_window(&w, dp_temp_write("text", dp_str_c(cases[i].text))));
        for (; dp_window_line(&w, &line, &more, NULL) == DP_OK && more; n++)
            last = line;
        assert_int_equal(cases[i].lines, n);
        assert_true(!n || dp_str_eq(dp_str_c(cases[i].last), last));
        assert_true(dp_window_line(&w, &line, &more, NULL) == DP_OK && !more);
        dp_window_done(&w);
    }
}

static void a_line_that_is_cut_by_a_break_is_not_given(void **state)
{
    (void)state;
    dp_buf packed = {0}, text = {0};
    for (int i = 0; i < 2000; i++)
        dp_buf_printf(&text, "line %d of some text\n", i * 7919 % 2003);
    packed_add(&packed, dp_buf_view(&text), 31);
    dp_window w;
    dp_str    line;
    bool      more;
    size_t    at = 0;
    assert_int_equal(DP_OK, open_window(&w, dp_temp_write("cut", (dp_str){packed.p, packed.n / 2})));
    while (dp_window_line(&w, &line, &more, NULL) == DP_OK && more) {
        assert_memory_equal(text.p + at, line.p, line.n);
        at += line.n + 1;
        assert_int_equal('\n', text.p[at - 1]); /* whole */
    }
    assert_true(at > 1000);
    assert_int_equal(DP_ESYNTAX, w.broken);
    assert_string_equal("cannot decompress gzip: the data ends too early", w.why.message);
    assert_false(dp_window_resume(&w));
    dp_window_done(&w);
    dp_buf_done(&packed);
    dp_buf_done(&text);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    const char *path = dp_temp_write("text", DP_STR("a\nb\n"));
    DP_EVERY_ALLOC_FAILURE
    {
        dp_window w;
        dp_str    line;
        bool      more = true;
        dp_err    code = open_window(&w, path);
        while (code == DP_OK && more)
            code = dp_window_line(&w, &line, &more, NULL);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        dp_window_done(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(gives_lines_of_any_length, dp_temp_remove),
        cmocka_unit_test_teardown(the_last_line_need_not_end, dp_temp_remove),
        cmocka_unit_test_teardown(a_line_that_is_cut_by_a_break_is_not_given, dp_temp_remove),
        cmocka_unit_test_teardown(survives_every_allocation_failure, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
