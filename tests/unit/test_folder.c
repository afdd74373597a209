/* Folders of work files: one owner each, and nobody else's.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/folder.h"

static char told[4200]; /* the folder that is owned */

static void tell(void *ctx, const char *path)
{
    (void)ctx;
    snprintf(told, sizeof told, "%s", path);
}

/* The folder number `name` under a parent of our own. */
static dp_folder *folder_of(const char *parent, uint64_t name, bool again)
{
    dp_folder *f;
    told[0] = 0;
    const dp_folder_how how = {.parent = parent, .name = name, .again = again, .owned = tell};
    assert_int_equal(DP_OK, dp_folder_new(&f, &how, NULL));
    return f;
}

/* Whether it is at TMP/dustpan-000000000000004f, when it is made. */
static bool has_its_name(dp_folder *f)
{
    assert_int_equal(DP_OK, dp_folder_make(f, NULL));
    assert_int_equal(0, access(told, F_OK));
    return strstr(told, "/dustpan-000000000000004f") != NULL;
}

static void a_folder_has_one_owner(void **state)
{
    (void)state;
    char     parent[] = "/tmp/dustpan-test-XXXXXX";
    dp_error err = {0};
    assert_non_null(mkdtemp(parent));
    dp_folder *a = folder_of(parent, 79, true), *b = folder_of(parent, 79, true);
    assert_false(dp_folder_is_there(a));
    assert_true(has_its_name(a));
    assert_false(has_its_name(b)); /* made after both had looked */
    dp_folder *c = folder_of(parent, 79, true), *d = folder_of(parent, 79, false);
    assert_false(dp_folder_is_there(c));
    assert_int_equal(0, told[0]);
    assert_false(has_its_name(c));
    assert_false(has_its_name(d));
    dp_folder_remove(c);
    dp_folder_remove(d);
    dp_folder_remove(b);
    assert_int_equal(DP_OK, dp_folder_make(a, &err)); /* nobody has taken it away */
    dp_folder_remove(a);
    assert_int_equal(0, rmdir(parent));
    assert_int_equal(DP_EIO, dp_folder_new(&a, &(dp_folder_how){.parent = "/nowhere/at/all"}, &err));
    assert_int_equal(DP_EIO, dp_folder_new(&a, &(dp_folder_how){.parent = "/dev/null"}, &err));
}

static void only_a_private_folder_is_taken_over(void **state)
{
    (void)state;
    static const struct {
        mode_t mode;
        uid_t  owner; /* 0: we */
        bool   taken;
    } cases[] = {{0700, 0, true}, {0750, 0, false}, {0707, 0, false}, {0777, 0, false}, {0700, 65534, false}};
    char parent[] = "/tmp/dustpan-test-XXXXXX", path[100];
    assert_non_null(mkdtemp(parent));
    snprintf(path, sizeof path, "%s/dustpan-000000000000004f", parent);
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        assert_int_equal(0, mkdir(path, 0700));
        assert_int_equal(0, chmod(path, cases[i].mode));
        if (cases[i].owner && chown(path, cases[i].owner, (gid_t)-1) != 0) { /* not root */
            rmdir(path);
            continue;
        }
        dp_folder *f = folder_of(parent, 79, true);
        assert_int_equal(cases[i].taken, dp_folder_is_there(f));
        assert_int_equal(cases[i].taken, has_its_name(f));
        dp_folder_remove(f);
        assert_int_equal(cases[i].taken ? -1 : 0, rmdir(path));
    }
    rmdir(parent);
}

/* Links at the folder's name and at its files' names are never followed. */
static void links_are_not_followed(void **state)
{
    (void)state;
    char parent[] = "/tmp/dustpan-test-XXXXXX", path[100], other[100], name[200];
    int  fd;
    assert_non_null(mkdtemp(parent));
    snprintf(path, sizeof path, "%s/dustpan-000000000000004f", parent);
    snprintf(other, sizeof other, "%s/other", parent);
    assert_int_equal(0, mkdir(other, 0700));
    assert_int_equal(0, symlink(other, path));
    dp_folder *f = folder_of(parent, 79, true);
    assert_false(dp_folder_is_there(f));
    assert_false(has_its_name(f));
    dp_folder_remove(f);
    assert_int_equal(0, rmdir(other)); /* empty */
    assert_int_equal(0, unlink(path));

    FILE *precious = fopen(other, "w");
    assert_non_null(precious);
    fputs("precious", precious);
    fclose(precious);
    assert_int_equal(0, mkdir(path, 0700));
    snprintf(name, sizeof name, "%s/0003", path);
    assert_int_equal(0, symlink(other, name));
    f = folder_of(parent, 79, true);
    assert_true(dp_folder_is_there(f));
    assert_false(dp_folder_has(f, 3));
    assert_int_equal(DP_EIO, dp_folder_open(f, 3, &fd, NULL));
    assert_int_equal(DP_OK, dp_folder_create(f, 3, &fd, NULL));
    assert_int_equal(4, write(fd, "work", 4));
    close(fd);
    assert_true(dp_folder_has(f, 3));
    dp_folder_remove(f);
    struct stat st;
    assert_int_equal(0, stat(other, &st));
    assert_int_equal(8, st.st_size);
    unlink(other);
    assert_int_equal(0, rmdir(parent));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_has_one_owner),
        cmocka_unit_test(only_a_private_folder_is_taken_over),
        cmocka_unit_test(links_are_not_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
