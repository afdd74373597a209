/* SPDX-License-Identifier: Apache-2.0 */
#include "base/strsort.h"

#include <stdlib.h>

#include "base/keyed.h"

enum { STEP = 8 /* bytes of a key */ };

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

/* Sort strings that agree in their first `at` bytes. */
static void sort_from(dp_strlist *l, dp_keyed *v, dp_keyed *tmp, size_t n, size_t at)
{
    bool ended = false; /* some have no byte left: then 0 is no sure sign of the end */
    while (n > 1 && !ended) {
        for (size_t i = 0; i < n; i++) {
            dp_str s = dp_strlist_get(l, v[i].item);
            v[i].key = key_at(s, at);
            ended |= s.n < at + STEP;
        }
        at += STEP;
        size_t same = 1;
        while (same < n && v[same].key == v[0].key)
            same++;
        if (same < n)
            break;
    }
    if (n < 2)
        return;
    dp_keyed_sort(v, tmp, n, UINT64_MAX);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && v[end].key == v[i].key; end++) {}
        bool stops = false;
        for (size_t k = i; k < end && ended; k++)
            stops |= dp_strlist_get(l, v[k].item).n < at;
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
    sort_from((dp_strlist *)(uintptr_t)l, e, e + n, n, 0);
    for (size_t i = 0; i < n; i++)
        v[i] = e[i].item;
    free(e);
    return true;
}
