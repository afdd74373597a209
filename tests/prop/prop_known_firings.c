/* Property: rules recalled from how a learner ran them, one block each, do what running their file gives; so do those
 * that `auto` has learned.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/rng.h"
#include "learn/auto/method.h"
#include "learn/auto/forms/rulebook.h"
#include "learn/accept/run_together.h"
#include "learn/accept/known_firings.h"

enum { MOST_RULES = 8, URLS = 60 };

static const char *const texts[] = {"drop ?s",        "drop ?p",           "/old/{**} => /new/{**}", "fold case path",
                                    "/{x}.html => /{x}", "order any",      "/new/{a} => /q/{a}",     "drop ?s if =1",
                                    "/q/{**} => /old/{**}", "drop ?s unless /New/{**}"};
static const char *const hosts[] = {"a.test", "b.test", "a.test, b.test", "any", "*.test"};

typedef struct scene {
    dp_arena     a;
    dp_site      site;
    dp_proposals p;
    dp_program   g;
} scene;

static void make_scene(scene *s, dp_rng *r)
{
    static const char *const paths[] = {"old/", "new/", "q/", "New/", ""};
    dp_site_page             page[URLS];
    char                     url[96], cluster[8];
    uint32_t                 same = 1 + (uint32_t)dp_rng_below(r, DP_COUNT(hosts));
    *s = (scene){0};
    for (size_t i = 0; i < URLS; i++) {
        snprintf(url, sizeof url, "http://%s/%s%c%s?p=%u&s=%u", dp_rng_below(r, 2) ? "a.test" : "b.test",
                 paths[dp_rng_below(r, DP_COUNT(paths))], (char)('a' + dp_rng_below(r, 3)),
                 dp_rng_below(r, 3) ? "" : ".html", (unsigned)dp_rng_below(r, 3), (unsigned)dp_rng_below(r, 3));
        snprintf(cluster, sizeof cluster, "%u", (unsigned)dp_rng_below(r, 20));
        page[i] = (dp_site_page){dp_arena_str(&s->a, dp_str_c(url)), dp_arena_str(&s->a, dp_str_c(cluster)),
                                 DP_BY_TEXT};
    }
    assert_int_equal(DP_OK, dp_site_make(&s->site, DP_STR("a.test"), page, URLS, &s->a));
    for (uint64_t k = 1 + dp_rng_below(r, MOST_RULES); k; k--) {
        dp_proposal p = {.text = dp_str_c(texts[dp_rng_below(r, DP_COUNT(texts))]),
                         .hosts = dp_str_c(hosts[dp_rng_below(r, same)]), .p = .99};
        bool        twice = false;
        p.is_order = dp_str_eq(p.text, DP_STR("order any"));
        for (size_t i = 0; i < s->p.n; i++)
            twice |= dp_str_eq(p.text, s->p.v[i].text) && dp_str_eq(p.hosts, s->p.v[i].hosts);
        if (!twice)
            assert_int_equal(DP_OK, dp_proposals_add(&s->p, &p));
    }
    assert_int_equal(DP_OK, dp_program_make(&s->g, &s->p, NULL, (dp_str){0}));
}

/* Run the rules as a learner does; of some URLs nothing is noted. */
static void watch(dp_firings *f, const scene *s, dp_rng *r)
{
    dp_buf      text = {0};
    dp_engine  *e = NULL;
    dp_scratch *scratch;
    dp_buf_c(&text, "dustpan-rules 1\n");
    *f = (dp_firings){.key = calloc(s->site.n + 1, sizeof *f->key)};
    for (size_t i = 0; i < s->p.n; i++) {
        f->rules += !s->p.v[i].is_order;
        dp_buf_printf(&text, "host %.*s\n%.*s\n", DP_FMT(s->p.v[i].hosts), DP_FMT(s->p.v[i].text));
    }
    assert_int_equal(DP_OK, dp_rulebook_engine(&e, dp_buf_view(&text), false));
    assert_int_equal(DP_OK, dp_scratch_new(&scratch));
    for (uint32_t u = 0; u < s->site.n; u++) {
        size_t n;
        dp_str key = dp_engine_run(e, scratch, DP_KEY, s->site.url[u], NULL, NULL);
        if (dp_scratch_hit_limit(scratch) || dp_rng_below(r, 8) == 0)
            continue;
        const uint32_t *fired = dp_scratch_fired(scratch, &n);
        f->key[u] = dp_hash_str(key);
        for (size_t i = 0; i < n; i++)
            assert_true(dp_firings_add(f, (dp_firing){fired[i], u}));
    }
    dp_scratch_free(scratch);
    dp_engine_free(e);
    dp_buf_done(&text);
}

static bool is_same(const dp_together *a, const dp_together *b)
{
    size_t n = a->site->n;
    bool   same = a->nendless == b->nendless && a->n == b->n && a->at[n] == b->at[n];
    for (size_t i = 0; i < n; i++)
        same &= a->key[i] == b->key[i] && a->at[i + 1] == b->at[i + 1];
    for (size_t i = 0; same && i < a->at[n]; i++)
        same = a->fired[i] == b->fired[i];
    return same;
}

static void recalling_equals_running(void **state)
{
    size_t known = 0, forgotten = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        dp_rng      r = dp_rng_seed(seed);
        scene       s;
        dp_firings  f;
        dp_together want, got;
        make_scene(&s, &r);
        dp_together_task task = {.program = &s.g, .site = &s.site, .kinds = ~0u};
        assert_int_equal(DP_OK, dp_together_run(&want, &task));
        watch(&f, &s, &r);
        assert_int_equal(DP_OK, dp_known_firings(&f, &s.g, &s.p, &s.site));
        assert_non_null(f.key);
        task.known = &f;
        assert_int_equal(DP_OK, dp_together_run(&got, &task));
        if (!is_same(&want, &got))
            fail_msg("seed %" PRIu64, seed);
        for (size_t i = 0; i < s.site.n; i++)
            *(f.key[i] ? &known : &forgotten) += 1;
        dp_together_done(&want);
        dp_together_done(&got);
        dp_firings_done(&f);
        dp_program_done(&s.g);
        dp_proposals_done(&s.p);
        dp_arena_done(&s.a);
    }
    assert_true(known > 10000 && forgotten > 1000);
}

/* Two hosts that show a page under session ids, with and without a suffix, and in two folders. */
static void plant(scene *s, dp_rng *r)
{
    dp_site_page page[400];
    char         url[96], cluster[16];
    *s = (scene){0};
    for (size_t i = 0; i < DP_COUNT(page); i++) {
        unsigned    id = (unsigned)dp_rng_below(r, 60);
        bool        a = dp_rng_below(r, 2);
        const char *folder = dp_rng_below(r, 3) ? "new" : a ? "old" : "New";
        snprintf(url, sizeof url, "http://%s.a.test/%s/x%uy%s?sid=q%xz", a ? "a" : "b", folder, id * 7919,
                 a && dp_rng_below(r, 2) ? ".html" : "", (unsigned)dp_rng_below(r, 90000));
        snprintf(cluster, sizeof cluster, "%c%u", a ? 'a' : 'b', id);
        page[i] = (dp_site_page){dp_arena_str(&s->a, dp_str_c(url)), dp_arena_str(&s->a, dp_str_c(cluster)),
                                 DP_BY_TEXT};
    }
    assert_int_equal(DP_OK, dp_site_make(&s->site, DP_STR("a.test"), page, DP_COUNT(page), &s->a));
}

static void auto_leaves_what_its_rules_do(void **state)
{
    size_t known = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        dp_rng           r = dp_rng_seed(seed);
        scene            s;
        dp_firings       f = {0};
        dp_together      want, got;
        dp_learn_context ctx = {.min_precision = .95, .folds = DP_ALL_FOLDS, .trust = 1u << DP_BY_TEXT, .fired = &f};
        plant(&s, &r);
        assert_int_equal(DP_OK, dp_method_auto.learn(&s.p, &s.site, dp_method_auto.options_init, &ctx, &s.a));
        assert_int_equal(DP_OK, dp_program_make(&s.g, &s.p, NULL, (dp_str){0}));
        dp_together_task task = {.program = &s.g, .site = &s.site, .kinds = ~0u};
        assert_int_equal(DP_OK, dp_together_run(&want, &task));
        assert_int_equal(DP_OK, dp_known_firings(&f, &s.g, &s.p, &s.site));
        task.known = f.key ? &f : NULL;
        assert_int_equal(DP_OK, dp_together_run(&got, &task));
        if (!is_same(&want, &got))
            fail_msg("seed %" PRIu64, seed);
        for (size_t i = 0; f.key && i < s.site.n; i++)
            known += f.key[i] != 0;
        dp_together_done(&want);
        dp_together_done(&got);
        dp_firings_done(&f);
        dp_program_done(&s.g);
        dp_proposals_done(&s.p);
        dp_arena_done(&s.a);
    }
    assert_true(known > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recalling_equals_running),
        cmocka_unit_test(auto_leaves_what_its_rules_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
