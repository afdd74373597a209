/* plant_word.c - words and names out of numbers.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plant_word.h"

char *plant_word(char *to, uint64_t seed, unsigned index)
{
    /* Two syllables that no other index has: what is added to one depends on the other alone. */
    uint64_t low = index % 80, high = index / 80, x = plant_mix2(seed, index);
    low = (low + plant_mix2(seed, high) % 80) % 80;
    high = (high + plant_mix2(~seed, low) % 80) % 80;
    low = (low + plant_mix2(seed + 1, high) % 80) % 80;
    to = put_syllables(to, low + 80 * high, 2);
    to = put_syllables(to, x, 1 + (x >> 32) % 2);
    if ((x >> 40) % 3 == 0)
        *to++ = "nrst"[(x >> 48) % 4];
    return to;
}

char *plant_name(char *to, uint64_t seed, uint64_t host, bool mirror)
{
    static const char *const end[] = {".com", ".org", ".net", ".com", ".de", ".co.uk", ".com", ".fr"};
    const uint64_t           all = 40960000; /* 80^4 */
    /* Even numbers are hosts, odd ones mirrors; the factor has no common divisor with 80. */
    uint64_t n = (2 * host + mirror) % all;
    to = put_syllables(to, (n * 2654437 + plant_mix(seed)) % all, 4);
    if (2 * host >= all)
        to = put_syllables(to, 2 * host / all, 2);
    return put_c(to, end[plant_mix2(seed, n) % 8]);
}

char *plant_extension(char *to, uint64_t x)
{
    static const char *const common[] = {"html", "htm", "php", "asp", "aspx", "jsp", "shtml", "cgi"};
    if (x % 4)
        return put_c(to, common[(x >> 8) % 8]);
    to = put_syllables(to, x >> 8, 1);
    *to++ = "bdglmnpst"[(x >> 40) % 9];
    return to;
}
