/* SPDX-License-Identifier: Apache-2.0 */
#include "base/words/strsort.h"

#include <stdlib.h>

#include "base/keyed.h"

enum {
    STEP = 8,  /* bytes of a key */
    WIDTH = 4, /* of them that many strings are sorted by */
    FEW = 40,
    AHEAD = 12 /* strings that are fetched before they are looked at: they lie in no order */
};

/* The bytes from `at` on, the first the most significant; behind the end they are 0. */
static uint64_t key_at(dp_str s, size_t at)
{
    uint64_t key = 0;
    if (s.n >= at + STEP)
        memcpy(&key, s.p + at, STEP);
    else if (s.n > at)
        memcpy(&key, s.p + at, s.n - at);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    key = __builtin_bswap64(key);
#endif
    return key;
}

static int by_text(const void *a, const void *b, void *list)
{
    uint32_t x = ((const dp_keyed *)a)->item, y = ((const dp_keyed *)b)->item;
    int      c = dp_str_cmp(dp_strlist_get(list, x), dp_strlist_get(list, y));
    return c ? c : (x > y) - (x < y);
}

/* Take the bytes from `at` on. Says in which bits they differ; `*ended`: some strings have fewer bytes left, so that 0
 * is no sure sign of the end. */
static uint64_t take_keys(const dp_strlist *l, dp_keyed *v, size_t n, size_t at, bool *ended)
{
    uint64_t differ = 0;
    *ended = false;
    for (size_t i = 0; i < n; i++) {
        dp_str s = dp_strlist_get(l, v[i].item), later = dp_strlist_get(l, v[i + AHEAD < n ? i + AHEAD : i].item);
        __builtin_prefetch(later.p + (at < later.n ? at : 0));
        v[i].key = key_at(s, at);
        *ended |= s.n < at + STEP;
        differ |= v[i].key ^ v[0].key;
    }
    return differ;
}

/* Sort strings that agree in their first `at` bytes: by the four bytes in which they differ first, as more passes over
 * many strings cost more than going on with few. */
static void sort_from(dp_strlist *l, dp_keyed *v, dp_keyed *tmp, size_t n, size_t at)
{
    bool     ended;
    uint64_t differ = take_keys(l, v, n, at, &ended), mask = UINT64_MAX;
    while (!differ && !ended)
        differ = take_keys(l, v, n, at += STEP, &ended);
    if (n > FEW && differ) {
        size_t same = (size_t)__builtin_clzll(differ) / 8;
        size_t bytes = STEP - same < WIDTH ? STEP - same : WIDTH;
        mask = UINT64_MAX << 8 * (STEP - same - bytes);
        at += same + bytes;
    } else {
        at += STEP;
    }
    dp_keyed_sort(v, tmp, n, mask);
    for (size_t i = 0, end; i < n; i = end) {
        bool stops = dp_strlist_get(l, v[i].item).n < at;
        for (end = i + 1; end < n && ((v[end].key ^ v[i].key) & mask) == 0; end++)
            stops |= ended && dp_strlist_get(l, v[end].item).n < at;
        if (end - i > 1 && stops)
            qsort_r(v + i, end - i, sizeof *v, by_text, l);
        else if (end - i > 1)
            sort_from(l, v + i, tmp, end - i, at);
    }
}

bool dp_strlist_sort(const dp_strlist *l, uint32_t *v, size_t n)
{
    dp_keyed *e = malloc((2 * n + 1) * sizeof *e);
    if (!e)
        return false;
    for (size_t i = 0; i < n; i++)
        e[i] = (dp_keyed){0, v[i]};
    if (n > 1)
        sort_from((dp_strlist *)(uintptr_t)l, e, e + n, n, 0);
    for (size_t i = 0; i < n; i++)
        v[i] = e[i].item;
    free(e);
    return true;
}
