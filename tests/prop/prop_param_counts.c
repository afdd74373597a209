/* Property: names counted along the special bytes of a URL are those of its frame.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>

#include "base/rng.h"
#include "learn/auto/priors/param_counts.h"
#include "url/frame.h"
#include "url/normalize.h"

enum { URLS = 20 };

/* URLs of a set that have such a parameter. */
static uint32_t count(const dp_str *url, dp_str name)
{
    dp_frame f = {0};
    dp_param x;
    uint32_t n = 0;
    for (size_t i = 0; i < URLS; i++) {
        bool   has = false;
        dp_str text = dp_str_cut(name, 1, name.n);
        assert_int_equal(DP_FRAME_OK, dp_frame_read(&f, url[i]));
        for (uint32_t k = 0; k < f.npair && name.p[0] == '?'; k++)
            has |= dp_str_eq(dp_pair_name(&f, &f.pair[k]), text);
        for (uint32_t at = f.path; name.p[0] == ';' && dp_frame_param(&f, at, &x); at = x.end)
            has |= dp_str_eq(dp_frame_cut(&f, x.at + 1, x.eq), text);
        n += has;
    }
    dp_frame_done(&f);
    return n;
}

/* Names that the frames have and that can be written. */
static size_t count_names(const dp_str *url, const dp_param_counts *r)
{
    dp_frame f = {0};
    dp_param x;
    size_t   missing = 0;
    for (size_t i = 0; i < URLS; i++) {
        assert_int_equal(DP_FRAME_OK, dp_frame_read(&f, url[i]));
        uint32_t at = f.path;
        for (uint32_t k = 0; k < f.npair || dp_frame_param(&f, at, &x); k++) {
            bool   pair = k < f.npair, found = false;
            dp_str one = pair ? dp_pair_name(&f, &f.pair[k]) : dp_frame_cut(&f, x.at + 1, x.eq);
            at = pair ? at : x.end;
            for (size_t j = 0; j < r->n; j++)
                found |= r->v[j].text.p[0] == (pair ? '?' : ';') &&
                         dp_str_eq(dp_str_cut(r->v[j].text, 1, r->v[j].text.n), one);
            bool plain = one.n && !memchr(one.p, '*', one.n) && !memchr(one.p, ',', one.n) && one.p[0] != '+';
            missing += plain && !found;
        }
    }
    dp_frame_done(&f);
    return missing;
}

static void draw_url(dp_buf *out, dp_rng *g)
{
    static const char *const heads[] = {"http://a.com", "https://u;v=1@a.com:81", "http://[::1]", "http://a.com/x"};
    static const char        bytes[] = "ab_//;;==&&?%*,+";
    dp_buf                   raw = {0};
    dp_buf_c(&raw, heads[dp_rng_below(g, DP_COUNT(heads))]);
    dp_buf_byte(&raw, "/?"[dp_rng_below(g, 2)]);
    for (uint64_t n = dp_rng_below(g, dp_rng_below(g, 3) ? 30 : 150); n; n--)
        dp_buf_byte(&raw, bytes[dp_rng_below(g, sizeof bytes - 1)]);
    assert_true(dp_normalize(out, dp_buf_view(&raw)));
    dp_buf_done(&raw);
}

static void names_are_those_of_frames(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        dp_rng          g = dp_rng_seed(seed);
        dp_buf          text[URLS] = {{0}};
        dp_str          url[URLS];
        dp_param_counts r, some;
        for (size_t i = 0; i < URLS; i++) {
            draw_url(&text[i], &g);
            url[i] = dp_buf_view(&text[i]);
        }
        assert_int_equal(DP_OK, dp_param_counts_all(&r, url, URLS));
        for (size_t i = 0; i < r.n; i++)
            if (r.v[i].text.p[r.v[i].text.n - 1] != '*' && r.v[i].urls != count(url, r.v[i].text))
                fail_msg("seed %" PRIu64 ": %.*s", seed, DP_FMT(r.v[i].text));
        if (count_names(url, &r))
            fail_msg("seed %" PRIu64 ": a name is missing", seed);
        size_t k = r.n ? dp_rng_below(&g, r.n) : 0;
        assert_int_equal(DP_OK, dp_param_counts_some(&some, url, URLS, r.n ? &r.v[k].hash : NULL, r.n > 0));
        assert_int_equal(r.n > 0, some.n);
        if (some.n)
            assert_true(dp_str_eq(some.v[0].text, r.v[k].text) && some.v[0].urls == r.v[k].urls);
        dp_param_counts_done(&r);
        dp_param_counts_done(&some);
        for (size_t i = 0; i < URLS; i++)
            dp_buf_done(&text[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_those_of_frames)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
