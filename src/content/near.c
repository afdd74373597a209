/* SPDX-License-Identifier: Apache-2.0 */
#include "content/near.h"

#include "content/simhash.h"

enum { FEW = 256 /* so many are compared in pairs */ };

typedef struct search {
    dp_sets  *sets;
    dp_keyed *tmp;
    unsigned  k;
} search;

/* Join equal fingerprints; what is left in front, of each the first, is counted. */
static size_t join_equal(const search *s, dp_keyed *v, size_t n)
{
    size_t kept = 0;
    dp_keyed_group(v, s->tmp, n);
    for (size_t i = 0; i < n; i++) {
        if (i && v[i].key == v[kept - 1].key)
            dp_sets_join(s->sets, v[kept - 1].item, v[i].item);
        else
            v[kept++] = v[i];
    }
    return kept;
}

/* Two halves of a fingerprint in one: it differs in no more bits than the whole. */
static uint32_t fold(uint64_t key)
{
    return (uint32_t)(key ^ key >> 32);
}

/* Whether one of `n` folded fingerprints differs from `x` in at most `k` bits. Written for the
 * compiler to do several at a time; few of those that are not near pass. */
static inline bool is_any_near(const uint32_t *folded, size_t n, uint32_t x, unsigned k)
{
    uint32_t found = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t bits = folded[i] ^ x;
        for (unsigned j = 0; j < k; j++)
            bits &= bits - 1;
        found |= bits == 0;
    }
    return found;
}

static inline void join_pairs_within(const search *s, const dp_keyed *v, size_t n, unsigned k)
{
    uint32_t folded[FEW];
    for (size_t i = 0; i < n; i++)
        folded[i] = fold(v[i].key);
    for (size_t i = 1; i < n; i++) {
        if (!is_any_near(folded, i, folded[i], k))
            continue;
        for (size_t j = 0; j < i; j++) {
            if (dp_simhash_distance(v[i].key, v[j].key) <= k)
                dp_sets_join(s->sets, v[i].item, v[j].item);
        }
    }
}

static void join_pairs(const search *s, const dp_keyed *v, size_t n)
{
    if (s->k == 3) /* the usual one: a constant is faster */
        join_pairs_within(s, v, n, 3);
    else
        join_pairs_within(s, v, n, s->k);
}

static bool is_one_set(const search *s, const dp_keyed *v, size_t n)
{
    uint32_t root = dp_sets_root(s->sets, v[0].item);
    for (size_t i = 1; i < n; i++) {
        if (dp_sets_root(s->sets, v[i].item) != root)
            return false;
    }
    return true;
}

/* The next `width` bits of `*mask`, the lowest first; they are taken out of it. */
static uint64_t take_bits(uint64_t *mask, unsigned width)
{
    uint64_t block = 0;
    for (; width; width--) {
        block |= *mask & -*mask;
        *mask &= *mask - 1;
    }
    return block;
}

/* Join what is near in `v`, whose keys agree outside `open`. */
static void join_near(const search *s, dp_keyed *v, size_t n, uint64_t open)
{
    unsigned width = (unsigned)__builtin_popcountll(open), blocks = s->k + 1;
    if (n < 2 || is_one_set(s, v, n))
        return;
    if (n <= FEW) { /* always so when width < blocks: there are 2^width keys at most */
        join_pairs(s, v, n);
        return;
    }
    uint64_t rest = open;
    for (unsigned b = 0; b < blocks; b++) {
        uint64_t block = take_bits(&rest, (width + b) / blocks);
        dp_keyed_sort(v, s->tmp, n, block);
        for (size_t i = 0, end; i < n; i = end) {
            for (end = i + 1; end < n && ((v[end].key ^ v[i].key) & block) == 0; end++) {}
            join_near(s, v + i, end - i, open & ~block);
        }
    }
}

void dp_near_join(dp_sets *sets, dp_keyed *v, dp_keyed *tmp, size_t n, unsigned k)
{
    const search s = {sets, tmp, k};
    n = join_equal(&s, v, n);
    if (k)
        join_near(&s, v, n, ~0ull);
}
