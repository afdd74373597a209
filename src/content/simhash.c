/* SPDX-License-Identifier: Apache-2.0 */
#include "content/simhash.h"

enum { AT_ONCE = 255 /* words whose votes fit a byte */ };

/* Count the ones of up to 255 words: bit b of byte i of a word in count[b][i]. */
static void count_some(uint8_t count[8][8], const uint64_t *words, size_t n)
{
    uint64_t sum[8] = {0}; /* eight counters of a byte each */
    for (size_t w = 0; w < n; w++) {
        for (int b = 0; b < 8; b++)
            sum[b] += words[w] >> b & 0x0101010101010101u;
    }
    for (int b = 0; b < 8; b++) {
        for (int i = 0; i < 8; i++)
            count[b][i] = (uint8_t)(sum[b] >> 8 * i);
    }
}

uint64_t dp_simhash(const uint64_t *words, size_t n)
{
    uint64_t ones[64] = {0}, result = 0;
    for (size_t at = 0; at < n; at += AT_ONCE) {
        uint8_t count[8][8];
        count_some(count, words + at, n - at < AT_ONCE ? n - at : AT_ONCE);
        for (int b = 0; b < 8; b++) {
            for (int i = 0; i < 8; i++)
                ones[8 * i + b] += count[b][i];
        }
    }
    for (int bit = 0; bit < 64; bit++)
        result |= (uint64_t)(ones[bit] > n - ones[bit]) << bit;
    return result;
}
