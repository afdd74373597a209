/* plant/plant_word.h - names, numbers and words, all functions of a seed.
 *
 *     plant_word(to, host seed, 7)   "kalomite"    words of one host never begin with one another
 *     put_hex(to, x, 12)             "04f9c2..."   put_* append and return the new end
 *
 * Words are syllables, so that no learner can know them beforehand.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_PLANT_WORD_H
#define DP_PLANT_WORD_H

#include "base/hash.h"

enum { PLANT_WORD_MAX = 12, PLANT_ROOTS = 6400 /* two syllables */ };

/* A good hash of one number. */
static inline uint64_t plant_mix(uint64_t x)
{
    return dp_hash_mix(x + 0x9E3779B97F4A7C15u);
}

/* The same of two. */
static inline uint64_t plant_mix2(uint64_t a, uint64_t b)
{
    return plant_mix(plant_mix(a) ^ b);
}

/* Whether number `x`, seen as random, falls under the share `p`. */
static inline bool plant_under(uint64_t x, double p)
{
    return (double)(x >> 11) * 0x1p-53 < p;
}

static inline char *put_bytes(char *to, const char *p, size_t n)
{
    memcpy(to, p, n);
    return to + n;
}

static inline char *put_c(char *to, const char *z)
{
    return put_bytes(to, z, strlen(z));
}

static inline char *put_number(char *to, uint64_t x)
{
    char digit[20];
    int  n = 0;
    do
        digit[n++] = (char)('0' + x % 10);
    while (x /= 10);
    while (n)
        *to++ = digit[--n];
    return to;
}

static inline char *put_hex(char *to, uint64_t x, unsigned digits)
{
    for (; digits; digits--, x >>= 4)
        *to++ = "0123456789abcdef"[x & 15];
    return to;
}

/* `n` syllables; different for different x below 80^n. */
static inline char *put_syllables(char *to, uint64_t x, unsigned n)
{
    for (; n; n--, x /= 80) {
        *to++ = "bcdfghjklmnprstv"[x % 16];
        *to++ = "aeiou"[x / 16 % 5];
    }
    return to;
}

/* Word number `index` (below PLANT_ROOTS) of the host: 3 or 4 syllables, at times a consonant. */
char *plant_word(char *to, uint64_t seed, unsigned index);

/* "kalomi.com": the registrable name number `host`; no two hosts have the same. `mirror` names are others. */
char *plant_name(char *to, uint64_t seed, uint64_t host, bool mirror);

/* A file extension, common or made up; never empty. */
char *plant_extension(char *to, uint64_t x);

#endif
