/* Property: pages are equal but for what is hidden when a dumb twin, which looks at every pair of fetches and compares
 * what is left slot by slot, says so; and it does not matter in which order fetches come.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/rng.h"
#include "content/hidden.h"

enum { MOST_PAGES = 12, MOST_FETCHES = 30, MOST_SLOTS = 8, PLACES = 6 };

typedef struct fetch {
    uint32_t page, host;
    dp_slot  slot[MOST_SLOTS];
    uint32_t n;
} fetch;

typedef struct world {
    fetch    fetch[MOST_FETCHES];
    size_t   n, pages;
    uint32_t current[MOST_PAGES];
} world;

/* A page of few slots; what stands at a place that changes is another value in each fetch. */
static fetch random_fetch(dp_rng *r, uint32_t page, uint32_t host, uint64_t content)
{
    fetch    f = {.page = page, .host = host};
    dp_rng   fixed = dp_rng_seed(content);
    uint32_t n = (uint32_t)dp_rng_below(&fixed, MOST_SLOTS) + 1;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t place = (uint32_t)dp_rng_below(&fixed, PLACES) + 1;
        uint64_t value = dp_rng_below(&fixed, 3) + 1, now = dp_rng_below(r, 3) + 1;
        bool     changes = place >= 4 && dp_rng_below(r, 4);
        dp_slot  s = {.place = place, .words = 1, .kind = (uint8_t)(place - 1)};
        s.hash = (changes ? now : value) << 8 | place;
        s.flags = DP_SLOT_IN_URL | (!i || place == 1 ? DP_SLOT_OPENS : 0); /* so it is told by fetches alone */
        if (s.flags & DP_SLOT_OPENS && s.kind != DP_SLOT_TEXT)
            s.kind = DP_SLOT_TEXT, s.place = 1, s.hash = value << 8 | 1;
        f.slot[f.n++] = s;
    }
    return f;
}

static world random_world(uint64_t seed)
{
    dp_rng r = dp_rng_seed(seed);
    world  w = {.pages = dp_rng_below(&r, MOST_PAGES) + 1};
    for (uint32_t p = 0; p < w.pages; p++) {
        uint32_t host = (uint32_t)dp_rng_below(&r, 2);
        uint64_t content = dp_rng_below(&r, 4) + 1000 * host;
        w.current[p] = dp_rng_below(&r, 10) ? (uint32_t)w.n : DP_NO_FETCH;
        for (size_t k = dp_rng_below(&r, 2) + 1; k && w.n < MOST_FETCHES; k--)
            w.fetch[w.n++] = random_fetch(&r, p, host, content);
    }
    return w;
}

/* ---- the twin ------------------------------------------------------------------------------------------------ */

static unsigned count(const fetch *f, uint32_t place, uint64_t hash)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < f->n; i++)
        n += f->slot[i].place == place && (!hash || f->slot[i].hash == hash);
    return n;
}

static bool differ(const fetch *a, const fetch *b, uint32_t place)
{
    for (uint32_t i = 0; i < a->n; i++) {
        uint64_t h = a->slot[i].hash;
        if (a->slot[i].place == place && count(a, place, h) != count(b, place, h))
            return true;
    }
    return count(a, place, 0) != count(b, place, 0);
}

static bool twin_hides(const world *w, uint32_t host, uint32_t place, dp_slot_kind kind)
{
    uint32_t changed = 0, same = 0;
    for (size_t i = 0; i < w->n; i++) {
        const fetch *f = &w->fetch[i];
        uint32_t     now = w->current[f->page];
        if (f->host != host || now == DP_NO_FETCH || now == i)
            continue;
        const fetch *g = &w->fetch[now];
        if (!count(f, place, 0) && !count(g, place, 0))
            continue;
        changed += differ(f, g, place);
        same += !differ(f, g, place);
    }
    return dp_hidden_is_enough(kind, changed, same);
}

static uint32_t twin_rest(const world *w, const fetch *f, uint64_t out[MOST_SLOTS])
{
    uint32_t n = 0;
    bool     node = false;
    for (uint32_t i = 0; i < f->n; i++) {
        bool hides = twin_hides(w, f->host, f->slot[i].place, f->slot[i].kind);
        if (f->slot[i].flags & DP_SLOT_OPENS)
            node = hides;
        if (!hides && !node)
            out[n++] = f->slot[i].hash;
    }
    return n;
}

static bool twin_joins(const world *w, uint32_t a, uint32_t b)
{
    uint64_t x[MOST_SLOTS], y[MOST_SLOTS];
    uint32_t n = twin_rest(w, &w->fetch[w->current[a]], x), m = twin_rest(w, &w->fetch[w->current[b]], y);
    return n == m && memcmp(x, y, n * sizeof *x) == 0;
}

static bool twin_hides_any(const world *w, uint32_t host)
{
    for (uint32_t place = 1; place <= PLACES; place++) {
        if (twin_hides(w, host, place, (dp_slot_kind)(place - 1)))
            return true;
    }
    return false;
}

/* ---- both --------------------------------------------------------------------------------------------------- */

/* Hashes of the pages, with the fetches in the order `seed` gives them. */
static void find(uint64_t hash[MOST_PAGES], const world *w, uint64_t seed)
{
    dp_rng     r = dp_rng_seed(seed);
    dp_fetches f = {0};
    dp_hidden_open open;
    size_t     order[MOST_FETCHES];
    uint32_t   current[MOST_PAGES];
    memset(current, 0xFF, sizeof current);
    for (size_t i = 0; i < w->n; i++) {
        size_t k = seed ? dp_rng_below(&r, i + 1) : i;
        order[i] = order[k];
        order[k] = i;
    }
    for (size_t i = 0; i < w->n; i++) {
        const fetch   *x = &w->fetch[order[i]];
        const dp_shown s = {.slots = x->slot, .n = x->n, .host = x->host};
        if (w->current[x->page] == order[i])
            current[x->page] = (uint32_t)i;
        assert_int_equal(DP_OK, dp_fetches_add(&f, x->page, &s));
    }
    assert_int_equal(DP_OK, dp_hidden_find(hash, &f, current, w->pages, &open, NULL));
    dp_fetches_done(&f);
}

static void hiding_equals_the_twin(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5000; seed++) {
        world    w = random_world(seed);
        uint64_t hash[MOST_PAGES], other[MOST_PAGES];
        find(hash, &w, 0);
        find(other, &w, seed);
        if (memcmp(hash, other, w.pages * sizeof *hash) != 0)
            fail_msg("seed %" PRIu64 ": the order matters", seed);
        for (uint32_t a = 0; a < w.pages; a++) {
            if (w.current[a] == DP_NO_FETCH) {
                assert_int_equal(0, hash[a]);
                continue;
            }
            assert_int_equal(twin_hides_any(&w, w.fetch[w.current[a]].host), hash[a] != 0);
            for (uint32_t b = 0; b < a; b++) {
                bool both = hash[a] && w.current[b] != DP_NO_FETCH && hash[b] &&
                            w.fetch[w.current[a]].host == w.fetch[w.current[b]].host;
                if (both && (hash[a] == hash[b]) != twin_joins(&w, a, b))
                    fail_msg("seed %" PRIu64 ": pages %" PRIu32 " and %" PRIu32, seed, a, b);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hiding_equals_the_twin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
