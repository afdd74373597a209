/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "input/format/http.h"
#include "support/failing_alloc.h"
#include "support/packed.h"

static void splits_header_and_body(void **state)
{
    (void)state;
    static const struct { const char *text; int status; const char *header, *body; } cases[] = {
        {"HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody", 200, "HTTP/1.1 200 OK\r\nA: b\r\n\r\n", "body"},
        {"HTTP/1.0 404 Not Found\nA: b\n\nbody\n\n", 404, "HTTP/1.0 404 Not Found\nA: b\n\n", "body\n\n"},
        {"HTTP/1.1 302\r\n\r\n", 302, "HTTP/1.1 302\r\n\r\n", ""},
        {"HTTP/1.1 200 OK\r\nA: b\r\n", 200, "HTTP/1.1 200 OK\r\nA: b\r\n", ""}, /* cut in the header */
        {"HTTP/1.1 200", 200, "HTTP/1.1 200", ""},
        {"HTTP/2 200 \r\n\r\nx", 200, "HTTP/2 200 \r\n\r\n", "x"},
        {"HTTP/1.1 20", 0, NULL, NULL},
        {"HTTP/1.1\r\n\r\n", 0, NULL, NULL},
        {"ICY 200 OK\r\n\r\n", 0, NULL, NULL},
        {"", 0, NULL, NULL},
    };
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_response r;
        assert_int_equal(cases[i].status != 0, dp_response_split(&r, dp_str_c(cases[i].text)));
        if (!cases[i].status)
            continue;
        assert_int_equal(cases[i].status, r.status);
        assert_true(dp_str_eq(dp_str_c(cases[i].header), r.header));
        assert_true(dp_str_eq(dp_str_c(cases[i].body), r.body));
    }
}

static void finds_fields(void **state)
{
    (void)state;
    dp_str header = DP_STR("HTTP/1.1 200 OK\r\nContent-TYPE:text/html ; charset=x \r\nEmpty:\r\nX: 1\nx: 2\r\nLast: 3");
    static const struct { const char *name, *want;
    } cases[] = {
        {"content-type", "text/html ; charset=x"},
        {"empty", ""},
        {"x", "1"},
        {"last", "3"},
        {"conten", ""},
        {"http/1.1 200 ok", ""},
    };
    for (size_t i = 0; i < DP_COUNT(cases); i++)
        assert_true(dp_str_eq(dp_str_c(cases[i].want), dp_header_field(header, cases[i].name)));
    assert_true(dp_str_eq(DP_STR("text/html"), dp_media_type(dp_header_field(header, "content-type"))));
    assert_true(dp_str_eq(DP_STR("a/b"), dp_media_type(DP_STR("a/b"))));
}

/* A response with those header fields and that body. */
static dp_err decode(dp_buf *out, const char *fields, dp_str body, size_t max)
{
    dp_response r;
    dp_buf      text = {0}, buf[2] = {{0}, {0}};
    dp_str      got = {0};
    dp_buf_printf(&text, "HTTP/1.1 200 OK\r\n%s\r\n", fields);
    dp_buf_str(&text, body);
    assert_true(dp_response_split(&r, dp_buf_view(&text)));
    dp_err code = dp_response_decode(&got, &r, buf, max);
    dp_buf_reset(out);
    if (code == DP_OK)
        dp_buf_str(out, got);
    dp_buf_done(&text);
    dp_buf_done(&buf[0]);
    dp_buf_done(&buf[1]);
    return code;
}

static void joins_chunks(void **state)
{
    (void)state;
    static const struct { const char *body, *want; } cases[] = {
        {"5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", "hello world"},
        {"5;x=y\r\nhello\r\n0\r\nTrailer: x\r\n\r\n", "hello"},
        {"5 \nhello\nA\n0123456789\n0\n\n", "hello0123456789"},
        {"5\r\nhello\r\nFF\r\ncut", "hellocut"},        /* cut short */
        {"5\r\nhello\r\nxyz", "hello"},                 /* broken further on */
        {"<html>not in chunks</html>", "<html>not in chunks</html>"}, /* undone by the crawler */
        {"0\r\n\r\n", ""},
        {"", ""},
        {"fffffffffffffffffffff\r\nx", "fffffffffffffffffffff\r\nx"},
    };
    dp_buf out = {0};
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        assert_int_equal(DP_OK, decode(&out, "Transfer-Encoding: Chunked\r\n", dp_str_c(cases[i].body), 1000));
        if (!dp_str_eq(dp_str_c(cases[i].want), dp_buf_view(&out)))
            fail_msg("row %zu: %.*s", i, DP_FMT(dp_buf_view(&out)));
    }
    assert_int_equal(DP_OK, decode(&out, "", DP_STR("5\r\nhello\r\n0\r\n\r\n"), 1000));
    assert_true(dp_str_eq(DP_STR("5\r\nhello\r\n0\r\n\r\n"), dp_buf_view(&out)));
    dp_buf_done(&out);
}

static void undoes_content_codings(void **state)
{
    (void)state;
    static const struct { const char *coding; int bits;
    } cases[] = {
        {"gzip", 31},     {"x-gzip", 31},  {"GZIP", 31}, {"deflate", 15},
        {"deflate", -15}, {"deflate", 31}, {"zstd", 0},  {"gzip", 99},
    };
    dp_str page = DP_STR("<html>a page, a page, a page</html>");
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_buf body = {0}, out = {0}, chunked = {0};
        char   fields[128];
        if (cases[i].bits == 99) /* undone by the crawler */
            dp_buf_str(&body, page);
        else if (cases[i].bits)
            packed_add(&body, page, cases[i].bits);
        else
            packed_add_zstd(&body, page);
        snprintf(fields, sizeof fields, "Content-Encoding: %s\r\n", cases[i].coding);
        assert_int_equal(DP_OK, decode(&out, fields, dp_buf_view(&body), 1000));
        if (!dp_str_eq(page, dp_buf_view(&out)))
            fail_msg("%s, %d: %.*s", cases[i].coding, cases[i].bits, DP_FMT(dp_buf_view(&out)));
        /* in chunks, too */
        dp_buf_printf(&chunked, "%zx\r\n", body.n);
        dp_buf_str(&chunked, dp_buf_view(&body));
        dp_buf_c(&chunked, "\r\n0\r\n\r\n");
        snprintf(fields, sizeof fields, "Content-Encoding: %s\r\nTransfer-Encoding: chunked\r\n", cases[i].coding);
        assert_int_equal(DP_OK, decode(&out, fields, dp_buf_view(&chunked), 1000));
        assert_true(dp_str_eq(page, dp_buf_view(&out)));
        /* what comes out is bounded */
        assert_int_equal(DP_OK, decode(&out, fields, dp_buf_view(&chunked), 10));
        assert_true(out.n <= 10);
        dp_buf_done(&body);
        dp_buf_done(&out);
        dp_buf_done(&chunked);
    }
}

static void keeps_what_it_can(void **state)
{
    (void)state;
    dp_buf body = {0}, out = {0}, page = {0};
    for (int i = 0; i < 5000; i++)
        dp_buf_printf(&page, "line %d of a page\n", i * 7919 % 5003);
    packed_add(&body, dp_buf_view(&page), 31);
    assert_int_equal(DP_OK, decode(&out, "Content-Encoding: gzip\r\n", (dp_str){body.p, body.n / 2}, 1 << 20));
    assert_true(out.n > 10000 && dp_str_starts(dp_buf_view(&page), dp_buf_view(&out)));
    assert_int_equal(DP_OK,
                     decode(&out, "Content-Encoding: br\r\n", DP_STR("\x1b\x02"), 1 << 20)); /* nobody can read it */
    assert_int_equal(0, out.n);
    dp_buf_done(&body);
    dp_buf_done(&out);
    dp_buf_done(&page);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    dp_buf body = {0}, text = {0};
    packed_add(&body, DP_STR("a page"), 31);
    dp_buf_printf(&text, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n%zx\r\n",
                  body.n);
    dp_buf_str(&text, dp_buf_view(&body));
    dp_buf_c(&text, "\r\n0\r\n\r\n");
    DP_EVERY_ALLOC_FAILURE
    {
        dp_response r;
        dp_buf      buf[2] = {{0}, {0}};
        dp_str      got;
        assert_true(dp_response_split(&r, dp_buf_view(&text)));
        dp_err code = dp_response_decode(&got, &r, buf, 1000);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        assert_true(code != DP_OK || dp_str_eq(DP_STR("a page"), got));
        dp_buf_done(&buf[0]);
        dp_buf_done(&buf[1]);
    }
    dp_buf_done(&body);
    dp_buf_done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_header_and_body),
        cmocka_unit_test(finds_fields),
        cmocka_unit_test(joins_chunks),
        cmocka_unit_test(undoes_content_codings),
        cmocka_unit_test(keeps_what_it_can),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
