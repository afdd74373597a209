/* learn/auto/forms/identity: which words set a page apart, and when a rule leaves none of them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "learn/auto/forms/identity.h"
#include "support/failing_alloc.h"
#include "support/sites.h"

static const site_row rows[] = {
    {"a", "http://a.test/t/59945"},
    {"a", "http://a.test/t/59945/24"},
    {"a", "http://a.test/t/old-title/059945"},
    {"b", "http://a.test/t/60001"},
    {"b", "http://a.test/t/60001/7?sid=1a2b3c4d5e"},
    {"c", "http://a.test/2019/may-day"},       /* a year is no id */
    {"c", "http://a.test/2019/may-day.html"},
    {"d", "http://a.test/x/77012"},            /* one URL alone */
    {"e", "http://a.test/dp/B0RTXTU9IC"},      /* letters and digits */
    {"e", "http://a.test/chair/dp/b0rtxtu9ic"},
    {"f", "http://a.test/t/1"}, {"g", "http://a.test/t/2"}, {"h", "http://a.test/dp/1"}, {"i", "http://a.test/dp/2"},
    {"j", "http://a.test/dp/3"},
};

static uint32_t cluster_of(const dp_site *s, const char *url)
{
    for (size_t i = 0; i < s->n; i++)
        if (dp_str_eq(s->url[i], dp_str_c(url)))
            return s->cluster[i];
    fail_msg("no URL %s", url);
    return 0;
}

static void a_page_is_lost_when_nothing_of_it_is_left(void **state)
{
    static const struct {
        const char *url, *after;
        bool        lost;
    } v[] = {
        {"http://a.test/t/59945/24", "http://a.test/t/24", true},
        {"http://a.test/t/59945/24", "http://a.test/t/59945", false},
        {"http://a.test/t/old-title/059945", "http://a.test/t/old-title", true},
        {"http://a.test/t/old-title/059945", "http://a.test/t/59945", false},
        {"http://a.test/t/60001/7?sid=1a2b3c4d5e", "http://a.test/t/60001/7", false},
        {"http://a.test/t/60001/7?sid=1a2b3c4d5e", "http://a.test/t/7?sid=1a2b3c4d5e", true},
        {"http://a.test/2019/may-day.html", "http://a.test/", false},
        {"http://a.test/x/77012", "http://a.test/x", false},
        {"http://a.test/dp/B0RTXTU9IC", "http://a.test/dp", true},
        {"http://a.test/dp/B0RTXTU9IC", "http://a.test/dp/b0rtxtu9ic", false},
    };
    dp_arena      a = {0};
    dp_site       s;
    dp_identities d;
    (void)state;
    make_site(&s, rows, DP_COUNT(rows), &a);
    assert_int_equal(DP_OK, dp_identities_init(&d, &s));
    for (size_t i = 0; i < DP_COUNT(v); i++)
        if (dp_identity_is_lost(&d, cluster_of(&s, v[i].url), dp_str_c(v[i].url), dp_str_c(v[i].after)) != v[i].lost)
            fail_msg("%s => %s", v[i].url, v[i].after);
    /* what had lost it before loses nothing, and nothing is known of a page without a label */
    uint32_t c = cluster_of(&s, "http://a.test/t/59945");
    assert_false(dp_identity_is_lost(&d, c, DP_STR("http://a.test/t/24"), DP_STR("http://a.test/24")));
    assert_false(dp_identity_is_lost(&d, DP_NO_CLUSTER, DP_STR("http://a.test/1234567"), DP_STR("http://a.test/")));
    dp_identities_done(&d);
    dp_arena_done(&a);
}

static void what_many_pages_have_sets_none_apart(void **state)
{
    static const site_row many[] = {
        {"a", "http://a.test/v/123456/a"}, {"a", "http://a.test/v/123456/a?x=1"}, {"b", "http://a.test/v/123456/b"},
        {"b", "http://a.test/v/123456/b?x=1"}, {"c", "http://a.test/v/123456/c"}, {"d", "http://a.test/v/123456/d"},
    };
    dp_arena      a = {0};
    dp_site       s;
    dp_identities d;
    (void)state;
    make_site(&s, many, DP_COUNT(many), &a);
    assert_int_equal(DP_OK, dp_identities_init(&d, &s));
    assert_int_equal(0, d.n);
    dp_identities_done(&d);
    dp_arena_done(&a);
}

static void an_empty_site_has_none(void **state)
{
    dp_arena      a = {0};
    dp_site       s;
    dp_identities d;
    (void)state;
    make_site(&s, rows, 0, &a);
    assert_int_equal(DP_OK, dp_identities_init(&d, &s));
    assert_int_equal(0, d.n);
    dp_identities_done(&d);
    dp_arena_done(&a);
}

static void survives_every_allocation_failure(void **state)
{
    dp_arena a = {0};
    dp_site  s;
    (void)state;
    make_site(&s, rows, DP_COUNT(rows), &a);
    DP_EVERY_ALLOC_FAILURE {
        dp_identities d;
        dp_err        e = dp_identities_init(&d, &s);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, e);
        dp_identities_done(&d);
    }
    dp_arena_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_is_lost_when_nothing_of_it_is_left),
        cmocka_unit_test(what_many_pages_have_sets_none_apart),
        cmocka_unit_test(an_empty_site_has_none),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
