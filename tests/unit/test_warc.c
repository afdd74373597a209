/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/packed.h"
#include "support/recordcases.h"
#include "support/tempfile.h"

#define RESPONSE(url) \
    "WARC-Type: response\r\nWARC-Target-URI: " url "\r\nWARC-Date: 2015-05-17T10:05:03Z\r\n" \
    "Content-Type: application/http; msgtype=response\r\nWARC-Payload-Digest: sha1:AB\r\n"
#define OK "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
#define ONE "status=200 size=4 digest=AB time=1431857103 mime=text/html"

static void add(dp_buf *out, const char *header, const char *block)
{
    packed_add_warc(out, "1.0", header, dp_str_c(block));
}

static void assert_read(const dp_buf *text, const char *want, const dp_reader_options *o)
{
    for (int way = RECORD_FILE; way <= RECORD_PIECES; way++) {
        dp_buf got = {0};
        if (way == RECORD_PIECES && text->n > 1500)
            continue;
        assert_int_equal(DP_OK, record_text(&got, (record_way)way, dp_buf_view(text), o));
        dp_buf_byte(&got, 0);
        if (strcmp(want, got.p) != 0)
            print_message("way %d, want:\n%s\ngot:\n%s\n", way, want, got.p);
        assert_string_equal(want, got.p);
        dp_buf_done(&got);
    }
}

static void reads_responses_and_revisits(void **state)
{
    (void)state;
    static const char *const versions[] = {"0.17", "0.18", "1.0", "1.1"};
    for (size_t i = 0; i < DP_COUNT(versions); i++) {
        dp_buf text = {0};
        packed_add_warc(&text, versions[i], "WARC-Type: warcinfo\r\n", DP_STR("software: x\r\n"));
        packed_add_warc(&text, versions[i], "WARC-Type: response\r\nWARC-Target-URI: dns:a.com\r\n",
                        DP_STR("20150517\n"));
        packed_add_warc(&text, versions[i], RESPONSE("http://a.com/"), DP_STR(OK "body"));
        packed_add_warc(&text, versions[i], "WARC-Type: request\r\nWARC-Target-URI: http://a.com/\r\n",
                        DP_STR("GET / HTTP/1.0\r\n\r\n"));
        packed_add_warc(&text, versions[i], "warc-type: response\r\nWARC-Target-URI: <http://b.com/>\r\n",
                        DP_STR("HTTP/1.1 302 Found\r\nLocation: http://c.com/\r\n\r\n"));
        packed_add_warc(&text, versions[i],
                        "WARC-Type: revisit\r\nWARC-Target-URI: http://a.com/2\r\nWARC-Payload-Digest: sha1:AB\r\n",
                        DP_STR("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"));
        packed_add_warc(&text, versions[i], "WARC-Type: revisit\r\nWARC-Target-URI: http://a.com/3\r\n", DP_STR(""));
        assert_read(&text,
                    "warc\nurl=http://a.com/ " ONE "\nurl=http://b.com/ status=302 size=0 target=http://c.com/\n"
                    "url=http://a.com/2 status=200 digest=AB mime=text/html\nurl=http://a.com/3\n",
                    &(dp_reader_options){0});
        dp_buf_done(&text);
    }
}

static void decodes_bodies_when_asked(void **state)
{
    (void)state;
    dp_buf text = {0}, block = {0};
    add(&text, RESPONSE("http://a.com/1"), OK "body");
    add(&text, RESPONSE("http://a.com/2"),
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n");
    dp_buf_c(&block, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n");
    packed_add(&block, DP_STR("body"), 31);
    packed_add_warc(&text, "1.0", RESPONSE("http://a.com/3"), dp_buf_view(&block));
    assert_read(&text,
                "warc\nurl=http://a.com/1 " ONE " body=body\n"
                "url=http://a.com/2 status=200 size=14 digest=AB time=1431857103 body=body\n"
                "url=http://a.com/3 status=200 size=24 digest=AB time=1431857103 body=body\n",
                &(dp_reader_options){.want_body = true});
    dp_buf_done(&text);
    dp_buf_done(&block);
}

static void is_read_packed_as_a_whole_and_by_record(void **state)
{
    (void)state;
    for (int whole = 0; whole < 2; whole++) {
        dp_buf text = {0}, packed = {0};
        for (int i = 0; i < 3; i++) {
            add(&text, RESPONSE("http://a.com/"), OK "body");
            if (!whole) {
                packed_add(&packed, dp_buf_view(&text), 31);
                dp_buf_reset(&text);
            }
        }
        if (whole)
            packed_add(&packed, dp_buf_view(&text), 31);
        assert_read(&packed, "warc\nurl=http://a.com/ " ONE "\nurl=http://a.com/ " ONE "\nurl=http://a.com/ " ONE "\n",
                    &(dp_reader_options){0});
        dp_buf_done(&text);
        dp_buf_done(&packed);
    }
}

/* ---- what is wrong in it ---------------------------------------------------------------------------- */

static void a_wrong_length_costs_one_record(void **state)
{
    (void)state;
    static const struct { const char *header, *block, *why;
    } cases[] = {
        {"Content-Length: 3\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\nx",
         "its length is wrong: no record begins after 3 bytes"},
        {"Content-Length: 30\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\nx",
         "its length is wrong: no record begins after 30 bytes"},
        {"Content-Length: 5000\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\nx",
         "the record is cut short, or its length is wrong: 290 bytes of 5000"},
        {"Content-Length: x\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\nx", "Content-Length is missing or not a number: 'x'"},
        {"\r\n", "x", "Content-Length is missing or not a number: ''"},
        {"Content-Length: 12\r\n\r\n", "no HTTP here", "the response has no HTTP status line"},
    };
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_buf text = {0};
        char   want[512];
        add(&text, RESPONSE("http://a.com/1"), OK "body");
        dp_buf_printf(&text, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.com/2\r\n%s%s\r\n\r\n",
                      cases[i].header, cases[i].block);
        add(&text, RESPONSE("http://a.com/3"), OK "body");
        snprintf(want, sizeof want, "warc\nurl=http://a.com/1 " ONE "\nurl=http://a.com/3 " ONE "\nbad 2: %s\n",
                 cases[i].why);
        assert_read(&text, want, &(dp_reader_options){0});
        dp_buf_done(&text);
    }
}

static void garbage_between_records_is_passed_over(void **state)
{
    (void)state;
    dp_buf text = {0};
    add(&text, RESPONSE("http://a.com/1"), OK "body");
    dp_buf_c(
        &text,
        "\n\nWARC/\nmuch more garbage WARC/1.0 and more, a long line of it that is longer than what is looked at\n");
    add(&text, RESPONSE("http://a.com/2"), OK "body");
    dp_buf_c(&text, "garbage at the end");
    assert_read(&text,
                "warc\nurl=http://a.com/1 " ONE "\nurl=http://a.com/2 " ONE "\n"
                "bad 2: expected a record beginning with WARC/, found 'WARC/'\n"
                "bad 4: expected a record beginning with WARC/, found 'garbage at the end'\n",
                &(dp_reader_options){0});
    dp_buf_done(&text);
}

static void a_record_that_is_cut_is_bad(void **state)
{
    (void)state;
    dp_buf text = {0};
    add(&text, RESPONSE("http://a.com/1"), OK "body");
    add(&text, RESPONSE("http://a.com/2"), OK "body");
    text.n -= 6;
    assert_read(&text,
                "warc\nurl=http://a.com/1 " ONE
                "\nbad 2: the record is cut short, or its length is wrong: 61 bytes of 63\n",
                &(dp_reader_options){0});
    text.n -= 80;
    assert_read(&text, "warc\nurl=http://a.com/1 " ONE "\nbad 2: the record's header does not end\n",
                &(dp_reader_options){0});
    dp_buf_done(&text);
}

static void a_broken_member_costs_one_record(void **state)
{
    (void)state;
    dp_buf text = {0}, packed = {0};
    size_t begin[4], also_lost = 0;
    for (int i = 0; i < 3; i++) {
        dp_buf_reset(&text);
        add(&text,
            i == 0   ? RESPONSE("http://a.com/1")
            : i == 1 ? RESPONSE("http://a.com/2")
                     : RESPONSE("http://a.com/3"),
            OK "body");
        begin[i] = packed.n;
        packed_add(&packed, dp_buf_view(&text), 31);
    }
    begin[3] = packed.n;
    /* Each byte of the second member, in turn. */
    for (size_t at = begin[1] + 10; at < begin[2] - 8; at++) {
        dp_buf      got = {0};
        static char bytes[4096];
        memcpy(bytes, packed.p, packed.n);
        bytes[at] = (char)~bytes[at];
        assert_int_equal(DP_OK, record_text(&got, RECORD_FILE, (dp_str){bytes, packed.n}, &(dp_reader_options){0}));
        dp_buf_byte(&got, 0);
        assert_non_null(strstr(got.p, "url=http://a.com/1 " ONE "\n"));
        assert_non_null(strstr(got.p, "bad "));
        also_lost += !strstr(got.p, "url=http://a.com/3 " ONE "\n");
        dp_buf_done(&got);
    }
    assert_int_equal(0, also_lost); /* even where the end of the second is not seen, and zlib reads on */
    /* The end is missing: what came before is used, and the loss is said once. */
    packed.n = begin[3] - 20;
    assert_read(&packed,
                "warc\nurl=http://a.com/1 " ONE "\nurl=http://a.com/2 " ONE "\n"
                "bad 3: cannot decompress gzip: the data ends too early; everything before it is used\n",
                &(dp_reader_options){0});
    dp_buf_done(&text);
    dp_buf_done(&packed);
}

static void big_blocks_are_passed_over(void **state)
{
    (void)state;
    enum { BIG = 40 << 20 };
    dp_buf text = {0}, got = {0};
    dp_buf_printf(&text, "WARC/1.0\r\n%sContent-Length: %d\r\n\r\n" OK, RESPONSE("http://a.com/big"),
                  BIG + (int)sizeof OK - 1);
    assert_true(dp_buf_room(&text, BIG));
    memset(text.p + text.n, 'x', BIG);
    text.n += BIG;
    dp_buf_c(&text, "\r\n\r\n");
    add(&text, RESPONSE("http://a.com/"), OK "body");
    assert_int_equal(DP_OK,
                     record_text(&got, RECORD_FILE, dp_buf_view(&text), &(dp_reader_options){.want_body = true}));
    dp_buf_byte(&got, 0);
    assert_string_equal("warc\nurl=http://a.com/big status=200 digest=AB time=1431857103 mime=text/html\n"
                        "url=http://a.com/ " ONE " body=body\n",
                        got.p);
    text.n = 41 << 20; /* cut inside of the big one */
    text.n -= 2 << 20;
    dp_buf_reset(&got);
    assert_int_equal(DP_OK, record_text(&got, RECORD_FILE, dp_buf_view(&text), &(dp_reader_options){0}));
    dp_buf_byte(&got, 0);
    assert_non_null(strstr(got.p, "bad 2: the record before is cut short, or its length is wrong: "));
    dp_buf_done(&text);
    dp_buf_done(&got);
}

static void what_is_no_archive_is_refused(void **state)
{
    (void)state;
    static const record_case cases[] = {
        {"http://a.com/\n",
         "error: not a WARC archive: it begins with lines like 'http://a.com/'; it looks like a list of URLs (--format "
         "urls)\n",
         {.format = "warc"}},
        {"WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n", "warc\n", {.format = "warc"}},
    };
    record_cases(cases, DP_COUNT(cases));
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    dp_buf text = {0};
    add(&text, RESPONSE("http://a.com/"),
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n");
    record_survives(dp_buf_view(&text), &(dp_reader_options){.want_body = true});
    dp_buf_done(&text);
}

static void takes_no_memory_a_record(void **state)
{
    (void)state;
    dp_buf text = {0};
    add(&text, RESPONSE("http://a.com/"),
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n");
    record_takes_no_memory(dp_buf_view(&text), 3000, &(dp_reader_options){.want_body = true});
    dp_buf_done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_responses_and_revisits),
        cmocka_unit_test(decodes_bodies_when_asked),
        cmocka_unit_test(is_read_packed_as_a_whole_and_by_record),
        cmocka_unit_test(a_wrong_length_costs_one_record),
        cmocka_unit_test(garbage_between_records_is_passed_over),
        cmocka_unit_test(a_record_that_is_cut_is_bad),
        cmocka_unit_test(a_broken_member_costs_one_record),
        cmocka_unit_test(big_blocks_are_passed_over),
        cmocka_unit_test(what_is_no_archive_is_refused),
        cmocka_unit_test_teardown(takes_no_memory_a_record, dp_temp_remove),
        cmocka_unit_test_teardown(survives_every_allocation_failure, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
