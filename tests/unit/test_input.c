/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/str.h"
#include "dustpan.h"
#include "support/failing_alloc.h"
#include "support/packed.h"
#include "support/tempfile.h"

static void assert_text(const dp_input *in, dp_field field, const char *want)
{
    dp_str text;
    text.p = dp_input_text(in, field, &text.n);
    if (want)
        assert_true(text.p && dp_str_eq(dp_str_c(want), text));
    else
        assert_true(!text.p && text.n == 0);
}

static void assert_part(const dp_input *in, dp_part part, const char *want)
{
    dp_str text;
    text.p = dp_input_part(in, part, &text.n);
    if (want)
        assert_true(text.p && dp_str_eq(dp_str_c(want), text));
    else
        assert_true(!text.p && text.n == 0);
}

static void gives_every_field(void **state)
{
    (void)state;
    static const char text[] = "cluster\turl\tstatus\tsize\tdigest\tmh1\tmh2\tmh3\tmh4\tsimhash\ttitle\timportance\ttar"
                               "get\tcanonical\ttime\tinlinks\t"
                               "hops\tmime\tclient\tagent\thits\n"
                               "7\thttp://a.com/\t301\t5\tAB\t1\t2\t3\t4\td61dc388ac537646\tA "
                               "title\t0.25\thttp://b.com/\thttp://c.com/\t20150517100503"
                               "\t1\t2\ttext/html\th1\tMoz\t9\n"
                               "-\thttp://a.com/\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\n"
                               "broken\n";
    static const struct { dp_field field; const char *want;
    } texts[] = {
        {DP_FIELD_URL, "http://a.com/"},
        {DP_FIELD_CLUSTER, "7"},
        {DP_FIELD_DIGEST, "AB"},
        {DP_FIELD_TITLE, "A title"},
        {DP_FIELD_TARGET, "http://b.com/"},
        {DP_FIELD_MIME, "text/html"},
        {DP_FIELD_CLIENT, "h1"},
        {DP_FIELD_AGENT, "Moz"},
        {DP_FIELD_CANONICAL, "http://c.com/"},
        {DP_FIELD_STATUS, NULL},
        {DP_FIELD_SKETCH, NULL},
    };
    static const struct { dp_field field; int64_t want; } numbers[] = {
        {DP_FIELD_STATUS, 301}, {DP_FIELD_SIZE, 5}, {DP_FIELD_TIME, 1431857103}, {DP_FIELD_INLINKS, 1},
        {DP_FIELD_HOPS, 2},     {DP_FIELD_HITS, 9}, {DP_FIELD_URL, 0},
    };
    const char *path = dp_temp_write("pages", dp_str_c(text));
    dp_input   *in;
    dp_error    err;
    int         more;
    assert_int_equal(DP_OK, dp_input_new(&in));
    assert_int_equal(DP_EINVALID, dp_input_next(in, &more, &err));
    assert_string_equal("", dp_input_format(in));
    assert_int_equal(DP_OK, dp_input_open(in, &path, 1, 0, &err));
    assert_int_equal(DP_EINVALID, dp_input_open(in, &path, 1, 0, &err));
    assert_int_equal(DP_EINVALID, dp_input_set(in, DP_INPUT_FORMAT, "tsv"));
    assert_string_equal("tsv", dp_input_format(in));
    assert_int_equal(DP_OK, dp_input_next(in, &more, &err));
    assert_int_equal(1, more);
    for (int f = 0; f < DP_FIELDS; f++)
        assert_true(dp_input_has(in, (dp_field)f));
    assert_false(dp_input_has(in, DP_FIELDS));
    for (size_t i = 0; i < DP_COUNT(texts); i++)
        assert_text(in, texts[i].field, texts[i].want);
    for (size_t i = 0; i < DP_COUNT(numbers); i++)
        assert_int_equal(numbers[i].want, dp_input_number(in, numbers[i].field));
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(i < 4 ? i + 1 : 0, dp_input_hash(in, DP_FIELD_SKETCH, i));
    assert_true(dp_input_hash(in, DP_FIELD_SIMHASH, 0) == 0xd61dc388ac537646);
    assert_true(dp_input_importance(in) == 0.25);
    assert_int_equal(2, dp_input_line(in));
    assert_string_equal(path, dp_input_path(in));
    assert_part(in, DP_PART_BODY, NULL);
    /* nothing is known of the next but its URL */
    assert_int_equal(DP_OK, dp_input_next(in, &more, &err));
    for (int f = 1; f < DP_FIELDS; f++) {
        assert_false(dp_input_has(in, (dp_field)f));
        assert_text(in, (dp_field)f, NULL);
        assert_int_equal(0, dp_input_number(in, (dp_field)f));
    }
    /* the end, and after it */
    for (int i = 0; i < 2; i++) {
        assert_int_equal(DP_OK, dp_input_next(in, &more, &err));
        assert_int_equal(0, more);
        assert_false(dp_input_has(in, DP_FIELD_URL));
        assert_null(dp_input_path(in));
    }
    assert_int_equal(1, dp_input_bad_lines(in));
    assert_int_equal(DP_OK, dp_input_bad(in, 0, &err));
    assert_int_equal(4, err.line);
    assert_int_equal(DP_EINVALID, dp_input_bad(in, 1, &err));
    dp_input_free(in);
    dp_input_free(NULL);
}

static void options_and_flags_count(void **state)
{
    (void)state;
    dp_input *in;
    dp_error  err = {0};
    int       more;
    dp_buf    text = {0};
    packed_add_warc(&text, "1.0", "WARC-Type: response\r\nWARC-Target-URI: http://a.com/\r\n",
                    DP_STR("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n"));
    const char *archive = dp_temp_write("warc", dp_buf_view(&text));
    const char *log = dp_temp_write("log", DP_STR("POST /a\nx\n"));
    const char *list = dp_temp_write("list", DP_STR("x\thttp://a.com/\n"));
    assert_int_equal(DP_OK, dp_input_new(&in));
    assert_int_equal(DP_OK, dp_input_open(in, &archive, 1, DP_WITH_BODIES, &err));
    assert_int_equal(DP_OK, dp_input_next(in, &more, &err));
    assert_part(in, DP_PART_BODY, "body");
    assert_part(in, DP_PART_HEADER, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    assert_part(in, DP_PART_LINE, NULL);
    dp_input_free(in);

    assert_int_equal(DP_OK, dp_input_new(&in));
    assert_int_equal(DP_OK, dp_input_set(in, DP_INPUT_LOG_FORMAT, "%r"));
    assert_int_equal(DP_OK, dp_input_set(in, DP_INPUT_BASE_URL, "http://a.com"));
    assert_int_equal(DP_EINVALID, dp_input_set(in, (dp_input_option)99, "x"));
    assert_int_equal(DP_OK, dp_input_open(in, &log, 1, DP_STRICT, &err));
    assert_int_equal(DP_OK, dp_input_next(in, &more, &err));
    assert_part(in, DP_PART_METHOD, "POST");
    assert_part(in, DP_PART_LINE, "POST /a");
    assert_text(in, DP_FIELD_URL, "http://a.com/a");
    assert_int_equal(DP_ESYNTAX, dp_input_next(in, &more, &err));
    assert_int_equal(0, more);
    assert_int_equal(2, err.line);
    dp_input_free(in);

    assert_int_equal(DP_OK, dp_input_new(&in));
    assert_int_equal(DP_OK, dp_input_set(in, DP_INPUT_FORMAT, "to be forgotten"));
    assert_int_equal(DP_OK, dp_input_set(in, DP_INPUT_FORMAT, NULL));
    assert_int_equal(DP_OK, dp_input_set(in, DP_INPUT_COLUMNS, "sketch,url"));
    assert_int_equal(DP_OK, dp_input_open(in, &list, 1, 0, &err));
    assert_int_equal(DP_OK, dp_input_next(in, &more, &err));
    assert_text(in, DP_FIELD_SKETCH, "x");
    dp_input_free(in);
    dp_buf_done(&text);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    const char *path = dp_temp_write("list", DP_STR("x\thttp://a.com/\n"));
    DP_EVERY_ALLOC_FAILURE
    {
        dp_input *in = NULL;
        int       more = 1;
        dp_err    code = dp_input_new(&in);
        if (code == DP_OK)
            code = dp_input_set(in, DP_INPUT_COLUMNS, "cluster,url");
        if (code == DP_OK)
            code = dp_input_open(in, &path, 1, 0, NULL);
        while (code == DP_OK && more)
            code = dp_input_next(in, &more, NULL);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        dp_input_free(in);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(gives_every_field, dp_temp_remove),
        cmocka_unit_test_teardown(options_and_flags_count, dp_temp_remove),
        cmocka_unit_test_teardown(survives_every_allocation_failure, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
