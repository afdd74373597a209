/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <bzlib.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/rng.h"
#include "input/bytes/stream.h"
#include "support/failing_alloc.h"
#include "support/tempfile.h"

/* ---- compressed bytes, appended to `out` ------------------------------------------------------ */

static void add_gzip(dp_buf *out, dp_str text)
{
    z_stream z = {0};
    assert_int_equal(Z_OK, deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY));
    size_t room = deflateBound(&z, text.n);
    assert_true(dp_buf_room(out, room));
    z.next_in = (z_const Bytef *)text.p;
    z.avail_in = (uInt)text.n;
    z.next_out = (Bytef *)out->p + out->n;
    z.avail_out = (uInt)room;
    assert_int_equal(Z_STREAM_END, deflate(&z, Z_FINISH));
    out->n += z.total_out;
    deflateEnd(&z);
}

static void add_zstd(dp_buf *out, dp_str text)
{
    size_t room = ZSTD_compressBound(text.n);
    assert_true(dp_buf_room(out, room));
    size_t n = ZSTD_compress(out->p + out->n, room, text.p, text.n, 3);
    assert_false(ZSTD_isError(n));
    out->n += n;
}

static void add_bzip2(dp_buf *out, dp_str text)
{
    unsigned room = (unsigned)text.n + (unsigned)text.n / 50 + 600;
    dp_buf   copy = {0};
    dp_buf_str(&copy, text);
    dp_buf_byte(&copy, 0);
    assert_true(dp_buf_room(out, room));
    assert_int_equal(BZ_OK, BZ2_bzBuffToBuffCompress(out->p + out->n, &room, copy.p, (unsigned)text.n, 1, 0, 0));
    out->n += room;
    dp_buf_done(&copy);
}

static void add_plain(dp_buf *out, dp_str text)
{
    dp_buf_str(out, text);
}

static const struct {
    const char *name;
    void (*add)(dp_buf *out, dp_str text);
} formats[] = {{"plain", add_plain}, {"gzip", add_gzip}, {"zstd", add_zstd}, {"bzip2", add_bzip2}};

enum { PLAIN, GZIP, ZSTD, BZIP2, FORMATS };

/* Some text that compresses, but not to nothing. */
static dp_buf some_text(uint64_t seed, size_t n)
{
    dp_rng r = dp_rng_seed(seed);
    dp_buf b = {0};
    while (b.n < n)
        dp_buf_printf(&b, "http://a.com/%u\n", (unsigned)dp_rng_below(&r, 1000000));
    return b;
}

/* ---- reading ------------------------------------------------------------------------------------ */

/* Read all in pieces of `piece` bytes; what came before an error is in `out`, too. */
static dp_err read_all(dp_buf *out, const char *path, size_t piece, dp_error *err)
{
    dp_stream *s;
    char      *bytes = malloc(piece);
    dp_err     code = bytes ? dp_stream_open(&s, path, err) : DP_ENOMEM;
    if (code == DP_OK) {
        size_t n = 1;
        while (code == DP_OK && n) {
            code = dp_stream_read(s, bytes, piece, &n, err);
            dp_buf_add(out, bytes, n);
        }
        if (code == DP_OK) /* the end stays the end */
            assert_true(dp_stream_read(s, bytes, piece, &n, err) == DP_OK && n == 0);
        dp_stream_close(s);
    }
    free(bytes);
    return code;
}

static void reads_every_format_by_content(void **state)
{
    (void)state;
    static const size_t pieces[] = {1, 7, 4096, 1 << 20};
    dp_buf              text = some_text(1, 700000);
    for (size_t f = 0; f < FORMATS; f++) {
        dp_buf packed = {0};
        formats[f].add(&packed, dp_buf_view(&text));
        const char *path = dp_temp_write(formats[f].name, dp_buf_view(&packed));
        for (size_t i = 0; i < DP_COUNT(pieces); i++) {
            dp_buf   got = {0};
            dp_error err = {0};
            assert_int_equal(DP_OK, read_all(&got, path, pieces[i], &err));
            assert_true(dp_str_eq(dp_buf_view(&text), dp_buf_view(&got)));
            dp_buf_done(&got);
        }
        dp_buf_done(&packed);
    }
    dp_buf_done(&text);
}

static void joins_members_frames_and_streams(void **state)
{
    (void)state;
    static const char *const parts[] = {"one\n", "", "two\n", "three\n", ""};
    for (size_t f = GZIP; f < FORMATS; f++) {
        dp_buf packed = {0}, got = {0};
        for (size_t i = 0; i < DP_COUNT(parts); i++)
            formats[f].add(&packed, dp_str_c(parts[i]));
        assert_int_equal(DP_OK, read_all(&got, dp_temp_write(formats[f].name, dp_buf_view(&packed)), 5, NULL));
        assert_true(dp_str_eq(DP_STR("one\ntwo\nthree\n"), dp_buf_view(&got)));
        dp_buf_done(&packed);
        dp_buf_done(&got);
    }
}

static void nothing_is_nothing_in_every_format(void **state)
{
    (void)state;
    for (size_t f = 0; f < FORMATS; f++) {
        dp_buf packed = {0}, got = {0};
        formats[f].add(&packed, DP_STR(""));
        assert_int_equal(DP_OK, read_all(&got, dp_temp_write(formats[f].name, dp_buf_view(&packed)), 100, NULL));
        assert_int_equal(0, got.n);
        dp_buf_done(&packed);
        dp_buf_done(&got);
    }
}

/* Text that begins like a compressed format, but is none, is text. */
static void what_only_begins_like_a_format_is_plain(void **state)
{
    (void)state;
    static const char *const texts[] = {"\x1f", "BZh", "BZh9 is not bzip2\n", "\x28\xb5\x2f", "P*M", "P", "B"};
    for (size_t i = 0; i < DP_COUNT(texts); i++) {
        dp_buf got = {0};
        assert_int_equal(DP_OK, read_all(&got, dp_temp_write("text", dp_str_c(texts[i])), 100, NULL));
        assert_true(dp_str_eq(dp_str_c(texts[i]), dp_buf_view(&got)));
        dp_buf_done(&got);
    }
}

/* Cut anywhere, an error comes after as much as could be read; nothing wrong is given. */
static void truncated_data_is_an_error_after_what_was_there(void **state)
{
    (void)state;
    dp_buf text = some_text(2, 3000);
    for (size_t f = GZIP; f < FORMATS; f++) {
        dp_buf packed = {0};
        formats[f].add(&packed, dp_buf_view(&text));
        for (size_t n = 10; n < packed.n; n += packed.n / 40 + 1) {
            dp_buf   got = {0};
            dp_error err = {0};
            dp_err   code = read_all(&got, dp_temp_write("cut", (dp_str){packed.p, n}), 512, &err);
            assert_int_equal(DP_ESYNTAX, code);
            assert_true(dp_str_starts(dp_buf_view(&text), dp_buf_view(&got)));
            assert_non_null(strstr(err.message, "cannot decompress"));
            assert_non_null(strstr(err.message, "the data ends too early"));
            assert_non_null(strstr(err.file, "/cut"));
            dp_buf_done(&got);
            dp_temp_remove(NULL);
        }
        dp_buf_done(&packed);
    }
    dp_buf_done(&text);
}

static void garbage_after_the_end_is_an_error(void **state)
{
    (void)state;
    for (size_t f = GZIP; f < FORMATS; f++) {
        dp_buf   packed = {0}, got = {0};
        dp_error err = {0};
        formats[f].add(&packed, DP_STR("one\n"));
        dp_buf_c(&packed, "two, not compressed at all\n");
        assert_int_equal(DP_ESYNTAX, read_all(&got, dp_temp_write(formats[f].name, dp_buf_view(&packed)), 100, &err));
        assert_true(dp_str_eq(DP_STR("one\n"), dp_buf_view(&got)));
        dp_buf_done(&packed);
        dp_buf_done(&got);
    }
}

static void changed_bytes_are_an_error(void **state)
{
    (void)state;
    dp_buf text = some_text(3, 20000);
    for (size_t f = GZIP; f < FORMATS; f++) {
        dp_buf   packed = {0}, got = {0};
        dp_error err = {0};
        formats[f].add(&packed, dp_buf_view(&text));
        for (size_t i = packed.n / 2; i < packed.n / 2 + 50; i++)
            packed.p[i] = (char)~packed.p[i];
        assert_int_equal(DP_ESYNTAX, read_all(&got, dp_temp_write(formats[f].name, dp_buf_view(&packed)), 4096, &err));
        assert_non_null(strstr(err.message, formats[f].name));
        dp_buf_done(&packed);
        dp_buf_done(&got);
    }
    dp_buf_done(&text);
}

static void says_what_cannot_be_opened(void **state)
{
    (void)state;
    dp_stream *s;
    dp_error   err;
    assert_int_equal(DP_EIO, dp_stream_open(&s, "/nowhere", &err));
    assert_string_equal("/nowhere", err.file);
    assert_string_equal("cannot open: No such file or directory", err.message);
    assert_int_equal(DP_EIO, dp_stream_open(&s, "/tmp", &err));
    assert_string_equal("is a directory", err.message);
}

/* A pipe that holds a few bytes is not waited on for more. */
static void gives_what_is_there(void **state)
{
    (void)state;
    int        ends[2], old = dup(STDIN_FILENO);
    char       bytes[100];
    size_t     n;
    dp_stream *s;
    assert_int_equal(0, pipe(ends));
    assert_int_equal(STDIN_FILENO, dup2(ends[0], STDIN_FILENO));
    assert_int_equal(2, write(ends[1], "a\n", 2));
    assert_int_equal(DP_OK, dp_stream_open(&s, "-", NULL));
    assert_int_equal(DP_OK, dp_stream_read(s, bytes, sizeof bytes, &n, NULL));
    assert_int_equal(2, n);
    assert_int_equal(3, write(ends[1], "bc\n", 3));
    assert_int_equal(DP_OK, dp_stream_read(s, bytes, sizeof bytes, &n, NULL));
    assert_int_equal(3, n);
    close(ends[1]);
    assert_int_equal(DP_OK, dp_stream_read(s, bytes, sizeof bytes, &n, NULL));
    assert_int_equal(0, n);
    dp_stream_close(s);
    dup2(old, STDIN_FILENO);
    close(old);
    close(ends[0]);
}

static void knows_how_far_it_is(void **state)
{
    (void)state;
    dp_buf     text = some_text(4, 100000), packed = {0}, got = {0};
    dp_stream *s;
    char       bytes[1000];
    size_t     n;
    add_gzip(&packed, dp_buf_view(&text));
    assert_int_equal(DP_OK, dp_stream_open(&s, dp_temp_write("a", dp_buf_view(&packed)), NULL));
    assert_int_equal(0, dp_stream_done(s));
    assert_int_equal(DP_OK, dp_stream_read(s, bytes, sizeof bytes, &n, NULL));
    assert_in_range(dp_stream_done(s), 1, packed.n);
    while (n)
        assert_int_equal(DP_OK, dp_stream_read(s, bytes, sizeof bytes, &n, NULL));
    assert_int_equal(packed.n, dp_stream_done(s));
    dp_stream_close(s);
    dp_buf_done(&text);
    dp_buf_done(&packed);
    dp_buf_done(&got);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    for (size_t f = 0; f < FORMATS; f++) {
        dp_buf packed = {0};
        formats[f].add(&packed, DP_STR("one\n"));
        const char *path = dp_temp_write(formats[f].name, dp_buf_view(&packed));
        DP_EVERY_ALLOC_FAILURE
        {
            char       bytes[100];
            size_t     n = 0;
            dp_stream *s = NULL;
            dp_err     code = dp_stream_open(&s, path, NULL);
            if (code == DP_OK)
                code = dp_stream_read(s, bytes, sizeof bytes, &n, NULL);
            assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
            dp_stream_close(s);
        }
        dp_buf_done(&packed);
    }
}

static void a_look_at_the_head_changes_nothing(void **state)
{
    (void)state;
    dp_buf text = some_text(9, 300000);
    for (size_t f = 0; f < FORMATS; f++) {
        static const size_t wants[] = {1, 100, 65536, 1 << 20};
        for (size_t i = 0; i < DP_COUNT(wants) * 2; i++) {
            dp_buf     packed = {0}, got = {0};
            dp_stream *s;
            dp_str     head, again;
            char       bytes[5000];
            size_t     n = 1;
            formats[f].add(&packed, dp_buf_view(&text));
            assert_int_equal(DP_OK, dp_stream_open(&s, dp_temp_write(formats[f].name, dp_buf_view(&packed)), NULL));
            assert_int_equal(DP_OK, dp_stream_peek(s, wants[i / 2], i % 2, &head, NULL));
            assert_true(head.n > 0 && head.n <= wants[i / 2] && dp_str_starts(dp_buf_view(&text), head));
            assert_true(i % 2 || head.n == (wants[i / 2] < text.n ? wants[i / 2] : text.n));
            assert_int_equal(DP_OK, dp_stream_peek(s, wants[i / 2], i % 2, &again, NULL));
            while (n) {
                assert_int_equal(DP_OK, dp_stream_read(s, bytes, sizeof bytes, &n, NULL));
                dp_buf_add(&got, bytes, n);
            }
            assert_true(dp_str_eq(dp_buf_view(&text), dp_buf_view(&got)));
            dp_stream_close(s);
            dp_buf_done(&packed);
            dp_buf_done(&got);
            dp_temp_remove(NULL);
        }
    }
    dp_buf_done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(reads_every_format_by_content, dp_temp_remove),
        cmocka_unit_test_teardown(a_look_at_the_head_changes_nothing, dp_temp_remove),
        cmocka_unit_test_teardown(joins_members_frames_and_streams, dp_temp_remove),
        cmocka_unit_test_teardown(nothing_is_nothing_in_every_format, dp_temp_remove),
        cmocka_unit_test_teardown(what_only_begins_like_a_format_is_plain, dp_temp_remove),
        cmocka_unit_test_teardown(truncated_data_is_an_error_after_what_was_there, dp_temp_remove),
        cmocka_unit_test_teardown(garbage_after_the_end_is_an_error, dp_temp_remove),
        cmocka_unit_test_teardown(changed_bytes_are_an_error, dp_temp_remove),
        cmocka_unit_test(says_what_cannot_be_opened),
        cmocka_unit_test(gives_what_is_there),
        cmocka_unit_test_teardown(knows_how_far_it_is, dp_temp_remove),
        cmocka_unit_test_teardown(survives_every_allocation_failure, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
