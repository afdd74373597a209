/* url/scan.h - find the bytes of a URL that matter, 64 at a time.
 *
 *     http://a.com/b?c=d%20        special:  :// no, / ? = % yes, and what stage 0 escapes
 *
 * url/frame.c walks the bits instead of the bytes: most bytes of a URL are letters and
 * digits that nobody needs to look at one by one.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_URL_SCAN_H
#define DP_URL_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

typedef struct dp_scan {
    uint64_t special; /* bit i: byte i is one of / ? # % = & ; or one that stage 0 escapes */
    uint64_t foreign; /* bit i: byte i may not stand in a normalised host name */
} dp_scan;

/* Both masks of the first `n` bytes at `s` (64 at the most); bits from n on are 0. */
dp_scan dp_scan_bytes(const char *s, size_t n);

/* The same without vector instructions; for machines that have none, and for the tests. */
dp_scan dp_scan_bytes_plain(const char *s, size_t n);

/* A walk along the special bytes of a text of any length. */
typedef struct dp_scanner {
    dp_str   text;
    uint64_t special; /* those from `base` on that were not passed by yet */
    size_t   base;
} dp_scanner;

static inline dp_scanner dp_scanner_open(dp_str text)
{
    return (dp_scanner){text, dp_scan_bytes(text.p, text.n < 64 ? text.n : 64).special, 0};
}

/* The place of the next one; the end of the text when there are no more. */
static inline size_t dp_scanner_next(dp_scanner *s)
{
    while (!s->special) {
        if (s->text.n - s->base <= 64)
            return s->text.n;
        s->base += 64;
        size_t left = s->text.n - s->base;
        s->special = dp_scan_bytes(s->text.p + s->base, left < 64 ? left : 64).special;
    }
    size_t at = s->base + (size_t)__builtin_ctzll(s->special);
    s->special &= s->special - 1;
    return at;
}

#endif
