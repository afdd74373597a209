/* content/patterns.h - dates, times, ages, counters and ids, as people and programs write them.
 *
 *     clock     10:31, 10:31:07.5, 9:05 pm, each with a zone behind it or not
 *     date      2024-05-03, 3.5.2024, 5/3/2024, 20240503T103107Z, 3 May 2024, May 3rd, 2024, Fri, 3 May
 *     when      dates and clocks in a row: Mon Nov 16 09:02:34 UTC 2026
 *     age       3 minutes, 2 hours, 6 minutes ago, an hour ago, just now, yesterday
 *     counter   a number beside a word that counts: 7 views, Hits: 7, 3 users online, 0.012s
 *     uuid, id  UUIDs; runs of 16 or more hex digits, or of 20 or more letters and digits in which both mix, upper
 *               and lower case or many digits
 *
 * English names only. A matcher takes a text with white space squeezed and a place in it where a word begins, and
 * returns where what it looks for ends; the place itself when it is not there. content/volatile.h hides what they find;
 * content/slots.h only asks what a word is like.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CONTENT_PATTERNS_H
#define DP_CONTENT_PATTERNS_H

#include "url/chars.h"

size_t dp_match_clock(dp_str s, size_t at);
size_t dp_match_date(dp_str s, size_t at);
size_t dp_match_counter(dp_str s, size_t at);
size_t dp_match_uuid(dp_str s, size_t at);
size_t dp_match_id(dp_str s, size_t at);
size_t dp_match_age(dp_str s, size_t at);

/* *clock: where a clock begins in it; `at` of the caller's text, or its end when there is none. */
size_t dp_match_when(dp_str s, size_t at, size_t *clock);

static inline bool dp_is_word_byte(char c)
{
    return dp_is(c, DP_CH_ALNUM) || c == '_' || (unsigned char)c >= 0x80;
}

#endif
