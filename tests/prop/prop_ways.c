/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>

#include "apply/engine.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/rng.h"
#include "output/report/ways.h"

/* Property: under every choice of rules, the key that a page looks up is the one that the rules of this choice alone
 * make. The twin is an engine of the rules that are left. */

static const char *const rules[] = {
    "drop ?s", "erase ?s,t", "set ?p=1", "/{**}/i => /{**}/", "/a/{**} => /b/{**}", "/c/{y} => /{y}",
    "/b/{x}/a => /{x}/b", "drop ?p if =1", "sub \"a\" -> \"z\"",
};

enum { RULES = sizeof rules / sizeof *rules, CHOICES = 1 << RULES, URLS = 40 };

static dp_engine *engine_of(unsigned choice)
{
    char       file[1024];
    dp_rules  *r;
    dp_engine *e = NULL;
    dp_error   err;
    int        at = snprintf(file, sizeof file, "dustpan-rules 1\nhost a.com\n");
    for (unsigned i = 0; i < RULES; i++)
        at += snprintf(file + at, sizeof file - (size_t)at, "%s%s\n", choice >> i & 1 ? "" : "off ", rules[i]);
    assert_int_equal(DP_OK, dp_rules_new(&r));
    if (dp_rules_parse(r, "test", file, (size_t)at, &err) != DP_OK || dp_engine_new(&e, r, 0, 0, &err) != DP_OK)
        fail_msg("%zu: %s", err.line, err.message);
    dp_rules_free(r);
    return e;
}

static dp_str random_url(dp_rng *r, dp_arena *a)
{
    static const char *const seg[] = {"a", "b", "i", "c", "ca", ""};
    static const char *const par[] = {"s=1", "t=2", "p=1", "p=2", "q"};
    char                     url[200];
    int                      at = snprintf(url, sizeof url, "http://a.com");
    for (uint64_t i = 0, n = 1 + dp_rng_below(r, 3); i < n; i++)
        at += snprintf(url + at, sizeof url - (size_t)at, "/%s", seg[dp_rng_below(r, DP_COUNT(seg))]);
    for (uint64_t i = 0, n = dp_rng_below(r, 4); i < n; i++)
        at += snprintf(url + at, sizeof url - (size_t)at, "%c%s", i ? '&' : '?', par[dp_rng_below(r, DP_COUNT(par))]);
    return dp_arena_str(a, (dp_str){url, (size_t)at});
}

/* As web/review.js does it; UINT32_MAX when the way is not known. */
static uint32_t look_up(const dp_ways *w, uint32_t way, unsigned choice)
{
    for (;;) {
        const dp_way *at = &w->way[way];
        uint32_t      i = 0;
        while (i < at->n && choice >> w->step[at->first + i].rule & 1)
            i++;
        if (i == at->n)
            return at->key;
        way = w->step[at->first + i].without;
        if (way == DP_NO_WAY)
            return UINT32_MAX;
    }
}

static void test_ways(void **state)
{
    dp_rng      random = dp_rng_seed(4);
    dp_arena    a = {0};
    dp_ways     w = {0};
    dp_scratch *s;
    dp_str      url[URLS];
    uint32_t    root[URLS];
    uint64_t    unknown = 0;
    dp_engine  *all = engine_of(CHOICES - 1);
    (void)state;
    assert_int_equal(DP_OK, dp_scratch_new(&s));
    for (int i = 0; i < URLS; i++) {
        url[i] = random_url(&random, &a);
        assert_int_equal(DP_OK, dp_ways_add(&w, all, s, url[i], &root[i]));
    }
    for (unsigned choice = 0; choice < CHOICES; choice++) {
        dp_engine *e = engine_of(choice);
        for (int i = 0; i < URLS; i++) {
            dp_str   key = dp_engine_run(e, s, DP_KEY, url[i], NULL, NULL);
            uint32_t number = look_up(&w, root[i], choice);
            if (number == UINT32_MAX)
                unknown++;
            else if (w.keys.hash[number] != dp_hash_str(key))
                fail_msg("choice %x, %.*s: not %.*s", choice, DP_FMT(url[i]), DP_FMT(key));
        }
        dp_engine_free(e);
    }
    assert_true(unknown < (uint64_t)URLS * CHOICES / 100);
    dp_engine_free(all);
    dp_scratch_free(s);
    dp_ways_done(&w);
    dp_arena_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ways)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
