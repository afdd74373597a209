/* learn/auto/vote/attempt: what each idea makes of each form; what an earlier attempt saves, and that it is believed.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/hash.h"
#include "dustpan.h"
#include "learn/auto/vote/attempt.h"
#include "support/failing_alloc.h"
#include "support/rules.h"
#include "support/sites.h"

static const site_row rows[] = {
    {"a", "http://a.test/Mug"},
    {"b", "http://a.test/mug"},
    {"a", "http://a.test/mug?ref=2&sid=1"},
    {"a", "http://a.test/mug?sid=1&ref=2"},
    {"", "http://a.test/shop/mug?sid=2"},
};
enum { ROWS = DP_COUNT(rows) };

/* Ideas, and what they make of the rows; NULL: nothing. */
static const struct {
    const char *text[2];
    dp_family   family;
    const char *to[ROWS];
} tried[] = {
    {{"drop ?sid"}, DP_FAMILY_PARAM,
     {NULL, NULL, "http://a.test/mug?ref=2", "http://a.test/mug?ref=2", "http://a.test/shop/mug"}},
    {{"drop ?sid if =2"}, DP_FAMILY_VALUE, {NULL, NULL, NULL, NULL, "http://a.test/shop/mug"}},
    {{"drop ?nobody"}, DP_FAMILY_PARAM, {NULL}},
    {{"this is not a rule"}, DP_FAMILY_BLOCK, {NULL}},
    {{"fold case path"}, DP_FAMILY_CASE, {"http://a.test/mug"}},
    {{"order any"}, DP_FAMILY_ORDER, {NULL, NULL, NULL, "http://a.test/mug?ref=2&sid=1"}},
    /* two rules: of those that fire on a form the first holds */
    {{"/shop/{a} => /{a}", "/{a} => /shop/{a}"}, DP_FAMILY_JOINT,
     {"http://a.test/shop/Mug", "http://a.test/shop/mug", "http://a.test/shop/mug?ref=2&sid=1",
      "http://a.test/shop/mug?sid=1&ref=2", "http://a.test/mug?sid=2"}},
    {{"drop ?sid on /shop/{**}", "drop ?sid,ref"}, DP_FAMILY_JOINT,
     {NULL, NULL, "http://a.test/mug", "http://a.test/mug", "http://a.test/shop/mug"}},
};
enum { IDEAS = DP_COUNT(tried) };

static void make_ideas(dp_idea out[IDEAS])
{
    for (size_t i = 0; i < IDEAS; i++) {
        out[i] = (dp_idea){.text = {dp_str_c(tried[i].text[0])}, .family = (uint8_t)tried[i].family};
        if (tried[i].text[1])
            out[i].text[1] = dp_str_c(tried[i].text[1]);
    }
}

/* By idea, key and form, and each idea where `at` says. */
static void assert_in_order(const dp_attempt *a, size_t ideas)
{
    assert_int_equal(0, a->at[0]);
    assert_int_equal(a->n, a->at[ideas]);
    for (size_t i = 0; i < ideas; i++)
        for (size_t k = a->at[i]; k < a->at[i + 1]; k++) {
            assert_int_equal(i, a->v[k].tag);
            if (k > a->at[i])
                assert_true(a->v[k - 1].key < a->v[k].key ||
                            (a->v[k - 1].key == a->v[k].key && a->v[k - 1].item < a->v[k].item));
        }
}

static void assert_same(const dp_attempt *got, const dp_attempt *want, size_t ideas)
{
    assert_int_equal(want->n, got->n);
    assert_memory_equal(want->at, got->at, (ideas + 1) * sizeof *want->at);
    for (size_t k = 0; k < want->n; k++)
        assert_true(want->v[k].key == got->v[k].key && want->v[k].tag == got->v[k].tag &&
                    want->v[k].item == got->v[k].item);
}

static void ideas_make_of_forms_what_the_table_says(void **state)
{
    (void)state;
    dp_arena   a = {0};
    dp_site    s;
    dp_forms   f;
    dp_attempt t;
    dp_idea    idea[IDEAS];
    make_ideas(idea);
    make_site(&s, rows, ROWS, &a);
    assert_int_equal(DP_OK, dp_forms_init(&f, &s, true, NULL, NULL));
    assert_int_equal(DP_OK, dp_attempt_init(&t, &f, idea, IDEAS, NULL, NULL));
    assert_in_order(&t, IDEAS);
    for (size_t i = 0; i < IDEAS; i++) {
        size_t n = 0;
        for (uint32_t form = 0; form < ROWS; form++) { /* the rows are sorted */
            const char *to = tried[i].to[form];
            bool        there = false;
            for (size_t k = t.at[i]; k < t.at[i + 1] && to; k++)
                there |= t.v[k].item == form && t.v[k].key == dp_hash_str(dp_str_c(to));
            if (to && !there)
                fail_msg("%s: %s does not become %s", tried[i].text[0], rows[form].url, to);
            n += to != NULL;
        }
        assert_int_equal(n, t.at[i + 1] - t.at[i]);
    }
    dp_attempt_done(&t);
    dp_forms_done(&f);
    dp_arena_done(&a);
}

static void nothing_tried_is_an_empty_attempt(void **state)
{
    (void)state;
    dp_arena   a = {0};
    dp_site    none, s;
    dp_forms   f;
    dp_attempt t;
    dp_idea    idea[IDEAS];
    make_ideas(idea);
    make_site(&s, rows, ROWS, &a);
    make_site(&none, NULL, 0, &a);
    assert_int_equal(DP_OK, dp_forms_init(&f, &s, true, NULL, NULL));
    assert_int_equal(DP_OK, dp_attempt_init(&t, &f, NULL, 0, NULL, NULL));
    assert_in_order(&t, 0);
    dp_attempt_done(&t);
    dp_forms_done(&f);
    assert_int_equal(DP_OK, dp_forms_init(&f, &none, true, NULL, NULL));
    assert_int_equal(DP_OK, dp_attempt_init(&t, &f, idea, IDEAS, NULL, NULL));
    assert_in_order(&t, IDEAS);
    assert_int_equal(0, t.n);
    dp_attempt_done(&t);
    dp_forms_done(&f);
    dp_arena_done(&a);
}

/* All ideas but the second were tried before; it fires nowhere but where the first does. Then forms are rewritten. */
static void an_earlier_attempt_changes_nothing(void **state)
{
    (void)state;
    for (int rewritten = 0; rewritten < 2; rewritten++) {
        dp_arena   a = {0};
        dp_site    s;
        dp_forms   f;
        dp_attempt before, want, got;
        dp_idea    idea[IDEAS], some[IDEAS];
        uint32_t   same[IDEAS], within[IDEAS];
        size_t     n = 0;
        dp_engine *e = engine_of("dustpan-rules 1\nhost a.test\ndrop ?ref\n");
        make_ideas(idea);
        for (size_t i = 0; i < IDEAS; i++) {
            same[i] = i == 1 ? DP_NO_IDEA : (uint32_t)n;
            within[i] = i == 1 ? 0 : DP_NO_IDEA;
            if (i != 1)
                some[n++] = idea[i];
        }
        make_site(&s, rows, ROWS, &a);
        assert_int_equal(DP_OK, dp_forms_init(&f, &s, true, NULL, NULL));
        assert_int_equal(DP_OK, dp_attempt_init(&before, &f, some, n, NULL, NULL));
        if (rewritten)
            assert_int_equal(DP_OK, dp_forms_rewrite(&f, &(dp_rewriting){.engine = e}));
        dp_earlier_attempt known = {.of = &before, .same = same, .form = f.kept, .nform = rewritten ? f.nkept : f.n};
        assert_int_equal(DP_OK, dp_attempt_init(&want, &f, idea, IDEAS, NULL, NULL));
        for (int k = 0; k < 2; k++) { /* without and with knowing where the new idea can fire */
            known.within = k ? within : NULL;
            assert_int_equal(DP_OK, dp_attempt_init(&got, &f, idea, IDEAS, &known, NULL));
            assert_in_order(&got, IDEAS);
            assert_same(&got, &want, IDEAS);
            dp_attempt_done(&got);
        }
        dp_attempt_done(&before);
        dp_attempt_done(&want);
        dp_forms_done(&f);
        dp_engine_free(e);
        dp_arena_done(&a);
    }
}

/* An earlier attempt that found less than there is: where it speaks nothing is tried again. */
static void what_was_tried_is_not_tried_again(void **state)
{
    (void)state;
    static size_t    at[2];
    dp_arena         a = {0};
    dp_site          s;
    dp_forms         f;
    const dp_attempt nothing = {.at = at};
    dp_attempt       t;
    dp_idea          idea[IDEAS];
    uint32_t         same[2] = {0, DP_NO_IDEA}, within[2] = {DP_NO_IDEA, 0};
    make_ideas(idea);
    make_site(&s, rows, ROWS, &a);
    assert_int_equal(DP_OK, dp_forms_init(&f, &s, true, NULL, NULL));
    dp_earlier_attempt known = {.of = &nothing, .same = same, .nform = f.n};
    assert_int_equal(DP_OK, dp_attempt_init(&t, &f, idea, 2, &known, NULL));
    assert_int_equal(0, t.at[1]); /* known to fire nowhere */
    assert_int_equal(1, t.at[2]); /* new: tried everywhere */
    dp_attempt_done(&t);
    known.within = within;
    assert_int_equal(DP_OK, dp_attempt_init(&t, &f, idea, 2, &known, NULL));
    assert_int_equal(0, t.n); /* new, and within what fires nowhere */
    dp_attempt_done(&t);
    dp_forms_done(&f);
    dp_arena_done(&a);
}

/* More forms than one task takes. */
static void threads_do_not_matter(void **state)
{
    (void)state;
    dp_arena   a = {0};
    dp_site    s;
    dp_forms   f;
    dp_pool   *pool;
    dp_attempt one, three;
    dp_idea    idea[IDEAS];
    make_ideas(idea);
    make_large_site(&s, 3000, 3, &a);
    assert_int_equal(DP_OK, dp_pool_new(&pool, 3));
    assert_int_equal(DP_OK, dp_forms_init(&f, &s, true, NULL, NULL));
    assert_int_equal(DP_OK, dp_attempt_init(&one, &f, idea, IDEAS, NULL, NULL));
    assert_int_equal(DP_OK, dp_attempt_init(&three, &f, idea, IDEAS, NULL, pool));
    assert_in_order(&one, IDEAS);
    assert_int_equal(6000, one.at[1]); /* two URLs of each page have ?sid, one has ?sid=2 */
    assert_int_equal(3000, one.at[2] - one.at[1]);
    assert_same(&three, &one, IDEAS);
    dp_attempt_done(&one);
    dp_attempt_done(&three);
    dp_forms_done(&f);
    dp_pool_free(pool);
    dp_arena_done(&a);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    dp_arena a = {0};
    dp_site  s;
    dp_forms f;
    dp_idea  idea[IDEAS];
    make_ideas(idea);
    make_site(&s, rows, ROWS, &a);
    assert_int_equal(DP_OK, dp_forms_init(&f, &s, true, NULL, NULL));
    DP_EVERY_ALLOC_FAILURE {
        dp_attempt t = {0}, again = {0};
        uint32_t   same[IDEAS] = {0, 1, DP_NO_IDEA, DP_NO_IDEA, DP_NO_IDEA, DP_NO_IDEA, DP_NO_IDEA, DP_NO_IDEA};
        dp_err     code = dp_attempt_init(&t, &f, idea, 2, NULL, NULL);

        dp_earlier_attempt known = {.of = &t, .same = same, .nform = f.n};
        if (code == DP_OK)
            code = dp_attempt_init(&again, &f, idea, IDEAS, &known, NULL);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        dp_attempt_done(&t);
        dp_attempt_done(&again);
    }
    dp_forms_done(&f);
    dp_arena_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ideas_make_of_forms_what_the_table_says),
        cmocka_unit_test(nothing_tried_is_an_empty_attempt),
        cmocka_unit_test(an_earlier_attempt_changes_nothing),
        cmocka_unit_test(what_was_tried_is_not_tried_again),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests_name("attempt", tests, NULL, NULL);
}
