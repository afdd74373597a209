/* Against servers it is tested by tests/cli/validate_*.sh; here is what needs none.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "live/http.h"

static const dp_http_options usual = {.user_agent = "dustpan/test", .timeout = 5000, .max_size = 1 << 20};

static dp_fault ask(const dp_http_options *o, const char *url)
{
    dp_http       *h = NULL;
    dp_http_answer a = {0};
    assert_int_equal(DP_OK, dp_http_new(&h, o, NULL));
    assert_int_equal(DP_OK, dp_http_start(h, dp_str_c(url), 7));
    for (int i = 0; i < 100 && !dp_http_next(h, &a); i++)
        assert_int_equal(DP_OK, dp_http_wait(h, 100));
    assert_int_equal(7, a.tag);
    dp_http_free(h);
    return a.fault;
}

/* However it is written: the address counts. Nothing listens at port 1, and nobody is asked. */
static void private_addresses_are_refused(void **state)
{
    (void)state;
    static const char *const urls[] = {
        "http://127.0.0.1:1/",        "http://localhost:1/", "http://[::1]:1/",   "http://[::ffff:127.0.0.1]:1/",
        "http://2130706433:1/",       "http://0x7f.1:1/",    "http://0:1/",       "http://10.0.0.1:1/",
        "http://169.254.169.254:1/x", "https://127.0.0.1:1/", "http://192.168.1.1:1/",
    };
    for (size_t i = 0; i < DP_COUNT(urls); i++)
        if (ask(&usual, urls[i]) != DP_FAULT_PRIVATE)
            fail_msg("%s: %s", urls[i], dp_fault_name(ask(&usual, urls[i])));
}

static void they_are_connected_to_when_allowed(void **state)
{
    (void)state;
    dp_http_options o = usual;
    o.allow_private = true;
    assert_int_equal(DP_FAULT_REFUSED, ask(&o, "http://127.0.0.1:1/"));
}

static void only_http_is_spoken(void **state)
{
    (void)state;
    static const char *const urls[] = {"file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/", "dict://a/",
                                       "http://me:pw@127.0.0.1:1/"};
    dp_http_options          o = usual;
    o.allow_private = true;
    for (size_t i = 0; i < DP_COUNT(urls); i++)
        if (ask(&o, urls[i]) != DP_FAULT_BROKEN)
            fail_msg("%s: %s", urls[i], dp_fault_name(ask(&o, urls[i])));
}

static void requests_under_way_are_given_up(void **state)
{
    (void)state;
    dp_http        *h = NULL;
    dp_http_options o = usual;
    o.allow_private = true;
    assert_int_equal(DP_OK, dp_http_new(&h, &o, NULL));
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(DP_OK, dp_http_start(h, DP_STR("http://127.0.0.1:1/"), i));
    assert_int_equal(DP_OK, dp_http_wait(h, 0));
    dp_http_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(private_addresses_are_refused),
        cmocka_unit_test(they_are_connected_to_when_allowed),
        cmocka_unit_test(only_http_is_spoken),
        cmocka_unit_test(requests_under_way_are_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
