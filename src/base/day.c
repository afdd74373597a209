/* SPDX-License-Identifier: Apache-2.0 */
#include "base/day.h"

enum { LAST = 2932896 /* 9999-12-31 */ };

static bool is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Days from 1970-01-01 to the first of January. */
static int64_t days_before_year(int64_t year)
{
    int64_t y = year - 1;
    return 365 * (year - 1970) + (y / 4 - y / 100 + y / 400) - (1969 / 4 - 1969 / 100 + 1969 / 400);
}

static int64_t days_of_month(int64_t year, int64_t month)
{
    static const uint8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && is_leap(year));
}

static bool read_digits(int64_t *out, dp_str text)
{
    *out = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] < '0' || text.p[i] > '9')
            return false;
        *out = *out * 10 + (text.p[i] - '0');
    }
    return true;
}

bool dp_day_read(int64_t *day, dp_str text)
{
    int64_t year, month, of_month;
    if (text.n != DP_DAY_TEXT - 1 || text.p[4] != '-' || text.p[7] != '-' ||
        !read_digits(&year, dp_str_cut(text, 0, 4)) || !read_digits(&month, dp_str_cut(text, 5, 7)) ||
        !read_digits(&of_month, dp_str_cut(text, 8, 10)))
        return false;
    if (year < 1970 || month < 1 || month > 12 || of_month < 1 || of_month > days_of_month(year, month))
        return false;
    *day = days_before_year(year) + of_month - 1;
    for (int64_t m = 1; m < month; m++)
        *day += days_of_month(year, m);
    return true;
}

dp_str dp_day_write(char out[DP_DAY_TEXT], int64_t day)
{
    int64_t left = day < 0 ? 0 : day > LAST ? LAST : day, year = 1970 + left / 366, month = 1;
    while (days_before_year(year + 1) <= left)
        year++;
    left -= days_before_year(year);
    for (; left >= days_of_month(year, month); month++)
        left -= days_of_month(year, month);
    const int64_t part[] = {year / 100, year % 100, month, left + 1};
    const size_t  at[] = {0, 2, 5, 8};
    out[4] = out[7] = '-';
    out[10] = 0;
    for (size_t i = 0; i < 4; i++) {
        out[at[i]] = (char)('0' + part[i] / 10);
        out[at[i] + 1] = (char)('0' + part[i] % 10);
    }
    return (dp_str){out, DP_DAY_TEXT - 1};
}
