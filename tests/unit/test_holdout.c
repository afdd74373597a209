/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "dustpan.h"
#include "support/failing_alloc.h"
#include "support/tempfile.h"

static int open_for(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    return fd;
}

static const char *train_path, *test_path;

static int name_files(void **state)
{
    (void)state;
    train_path = dp_temp_path("train");
    test_path = dp_temp_path("test");
    return 0;
}

/* Divide the file; the two parts into `train` and `test`. */
static dp_err divide(const char *path, double share, uint64_t seed, dp_buf *train, dp_buf *test)
{
    dp_divide *d = NULL;
    int        fa = open_for(train_path), fb = open_for(test_path);
    dp_err     code = dp_divide_new(&d);
    if (code == DP_OK)
        code = dp_divide_input(d, DP_INPUT_FORMAT, "clusters");
    if (code == DP_OK)
        code = dp_divide_set(d, share, seed, 0);
    if (code == DP_OK)
        code = dp_divide_run(d, &path, 1, fa, fb, NULL);
    close(fa);
    close(fb);
    dp_divide_free(d);
    if (code == DP_OK && train)
        assert_true(dp_temp_read(train, train_path) && dp_temp_read(test, test_path));
    return code;
}

static bool holds(const dp_buf *b, const char *line)
{
    dp_str all = dp_buf_view(b);
    return all.n && memmem(all.p, all.n, line, strlen(line)) != NULL;
}

/* Each line is in one part, in order; clusters are whole; the share is about that; a host with
 * one cluster is in train. */
static void divides_by_cluster(void **state)
{
    (void)state;
    enum { CLUSTERS = 2000 };
    static const double shares[] = {0, .1, .5, 1};
    dp_buf              in = {0};
    for (int i = 0; i < CLUSTERS; i++) {
        dp_buf_printf(&in, "c%d\thttp://h%d.com/%d\n", i, i % 7, i);
        if (i % 3 == 0)
            dp_buf_printf(&in, "c%d\thttp://h%d.com/%d?s\n", i, i % 7, i);
    }
    dp_buf_c(&in, "only\thttp://only.com/a\nonly\thttp://only.com/b\nc17\thttp://h1.com/late\n");
    const char *path = dp_temp_write("in", dp_buf_view(&in));
    for (size_t s = 0; s < DP_COUNT(shares); s++) {
        for (uint64_t seed = 0; seed < 3; seed++) {
            dp_buf train = {0}, test = {0}, again = {0}, more = {0};
            size_t lines[2] = {0}, at[2] = {0};
            assert_int_equal(DP_OK, divide(path, shares[s], seed, &train, &test));
            assert_int_equal(DP_OK, divide(path, shares[s], seed, &again, &more));
            assert_true(dp_str_eq(dp_buf_view(&train), dp_buf_view(&again)));
            assert_true(holds(&train, "only\thttp://only.com/a\nonly\thttp://only.com/b\n"));
            int side_of[CLUSTERS];
            memset(side_of, -1, sizeof side_of);
            for (size_t i = 0, end; i < in.n; i = end) {
                end = (size_t)((char *)memchr(in.p + i, '\n', in.n - i) - in.p) + 1;
                dp_str line = {in.p + i, end - i};
                bool   is_test = test.n - at[1] >= line.n && memcmp(test.p + at[1], line.p, line.n) == 0;
                dp_buf *side = is_test ? &test : &train;
                assert_true(side->n - at[is_test] >= line.n);
                assert_memory_equal(line.p, side->p + at[is_test], line.n);
                at[is_test] += line.n;
                lines[is_test]++;
                int c;
                if (sscanf(line.p, "c%d", &c) == 1) {
                    assert_true(side_of[c] == -1 || side_of[c] == is_test);
                    side_of[c] = is_test;
                }
            }
            assert_int_equal(train.n, at[0]);
            assert_int_equal(test.n, at[1]);
            double got = (double)lines[1] / (double)(lines[0] + lines[1]);
            assert_true(got >= shares[s] - .05 && got <= shares[s] + .05);
            dp_buf_done(&train);
            dp_buf_done(&test);
            dp_buf_done(&again);
            dp_buf_done(&more);
        }
    }
    dp_buf_done(&in);
}

static void another_seed_divides_in_another_way(void **state)
{
    (void)state;
    dp_buf in = {0}, a = {0}, b = {0}, c = {0}, d = {0};
    for (int i = 0; i < 100; i++)
        dp_buf_printf(&in, "c%d\thttp://a.com/%d\n", i, i);
    const char *path = dp_temp_write("in", dp_buf_view(&in));
    assert_int_equal(DP_OK, divide(path, .5, 1, &a, &b));
    assert_int_equal(DP_OK, divide(path, .5, 2, &c, &d));
    assert_false(dp_str_eq(dp_buf_view(&a), dp_buf_view(&c)));
    assert_int_equal(in.n, a.n + b.n);
    dp_buf_done(&in);
    dp_buf_done(&a);
    dp_buf_done(&b);
    dp_buf_done(&c);
    dp_buf_done(&d);
}

static void refuses_shares_and_files_without_clusters(void **state)
{
    (void)state;
    dp_divide *d;
    dp_error   err;
    assert_int_equal(DP_OK, dp_divide_new(&d));
    assert_int_equal(DP_EINVALID, dp_divide_set(d, 1.5, 0, 0));
    assert_int_equal(DP_EINVALID, dp_divide_set(d, -1, 0, 0));
    const char *path = dp_temp_write("urls", DP_STR("http://a.com/\n")), *nowhere = "/nowhere";
    assert_int_equal(DP_ESYNTAX, dp_divide_run(d, &path, 1, -1, -1, &err));
    assert_int_equal(DP_EIO, dp_divide_run(d, &nowhere, 1, -1, -1, &err));
    dp_divide_free(d);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    const char *path = dp_temp_write("in", DP_STR("a\thttp://a.com/\nb\thttp://a.com/x\nb\thttp://b.com/\n"));
    DP_EVERY_ALLOC_FAILURE
    {
        dp_err code = divide(path, .5, 0, NULL, NULL);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(divides_by_cluster, name_files, dp_temp_remove),
        cmocka_unit_test_setup_teardown(another_seed_divides_in_another_way, name_files, dp_temp_remove),
        cmocka_unit_test_setup_teardown(refuses_shares_and_files_without_clusters, name_files, dp_temp_remove),
        cmocka_unit_test_setup_teardown(survives_every_allocation_failure, name_files, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
