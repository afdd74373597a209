/* base/day.h - days as rule files and options have them: 2026-11-03.
 *
 * Counted from 1970-01-01 in UTC; the Gregorian calendar. No time zone, no clock.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_DAY_H
#define DP_BASE_DAY_H

#include "base/str.h"

enum { DP_DAY_SECONDS = 86400, DP_DAY_TEXT = 11 /* bytes, NUL included */ };

/* Read a text that is a day and nothing else, of the years 1970 to 9999; false when it is none. */
bool dp_day_read(int64_t *day, dp_str text);

/* Write one; later ones than 9999-12-31 become that one, earlier ones than 1970-01-01 that one. */
dp_str dp_day_write(char out[DP_DAY_TEXT], int64_t day);

#endif
