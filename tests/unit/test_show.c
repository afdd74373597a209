/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/str.h"
#include "dustpan.h"
#include "support/failing_alloc.h"
#include "support/rules.h"

static const char rules[] = "dustpan-rules 1\n"
                            "host a.com, www.a.com\n"
                            "drop ?sid                       [p=.99 n=1000 neg=2 save=5000]\n"
                            "/a => /b                        [p=.5 n=10]\n"
                            "host b.com\n"
                            "likely drop ?sid                [p=.9 n=234.5 neg=1]\n"
                            "drop ?x\n"
                            "host c.com off\n"
                            "drop ?sid                       [p=.1 n=7 save=100000]\n"
                            "host d.com\n"
                            "off /a => /b                    [p=.5 n=90]\n";

static void assert_shows(const char *text, dp_format format, const char *want)
{
    dp_rules *r = rules_of(text);
    dp_text *t;
    assert_int_equal(DP_OK, dp_rules_show(&t, r, format));
    assert_string_equal(want, dp_text_data(t));
    dp_text_free(t);
    dp_rules_free(r);
}

static void ranks_families_by_risk(void **state)
{
    (void)state;
    assert_shows(rules, DP_PLAIN,
                 "at risk  hosts  right  wrong  p min  p mean  rule\n"
                 "   73.5      4  1,242      3    0.1  0.6633  drop ?sid  (1 active, 1 likely, 1 off)\n"
                 "      5      3    100      0    0.5     0.5  /a => /b  (1 active, 1 off)\n"
                 "      -      1      0      0      -       -  drop ?x\n");
}

static void shows_json(void **state)
{
    (void)state;
    assert_shows(rules, DP_JSON,
                 "{\"families\":[\n"
                 "{\"rule\":\"drop ?sid\",\"words\":\"Parameter sid does not matter.\","
                 "\"hosts\":4,\"rules\":3,\"active\":1,\"pin\":0,\"likely\":1,\"off\":1,"
                 "\"n\":1241.5,\"neg\":3,\"p_min\":0.1,\"p_mean\":0.663333,\"risk\":73.45},\n"
                 "{\"rule\":\"/a => /b\",\"words\":\"/a shows the same page as /b.\","
                 "\"hosts\":3,\"rules\":2,\"active\":1,\"pin\":0,\"likely\":0,\"off\":1,"
                 "\"n\":100,\"neg\":0,\"p_min\":0.5,\"p_mean\":0.5,\"risk\":5},\n"
                 "{\"rule\":\"drop ?x\",\"words\":\"Parameter x does not matter.\","
                 "\"hosts\":1,\"rules\":1,\"active\":1,\"pin\":0,\"likely\":0,\"off\":0,\"n\":0,"
                 "\"neg\":0,\"p_min\":null,\"p_mean\":null,\"risk\":0}],\"set\":\"b6e9bd18faae64c0\"}\n");
}

static void shows_nothing_of_nothing(void **state)
{
    (void)state;
    assert_shows("dustpan-rules 1\n", DP_PLAIN, "at risk  hosts  right  wrong  p min  p mean  rule\n");
    assert_shows("dustpan-rules 1\n", DP_JSON, "{\"families\":[],\"set\":\"931c2597a2baed42\"}\n");
}

static void large_numbers_fit(void **state)
{
    (void)state;
    assert_shows("dustpan-rules 1\nhost any\npin drop ?a [p=0 n=1000000000000000]\n", DP_PLAIN,
                 "              at risk  hosts                  right  wrong  p min  p mean  rule\n"
                 "1,000,000,000,000,000      1  1,000,000,000,000,000      0      0       0  drop ?a  (pinned)\n");
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    dp_rules *r = rules_of(rules);
    for (int format = DP_PLAIN; format <= DP_JSON; format++) {
        DP_EVERY_ALLOC_FAILURE
        {
            dp_text *t = NULL;
            dp_err e = dp_rules_show(&t, r, (dp_format)format);
            assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, e);
            dp_text_free(t);
        }
    }
    dp_rules_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_families_by_risk),
        cmocka_unit_test(shows_json),
        cmocka_unit_test(shows_nothing_of_nothing),
        cmocka_unit_test(large_numbers_fit),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
