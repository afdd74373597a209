/* The usual size of a URL, and the spread: cut transfers, counters in pages, pages that were changed.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "learn/sizes/tell_pairs.h"
#include "site/usual.h"
#include "url/asset.h"

static void fetch(dp_counted *c, uint32_t url, uint32_t size, int times)
{
    for (int i = 0; i < times; i++)
        assert_true(dp_counted_add(c, url, size));
}

static void cut_transfers_are_not_usual(void **state)
{
    (void)state;
    const uint32_t url[] = {3, 5, 7};
    uint32_t       usual[3], spread = 9;
    dp_counted     c = {0};
    fetch(&c, 3, 5120, 3);
    fetch(&c, 3, 1448, 1);
    fetch(&c, 5, 100, 1);
    fetch(&c, 5, 900, 1);
    assert_true(dp_counted_merge(&c) && dp_usual_find(usual, &spread, &c, url, 3));
    assert_true(usual[0] == 5120);
    assert_true(usual[1] == 900); /* of equally frequent ones the largest */
    assert_true(usual[2] == DP_NO_SIZE);
    assert_true(spread == 0);
    dp_counted_done(&c);
}

static void pages_with_counters_have_a_spread(void **state)
{
    (void)state;
    uint32_t   url[8], usual[8], spread = 9;
    dp_counted c = {0};
    for (uint32_t i = 0; i < 8; i++) {
        url[i] = i;
        for (uint32_t k = 0; k < 5; k++)
            fetch(&c, i, 7000 + 50 * i + k, 1);
        fetch(&c, i, 9000, 1); /* the page was changed: that is no spread */
    }
    assert_true(dp_counted_merge(&c) && dp_usual_find(usual, &spread, &c, url, 8));
    assert_true(spread > 0 && spread <= 4);
    assert_true(usual[2] >= 7100 && usual[2] <= 7104);
    dp_counted_done(&c);
}

static void digits_of_a_counter_are_a_spread(void **state)
{
    (void)state;
    uint32_t   url[20], usual[20], spread = 9;
    dp_counted c = {0};
    for (uint32_t i = 0; i < 20; i++) {
        url[i] = i;
        fetch(&c, i, 7000 + 50 * i, 5);
        if (i % 2)
            fetch(&c, i, 7001 + 50 * i, 1); /* the thousandth visitor */
    }
    assert_true(dp_counted_merge(&c) && dp_usual_find(usual, &spread, &c, url, 20));
    assert_int_equal(1, spread);
    dp_counted_done(&c);
}

static void some_pairs_prove_nothing(void **state)
{
    (void)state;
    dp_pair_teller t = {0};
    assert_true(dp_pair_proves_nothing(&t, DP_STR("http://a.com/l?sort=name"), DP_STR("http://a.com/l")));
    assert_true(dp_pair_proves_nothing(&t, DP_STR("http://a.com/l/?C=N;O=D"), DP_STR("http://a.com/l/")));
    assert_true(dp_pair_proves_nothing(&t, DP_STR("http://a.com/2.2/x"), DP_STR("http://a.com/v2.4/x")));
    assert_false(dp_pair_proves_nothing(&t, DP_STR("http://a.com/2.2/x"), DP_STR("http://a.com/current/x")));
    assert_false(dp_pair_proves_nothing(&t, DP_STR("http://a.com/x?sid=1"), DP_STR("http://a.com/x")));
    assert_true(dp_pair_has_other_numbers(DP_STR("http://a.com/11:05"), DP_STR("http://a.com/08:17")));
    assert_false(dp_pair_has_other_numbers(DP_STR("http://a.com/de"), DP_STR("http://a.com/en")));
    assert_false(t.failed);
    dp_pair_teller_done(&t);
}

static void assets_are_known_by_their_endings(void **state)
{
    (void)state;
    assert_true(dp_url_is_asset(DP_STR("http://a.com/logo.PNG?v=2")));
    assert_true(dp_url_is_asset(DP_STR("http://a.com/f/a.woff2")));
    assert_false(dp_url_is_asset(DP_STR("http://a.com/logo.png/about")));
    assert_false(dp_url_is_asset(DP_STR("http://a.com/png")));
    assert_false(dp_url_is_asset(DP_STR("http://a.com/show.php?f=x.png")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_transfers_are_not_usual),
        cmocka_unit_test(pages_with_counters_have_a_spread),
        cmocka_unit_test(digits_of_a_counter_are_a_spread),
        cmocka_unit_test(some_pairs_prove_nothing),
        cmocka_unit_test(assets_are_known_by_their_endings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
