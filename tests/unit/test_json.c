/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/text.h"
#include "base/words/json.h"
#include "support/failing_alloc.h"

static const struct {
    dp_str      bytes;
    const char *want;
} strings[] = {
    {DP_STR(""), "\"\""},
    {DP_STR("a/b"), "\"a/b\""},
    {DP_STR("\"\\\n\r\t\b\0\x1f\x7f"), "\"\\\"\\\\\\n\\r\\t\\u0008\\u0000\\u001f\\u007f\""},
    {DP_STR("\xc2\x80\xc2\x9b\xc2\xa0"), "\"\\u0080\\u009b\xc2\xa0\""}, /* controls beyond ASCII */
    {DP_STR("\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80"), "\"\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80\""},
    {DP_STR("\xff\x80"), "\"\\udcff\\udc80\""},
    {DP_STR("\xc3"), "\"\\udcc3\""},                             /* cut short */
    {DP_STR("\xe2\x82x"), "\"\\udce2\\udc82x\""},
    {DP_STR("\xc0\xaf\xc1\xbf"), "\"\\udcc0\\udcaf\\udcc1\\udcbf\""}, /* overlong */
    {DP_STR("\xe0\x9f\xbf"), "\"\\udce0\\udc9f\\udcbf\""},
    {DP_STR("\xf0\x8f\xbf\xbf"), "\"\\udcf0\\udc8f\\udcbf\\udcbf\""},
    {DP_STR("\xed\xa0\x80"), "\"\\udced\\udca0\\udc80\""},       /* surrogate */
    {DP_STR("\xf4\x90\x80\x80"), "\"\\udcf4\\udc90\\udc80\\udc80\""}, /* above U+10FFFF */
    {DP_STR("\xf5\x80\x80\x80"), "\"\\udcf5\\udc80\\udc80\\udc80\""},
};

static void writes_strings_and_loses_no_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(strings); i++) {
        dp_buf b = {0};
        dp_json_str(&b, strings[i].bytes);
        dp_buf_byte(&b, 0);
        assert_string_equal(strings[i].want, b.p);
        dp_buf_done(&b);
    }
}

static const struct {
    double      v;
    int         decimals;
    const char *want;
} numbers[] = {
    {0, 6, "0"}, {1, 0, "1"}, {.5, 1, "0.5"}, {.998, 6, "0.998"}, {.05, 1, "0.1"}, {.04, 1, "0"},
    {.9999999, 6, "1"}, {12.3456, 2, "12.35"}, {1e15, 6, "1000000000000000"},
    {1e17, 3, "100000000000000000"}, {1e30, 6, "1000000000000000000"}, {.000001, 6, "0.000001"},
    {1.25, 9, "1.25"},
};

static void writes_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(numbers); i++) {
        dp_buf b = {0};
        dp_json_number(&b, numbers[i].v, numbers[i].decimals);
        dp_buf_byte(&b, 0);
        assert_string_equal(numbers[i].want, b.p);
        dp_buf_done(&b);
    }
}

static void commas_come_by_themselves(void **state)
{
    (void)state;
    dp_buf b = {0}, text = {0};
    dp_buf_c(&b, "<script>{");
    dp_json_text(&b, "a", DP_STR("{["));
    dp_json_count(&b, "b", UINT64_MAX);
    dp_json_share(&b, "c", 1. / 3);
    dp_json_flag(&b, "d", false);
    dp_json_null(&b, "e");
    dp_json_id(&b, "f", 0xFEDCBA987);
    dp_json_short_id(&b, "g", 0xFEDCBA987);
    dp_json_line(&b);
    dp_json_open(&b, "h", '[');
    dp_json_open(&b, NULL, '[');
    dp_buf_byte(&b, ']');
    dp_json_line(&b);
    dp_json_open(&b, NULL, '{');
    dp_json_open(&b, "i", '{');
    dp_buf_c(&b, "}}");
    dp_buf_c(&text, "x\n");
    dp_json_take(&b, NULL, &text);
    dp_json_text(&b, NULL, DP_STR(","));
    dp_buf_c(&b, "]}\n");
    dp_buf_byte(&b, 0);
    assert_string_equal("<script>{\"a\":\"{[\",\"b\":18446744073709551615,\"c\":0.333333,\"d\":false,\"e\":null,"
                        "\"f\":\"0000000fedcba987\",\"g\":\"0000000f\",\n"
                        "\"h\":[[],\n{\"i\":{}},\"x\\n\",\",\"]}\n", b.p);
    assert_null(text.p);
    dp_buf_done(&b);
}

static void a_text_that_failed_fails_all(void **state)
{
    (void)state;
    dp_buf b = {0}, text = {.max = 2};
    dp_buf_c(&text, "too long");
    dp_json_take(&b, NULL, &text);
    assert_true(b.failed);
    dp_buf_done(&b);
}

static void texts_take_over_buffers(void **state)
{
    (void)state;
    DP_EVERY_ALLOC_FAILURE
    {
        dp_buf   b = {0};
        dp_text *t = NULL;
        dp_buf_add(&b, "a\0b", 3);
        dp_err e = dp_text_take(&t, &b);
        assert_null(b.p);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, e);
        if (t) {
            assert_int_equal(3, dp_text_size(t));
            assert_memory_equal("a\0b", dp_text_data(t), 4);
        }
        dp_text_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_strings_and_loses_no_byte),
        cmocka_unit_test(writes_numbers),
        cmocka_unit_test(commas_come_by_themselves),
        cmocka_unit_test(a_text_that_failed_fails_all),
        cmocka_unit_test(texts_take_over_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
