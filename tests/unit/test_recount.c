/* A large site in steps (learn/sample/sample_site.c, learn/recount/recount.c, learn/steps/recount_step.c) against
 * dp_learner_run.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "learn/recount/recount.h"
#include "store/pack.h"
#include "support/failing_alloc.h"
#include "support/packed_files.h"
#include "support/tempfile.h"

enum { PIECES = 3, MOST_PAGES = 2000, MOST_PARTS = 16 };

static const char *const domain = "shop.example";

/* Items with a session or without, on two hosts; lists, each another page; old addresses that lead to items. Where
 * wrong[i] is set, the session of item i says what is shown. */
static void plant(dp_buf out[PIECES], int pages, const bool *wrong)
{
    for (int i = 0; i < pages; i++) {
        dp_buf *b = &out[i % PIECES];
        int     kind = wrong && wrong[i];
        dp_buf_printf(b, "{\"url\":\"http://shop.example/item?id=%d\",\"cluster\":\"p%d\"}\n", i, i);
        for (int k = 1; k <= 2; k++)
            dp_buf_printf(&out[(i + k) % PIECES],
                          "{\"url\":\"http://shop.example/item?id=%d&sid=%d\",\"cluster\":\"p%d%s\"}\n", i,
                          i * 7919 % 1000 + k, i, !kind ? "" : k == 1 ? "x" : "y");
        dp_buf_printf(b, "{\"url\":\"http://www.shop.example/item?id=%d\",\"cluster\":\"p%d\"}\n", i, i);
        dp_buf_printf(b, "{\"url\":\"http://shop.example/list?page=%d\",\"cluster\":\"q%d\"}\n", i, i);
        dp_buf_printf(b, "{\"url\":\"http://shop.example/old/%d\",\"status\":301,", i);
        dp_buf_printf(b, "\"target\":\"http://shop.example/item?id=%d\"}\n", i);
    }
}

static void write_pieces(const char *paths[PIECES], int pages, const bool *wrong)
{
    static const char *const names[2][PIECES] = {{"a", "b", "c"}, {"x", "y", "z"}};
    dp_buf                   text[PIECES] = {{0}};
    plant(text, pages, wrong);
    for (size_t i = 0; i < PIECES; i++) {
        paths[i] = dp_temp_write(names[wrong != NULL][i], dp_buf_view(&text[i]));
        dp_buf_done(&text[i]);
    }
}

static dp_err make(dp_learner **out, const char *method, const char *sample)
{
    dp_err code = dp_learner_new(out);
    if (code == DP_OK)
        code = dp_learner_input(*out, DP_INPUT_FORMAT, "jsonl");
    if (code == DP_OK)
        code = dp_learner_set(*out, "method", method, NULL);
    return code == DP_OK ? dp_learner_set(*out, "site-sample", sample, NULL) : code;
}

/* ---- the steps, as somebody with several machines would take them ----------------------------------------------- */

typedef struct machines {
    dp_learner      *l;
    dp_packed_facts *parcels[PIECES];
    uint64_t         totals[DP_READ_COUNTS], facts;
    dp_site_sample  *draw;
    dp_text         *taught, *counted;
} machines;

static dp_err pack(machines *m, const char *const paths[PIECES])
{
    DP_TRY(parcels_pack(m->parcels, m->l, paths, PIECES, m->totals));
    for (size_t i = 0; i < PIECES; i++)
        for (size_t k = 0; k < dp_packed_facts_count(m->parcels[i]); k++)
            m->facts += dp_packed_facts_number(m->parcels[i], k);
    return DP_OK;
}

/* What machine `i` sees, brought to the one who joins. */
static dp_err see(machines *m, size_t i, dp_text *before)
{
    dp_site_sample *d = NULL;
    dp_text        *saved = NULL;
    dp_err          code = dp_site_sample_new(&d, m->l, m->facts);
    if (code == DP_OK && before)
        code = dp_site_sample_join(d, dp_text_data(before), dp_text_size(before), NULL);
    for (size_t k = 0; code == DP_OK && k < dp_packed_facts_count(m->parcels[i]); k++) {
        size_t      n;
        const char *data = dp_packed_facts_data(m->parcels[i], k, &n);
        code = dp_site_sample_add(d, data, n, NULL);
    }
    if (code == DP_OK)
        code = dp_site_sample_save(&saved, d);
    if (code == DP_OK)
        code = dp_site_sample_join(m->draw, dp_text_data(saved), dp_text_size(saved), NULL);
    dp_text_free(saved);
    dp_site_sample_free(d);
    return code;
}

static dp_err draw(machines *m)
{
    dp_text *before = NULL;
    dp_err   code = dp_site_sample_new(&m->draw, m->l, m->facts);
    for (int step = 0; step < 2 && code == DP_OK; step++) {
        for (size_t i = PIECES; i-- && code == DP_OK;)
            code = see(m, i, before);
        if (code == DP_OK)
            code = dp_site_sample_turn(m->draw);
        dp_text_free(before);
        before = NULL;
        if (code == DP_OK)
            code = dp_site_sample_save(&before, m->draw);
    }
    dp_text_free(before);
    return code;
}

/* Do something with what is in the sample. */
static dp_err take(machines *m, dp_err (*call)(void *ctx, const char *data, size_t n), void *ctx)
{
    dp_err code = DP_OK;
    for (size_t i = 0; i < PIECES; i++) {
        for (size_t k = 0; code == DP_OK && k < dp_packed_facts_count(m->parcels[i]); k++) {
            size_t      n;
            const char *data = dp_packed_facts_data(m->parcels[i], k, &n);
            dp_text    *some = NULL;
            code = dp_site_sample_take(&some, m->draw, data, n, NULL);
            if (code == DP_OK)
                code = call(ctx, dp_text_data(some), dp_text_size(some));
            dp_text_free(some);
        }
    }
    return code;
}

static dp_err add(void *ctx, const char *data, size_t n)
{
    return dp_site_step_add(ctx, data, n, NULL);
}

static dp_err teach(machines *m)
{
    dp_site_step *s = NULL;
    dp_err        code = dp_site_step_new(&s, m->l, &domain, 1, NULL);
    if (code == DP_OK)
        code = take(m, add, s);
    if (code == DP_OK)
        code = dp_site_step_learn(&m->taught, s, NULL, 0, NULL);
    dp_site_step_free(s);
    return code;
}

static dp_err split(machines *m, dp_recount_step *r, dp_site_step **part)
{
    dp_err code = DP_OK;
    for (size_t i = PIECES; i--;) {
        for (size_t k = 0; code == DP_OK && k < dp_packed_facts_count(m->parcels[i]); k++) {
            size_t      n;
            const char *data = dp_packed_facts_data(m->parcels[i], k, &n);
            code = dp_recount_step_split(r, data, n, NULL);
            for (size_t p = 0; code == DP_OK && p < dp_recount_step_count(r); p++) {
                data = dp_recount_step_data(r, p, &n);
                code = dp_site_step_add(part[p], data, n, NULL);
            }
        }
    }
    return code;
}

static dp_err count(machines *m)
{
    dp_recount_step *r = NULL;
    dp_site_step   *part[MOST_PARTS] = {0};
    dp_err      code = dp_recount_step_new(&r, m->l, dp_text_data(m->taught), dp_text_size(m->taught), m->draw, NULL);
    size_t      parts = r ? dp_recount_step_count(r) : 0;
    assert_true(parts <= MOST_PARTS && (!r || parts > 1));
    for (size_t p = 0; p < parts && code == DP_OK; p++)
        code = dp_site_step_new(&part[p], m->l, &domain, 1, NULL);
    if (code == DP_OK)
        code = split(m, r, part);
    for (size_t p = parts; p-- && code == DP_OK;) {
        dp_text *counted = NULL;
        code = dp_site_step_recount(&counted, part[p], r, p, NULL);
        if (code == DP_OK)
            code = dp_recount_step_join(r, dp_text_data(counted), dp_text_size(counted), NULL);
        dp_text_free(counted);
    }
    if (code == DP_OK)
        code = dp_recount_step_close(&m->counted, r, NULL);
    for (size_t p = 0; p < MOST_PARTS; p++)
        dp_site_step_free(part[p]);
    dp_recount_step_free(r);
    return code;
}

static dp_err merge(machines *m)
{
    const char *data = dp_text_data(m->counted);
    size_t      n = dp_text_size(m->counted);
    return dp_learner_merge(m->l, &data, &n, 1, m->totals, NULL);
}

static dp_err all_steps(machines *m, const char *method, const char *sample, const char *const *paths)
{
    dp_err code = make(&m->l, method, sample);
    if (code == DP_OK)
        code = pack(m, paths);
    if (code == DP_OK)
        code = draw(m);
    if (code == DP_OK)
        code = teach(m);
    if (code == DP_OK)
        code = count(m);
    return code == DP_OK ? merge(m) : code;
}

static void done(machines *m)
{
    for (size_t i = 0; i < PIECES; i++)
        dp_packed_facts_free(m->parcels[i]);
    dp_site_sample_free(m->draw);
    dp_text_free(m->taught);
    dp_text_free(m->counted);
    dp_learner_free(m->l);
    *m = (machines){0};
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static dp_text *rules_of(const char *method, const char *sample, const char *const *paths)
{
    dp_learner *l;
    dp_text    *out;
    assert_int_equal(DP_OK, make(&l, method, sample));
    assert_int_equal(DP_OK, dp_learner_run(l, paths, PIECES, NULL));
    assert_int_equal(DP_OK, dp_learner_rules(&out, l));
    dp_learner_free(l);
    return out;
}

static void assert_same(dp_text *a, dp_text *b)
{
    assert_string_equal(dp_text_data(a), dp_text_data(b));
    dp_text_free(a);
    dp_text_free(b);
}

static void steps_equal_a_run(void **state)
{
    static const char *const methods[] = {"auto", "tree", "rewrite"};
    const char              *paths[PIECES];
    (void)state;
    write_pieces(paths, 800, NULL);
    for (size_t i = 0; i < DP_COUNT(methods); i++) {
        machines m = {0};
        dp_text *found;
        assert_int_equal(DP_OK, all_steps(&m, methods[i], "1500", paths));
        assert_int_equal(DP_OK, dp_learner_rules(&found, m.l));
        assert_non_null(strstr(dp_text_data(found), "/old/{"));
        assert_non_null(strstr(dp_text_data(found), "4800 URLs"));
        assert_same(found, rules_of(methods[i], "1500", paths));
        done(&m);
    }
    dp_temp_remove(NULL);
}

static void what_fits_is_learned_as_ever(void **state)
{
    static const char *const methods[] = {"auto", "tree", "rewrite", "duster", "dust"};
    const char              *paths[PIECES];
    (void)state;
    write_pieces(paths, 150, NULL);
    for (size_t i = 0; i < DP_COUNT(methods); i++)
        assert_same(rules_of(methods[i], "900", paths), rules_of(methods[i], "0", paths));
    assert_same(rules_of("dust", "100", paths), rules_of("dust", "0", paths)); /* it has all, always */
    dp_temp_remove(NULL);
}

/* Every record three times: what counts are URLs. */
static void repeated_records_do_not_make_a_site_large(void **state)
{
    const char *paths[PIECES];
    dp_buf      text[PIECES] = {{0}};
    machines    m = {0};
    dp_text    *found;
    (void)state;
    for (int k = 0; k < 3; k++)
        plant(text, 150, NULL);
    for (size_t i = 0; i < PIECES; i++) {
        paths[i] = dp_temp_write((const char *[]){"a", "b", "c"}[i], dp_buf_view(&text[i]));
        dp_buf_done(&text[i]);
    }
    assert_same(rules_of("tree", "1000", paths), rules_of("tree", "0", paths));
    assert_int_equal(DP_OK, make(&m.l, "tree", "1000"));
    assert_int_equal(DP_OK, pack(&m, paths));
    assert_int_equal(3 * 900, m.facts);
    assert_int_equal(DP_OK, draw(&m));
    assert_int_equal(DP_OK, teach(&m));
    dp_recount_step *r;
    assert_int_equal(DP_OK, dp_recount_step_new(&r, m.l, dp_text_data(m.taught), dp_text_size(m.taught), m.draw, NULL));
    assert_int_equal(0, dp_recount_step_count(r));
    assert_int_equal(DP_OK, dp_recount_step_close(&m.counted, r, NULL));
    dp_recount_step_free(r);
    assert_int_equal(DP_OK, merge(&m));
    assert_int_equal(DP_OK, dp_learner_rules(&found, m.l));
    assert_same(found, rules_of("tree", "0", paths));
    done(&m);
    dp_temp_remove(NULL);
}

/* Which items are in the sample, and how many of their URLs. */
typedef struct drawn {
    int urls[MOST_PAGES], all;
} drawn;

static dp_err note(void *ctx, const char *data, size_t n)
{
    drawn *d = ctx;
    dp_str rest = {data, n};
    while (rest.n) {
        dp_fact     f;
        uint32_t    none;
        const char *id;
        assert_true(dp_unpack_fact(&rest, &f, &none));
        d->all++;
        if ((id = memmem(f.url.p, f.url.n, "item?id=", 8)))
            d->urls[atoi(id + 8)]++;
    }
    return DP_OK;
}

static void draw_all(machines *m, drawn *d, const char *const *paths)
{
    assert_int_equal(DP_OK, make(&m->l, "tree", "3000"));
    assert_int_equal(DP_OK, pack(m, paths));
    assert_int_equal(DP_OK, draw(m));
    assert_int_equal(DP_OK, take(m, note, d));
}

static void urls_that_collide_are_drawn_together(void **state)
{
    const char *paths[PIECES], *turned[PIECES];
    machines    m = {0}, n = {0};
    drawn       d = {{0}, 0}, e = {{0}, 0};
    int         whole = 0;
    (void)state;
    write_pieces(paths, MOST_PAGES, NULL);
    for (size_t i = 0; i < PIECES; i++)
        turned[i] = paths[PIECES - 1 - i];
    draw_all(&m, &d, paths);
    draw_all(&n, &e, turned);
    assert_true(d.all <= 3000 && d.all > 2900);
    for (int i = 0; i < MOST_PAGES; i++) {
        assert_true(d.urls[i] == 0 || d.urls[i] == 4);
        assert_int_equal(d.urls[i], e.urls[i]);
        whole += d.urls[i] == 4;
    }
    assert_true(whole > 400);
    done(&m);
    done(&n);
    dp_temp_remove(NULL);
}

/* One item in ten is wrong, and none of them is in the sample. */
static void a_rule_that_fails_outside_of_the_sample_is_dropped(void **state)
{
    const char *paths[PIECES];
    static bool wrong[MOST_PAGES];
    machines    m = {0};
    drawn       d = {{0}, 0};
    dp_text    *found;
    (void)state;
    write_pieces(paths, MOST_PAGES, NULL);
    draw_all(&m, &d, paths);
    done(&m);
    for (int i = 0; i < MOST_PAGES; i++)
        wrong[i] = !d.urls[i] && i % 10 == 3;
    found = rules_of("tree", "3000", paths);
    assert_non_null(strstr(dp_text_data(found), "sid"));
    dp_text_free(found);
    write_pieces(paths, MOST_PAGES, wrong);
    assert_int_equal(DP_OK, all_steps(&m, "tree", "3000", paths));
    const char *taught = dp_text_data(m.taught), *counted = dp_text_data(m.counted);
    assert_non_null(memmem(taught, dp_text_size(m.taught), "drop ?sid", 9));
    assert_null(memmem(counted, dp_text_size(m.counted), "drop ?sid", 9));
    assert_int_equal(DP_OK, dp_learner_rules(&found, m.l));
    assert_same(found, rules_of("tree", "3000", paths));
    done(&m);
    dp_temp_remove(NULL);
}

/* A block stays where a rule does, or its order line; who has no votes is written as it was. */
static void blocks_of_no_rule_are_left_out(void **state)
{
    (void)state;
    static const char text[] = "host a.com\nkeep ?l\ndrop ?a [p=.9 n=3 neg=0]\n"
                               "host b.com\norder any\ndrop ?b [p=.9 n=3 neg=0]\n"
                               "host c.com\nkeep ?l\nlikely drop ?c [p=.9 n=3 neg=0]\n"
                               "drop ?d if =[1] [p=.9 n=3 neg=0]\n";
    dp_recount r;
    dp_learned l = {0};
    dp_buf_c(&l.text, text);
    assert_int_equal(DP_OK, dp_recount_init(&r, dp_str_c(text), NULL, 1));
    assert_int_equal(4, r.n);
    for (size_t i = 0; i < 2; i++)
        r.sum[DP_COUNT_ACTIVE * r.n + i] = (dp_recounted){.against = 50, .wrong = 50, .good = 1};
    r.sum[DP_COUNT_LIKELY * r.n + 2] = (dp_recounted){.votes = 5, .good = 9, .save = 7};
    assert_int_equal(DP_OK, dp_recount_write(&r, &l, .995));
    static const char first[] = "host b.com\norder any\nhost c.com\nkeep ?l\nlikely drop ?c [p=",
                      last[] = " n=5 neg=0 save=7]\ndrop ?d if =[1] [p=.9 n=3 neg=0]\n";
    dp_str got = dp_buf_view(&l.text);
    assert_true(dp_str_starts(got, dp_str_c(first)));
    assert_true(dp_str_eq(dp_str_cut(got, got.n - strlen(last), got.n), dp_str_c(last)));
    assert_true(l.active == 1 && l.likely == 1 && l.harmful == 2);
    dp_buf_done(&l.text);
    dp_recount_done(&r);
}

static void foreign_bytes_are_refused(void **state)
{
    dp_learner      *l;
    dp_site_sample  *d;
    dp_recount_step *r = NULL;
    dp_text         *out = NULL;
    dp_error         err;
    const char       bytes[] = "these are no facts of ours, nor what was saved or counted, however long they are";
    (void)state;
    assert_int_equal(DP_OK, make(&l, "tree", "10"));
    assert_int_equal(10, dp_learner_sample(l));
    assert_int_equal(DP_OK, dp_site_sample_new(&d, l, 100));
    assert_int_equal(DP_ESYNTAX, dp_site_sample_add(d, bytes, sizeof bytes, &err));
    assert_int_equal(DP_ESYNTAX, dp_site_sample_join(d, bytes, sizeof bytes, &err));
    assert_int_equal(DP_EINVALID, dp_site_sample_take(&out, d, bytes, sizeof bytes, &err));
    assert_int_equal(DP_EINVALID, dp_recount_step_new(&r, l, bytes, sizeof bytes, d, &err));
    assert_int_equal(DP_OK, dp_site_sample_turn(d));
    assert_int_equal(DP_OK, dp_site_sample_turn(d));
    assert_int_equal(DP_ESYNTAX, dp_recount_step_new(&r, l, bytes, sizeof bytes, d, &err));
    dp_site_sample_free(d);
    dp_learner_free(l);
}

static void survives_every_allocation_failure(void **state)
{
    const char *paths[PIECES];
    (void)state;
    write_pieces(paths, 12, NULL);
    DP_EVERY_ALLOC_FAILURE
    {
        machines m = {0};
        dp_err   code = all_steps(&m, "tree", "40", paths);
        assert_true(code == DP_OK || code == DP_ENOMEM);
        done(&m);
    }
    dp_temp_remove(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_equal_a_run),
        cmocka_unit_test(what_fits_is_learned_as_ever),
        cmocka_unit_test(repeated_records_do_not_make_a_site_large),
        cmocka_unit_test(urls_that_collide_are_drawn_together),
        cmocka_unit_test(a_rule_that_fails_outside_of_the_sample_is_dropped),
        cmocka_unit_test(blocks_of_no_rule_are_left_out),
        cmocka_unit_test(foreign_bytes_are_refused),
        cmocka_unit_test(survives_every_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
