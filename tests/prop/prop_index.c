/* Property: an index finds what a walk through the list of all hashes finds, in the same order, under any secret.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>

#include "base/index.h"
#include "base/rng.h"

enum { MOST = 3000 };

typedef struct list {
    uint64_t hash[MOST];
    uint32_t n;
} list;

static uint64_t hash_of(const void *self, uint32_t number)
{
    return ((const list *)self)->hash[number];
}

/* The first number from `from` on that has this hash; l->n: there is none. */
static uint32_t naive_next(const list *l, uint64_t hash, uint32_t from)
{
    while (from < l->n && l->hash[from] != hash)
        from++;
    return from;
}

static bool finds_the_same(const dp_index *x, const list *l, uint64_t hash)
{
    uint32_t      i, want = naive_next(l, hash, 0);
    dp_index_walk w = dp_index_from(x, hash);
    while (dp_index_next(&w, &i)) {
        if (i >= l->n || (l->hash[i] == hash && i != want))
            return false;
        if (i == want)
            want = naive_next(l, hash, i + 1);
    }
    return want == l->n;
}

/* Few hashes, or such as differ in few bits alone, or any. */
static uint64_t draw(dp_rng *g, uint64_t kind)
{
    uint64_t any = dp_rng_next(g);
    return kind == 0 ? any % 50 : kind == 1 ? any % 700 << 50 : kind == 2 ? any & 0xFFF000000FFF : any;
}

static void index_equals_list(void **state)
{
    (void)state;
    static list l;
    for (uint64_t seed = 1; seed <= 600; seed++) {
        dp_rng   g = dp_rng_seed(seed);
        uint64_t kind = seed % 4, n = dp_rng_below(&g, kind ? MOST : 400);
        dp_index x = {.secret = {dp_rng_next(&g), dp_rng_next(&g) | 1}};
        for (int round = 0; round < 2; round++) {
            assert_true(dp_rng_below(&g, 2) || dp_index_reserve(&x, dp_rng_below(&g, 2 * MOST)));
            for (l.n = 0; l.n < n; l.n++) {
                assert_true(dp_index_room(&x, hash_of, &l));
                uint64_t hash = draw(&g, kind);
                uint32_t number = dp_index_put(&x, hash);
                assert_int_equal(l.n, number);
                l.hash[number] = hash;
            }
            for (int i = 0; i < 300; i++) {
                uint64_t hash = l.n && i % 2 ? l.hash[dp_rng_below(&g, l.n)] : draw(&g, kind);
                if (!finds_the_same(&x, &l, hash))
                    fail_msg("seed %" PRIu64 ", round %d: %" PRIx64, seed, round, hash);
            }
            dp_index_reset(&x);
        }
        dp_index_done(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(index_equals_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
