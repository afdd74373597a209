/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/words/utf8.h"
#include "content/charset.h"
#include "support/failing_alloc.h"

#define REPLACED "\xEF\xBF\xBD"

static const struct {
    const char *type;
    dp_str      page;
    const char *name, *utf8;
} cases[] = {
    /* a byte order mark has the last word */
    {"text/html; charset=koi8-r", {"\xEF\xBB\xBF\xC3\xA4", 5}, "UTF-8", "\xC3\xA4"},
    {"text/html", {"\xFE\xFF\x20\xAC", 4}, "UTF-16BE", "\xE2\x82\xAC"},
    {"text/html", {"\xFF\xFE\xAC\x20", 4}, "UTF-16LE", "\xE2\x82\xAC"},
    /* then the header */
    {"text/html; charset=ISO-8859-1", {"\x93\xE4\x94", 3}, "CP1252", "\xE2\x80\x9C\xC3\xA4\xE2\x80\x9D"},
    {"text/html;charset=\"Windows-1251\"", {"\xC4\xE0", 2}, "CP1251", "\xD0\x94\xD0\xB0"},
    {"text/html; CHARSET = 'x-cp1250' ; x=y", {"\xB3", 1}, "CP1250", "\xC5\x82"},
    {"text/html; charset=Shift_JIS", {"\x93\xFA\x96\x7B", 4}, "CP932", "\xE6\x97\xA5\xE6\x9C\xAC"},
    {"text/html; charset=gb2312", {"\xC4\xE3", 2}, "GB18030", "\xE4\xBD\xA0"},
    {"text/html; charset=euc-kr", {"\xC7\xD1", 2}, "CP949", "\xED\x95\x9C"},
    {"text/html; charset=big5", {"\xA4\xA4", 2}, "BIG5-HKSCS", "\xE4\xB8\xAD"},
    {"text/html; charset=utf-8", {"a\xE4" "b", 3}, "UTF-8", "a" REPLACED "b"},
    {"text/html; charset=utf-16le", {"a\0b\0", 4}, "UTF-16LE", "ab"},
    {"text/html; charset=utf-16le", {"a\0\0\xD8" "b", 5}, "UTF-16LE", "a" REPLACED REPLACED},
    /* then the page */
    {"text/html", {"<meta charset=koi8-r>\xC1", 22}, "KOI8-R", "<meta charset=koi8-r>\xD0\xB0"},
    {"", {"<META http-equiv=x content='text/html; charset=iso-8859-2'>\xB3", 60}, "ISO-8859-2",
     "<META http-equiv=x content='text/html; charset=iso-8859-2'>\xC5\x82"},
    {"text/html; charset=nonsense", {"<meta charset=utf-16><p>\xC3\xA4", 26}, "UTF-8",
     "<meta charset=utf-16><p>\xC3\xA4"},
    {"", {"<!-- <meta charset=koi8-r> --><meta name=x><meta charset=nonsense>\xC3\xA4", 68}, "UTF-8",
     "<!-- <meta charset=koi8-r> --><meta name=x><meta charset=nonsense>\xC3\xA4"},
    {"", {"<metacharset=koi8-r>", 20}, "UTF-8", "<metacharset=koi8-r>"},
    /* then what it looks like */
    {"", {"\xC3\xA4", 2}, "UTF-8", "\xC3\xA4"},
    {"", {"\xE4", 1}, "CP1252", "\xC3\xA4"},
    {"charset=koi8-r", {"\xE4", 1}, "CP1252", "\xC3\xA4"}, /* no parameter */
    {"", {"", 0}, "UTF-8", ""},
};

static void finds_and_converts_the_table(void **state)
{
    (void)state;
    dp_charset c = {0};
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_buf      out = {0};
        const char *name = dp_charset_find(cases[i].page, dp_str_c(cases[i].type), true);
        assert_string_equal(cases[i].name, name);
        dp_charset_convert(&c, &out, cases[i].page, name);
        assert_false(out.failed);
        dp_buf_byte(&out, 0);
        assert_string_equal(cases[i].utf8, out.p);
        dp_buf_done(&out);
    }
    dp_charset_done(&c);
}

static void meta_counts_in_html_only(void **state)
{
    (void)state;
    assert_string_equal("UTF-8", dp_charset_find(DP_STR("<meta charset=koi8-r>"), DP_STR("text/plain"), false));
}

/* Every conversion the table of labels leads to exists here and gives valid UTF-8 for any bytes. */
static void any_bytes_become_valid_utf8(void **state)
{
    (void)state;
    static const char *const labels[] = {
        "utf-8", "utf-16", "utf-16be", "latin1", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6",
        "iso-8859-7", "iso-8859-8", "iso-8859-9", "iso-8859-10", "iso-8859-11", "iso-8859-13", "iso-8859-14",
        "iso-8859-15", "iso-8859-16", "windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254",
        "windows-1255", "windows-1256", "windows-1257", "windows-1258", "ibm866", "koi8-r", "koi8-u", "macintosh",
        "gbk", "big5", "sjis", "euc-jp", "iso-2022-jp", "euc-kr",
    };
    char bytes[1024];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 7 + i / 256 * 31 + 1);
    for (size_t i = 0; i < DP_COUNT(labels); i++) {
        dp_charset c = {0};
        dp_buf     type = {0}, out = {0};
        dp_buf_printf(&type, "text/plain; charset=%s", labels[i]);
        const char *name = dp_charset_find((dp_str){bytes, sizeof bytes}, dp_buf_view(&type), false);
        dp_charset_convert(&c, &out, (dp_str){bytes, sizeof bytes}, name);
        if (!out.n || !dp_utf8_is_valid(dp_buf_view(&out)))
            fail_msg("%s", labels[i]);
        if (strcmp(name, "UTF-8") != 0 && !c.open)
            fail_msg("no conversion from %s", name);
        dp_charset_done(&c);
        dp_buf_done(&type);
        dp_buf_done(&out);
    }
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    DP_EVERY_ALLOC_FAILURE
    {
        dp_charset c = {0};
        dp_buf     out = {0};
        char       bytes[400];
        memset(bytes, 0xE4, sizeof bytes);
        dp_charset_convert(&c, &out, (dp_str){bytes, sizeof bytes}, "CP1252");
        dp_charset_convert(&c, &out, (dp_str){bytes, sizeof bytes}, "UTF-8");
        assert_int_equal(dp_alloc_failed(), out.failed);
        dp_charset_done(&c);
        dp_buf_done(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_and_converts_the_table),
        cmocka_unit_test(meta_counts_in_html_only),
        cmocka_unit_test(any_bytes_become_valid_utf8),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
