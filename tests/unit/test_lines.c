/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "base/rng.h"
#include "input/bytes/lines.h"
#include "support/failing_alloc.h"
#include "support/tempfile.h"

/* Read everything; every chunk must keep the header's promises. */
static dp_err read_all(dp_buf *out, const dp_lines_options *o, dp_error *err)
{
    dp_lines   *l;
    dp_chunk    c = {0};
    const char *path = NULL;
    uint64_t    line = 1;
    dp_err      code = dp_lines_open(&l, o, err);
    if (code != DP_OK)
        return code;
    while ((code = dp_lines_next(l, &c, err)) == DP_OK && c.n) {
        assert_int_equal('\n', c.p[c.n - 1]);
        if (c.path != path)
            line = 1;
        path = c.path;
        assert_int_equal(line, c.first_line);
        assert_true(c.bytes == c.n || c.bytes == c.n - 1);
        line += dp_count_lines(c.p, c.n);
        dp_buf_add(out, c.p, c.n);
        if (dp_lines_total(l))
            assert_true(c.done <= dp_lines_total(l));
    }
    dp_chunk_done(&c);
    dp_lines_close(l);
    return code;
}

/* Random lines of 0 to `longest` bytes; with a last LF or without. */
static dp_buf random_text(uint64_t seed, size_t lines, size_t longest)
{
    dp_rng r = dp_rng_seed(seed);
    dp_buf b = {0};
    for (size_t i = 0; i < lines; i++) {
        for (size_t n = dp_rng_below(&r, longest + 1); n; n--)
            dp_buf_byte(&b, (char)('a' + dp_rng_below(&r, 26)));
        if (i + 1 < lines || dp_rng_below(&r, 2))
            dp_buf_byte(&b, '\n');
    }
    return b;
}

static void chunks_of_any_size_give_all_lines(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 10, 100, 1000, 0};
    for (uint64_t seed = 1; seed <= 40; seed++) {
        dp_buf      text = random_text(seed, 40, seed % 2 ? 20 : 300);
        const char *path = dp_temp_write("text", dp_buf_view(&text));
        if (text.n && text.p[text.n - 1] != '\n')
            dp_buf_byte(&text, '\n');
        for (size_t i = 0; i < DP_COUNT(sizes) * 2; i++) {
            dp_buf           got = {0};
            dp_lines_options o = {.paths = &path, .count = 1, .chunk = sizes[i / 2], .eager = i % 2};
            assert_int_equal(DP_OK, read_all(&got, &o, NULL));
            if (!dp_str_eq(dp_buf_view(&text), dp_buf_view(&got)))
                fail_msg("seed %d, chunk %zu", (int)seed, sizes[i / 2]);
            dp_buf_done(&got);
        }
        dp_buf_done(&text);
        dp_temp_remove(NULL);
    }
}

static void files_do_not_run_into_each_other(void **state)
{
    (void)state;
    const char *paths[] = {dp_temp_write("a", DP_STR("1\n2")), dp_temp_write("b", DP_STR("")),
                           dp_temp_write("c", DP_STR("3\n")), dp_temp_write("d", DP_STR("\n4"))};
    dp_lines_options o = {.paths = paths, .count = DP_COUNT(paths)};
    dp_buf           got = {0};
    assert_int_equal(DP_OK, read_all(&got, &o, NULL));
    assert_true(dp_str_eq(DP_STR("1\n2\n3\n\n4\n"), dp_buf_view(&got)));
    dp_buf_done(&got);
}

static void a_very_long_line_makes_the_chunk_grow(void **state)
{
    (void)state;
    dp_buf text = {0};
    dp_buf_c(&text, "short\n");
    for (size_t i = 0; i < 3000000; i++)
        dp_buf_byte(&text, 'x');
    dp_buf_c(&text, "\nshort\n");
    const char      *path = dp_temp_write("long", dp_buf_view(&text));
    dp_lines_options o = {.paths = &path, .count = 1};
    dp_buf           got = {0};
    assert_int_equal(DP_OK, read_all(&got, &o, NULL));
    assert_true(dp_str_eq(dp_buf_view(&text), dp_buf_view(&got)));
    dp_buf_done(&got);
    dp_buf_done(&text);
}

static void whole_lines_come_before_an_error(void **state)
{
    (void)state;
    const char      *paths[] = {dp_temp_write("a", DP_STR("1\n2\n")), "/nowhere"};
    dp_lines_options o = {.paths = paths, .count = 2};
    dp_buf           got = {0};
    dp_error         err = {0};
    assert_int_equal(DP_EIO, read_all(&got, &o, &err));
    assert_string_equal("/nowhere", err.file);
    assert_true(dp_str_eq(DP_STR("1\n2\n"), dp_buf_view(&got)));
    dp_buf_done(&got);
}

static void eager_lines_are_not_waited_for(void **state)
{
    (void)state;
    int              ends[2], old = dup(STDIN_FILENO);
    const char      *path = "-";
    dp_lines_options o = {.paths = &path, .count = 1, .eager = true};
    dp_lines        *l;
    dp_chunk         c = {0};
    assert_int_equal(0, pipe(ends));
    assert_int_equal(STDIN_FILENO, dup2(ends[0], STDIN_FILENO));
    assert_int_equal(DP_OK, dp_lines_open(&l, &o, NULL));
    assert_int_equal(6, write(ends[1], "a\nb\nre", 6));
    assert_int_equal(DP_OK, dp_lines_next(l, &c, NULL));
    assert_true(dp_str_eq(DP_STR("a\nb\n"), (dp_str){c.p, c.n}));
    assert_int_equal(3, write(ends[1], "st\n", 3));
    assert_int_equal(DP_OK, dp_lines_next(l, &c, NULL));
    assert_true(dp_str_eq(DP_STR("rest\n"), (dp_str){c.p, c.n}));
    assert_int_equal(3, c.first_line);
    close(ends[1]);
    assert_int_equal(DP_OK, dp_lines_next(l, &c, NULL));
    assert_int_equal(0, c.n);
    dp_lines_close(l);
    dp_chunk_done(&c);
    dup2(old, STDIN_FILENO);
    close(old);
    close(ends[0]);
}

static void one_cr_before_lf_goes(void **state)
{
    (void)state;
    static const struct { const char *text, *want; } cases[] = {
        {"a\n", "a\n"}, {"a\r\n", "a\n"}, {"a\r\r\n", "a\r\n"}, {"a\rb\r\n\r\nc\n", "a\rb\n\nc\n"}, {"\r\n", "\n"},
    };
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_chunk c = {.p = strdup(cases[i].text), .n = strlen(cases[i].text)};
        dp_chunk_strip_cr(&c);
        assert_true(dp_str_eq(dp_str_c(cases[i].want), (dp_str){c.p, c.n}));
        dp_chunk_done(&c);
    }
}

static void counts_lines_of_any_number(void **state)
{
    (void)state;
    char text[2000];
    for (size_t n = 0; n < sizeof text; n += 37) {
        size_t want = 0;
        for (size_t i = 0; i < n; i++) {
            text[i] = i % 3 ? '\n' : 'x';
            want += i % 3 != 0;
        }
        assert_int_equal(want, dp_count_lines(text, n));
    }
    memset(text, '\n', sizeof text);
    assert_int_equal(sizeof text, dp_count_lines(text, sizeof text));
}

/* Hot path: chunk after chunk without an allocation once everything has grown. */
static void takes_no_memory_in_the_long_run(void **state)
{
    (void)state;
    dp_buf           text = random_text(7, 5000, 50);
    const char      *path = dp_temp_write("text", dp_buf_view(&text));
    dp_lines_options o = {.paths = &path, .count = 1, .chunk = 1000};
    dp_lines        *l;
    dp_chunk         c = {0};
    assert_int_equal(DP_OK, dp_lines_open(&l, &o, NULL));
    for (int i = 0; i < 10; i++)
        assert_int_equal(DP_OK, dp_lines_next(l, &c, NULL));
    dp_alloc_count_from_zero();
    for (int i = 0; i < 100; i++)
        assert_int_equal(DP_OK, dp_lines_next(l, &c, NULL));
    assert_true(c.n > 0);
    assert_int_equal(0, dp_alloc_count());
    dp_lines_close(l);
    dp_chunk_done(&c);
    dp_buf_done(&text);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    const char      *path = dp_temp_write("text", DP_STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\nbbbb\nccccccccc"));
    dp_lines_options o = {.paths = &path, .count = 1, .chunk = 4};
    DP_EVERY_ALLOC_FAILURE
    {
        dp_lines *l = NULL;
        dp_chunk  c = {0};
        dp_err    code = dp_lines_open(&l, &o, NULL);
        while (code == DP_OK && (code = dp_lines_next(l, &c, NULL)) == DP_OK && c.n) {}
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        dp_lines_close(l);
        dp_chunk_done(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(chunks_of_any_size_give_all_lines, dp_temp_remove),
        cmocka_unit_test_teardown(files_do_not_run_into_each_other, dp_temp_remove),
        cmocka_unit_test_teardown(a_very_long_line_makes_the_chunk_grow, dp_temp_remove),
        cmocka_unit_test_teardown(whole_lines_come_before_an_error, dp_temp_remove),
        cmocka_unit_test(eager_lines_are_not_waited_for),
        cmocka_unit_test(one_cr_before_lf_goes),
        cmocka_unit_test(counts_lines_of_any_number),
        cmocka_unit_test_teardown(takes_no_memory_in_the_long_run, dp_temp_remove),
        cmocka_unit_test_teardown(survives_every_allocation_failure, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
