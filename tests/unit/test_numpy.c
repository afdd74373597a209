/* learn/seq2seq/gru against an independent one: tests/support/gru_reference.py.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "learn/seq2seq/gru.h"
#include "support/tempfile.h"

enum { ROWS = 6, STEPS = 9, V = 40, E = 24, H = 32 };

static void put(FILE *f, const char *name, const float *v, size_t n)
{
    fputs(name, f);
    for (size_t i = 0; i < n; i++)
        fprintf(f, " %.9g", (double)v[i]);
    fputc('\n', f);
}

static void put_tokens(FILE *f, const char *name, size_t row, const uint32_t *v, uint32_t n)
{
    fprintf(f, "%s%zu", name, row);
    for (size_t t = 0; t < n; t++)
        fprintf(f, " %u", v[t * ROWS + row]);
    fputc('\n', f);
}

/* The probabilities of each target token's step. */
static void put_probabilities(FILE *f, const dp_gru *g, const dp_gru_tables *t, const dp_gru_batch *b, size_t row)
{
    float    h[H] = {0}, gates[3 * H], p[STEPS * V];
    uint32_t before = DP_SEQ_EOS;
    char     name[32];
    for (size_t k = 0; k < b->nsource[row]; k++)
        dp_gru_step(g, t->enc, g->enc_u, &b->source[k * ROWS + row], 1, h, gates);
    for (size_t k = 0; k < b->ntarget[row]; k++) {
        dp_gru_step(g, t->dec, g->dec_u, &before, 1, h, gates);
        dp_gru_output(g, h, 1, p + k * V);
        before = b->target[k * ROWS + row];
    }
    snprintf(name, sizeof name, "probability%zu", row);
    put(f, name, p, b->ntarget[row] * (size_t)V);
}

static void put_loss(FILE *f, const char *name, const dp_gru *g, const dp_gru_tables *t, const dp_gru_batch *b,
                     dp_gru_loss kind)
{
    dp_gru_scratch s = {0};
    double         loss;
    assert_int_equal(DP_OK, dp_gru_learn(g, t, b, kind, &s, NULL, &loss));
    fprintf(f, "%s %.9g\n", name, loss);
    dp_gru_scratch_done(&s);
}

static void numpy_finds_the_same(void **state)
{
    (void)state;
    const dp_gru_size size = {V, E, H};
    dp_rng            r = dp_rng_seed(11);
    uint32_t          source[STEPS * ROWS], target[STEPS * ROWS], ns[ROWS], nt[ROWS];
    float             weight[ROWS], *all = malloc(dp_gru_count(size) * sizeof(float));
    for (size_t i = 0; i < ROWS; i++) {
        ns[i] = 1 + (uint32_t)dp_rng_below(&r, STEPS);
        nt[i] = 1 + (uint32_t)dp_rng_below(&r, STEPS);
        weight[i] = 1;
    }
    for (size_t i = 0; i < STEPS * ROWS; i++) {
        source[i] = (uint32_t)dp_rng_below(&r, V);
        target[i] = (uint32_t)dp_rng_below(&r, V);
    }
    dp_gru        g = dp_gru_view(size, all);
    dp_gru_tables t;
    dp_gru_batch  b = {ROWS, source, target, ns, nt, weight};
    dp_gru_draw(&g, 0.5f, 3);
    assert_int_equal(DP_OK, dp_gru_tables_init(&t, size));
    dp_gru_tables_fill(&t, &g);

    const char *path = dp_temp_path("batch");
    FILE       *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "sizes %d %d %d\nrows %d\n", V, E, H, ROWS);
    put(f, "parameters", g.all, g.n);
    for (size_t i = 0; i < ROWS; i++) {
        put_tokens(f, "source", i, source, ns[i]);
        put_tokens(f, "target", i, target, nt[i]);
        put_probabilities(f, &g, &t, &b, i);
    }
    put_loss(f, "softmax", &g, &t, &b, DP_LOSS_SOFTMAX);
    put_loss(f, "ace", &g, &t, &b, DP_LOSS_ACE);
    assert_int_equal(0, fclose(f));
    char command[4200];
    snprintf(command, sizeof command, "LD_PRELOAD= /usr/bin/python3 tests/support/gru_reference.py '%s'", path);
    assert_int_equal(0, system(command));
    dp_gru_tables_done(&t);
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(numpy_finds_the_same, dp_temp_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
