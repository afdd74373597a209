/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "live/cache.h"
#include "support/failing_alloc.h"

/* A folder of our own, and the cache's file in it. */
typedef struct place {
    char dir[64], file[80];
} place;

static int make_place(void **state)
{
    place *p = calloc(1, sizeof *p);
    snprintf(p->dir, sizeof p->dir, "/tmp/dustpan-cache-XXXXXX");
    assert_non_null(mkdtemp(p->dir));
    snprintf(p->file, sizeof p->file, "%s/pages", p->dir);
    *state = p;
    return 0;
}

static int remove_place(void **state)
{
    place *p = *state;
    unlink(p->file);
    rmdir(p->dir);
    free(p);
    return 0;
}

static const dp_note page = {.kind = DP_NOTE_PAGE, .status = 200, .tries = 1, .time = 1700000000, .size = 5120,
                             .digest = {.lo = 7, .hi = UINT64_MAX}, .sketch = {1, 2, UINT64_MAX, 4}};

static dp_cache *open_cache(const char *dir)
{
    dp_cache *c = NULL;
    dp_error  err = {0};
    if (dp_cache_open(&c, dir, &err) != DP_OK)
        fail_msg("%s:%zu: %s", err.file, err.line, err.message);
    return c;
}

static void append(const place *p, const char *text)
{
    FILE *f = fopen(p->file, "a");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* What was fetched is nobody else's business. */
static void others_cannot_read_it(void **state)
{
    const place *p = *state;
    struct stat  st;
    mode_t       before = umask(0);
    rmdir(p->dir);
    dp_cache_close(open_cache(p->dir));
    umask(before);
    assert_int_equal(0, stat(p->dir, &st));
    assert_int_equal(0700, st.st_mode & 07777);
    assert_int_equal(0, stat(p->file, &st));
    assert_int_equal(0600, st.st_mode & 07777);
}

static void what_is_put_is_found_by_the_next_run(void **state)
{
    const place *p = *state;
    dp_note      moved = {.kind = DP_NOTE_MOVED, .status = 301, .tries = 2, .target = DP_STR("http://b.com/x?y=%20z")};
    dp_note      failed = {.kind = DP_NOTE_FAILED, .fault = DP_FAULT_TIMEOUT, .tries = 3};
    for (int run = 0; run < 2; run++) {
        dp_cache *c = open_cache(p->dir);
        if (run == 0) {
            assert_int_equal(DP_OK, dp_cache_ask(c, DP_STR("http://a.com/"), 1, 5, NULL));
            assert_int_equal(DP_NOTE_ASKED, dp_cache_find(c, DP_STR("http://a.com/"))->kind);
            assert_int_equal(DP_OK, dp_cache_put(c, DP_STR("http://a.com/"), &page, NULL));
            assert_int_equal(DP_OK, dp_cache_ask(c, DP_STR("http://a.com/%25"), 1, 5, NULL));
            assert_int_equal(DP_OK, dp_cache_put(c, DP_STR("http://a.com/%25"), &moved, NULL));
            assert_int_equal(DP_OK, dp_cache_ask(c, DP_STR("http://a.com/t"), 1, 5, NULL));
            assert_int_equal(DP_OK, dp_cache_put(c, DP_STR("http://a.com/t"), &failed, NULL));
            assert_int_equal(DP_OK, dp_cache_put_robots(c, DP_STR("http://a.com"), DP_STR("a: *\nb: /\n"), 5, NULL));
            assert_int_equal(DP_OK, dp_cache_sync(c, NULL));
        }
        const dp_note *n = dp_cache_find(c, DP_STR("http://a.com/"));
        assert_memory_equal(n, &page, sizeof page);
        n = dp_cache_find(c, DP_STR("http://a.com/%25"));
        assert_int_equal(DP_NOTE_MOVED, n->kind);
        assert_true(dp_str_eq(n->target, moved.target));
        n = dp_cache_find(c, DP_STR("http://a.com/t"));
        assert_int_equal(DP_FAULT_TIMEOUT, n->fault);
        assert_int_equal(3, n->tries);
        assert_null(dp_cache_find(c, DP_STR("http://a.com/other")));
        assert_true(dp_str_eq(dp_cache_robots(c, DP_STR("http://a.com")), DP_STR("a: *\nb: /\n")));
        assert_null(dp_cache_robots(c, DP_STR("http://b.com")).p);
        assert_int_equal(run ? 4 : 0, dp_cache_found(c));
        dp_cache_close(c);
    }
}

static void what_was_asked_counts_as_fetched(void **state)
{
    const place *p = *state;
    dp_cache    *c = open_cache(p->dir);
    assert_int_equal(DP_OK, dp_cache_ask(c, DP_STR("http://a.com/"), 2, 5, NULL));
    dp_cache_close(c);
    c = open_cache(p->dir);
    const dp_note *n = dp_cache_find(c, DP_STR("http://a.com/"));
    assert_int_equal(DP_NOTE_FAILED, n->kind);
    assert_int_equal(DP_FAULT_INTERRUPTED, n->fault);
    assert_int_equal(2, n->tries);
    assert_false(dp_fault_is_passing(n->fault));
    dp_cache_close(c);
}

/* Cut the file at every byte: a prefix of the records is there, and writing goes on behind it. */
static void a_file_cut_anywhere_is_read_up_to_there(void **state)
{
    const place *p = *state;
    dp_cache    *c = open_cache(p->dir);
    char         url[32];
    for (int i = 0; i < 4; i++) {
        snprintf(url, sizeof url, "http://a.com/%d", i);
        assert_int_equal(DP_OK, dp_cache_put(c, dp_str_c(url), &page, NULL));
    }
    dp_cache_close(c);
    FILE *f = fopen(p->file, "r");
    char  all[4096];
    long  size = (long)fread(all, 1, sizeof all, f);
    fclose(f);
    for (long cut = size; cut >= 0; cut -= 7) {
        assert_int_equal(0, truncate(p->file, cut));
        c = open_cache(p->dir);
        int found = 0, lines = 0;
        for (long i = 0; i < cut; i++)
            lines += all[i] == '\n';
        for (int i = 0; i < 4; i++) {
            snprintf(url, sizeof url, "http://a.com/%d", i);
            found += dp_cache_find(c, dp_str_c(url)) != NULL;
        }
        assert_int_equal(lines, found);
        assert_int_equal(DP_OK, dp_cache_put(c, DP_STR("http://a.com/new"), &page, NULL));
        dp_cache_close(c);
        c = open_cache(p->dir);
        assert_non_null(dp_cache_find(c, DP_STR("http://a.com/new")));
        dp_cache_close(c);
    }
}

static void damage_is_an_error(void **state)
{
    const place *p = *state;
    dp_cache    *c = open_cache(p->dir);
    dp_error     err = {0};
    assert_int_equal(DP_OK, dp_cache_put(c, DP_STR("http://a.com/"), &page, NULL));
    dp_cache_close(c);
    append(p, "0000000000000000 got 1 1 page\n");
    assert_int_equal(DP_ESYNTAX, dp_cache_open(&c, p->dir, &err));
    assert_int_equal(2, err.line);
    assert_string_equal(p->file, err.file);
}

static void two_runs_cannot_share_it(void **state)
{
    const place *p = *state;
    dp_cache    *c = open_cache(p->dir), *other = NULL;
    assert_int_equal(DP_EIO, dp_cache_open(&other, p->dir, NULL));
    dp_cache_close(c);
    c = open_cache(p->dir);
    dp_cache_remove(c);
    assert_int_not_equal(0, access(p->file, F_OK));
    assert_int_not_equal(0, access(p->dir, F_OK));
}

static void survives_every_allocation_failure(void **state)
{
    const place *p = *state;
    DP_EVERY_ALLOC_FAILURE
    {
        dp_cache *c = NULL;
        dp_err    e = dp_cache_open(&c, p->dir, NULL);
        if (e == DP_OK)
            e = dp_cache_ask(c, DP_STR("http://a.com/"), 1, 5, NULL);
        if (e == DP_OK)
            e = dp_cache_put(c, DP_STR("http://a.com/"), &page, NULL);
        if (e == DP_OK)
            e = dp_cache_put_robots(c, DP_STR("http://a.com"), DP_STR("x"), 5, NULL);
        assert_int_equal(e, dp_alloc_failed() ? DP_ENOMEM : DP_OK);
        dp_cache_close(c);
    }
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, make_place, remove_place)
    const struct CMUnitTest tests[] = {
        T(others_cannot_read_it),
        T(what_is_put_is_found_by_the_next_run), T(what_was_asked_counts_as_fetched),
        T(a_file_cut_anywhere_is_read_up_to_there), T(damage_is_an_error), T(two_runs_cannot_share_it),
        T(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
