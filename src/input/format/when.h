/* input/format/when.h - the spellings of a time that logs and indexes use, as seconds since 1970.
 *
 *     17/May/2015:10:05:03 +0000     20150517100503     2015-05-17T10:05:03Z     1431857103
 *
 * Fractions of a second are read and dropped. A time without a zone is UTC.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_INPUT_FORMAT_WHEN_H
#define DP_INPUT_FORMAT_WHEN_H

#include "base/str.h"

/* Each is true, with `*t` set, when all of `s` is such a time. */
bool dp_when_clf(dp_str s, int64_t *t);     /* of access logs; the zone may be missing */
bool dp_when_digits(dp_str s, int64_t *t);  /* 14, or 17 with milliseconds: CDX */
bool dp_when_iso(dp_str s, int64_t *t);     /* T or a blank between date and time; Z, +hh:mm, +hhmm or nothing */
bool dp_when_seconds(dp_str s, int64_t *t); /* at most 12 digits, and a fraction */

/* Any of them. */
bool dp_when(dp_str s, int64_t *t);

#endif
