/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/outfile.h"
#include "support/failing_alloc.h"
#include "support/tempfile.h"

static void assert_holds(const char *path, const char *want)
{
    dp_buf b = {0};
    assert_true(dp_temp_read(&b, path));
    assert_int_equal(strlen(want), b.n);
    assert_memory_equal(want, b.n ? b.p : "", b.n);
    dp_buf_done(&b);
}

static void is_not_seen_before_commit(void **state)
{
    (void)state;
    const char *path = dp_temp_path("new");
    dp_outfile  o;
    assert_int_equal(DP_OK, dp_outfile_open(&o, path, NULL));
    assert_int_equal(DP_OK, dp_outfile_write(&o, "abc", 3, NULL));
    assert_int_equal(-1, access(path, F_OK));
    assert_int_equal(DP_OK, dp_outfile_commit(&o, NULL));
    assert_holds(path, "abc");
    assert_int_equal(1, dp_temp_count());
}

static void abort_leaves_the_old_file(void **state)
{
    (void)state;
    const char *path = dp_temp_write("old", DP_STR("old"));
    dp_outfile  o;
    assert_int_equal(DP_OK, dp_outfile_open(&o, path, NULL));
    assert_int_equal(DP_OK, dp_outfile_write(&o, "new", 3, NULL));
    dp_outfile_abort(&o);
    assert_holds(path, "old");
    assert_int_equal(1, dp_temp_count());
}

static void follows_links_and_keeps_permissions(void **state)
{
    (void)state;
    struct stat st;
    const char *path = dp_temp_write("real", DP_STR("old")), *name = dp_temp_path("link");
    dp_outfile  o;
    assert_int_equal(0, symlink("real", name));
    assert_int_equal(0, chmod(path, 0640));
    assert_int_equal(DP_OK, dp_outfile_open(&o, name, NULL));
    assert_int_equal(DP_OK, dp_outfile_write(&o, "new", 3, NULL));
    assert_int_equal(DP_OK, dp_outfile_commit(&o, NULL));
    assert_holds(path, "new");
    assert_int_equal(0, lstat(name, &st));
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(0, stat(path, &st));
    assert_int_equal(0640, st.st_mode & 07777);
}

static void two_at_once_do_not_meet(void **state)
{
    (void)state;
    const char *path = dp_temp_path("both");
    dp_outfile  a, b;
    assert_int_equal(DP_OK, dp_outfile_open(&a, path, NULL));
    assert_int_equal(DP_OK, dp_outfile_open(&b, path, NULL));
    assert_int_equal(DP_OK, dp_outfile_write(&a, "a", 1, NULL));
    assert_int_equal(DP_OK, dp_outfile_write(&b, "b", 1, NULL));
    assert_int_equal(DP_OK, dp_outfile_commit(&a, NULL));
    assert_int_equal(DP_OK, dp_outfile_commit(&b, NULL));
    assert_holds(path, "b");
    assert_int_equal(1, dp_temp_count());
}

static void writes_names_of_250_bytes(void **state)
{
    (void)state;
    char name[251];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = 0;
    char path[400];
    snprintf(path, sizeof path, "%s/%s", ".", name);
    dp_outfile o;
    assert_int_equal(DP_OK, dp_outfile_open(&o, path, NULL));
    assert_int_equal(DP_OK, dp_outfile_commit(&o, NULL));
    assert_int_equal(0, unlink(path));
}

static void says_what_cannot_be_written(void **state)
{
    (void)state;
    dp_error   err;
    dp_outfile o;
    assert_int_equal(DP_EIO, dp_outfile_open(&o, "/nowhere/at/all", &err));
    assert_string_equal("/nowhere/at/all", err.file);
    assert_string_equal("cannot create: No such file or directory", err.message);
    assert_int_equal(DP_EIO, dp_outfile_open(&o, "/tmp", &err));
    assert_string_equal("is a directory", err.message);
    assert_int_equal(-1, o.fd);
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    dp_error   err;
    dp_outfile o;
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(DP_OK, dp_outfile_open(&o, "/dev/full", &err));
    assert_null(o.temp);
    assert_int_equal(DP_EIO, dp_outfile_write(&o, "abc", 3, &err));
    assert_string_equal("/dev/full", err.file);
    assert_string_equal("cannot write: No space left on device", err.message);
    dp_outfile_abort(&o);
}

static void a_broken_pipe_is_an_error(void **state)
{
    (void)state;
    int      ends[2];
    dp_error err;
    void (*old)(int) = signal(SIGPIPE, SIG_IGN);
    assert_int_equal(0, pipe(ends));
    close(ends[0]);
    assert_int_equal(DP_EIO, dp_write_all(ends[1], "abc", 3, "pipe", &err));
    assert_string_equal("cannot write: Broken pipe", err.message);
    close(ends[1]);
    signal(SIGPIPE, old);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    const char *path = dp_temp_write("old", DP_STR("old"));
    DP_EVERY_ALLOC_FAILURE
    {
        dp_outfile o;
        dp_err     code = dp_outfile_open(&o, path, NULL);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        dp_outfile_abort(&o);
    }
    assert_int_equal(1, dp_temp_count());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(is_not_seen_before_commit, dp_temp_remove),
        cmocka_unit_test_teardown(abort_leaves_the_old_file, dp_temp_remove),
        cmocka_unit_test_teardown(follows_links_and_keeps_permissions, dp_temp_remove),
        cmocka_unit_test_teardown(two_at_once_do_not_meet, dp_temp_remove),
        cmocka_unit_test(writes_names_of_250_bytes),
        cmocka_unit_test(says_what_cannot_be_written),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(a_broken_pipe_is_an_error),
        cmocka_unit_test_teardown(survives_every_allocation_failure, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
