/* site/ownership: lines of domains, each with one owner.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "site/ownership.h"
#include "support/failing_alloc.h"

static const char file[] = "# ours\n"
                           "shop.example, shop.de\twww.shop.co.uk   # and more\r\n"
                           "\n"
                           "B\xC3\xBC"
                           "cher.example alone.org,\n"
                           "lonely.org";

static void assert_lead(const dp_ownership *o, const char *domain, const char *want)
{
    dp_str lead = dp_ownership_lead(o, dp_str_c(domain));
    if (!dp_str_eq(lead, dp_str_c(want)))
        fail_msg("%s: %.*s", domain, DP_FMT(lead));
}

static void the_first_of_a_line_leads(void **state)
{
    dp_ownership o = {0};
    (void)state;
    assert_int_equal(DP_OK, dp_ownership_read(&o, dp_str_c(file), "file", NULL));
    assert_lead(&o, "shop.example", "shop.example");
    assert_lead(&o, "shop.de", "shop.example");
    assert_lead(&o, "shop.co.uk", "shop.example"); /* registrable domains, whatever host was given */
    assert_lead(&o, "alone.org", "xn--bcher-kva.example");
    assert_lead(&o, "lonely.org", "lonely.org");
    assert_lead(&o, "other.org", "other.org");
    assert_true(dp_ownership_prefer(&o, DP_STR("shop.de"), DP_STR("shop.co.uk")));
    assert_false(dp_ownership_prefer(&o, DP_STR("shop.co.uk"), DP_STR("shop.de")));
    const dp_str ours[] = {DP_STR("shop.co.uk"), DP_STR("shop.example"), DP_STR("other.org")};
    assert_true(dp_ownership_are_one(&o, ours, 2));
    assert_false(dp_ownership_are_one(&o, ours, 3));
    dp_ownership_done(&o);
    assert_lead(&o, "shop.de", "shop.de"); /* nobody has said anything */
}

static void what_is_wrong_is_named(void **state)
{
    static const struct {
        const char *text, *message;
        size_t      line;
    } cases[] = {
        {"a.com b/c\n", "'b/c' is not a domain", 1},
        {"a.com b.com\nc.com www.a.com\n", "a.com is listed twice: put all domains of one owner on one line", 2},
    };
    (void)state;
    for (size_t i = 0; i < DP_COUNT(cases); i++) {
        dp_ownership o = {0};
        dp_error     err = {0};
        assert_int_equal(DP_ESYNTAX, dp_ownership_read(&o, dp_str_c(cases[i].text), "file", &err));
        assert_string_equal(cases[i].message, err.message);
        assert_int_equal(cases[i].line, err.line);
        dp_ownership_done(&o);
    }
}

static void a_domain_may_be_named_twice_in_its_line(void **state)
{
    dp_ownership o = {0};
    (void)state;
    assert_int_equal(DP_OK, dp_ownership_read(&o, DP_STR("a.com www.a.com b.com a.com"), "file", NULL));
    assert_lead(&o, "b.com", "a.com");
    dp_ownership_done(&o);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    DP_EVERY_ALLOC_FAILURE {
        dp_ownership o = {0};
        dp_err       code = dp_ownership_read(&o, dp_str_c(file), "file", NULL);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        dp_ownership_done(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_of_a_line_leads),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(a_domain_may_be_named_twice_in_its_line),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests_name("ownership", tests, NULL, NULL);
}
