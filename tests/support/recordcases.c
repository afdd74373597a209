/* SPDX-License-Identifier: Apache-2.0 */
#include "support/recordcases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/failing_alloc.h"
#include "support/tempfile.h"

void record_cases(const record_case *c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (int way = RECORD_FILE; way <= RECORD_PIECES; way++) {
            dp_buf got = {0};
            assert_int_equal(DP_OK, record_text(&got, (record_way)way, dp_str_c(c[i].text), &c[i].o));
            dp_buf_byte(&got, 0);
            if (strcmp(got.p, c[i].want) != 0)
                print_message("row %zu, way %d, of\n%s\nwant:\n%s\ngot:\n%s\n", i, way, c[i].text, c[i].want, got.p);
            assert_string_equal(c[i].want, got.p);
            dp_buf_done(&got);
        }
    }
}

static dp_err read_all(const char *path, const dp_reader_options *o, size_t *records)
{
    dp_reader *r = NULL;
    dp_record  rec;
    bool       more = true;
    dp_err     code = dp_reader_open(&r, &path, 1, o, NULL);
    for (*records = 0; code == DP_OK && more; *records += more)
        code = dp_reader_next(r, &rec, &more, NULL);
    dp_reader_close(r);
    return code;
}

void record_survives(dp_str text, const dp_reader_options *o)
{
    const char *path = dp_temp_write("text", text);
    size_t      want, got;
    assert_int_equal(DP_OK, read_all(path, o, &want));
    assert_true(want > 0);
    DP_EVERY_ALLOC_FAILURE
    {
        dp_err code = read_all(path, o, &got);
        /* A message that could not be masked for want of memory is cut short, which is no failure. */
        assert_true(code == DP_OK ? got == want : code == DP_ENOMEM && dp_alloc_failed());
    }
    dp_temp_remove(NULL);
}

void record_takes_no_memory(dp_str text, size_t times, const dp_reader_options *o)
{
    dp_buf all = {0};
    for (size_t i = 0; i < times; i++)
        dp_buf_str(&all, text);
    const char *path = dp_temp_write("text", dp_buf_view(&all));
    dp_reader  *r = NULL;
    dp_record   rec;
    bool        more = true;
    size_t      n = 0;
    assert_int_equal(DP_OK, dp_reader_open(&r, &path, 1, o, NULL));
    for (; more; n++) {
        if (n == 100)
            dp_alloc_count_from_zero();
        assert_int_equal(DP_OK, dp_reader_next(r, &rec, &more, NULL));
    }
    assert_true(n > 200);
    assert_int_equal(0, dp_alloc_count());
    dp_reader_close(r);
    dp_buf_done(&all);
    dp_temp_remove(NULL);
}

/* ---- one format ------------------------------------------------------------------------------------------------- */

static void reads_records(void **state)
{
    const record_format *f = *state;
    record_cases(f->cases, f->n);
}

static void takes_no_memory_a_record(void **state)
{
    const record_format *f = *state;
    record_takes_no_memory(f->copied, f->times, &f->o);
}

static void survives_every_allocation_failure(void **state)
{
    const record_format *f = *state;
    record_survives(f->failed, &f->o);
}

int record_format_run(const record_format *f)
{
    record_format           own = *f;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(reads_records, &own),
        cmocka_unit_test_prestate_setup_teardown(takes_no_memory_a_record, NULL, dp_temp_remove, &own),
        cmocka_unit_test_prestate_setup_teardown(survives_every_allocation_failure, NULL, dp_temp_remove, &own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
