/* learn/seq2seq from pairs to rules: a small site is learned, translated, kept in a file and distilled.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "learn/seq2seq/canonical.h"
#include "learn/seq2seq/distil.h"
#include "support/tempfile.h"

enum { PAGES = 400, WAYS = 4 };

/* Questions under four URLs each: the shortest is /q/ID; and users, who have one. */
static const char *const way[WAYS] = {
    "http://a.com/q/%d",
    "http://a.com/questions/%d/title-%d",
    "http://a.com/questions/%d/answers",
    "http://a.com/questions/%d/title-%d?sort=votes",
};

typedef struct world {
    dp_site       site;
    dp_seq_model  model;
    dp_seq_site  *s;
    dp_seq_pairs  pairs;
    dp_arena      arena;
} world;

static void add_page(world *w, dp_site_page *p, size_t *n, const char *url, int cluster)
{
    char id[16];
    snprintf(id, sizeof id, "c%d", cluster);
    dp_str text = dp_arena_str(&w->arena, dp_str_c(url));
    p[(*n)++] = (dp_site_page){text, dp_arena_str(&w->arena, dp_str_c(id)), DP_BY_TEXT};
}

/* Words and pairs of these pages. */
static void world_learn(world *w, const dp_site_page *p, size_t n)
{
    const dp_pairs_options all = {UINT32_MAX, true};
    assert_int_equal(DP_OK, dp_site_make(&w->site, DP_STR("a.com"), p, n, &w->arena));
    assert_int_equal(DP_OK, dp_seq_model_add(&w->model, DP_STR("a.com"), &w->s));
    uint32_t *canonical = DP_NEWS(&w->arena, w->site.nclusters, uint32_t);
    assert_int_equal(DP_OK, dp_seq_words_learn(&w->s->vocab, canonical, &w->site,
                                               (dp_words_options){.share = 0.01, .folds = UINT32_MAX}));
    assert_int_equal(DP_OK, dp_seq_site_domains(w->s, &w->site));
    assert_int_equal(DP_OK, dp_seq_pairs_make(&w->pairs, &w->site, &w->s->vocab, all, canonical, &w->arena));
    w->s->sure = 0.9;
}

static void world_init_with(world *w, const char *const of[WAYS])
{
    *w = (world){0};
    dp_site_page *p = DP_NEWS(&w->arena, PAGES * (WAYS + 1), dp_site_page);
    size_t        n = 0;
    for (int i = 0; i < PAGES; i++) {
        char url[100];
        for (int k = 0; k < WAYS; k++) {
            snprintf(url, sizeof url, of[k], 1000 + i, 7 * i);
            add_page(w, p, &n, url, i);
        }
        snprintf(url, sizeof url, "http://a.com/users/%d", i);
        add_page(w, p, &n, url, PAGES + i);
    }
    world_learn(w, p, n);
}

static void world_init(world *w)
{
    world_init_with(w, way);
}

static void world_done(world *w)
{
    dp_seq_model_done(&w->model);
    dp_arena_done(&w->arena);
}

static const dp_train_options options = {.hidden = 24, .batch = 20, .epochs = 200, .patience = 200, .clip = 5};

static void train(world *w, uint32_t epochs, dp_pool *pool)
{
    if (!w->s->training.n)
        assert_int_equal(DP_OK, dp_training_init(&w->s->training, dp_vocab_size(&w->s->vocab), &options, 1));
    while (w->s->training.epoch < epochs) {
        assert_int_equal(DP_OK, dp_training_epoch(&w->s->training, &w->pairs, &options, pool));
        dp_training_note(&w->s->training, 0, &options);
    }
}

static const char *translate(dp_translator *t, const char *url)
{
    static char        text[200];
    dp_translate_desk *d;
    dp_buf             out = {0};
    dp_str             in = dp_str_c(url);
    size_t             end;
    assert_int_equal(DP_OK, dp_translate_desk_new(&d));
    assert_int_equal(DP_OK, dp_translate(t, d, &in, 1, &out, &end));
    snprintf(text, sizeof text, "%.*s", (int)end, out.p);
    dp_buf_done(&out);
    dp_translate_desk_free(d);
    return text;
}

static void a_site_becomes_words_and_pairs(void **state)
{
    (void)state;
    world w;
    world_init(&w);
    assert_string_equal("?=&", w.s->vocab.delimiters);
    assert_int_equal(10, w.s->vocab.n); /* = ? a.com answers http: q questions sort users votes */
    assert_int_equal(5, w.pairs.n); /* four ways, and the users */
    assert_int_equal(PAGES * WAYS, w.pairs.urls);
    assert_int_equal(0, w.pairs.unsayable);
    world_done(&w);
}

static void a_site_is_learned(void **state)
{
    (void)state;
    world w;
    world_init(&w);
    train(&w, 12, NULL);
    for (int memo = 0; memo < 2; memo++) {
        dp_translator *t;
        assert_int_equal(DP_OK, dp_translator_new(&t, &w.model, memo));
        assert_string_equal("http://a.com/q/77", translate(t, "http://a.com/questions/77/other-title?sort=votes"));
        assert_string_equal("http://a.com/q/77", translate(t, "http://a.com/questions/77/other-title"));
        assert_string_equal("http://a.com/q/77", translate(t, "http://a.com/questions/77/answers/"));
        assert_string_equal("http://a.com/q/77", translate(t, "http://a.com/q/77"));
        assert_string_equal("http://a.com/users/77", translate(t, "http://a.com/users/77"));
        assert_string_equal("http://b.com/q/77/", translate(t, "http://b.com/q/77/")); /* another site */
        assert_string_equal("no URL", translate(t, "no URL"));
        dp_translator_free(t);
    }
    dp_translator *t;
    dp_proposals   rules = {0};
    dp_distilled   count;
    assert_int_equal(DP_OK, dp_translator_new(&t, &w.model, true));
    assert_int_equal(DP_OK, dp_seq_distil(&rules, &count, &w.site, w.s, t, &w.arena));
    assert_int_equal(0, count.unsayable_urls);
    assert_int_equal(5, count.templates);
    bool found = false;
    for (size_t i = 0; i < rules.n; i++)
        found |= dp_str_eq(rules.v[i].text, DP_STR("/questions/{a1}/{a2} => /q/{a1}"));
    assert_true(found);
    dp_proposals_done(&rules);
    dp_translator_free(t);
    world_done(&w);
}

/* A site on a port of its own, under two names: one leads to the other. */
static void a_mirror_on_a_port_is_learned(void **state)
{
    (void)state;
    static const char *const mirrored[WAYS] = {
        "http://a.com:8080/q/%d",
        "http://a.com:8080/questions/%d/title-%d",
        "http://w.a.com:8080/questions/%d/answers",
        "http://w.a.com:8080/questions/%d/title-%d",
    };
    world          w;
    dp_translator *t;
    world_init_with(&w, mirrored);
    train(&w, 12, NULL);
    assert_int_equal(DP_OK, dp_translator_new(&t, &w.model, true));
    assert_string_equal("http://a.com:8080/q/77", translate(t, "http://w.a.com:8080/questions/77/answers"));
    assert_string_equal("http://a.com:8080/q/77", translate(t, "http://w.a.com:8080/questions/77/other-title"));
    dp_translator_free(t);
    world_done(&w);
}

/* Whatever is forbidden shows the login, whose URL is one among thousands: its words are words all the same. */
static void a_constant_page_is_learned(void **state)
{
    (void)state;
    enum { FORBIDDEN = 300 };
    world         w = {0};
    dp_site_page *p = DP_NEWS(&w.arena, PAGES + FORBIDDEN + 1, dp_site_page);
    size_t        n = 0;
    char          url[100];
    for (int i = 0; i < PAGES; i++) {
        snprintf(url, sizeof url, "http://a.com/users/%d", i);
        add_page(&w, p, &n, url, i);
    }
    for (int i = 0; i < FORBIDDEN; i++) {
        snprintf(url, sizeof url, "http://a.com/admin/%d/edit", 7 * i + 3);
        add_page(&w, p, &n, url, PAGES);
    }
    add_page(&w, p, &n, "http://a.com/login", PAGES);
    world_learn(&w, p, n);
    assert_int_equal(DP_OK, dp_majority_make(&w.s->majority, &w.pairs, &w.s->arena));
    dp_translator *t;
    assert_int_equal(DP_OK, dp_translator_new(&t, &w.model, true));
    assert_string_equal("http://a.com/login", translate(t, "http://a.com/admin/5/edit"));
    assert_string_equal("http://a.com/users/5", translate(t, "http://a.com/users/5"));
    dp_translator_free(t);
    world_done(&w);
}

/* Of URLs with as few tokens the one with the more frequent ones stands for the page, be it the longer one. */
static void frequent_words_are_canonical(void **state)
{
    (void)state;
    world         w = {0};
    dp_site_page *p = DP_NEWS(&w.arena, 3 * PAGES, dp_site_page);
    size_t        n = 0;
    char          url[100];
    for (int i = 0; i < PAGES; i++) {
        snprintf(url, sizeof url, "http://a.com/articles/%d", i);
        add_page(&w, p, &n, url, i);
        snprintf(url, sizeof url, "http://a.com/a/%d", i);
        if (i % 2)
            add_page(&w, p, &n, url, i);
    }
    world_learn(&w, p, n);
    assert_int_equal(DP_OK, dp_majority_make(&w.s->majority, &w.pairs, &w.s->arena));
    dp_translator *t;
    assert_int_equal(DP_OK, dp_translator_new(&t, &w.model, true));
    assert_string_equal("http://a.com/articles/5", translate(t, "http://a.com/a/5"));
    dp_translator_free(t);
    world_done(&w);
}

/* What most URLs of a template became, without any network; the same counted pair by pair. */
static void the_majority_answers_for_templates_it_has_seen(void **state)
{
    (void)state;
    world          w;
    dp_translator *t;
    world_init(&w);
    assert_int_equal(DP_OK, dp_majority_make(&w.s->majority, &w.pairs, &w.s->arena));
    for (size_t i = 0; i < w.pairs.n; i++) {
        const dp_seq_pair *p = &w.pairs.v[i];
        uint64_t           sum = 0, most = 0;
        for (size_t k = 0; k < w.pairs.n; k++) {
            const dp_seq_pair *q = &w.pairs.v[k];
            if (dp_seq_order(p->source, p->nsource, q->source, q->nsource))
                continue;
            sum += q->weight;
            most = q->weight > most ? q->weight : most;
        }
        const dp_majority_row *row = dp_majority_find(&w.s->majority, p->source, p->nsource);
        assert_non_null(row);
        assert_true(row->share == (float)((double)most / (double)sum));
    }
    assert_null(dp_majority_find(&w.s->majority, w.pairs.v[0].source, 1));
    assert_int_equal(DP_OK, dp_translator_new(&t, &w.model, true));
    assert_string_equal("http://a.com/q/77", translate(t, "http://a.com/questions/77/other-title?sort=votes"));
    assert_string_equal("http://a.com/users/77", translate(t, "http://a.com/users/77"));
    assert_string_equal("http://a.com/users/77/77", translate(t, "http://a.com/users/77/77")); /* never seen */
    dp_translator_free(t);
    world_done(&w);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    world    one, four;
    dp_pool *pool;
    world_init(&one);
    world_init(&four);
    assert_int_equal(DP_OK, dp_pool_new(&pool, 4));
    train(&one, 3, NULL);
    train(&four, 3, pool);
    assert_memory_equal(one.s->training.now, four.s->training.now, one.s->training.n * sizeof(float));
    dp_pool_free(pool);
    world_done(&one);
    world_done(&four);
}

static void training_goes_on_from_a_file(void **state)
{
    (void)state;
    world        straight, broken;
    dp_seq_model loaded = {0};
    dp_error     err;
    const char  *path = dp_temp_path("model");
    world_init(&straight);
    world_init(&broken);
    train(&straight, 4, NULL);
    train(&broken, 2, NULL);
    assert_int_equal(DP_OK, dp_seq_model_save(&broken.model, path, &err));
    assert_int_equal(DP_OK, dp_seq_model_load(&loaded, path, &err));
    dp_seq_model_done(&broken.model);
    broken.model = loaded;
    broken.s = dp_seq_model_find(&broken.model, DP_STR("a.com"));
    train(&broken, 4, NULL);
    assert_memory_equal(straight.s->training.now, broken.s->training.now, straight.s->training.n * sizeof(float));
    assert_memory_equal(straight.s->training.best, broken.s->training.best, straight.s->training.n * sizeof(float));
    world_done(&straight);
    world_done(&broken);
}

/* The network that merges held-out pages best is kept, not the one of the least loss; of equals the one of less. */
static void the_best_on_held_out_pages_is_kept(void **state)
{
    (void)state;
    static const struct { double f1, loss; float kept; } epochs[] = {
        {.8, .5, 1}, {.7, .1, 1}, {.9, .6, 3}, {.9, .7, 3}, {.9, .55, 5},
    };
    dp_train_options o = DP_TRAIN_OPTIONS_INIT;
    dp_training      t;
    assert_int_equal(DP_OK, dp_training_init(&t, 20, &o, 1));
    for (size_t i = 0; i < DP_COUNT(epochs); i++) {
        t.now[0] = (float)(i + 1);
        t.loss = epochs[i].loss;
        dp_training_note(&t, epochs[i].f1, &o);
        assert_true(t.best[0] == epochs[i].kept);
    }
    assert_int_equal(0, t.since_best);
    dp_training_done(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_site_becomes_words_and_pairs),
        cmocka_unit_test(a_site_is_learned),
        cmocka_unit_test(a_mirror_on_a_port_is_learned),
        cmocka_unit_test(a_constant_page_is_learned),
        cmocka_unit_test(frequent_words_are_canonical),
        cmocka_unit_test(the_majority_answers_for_templates_it_has_seen),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(the_best_on_held_out_pages_is_kept),
        cmocka_unit_test_teardown(training_goes_on_from_a_file, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
