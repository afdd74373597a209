/* learn/auto/forms/forms: texts, labels and weights of forms; what rewriting keeps, notes and gives up.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>

#include "base/hash.h"
#include "dustpan.h"
#include "learn/auto/forms/forms.h"
#include "learn/auto/forms/rulebook.h"
#include "support/failing_alloc.h"
#include "support/rules.h"
#include "support/sites.h"

static const char drop_sid[] = "dustpan-rules 1\nhost a.test\ndrop ?sid\n";

/* Every promise of the header that holds for all forms. */
static void assert_is_valid(const dp_forms *f)
{
    const dp_site *s = f->site;
    size_t         urls = 0, known = 0, next = 0;
    for (size_t u = 0; u < s->n; u++) { /* numbered in the order of their first URL */
        assert_true(f->of[u] <= next);
        next += f->of[u] == next;
    }
    assert_int_equal(f->n, next);
    for (size_t i = 0; i < f->n; i++) {
        assert_int_equal(i, dp_forms_find(f, dp_hash_str(f->text[i]))); /* distinct, and found */
        assert_true(f->weight[i] > 0);
        urls += f->weight[i];
        known += f->label[i] != DP_NO_CLUSTER;
    }
    assert_int_equal(s->n, urls);
    assert_int_equal(0, f->first[0]);
    assert_int_equal(known, f->first[s->nclusters]);
    for (uint32_t c = 0; c < s->nclusters; c++)
        for (uint32_t k = f->first[c]; k < f->first[c + 1]; k++) {
            assert_int_equal(c, f->label[f->member[k]]);
            assert_true(k == f->first[c] || f->member[k - 1] < f->member[k]);
        }
    assert_int_equal(DP_NO_FORM, dp_forms_find(f, dp_hash_str(DP_STR("http://a.test/nobody"))));
}

static uint32_t find(const dp_forms *f, const char *text)
{
    return dp_forms_find(f, dp_hash_str(dp_str_c(text)));
}

static void urls_are_the_first_forms(void **state)
{
    (void)state;
    static const site_row rows[] = {
        {"b", "http://a.test/y"}, {"a", "http://a.test/x?sid=1"}, {"a", "http://a.test/x"}, {"", "http://a.test/z"}};
    static const char *const want[] = {
        "http://a.test/x", "http://a.test/x?sid=1", "http://a.test/y", "http://a.test/z"};
    dp_arena a = {0};
    dp_site  s;
    dp_forms f;
    make_site(&s, rows, DP_COUNT(rows), &a);
    assert_int_equal(DP_OK, dp_forms_init(&f, &s, true, NULL, NULL));
    assert_is_valid(&f);
    assert_int_equal(DP_COUNT(want), f.n);
    for (size_t i = 0; i < f.n; i++) {
        assert_int_equal(i, find(&f, want[i]));
        assert_int_equal(s.cluster[i], f.label[i]);
        assert_int_equal(1, f.weight[i]);
        assert_int_equal(1 << DP_BY_TEXT, f.by[i]);
        assert_false(f.made[i]);
    }
    assert_null(f.kept);
    dp_forms_done(&f);
    dp_arena_done(&a);
}

static void a_site_without_urls_has_no_forms(void **state)
{
    (void)state;
    dp_arena a = {0};
    dp_site  s;
    dp_forms f;
    make_site(&s, NULL, 0, &a);
    assert_int_equal(DP_OK, dp_forms_init(&f, &s, true, NULL, NULL));
    assert_is_valid(&f);
    assert_int_equal(0, f.n);
    assert_int_equal(DP_OK, dp_forms_rewrite(&f, &(dp_rewriting){0}));
    assert_int_equal(0, f.n);
    dp_forms_done(&f);
    dp_arena_done(&a);
}

/* Clusters of the URLs of one form, a letter each, '-': not known; the first URL of /first/... gives 'a' the number 0,
 * 'b' 1, and so on. */
static const struct {
    const char *votes;
    char        want;
} labels[] = {
    {"a", 'a'},     {"ab", 'a'},     {"ba", 'a'},      {"cb", 'b'}, {"abb", 'b'}, {"bab", 'b'}, {"-", '-'},
    {"---", '-'},   {"-c", 'c'},     {"--c", 'c'},     {"ccbb", 'b'}, {"ccbba", 'b'}, {"ccbbc", 'c'},
    {"cbcbcbcbcbcbcbcbcbcbcbcbcbcbcbcbcbcbcbcb", 'b'}, /* long runs are counted in another way */
    {"cbcbcbcbcbcbcbcbcbcbcbcbcbcbcbcbcbcbcbcbc", 'c'},
    {"---------------------------------------b", 'b'},
    {"----------------------------------------", '-'},
};

static void a_label_is_what_most_urls_have_and_then_the_least(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(labels); i++) {
        static char       text[64][40];
        static const char name[][2] = {"a", "b", "c"};
        site_row          row[64] = {{"a", "http://a.test/1"}, {"b", "http://a.test/2"}, {"c", "http://a.test/3"}};
        size_t            n = strlen(labels[i].votes);
        dp_arena          a = {0};
        dp_site           s;
        dp_forms          f;
        dp_engine        *e = engine_of(drop_sid);
        for (size_t k = 0; k < n; k++) {
            char vote = labels[i].votes[k];
            snprintf(text[k], sizeof text[k], "http://a.test/x?sid=%zu", k);
            row[3 + k] = (site_row){vote == '-' ? "" : name[vote - 'a'], text[k]};
        }
        make_site(&s, row, DP_COUNT(row), &a);
        assert_int_equal(DP_OK, dp_forms_init(&f, &s, true, &(dp_rewriting){.engine = e, .afresh = true}, NULL));
        assert_is_valid(&f);
        assert_int_equal(4, f.n);
        uint32_t got = f.label[find(&f, "http://a.test/x")], want = (uint32_t)(labels[i].want - 'a');
        if (got != (labels[i].want == '-' ? DP_NO_CLUSTER : want))
            fail_msg("%s: %u", labels[i].votes, got);
        assert_int_equal(n, f.weight[find(&f, "http://a.test/x")]);
        dp_forms_done(&f);
        dp_engine_free(e);
        dp_arena_done(&a);
    }
}

static const site_row shop[] = {
    {"mug", "http://a.test/mug"},         {"mug", "http://a.test/mug?sid=1"}, {"mug", "http://a.test/mug?sid=2"},
    {"pot", "http://a.test/pot?sid=1"},   {"pot", "http://a.test/pot?sid=2"}, {"urn", "http://a.test/urn"},
    {"", "http://a.test/unknown?sid=1"}, {"", "http://a.test/zinc"},
};

static void without_singletons_nothing_is_known_of_pages_with_one_url(void **state)
{
    (void)state;
    dp_arena a = {0};
    dp_site  s;
    dp_forms f;
    make_site(&s, shop, DP_COUNT(shop), &a);
    assert_int_equal(DP_OK, dp_forms_init(&f, &s, false, NULL, NULL));
    assert_is_valid(&f);
    assert_int_equal(DP_COUNT(shop), f.n);
    assert_int_equal(DP_NO_CLUSTER, f.label[find(&f, "http://a.test/urn")]);
    assert_int_not_equal(DP_NO_CLUSTER, f.label[find(&f, "http://a.test/mug")]);
    dp_forms_done(&f);
    dp_arena_done(&a);
}

/* What became of the old forms, for those who recall them. */
static void rewriting_says_which_forms_stayed(void **state)
{
    (void)state;
    dp_arena   a = {0};
    dp_site    s;
    dp_forms   f;
    dp_engine *e = engine_of(drop_sid);
    make_site(&s, shop, DP_COUNT(shop), &a);
    assert_int_equal(DP_OK, dp_forms_init(&f, &s, true, NULL, NULL));
    assert_int_equal(DP_OK, dp_forms_rewrite(&f, &(dp_rewriting){.engine = e}));
    assert_is_valid(&f);
    assert_int_equal(5, f.n);
    assert_int_equal(DP_COUNT(shop), f.nkept);
    for (size_t u = 0; u < s.n; u++) { /* forms were the URLs */
        bool changes = memmem(s.url[u].p, s.url[u].n, "?sid", 4) != NULL;
        assert_int_equal(changes ? DP_NO_FORM : f.of[u], f.kept[u]);
    }
    assert_int_equal(3, f.weight[find(&f, "http://a.test/mug")]);
    assert_false(f.made[find(&f, "http://a.test/mug")]); /* a URL has this text */
    assert_true(f.made[find(&f, "http://a.test/pot")]);
    assert_int_equal(DP_NO_CLUSTER, f.label[find(&f, "http://a.test/unknown")]);
    uint32_t steps = f.steps;
    assert_int_equal(DP_OK, dp_forms_rewrite(&f, &(dp_rewriting){.engine = e})); /* once more: nothing to do */
    assert_int_equal(steps + 1, f.steps);
    assert_int_equal(5, f.nkept);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(i, f.kept[i]);
    assert_int_equal(2, find(&f, "http://a.test/unknown"));
    assert_int_equal(DP_OK, dp_forms_rewrite(&f, &(dp_rewriting){.afresh = true})); /* the URLs again */
    assert_is_valid(&f);
    assert_int_equal(DP_COUNT(shop), f.n);
    assert_null(f.kept);
    dp_forms_done(&f);
    dp_engine_free(e);
    dp_arena_done(&a);
}

static void what_is_not_touched_stays(void **state)
{
    (void)state;
    dp_arena   a = {0};
    dp_site    s;
    dp_forms   f;
    dp_engine *e = engine_of(drop_sid);
    uint8_t    touched[DP_COUNT(shop)] = {0};
    make_site(&s, shop, DP_COUNT(shop), &a);
    assert_int_equal(DP_OK, dp_forms_init(&f, &s, true, NULL, NULL));
    touched[find(&f, "http://a.test/pot?sid=1")] = touched[find(&f, "http://a.test/pot?sid=2")] = 1;
    assert_int_equal(DP_OK, dp_forms_rewrite(&f, &(dp_rewriting){.engine = e, .touched = touched}));
    assert_is_valid(&f);
    assert_int_equal(DP_COUNT(shop) - 1, f.n);
    assert_int_equal(2, f.weight[find(&f, "http://a.test/pot")]);
    assert_int_not_equal(DP_NO_FORM, find(&f, "http://a.test/mug?sid=1"));
    dp_forms_done(&f);
    dp_engine_free(e);
    dp_arena_done(&a);
}

static uint64_t bit[] = {1, 2}; /* of the rules of an engine */

/* Two rules on one URL: what fired, in which order, and what the URL would be without each. */
static void firings_and_absences_are_noted(void **state)
{
    (void)state;
    static const site_row rows[] = {{"a", "http://a.test/mug"}, {"a", "http://a.test/mug?ref=2&sid=1"},
                                    {"b", "http://a.test/pot?sid=1"}};
    static const struct {
        uint32_t    rule, url;
        const char *without;
    } want[] = {
        {0, 1, "http://a.test/mug?ref=2"}, {1, 1, "http://a.test/mug?sid=1"}, {1, 2, "http://a.test/pot?sid=1"}};
    uint32_t    of[] = {0, 1}, first[] = {0, 1, 2};
    uint64_t    key[DP_COUNT(rows)];
    dp_arena    a = {0};
    dp_site     s;
    dp_forms    f;
    dp_firings  fired = {.key = key};
    dp_absences absences = {0};
    dp_engine  *e = engine_of("dustpan-rules 1\nhost a.test\ndrop ?ref\ndrop ?sid\n");
    make_site(&s, rows, DP_COUNT(rows), &a);
    assert_int_equal(DP_OK, dp_forms_init(&f, &s, true,
                                          &(dp_rewriting){.engine = e, .afresh = true, .fired = &fired,
                                                          .absences = &absences, .absent = true,
                                                          .owners = {of, first, bit}},
                                          NULL));
    assert_is_valid(&f);
    assert_int_equal(DP_COUNT(want), fired.n);
    assert_int_equal(DP_COUNT(want), absences.n);
    for (size_t i = 0; i < DP_COUNT(want); i++) {
        assert_int_equal(want[i].rule, fired.v[i].rule);
        assert_int_equal(want[i].url, fired.v[i].url);
        assert_int_equal(want[i].rule, absences.v[i].rule);
        assert_int_equal(want[i].url, absences.v[i].url);
        assert_true(dp_str_eq(dp_str_c(want[i].without), absences.v[i].text));
        assert_int_equal(dp_hash_str(absences.v[i].text), absences.v[i].key);
    }
    for (size_t u = 0; u < s.n; u++)
        assert_int_equal(dp_hash_str(f.text[f.of[u]]), key[u]);
    fired.key = NULL;
    dp_firings_done(&fired);
    dp_absences_done(&absences);
    dp_forms_done(&f);
    dp_engine_free(e);
    dp_arena_done(&a);
}

/* A rule that fires twice is noted twice, and asked once what would be without it. */
static void a_rule_is_absent_once(void **state)
{
    (void)state;
    static const site_row rows[] = {{"a", "http://a.test/old/old/mug"}};
    uint32_t              of[] = {0}, first[] = {0, 1};
    dp_arena              a = {0};
    dp_site               s;
    dp_forms              f;
    dp_firings            fired = {0};
    dp_absences           absences = {0};
    dp_engine            *e = engine_of("dustpan-rules 1\nhost a.test\n/old/{**} => /{**}\n");
    make_site(&s, rows, DP_COUNT(rows), &a);
    assert_int_equal(DP_OK, dp_forms_init(&f, &s, true,
                                          &(dp_rewriting){.engine = e, .afresh = true, .fired = &fired,
                                                          .absences = &absences, .absent = true,
                                                          .owners = {of, first, bit}},
                                          NULL));
    assert_int_equal(0, find(&f, "http://a.test/mug"));
    assert_int_equal(2, fired.n);
    assert_int_equal(1, absences.n);
    assert_true(dp_str_eq(absences.v[0].text, s.url[0]));
    dp_firings_done(&fired);
    dp_absences_done(&absences);
    dp_forms_done(&f);
    dp_engine_free(e);
    dp_arena_done(&a);
}

/* Rules without an end: they are stopped, and the next ones are tried on all forms, touched or not. */
static void forms_without_an_end_are_tried_again(void **state)
{
    (void)state;
    static const site_row rows[] = {{"a", "http://a.test/old/mug"}, {"b", "http://a.test/pot"}};
    static const char     circle[] = "dustpan-rules 1\nhost a.test\n/old/{a} => /new/{a}\n/new/{a} => /old/{a}\n";
    dp_arena              a = {0};
    dp_site               s;
    dp_forms              f;
    uint8_t               touched[DP_COUNT(rows)] = {0};
    dp_engine            *round, *away = engine_of("dustpan-rules 1\nhost a.test\n/{b=old|new}/{a} => /{a}\n");
    assert_int_equal(DP_OK, dp_rulebook_engine(&round, dp_str_c(circle), false));
    make_site(&s, rows, DP_COUNT(rows), &a);
    assert_int_equal(DP_OK, dp_forms_init(&f, &s, true, &(dp_rewriting){.engine = round, .afresh = true}, NULL));
    assert_is_valid(&f);
    assert_true(f.limited);
    assert_int_equal(DP_OK, dp_forms_rewrite(&f, &(dp_rewriting){.engine = away, .touched = touched}));
    assert_is_valid(&f);
    assert_int_not_equal(DP_NO_FORM, find(&f, "http://a.test/mug"));
    assert_true(f.limited); /* until they are made afresh */
    assert_int_equal(DP_OK, dp_forms_rewrite(&f, &(dp_rewriting){.engine = away, .afresh = true}));
    assert_false(f.limited);
    dp_forms_done(&f);
    dp_engine_free(round);
    dp_engine_free(away);
    dp_arena_done(&a);
}

/* More forms than one task and the first table hold. */
static void threads_do_not_matter(void **state)
{
    (void)state;
    dp_arena   a = {0};
    dp_site    s;
    dp_pool   *pool;
    dp_engine *e = engine_of(drop_sid);
    dp_forms   f[2];
    make_large_site(&s, 1300, 3, &a);
    assert_int_equal(DP_OK, dp_pool_new(&pool, 3));
    for (int k = 0; k < 2; k++) {
        assert_int_equal(DP_OK, dp_forms_init(&f[k], &s, true, NULL, k ? pool : NULL));
        assert_is_valid(&f[k]);
        assert_int_equal(3900, f[k].n);
        assert_int_equal(DP_OK, dp_forms_rewrite(&f[k], &(dp_rewriting){.engine = e}));
        assert_is_valid(&f[k]);
        assert_int_equal(1300, f[k].n);
    }
    assert_memory_equal(f[0].of, f[1].of, s.n * sizeof *f[0].of);
    assert_memory_equal(f[0].kept, f[1].kept, f[0].nkept * sizeof *f[0].kept);
    assert_memory_equal(f[0].hash, f[1].hash, f[0].n * sizeof *f[0].hash);
    for (int k = 0; k < 2; k++)
        dp_forms_done(&f[k]);
    dp_engine_free(e);
    dp_pool_free(pool);
    dp_arena_done(&a);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    uint32_t   of[] = {0}, first[] = {0, 1};
    dp_arena   a = {0};
    dp_site    s;
    dp_engine *e = engine_of(drop_sid);
    make_site(&s, shop, DP_COUNT(shop), &a);
    DP_EVERY_ALLOC_FAILURE {
        dp_forms    f = {0};
        dp_firings  fired = {0};
        dp_absences absences = {0};
        dp_err      code = dp_forms_init(&f, &s, true, NULL, NULL);
        if (code == DP_OK)
            code = dp_forms_rewrite(&f, &(dp_rewriting){.engine = e});
        if (code == DP_OK)
            code = dp_forms_rewrite(&f, &(dp_rewriting){.engine = e, .afresh = true, .fired = &fired,
                                                        .absences = &absences, .absent = true,
                                                        .owners = {of, first, bit}});
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        dp_forms_done(&f);
        dp_firings_done(&fired);
        dp_absences_done(&absences);
    }
    dp_engine_free(e);
    dp_arena_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(urls_are_the_first_forms),
        cmocka_unit_test(a_site_without_urls_has_no_forms),
        cmocka_unit_test(a_label_is_what_most_urls_have_and_then_the_least),
        cmocka_unit_test(without_singletons_nothing_is_known_of_pages_with_one_url),
        cmocka_unit_test(rewriting_says_which_forms_stayed),
        cmocka_unit_test(what_is_not_touched_stays),
        cmocka_unit_test(firings_and_absences_are_noted),
        cmocka_unit_test(a_rule_is_absent_once),
        cmocka_unit_test(forms_without_an_end_are_tried_again),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests_name("forms", tests, NULL, NULL);
}
