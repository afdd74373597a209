/* What is written is what our reader reads.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "input/format/http.h"
#include "input/reader.h"
#include "live/warcrecord.h"
#include "support/tempfile.h"

static void a_page_comes_back(void **state)
{
    (void)state;
    dp_buf               out = {0};
    dp_reader           *r = NULL;
    dp_record            rec;
    dp_error             err = {0};
    bool                 more = true;
    dp_reader_options    o = {.want_body = true};
    const dp_http_answer a = {.status = 200,
                              .header = DP_STR("HTTP/2 200 \r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n"
                                               "Transfer-Encoding: chunked\r\nX-Long: one\r\n two\r\n\r\n"),
                              .body = DP_STR("<p>page</p>\r\n\r\nWARC/1.0\r\n")};
    assert_int_equal(DP_OK, dp_warcrecord_open(&out, 0));
    assert_int_equal(DP_OK, dp_warcrecord_put(&out, DP_STR("http://a.com/?x=1"), 1794853353, &a));
    assert_int_equal(DP_OK, dp_warcrecord_put(&out, DP_STR("http://a.com/?x=2"), 1794853354, &a));
    const char *path = dp_temp_write("a.warc.gz", dp_buf_view(&out));
    assert_int_equal(DP_OK, dp_reader_open(&r, &path, 1, &o, &err));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(DP_OK, dp_reader_next(r, &rec, &more, &err));
        assert_true(more);
        assert_true(dp_str_eq(rec.url, i ? DP_STR("http://a.com/?x=2") : DP_STR("http://a.com/?x=1")));
        assert_int_equal(200, rec.status);
        assert_int_equal(1794853353 + i, rec.time);
        assert_true(dp_str_eq(rec.body, a.body));
        assert_true(dp_str_eq(dp_header_field(rec.header, "content-type"), DP_STR("text/html")));
        assert_int_equal(0, dp_header_field(rec.header, "content-encoding").n);
    }
    assert_int_equal(DP_OK, dp_reader_next(r, &rec, &more, &err));
    assert_false(more);
    assert_int_equal(0, dp_reader_bad(r));
    dp_reader_close(r);
    dp_buf_done(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(a_page_comes_back, dp_temp_remove)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
