/* learn/seq2seq/gru: gradients equal finite differences, and padding and neighbours do not matter.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "learn/seq2seq/gru.h"
#include "support/failing_alloc.h"

enum { ROWS = 5, STEPS = 7 };

static const dp_gru_size small = {11, 6, 5};

typedef struct world {
    dp_gru        g;
    dp_gru_tables tables;
    uint32_t      source[STEPS * ROWS], target[STEPS * ROWS], nsource[ROWS], ntarget[ROWS];
    float         weight[ROWS];
    dp_gru_batch  batch;
} world;

static void world_init(world *w, uint64_t seed)
{
    dp_rng r = dp_rng_seed(seed);
    w->g = dp_gru_view(small, malloc(dp_gru_count(small) * sizeof(float)));
    dp_gru_draw(&w->g, 0.8f, seed);
    assert_int_equal(DP_OK, dp_gru_tables_init(&w->tables, small));
    for (size_t i = 0; i < ROWS; i++) {
        w->nsource[i] = 1 + (uint32_t)dp_rng_below(&r, STEPS);
        w->ntarget[i] = 1 + (uint32_t)dp_rng_below(&r, STEPS);
        w->weight[i] = 0.5f + (float)dp_rng_below(&r, 8) / 4;
    }
    for (size_t i = 0; i < ROWS * STEPS; i++) {
        w->source[i] = (uint32_t)dp_rng_below(&r, small.vocab);
        w->target[i] = (uint32_t)dp_rng_below(&r, small.vocab);
    }
    w->batch = (dp_gru_batch){ROWS, w->source, w->target, w->nsource, w->ntarget, w->weight};
}

static void world_done(world *w)
{
    free(w->g.all);
    dp_gru_tables_done(&w->tables);
}

static double loss_of(world *w, dp_gru_loss kind, dp_gru_slopes *slopes)
{
    dp_gru_scratch s = {0};
    double         loss;
    dp_gru_tables_fill(&w->tables, &w->g);
    assert_int_equal(DP_OK, dp_gru_learn(&w->g, &w->tables, &w->batch, kind, &s, slopes, &loss));
    dp_gru_scratch_done(&s);
    return loss;
}

/* Central differences in float: a step of 1e-2 keeps both errors near 1e-3 of the slope. */
static void gradients_equal_differences(void **state)
{
    (void)state;
    for (int kind = DP_LOSS_SOFTMAX; kind <= DP_LOSS_ACE; kind++) {
        world w;
        world_init(&w, 7 + (uint64_t)kind);
        size_t        ns = dp_gru_slopes_count(small);
        float        *all = calloc(ns, sizeof *all), *gradient = malloc(w.g.n * sizeof *gradient);
        dp_gru_slopes slopes = dp_gru_slopes_view(small, all);
        loss_of(&w, (dp_gru_loss)kind, &slopes);
        dp_gru_gradient(gradient, &w.g, &slopes);
        double worst = 0;
        for (size_t i = 0; i < w.g.n; i++) {
            const float h = 1e-2f;
            float       old = w.g.all[i];
            w.g.all[i] = old + h;
            double up = loss_of(&w, (dp_gru_loss)kind, NULL);
            w.g.all[i] = old - h;
            double down = loss_of(&w, (dp_gru_loss)kind, NULL);
            w.g.all[i] = old;
            double wanted = (up - down) / (2 * (double)h);
            double off = fabs(wanted - (double)gradient[i]) / (1 + fabs(wanted));
            worst = off > worst ? off : worst;
        }
        assert_true(worst < 2e-3);
        free(all);
        free(gradient);
        world_done(&w);
    }
}

/* The loss of a batch is the sum of its rows' losses. */
static void rows_do_not_see_each_other(void **state)
{
    (void)state;
    world w;
    world_init(&w, 3);
    double all = loss_of(&w, DP_LOSS_SOFTMAX, NULL), sum = 0;
    for (size_t i = 0; i < ROWS; i++) {
        uint32_t source[STEPS], target[STEPS];
        for (size_t t = 0; t < STEPS; t++) {
            source[t] = w.source[t * ROWS + i];
            target[t] = w.target[t * ROWS + i];
        }
        world one = w;
        one.batch = (dp_gru_batch){1, source, target, w.nsource + i, w.ntarget + i, w.weight + i};
        sum += loss_of(&one, DP_LOSS_SOFTMAX, NULL);
    }
    assert_true(fabs(all - sum) < 1e-4 * all);
    world_done(&w);
}

/* The step used for decoding computes what the one used for learning does. */
static void probabilities_give_the_loss(void **state)
{
    (void)state;
    world w;
    world_init(&w, 5);
    double wanted = loss_of(&w, DP_LOSS_SOFTMAX, NULL), loss = 0;
    for (size_t i = 0; i < ROWS; i++) {
        float    h[8] = {0}, gates[32], p[16];
        uint32_t token = DP_SEQ_EOS;
        for (size_t t = 0; t < w.nsource[i]; t++)
            dp_gru_step(&w.g, w.tables.enc, w.g.enc_u, &w.source[t * ROWS + i], 1, h, gates);
        for (size_t t = 0; t < w.ntarget[i]; t++) {
            dp_gru_step(&w.g, w.tables.dec, w.g.dec_u, &token, 1, h, gates);
            dp_gru_output(&w.g, h, 1, p);
            token = w.target[t * ROWS + i];
            loss -= (double)w.weight[i] / w.ntarget[i] * log((double)p[token]);
        }
    }
    assert_true(fabs(wanted - loss) < 1e-4 * wanted);
    world_done(&w);
}

static void sizes_that_make_no_network(void **state)
{
    (void)state;
    assert_int_equal(0, dp_gru_count((dp_gru_size){0, 4, 4}));
    assert_int_equal(0, dp_gru_count((dp_gru_size){4, 0, 4}));
    assert_int_equal(0, dp_gru_count((dp_gru_size){4, 4, 1 << 20}));
    assert_int_equal(3492175, dp_gru_count((dp_gru_size){335, 512, 512})); /* 3.49 M, as published */
}

/* Weights that a forged model may have: finite, but their products are not. What comes out are numbers. */
static void large_weights_give_numbers(void **state)
{
    (void)state;
    world    w;
    float    now[ROWS * 5] = {0}, gates[ROWS * 5 * 4];
    uint32_t token[ROWS] = {0, 1, 2, 3, 4};
    world_init(&w, 3);
    for (size_t i = 0; i < w.g.n; i++)
        w.g.all[i] = i % 3 ? 3e38f : -3e38f;
    dp_gru_tables_fill(&w.tables, &w.g);
    for (int step = 0; step < 3; step++) {
        dp_gru_step(&w.g, w.tables.enc, w.g.enc_u, token, ROWS, now, gates);
        for (size_t i = 0; i < DP_COUNT(now); i++)
            assert_true(isfinite(now[i]));
    }
    world_done(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_equal_differences),
        cmocka_unit_test(rows_do_not_see_each_other),
        cmocka_unit_test(probabilities_give_the_loss),
        cmocka_unit_test(sizes_that_make_no_network),
        cmocka_unit_test(large_weights_give_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
