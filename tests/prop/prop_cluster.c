/* Property: joining by sorted tables does what comparing all pairs does; edits of texts that are
 * planted are found.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/rng.h"
#include "content/cluster.h"
#include "content/simhash.h"
#include "content/volatile.h"
#include "content/words.h"

/* ---- the twin -------------------------------------------------------------------------------------- */

typedef struct world {
    dp_evidence *page; /* [n] */
    size_t       n;
    dp_sameness  same;
} world;

static bool titles_agree(const world *w, const dp_evidence *a, const dp_evidence *b)
{
    return !w->same.same_title || a->title == b->title;
}

static bool same_digest(const world *w, const dp_evidence *a, const dp_evidence *b)
{
    return (a->has & b->has & DP_EVIDENCE_DIGEST) && a->digest.lo == b->digest.lo && a->digest.hi == b->digest.hi &&
           titles_agree(w, a, b);
}

/* Whether all pages of this digest whose types are known have one type. */
static bool has_one_type(const world *w, const dp_evidence *a)
{
    uint32_t known = 0;
    for (size_t i = 0; i < w->n; i++) {
        uint32_t mime = w->page[i].mime;
        if (!same_digest(w, a, &w->page[i]) || !mime)
            continue;
        if (known && known != mime)
            return false;
        known = mime;
    }
    return true;
}

/* The rule of content/cluster.h, word by word. */
static bool are_same(const world *w, const dp_evidence *a, const dp_evidence *b)
{
    unsigned both = a->has & b->has;
    if (!titles_agree(w, a, b))
        return false;
    if (same_digest(w, a, b) && (a->mime == b->mime || has_one_type(w, a)))
        return true;
    if ((both & DP_EVIDENCE_TEXT) && a->text.lo == b->text.lo && a->text.hi == b->text.hi)
        return true;
    if ((both & DP_EVIDENCE_SKETCH) && w->same.shingles && dp_shingle_common(a->sketch, b->sketch) >= w->same.shingles)
        return true;
    return (both & DP_EVIDENCE_SIMHASH) && w->same.simhash >= 0 &&
           dp_simhash_distance(a->simhash, b->simhash) <= (unsigned)w->same.simhash;
}

/* The least page that a chain of pairs leads to, for each page. */
static size_t *join_pairs(const world *w)
{
    size_t *root = malloc((w->n + 1) * sizeof *root);
    for (size_t i = 0; i < w->n; i++)
        root[i] = i;
    for (size_t i = 0; i < w->n; i++) {
        for (size_t j = 0; j < i; j++) {
            if (root[i] == root[j] || !w->page[i].has || !w->page[j].has || !are_same(w, &w->page[i], &w->page[j]))
                continue;
            size_t from = root[i] > root[j] ? root[i] : root[j], to = root[i] + root[j] - from;
            for (size_t k = 0; k < w->n; k++)
                root[k] = root[k] == from ? to : root[k];
        }
    }
    return root;
}

/* ---- random worlds ------------------------------------------------------------------------------------ */

/* Few values, so that all kinds of agreement occur; fingerprints in little balls. */
static dp_evidence draw_page(dp_rng *g, uint64_t kinds, uint64_t values, unsigned spread)
{
    dp_evidence e = {.has = (unsigned)(dp_rng_next(g) & kinds)};
    e.digest = (dp_hash128){1 + dp_rng_below(g, values), 7};
    e.text = (dp_hash128){1 + dp_rng_below(g, values), dp_rng_below(g, 2)}; /* two of one half differ */
    e.mime = (uint32_t)dp_rng_below(g, 3);
    e.title = dp_rng_below(g, 3);
    for (int k = 0; k < DP_SKETCH_SIZE; k++)
        e.sketch[k] = dp_rng_below(g, values / 2 + 1);
    dp_rng center = dp_rng_seed(dp_rng_below(g, values));
    e.simhash = dp_rng_next(&center);
    for (uint64_t k = dp_rng_below(g, spread + 1); k; k--)
        e.simhash ^= 1ull << dp_rng_below(g, 64);
    return e;
}

static void check(const world *w, uint64_t seed)
{
    dp_clusters c = {0};
    for (size_t i = 0; i < w->n; i++)
        assert_int_equal(DP_OK, dp_clusters_add(&c, &w->page[i]));
    assert_int_equal(DP_OK, dp_clusters_join(&c, &w->same));
    size_t *want = join_pairs(w);
    for (size_t i = 0; i < w->n; i++) {
        uint32_t root = dp_sets_root(&c.sets, (uint32_t)i);
        if (w->page[i].has && root != want[i])
            fail_msg("seed %" PRIu64 ": page %zu goes with %u, not %zu (shingles %u, simhash %d, titles %d)", seed, i,
                     root, want[i], w->same.shingles, w->same.simhash, w->same.same_title);
    }
    free(want);
    dp_clusters_done(&c);
}

static void run(uint64_t seed, size_t n, uint64_t kinds, dp_sameness same)
{
    dp_rng   g = dp_rng_seed(seed);
    uint64_t values = 2 + dp_rng_below(&g, n);
    unsigned spread = 1 + (unsigned)dp_rng_below(&g, 8);
    world    w = {malloc((n + 1) * sizeof *w.page), n, same};
    for (size_t i = 0; i < n; i++)
        w.page[i] = draw_page(&g, kinds, values, spread);
    check(&w, seed);
    free(w.page);
}

static void every_mode_equals_all_pairs(void **state)
{
    (void)state;
    uint64_t seed = 0;
    for (int round = 0; round < 500; round++) {
        size_t n = round % 10 == 0 ? 200 : 2 + (size_t)round % 40;
        for (int titles = 0; titles < 2; titles++) {
            run(++seed, n, DP_EVIDENCE_DIGEST, (dp_sameness){0, -1, titles});
            run(++seed, n, DP_EVIDENCE_TEXT, (dp_sameness){0, -1, titles});
            for (unsigned k = 1; k <= 4; k++)
                run(++seed, n, DP_EVIDENCE_SKETCH, (dp_sameness){k, -1, titles});
            for (int k = 0; k <= 8; k++)
                run(++seed, n, DP_EVIDENCE_SIMHASH, (dp_sameness){0, k, titles});
            run(++seed, n, 15, (dp_sameness){(unsigned)round % 5, round % 10 - 1, titles});
        }
    }
    print_message("seeds 1 to %" PRIu64 "\n", seed);
}

/* Thousands of fingerprints in few balls: more than are compared in pairs agree in a block. */
static void crowded_fingerprints_equal_all_pairs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        dp_rng g = dp_rng_seed(seed);
        world  w = {malloc(4000 * sizeof *w.page), 4000, {0, (int)seed % 5, seed % 2}};
        for (size_t i = 0; i < w.n; i++) {
            w.page[i] = draw_page(&g, 0, 3, 0);
            w.page[i].has = DP_EVIDENCE_SIMHASH;
            w.page[i].simhash = dp_rng_next(&g) & (seed < 4 ? 0x00FF0000000000FF : 0x0101010101010FFF);
        }
        check(&w, seed);
        free(w.page);
    }
}

/* ---- planted edits ---------------------------------------------------------------------------------------- */

enum { WORDS = 300 };

static char draw_letter(dp_rng *g)
{
    return (char)('a' + (int)dp_rng_below(g, 26));
}

static void draw_text(dp_buf *out, dp_rng *g)
{
    dp_buf_reset(out);
    for (int i = 0; i < WORDS; i++)
        dp_buf_printf(out, "%s%c%c%c%" PRIu64, i ? " " : "", draw_letter(g), draw_letter(g), draw_letter(g),
                      dp_rng_below(g, 10));
}

static dp_evidence read_text(dp_str text)
{
    dp_words    w = {0};
    dp_evidence e = {.has = DP_EVIDENCE_TEXT | DP_EVIDENCE_SKETCH | DP_EVIDENCE_SIMHASH, .text = dp_hash128_of(text)};
    assert_int_equal(DP_OK, dp_words_read(&w, text));
    dp_shingle_sketch(e.sketch, w.v, w.n);
    e.simhash = dp_simhash(w.v, w.n);
    dp_words_done(&w);
    return e;
}

/* Copies with a clock, with one word changed, with another order of sentences: what each mode
 * makes of them, as shares of 400 pairs. */
static void planted_edits_are_found(void **state)
{
    (void)state;
    enum { TEXTS = 400 };
    size_t clock_hidden = 0, word[5] = {0}, word_near = 0, turned_near = 0, others = 0;
    dp_buf text = {0}, other = {0}, a = {0}, b = {0};
    for (uint64_t seed = 1; seed <= TEXTS; seed++) {
        dp_rng g = dp_rng_seed(seed);
        draw_text(&text, &g);
        dp_evidence first = read_text(dp_buf_view(&text));

        /* the same at another time */
        for (int i = 0; i < 2; i++) {
            dp_buf *to = i ? &b : &a;
            dp_buf_reset(&other);
            dp_buf_str(&other, dp_buf_view(&text));
            dp_buf_printf(&other, " page made %d:%d:%02d in 0.%d seconds", 10 + i, 20 + i, (int)(seed % 60), 100 + i);
            dp_buf_reset(to);
            dp_volatile_hide(to, dp_buf_view(&other));
        }
        clock_hidden += dp_str_eq(dp_buf_view(&a), dp_buf_view(&b));

        /* one word changed */
        dp_buf_reset(&other);
        dp_buf_str(&other, dp_buf_view(&text));
        other.p[dp_rng_below(&g, WORDS) * 5] = 'Z';
        dp_evidence edited = read_text(dp_buf_view(&other));
        word[dp_shingle_common(first.sketch, edited.sketch)]++;
        word_near += dp_simhash_distance(first.simhash, edited.simhash) <= 3;

        /* halves exchanged: all but ten shingles stay, and all words */
        dp_buf_reset(&other);
        dp_buf_str(&other, dp_str_cut(dp_buf_view(&text), WORDS / 2 * 5, text.n));
        dp_buf_byte(&other, ' ');
        dp_buf_str(&other, dp_str_cut(dp_buf_view(&text), 0, WORDS / 2 * 5 - 1));
        dp_evidence turned = read_text(dp_buf_view(&other));
        turned_near += turned.simhash == first.simhash && dp_shingle_common(first.sketch, turned.sketch) >= 2;

        draw_text(&other, &g);
        dp_evidence stranger = read_text(dp_buf_view(&other));
        others += dp_shingle_common(first.sketch, stranger.sketch) > 0;
        others += dp_simhash_distance(first.simhash, stranger.simhash) <= 3;
    }
    print_message("of %d: clock hidden %zu; one word of %d: 4 of 4 %zu, 3 %zu, 2 %zu, 1 %zu, 0 %zu, simhash %zu; "
                  "turned %zu\n",
                  TEXTS, clock_hidden, WORDS, word[4], word[3], word[2], word[1], word[0], word_near, turned_near);
    assert_int_equal(TEXTS, clock_hidden);
    /* 10 of 291 shingles change: resemblance .934; .93^4 = .76 keep all four, nearly all keep two */
    assert_in_range(word[4], TEXTS * 68 / 100, TEXTS * 84 / 100);
    assert_true(word[4] + word[3] + word[2] >= TEXTS * 98 / 100);
    assert_true(word_near >= TEXTS * 80 / 100);
    assert_true(turned_near >= TEXTS * 98 / 100);
    assert_int_equal(0, others);
    dp_buf_done(&text), dp_buf_done(&other), dp_buf_done(&a), dp_buf_done(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mode_equals_all_pairs),
        cmocka_unit_test(crowded_fingerprints_equal_all_pairs),
        cmocka_unit_test(planted_edits_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
