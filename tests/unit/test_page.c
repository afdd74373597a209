/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/buf.h"
#include "content/page.h"
#include "support/failing_alloc.h"

#define URL  "http://a.com/dir/page"
#define HTML "<title>T</title><link rel=canonical href=x?a&amp;b><p>\xC3\xA4"

static const struct {
    const char *header, *mime;
    dp_str      body;
    dp_page_kind kind;
    const char *text, *title, *canonical;
} cases[] = {
    {"Content-Type: text/html; charset=utf-8\r\n", "", {HTML, sizeof HTML - 1}, DP_PAGE_HTML, "\xC3\xA4", "T",
     "http://a.com/dir/x?a&b"},
    {"HTTP/1.1 200 OK\r\ncontent-type : TEXT/HTML\r\n\r\n", "image/png", {"<p>\xE4", 4}, DP_PAGE_HTML, "\xC3\xA4", "",
     ""},
    {"", "application/xhtml+xml", {"<p>x", 4}, DP_PAGE_HTML, "x", "", ""},
    {"", "text/plain", {" a\n <b> ", 8}, DP_PAGE_TEXT, "a <b>", "", ""},
    {"", "application/rss+xml", {"<a>b</a>", 8}, DP_PAGE_TEXT, "<a>b</a>", "", ""},
    {"", "application/json;x=y", {"{}", 2}, DP_PAGE_TEXT, "{}", "", ""},
    {"", "image/png", {"abc", 3}, DP_PAGE_BINARY, "", "", ""},
    {"", "application/octet-stream", {"abc", 3}, DP_PAGE_BINARY, "", "", ""},
    {"", "text/html", {"%PDF-1.4 <p>", 12}, DP_PAGE_BINARY, "", "", ""}, /* whatever the server says */
    /* without a type */
    {"", "", {"<HTML><p>x", 10}, DP_PAGE_HTML, "x", "", ""},
    {"", "unk", {"plain", 5}, DP_PAGE_TEXT, "plain", "", ""},
    {"", "", {"a\0b", 3}, DP_PAGE_BINARY, "", "", ""},
    {"", "", {"\xFF\xFE" "a\0", 4}, DP_PAGE_TEXT, "a", "", ""},
    {"", "", {"", 0}, DP_PAGE_TEXT, "", "", ""},
    /* canonical links */
    {"Link: </c>; rel=\"canonical\"\r\n", "text/plain", {"x", 1}, DP_PAGE_TEXT, "x", "", "http://a.com/c"},
    {"Link: </n>; rel=next, <c>; title=x; rel=canonical\r\n", "image/png", {"x", 1}, DP_PAGE_BINARY, "", "",
     "http://a.com/dir/c"},
    {"Link: </n>; rel=next\r\nLink: <", "text/plain", {"x", 1}, DP_PAGE_TEXT, "x", "", ""},
    {"Link: <x?a&b>; rel=canonical", "text/html; charset=utf-8", {HTML, sizeof HTML - 1}, DP_PAGE_HTML, "\xC3\xA4", "T",
     "http://a.com/dir/x?a&b"},
    {"Link: <y>; rel=canonical", "text/html; charset=utf-8", {HTML, sizeof HTML - 1}, DP_PAGE_HTML, "\xC3\xA4", "T",
     ""},
    {"", "text/html", {"<base href='//b.org/c/'><link rel=canonical href=d>", 51}, DP_PAGE_HTML, "", "",
     "http://b.org/c/d"},
    {"", "text/html", {"<base href='mailto:x'><link rel=canonical href=d>", 49}, DP_PAGE_HTML, "", "",
     "http://a.com/dir/d"},
    {"", "text/html", {"<link rel=canonical href='javascript:x'>", 40}, DP_PAGE_HTML, "", "", ""},
};

static const char *z(dp_buf *b, dp_str s)
{
    dp_buf_reset(b);
    dp_buf_str(b, s);
    dp_buf_byte(b, 0);
    return b->p;
}

static void reads_the_table(void **state)
{
    (void)state;
    dp_page_reader *r;
    dp_buf          b = {0};
    assert_int_equal(DP_OK, dp_page_reader_new(&r));
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        const dp_page_source in = {DP_STR(URL), dp_str_c(cases[i].header), dp_str_c(cases[i].mime), cases[i].body};
        dp_page           p;
        assert_int_equal(DP_OK, dp_page_read(r, &p, &in));
        assert_int_equal(cases[i].kind, p.kind);
        assert_string_equal(cases[i].text, z(&b, p.text));
        assert_string_equal(cases[i].title, z(&b, p.title));
        assert_string_equal(cases[i].canonical, z(&b, p.canonical));
    }
    dp_page_reader_free(r);
    dp_buf_done(&b);
}

static void html_that_is_refused_is_bytes(void **state)
{
    (void)state;
    dp_page_reader *r;
    dp_buf          b = {0};
    dp_page         p;
    assert_int_equal(DP_OK, dp_page_reader_new(&r));
    for (int i = 0; i < 5000; i++)
        dp_buf_c(&b, "<div>");
    const dp_page_source in = {.mime = DP_STR("text/html"), .body = dp_buf_view(&b)};
    assert_int_equal(DP_OK, dp_page_read(r, &p, &in));
    assert_int_equal(DP_PAGE_BINARY, p.kind);
    dp_page_reader_free(r);
    dp_buf_done(&b);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    DP_EVERY_ALLOC_FAILURE
    {
        dp_page_reader *r = NULL;
        dp_page         p;
        dp_err          code = dp_page_reader_new(&r);
        for (int i = 0; i < 2 && code == DP_OK; i++) {
            const dp_page_source in = {DP_STR(URL), DP_STR("Link: <x?a&b>; rel=canonical"),
                                    i ? DP_STR("text/plain") : DP_STR("text/html"), DP_STR(HTML "<base href=z>")};
            code = dp_page_read(r, &p, &in);
        }
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        dp_page_reader_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_table),
        cmocka_unit_test(html_that_is_refused_is_bytes),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
