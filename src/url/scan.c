/* SPDX-License-Identifier: Apache-2.0 */
#include "url/scan.h"

#include <string.h>

#include "url/chars.h"

static bool is_special(char c)
{
    return dp_is(c, DP_CH_ESCAPE) || c == '/' || c == '?' || c == '#' || c == '%' || c == '=' || c == '&' || c == ';';
}

dp_scan dp_scan_bytes_plain(const char *s, size_t n)
{
    dp_scan m = {0, 0};
    for (size_t i = 0; i < n && i < 64; i++) {
        m.special |= (uint64_t)is_special(s[i]) << i;
        m.foreign |= (uint64_t)!dp_is(s[i], DP_CH_HOST) << i;
    }
    return m;
}

#ifdef __x86_64__
#include <immintrin.h>

/* A byte is in a set if the bits that its two half-bytes have in the set's tables meet. Each
 * bit stands for one row of the ASCII table (high half-byte) with its columns:
 *
 *   special   1: 00-1F   2: space " # % & /   4: ; < = > ?   8: \ ^   16: `   32: { | } DEL   64: 80-FF
 *   host      1: - .     2: 0-9               4: _           8: a-o   16: p-z ~
 */
#define AVX2 __attribute__((target("avx2")))

AVX2 static inline __m256i both(__m128i table)
{
    return _mm256_broadcastsi128_si256(table);
}

AVX2 static inline __m256i classes(__m256i bytes, __m128i low_table, __m128i high_table)
{
    const __m256i low_half = _mm256_set1_epi8(15);
    __m256i       low = _mm256_shuffle_epi8(both(low_table), _mm256_and_si256(bytes, low_half));
    __m256i       high = _mm256_shuffle_epi8(both(high_table), _mm256_and_si256(_mm256_srli_epi16(bytes, 4), low_half));
    return _mm256_and_si256(low, high);
}

/* Bit i: byte i has no class. */
AVX2 static inline uint32_t classless(__m256i c)
{
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(c, _mm256_setzero_si256()));
}

AVX2 static inline dp_scan scan32(__m256i bytes)
{
    const __m128i special_low = _mm_setr_epi8(
        1 + 2 + 16 + 64, 1 + 64, 1 + 2 + 64, 1 + 2 + 64, 1 + 64, 1 + 2 + 64, 1 + 2 + 64, 1 + 64, 1 + 64, 1 + 64, 1 + 64,
        1 + 4 + 32 + 64, 1 + 4 + 8 + 32 + 64, 1 + 4 + 32 + 64, 1 + 4 + 8 + 64, 1 + 2 + 4 + 32 + 64);
    const __m128i special_high = _mm_setr_epi8(1, 1, 2, 4, 0, 8, 16, 32, 64, 64, 64, 64, 64, 64, 64, 64);
    const __m128i host_low =
        _mm_setr_epi8(2 + 16, 2 + 8 + 16, 2 + 8 + 16, 2 + 8 + 16, 2 + 8 + 16, 2 + 8 + 16, 2 + 8 + 16, 2 + 8 + 16,
                      2 + 8 + 16, 2 + 8 + 16, 8 + 16, 8, 8, 1 + 8, 1 + 8 + 16, 4 + 8);
    const __m128i host_high = _mm_setr_epi8(0, 0, 1, 2, 0, 4, 8, 16, 0, 0, 0, 0, 0, 0, 0, 0);
    return (dp_scan){(uint32_t)~classless(classes(bytes, special_low, special_high)),
                     classless(classes(bytes, host_low, host_high))};
}

AVX2 static inline dp_scan scan_at(const char *s)
{
    return scan32(_mm256_loadu_si256((const __m256i *)(const void *)s));
}

AVX2 static dp_scan scan_avx2(const char *s, size_t n)
{
    dp_scan a, b;
    if (n < 32) {
        char room[32] = {0};
        if (n)
            memcpy(room, s, n);
        a = scan_at(room);
        uint64_t keep = ((uint64_t)1 << n) - 1;
        return (dp_scan){a.special & keep, a.foreign & keep};
    }
    /* Two loads, which overlap when there are fewer than 64 bytes. */
    size_t second = n < 64 ? n - 32 : 32;
    a = scan_at(s);
    b = scan_at(s + second);
    return (dp_scan){a.special | b.special << second, a.foreign | b.foreign << second};
}

dp_scan dp_scan_bytes(const char *s, size_t n)
{
    return __builtin_cpu_supports("avx2") ? scan_avx2(s, n) : dp_scan_bytes_plain(s, n);
}

#else

dp_scan dp_scan_bytes(const char *s, size_t n)
{
    return dp_scan_bytes_plain(s, n);
}

#endif
