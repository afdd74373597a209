/* learn/auto/vote/ballot: who votes, with how much, and what is old news.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>

#include "base/fold.h"
#include "learn/auto/vote/ballot.h"
#include "learn/auto/thresholds.h"
#include "learn/auto/vote/guard.h"
#include "learn/auto/vote/parts.h"
#include "support/failing_alloc.h"
#include "support/sites.h"

enum { MOST = 12 };

/* A site, its forms, and ideas tried on them. */
typedef struct room {
    dp_arena  a;
    dp_site   site;
    dp_forms  forms;
    dp_idea   idea[8];
    dp_ballot b;
} room;

static void open_room(room *r, const site_row *row, size_t most, const char *const *idea, size_t n)
{
    *r = (room){0};
    make_site(&r->site, row, most, &r->a);
    for (size_t i = 0; i < n; i++)
        r->idea[i] = (dp_idea){.text = {dp_str_c(idea[i])}};
    assert_int_equal(DP_OK, dp_forms_init(&r->forms, &r->site, true, NULL, NULL));
    assert_int_equal(DP_OK, dp_ballot_init(&r->b, &r->forms, r->idea, n, NULL, NULL));
}

static void close_room(room *r)
{
    dp_ballot_done(&r->b);
    dp_forms_done(&r->forms);
    dp_arena_done(&r->a);
}

static void assert_count(const char *what, const dp_count *got, const dp_count *want)
{
    if (fabs(got->pos - want->pos) > 1e-9 || fabs(got->neg - want->neg) > 1e-9 || got->clusters != want->clusters ||
        got->good != want->good || got->bad != want->bad || got->changed != want->changed)
        fail_msg("%s: %g:%g of %u, merges %u:%u, changed %u", what, got->pos, got->neg, got->clusters, got->good,
                 got->bad, got->changed);
}

#define X "http://a.test/x"
#define Y "http://a.test/y"

/* Sites, and what is counted for one idea. */
static const struct {
    const char *what, *idea;
    site_row    row[MOST];
    dp_count    want;
} counted[] = {
    {"no URL", "drop ?s", {{0}}, {.pos = 0}},
    {"nothing changes", "drop ?s", {{"a", X}, {"a", Y}}, {.pos = 0}},
    {"nobody to merge with", "drop ?s", {{"a", X "?s=1"}, {"b", Y}}, {.changed = 1}},
    {"one page", "drop ?s", {{"a", X "?s=1"}, {"a", X "?s=2"}}, {.pos = 1, .clusters = 1, .good = 1, .changed = 2}},
    {"the form that has the text already", "drop ?s", {{"a", X}, {"a", X "?s=2"}},
     {.pos = 1, .clusters = 1, .good = 1, .changed = 1}},
    {"two pages", "drop ?s", {{"a", X}, {"b", X "?s=2"}}, {.neg = 1, .bad = 1, .changed = 1}},
    {"three pages, three voices against two merges", "drop ?s", {{"a", X}, {"b", X "?s=1"}, {"c", X "?s=2"}},
     {.neg = 2, .bad = 2, .changed = 2}},
    {"a cluster has one vote in all groups it leads", "drop ?s",
     {{"a", X}, {"a", X "?s=1"}, {"a", Y}, {"a", Y "?s=1"}, {"a", X "/y"}, {"a", X "/y?s=2"}, {"a", X "/y?s=3"}},
     {.pos = 1, .clusters = 1, .good = 4, .changed = 4}},
    {"clusters have one each", "drop ?s", {{"a", X}, {"a", X "?s=1"}, {"b", Y}, {"b", Y "?s=1"}},
     {.pos = 2, .clusters = 2, .good = 2, .changed = 2}},
    {"a wrong label among five is a quarter of a vote", "drop ?s",
     {{"a", X}, {"a", X "?s=1"}, {"a", X "?s=2"}, {"b", X "?s=3"}, {"a", X "?s=4"}},
     {.pos = .75, .neg = .25, .clusters = 1, .good = 3, .bad = 1, .changed = 4}},
    {"one of three: agreement just prevails", "drop ?s", {{"a", X}, {"a", X "?s=1"}, {"b", X "?s=2"}},
     {.pos = .5, .neg = .5, .clusters = 1, .good = 1, .bad = 1, .changed = 2}},
    {"two of four: it does not, but what is lost is one page", "drop ?s",
     {{"a", X}, {"a", X "?s=1"}, {"b", X "?s=2"}, {"b", X "?s=3"}}, {.neg = 1, .good = 2, .bad = 1, .changed = 3}},
    {"one cluster that agrees here and is contradicted there", "drop ?s",
     {{"a", X}, {"a", X "?s=1"}, {"a", Y}, {"b", Y "?s=1"}},
     {.pos = 1, .neg = 1, .clusters = 1, .good = 1, .bad = 1, .changed = 2}},
    {"without a label nobody votes", "drop ?s", {{"", X}, {"a", X "?s=1"}, {"", Y "?s=1"}, {"", Y "?s=2"}},
     {.changed = 3}},
    {"and those with labels do", "drop ?s", {{"", X}, {"a", X "?s=1"}, {"a", X "?s=2"}},
     {.pos = 1, .clusters = 1, .good = 1, .changed = 2}},
    {"texts that change places are nobody's home", "/{a}/{b} => /{b}/{a}", {{"a", X "/y"}, {"a", Y "/x"}},
     {.changed = 2}},
};

static void votes_are_those_of_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(counted); i++) {
        room r;
        open_room(&r, counted[i].row, MOST, &counted[i].idea, 1);
        for (int again = 0; again < 2; again++) { /* counting leaves nothing behind */
            dp_count got = dp_ballot_count(&r.b, 0, DP_ALL_FOLDS);
            assert_count(counted[i].what, &got, &counted[i].want);
            assert_int_equal(counted[i].want.clusters ? 1 << DP_BY_TEXT : 0, got.by);
        }
        close_room(&r);
    }
}

/* Whether every name that is dropped had two values in which forms of one page differ. */
static const struct {
    const char *what, *idea;
    dp_family   family;
    site_row    row[MOST];
    int         want;
} voiced[] = {
    {"two values of each", "drop ?s,t", DP_FAMILY_PARAMS,
     {{"a", X "?s=1&t=1"}, {"a", X "?s=2&t=2"}, {"b", Y "?s=3&t=3"}, {"b", Y}}, true},
    {"one that is always the same where the other differs", "drop ?s,t", DP_FAMILY_PARAMS,
     {{"a", X "?s=1&t=7"}, {"a", X "?s=2&t=7"}, {"b", Y "?s=1&t=8"}, {"b", Y "?s=2&t=8"}}, false},
    {"only the empty value was forgotten", "drop ?s,t", DP_FAMILY_PARAMS,
     {{"a", X "?s=1&t="}, {"a", X "?s=2"}, {"b", Y "?s=1&t=8"}, {"b", Y "?s=2&t=8"}, {"c", Y "/y?t="}, {"c", Y "/y"}},
     false},
    {"one name, two values", "drop ?s", DP_FAMILY_PARAM, {{"a", X "?s=1"}, {"a", X "?s=2"}}, true},
    {"one name, one value", "drop ?s", DP_FAMILY_PARAM, {{"a", X "?s=1"}, {"a", X}, {"b", Y "?s=1"}, {"b", Y}}, false},
    {"a flag that has no other values", "drop ?s", DP_FAMILY_PARAM,
     {{"a", X "?s"}, {"a", X "?s=on"}, {"b", Y "?s=on"}, {"b", Y}}, true},
    {"a flag that has others", "drop ?s", DP_FAMILY_PARAM,
     {{"a", X "?s"}, {"a", X "?s=on"}, {"b", Y "?s=7"}, {"b", Y "?s=7&t=1"}}, false},
    {"erased", "erase ?s", DP_FAMILY_PARAM, {{"a", X "?s="}, {"a", X "?s=2"}}, false},
    {"of another page nothing is heard", "drop ?s", DP_FAMILY_PARAM, {{"a", X "?s=1"}, {"b", X "?s=2"}}, false},
    {"names with one value, of two pages each", "drop ?s,t if =1", DP_FAMILY_VALUE,
     {{"a", X "?s=1"}, {"a", X "?t=1"}, {"a", X}, {"b", Y "?s=1"}, {"b", Y "?t=1"}, {"b", Y}}, true},
    {"one of them of one page alone", "drop ?s,t if =1", DP_FAMILY_VALUE,
     {{"a", X "?s=1"}, {"a", X "?t=1"}, {"a", X}, {"b", Y "?s=1"}, {"b", Y}}, false},
    {"an empty value of one page", "drop ?s,t if =", DP_FAMILY_VALUE,
     {{"a", X "?s="}, {"a", X "?t="}, {"a", X}, {"b", Y "?s="}, {"b", Y}}, true},
    {"a value that the rule names needs no other", "drop ?s if =1", DP_FAMILY_VALUE, {{"a", X "?s=1"}, {"a", X}}, true},
    {"the rest of a path, in another order", "/x/{**} => /x", DP_FAMILY_FORGET,
     {{"a", X "/c/1"}, {"a", X "/1/c"}, {"a", X "/c/1/d"}, {"b", X "/e/f?t=1"}, {"b", X "/f/e?t=1"}}, false},
    {"the rest of a path, which differs", "/x/{**} => /x", DP_FAMILY_FORGET,
     {{"a", X "/c/1"}, {"a", X "/d/2"}, {"a", X "/e/3"}, {"b", X "/e/f?t=1"}, {"b", X "/g/h?t=1"}}, true},
    {"names that begin alike", "drop ?s*", DP_FAMILY_PARAMS, {{"a", X "?s=1"}, {"a", X}}, true},
};

static void parts_have_voices_of_their_own(void **state)
{
    (void)state;
    for (size_t i = 0; i < DP_COUNT(voiced); i++) {
        room r;
        open_room(&r, voiced[i].row, MOST, &voiced[i].idea, 1);
        r.idea[0].family = (uint8_t)voiced[i].family;
        if (dp_parts_speak(&r.b, 0) != voiced[i].want)
            fail_msg("%s", voiced[i].what);
        close_room(&r);
    }
}

/* Small numbers may be pages: one value is a default, a second one is not, nor is what is left of a rule that votes
 * spoke against. */
static void numbers_are_guarded_by_what_is_known_of_them(void **state)
{
    (void)state;
    static const struct {
        const char *idea;
        dp_idea     how;
        double      want;
    } asked[] = {
        {"drop ?s if =7", {.family = DP_FAMILY_VALUE}, 1},
        {"drop ?s if =7", {.family = DP_FAMILY_VALUE, .second = true}, DP_NUMBER_FACTOR},
        {"drop ?s", {.family = DP_FAMILY_PARAM}, DP_NUMBER_FACTOR},
        {"drop ?s", {.family = DP_FAMILY_PARAM, .doubted = true}, DP_PAGING_FACTOR},
    };
    static const site_row rows[] = {{"a", X}, {"a", X "?s=7"}, {"b", Y}, {"b", Y "?s=7"}};
    for (size_t i = 0; i < DP_COUNT(asked); i++) {
        room r;
        open_room(&r, rows, DP_COUNT(rows), &asked[i].idea, 1);
        dp_str text = r.idea[0].text[0];
        r.idea[0] = asked[i].how;
        r.idea[0].text[0] = text;
        dp_guarding got = dp_guard_ask(&r.b, 0, 0);
        assert_true(got.factor == asked[i].want);
        assert_true((got.by != 0) == (got.factor > DP_NUMBER_FACTOR)); /* few small numbers are pages */
        close_room(&r);
    }
}

/* One language for another is guarded whatever else changes with it; the same language is not. */
static void a_language_is_guarded_in_company(void **state)
{
    (void)state;
    static const struct {
        const char *idea;
        site_row    row[4];
        double      want;
    } asked[] = {
        {"/docs/da/{**} => /manual/en/{**}",
         {{"a", "http://a.test/docs/da/x"}, {"a", "http://a.test/manual/en/x"}, {"b", "http://a.test/docs/da/y"},
          {"b", "http://a.test/manual/en/y"}}, DP_GUARD_FACTOR},
        {"/docs/{**} => /manual/{**}",
         {{"a", "http://a.test/docs/da/x"}, {"a", "http://a.test/manual/da/x"}, {"b", "http://a.test/docs/en/y"},
          {"b", "http://a.test/manual/en/y"}}, 1},
    };
    for (size_t i = 0; i < DP_COUNT(asked); i++) {
        room r;
        open_room(&r, asked[i].row, DP_COUNT(asked[i].row), &asked[i].idea, 1);
        r.idea[0].family = DP_FAMILY_TEMPLATE;
        dp_guarding got = dp_guard_ask(&r.b, 0, 0);
        assert_true(got.factor == asked[i].want);
        dp_buf names = {0};
        dp_guard_print(&names, got.by);
        assert_true(dp_str_eq(dp_buf_view(&names), asked[i].want > 1 ? DP_STR("lang") : DP_STR("")));
        dp_buf_done(&names);
        close_room(&r);
    }
}

/* A soft error page under a thousand URLs may speak against an idea, never for it. */
static void soft_errors_speak_against_only(void **state)
{
    (void)state;
    static const char *const idea = "drop ?s";
    static const site_row    rows[] = {{"a", X}, {"a", X "?s=1"}, {"b", Y}, {"a", Y "?s=1"}};
    static const uint8_t     soft[] = {1, 0};
    room                     r;
    open_room(&r, rows, DP_COUNT(rows), &idea, 1);
    r.site.is_soft = soft;
    dp_count got = dp_ballot_count(&r.b, 0, DP_ALL_FOLDS);
    assert_count("soft", &got, &(dp_count){.neg = 1, .clusters = 1, .good = 1, .bad = 1, .changed = 2});
    close_room(&r);
}

/* Whose fold is left out has no vote, for or against; merges are counted all the same. */
static void folds_that_are_left_out_do_not_vote(void **state)
{
    (void)state;
    static const char *const idea = "drop ?s";
    static const site_row    rows[] = {
        {"a", X}, {"a", X "?s=1"}, {"b", Y}, {"b", Y "?s=1"}, {"b", Y "/x"}, {"c", Y "/x?s=1"}};
    static const uint8_t fold[] = {3, 5, 7};
    static const struct {
        uint32_t folds;
        double   pos, neg;
    } table[] = {
        {DP_ALL_FOLDS, 2, 1}, {DP_ALL_FOLDS & ~(1u << 3), 1, 1}, {DP_ALL_FOLDS & ~(1u << 5), 1, 0}, {1u << 3, 1, 0},
        {1u << 5, 1, 1}, {1u << 7, 0, 0}, {0, 0, 0},
    };
    room r;
    open_room(&r, rows, DP_COUNT(rows), &idea, 1);
    r.site.fold = fold;
    for (size_t i = 0; i < DP_COUNT(table); i++) {
        dp_count got = dp_ballot_count(&r.b, 0, table[i].folds);
        assert_count("folds", &got, &(dp_count){.pos = table[i].pos, .neg = table[i].neg, .clusters = 2, .good = 2,
                                                .bad = 1, .changed = 3});
    }
    close_room(&r);
}

/* ---- groups -------------------------------------------------------------------------------- */

typedef struct seen {
    dp_group_seen g[4];
    uint32_t      form[4][MOST];
    size_t        n;
} seen;

static void keep_group(void *ctx, const dp_group_seen *g)
{
    seen *s = ctx;
    assert_true(s->n < DP_COUNT(s->g) && g->n <= MOST);
    memcpy(s->form[s->n], g->form, g->n * sizeof *g->form);
    s->g[s->n++] = *g;
}

static void a_group_has_the_changed_forms_first(void **state)
{
    (void)state;
    static const char *const idea = "drop ?s";
    static const site_row    rows[] = {
        {"b", X}, {"a", X "?s=1"}, {"", X "?s=2"}, {"b", X "?s=3"}, {"a", Y}, {"a", Y "?t=1"}};
    static const uint32_t    want[] = {1, 3, 0}; /* forms are the rows, in their order */
    room                     r;
    seen                     s = {0};
    open_room(&r, rows, DP_COUNT(rows), &idea, 1);
    dp_ballot_walk(&r.b, 0, keep_group, &s);
    assert_int_equal(1, s.n);
    assert_int_equal(DP_COUNT(want), s.g[0].n);
    assert_int_equal(2, s.g[0].changed);
    assert_memory_equal(want, s.form[0], sizeof want);
    assert_int_equal(r.site.cluster[0], s.g[0].label);
    assert_int_equal(2, s.g[0].agree);
    assert_int_equal(1, s.g[0].others);
    close_room(&r);
}

static void of_equal_labels_the_least_is_the_commonest(void **state)
{
    (void)state;
    static const char *const idea = "drop ?s";
    static const site_row    rows[] = {{"b", X}, {"a", X "?s=1"}, {"b", X "?s=2"}, {"a", X "?s=3"}};
    room                     r;
    seen                     s = {0};
    open_room(&r, rows, DP_COUNT(rows), &idea, 1);
    dp_ballot_walk(&r.b, 0, keep_group, &s);
    assert_int_equal(1, s.n);
    assert_int_equal(0, s.g[0].label); /* clusters are numbered in the order of their first URL */
    close_room(&r);
}

/* ---- what was merged ----------------------------------------------------------------------- */

static void what_was_merged_is_old_news(void **state)
{
    (void)state;
    static const char *const ideas[] = {"drop ?s", "drop ?s if =1", "drop ?s,t"};
    static const site_row    rows[] = {{"a", X}, {"a", X "?s=1"}, {"b", Y}, {"b", Y "?s=1"}, {"b", Y "?t=1"}};
    room                     r;
    open_room(&r, rows, DP_COUNT(rows), ideas, DP_COUNT(ideas));
    dp_count got = dp_ballot_count(&r.b, 2, DP_ALL_FOLDS);
    assert_count("before", &got, &(dp_count){.pos = 2, .clusters = 2, .good = 3, .changed = 3});
    dp_ballot_take(&r.b, 0);
    for (size_t i = 0; i < 2; i++) { /* the same, and a part of it: nothing is left to gain */
        got = dp_ballot_count(&r.b, i, DP_ALL_FOLDS);
        assert_count("after", &got, &(dp_count){.changed = 2});
    }
    got = dp_ballot_count(&r.b, 2, DP_ALL_FOLDS);
    assert_count("more", &got, &(dp_count){.pos = 1, .clusters = 1, .good = 1, .changed = 3});
    close_room(&r);
}

/* Forms that were merged count once, with the label of the heaviest: of the last one where they are equal. */
static void merged_forms_have_one_voice(void **state)
{
    (void)state;
    static const char *const ideas[] = {"drop ?s", "drop ?s,t"};
    static const site_row    rows[] = {{"a", X}, {"b", X "?s=1"}, {"b", X "?s=2"}, {"a", X "?t=1"}};
    room                     r;
    open_room(&r, rows, DP_COUNT(rows), ideas, DP_COUNT(ideas));
    dp_ballot_take(&r.b, 0);
    dp_count got = dp_ballot_count(&r.b, 1, DP_ALL_FOLDS);
    assert_count("one voice", &got, &(dp_count){.pos = 1, .clusters = 1, .good = 1, .changed = 3});
    close_room(&r);
    open_room(&r, rows, DP_COUNT(rows), ideas, DP_COUNT(ideas));
    r.forms.weight[1] = 7; /* as if seven URLs had become http://a.test/x?s=1 */
    dp_ballot_take(&r.b, 0);
    got = dp_ballot_count(&r.b, 1, DP_ALL_FOLDS);
    assert_count("the heaviest", &got, &(dp_count){.neg = 1, .bad = 1, .changed = 3});
    close_room(&r);
}

/* ---- all ideas ----------------------------------------------------------------------------- */

static void counting_all_is_counting_each_for_any_number_of_threads(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "drop ?sid", "drop ?sid if =1", "drop ?nobody", "/{a} => /x", "drop ?sid if =2"};
    enum { IDEAS = DP_COUNT(texts) };
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        room     r = {0};
        dp_pool *pool;
        dp_count all[IDEAS];
        uint32_t folds[IDEAS] = {DP_ALL_FOLDS, 6, DP_ALL_FOLDS, 1, 0};
        make_large_site(&r.site, 300, 3, &r.a);
        for (size_t i = 0; i < IDEAS; i++)
            r.idea[i] = (dp_idea){.text = {dp_str_c(texts[i])}};
        assert_int_equal(DP_OK, dp_pool_new(&pool, threads));
        assert_int_equal(DP_OK, dp_forms_init(&r.forms, &r.site, true, NULL, pool));
        assert_int_equal(DP_OK, dp_ballot_init(&r.b, &r.forms, r.idea, IDEAS, NULL, pool));
        assert_int_equal(DP_OK, dp_ballot_count_all(&r.b, all, folds, pool));
        for (size_t i = 0; i < IDEAS; i++) {
            dp_count one = dp_ballot_count(&r.b, i, folds[i]);
            assert_count(texts[i], &all[i], &one);
        }
        assert_true(all[0].pos == 300 && all[0].good == 600 && all[0].clusters == 300);
        assert_true(all[4].pos == 0 && all[4].good == 300);
        close_room(&r);
        dp_pool_free(pool);
    }
}

static void no_ideas_are_no_votes(void **state)
{
    (void)state;
    static const site_row rows[] = {{"a", X}, {"a", X "?s=1"}};
    room                  r;
    open_room(&r, rows, DP_COUNT(rows), NULL, 0);
    assert_int_equal(DP_OK, dp_ballot_count_all(&r.b, NULL, NULL, NULL));
    close_room(&r);
}

static void survives_every_allocation_failure(void **state)
{
    (void)state;
    static const site_row rows[] = {{"a", X}, {"a", X "?s=1"}, {"b", Y}, {"b", Y "?s=1"}};
    room                  r = {.idea = {{.text = {DP_STR("drop ?s")}}, {.text = {DP_STR("/{a} => /x")}}}};
    make_site(&r.site, rows, DP_COUNT(rows), &r.a);
    assert_int_equal(DP_OK, dp_forms_init(&r.forms, &r.site, true, NULL, NULL));
    DP_EVERY_ALLOC_FAILURE {
        dp_pool *pool = NULL;
        dp_count all[2];
        uint32_t folds[2] = {DP_ALL_FOLDS, DP_ALL_FOLDS};
        dp_err   code = dp_pool_new(&pool, 2);
        r.b = (dp_ballot){0};
        if (code == DP_OK)
            code = dp_ballot_init(&r.b, &r.forms, r.idea, 2, NULL, pool);
        if (code == DP_OK)
            code = dp_ballot_count_all(&r.b, all, folds, pool);
        assert_int_equal(dp_alloc_failed() ? DP_ENOMEM : DP_OK, code);
        dp_ballot_done(&r.b);
        dp_pool_free(pool);
    }
    dp_forms_done(&r.forms);
    dp_arena_done(&r.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(votes_are_those_of_the_table),
        cmocka_unit_test(parts_have_voices_of_their_own),
        cmocka_unit_test(numbers_are_guarded_by_what_is_known_of_them),
        cmocka_unit_test(a_language_is_guarded_in_company),
        cmocka_unit_test(soft_errors_speak_against_only),
        cmocka_unit_test(folds_that_are_left_out_do_not_vote),
        cmocka_unit_test(a_group_has_the_changed_forms_first),
        cmocka_unit_test(of_equal_labels_the_least_is_the_commonest),
        cmocka_unit_test(what_was_merged_is_old_news),
        cmocka_unit_test(merged_forms_have_one_voice),
        cmocka_unit_test(counting_all_is_counting_each_for_any_number_of_threads),
        cmocka_unit_test(no_ideas_are_no_votes),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests_name("ballot", tests, NULL, NULL);
}
