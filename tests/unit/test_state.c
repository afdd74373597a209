/* The state of learn: what is committed is there, what is not is not.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/state.h"
#include "support/failing_alloc.h"
#include "support/tempfile.h"

static dp_err sum(void *ctx, const dp_fact *f)
{
    assert_true(dp_str_starts(f->url, DP_STR("http://a.com/")));
    assert_true(!(f->has & DP_FACT_CLIENT) && !f->clients.n); /* who asked is not kept */
    *(uint64_t *)ctx += strtoull(f->url.p + strlen("http://a.com/"), NULL, 10);
    return DP_OK;
}

/* Add facts number `from` to `to` - 1. */
static dp_err add(dp_statefile *s, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++) {
        char url[64];
        int  n = snprintf(url, sizeof url, "http://a.com/%llu ", (unsigned long long)i);
        url[n - 1] = 0; /* a digit is followed by something that is none */
        uint32_t client = (uint32_t)i;
        dp_fact  f = {.kind = DP_FACT_PAGE, .has = DP_FACT_CLIENT, .url = {url, (size_t)n - 1},
                      .clients = {(const char *)&client, sizeof client}};
        f.host = dp_fact_host(f.url);
        DP_TRY(dp_statefile_add(s, &f, NULL));
    }
    return DP_OK;
}

/* The sum of the numbers that are in the file before anything is added. */
static uint64_t held(const char *path)
{
    dp_statefile *s;
    uint64_t      n = 0;
    assert_int_equal(DP_OK, dp_statefile_open(&s, &(dp_state_how){.path = path, .fresh = false}, NULL));
    assert_int_equal(DP_OK, dp_statefile_each(s, sum, &n, NULL));
    dp_statefile_close(s);
    return n;
}

static void run(const char *path, bool fresh, uint64_t from, uint64_t to, bool commits, bool want_known)
{
    dp_statefile *s;
    uint64_t      total[DP_FACT_COUNTS] = {to - from};
    bool          known;
    assert_int_equal(DP_OK, dp_statefile_open(&s, &(dp_state_how){.path = path, .fresh = fresh}, NULL));
    assert_int_equal(DP_OK, add(s, from, to));
    assert_int_equal(DP_OK, dp_statefile_known(s, &known, NULL));
    assert_int_equal(want_known, known);
    dp_statefile_count(s, total);
    if (commits && !known)
        assert_int_equal(DP_OK, dp_statefile_commit(s, total, NULL));
    dp_statefile_close(s);
}

static void keeps_what_is_committed(void **state)
{
    (void)state;
    const char *path = dp_temp_write("state", (dp_str){0});
    unlink(path);
    run(path, false, 0, 100, true, false);
    assert_int_equal(4950, held(path));
    run(path, false, 100, 20000, false, false); /* several blocks, as if it had been killed */
    assert_int_equal(4950, held(path));
    run(path, false, 100, 20000, true, false);
    assert_int_equal(199990000, held(path));
    run(path, false, 100, 20000, true, true); /* the same once more */
    assert_int_equal(199990000, held(path));
    run(path, true, 5, 7, false, false);
    assert_int_equal(199990000, held(path));
    run(path, true, 5, 7, true, false);
    assert_int_equal(11, held(path));
    run(path, false, 0, 100, true, false); /* forgotten with the rest */
    assert_int_equal(4961, held(path));
    dp_statefile *s;
    uint64_t      total[DP_FACT_COUNTS] = {0};
    assert_int_equal(DP_OK, dp_statefile_open(&s, &(dp_state_how){.path = path, .fresh = false}, NULL));
    dp_statefile_count(s, total);
    assert_int_equal(102, total[0]);
    dp_statefile_close(s);
    dp_temp_remove(NULL);
}

static void refuses_other_files(void **state)
{
    (void)state;
    dp_statefile *s;
    dp_error      err = {0};
    const char   *path = dp_temp_write("text", dp_str_c("this is a text, and no tree of LMDB"));
    assert_int_equal(DP_ESYNTAX, dp_statefile_open(&s, &(dp_state_how){.path = path, .fresh = false}, &err));
    assert_int_equal(DP_EIO, dp_statefile_open(&s, &(dp_state_how){.path = "/nowhere/at/all", .fresh = false}, &err));
    dp_temp_remove(NULL);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    const char *path = dp_temp_write("state", (dp_str){0});
    DP_EVERY_ALLOC_FAILURE {
        dp_statefile *s = NULL;
        uint64_t      total[DP_FACT_COUNTS] = {0}, n = 0;
        bool          known;
        unlink(path);
        dp_err code = dp_statefile_open(&s, &(dp_state_how){.path = path, .fresh = false}, NULL);
        if (code == DP_OK)
            code = add(s, 0, 10);
        if (code == DP_OK)
            code = dp_statefile_known(s, &known, NULL);
        if (code == DP_OK)
            code = dp_statefile_commit(s, total, NULL);
        if (code == DP_OK)
            code = dp_statefile_each(s, sum, &n, NULL);
        assert_int_equal(code, dp_alloc_failed() ? DP_ENOMEM : DP_OK);
        dp_statefile_close(s);
    }
    dp_temp_remove(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_is_committed),
        cmocka_unit_test(refuses_other_files),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
