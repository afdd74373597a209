/* Property: robots.txt rules decide as trying every split of every pattern would.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>

#include "base/rng.h"
#include "live/robots.h"

/* Whether the pattern matches a beginning of the path, by the words of the RFC. */
static bool naive_matches(const char *p, const char *path)
{
    if (*p == '\0')
        return true;
    if (p[0] == '$' && p[1] == '\0')
        return *path == '\0';
    if (*p == '*') {
        for (;; path++) {
            if (naive_matches(p + 1, path))
                return true;
            if (!*path)
                return false;
        }
    }
    return *path == *p && naive_matches(p + 1, path + 1);
}

static void draw_text(char *out, size_t most, const char *bytes, dp_rng *g)
{
    size_t n = (size_t)dp_rng_below(g, most);
    out[0] = '/';
    for (size_t i = 1; i <= n; i++)
        out[i] = bytes[dp_rng_below(g, strlen(bytes))];
    out[n + 1] = '\0';
}

static void decides_as_the_naive_one(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        dp_rng    g = dp_rng_seed(seed);
        dp_buf    text = {0};
        dp_arena  a = {0};
        dp_robots r;
        char      pattern[8][16], path[24];
        bool      allow[8], want = true;
        size_t    n = 1 + (size_t)dp_rng_below(&g, 8), longest = 0;
        draw_text(path, 16, "ab/", &g);
        dp_buf_c(&text, "user-agent: *\n");
        for (size_t i = 0; i < n; i++) {
            draw_text(pattern[i], 10, "ab/**$", &g);
            allow[i] = dp_rng_below(&g, 2);
            dp_buf_printf(&text, "%s: %s\n", allow[i] ? "allow" : "disallow", pattern[i]);
            size_t length = strlen(pattern[i]);
            if (naive_matches(pattern[i], path) && (length > longest || (length == longest && allow[i]))) {
                longest = length;
                want = allow[i];
            }
        }
        assert_int_equal(DP_OK, dp_robots_read(&r, dp_buf_view(&text), DP_STR("dustpan"), &a));
        if (dp_robots_allow(&r, dp_str_c(path)) != want)
            fail_msg("seed %" PRIu64 ": %s\n%.*s", seed, path, DP_FMT(dp_buf_view(&text)));
        dp_buf_done(&text);
        dp_arena_done(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(decides_as_the_naive_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
