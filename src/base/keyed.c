/* SPDX-License-Identifier: Apache-2.0 */
#include "base/keyed.h"

enum { SMALL = 40 /* below that many insertion is faster */ };

static void insertion_sort(dp_keyed *v, size_t n, uint64_t mask)
{
    for (size_t i = 1; i < n; i++) {
        dp_keyed x = v[i];
        size_t   j = i;
        for (; j && (v[j - 1].key & mask) > (x.key & mask); j--)
            v[j] = v[j - 1];
        v[j] = x;
    }
}

/* One pass: by byte `b` of key & mask, from `v` to `to`. False, with nothing done, when that
 * byte is the same in all. */
static bool pass(const dp_keyed *v, dp_keyed *to, size_t n, uint64_t mask, int b)
{
    size_t at[256] = {0}, sum = 0;
    for (size_t i = 0; i < n; i++)
        at[(v[i].key & mask) >> b & 0xFF]++;
    if (at[(v[0].key & mask) >> b & 0xFF] == n)
        return false;
    for (size_t k = 0; k < 256; k++) {
        size_t count = at[k];
        at[k] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++)
        to[at[(v[i].key & mask) >> b & 0xFF]++] = v[i];
    return true;
}

void dp_keyed_sort(dp_keyed *v, dp_keyed *tmp, size_t n, uint64_t mask)
{
    if (n <= SMALL) {
        insertion_sort(v, n, mask);
        return;
    }
    dp_keyed *from = v, *to = tmp;
    for (int b = 0; b < 64; b += 8) {
        if ((mask >> b & 0xFF) && pass(from, to, n, mask, b)) {
            dp_keyed *swap = from;
            from = to;
            to = swap;
        }
    }
    if (from != v)
        memcpy(v, from, n * sizeof *v);
}

void dp_keyed_group(dp_keyed *v, dp_keyed *tmp, size_t n)
{
    /* So many low bytes that few different keys share them. */
    int bits = 16;
    while (bits < 64 && n >> (bits - 8))
        bits += 8;
    uint64_t low = bits < 64 ? (1ull << bits) - 1 : ~0ull;
    dp_keyed_sort(v, tmp, n, low);
    for (size_t i = 0, end; i < n; i = end) {
        bool same = true;
        for (end = i + 1; end < n && ((v[end].key ^ v[i].key) & low) == 0; end++)
            same &= v[end].key == v[i].key;
        if (!same)
            dp_keyed_sort(v + i, tmp, end - i, ~low);
    }
}
