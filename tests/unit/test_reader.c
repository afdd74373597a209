/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "support/packed.h"
#include "support/recordcases.h"
#include "support/tempfile.h"

/* One text a format, as short as it can be. */
static const struct { const char *format, *text;
} formats[] = {
    {"urls", "http://a.com/\nhttp://b.com/\n"},
    {"tsv", "1\thttp://a.com/\n"},
    {"jsonl", "{\"url\":\"http://a.com/\"}\n"},
    {"clf", "h1 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 1\n"},
    {"combined", "h1 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 1 \"-\" \"x\"\n"},
    {"w3c", "#Fields: cs-uri-stem\n/a\n"},
    {"cdx", " CDX a\nhttp://a.com/\n"},
    {"cdx", "k 20140126200624 http://a.com/ text/html 200 D - - 17 0 f\n"},
    {"cdxj", "com,a)/ 20140126200624 {\"url\":\"http://a.com/\"}\n"},
    {"crawllog", "2006-07-07T14:32:16.252Z 200 1 http://a.dk/ - - text/html #009 - - - -\n"},
    {"warc", "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.com/\r\nContent-Length: 19\r\n\r\nHTTP/1.1 "
             "200 OK\r\n\r\n\r\n\r\n"},
    {"wat",
     "WARC/1.0\r\nWARC-Type: metadata\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"Envelope\":{"
     "\"WARC-Header-Metadata\":{\"WARC-Type\":\"response\",\"WARC-Target-URI\":\"http://a.com/\"}}}\r\n\r\n"},
};

static void recognises_every_format_by_content(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(formats); i++) {
        for (int packed = 0; packed < 3; packed++) {
            dp_buf     bytes = {0};
            dp_reader *r;
            dp_record  rec;
            bool       more;
            if (packed == 0)
                dp_buf_c(&bytes, formats[i].text);
            else if (packed == 1)
                packed_add(&bytes, dp_str_c(formats[i].text), 31);
            else
                packed_add_zstd(&bytes, dp_str_c(formats[i].text));
            const char *path = dp_temp_write("text", dp_buf_view(&bytes));
            const char *guess;
            assert_int_equal(DP_OK, dp_reader_guess(&guess, dp_str_c(formats[i].text), false));
            assert_string_equal(formats[i].format, guess);
            assert_int_equal(DP_OK,
                             dp_reader_open(&r, &path, 1, &(dp_reader_options){.base_url = "http://a.com"}, NULL));
            assert_string_equal(formats[i].format, dp_reader_format(r));
            assert_int_equal(DP_OK, dp_reader_next(r, &rec, &more, NULL));
            assert_true(more && rec.url.n && rec.path == path && rec.line >= 1);
            assert_true(dp_reader_seen(r) & 1u << DP_FIELD_URL);
            assert_true(dp_reader_done(r) > 0 && dp_reader_done(r) <= dp_reader_total(r));
            dp_reader_close(r);
            dp_buf_done(&bytes);
            dp_temp_remove(NULL);
        }
    }
}

static void each_file_has_its_own_format(void **state)
{
    (void)state;
    const char *paths[16];
    dp_buf      got = {0};
    size_t      n = 0;
    for (size_t i = 0; i < DP_COUNT(formats); i++) {
        char name[16];
        snprintf(name, sizeof name, "f%zu", i);
        paths[n++] = dp_temp_write(name, dp_str_c(formats[i].text));
    }
    dp_reader *r;
    dp_record  rec;
    bool       more;
    size_t     at = 0, records = 0;
    assert_int_equal(DP_OK, dp_reader_open(&r, paths, n, &(dp_reader_options){.base_url = "http://a.com"}, NULL));
    for (; dp_reader_next(r, &rec, &more, NULL) == DP_OK && more; records++) {
        while (paths[at] != rec.path)
            at++;
        assert_true(at < n);
        assert_string_equal(formats[at].format, dp_reader_format(r));
    }
    assert_int_equal(n + 1, records);
    assert_int_equal(0, dp_reader_bad(r));
    assert_string_equal("", dp_reader_format(r));
    dp_reader_close(r);
    dp_buf_done(&got);
}

static void what_breaks_is_used_up_to_there(void **state)
{
    (void)state;
    dp_buf text = {0}, packed = {0};
    for (int i = 0; i < 20000; i++)
        dp_buf_printf(&text, "http://a.com/%d\n", i * 7919 % 20011);
    packed_add(&packed, dp_buf_view(&text), 31);
    const char *paths[] = {dp_temp_write("cut", (dp_str){packed.p, packed.n / 2}),
                           dp_temp_write("whole", DP_STR("http://b.com/\n")),
                           dp_temp_write("begin", (dp_str){packed.p, 5})};
    dp_reader  *r;
    dp_record   rec;
    dp_error    err = {0};
    bool        more;
    size_t      n = 0;
    bool        last = false;
    assert_int_equal(DP_OK, dp_reader_open(&r, paths, 3, &(dp_reader_options){0}, &err));
    for (; dp_reader_next(r, &rec, &more, &err) == DP_OK && more; n++)
        last = dp_str_eq(rec.url, DP_STR("http://b.com/"));
    assert_true(n > 5000 && n < 20000 && last);
    assert_int_equal(2, dp_reader_bad(r));
    assert_true(dp_reader_bad_line(r, 0, &err));
    assert_string_equal("cannot decompress gzip: the data ends too early; everything before it is used", err.message);
    assert_string_equal(paths[0], err.file);
    assert_int_equal(n, err.line); /* those before it, and the one of the other file */
    assert_true(dp_reader_bad_line(r, 1, &err) && strcmp(paths[2], err.file) == 0);
    assert_false(dp_reader_bad_line(r, 2, &err));
    dp_reader_close(r);
    /* With strict that is an error. */
    assert_int_equal(DP_OK, dp_reader_open(&r, paths, 1, &(dp_reader_options){.strict = true}, &err));
    dp_err code;
    while ((code = dp_reader_next(r, &rec, &more, &err)) == DP_OK && more) {}
    assert_int_equal(DP_ESYNTAX, code);
    assert_int_equal(DP_ESYNTAX, err.code);
    dp_reader_close(r);
    dp_buf_done(&text);
    dp_buf_done(&packed);
}

static void says_what_it_cannot_open(void **state)
{
    (void)state;
    const char *paths[] = {dp_temp_write("a", DP_STR("http://a.com/\n")), "/nowhere"};
    dp_reader  *r = NULL;
    dp_record   rec;
    bool        more;
    dp_error    err = {0};
    assert_int_equal(DP_EIO, dp_reader_open(&r, paths + 1, 1, &(dp_reader_options){0}, &err));
    assert_string_equal("/nowhere", err.file);
    assert_int_equal(DP_OK, dp_reader_open(&r, paths, 2, &(dp_reader_options){0}, &err));
    assert_int_equal(DP_OK, dp_reader_next(r, &rec, &more, &err));
    assert_true(more);
    assert_int_equal(DP_EIO, dp_reader_next(r, &rec, &more, &err));
    dp_reader_close(r);
    assert_int_equal(DP_EINVALID, dp_reader_open(&r, paths, 1, &(dp_reader_options){.format = "combind"}, &err));
    assert_string_equal("unknown format 'combind' (did you mean 'combined'?)", err.message);
    assert_int_equal(DP_EINVALID, dp_reader_open(&r, paths, 1, &(dp_reader_options){.format = "log-format"}, &err));
    assert_int_equal(DP_EINVALID, dp_reader_open(&r, paths, 1, &(dp_reader_options){.format = "bananas"}, &err));
    assert_string_equal(
        "unknown format 'bananas': expected one of wat warc w3c jsonl cdxj cdx crawllog alb combined clf csv tsv "
        "clusters pairs list urls",
        err.message);
}

static void keeps_the_first_few_bad_lines(void **state)
{
    (void)state;
    dp_buf text = {0};
    for (int i = 0; i < 20; i++)
        dp_buf_c(&text, "url\tx\n");
    const char *path = dp_temp_write("text", dp_buf_view(&text));
    dp_reader  *r;
    dp_record   rec;
    bool        more = true;
    dp_error    err;
    size_t      i;
    dp_buf_done(&text);
    text = (dp_buf){0};
    dp_buf_c(&text, "url\tstatus\nhttp://a.com/\t200\n");
    for (i = 0; i < 20; i++)
        dp_buf_printf(&text, "http://a.com/\tx%zu\n", i);
    path = dp_temp_write("text", dp_buf_view(&text));
    assert_int_equal(DP_OK, dp_reader_open(&r, &path, 1, &(dp_reader_options){0}, NULL));
    while (more)
        assert_int_equal(DP_OK, dp_reader_next(r, &rec, &more, NULL));
    assert_int_equal(20, dp_reader_bad(r));
    for (i = 0; dp_reader_bad_line(r, i, &err); i++)
        assert_int_equal(i + 3, err.line);
    assert_int_equal(5, i);
    dp_reader_close(r);
    dp_buf_done(&text);
}

static void eager_readers_wait_for_one_line(void **state)
{
    (void)state;
    int         ends[2], old = dup(STDIN_FILENO);
    const char *path = "-";
    dp_reader  *r;
    dp_record   rec;
    bool        more;
    assert_int_equal(0, pipe(ends));
    assert_int_equal(STDIN_FILENO, dup2(ends[0], STDIN_FILENO));
    assert_int_equal(14, write(ends[1], "http://a.com/\n", 14));
    assert_int_equal(DP_OK, dp_reader_open(&r, &path, 1, &(dp_reader_options){.eager = true}, NULL));
    assert_int_equal(DP_OK, dp_reader_next(r, &rec, &more, NULL));
    assert_true(dp_str_eq(DP_STR("http://a.com/"), rec.url));
    assert_int_equal(14, write(ends[1], "http://b.com/\n", 14));
    assert_int_equal(DP_OK, dp_reader_next(r, &rec, &more, NULL));
    assert_true(dp_str_eq(DP_STR("http://b.com/"), rec.url));
    close(ends[1]);
    assert_int_equal(DP_OK, dp_reader_next(r, &rec, &more, NULL));
    assert_false(more);
    dp_reader_close(r);
    dup2(old, STDIN_FILENO);
    close(old);
    close(ends[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(recognises_every_format_by_content, dp_temp_remove),
        cmocka_unit_test_teardown(each_file_has_its_own_format, dp_temp_remove),
        cmocka_unit_test_teardown(what_breaks_is_used_up_to_there, dp_temp_remove),
        cmocka_unit_test_teardown(says_what_it_cannot_open, dp_temp_remove),
        cmocka_unit_test_teardown(keeps_the_first_few_bad_lines, dp_temp_remove),
        cmocka_unit_test(eager_readers_wait_for_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
