/* Several files at a time (learn/run/read_files.c) against one after another.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "learn/run/read_files.h"
#include "support/failing_alloc.h"
#include "support/tempfile.h"

enum { FILES = 5, KEPT = 3 };

typedef struct told {
    dp_buf   urls;
    uint64_t n, most; /* facts; the one that is refused */
    uint64_t calls;
} told;

static dp_err take(void *ctx, const dp_fact *f)
{
    told *t = ctx;
    dp_buf_str(&t->urls, f->url);
    dp_buf_byte(&t->urls, '\n');
    if (t->urls.failed)
        return DP_ENOMEM;
    return ++t->n == t->most ? DP_ELIMIT : DP_OK;
}

static dp_err tell(void *ctx, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    ((told *)ctx)->calls++;
    return DP_OK;
}

/* Files of different sizes, the first large enough to wait in blocks; some lines are bad. */
static void write_files(const char *paths[FILES], int lines)
{
    static const char *const names[FILES] = {"a", "b", "c", "d", "e"};
    for (int i = 0; i < FILES; i++) {
        dp_buf b = {0};
        for (int k = 0; k < lines / (i + 1); k++) {
            dp_buf_printf(&b, "{\"url\":\"http://host%d.example/page/%d\",\"cluster\":\"c%d\"}\n", i, k, k);
            if (k % 500 == 7)
                dp_buf_printf(&b, "bad line of %d\n", i);
        }
        paths[i] = dp_temp_write(names[i], dp_buf_view(&b));
        dp_buf_done(&b);
    }
}

static dp_err read(told *t, dp_read_files *in, dp_error *why, unsigned threads, bool strict, const char *const *paths,
                   dp_error *err)
{
    *in = (dp_read_files){.how = {.format = "jsonl", .strict = strict}, .threads = threads, .take = take, .tell = tell,
                      .ctx = t, .why = why, .most = KEPT};
    return dp_read_files_run(in, paths, FILES, err);
}

/* Read with 1 and with `threads`, and compare all that is said. */
static void compare(unsigned threads, bool strict, uint64_t most, const char *const *paths, dp_err want)
{
    told          a = {.most = most}, b = {.most = most};
    dp_read_files x, y;
    dp_error      why[2][KEPT] = {{{0}}}, err[2] = {{0}};
    assert_int_equal(want, read(&a, &x, why[0], 1, strict, paths, &err[0]));
    assert_int_equal(want, read(&b, &y, why[1], threads, strict, paths, &err[1]));
    assert_int_equal(a.n, b.n);
    assert_int_equal(a.urls.n, b.urls.n);
    assert_memory_equal(a.urls.p, b.urls.p, a.urls.n);
    assert_string_equal(err[0].message, err[1].message);
    assert_string_equal(err[0].file, err[1].file);
    if (want == DP_OK) {
        assert_int_equal(x.bad, y.bad);
        assert_int_equal(x.nwhy, y.nwhy);
        assert_memory_equal(x.total, y.total, sizeof x.total);
        for (size_t i = 0; i < x.nwhy; i++) {
            assert_string_equal(why[0][i].file, why[1][i].file);
            assert_int_equal(why[0][i].line, why[1][i].line);
        }
        assert_true(b.calls > 0);
    }
    dp_buf_done(&a.urls);
    dp_buf_done(&b.urls);
}

static void order_counts_and_errors_are_those_of_one_thread(void **state)
{
    const char *paths[FILES];
    (void)state;
    write_files(paths, 40000);
    for (unsigned threads = 2; threads <= 8; threads += 3) {
        compare(threads, false, 0, paths, DP_OK);
        compare(threads, true, 0, paths, DP_ESYNTAX);      /* the first bad line */
        compare(threads, false, 41000, paths, DP_ELIMIT);  /* somebody wants no more */
    }
    const char *last = paths[3];
    paths[3] = "/nowhere/at/all";
    compare(3, false, 0, paths, DP_EIO); /* what stands before it was read */
    paths[3] = last;
    dp_temp_remove(NULL);
}

static void survives_every_allocation_failure(void **state)
{
    const char *paths[FILES];
    (void)state;
    write_files(paths, 5);
    DP_EVERY_ALLOC_FAILURE
    {
        told          t = {0};
        dp_read_files in;
        dp_error      why[KEPT];
        dp_err        code = read(&t, &in, why, 1, false, paths, NULL);
        assert_true(code == DP_OK || code == DP_ENOMEM);
        dp_buf_done(&t.urls);
    }
    dp_temp_remove(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_counts_and_errors_are_those_of_one_thread),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
