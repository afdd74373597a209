/* The alignment of learn/duster/align.h equals its definition taken literally, by recursion over all choices; and what
 * learn/duster/consensus.h makes of URLs keeps every one of them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "learn/duster/consensus.h"

/* ---- the twin -------------------------------------------------------------------------------- */

static bool has(const dp_duster_set *s, uint16_t member)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->v[i] == member)
            return true;
    return false;
}

static uint32_t naive_jaccard(const dp_duster_set *x, const dp_duster_set *y)
{
    uint32_t both = 0, any = 0;
    for (uint16_t member = 0; member < 16; member++) {
        both += has(x, member) && has(y, member);
        any += has(x, member) || has(y, member);
    }
    return both * DP_DUSTER_ONE / any;
}

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* S[nx][ny]. */
static uint32_t naive_score(const dp_duster_set *x, uint32_t nx, const dp_duster_set *y, uint32_t ny)
{
    if (!nx || !ny)
        return 0;
    uint32_t best = most(naive_score(x, nx, y, ny - 1), naive_score(x, nx - 1, y, ny));
    if (x[nx - 1].type != y[ny - 1].type)
        return best;
    return most(best, naive_score(x, nx - 1, y, ny - 1) + naive_jaccard(&x[nx - 1], &y[ny - 1]));
}

/* ---- two sequences --------------------------------------------------------------------------- */

static void random_sets(dp_rng *g, dp_duster_set *out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        out[i] = (dp_duster_set){.type = (uint16_t)dp_rng_below(g, 2)};
        for (uint16_t member = 0; member < 5; member++)
            if (dp_rng_below(g, 3) == 0)
                out[i].v[out[i].n++] = member;
        if (!out[i].n)
            out[i].v[out[i].n++] = (uint16_t)dp_rng_below(g, 5);
    }
}

/* Steps take every position once and in order, and what stands side by side adds up to the score. */
static void check_steps(const dp_duster_aligner *a, const dp_duster_set *x, uint32_t nx, const dp_duster_set *y,
                        uint32_t ny, uint32_t score, uint64_t seed)
{
    uint32_t i = 0, j = 0, sum = 0;
    for (uint32_t k = 0; k < a->n; k++) {
        dp_duster_step s = a->step[k];
        bool           both = s.x != DP_DUSTER_NONE && s.y != DP_DUSTER_NONE;
        if ((s.x != DP_DUSTER_NONE && s.x != i) || (s.y != DP_DUSTER_NONE && s.y != j) ||
            (both && x[i].type != y[j].type))
            fail_msg("seed %" PRIu64 ": step %u", seed, k);
        sum += both ? naive_jaccard(&x[i], &y[j]) : 0;
        i += s.x != DP_DUSTER_NONE;
        j += s.y != DP_DUSTER_NONE;
    }
    if (i != nx || j != ny || sum != score)
        fail_msg("seed %" PRIu64 ": the steps do not make the score", seed);
}

static void alignment_equals_recursion(void **state)
{
    (void)state;
    dp_duster_aligner *a = malloc(sizeof *a);
    assert_non_null(a);
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        dp_rng        g = dp_rng_seed(seed);
        dp_duster_set x[7], y[7];
        uint32_t      nx = (uint32_t)dp_rng_below(&g, 8), ny = (uint32_t)dp_rng_below(&g, 8);
        random_sets(&g, x, nx);
        random_sets(&g, y, ny);
        if (nx && ny && dp_rng_below(&g, 2))
            y[0] = x[0];
        if (nx && ny && dp_rng_below(&g, 2))
            y[ny - 1] = x[nx - 1];
        uint32_t score = dp_duster_align(a, x, nx, y, ny);
        if (score != naive_score(x, nx, y, ny))
            fail_msg("seed %" PRIu64 ": score %u", seed, score);
        check_steps(a, x, nx, y, ny, score, seed);
    }
    free(a);
}

/* ---- URLs ------------------------------------------------------------------------------------ */

static void random_url(dp_rng *g, char *out, size_t room)
{
    static const char *const pieces[] = {"a", "b", "12", "7", "/", "-", "?", "&", "=", "%20", "print"};
    size_t                   n = (size_t)snprintf(out, room, "http://%sa.com/", dp_rng_below(g, 2) ? "www." : "");
    for (uint64_t k = dp_rng_below(g, 9); k; k--)
        n += (size_t)snprintf(out + n, room - n, "%s", pieces[dp_rng_below(g, DP_COUNT(pieces))]);
}

/* Read URLs until there are `n` that can be aligned. */
static void random_page(dp_rng *g, dp_frame *f, char (*text)[128], dp_duster_tokens *url, uint32_t n)
{
    for (uint32_t i = 0; i < n;) {
        random_url(g, text[i], sizeof text[i]);
        i += dp_frame_read(&f[i], dp_str_c(text[i])) == DP_FRAME_OK && dp_duster_cut(&url[i], &f[i]);
    }
}

/* Each row has the tokens of its URL in order, each column tokens of one type, and none is empty. */
static void check_rows(const dp_duster_rows *r, const dp_duster_tokens *url, uint64_t seed)
{
    for (uint32_t i = 0; i < r->rows; i++) {
        uint32_t next = 0;
        for (uint32_t c = 0; c < r->cols; c++)
            next += r->cell[i][c] == next;
        if (next != url[i].n)
            fail_msg("seed %" PRIu64 ": row %u", seed, i);
    }
    for (uint32_t c = 0; c < r->cols; c++) {
        int type = -1;
        for (uint32_t i = 0; i < r->rows; i++) {
            uint16_t at = r->cell[i][c];
            if (at != DP_DUSTER_NONE && type >= 0 && url[i].v[at].type != type)
                fail_msg("seed %" PRIu64 ": column %u", seed, c);
            type = at == DP_DUSTER_NONE ? type : url[i].v[at].type;
        }
        if (type < 0)
            fail_msg("seed %" PRIu64 ": column %u is empty", seed, c);
    }
}

static void consensus_keeps_every_url(void **state)
{
    (void)state;
    dp_duster_bench  *b = dp_duster_bench_new();
    dp_duster_rows   *rows = malloc(sizeof *rows);
    dp_duster_tokens *url = malloc(DP_DUSTER_URLS * sizeof *url);
    dp_frame          f[DP_DUSTER_URLS] = {{0}};
    char              text[DP_DUSTER_URLS][128];
    assert_true(b && rows && url);
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        dp_rng   g = dp_rng_seed(seed);
        uint32_t n = 2 + (uint32_t)dp_rng_below(&g, DP_DUSTER_URLS - 1);
        random_page(&g, f, text, url, n);
        if (dp_duster_consensus(rows, b, url, n)) {
            assert_int_equal(n, rows->rows);
            check_rows(rows, url, seed);
        } else {
            fail_msg("seed %" PRIu64 ": URLs of 12 tokens need more than %d columns", seed, DP_DUSTER_COLUMNS);
        }
    }
    for (uint32_t i = 0; i < DP_DUSTER_URLS; i++)
        dp_frame_done(&f[i]);
    dp_duster_bench_free(b);
    free(rows);
    free(url);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alignment_equals_recursion),
        cmocka_unit_test(consensus_keeps_every_url),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
