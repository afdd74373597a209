/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "content/html.h"
#include "support/failing_alloc.h"

static const struct {
    const char *page, *text, *title, *canonical, *base;
} cases[] = {
    {"", "", "", "", ""},
    {"just text", "just text", "", "", ""},
    {"<title> A &amp;\n B </title><p>x", "x", "A & B", "", ""},
    {"<title>a</title><title>b</title><body><title>c</title>", "", "a", "", ""},
    {"One<b>two</b> <i>three</i><p>four<br>five<td>six", "Onetwo three four fivesix", "", "", ""},
    {"<ul><li>a<li>b</ul><table><tr><td>c<td>d<tr><td>e</table>", "a b c d e", "", "", ""},
    {"<select><option>a<option>b</select><label>c</label><button>d</button>e", "a b c d e", "", "", ""},
    {"a<!-- b --><script>c<p></script><style>d</style><noscript>e</noscript><template>f</template>g", "ag", "", "", ""},
    {"<p hidden>a<p>b<div style='color:red; DISPLAY : none'>c<p>d</div><span style=visibility:hidden>e</span>f", "b f",
     "", "", ""},
    {"<iframe>a</iframe><object>b</object><video>c</video><canvas>d</canvas><noframes>e</noframes><datalist><option>f"
     "</datalist>g", "g", "", "", ""},
    {"<svg><title>a</title><text>b</text></svg>", "b", "", "", ""},
    {"&lt;&auml;&#228;&#x20AC;&nbsp;x&#0;&#xD800;", "<\xC3\xA4\xC3\xA4\xE2\x82\xAC x\xEF\xBF\xBD\xEF\xBF\xBD", "",
     "", ""},
    {"a&#x209f2c41d07ab3e65fAC;", "a\xEF\xBF\xBD", "", "", ""}, /* too large a number */
    {"<link rel=canonical href='/a?x=1&amp;y=2'>", "", "", "/a?x=1&y=2", ""},
    {"<link rel='nofollow CANONICAL' href=' /a '><base href=/b/><base href=/c/>", "", "", "/a", "/b/"},
    {"<link rel=canonicals href=/a><link rel=canonical>", "", "", "", ""},
    {"<link rel=canonical href=/a><link rel=canonical href=/a>", "", "", "/a", ""},
    {"<link rel=canonical href=/a><link rel=canonical href=/b>", "", "", "", ""},       /* they disagree */
    {"<body>x<link rel=canonical href=/a>", "x", "", "", ""},                          /* outside the head */
    {"<!-- <link rel=canonical href=/a> --><noscript><link rel=canonical href=/b></noscript>", "", "", "", ""},
    {"<frameset><frame src=a></frameset>", "", "", "", ""},
    {"<textarea>a <b>b</textarea>", "a <b>b", "", "", ""},
    {"<p>a</b></i></p></div></html>b", "a b", "", "", ""},
    {"<a href=x>a<a href=y>b</a><table><b>c<tr><td>d</table>", "abc d", "", "", ""},
};

static void reads_the_table(void **state)
{
    (void)state;
    dp_html h = {0};
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        assert_int_equal(DP_OK, dp_html_read(&h, dp_str_c(cases[i].page)));
        const struct {
            dp_buf     *have;
            const char *want;
        } texts[] = {
            {&h.text, cases[i].text},
            {&h.title, cases[i].title},
            {&h.canonical, cases[i].canonical},
            {&h.base, cases[i].base},
        };
        for (size_t k = 0; k < DP_COUNT(texts); k++) {
            dp_buf_byte(texts[k].have, 0);
            assert_string_equal(texts[k].want, texts[k].have->p);
        }
    }
    dp_html_done(&h);
}

/* `times` times `text`, then `end`. */
static void repeat(dp_buf *out, const char *text, size_t times, const char *end)
{
    dp_buf_reset(out);
    for (size_t i = 0; i < times; i++)
        dp_buf_c(out, text);
    dp_buf_c(out, end);
}

static void long_pages_of_plain_structure_are_read(void **state)
{
    (void)state;
    static const char *const texts[] = {"<p>x", "<li>x", "<td>x<tr>", "<a name=y>x", "<option>x", "<div>x</div>",
                                        "<script>'<div><div>'</script>x ", "<i>x</i> "};
    dp_html h = {0};
    dp_buf  page = {0};
    for (size_t i = 0; i < DP_COUNT(texts); i++) {
        repeat(&page, texts[i], 3000, "");
        assert_int_equal(DP_OK, dp_html_read(&h, dp_buf_view(&page)));
        assert_in_range(h.text.n, 3000, 6000);
    }
    dp_html_done(&h);
    dp_buf_done(&page);
}

/* Each would take gumbo minutes, gigabytes or the whole stack. */
static void drawings_are_read(void **state)
{
    (void)state;
    dp_html h = {0};
    dp_buf  page = {0};
    dp_buf_c(&page, "<p>one<svg>");
    for (int i = 0; i < 20000; i++)
        dp_buf_c(&page, "<path d=\"M0 0\"/>");
    dp_buf_c(&page, "</svg> two");
    assert_int_equal(DP_OK, dp_html_read(&h, dp_buf_view(&page)));
    assert_int_equal(7, h.text.n);
    dp_html_done(&h);
    dp_buf_done(&page);
}

static void pages_beyond_reason_are_refused_at_once(void **state)
{
    (void)state;
    dp_html h = {0};
    dp_buf  page = {0};
    assert_int_equal(DP_OK, dp_html_read(&h, DP_STR("<title>t</title>before")));
    repeat(&page, "<div>", 200000, "x");
    assert_int_equal(DP_ELIMIT, dp_html_read(&h, dp_buf_view(&page)));
    assert_int_equal(0, h.text.n + h.title.n);
    repeat(&page, "<!-- <a href=\" --><DIV\n>", 200000, "x");
    assert_int_equal(DP_ELIMIT, dp_html_read(&h, dp_buf_view(&page)));
    dp_buf_reset(&page);
    dp_buf_c(&page, "<p");
    for (int i = 0; i < 200000; i++)
        dp_buf_printf(&page, " a%d", i);
    dp_buf_c(&page, ">x");
    assert_int_equal(DP_ELIMIT, dp_html_read(&h, dp_buf_view(&page)));
    repeat(&page, "", 0, "<p>");
    for (int i = 0; i < 1000; i++)
        dp_buf_printf(&page, "<font a=%d>", i);
    for (int i = 0; i < 20000; i++)
        dp_buf_c(&page, "</p><p>x");
    assert_int_equal(DP_ELIMIT, dp_html_read(&h, dp_buf_view(&page)));
    static const char *const open[] = {"<svg><a>", "<math><td>", "<svg><style><a>", "<svg><a x= \">\" y>"};
    for (size_t i = 0; i < DP_COUNT(open); i++) { /* nothing ends by itself in there */
        dp_buf_reset(&page);
        dp_buf_c(&page, open[i]);
        for (int k = 0; k < 60000; k++)
            dp_buf_c(&page, "<a></b>");
        assert_int_equal(DP_ELIMIT, dp_html_read(&h, dp_buf_view(&page)));
    }
    repeat(&page, "", 0, "<p x= \">\"");
    for (int i = 0; i < 200000; i++)
        dp_buf_printf(&page, " a%d", i);
    dp_buf_c(&page, ">x");
    assert_int_equal(DP_ELIMIT, dp_html_read(&h, dp_buf_view(&page)));
    repeat(&page, "0123456789abcdef", DP_HTML_MAX / 16, "x");
    assert_int_equal(DP_ELIMIT, dp_html_read(&h, dp_buf_view(&page)));
    assert_int_equal(DP_OK, dp_html_read(&h, DP_STR("after")));
    assert_int_equal(5, h.text.n);
    dp_html_done(&h);
    dp_buf_done(&page);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    DP_EVERY_ALLOC_FAILURE
    {
        dp_html h = {0};
        dp_err  code = dp_html_read(
            &h, DP_STR("<title>t</title><base href=b><link rel=canonical href=a><div><p>x<b>y<a href=z>"));
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        if (code != DP_OK)
            assert_int_equal(0, h.text.n + h.title.n + h.canonical.n + h.base.n);
        dp_html_done(&h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_table),
        cmocka_unit_test(long_pages_of_plain_structure_are_read),
        cmocka_unit_test(drawings_are_read),
        cmocka_unit_test(pages_beyond_reason_are_refused_at_once),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
