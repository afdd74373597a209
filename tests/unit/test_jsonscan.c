/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/words/json.h"
#include "input/format/jsonscan.h"

/* Members as "key:kind:raw " joined; "!why" where it is broken. */
static dp_str scan(dp_buf *out, dp_str text)
{
    static const char kinds[] = "tn10-ao";
    dp_jsonscan       s;
    dp_json_value     key, value;
    dp_buf            room = {0};
    dp_buf_reset(out);
    assert_true(dp_buf_room(&room, text.n + 1));
    if (dp_jsonscan_init(&s, text)) {
        while (dp_jsonscan_next(&s, &key, &value)) {
            dp_buf_str(out, dp_jsonscan_text(&key, &room));
            dp_buf_printf(out, ":%c:", kinds[value.kind]);
            dp_buf_str(out, value.kind == DP_JSON_TEXT ? dp_jsonscan_text(&value, &room) : value.raw);
            dp_buf_byte(out, ' ');
        }
    }
    if (s.why)
        dp_buf_printf(out, "!%s", s.why);
    assert_true(room.n <= text.n);
    dp_buf_done(&room);
    return dp_buf_view(out);
}

static void reads_every_construct(void **state)
{
    (void)state;
    static const struct { const char *text, *want; } cases[] = {
        {"{}", ""},
        {" {\t} ", ""},
        {"{\"a\":1}", "a:n:1 "},
        {"{\"a\":\"x\",\"b\":true,\"c\":false,\"d\":null}", "a:t:x b:1:true c:0:false d:-:null "},
        {"{\"a\":[1,[2,{}],\"]\"],\"b\":{\"c\":{\"d\":1}}}", "a:a:[1,[2,{}],\"]\"] b:o:{\"c\":{\"d\":1}} "},
        {"{\"a\":-0.5e+10,\"b\":0,\"c\":1E2}", "a:n:-0.5e+10 b:n:0 c:n:1E2 "},
        {"{\"\\u0061\\n\":\"\\\"\\\\\\/\"}", "a\n:t:\"\\/ "},
        {"{\"a\":\"\\ud83d\\ude00\\udcff\\ud800\"}", "a:t:\xf0\x9f\x98\x80\xff\xed\xa0\x80 "},
        {"[1]", "!expected an object"},
        {"", "!expected an object"},
        {"{", "!expected a name in quotes"},
        {"{\"a\"}", "!expected a colon"},
        {"{\"a\":}", "!expected a value"},
        {"{\"a\":1,}", "a:n:1 !expected a name in quotes"},
        {"{\"a\":1 \"b\":2}", "a:n:1 !expected a comma"},
        {"{\"a\":1} x", "a:n:1 !unexpected text after the end"},
        {"{a:1}", "!expected a name in quotes"},
        {"{\"a\":01}", "!not a number"},
        {"{\"a\":1.}", "!not a number"},
        {"{\"a\":-}", "!not a number"},
        {"{\"a\":1e}", "!not a number"},
        {"{\"a\":NaN}", "!expected a value"},
        {"{\"a\":\"x}", "!unterminated string"},
        {"{\"a\":\"\\x\"}", "!invalid escape"},
        {"{\"a\":\"\\u12g4\"}", "!invalid escape"},
        {"{\"a\":\"\x01\"}", "!control character in a string"},
        {"{\"a\":[1 2]}", "!expected a comma"},
        {"{\"a\":[1,]}", "!expected a value"},
        {"{\"a\":{\"b\" 1}}", "!expected a colon"},
        {"{\"a\":{1}}", "!expected a name in quotes"},
        {"{\"a\":[", "!expected a value"},
    };
    dp_buf out = {0};
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_str got = scan(&out, dp_str_c(cases[i].text));
        if (!dp_str_eq(dp_str_c(cases[i].want), got))
            fail_msg("%s: %.*s", cases[i].text, DP_FMT(got));
    }
    dp_buf_done(&out);
}

static void nesting_has_a_limit(void **state)
{
    (void)state;
    for (size_t depth = 250; depth < 260; depth++) {
        dp_buf text = {0}, out = {0};
        dp_buf_c(&text, "{\"a\":");
        for (size_t i = 0; i < depth; i++)
            dp_buf_byte(&text, '[');
        for (size_t i = 0; i < depth; i++)
            dp_buf_byte(&text, ']');
        dp_buf_byte(&text, '}');
        dp_str got = scan(&out, dp_buf_view(&text));
        assert_int_equal(depth > 255, dp_str_eq(got, DP_STR("!nested too deeply")));
        dp_buf_done(&text);
        dp_buf_done(&out);
    }
}

static void reads_back_what_we_write(void **state)
{
    (void)state;
    dp_rng r = dp_rng_seed(3);
    dp_buf text = {0}, out = {0}, want = {0};
    for (int i = 0; i < 20000; i++) {
        char   bytes[24];
        size_t n = dp_rng_below(&r, sizeof bytes);
        for (size_t j = 0; j < n; j++)
            bytes[j] = (char)dp_rng_below(&r, 256);
        dp_buf_reset(&text);
        dp_buf_reset(&want);
        dp_buf_c(&text, "{\"k\":");
        dp_json_str(&text, (dp_str){bytes, n});
        dp_buf_byte(&text, '}');
        dp_buf_c(&want, "k:t:");
        dp_buf_add(&want, bytes, n);
        dp_buf_byte(&want, ' ');
        if (!dp_str_eq(dp_buf_view(&want), scan(&out, dp_buf_view(&text))))
            fail_msg("round %d: %.*s", i, DP_FMT(dp_buf_view(&text)));
    }
    dp_buf_done(&text);
    dp_buf_done(&out);
    dp_buf_done(&want);
}

/* Property: on random texts that are nearly JSON, what jansson takes we take, with the same texts. */
static void equals_jansson(void **state)
{
    (void)state;
    static const char *const pieces[] = {"{",
                                         "}",
                                         "[",
                                         "]",
                                         ",",
                                         ":",
                                         "\"a\"",
                                         "\"b\"",
                                         "\"",
                                         "1",
                                         "-2",
                                         "0.5",
                                         "1e3",
                                         "00",
                                         "true",
                                         "false",
                                         "null",
                                         " ",
                                         "\\n",
                                         "\\u0041",
                                         "\\",
                                         "\\ud83d\\ude00",
                                         "\"url\":",
                                         "\"x\":",
                                         ",\"y\":\"z\"",
                                         "\t",
                                         "."};
    dp_rng r = dp_rng_seed(5);
    size_t taken = 0;
    dp_buf text = {0}, out = {0}, want = {0};
    for (int i = 0; i < 300000; i++) {
        dp_buf_reset(&text);
        dp_buf_reset(&want);
        dp_buf_c(&text, "{\"k\":");
        for (size_t n = 1 + dp_rng_below(&r, 6); n; n--)
            dp_buf_c(&text, pieces[dp_rng_below(&r, DP_COUNT(pieces))]);
        dp_buf_byte(&text, '}');
        json_error_t e;
        json_t      *root = json_loadb(text.p, text.n, JSON_ALLOW_NUL, &e);
        dp_str       got = scan(&out, dp_buf_view(&text));
        bool         too_big = !root && (strstr(e.text, "overflow") || strstr(e.text, "too big"));
        bool         ours = !got.n || !memchr(got.p, '!', got.n);
        if (ours != (root != NULL) && !too_big)
            fail_msg("round %d: %.*s: %.*s, %s", i, DP_FMT(dp_buf_view(&text)), DP_FMT(got), root ? "taken" : e.text);
        if (root) {
            const json_t *k = json_object_get(root, "k");
            taken++;
            if (json_is_string(k) && json_object_size(root) == 1) {
                dp_buf_printf(&want, "k:t:%s ", json_string_value(k));
                assert_true(dp_str_eq(dp_buf_view(&want), got) || memmem(got.p, got.n, " k:", 3));
            }
        }
        json_decref(root);
    }
    print_message("%zu of 300000 are JSON\n", taken);
    assert_true(taken > 10000);
    dp_buf_done(&text);
    dp_buf_done(&out);
    dp_buf_done(&want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_construct),
        cmocka_unit_test(nesting_has_a_limit),
        cmocka_unit_test(reads_back_what_we_write),
        cmocka_unit_test(equals_jansson),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
