/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/recordcases.h"
#include "support/tempfile.h"

static const record_case cases[] = {
    {"http://a.com/\nhttp://b.com/x y\n", "urls\nurl=http://a.com/\nurl=http://b.com/x y\n", {0}},
    {"a.com/x\r\nb.org/\r\n", "urls\nurl=a.com/x\nurl=b.org/\n", {0}}, /* CR LF; no scheme */
    {"http://a.com/\nhttp://b.com/", "urls\nurl=http://a.com/\nurl=http://b.com/\n", {0}}, /* no LF at the end */
    {"\xef\xbb\xbfhttp://a.com/\n", "urls\nurl=http://a.com/\n", {0}}, /* a byte order mark */
    {"# a list\n\nhttp://a.com/\n\n", "urls\nurl=http://a.com/\n", {0}}, /* comments and empty lines */
    {"http://a.com/\xff\xc3\n", "urls\nurl=http://a.com/\\xff\\xc3\n", {0}},
    {"mailto:x\nhttp://a.com/\nhttp://b.com/\n", "urls\nurl=mailto:x\nurl=http://a.com/\nurl=http://b.com/\n", {0}},
    {"", "urls\n", {0}},
    {"\n\n", "urls\n", {0}},
    {"one\ntwo\n", "urls\nurl=one\nurl=two\n", {.format = "urls"}}, /* whatever they are, when that is said */
    {"# a list\n\nhttp://a.com/\n", "urls\nother\nother\nurl=http://a.com/\n", {.all_lines = true}},
    {"one\ntwo\n",
     "error: cannot tell the format of lines like 'one' (a: a word, 9: a number): name it with --format, one of wat "
     "warc "
     "w3c jsonl cdxj cdx crawllog alb combined clf csv tsv clusters pairs list urls; or give --log-format 'the "
     "log_format string'\n",
     {0}},
};

static void reads_lists(void **state)
{
    (void)state;
    record_cases(cases, DP_COUNT(cases));
}

static void any_bytes_and_any_length(void **state)
{
    (void)state;
    dp_buf            text = {0}, got = {0}, want = {0};
    dp_reader_options o = {0};
    dp_buf_c(&want, "urls\nurl=http://a.com/\\x00\nurl=http://a.com/");
    dp_buf_add(&text, "http://a.com/\0\nhttp://a.com/", 28);
    for (size_t i = 0; i < 1000000; i++) {
        dp_buf_byte(&text, 'x');
        dp_buf_byte(&want, 'x');
    }
    dp_buf_c(&text, "\nhttp://b.com/\n");
    dp_buf_c(&want, "\nurl=http://b.com/\n");
    assert_int_equal(DP_OK, record_text(&got, RECORD_FILE, dp_buf_view(&text), &o));
    assert_true(dp_str_eq(dp_buf_view(&want), dp_buf_view(&got)));
    dp_buf_done(&text);
    dp_buf_done(&got);
    dp_buf_done(&want);
}

static void takes_no_memory_a_record(void **state)
{
    (void)state;
    record_takes_no_memory(DP_STR("http://a.com/x?y=1\nhttp://b.com/\n"), 50000, &(dp_reader_options){0});
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    record_survives(DP_STR("http://a.com/x?y=1\nhttp://b.com/\n"), &(dp_reader_options){0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_lists),
        cmocka_unit_test(any_bytes_and_any_length),
        cmocka_unit_test_teardown(takes_no_memory_a_record, dp_temp_remove),
        cmocka_unit_test_teardown(survives_every_allocation_failure, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
