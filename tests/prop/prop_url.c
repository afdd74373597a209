/* Property: the laws of support/url_laws.h hold on random and mutated texts.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>

#include "base/words/json.h"
#include "support/url_laws.h"
#include "support/world.h"

enum { TEXTS = 1000000 };

/* What mutations begin with. */
static const char *const seeds[] = {
    "http://a.com/story?id=12",
    "https://me:pw@www.a.co.uk:8443/a;v=1/b;w/index.html;;?x=1&y;z=&x=2",
    "http://[2001:db8::1]:81/%C3%A4/%2F/?q=%26%20",
    "a.com:81/x/./../y//z/",
    "HTTP://M\xC3\x9CR.Example:080/%7e%41?&&;#f",
    "http://a.com/The-Film_UPC_W0QQ_fclsZ1QQ_pidZ23?tt0112641",
};

static dp_str draw(dp_rng *g, dp_arena *a)
{
    dp_str text = dp_rng_below(g, 4) == 0 ? world_bytes(g, a) : dp_str_c(seeds[dp_rng_below(g, DP_COUNT(seeds))]);
    return world_mutate(g, text, a);
}

static void laws_hold_on_random_texts(void **state)
{
    (void)state;
    url_laws l = {0};
    dp_arena a = {0};
    size_t   urls = 0, normal = 0;
    for (uint64_t seed = 1; seed <= TEXTS; seed++) {
        dp_rng      g = dp_rng_seed(seed);
        dp_str      text = draw(&g, &a);
        const char *broken = url_laws_check(&l, text);
        if (broken) {
            dp_buf shown = {0};
            dp_json_str(&shown, text);
            fail_msg("seed %" PRIu64 ": not so: %s: %.*s", seed, broken, DP_FMT(dp_buf_view(&shown)));
        }
        urls += l.is_url;
        normal += l.is_normal;
        dp_arena_reset(&a);
    }
    print_message("seeds 1 to %d: %zu URLs, %zu of them in stage-0 form\n", TEXTS, urls, normal);
    assert_true(urls > TEXTS / 4 && normal > TEXTS / 20);
    url_laws_done(&l);
    dp_arena_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_hold_on_random_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
