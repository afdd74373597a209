/* Damaged files of LMDB: seen-sets and states. Whatever was done to them, LMDB is shown nothing that it would stumble
 * over.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/rng.h"
#include "store/seen.h"
#include "store/state.h"
#include "support/rules.h"
#include "support/tempfile.h"

enum { KEYS = 3000, PAGE = 4096, CASES = 400 };

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* Key number i: some are too long for a page. */
static size_t write_key(char out[2000], size_t i)
{
    int n = snprintf(out, 2000, "http://a.com/%zx/", i * 2654435761u % 1000003);
    memset(out + n, 'x', i % 50 == 0 ? 1500 : i % 30);
    return (size_t)n + (i % 50 == 0 ? 1500 : i % 30);
}

/* Keys number `from` to `to` - 1, as dp_seen_add takes them. */
typedef struct keys {
    dp_buf   text;
    uint64_t at[KEYS + 1];
    uint8_t  fresh[KEYS];
    size_t   n;
} keys;

static void make_keys(keys *k, size_t from, size_t to)
{
    char one[2000];
    dp_buf_reset(&k->text);
    k->n = to - from;
    for (size_t i = from; i < to; i++) {
        k->at[i - from] = k->text.n;
        dp_buf_add(&k->text, one, write_key(one, i));
    }
    k->at[k->n] = k->text.n;
}

static dp_err add_keys(dp_seen *s, keys *k, size_t from, size_t to)
{
    make_keys(k, from, to);
    DP_TRY(dp_seen_add(s, k->text.p, k->at, k->n, 0, k->fresh, NULL));
    return dp_seen_commit(s, NULL);
}

static void write_file(const char *path, dp_str bytes)
{
    char  lock[4200];
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(bytes.n, fwrite(bytes.p, 1, bytes.n, f));
    fclose(f);
    snprintf(lock, sizeof lock, "%s-lock", path);
    unlink(lock);
}

/* Do something to the file: cut it, change bytes of its heads, anywhere or of a page's head, lose a page, or have one
 * twice. */
static dp_str damage(dp_buf *b, dp_rng *r)
{
    size_t pages = b->n / PAGE, page = dp_rng_below(r, pages) * PAGE;
    switch (dp_rng_below(r, 6)) {
    case 0: return (dp_str){b->p, dp_rng_below(r, b->n)};
    case 1:
        for (uint64_t i = dp_rng_below(r, 8) + 1; i--;)
            b->p[dp_rng_below(r, 2 * PAGE)] = (char)dp_rng_below(r, 256);
        break;
    case 2:
        for (uint64_t i = dp_rng_below(r, 30) + 1; i--;)
            b->p[dp_rng_below(r, b->n)] = (char)dp_rng_below(r, 256);
        break;
    case 3: memset(b->p + page, 0, PAGE); break;
    case 4: memmove(b->p + page, b->p + dp_rng_below(r, pages) * PAGE, PAGE); break;
    default:
        for (int i = 0; i < 4; i++) {
            static const uint8_t bytes[] = {0, 1, 255, 128};
            uint64_t             which = dp_rng_below(r, 5);
            b->p[page + dp_rng_below(r, 64)] = (char)(which < 4 ? bytes[which] : dp_rng_below(r, 256));
        }
    }
    return dp_buf_view(b);
}

/* ---- seen-sets --------------------------------------------------------------------------------------------------- */

/* A set of any rules; `few`: bytes of a file all pages of which are looked at. */
static dp_err open_seen(dp_seen **out, const char *path, size_t few, dp_error *err)
{
    return dp_seen_open_as(out, &(dp_seen_how){path, 7, DP_SEEN_ANY_SET, DP_SEEN_FIRST_MAP, few, false}, err);
}

/* Use a file as a run of `apply` and of `apply --rekey` would. */
static dp_err use_seen(const char *path, size_t few, keys *k, dp_error *err)
{
    dp_seen *s;
    uint64_t count, bytes;
    DP_TRY(open_seen(&s, path, few, err));
    dp_err code = add_keys(s, k, KEYS / 2, KEYS);
    if (code == DP_OK)
        code = dp_seen_has(s, k->text.p, k->at, k->n, 0, k->fresh, err);
    if (code == DP_OK)
        code = dp_seen_count(s, &count, &bytes, err);
    dp_seen_close(s);
    return code;
}

/* A file that several transactions have written, with pages that are free. */
static void make_seen(const char *path, keys *k, dp_buf *file)
{
    dp_seen *s;
    assert_int_equal(DP_OK, dp_seen_open(&s, path, 7, 0, NULL));
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(DP_OK, add_keys(s, k, i * KEYS / 8, (i + 1) * KEYS / 8));
    dp_seen_close(s);
    assert_true(dp_temp_read(file, path));
}

static void damaged_seen_sets_do_no_harm(void **state)
{
    (void)state;
    const char *path = dp_temp_write("seen", (dp_str){0});
    dp_buf      good = {0}, bad = {0};
    keys       *k = calloc(1, sizeof *k);
    size_t      refused = 0;
    make_seen(path, k, &good);
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        dp_rng   r = dp_rng_seed(seed);
        dp_error err = {0};
        dp_buf_reset(&bad);
        dp_buf_str(&bad, dp_buf_view(&good));
        write_file(path, damage(&bad, &r));
        dp_err code = use_seen(path, DP_PAGES_FEW, k, &err);
        assert_true(code == DP_OK || code == DP_ESYNTAX);
        refused += code != DP_OK;
    }
    assert_true(refused > CASES * 2 / 5); /* the others hit what nobody reads */
    write_file(path, dp_buf_view(&good));
    assert_int_equal(DP_OK, use_seen(path, DP_PAGES_FEW, k, NULL));
    dp_buf_done(&good);
    dp_buf_done(&bad);
    dp_buf_done(&k->text);
    free(k);
    dp_temp_remove(NULL);
}

/* The same where pages are looked at when they are needed. A page that is free and used at once is not found then: so
 * nothing is added, but looked for. */
static void damaged_pages_are_found_on_the_way(void **state)
{
    (void)state;
    const char *path = dp_temp_write("seen", (dp_str){0});
    dp_buf      good = {0}, bad = {0};
    keys       *k = calloc(1, sizeof *k);
    size_t      refused = 0;
    make_seen(path, k, &good);
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        dp_rng   r = dp_rng_seed(seed);
        dp_seen *s;
        uint64_t count, bytes;
        dp_buf_reset(&bad);
        dp_buf_str(&bad, dp_buf_view(&good));
        write_file(path, damage(&bad, &r));
        dp_err code = open_seen(&s, path, 0, NULL);
        if (code == DP_OK) {
            make_keys(k, 0, KEYS);
            code = dp_seen_has(s, k->text.p, k->at, k->n, 0, k->fresh, NULL);
            if (code == DP_OK)
                code = dp_seen_count(s, &count, &bytes, NULL);
            dp_seen_close(s);
        }
        assert_true(code == DP_OK || code == DP_ESYNTAX);
        refused += code != DP_OK;
    }
    assert_true(refused > CASES * 2 / 5); /* the others hit what nobody reads */
    write_file(path, dp_buf_view(&good));
    assert_int_equal(DP_OK, use_seen(path, 0, k, NULL));
    dp_buf_done(&good);
    dp_buf_done(&bad);
    dp_buf_done(&k->text);
    free(k);
    dp_temp_remove(NULL);
}

/* What LMDB leaves in a file is never taken for damage: many keys, and all of them made anew. */
static void sound_files_stay_sound(void **state)
{
    (void)state;
    const char *rules[] = {"dustpan-rules 1\nhost any\ndrop ?x\n", "dustpan-rules 1\nhost any\n/{**}/ => /{**}\n"};
    const char *path = dp_temp_write("seen", (dp_str){0});
    keys       *k = calloc(1, sizeof *k);
    dp_rng      r = dp_rng_seed(4);
    for (size_t i = 0; i < 60; i++) {
        dp_engine *e = engine_of(rules[i / 7 % 2]);
        dp_seen   *s;
        size_t     from = dp_rng_below(&r, KEYS - 1), n = dp_rng_below(&r, KEYS - from) + 1;
        assert_int_equal(DP_OK, open_seen(&s, path, i % 3 ? DP_PAGES_FEW : 0, NULL));
        assert_int_equal(DP_OK, dp_seen_rekey(s, e, NULL));
        assert_int_equal(DP_OK, add_keys(s, k, from, from + n));
        dp_seen_close(s);
        dp_engine_free(e);
    }
    dp_buf_done(&k->text);
    free(k);
    dp_temp_remove(NULL);
}

/* ---- states ------------------------------------------------------------------------------------------------------ */

static dp_err count_fact(void *ctx, const dp_fact *f)
{
    (void)f;
    ++*(uint64_t *)ctx;
    return DP_OK;
}

static dp_err add_facts(dp_statefile *s, uint64_t from, uint64_t to)
{
    uint64_t total[DP_FACT_COUNTS] = {0};
    bool     known;
    for (uint64_t i = from; i < to; i++) {
        char    url[64];
        dp_fact f = {.kind = DP_FACT_PAGE, .url.p = url};
        f.url.n = (size_t)snprintf(url, sizeof url, "http://a.com/%llx", (unsigned long long)(i * 2654435761u));
        f.host = dp_fact_host(f.url);
        DP_TRY(dp_statefile_add(s, &f, NULL));
    }
    DP_TRY(dp_statefile_known(s, &known, NULL));
    return known ? DP_OK : dp_statefile_commit(s, total, NULL);
}

/* Add to a state, and read it. */
static dp_err use_state(const char *path, bool fresh, uint64_t from, uint64_t to)
{
    dp_statefile *s;
    uint64_t      n = 0;
    DP_TRY(dp_statefile_open(&s, &(dp_state_how){.path = path, .fresh = fresh}, NULL));
    dp_err code = dp_statefile_each(s, count_fact, &n, NULL);
    if (code == DP_OK)
        code = add_facts(s, from, to);
    dp_statefile_close(s);
    return code;
}

static void damaged_states_do_no_harm(void **state)
{
    (void)state;
    const char *path = dp_temp_write("state", (dp_str){0});
    dp_buf      good = {0}, bad = {0};
    size_t      refused = 0;
    for (uint64_t i = 0; i < 4; i++)
        assert_int_equal(DP_OK, use_state(path, i == 2, i * 5000, (i + 1) * 5000));
    assert_true(dp_temp_read(&good, path));
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        dp_rng r = dp_rng_seed(seed);
        dp_buf_reset(&bad);
        dp_buf_str(&bad, dp_buf_view(&good));
        write_file(path, damage(&bad, &r));
        dp_err code = use_state(path, seed % 2, 1, 100);
        assert_true(code == DP_OK || code == DP_ESYNTAX);
        refused += code != DP_OK;
    }
    assert_true(refused > CASES / 3);
    write_file(path, dp_buf_view(&good));
    assert_int_equal(DP_OK, use_state(path, false, 1, 100));
    dp_buf_done(&good);
    dp_buf_done(&bad);
    dp_temp_remove(NULL);
}

/* A byte of a block: zstd has a checksum for it. */
static void a_changed_fact_is_found_out(void **state)
{
    (void)state;
    const char *path = dp_temp_write("state", (dp_str){0});
    dp_buf      file = {0};
    assert_int_equal(DP_OK, use_state(path, false, 0, 2000));
    assert_true(dp_temp_read(&file, path));
    for (size_t i = 0; i + 4 < file.n; i++) {
        if (memcmp(file.p + i, "\x28\xB5\x2F\xFD", 4) == 0) {
            file.p[i + 1000] ^= 1;
            i += 1000;
        }
    }
    write_file(path, dp_buf_view(&file));
    assert_int_equal(DP_ESYNTAX, use_state(path, false, 1, 100));
    dp_buf_done(&file);
    dp_temp_remove(NULL);
}

/* ---- a full disk ------------------------------------------------------------------------------------------------- */

/* What LMDB calls to write: as on a disk that is full, when `full` says so. */
static enum { ROOM, NONE, SOME } full;

static ssize_t write_some(ssize_t n)
{
    errno = ENOSPC;
    return full == NONE ? -1 : n / 2;
}

__attribute__((visibility("default"))) ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
    return full != ROOM ? write_some((ssize_t)n) : (ssize_t)syscall(SYS_pwrite64, fd, p, n, at);
}

__attribute__((visibility("default"))) ssize_t writev(int fd, const struct iovec *v, int n)
{
    return full != ROOM ? write_some(PAGE) : (ssize_t)syscall(SYS_writev, fd, v, n);
}

__attribute__((visibility("default"))) int statvfs(const char *path, struct statvfs *out)
{
    (void)path;
    *out = (struct statvfs){.f_frsize = PAGE, .f_bavail = full == ROOM ? 1 << 20 : 3};
    return 0;
}

static void a_full_disk_is_called_that(void **state)
{
    (void)state;
    const char *path = dp_temp_write("seen", (dp_str){0});
    keys       *k = calloc(1, sizeof *k);
    for (int how = NONE; how <= SOME; how++) {
        dp_seen *s;
        dp_error err = {0};
        full = ROOM;
        assert_int_equal(DP_OK, open_seen(&s, path, 0, &err));
        make_keys(k, 0, KEYS);
        assert_int_equal(DP_OK, dp_seen_add(s, k->text.p, k->at, k->n, 0, k->fresh, &err));
        full = how;
        assert_int_equal(DP_EIO, dp_seen_commit(s, &err));
        assert_non_null(strstr(err.message, "no space left on device"));
        dp_seen_close(s);
        full = ROOM;
        assert_int_equal(DP_OK, open_seen(&s, path, DP_PAGES_FEW, &err)); /* and nothing is lost */
        dp_seen_close(s);
    }
    dp_buf_done(&k->text);
    free(k);
    dp_temp_remove(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_seen_sets_do_no_harm), cmocka_unit_test(damaged_pages_are_found_on_the_way),
        cmocka_unit_test(sound_files_stay_sound),       cmocka_unit_test(damaged_states_do_no_harm),
        cmocka_unit_test(a_changed_fact_is_found_out),  cmocka_unit_test(a_full_disk_is_called_that),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
