/* What DustBuster writes as a template says the same as the `sub` it stands for, whatever the URL; and both load.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>

#include "base/rng.h"
#include "learn/dust/dust.h"
#include "learn/dust/method.h"
#include "learn/dust/text.h"
#include "url/normalize.h"

static const char *const hosts[] = {"a.com", "www.a.com", "b.org", "x"};
static const char *const words[] = {"x", "index", "html", "default", "a", "com", "index.html", "www", "X", "%2F", "1"};
static const char *const seps[] = {"/", "/", ".", "-", "_", "", ";", "="};

static const char *pick(dp_rng *g, const char *const *v, size_t n)
{
    return v[dp_rng_below(g, n)];
}

static void add_text(dp_rng *g, dp_buf *b, uint64_t most)
{
    for (uint64_t k = dp_rng_below(g, most + 1); k > 0; k--) {
        dp_buf_c(b, pick(g, words, DP_COUNT(words)));
        dp_buf_c(b, pick(g, seps, DP_COUNT(seps)));
    }
}

/* A URL in stage-0 form, with a scheme and without port and userinfo: what templates are promised for. */
static dp_str random_url(dp_rng *g, dp_str tail, dp_arena *a)
{
    dp_buf b = {0}, out = {0};
    dp_buf_c(&b, dp_rng_below(g, 2) ? "http://" : "https://");
    dp_buf_c(&b, pick(g, hosts, DP_COUNT(hosts)));
    dp_buf_c(&b, "/");
    add_text(g, &b, 4);
    if (dp_rng_below(g, 2))
        dp_buf_str(&b, tail);
    if (dp_rng_below(g, 3) == 0) {
        dp_buf_c(&b, "?");
        add_text(g, &b, 3);
        if (dp_rng_below(g, 4) == 0)
            dp_buf_str(&b, tail);
    }
    assert_true(dp_normalize(&out, dp_buf_view(&b)));
    dp_str url = dp_arena_str(a, dp_buf_view(&out));
    dp_buf_done(&b);
    dp_buf_done(&out);
    return url;
}

static dp_str random_side(dp_rng *g, const dp_dust_rule *r, dp_arena *a)
{
    dp_buf b = {0};
    if (r->at_start) {
        dp_buf_c(&b, dp_rng_below(g, 2) ? "http://" : "https://");
        dp_buf_c(&b, pick(g, hosts, DP_COUNT(hosts)));
        dp_buf_c(&b, "/");
    } else if (dp_rng_below(g, 6)) {
        dp_buf_c(&b, "/");
    }
    if (!r->at_start || dp_rng_below(g, 4) == 0)
        add_text(g, &b, 2);
    dp_str s = dp_arena_str(a, dp_buf_view(&b));
    dp_buf_done(&b);
    return s;
}

/* NULL when the file is refused. */
static dp_engine *engine_of(dp_str scope, dp_str text, dp_rules **rules)
{
    dp_engine *e = NULL;
    dp_buf     b = {0};
    dp_buf_printf(&b, "dustpan-rules 1\nhost %.*s\n", DP_FMT(scope));
    dp_buf_str(&b, text);
    dp_buf_byte(&b, '\n');
    dp_error err;
    assert_int_equal(DP_OK, dp_rules_new(rules));
    if (dp_rules_parse(*rules, "rule", b.p, b.n, &err) != DP_OK)
        fail_msg("%.*s: %s", DP_FMT(text), err.message);
    if (dp_engine_new(&e, *rules, 0, 0, &err) != DP_OK)
        e = NULL;
    dp_buf_done(&b);
    return e;
}

/* The urls' keys under both. */
static void compare(uint64_t seed, const dp_engine *x, const dp_engine *y, dp_str text, dp_str url, size_t *changed)
{
    char        one[2000], two[2000];
    dp_scratch *s = NULL;
    assert_int_equal(DP_OK, dp_scratch_new(&s));
    size_t n = dp_apply(x, s, url.p, url.n, one, sizeof one), m = dp_apply(y, s, url.p, url.n, two, sizeof two);
    if (n != m || memcmp(one, two, n) != 0)
        fail_msg("seed %" PRIu64 ", %.*s: %.*s: %.*s, not %.*s", seed, DP_FMT(text), DP_FMT(url), (int)m, two, (int)n,
                 one);
    *changed += !dp_str_eq(url, (dp_str){one, n});
    dp_scratch_free(s);
}

static void templates_say_what_the_substitution_says(void **state)
{
    (void)state;
    enum { URLS = 24 };
    dp_str all = DP_STR("a.com, www.a.com, b.org, x");
    size_t templates = 0, changed = 0, refused = 0;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        dp_rng       g = dp_rng_seed(seed);
        dp_arena     a = {0};
        dp_buf       sub = {0}, text = {0};
        dp_dust_rule r = {.at_start = dp_rng_below(&g, 2)};
        dp_str       url[URLS];
        r.at_end = !r.at_start || dp_rng_below(&g, 4) == 0;
        r.alpha = random_side(&g, &r, &a);
        r.beta = random_side(&g, &r, &a);
        for (size_t i = 0; i < URLS; i++)
            url[i] = random_url(&g, dp_rng_below(&g, 2) ? r.alpha : r.beta, &a);
        dp_dust_forms forms;
        assert_int_equal(DP_OK, dp_dust_forms_read(&forms, url, URLS, &a));
        bool differ = !dp_str_eq(r.alpha, r.beta);
        if (differ && dp_dust_sub_text(&sub, &r) && dp_dust_rule_text(&text, &r, &forms) &&
            !dp_str_eq(dp_buf_view(&sub), dp_buf_view(&text))) {
            dp_rules  *one, *two;
            dp_engine *x = engine_of(all, dp_buf_view(&sub), &one), *y = engine_of(all, dp_buf_view(&text), &two);
            templates++;
            refused += !x || !y;
            for (size_t i = 0; i < URLS && x && y; i++)
                compare(seed, x, y, dp_buf_view(&text), url[i], &changed);
            dp_engine_free(x);
            dp_engine_free(y);
            dp_rules_free(one);
            dp_rules_free(two);
        }
        dp_buf_done(&sub);
        dp_buf_done(&text);
        dp_arena_done(&a);
    }
    print_message("%zu templates, %zu URLs changed, %zu refused\n", templates, changed, refused);
    assert_true(templates > 500 && changed > 2000 && refused < templates / 20);
}

static int by_bytes(const void *a, const void *b)
{
    return dp_str_cmp(*(const dp_str *)a, *(const dp_str *)b);
}

/* Whatever is learned from URLs in stage-0 form can be read. */
static void proposals_are_rules(void **state)
{
    (void)state;
    enum { URLS = 200 };
    size_t proposals = 0, refused = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        dp_rng           g = dp_rng_seed(seed);
        dp_arena         a = {0};
        dp_str           url[URLS];
        dp_site_page     page[URLS];
        dp_site          s;
        dp_proposals     out = {0};
        dp_learn_context ctx = {0};
        dp_dust_options  o = DP_DUST_OPTIONS_INIT;
        for (size_t i = 0; i < URLS; i++)
            url[i] = random_url(&g, DP_STR("?x=1&a%2Fb=*"), &a);
        qsort(url, URLS, sizeof *url, by_bytes);
        for (size_t i = 0; i < URLS; i++)
            page[i] = (dp_site_page){.url = url[i]};
        assert_int_equal(DP_OK, dp_site_make(&s, DP_STR("a.com"), page, URLS, &a));
        assert_int_equal(DP_OK, dp_method_dust.learn(&out, &s, &o, &ctx, &a));
        for (size_t i = 0; i < out.n; i++) {
            dp_rules  *rules;
            dp_engine *e = engine_of(out.v[i].hosts, out.v[i].text, &rules);
            proposals++;
            refused += !e;
            dp_engine_free(e);
            dp_rules_free(rules);
        }
        dp_proposals_done(&out);
        dp_arena_done(&a);
    }
    print_message("%zu proposals\n", proposals);
    assert_true(proposals > 150 && refused == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(templates_say_what_the_substitution_says),
        cmocka_unit_test(proposals_are_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
