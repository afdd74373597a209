/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>

#include "dustpan.h"
#include "support/failing_alloc.h"
#include "support/rules.h"
#include "support/tempfile.h"

static const char old_rules[] = "dustpan-rules 1\nhost a.com\ndrop ?s\n";
static const char new_rules[] = "dustpan-rules 1\nhost a.com\ndrop ?s,q\nhost any\nset ?page=1\n";

static dp_engine *old, *new;

static int make_engines(void **state)
{
    (void)state;
    old = engine_of(old_rules);
    new = engine_of(new_rules);
    return 0;
}

static int free_engines(void **state)
{
    (void)state;
    dp_engine_free(old);
    dp_engine_free(new);
    return 0;
}

static const char urls[] = "http://a.com/?q=1\n"
                           "http://A.com/?q=2&s=3\n"
                           "http://a.com/\n"
                           "nothing\r\n\r\n"
                           "http://b.org:81/?page=7&p=8\r\n"
                           "http://c.org/?q=1\n";

static void names_hosts_by_how_much_changes(void **state)
{
    (void)state;
    static const struct { unsigned flags; dp_format format; const char *want; } cases[] = {
        {0, DP_PLAIN, "a.com\t2\t3\thttp://a.com/?q=xxx\thttp://a.com/?q=xxx\thttp://a.com/\n"
                      "b.org\t1\t1\thttp://b.org:81/?page=7&p=8\thttp://b.org:81/?page=7&p=8\t"
                      "http://b.org:81/?page=1&p=8\n"},
        {DP_RAW_EXAMPLES, DP_JSON,
         "\"changed\":3,\"urls\":5,\"hosts\":["
         "{\"host\":\"a.com\",\"changed\":2,\"urls\":3,\"url\":\"http://a.com/?q=1\",\"a\":\"http://a.com/?q=1\","
         "\"b\":\"http://a.com/\"},"
         "{\"host\":\"b.org\",\"changed\":1,\"urls\":1,\"url\":\"http://b.org:81/?page=7&p=8\","
         "\"a\":\"http://b.org:81/?page=7&p=8\",\"b\":\"http://b.org:81/?page=1&p=8\"}]}\n"},
    };
    const char *path = dp_temp_write("urls", dp_str_c(urls));
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_text *text;
        size_t   n = 0;
        assert_int_equal(DP_OK, dp_diff_urls(&text, old, new, &path, 1, cases[i].flags, cases[i].format, &n, NULL));
        assert_int_equal(3, n);
        const char *got = dp_text_data(text);
        char        sets[80] = "";
        if (cases[i].format == DP_JSON)
            snprintf(sets, sizeof sets, "{\"set_a\":\"%016" PRIx64 "\",\"set_b\":\"%016" PRIx64 "\",",
                     dp_engine_set_id(old), dp_engine_set_id(new));
        assert_memory_equal(sets, got, strlen(sets));
        assert_string_equal(cases[i].want, got + strlen(sets));
        dp_text_free(text);
    }
}

static void the_same_rules_change_nothing(void **state)
{
    (void)state;
    const char *path = dp_temp_write("urls", dp_str_c(urls));
    dp_text    *text;
    size_t      n = 9;
    assert_int_equal(DP_OK, dp_diff_urls(&text, old, old, &path, 1, 0, DP_PLAIN, &n, NULL));
    assert_int_equal(0, n);
    assert_int_equal(0, dp_text_size(text));
    dp_text_free(text);
}

static void says_what_cannot_be_read(void **state)
{
    (void)state;
    const char *path = "/nowhere";
    dp_text    *text;
    size_t      n;
    dp_error    err;
    assert_int_equal(DP_EIO, dp_diff_urls(&text, old, new, &path, 1, 0, DP_PLAIN, &n, &err));
    assert_string_equal("/nowhere", err.file);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    const char *path = dp_temp_write("urls", dp_str_c(urls));
    for (int format = DP_PLAIN; format <= DP_JSON; format++) {
        DP_EVERY_ALLOC_FAILURE
        {
            dp_text *text = NULL;
            size_t   n;
            dp_err   code = dp_diff_urls(&text, old, new, &path, 1, 0, (dp_format)format, &n, NULL);
            assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
            dp_text_free(text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(names_hosts_by_how_much_changes, dp_temp_remove),
        cmocka_unit_test_teardown(the_same_rules_change_nothing, dp_temp_remove),
        cmocka_unit_test(says_what_cannot_be_read),
        cmocka_unit_test_teardown(survives_every_allocation_failure, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, make_engines, free_engines);
}
