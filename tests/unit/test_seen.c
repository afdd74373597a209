/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/rng.h"
#include "store/seen.h"
#include "support/collide.h"
#include "support/failing_alloc.h"
#include "support/rules.h"
#include "support/tempfile.h"

enum { SET = 7 };

/* ---- batches of words --------------------------------------------------------------------------- */

/* Add `n` keys, given as words with one space between; `want` has '1' for fresh ones. */
static void add_words(dp_seen *s, const char *words, const char *want)
{
    uint64_t at[32] = {0};
    uint8_t  fresh[32];
    size_t   n = strlen(want), i = 0;
    for (const char *p = words; *p; p++) {
        if (*p == ' ')
            at[++i] = (uint64_t)(p + 1 - words);
    }
    at[++i] = strlen(words) + 1;
    assert_int_equal(n, i);
    assert_int_equal(DP_OK, dp_seen_add(s, words, at, n, 1, fresh, NULL));
    for (i = 0; i < n; i++)
        assert_int_equal(want[i] == '1', fresh[i]);
}

static dp_seen *open_set(uint64_t set)
{
    dp_seen *s;
    dp_error err;
    dp_err   code = dp_seen_open(&s, dp_temp_path("seen"), set, 0, &err);
    if (code != DP_OK)
        fail_msg("%s", err.message);
    return s;
}

static void a_key_is_fresh_once(void **state)
{
    (void)state;
    dp_seen *s = open_set(SET);
    add_words(s, "b a b c a", "11010");
    assert_int_equal(DP_OK, dp_seen_commit(s, NULL));
    add_words(s, "c d  d", "0110"); /* the empty key is one, too */
    assert_int_equal(DP_OK, dp_seen_commit(s, NULL));
    dp_seen_close(s);
    s = open_set(SET);
    add_words(s, "a b c d  e", "000001");
    dp_seen_close(s);
}

static void what_is_not_committed_is_fresh_again(void **state)
{
    (void)state;
    dp_seen *s = open_set(SET);
    uint64_t at[] = {0, 1};
    uint8_t  fresh;
    add_words(s, "a b", "11");
    assert_int_equal(DP_EINVALID, dp_seen_add(s, "x", at, 1, 0, &fresh, NULL)); /* commit first */
    dp_seen_forget(s);
    add_words(s, "a", "1");
    dp_seen_close(s);
    s = open_set(SET);
    add_words(s, "a b", "11");
    dp_seen_close(s);
}

/* ---- exactness ----------------------------------------------------------------------------------- */

/* Keys around the longest that the tree takes, which differ in their last byte alone. */
static void long_keys_are_compared_in_full(void **state)
{
    (void)state;
    dp_seen *s = open_set(SET);
    for (int round = 0; round < 2; round++) {
        for (size_t n = 505; n < 520; n++) {
            for (char last = 'a'; last <= 'c'; last++) {
                char     key[600];
                uint64_t at[] = {0, n};
                uint8_t  fresh, has;
                memset(key, 'x', n);
                key[n - 1] = last;
                assert_int_equal(DP_OK, dp_seen_has(s, key, at, 1, 0, &has, NULL));
                assert_int_equal(round, has);
                assert_int_equal(DP_OK, dp_seen_add(s, key, at, 1, 0, &fresh, NULL));
                assert_int_equal(!round, fresh);
                assert_int_equal(DP_OK, dp_seen_commit(s, NULL));
            }
        }
    }
    uint64_t count, bytes;
    assert_int_equal(DP_OK, dp_seen_count(s, &count, &bytes, NULL));
    assert_int_equal(45, count);
    dp_seen_close(s);
}

/* Keys that an adversary has made for one XXH3 are entries of their own; so are those of one hash. */
static void keys_of_one_hash_are_kept_apart(void **state)
{
    (void)state;
    enum { KEYS = 300 };
    char     key[DP_COLLIDE_BYTES];
    uint64_t count, bytes;
    for (int alike = 0; alike < 2; alike++) {
        dp_seen          *s;
        MDB_txn          *txn;
        MDB_stat          stat;
        const dp_seen_how how = {dp_temp_path(alike ? "alike" : "seen"), SET, 0, 1 << 16, 0, alike};
        assert_int_equal(DP_OK, dp_seen_open_as(&s, &how, NULL));
        for (unsigned i = 0; i < 2 * KEYS; i++) {
            uint8_t  fresh, has;
            uint64_t at[] = {0, dp_collide(key, i % KEYS).n};
            assert_int_equal(DP_OK, dp_seen_add(s, key, at, 1, 0, &fresh, NULL));
            assert_int_equal(i < KEYS, fresh);
            assert_int_equal(DP_OK, dp_seen_commit(s, NULL));
            assert_int_equal(DP_OK, dp_seen_has(s, key, at, 1, 0, &has, NULL));
            assert_int_equal(1, has);
        }
        assert_int_equal(DP_OK, dp_seen_count(s, &count, &bytes, NULL));
        assert_int_equal(KEYS, count);
        assert_int_equal(0, mdb_txn_begin(s->env, NULL, MDB_RDONLY, &txn));
        assert_int_equal(0, mdb_stat(txn, s->known.longs, &stat));
        assert_int_equal(KEYS, stat.ms_entries);
        mdb_txn_abort(txn);
        dp_seen_close(s);
    }
}

/* Some of them move, in the middle of the list and at its end. */
static void keys_of_one_hash_are_rekeyed(void **state)
{
    (void)state;
    enum { KEYS = 20 };
    dp_seen          *s;
    dp_engine        *e = engine_of("dustpan-rules 1\nhost a.com\ndrop ?sid\n");
    const dp_seen_how how = {dp_temp_path("seen"), SET, 0, 1 << 20, DP_PAGES_FEW, true};
    char              key[700];
    uint64_t          count, bytes;
    uint8_t           got;
    assert_int_equal(DP_OK, dp_seen_open_as(&s, &how, NULL));
    for (int i = 0; i < KEYS; i++) {
        int      n = snprintf(key, sizeof key, "http://a.com/%s%0600d", i % 3 ? "?sid=1&q=" : "?q=", i % 10);
        uint64_t at[] = {0, (uint64_t)n};
        assert_int_equal(DP_OK, dp_seen_add(s, key, at, 1, 0, &got, NULL));
        assert_int_equal(DP_OK, dp_seen_commit(s, NULL));
    }
    assert_int_equal(DP_OK, dp_seen_rekey(s, e, NULL));
    assert_int_equal(DP_OK, dp_seen_count(s, &count, &bytes, NULL));
    assert_int_equal(10, count);
    for (int i = 0; i < 10; i++) {
        uint64_t at[] = {0, (uint64_t)snprintf(key, sizeof key, "http://a.com/?q=%0600d", i)};
        assert_int_equal(DP_OK, dp_seen_has(s, key, at, 1, 0, &got, NULL));
        assert_int_equal(1, got);
    }
    dp_seen_close(s);
    dp_engine_free(e);
}

/* A file of the version before: no secret, and entries that held many keys. */
static void a_file_of_the_version_before_is_refused(void **state)
{
    (void)state;
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi  meta;
    MDB_val  name = {14, "dustpan-seen 1"}, value = {8, "12345678"};
    dp_seen *s;
    dp_error err;
    assert_int_equal(0, mdb_env_create(&env));
    assert_int_equal(0, mdb_env_set_maxdbs(env, 3));
    assert_int_equal(0, mdb_env_open(env, dp_temp_path("seen"), MDB_NOSUBDIR, 0600));
    assert_int_equal(0, mdb_txn_begin(env, NULL, 0, &txn));
    assert_int_equal(0, mdb_dbi_open(txn, "meta", MDB_CREATE, &meta));
    assert_int_equal(0, mdb_put(txn, meta, &name, &value, 0));
    assert_int_equal(0, mdb_txn_commit(txn));
    mdb_env_close(env);
    assert_int_equal(DP_ESYNTAX, dp_seen_open(&s, dp_temp_path("seen"), SET, 0, &err));
    assert_non_null(strstr(err.message, "another version of dustpan; delete it"));
}

/* A dumb twin: an array of what was added. The map begins small and grows many times. */
static void equals_an_array(void **state)
{
    (void)state;
    enum { KEYS = 30000, BATCH = 900, BATCHES = 120 };
    static bool     there[KEYS];
    static uint64_t at[BATCH + 1];
    static uint32_t number[BATCH];
    static uint8_t  fresh[BATCH];
    dp_rng          r = dp_rng_seed(1);
    dp_seen        *s;
    dp_buf          b = {0};
    size_t          distinct = 0;
    const dp_seen_how how = {dp_temp_path("seen"), SET, 0, 1 << 16, DP_PAGES_FEW, false};
    assert_int_equal(DP_OK, dp_seen_open_as(&s, &how, NULL));
    for (size_t i = 0; i < BATCHES; i++) {
        dp_buf_reset(&b);
        for (size_t j = 0; j < BATCH; j++) {
            number[j] = (uint32_t)dp_rng_below(&r, KEYS);
            dp_buf_printf(&b, "http://www.example.com/%u/%s", number[j], number[j] % 7 ? "" : "a path of some length");
            if (number[j] % 100 == 0)
                dp_buf_printf(&b, "%0600d", 1);
            at[j + 1] = b.n;
        }
        assert_false(b.failed);
        assert_int_equal(DP_OK, dp_seen_add(s, b.p, at, BATCH, 0, fresh, NULL));
        assert_int_equal(DP_OK, dp_seen_commit(s, NULL));
        for (size_t j = 0; j < BATCH; j++) {
            assert_int_equal(!there[number[j]], fresh[j]);
            distinct += fresh[j];
            there[number[j]] = true;
        }
    }
    uint64_t count, bytes;
    assert_int_equal(DP_OK, dp_seen_count(s, &count, &bytes, NULL));
    assert_int_equal(distinct, count);
    assert_true(bytes > 1 << 16);
    dp_seen_close(s);
    dp_buf_done(&b);
}

/* ---- processes ----------------------------------------------------------------------------------- */

/* Add 0..n-1 in the order of a seed, in batches, and write the fresh ones to the pipe before each commit. */
static void add_numbers(int fd, uint64_t seed, uint32_t n, size_t map)
{
    enum { BATCH = 50 };
    dp_seen  *s;
    dp_rng    r = dp_rng_seed(seed);
    uint32_t *order = malloc(n * sizeof *order);
    if (!order || dp_seen_open_as(&s, &(dp_seen_how){dp_temp_path("seen"), SET, 0, map, 0, false}, NULL) != DP_OK)
        _exit(1);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = (uint32_t)dp_rng_below(&r, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (uint32_t i = 0; i < n; i += BATCH) {
        char     text[BATCH * 40];
        uint64_t at[BATCH + 1] = {0};
        uint8_t  fresh[BATCH];
        size_t   k = 0;
        for (; k < BATCH && i + k < n; k++)
            at[k + 1] = at[k] + (uint64_t)snprintf(text + at[k], 40, "http://example.com/%u", order[i + k]);
        if (dp_seen_add(s, text, at, k, 0, fresh, NULL) != DP_OK)
            _exit(2);
        for (size_t j = 0; j < k; j++) {
            if (fresh[j] && write(fd, &order[i + j], sizeof *order) != sizeof *order)
                _exit(3);
        }
        if (dp_seen_commit(s, NULL) != DP_OK)
            _exit(4);
    }
    dp_seen_close(s);
    free(order);
    _exit(0);
}

static pid_t start(int fd[2], uint64_t seed, uint32_t n, size_t map)
{
    dp_temp_path("seen"); /* the folder is made here, not in each child */
    pid_t pid = fork();
    if (pid == 0) {
        close(fd[0]);
        add_numbers(fd[1], seed, n, map);
    }
    assert_true(pid > 0);
    return pid;
}

/* Read numbers until all writers are gone, or `stop` of them; counts[i] is how often i came. */
static size_t read_numbers(int fd, uint8_t *counts, size_t stop)
{
    uint32_t number;
    size_t   n = 0;
    while (n < stop && read(fd, &number, sizeof number) == sizeof number) {
        counts[number]++;
        n++;
    }
    return n;
}

static void processes_share_it(void **state)
{
    (void)state;
    enum { KEYS = 6000, PROCESSES = 3 };
    static uint8_t counts[KEYS];
    int            fd[2], status;
    pid_t          pid[PROCESSES];
    assert_int_equal(0, pipe(fd));
    for (unsigned i = 0; i < PROCESSES; i++)
        pid[i] = start(fd, i + 1, KEYS, (size_t)(1 << 16) << i); /* they grow the map in turn */
    close(fd[1]);
    assert_int_equal(KEYS, read_numbers(fd[0], counts, SIZE_MAX));
    for (size_t i = 0; i < KEYS; i++)
        assert_int_equal(1, counts[i]);
    for (size_t i = 0; i < PROCESSES; i++) {
        assert_int_equal(pid[i], waitpid(pid[i], &status, 0));
        assert_int_equal(0, status);
    }
    close(fd[0]);
}

/* Killed again and again in the middle, and run again: each key comes, and only those of the last batch twice. */
static void survives_kill(void **state)
{
    (void)state;
    enum { KEYS = 5000, KILLS = 10 };
    static uint8_t counts[KEYS];
    int            fd[2], status, killed = 0;
    for (unsigned i = 0; i <= KILLS; i++) {
        assert_int_equal(0, pipe(fd));
        pid_t pid = start(fd, i + 1, KEYS, 1 << 16);
        close(fd[1]);
        read_numbers(fd[0], counts, i < KILLS ? 333 : SIZE_MAX);
        if (i < KILLS)
            kill(pid, SIGKILL);
        read_numbers(fd[0], counts, SIZE_MAX); /* what it had written */
        close(fd[0]);
        assert_int_equal(pid, waitpid(pid, &status, 0));
        assert_true(status == 0 || (i < KILLS && WIFSIGNALED(status)));
        killed += WIFSIGNALED(status);
    }
    size_t repeated = 0;
    for (size_t i = 0; i < KEYS; i++) {
        assert_true(counts[i] >= 1);
        repeated += (size_t)(counts[i] - 1);
    }
    assert_true(repeated <= KILLS * 50);
    assert_true(killed > 3);
}

/* ---- rules --------------------------------------------------------------------------------------- */

static void another_set_is_refused_or_rekeyed(void **state)
{
    (void)state;
    dp_seen   *s = open_set(SET);
    dp_engine *e = engine_of("dustpan-rules 1\nhost a.com\ndrop ?sid\n");
    dp_error   err;
    dp_buf     b = {0};
    add_words(s, "http://a.com/?sid=1 http://a.com/x?sid=1 http://a.com/y no-url", "1111");
    assert_int_equal(DP_OK, dp_seen_commit(s, NULL));
    dp_buf_c(&b, "http://a.com/long?sid=1&q=");
    for (int i = 0; i < 600; i++)
        dp_buf_byte(&b, 'q');
    uint64_t at[] = {0, b.n};
    uint8_t  fresh;
    assert_int_equal(DP_OK, dp_seen_add(s, b.p, at, 1, 0, &fresh, NULL));
    assert_int_equal(DP_OK, dp_seen_commit(s, NULL));
    dp_seen_close(s);
    assert_int_equal(DP_EINVALID, dp_seen_open(&s, dp_temp_path("seen"), dp_engine_set_id(e), 0, &err));
    assert_non_null(strstr(err.message, "other rules"));
    assert_int_equal(DP_OK, dp_seen_open(&s, dp_temp_path("seen"), dp_engine_set_id(e), DP_SEEN_ANY_SET, &err));
    assert_int_equal(SET, dp_seen_set(s));
    assert_int_equal(DP_OK, dp_seen_rekey(s, e, &err));
    assert_int_equal(dp_engine_set_id(e), dp_seen_set(s));
    uint64_t count, bytes;
    assert_int_equal(DP_OK, dp_seen_count(s, &count, &bytes, NULL));
    assert_int_equal(5, count);
    add_words(s, "http://a.com/ http://a.com/x http://a.com/y no-url http://a.com/?sid=1", "00001");
    dp_seen_forget(s);
    dp_str key;
    dp_scratch *scratch;
    assert_int_equal(DP_OK, dp_scratch_new(&scratch));
    key.p = dp_apply_view(e, scratch, DP_KEY, b.p, b.n, &key.n);
    assert_true(key.n < b.n);
    at[1] = key.n;
    assert_int_equal(DP_OK, dp_seen_has(s, key.p, at, 1, 0, &fresh, NULL));
    assert_int_equal(1, fresh);
    dp_scratch_free(scratch);
    dp_seen_close(s);
    dp_seen_close(open_set(dp_engine_set_id(e)));
    dp_engine_free(e);
    dp_buf_done(&b);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    static char zeros[20000];
    dp_seen    *s;
    dp_error    err;
    assert_int_equal(DP_ESYNTAX, dp_seen_open(&s, dp_temp_write("text", DP_STR("dustpan-rules 1\n")), SET, 0, &err));
    assert_non_null(strstr(err.message, "not a seen-set"));
    assert_int_equal(DP_ESYNTAX, dp_seen_open(&s, dp_temp_write("zeros", (dp_str){zeros, sizeof zeros}), SET, 0, &err));
    assert_int_equal(DP_EIO, dp_seen_open(&s, "/nowhere/seen", SET, 0, &err));
    assert_string_equal("/nowhere/seen", err.file);

    /* One that LMDB made for somebody else. */
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi  dbi;
    MDB_val  word = {1, "x"};
    mdb_env_create(&env);
    assert_int_equal(0, mdb_env_open(env, dp_temp_path("other"), MDB_NOSUBDIR, 0600));
    assert_int_equal(0, mdb_txn_begin(env, NULL, 0, &txn));
    assert_int_equal(0, mdb_dbi_open(txn, NULL, 0, &dbi));
    assert_int_equal(0, mdb_put(txn, dbi, &word, &word, 0));
    assert_int_equal(0, mdb_txn_commit(txn));
    mdb_env_close(env);
    assert_int_equal(DP_ESYNTAX, dp_seen_open(&s, dp_temp_path("other"), SET, 0, &err));
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    DP_EVERY_ALLOC_FAILURE
    {
        const uint64_t at[] = {0, 1, 601};
        char           text[601];
        uint8_t        fresh[2];
        dp_seen       *s = NULL;
        memset(text, 'x', sizeof text);
        dp_err code = dp_seen_open(&s, dp_temp_path("seen"), SET, 0, NULL);
        if (code == DP_OK)
            code = dp_seen_add(s, text, at, 2, 0, fresh, NULL);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        dp_seen_close(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_key_is_fresh_once, dp_temp_remove),
        cmocka_unit_test_teardown(what_is_not_committed_is_fresh_again, dp_temp_remove),
        cmocka_unit_test_teardown(long_keys_are_compared_in_full, dp_temp_remove),
        cmocka_unit_test_teardown(keys_of_one_hash_are_kept_apart, dp_temp_remove),
        cmocka_unit_test_teardown(keys_of_one_hash_are_rekeyed, dp_temp_remove),
        cmocka_unit_test_teardown(a_file_of_the_version_before_is_refused, dp_temp_remove),
        cmocka_unit_test_teardown(equals_an_array, dp_temp_remove),
        cmocka_unit_test_teardown(processes_share_it, dp_temp_remove),
        cmocka_unit_test_teardown(survives_kill, dp_temp_remove),
        cmocka_unit_test_teardown(another_set_is_refused_or_rekeyed, dp_temp_remove),
        cmocka_unit_test_teardown(other_files_are_refused, dp_temp_remove),
        cmocka_unit_test_teardown(survives_every_allocation_failure, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
