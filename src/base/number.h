/* base/number.h - numbers that people write and read: in options, in rule files, in tables.
 *
 *     dp_number_read(&p, DP_STR(".998"))
 *     dp_size_read(&bytes, DP_STR("1.5G"))
 *
 * Not by strtod, whose decimal point depends on the locale.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_NUMBER_H
#define DP_BASE_NUMBER_H

#include "base/str.h"

/* Digits with at most one '.' among or before them, at most 10^15; false for other text. */
bool dp_number_read(double *out, dp_str text);

/* Such a number of bytes, or with K, M, G or T behind it, of 1024, 1024^2 ...; at most 10^18; false for other text. */
bool dp_size_read(uint64_t *out, dp_str text);

/* The 16 hex digits of `n`, in `room`. */
dp_str dp_number_hex(char room[16], uint64_t n);

/* `part` of `all`; 0 of nothing. */
static inline double dp_share(uint64_t part, uint64_t all)
{
    return all ? (double)part / (double)all : 0;
}

/* How many of `all` the first `share` of them are. */
static inline uint64_t dp_first_of(double share, uint64_t all)
{
    return (uint64_t)(share * (double)all);
}

#endif
