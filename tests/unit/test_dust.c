/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "apply/engine.h"
#include "base/buf.h"
#include "learn/dust/dust.h"
#include "support/failing_alloc.h"
#include "support/naive_dust.h"

/* A list in the making; texts are in the arena. */
typedef struct site {
    dp_dust_url v[256];
    size_t      n;
    dp_arena    a;
} site;

static const char *const names[] = {"ann", "bob", "cyd", "dan", "eve", "fay", "gil", "hal"};
enum { NAMES = DP_COUNT(names) };

/* Add a URL; size -1: not known. */
static void add(site *s, int64_t size, const char *format, const char *name)
{
    char   text[200];
    int    n = snprintf(text, sizeof text, "%.*s%s%s", (int)(strchr(format, '@') - format), format, name,
                        strchr(format, '@') + 1);
    dp_str url = dp_arena_str(&s->a, (dp_str){text, (size_t)n});
    assert_non_null(url.p);
    s->v[s->n++] = (dp_dust_url){.url = url, .has_size = size >= 0, .size_min = size, .size_max = size};
}

static const dp_dust_rule *find(const dp_dust_result *r, const char *alpha, const char *beta)
{
    for (size_t i = 0; i < r->rules.n; i++)
        if (dp_str_eq(r->rules.v[i].alpha, dp_str_c(alpha)) && dp_str_eq(r->rules.v[i].beta, dp_str_c(beta)))
            return &r->rules.v[i];
    return NULL;
}

static dp_dust_result learn(site *s, const dp_dust_options *o)
{
    dp_dust_result r;
    assert_int_equal(DP_OK, dp_dust_learn(&r, s->v, s->n, o, &s->a));
    return r;
}

/* Two shapes of URL for each of eight names: one rule is left, and it has all the context there is. */
static const struct {
    const char *x, *y, *alpha, *beta;
    bool        at_start, at_end;
} shapes[] = {
    {"http://a.com/@/index.html", "http://a.com/@/", "/index.html", "/", false, true},
    {"http://a.com/users/@/", "http://a.com/~@/", "http://a.com/users/", "http://a.com/~", true, false},
    {"http://www.a.com/@", "http://a.com/@", "http://www.a.com/", "http://a.com/", true, false},
    {"http://a.com/story?id=@", "http://a.com/story_@", "http://a.com/story?id=", "http://a.com/story_", true, false},
};

static void shapes_of_the_paper_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(shapes); i++) {
        site            s = {0};
        dp_dust_options o = DP_DUST_OPTIONS_INIT;
        for (size_t k = 0; k < NAMES; k++) {
            add(&s, (int64_t)k, shapes[i].x, names[k]);
            add(&s, (int64_t)k, shapes[i].y, names[k]);
        }
        dp_dust_result      r = learn(&s, &o);
        const dp_dust_rule *x = find(&r, shapes[i].alpha, shapes[i].beta);
        if (!x)
            fail_msg("no %s -> %s", shapes[i].alpha, shapes[i].beta);
        assert_int_equal(1, r.rules.n);
        assert_true(r.detected > 1);
        assert_int_equal(NAMES, x->sup_low);
        assert_int_equal(NAMES, x->sup_high);
        assert_int_equal(shapes[i].at_start, x->at_start);
        assert_int_equal(shapes[i].at_end, x->at_end);
        dp_arena_done(&s.a);
    }
}

/* Figure 6 with what was found: one URL is left for each name. */
static void canonizing_as_figure_6_leaves_one_url_a_page(void **state)
{
    (void)state;
    enum { MA = 10 };
    for (size_t i = 0; i < DP_COUNT(shapes); i++) {
        site            s = {0};
        dp_dust_options o = DP_DUST_OPTIONS_INIT;
        for (size_t k = 0; k < NAMES; k++) {
            add(&s, (int64_t)k, shapes[i].x, names[k]);
            add(&s, (int64_t)k, shapes[i].y, names[k]);
        }
        dp_dust_result r = learn(&s, &o);
        for (size_t k = 0; k < s.n; k += 2) {
            dp_str x = naive_dust_canonize(s.v[k].url, r.rules.v, r.rules.n, MA, &s.a);
            dp_str y = naive_dust_canonize(s.v[k + 1].url, r.rules.v, r.rules.n, MA, &s.a);
            dp_str z = naive_dust_canonize(s.v[(k + 2) % s.n].url, r.rules.v, r.rules.n, MA, &s.a);
            assert_true(dp_str_eq(x, y));
            assert_false(dp_str_eq(x, z));
        }
        dp_arena_done(&s.a);
    }
}

/* docs/algorithms/dust.md: Figure 6 repeats a rule before it goes on to the next; apply begins anew with the first. */
static void figure_6_is_not_apply(void **state)
{
    (void)state;
    const dp_dust_rule rule[] = {{.alpha = DP_STR("/a/x"), .beta = DP_STR("/d")},
                                 {.alpha = DP_STR("/x"), .beta = DP_STR("/a")}};
    static const char  file[] = "dustpan-rules 1\nhost a.com\nsub \"/a/x\" -> \"/d\"\nsub \"/x\" -> \"/a\"\n";
    dp_arena           a = {0};
    dp_rules          *r;
    dp_engine         *e;
    dp_scratch        *s;
    char               key[64];
    dp_str             url = DP_STR("http://a.com/x/x/q");
    assert_true(dp_str_eq(naive_dust_canonize(url, rule, 2, 10, &a), DP_STR("http://a.com/a/a/q")));
    assert_int_equal(DP_OK, dp_rules_new(&r));
    assert_int_equal(DP_OK, dp_rules_parse(r, "x", file, sizeof file - 1, NULL));
    assert_int_equal(DP_OK, dp_engine_new(&e, r, 0, 0, NULL));
    assert_int_equal(DP_OK, dp_scratch_new(&s));
    size_t n = dp_apply(e, s, url.p, url.n, key, sizeof key);
    assert_true(dp_str_eq((dp_str){key, n}, DP_STR("http://a.com/d/q")));
    dp_scratch_free(s);
    dp_engine_free(e);
    dp_rules_free(r);
    dp_arena_done(&a);
}

/* lect1.ps, lect2.ps, ... in each of eight folders: section 4.2's false friends. */
static site lectures(size_t count, bool sizes)
{
    site s = {0};
    for (size_t k = 0; k < NAMES; k++) {
        for (size_t i = 1; i <= count; i++) {
            char format[64];
            snprintf(format, sizeof format, "http://a.com/@/lect%zu.ps", i);
            add(&s, sizes ? (int64_t)i : -1, format, names[k]);
        }
    }
    return s;
}

static void numbered_items_are_false_friends_without_sizes(void **state)
{
    (void)state;
    dp_dust_options o = DP_DUST_OPTIONS_INIT;
    site            s = lectures(3, false);
    dp_dust_result  r = learn(&s, &o);
    assert_int_equal(3, r.rules.n);
    const dp_dust_rule *x = find(&r, "/lect2.ps", "/lect1.ps");
    assert_true(x && x->sup_low == NAMES && x->at_end);
    dp_arena_done(&s.a);
}

static void sizes_and_overflowing_buckets_remove_them(void **state)
{
    (void)state;
    dp_dust_options o = DP_DUST_OPTIONS_INIT;
    for (size_t count = 3; count <= 7; count += 4) {
        site           s = lectures(count, count == 3);
        dp_dust_result r = learn(&s, &o);
        assert_null(find(&r, "/lect2.ps", "/lect1.ps"));
        dp_arena_done(&s.a);
    }
}

/* Pages with ?sid= of three values and without it; what each holds depends on `page` alone, or on `q`. */
static site parameters(void)
{
    site s = {0};
    for (size_t k = 0; k < NAMES; k++) {
        add(&s, (int64_t)k, "http://a.com/x?page=@", names[k]);
        add(&s, (int64_t)k, "http://a.com/x?page=@&sid=1", names[k]);
        add(&s, (int64_t)k, "http://a.com/x?page=@&sid=2", names[k]);
        add(&s, (int64_t)k, k % 2 ? "http://a.com/x?page=@&sid=2&s" : "http://a.com/x?page=@&sid=3", names[k]);
        add(&s, 100, "http://a.com/y?q=1&of=@", names[k]);
        add(&s, 200, "http://a.com/y?q=2&of=@", names[k]);
    }
    return s;
}

static void parameters_get_a_default_or_are_omitted(void **state)
{
    (void)state;
    dp_dust_options o = DP_DUST_OPTIONS_INIT;
    site            s = parameters();
    dp_dust_result  r = learn(&s, &o);
    const dp_dust_param *omit = NULL, *set = NULL;
    for (size_t i = 0; i < r.nparam; i++) {
        assert_false(dp_str_eq(r.param[i].name, DP_STR("q")));
        assert_false(dp_str_eq(r.param[i].name, DP_STR("page")));
        if (dp_str_eq(r.param[i].name, DP_STR("sid")))
            *(r.param[i].omit ? &omit : &set) = &r.param[i];
    }
    assert_true(omit && set);
    assert_int_equal(24, set->urls);
    assert_int_equal(8, set->buckets);
    assert_int_equal(4 * 3 + 4, set->pairs); /* four buckets of 3 values, four of 2 */
    assert_int_equal(set->pairs, set->similar);
    assert_true(dp_str_eq(set->value, DP_STR("2")));
    assert_int_equal(20, omit->pairs);
    assert_int_equal(20, omit->similar);
    dp_arena_done(&s.a);
}

static void refinement_adds_whole_tokens_on_both_sides(void **state)
{
    (void)state;
    dp_dust_rule broad = {.alpha = DP_STR("story?id="), .beta = DP_STR("story_")};
    dp_dust_rule fine = {.alpha = DP_STR("il/story_"), .beta = DP_STR("il/story?id=")};
    dp_dust_rule glued = {.alpha = DP_STR("mystory?id="), .beta = DP_STR("mystory_")};
    assert_true(dp_dust_refines(&fine, &broad));
    assert_false(dp_dust_refines(&broad, &fine));
    assert_false(dp_dust_refines(&glued, &broad));
    fine.at_start = true;
    assert_true(dp_dust_refines(&fine, &broad));
    broad.at_start = true;
    assert_false(dp_dust_refines(&fine, &broad));
}

static void options_must_make_sense_and_nothing_gives_nothing(void **state)
{
    (void)state;
    dp_arena        a = {0};
    dp_dust_result  r;
    dp_dust_options o = DP_DUST_OPTIONS_INIT, bad[4] = {o, o, o, o};
    bad[0].S = 256;
    bad[1].MS = 0;
    bad[2].T_low = 12;
    bad[3].shingles = 5;
    for (size_t i = 0; i < DP_COUNT(bad); i++)
        assert_int_equal(DP_EINVALID, dp_dust_learn(&r, NULL, 0, &bad[i], &a));
    assert_int_equal(DP_OK, dp_dust_learn(&r, NULL, 0, &o, &a));
    assert_int_equal(0, r.rules.n + r.nparam + r.urls);
    dp_dust_url one = {.url = DP_STR("")};
    assert_int_equal(DP_OK, dp_dust_learn(&r, &one, 1, &o, &a));
    assert_int_equal(1, r.urls);
    assert_int_equal(0, r.rules.n);
    dp_arena_done(&a);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    site            s = parameters();
    dp_dust_options o = DP_DUST_OPTIONS_INIT;
    o.memory = 20000;
    DP_EVERY_ALLOC_FAILURE {
        dp_arena       a = {0};
        dp_dust_result r;
        dp_err         e = dp_dust_learn(&r, s.v, s.n, &o, &a);
        assert_int_equal(e, dp_alloc_failed() ? DP_ENOMEM : DP_OK);
        dp_arena_done(&a);
    }
    dp_arena_done(&s.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_of_the_paper_are_found),
        cmocka_unit_test(canonizing_as_figure_6_leaves_one_url_a_page),
        cmocka_unit_test(figure_6_is_not_apply),
        cmocka_unit_test(numbered_items_are_false_friends_without_sizes),
        cmocka_unit_test(sizes_and_overflowing_buckets_remove_them),
        cmocka_unit_test(parameters_get_a_default_or_are_omitted),
        cmocka_unit_test(refinement_adds_whole_tokens_on_both_sides),
        cmocka_unit_test(options_must_make_sense_and_nothing_gives_nothing),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
