/* SPDX-License-Identifier: Apache-2.0 */
#include "input/format/when.h"

#include "url/chars.h"

/* Broken-down time, before it is known to be one. */
typedef struct moment {
    unsigned year, month, day, hour, minute, second; /* month and day from 1 */
} moment;

/* `n` digits at `p` as a number. */
static bool number(const char *p, size_t n, unsigned *out)
{
    unsigned v = 0;
    for (size_t i = 0; i < n; i++) {
        if (!dp_is(p[i], DP_CH_DIGIT))
            return false;
        v = v * 10 + (unsigned)(p[i] - '0');
    }
    *out = v;
    return true;
}

/* Days since 1970 of a date in the Gregorian calendar, counted in years that begin in March. */
static int64_t days(unsigned year, unsigned month, unsigned day)
{
    int64_t  y = (int64_t)year - (month <= 2);
    int64_t  era = (y >= 0 ? y : y - 399) / 400;
    unsigned of_era = (unsigned)(y - era * 400);
    unsigned of_year = (153 * (month + (month > 2 ? -3u : 9u)) + 2) / 5 + day - 1;
    return era * 146097 + (int64_t)(of_era * 365 + of_era / 4 - of_era / 100 + of_year) - 719468;
}

/* A leap second (60) is the first of the next minute. */
static bool finish(const moment *m, int64_t zone, int64_t *t)
{
    if (m->month < 1 || m->month > 12 || m->day < 1 || m->day > 31 || m->hour > 24 || m->minute > 59 || m->second > 60)
        return false;
    *t = days(m->year, m->month, m->day) * 86400 + m->hour * 3600 + m->minute * 60 + m->second - zone;
    return true;
}

/* Z, +hhmm, +hh:mm or nothing, as seconds east of Greenwich. */
static bool read_zone(dp_str s, int64_t *zone)
{
    unsigned hour, minute;
    *zone = 0;
    if (!s.n || (s.n == 1 && (s.p[0] == 'Z' || s.p[0] == 'z')))
        return true;
    size_t colon = s.n == 6 && s.p[3] == ':';
    if (s.n != 5 + colon || (s.p[0] != '+' && s.p[0] != '-') || !number(s.p + 1, 2, &hour) ||
        !number(s.p + 3 + colon, 2, &minute) || hour > 24 || minute > 59)
        return false;
    *zone = (int64_t)(hour * 3600 + minute * 60) * (s.p[0] == '-' ? -1 : 1);
    return true;
}

static unsigned month_of(const char *p)
{
    static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    for (unsigned i = 0; i < 12; i++) {
        const char *name = names + 3 * i;
        if (p[2] == name[2] && p[1] == name[1] && p[0] == name[0])
            return i + 1;
    }
    return 0;
}

bool dp_when_clf(dp_str s, int64_t *t)
{
    moment  m;
    int64_t zone;
    if (s.n < 20 || s.p[2] != '/' || s.p[6] != '/' || s.p[11] != ':' || s.p[14] != ':' || s.p[17] != ':')
        return false;
    if (s.n > 20 && s.p[20] != ' ')
        return false;
    m.month = month_of(s.p + 3);
    return number(s.p, 2, &m.day) && number(s.p + 7, 4, &m.year) && number(s.p + 12, 2, &m.hour) &&
           number(s.p + 15, 2, &m.minute) && number(s.p + 18, 2, &m.second) &&
           read_zone(s.n > 20 ? dp_str_cut(s, 21, s.n) : DP_STR(""), &zone) && finish(&m, zone, t);
}

bool dp_when_digits(dp_str s, int64_t *t)
{
    moment   m;
    unsigned rest;
    return (s.n == 14 || (s.n == 17 && number(s.p + 14, 3, &rest))) && number(s.p, 4, &m.year) &&
           number(s.p + 4, 2, &m.month) && number(s.p + 6, 2, &m.day) && number(s.p + 8, 2, &m.hour) &&
           number(s.p + 10, 2, &m.minute) && number(s.p + 12, 2, &m.second) && finish(&m, 0, t);
}

/* Where a fraction that begins at `i` ends; `i` itself when there is none. */
static size_t skip_fraction(dp_str s, size_t i)
{
    if (i + 1 < s.n && (s.p[i] == '.' || s.p[i] == ',') && dp_is(s.p[i + 1], DP_CH_DIGIT)) {
        for (i++; i < s.n && dp_is(s.p[i], DP_CH_DIGIT); i++) {}
    }
    return i;
}

bool dp_when_iso(dp_str s, int64_t *t)
{
    moment  m = {0};
    int64_t zone = 0;
    if (s.n < 10 || s.p[4] != '-' || s.p[7] != '-' || !number(s.p, 4, &m.year) || !number(s.p + 5, 2, &m.month) ||
        !number(s.p + 8, 2, &m.day))
        return false;
    if (s.n == 10)
        return finish(&m, 0, t);
    if (s.n < 19 || (s.p[10] != 'T' && s.p[10] != 't' && s.p[10] != ' ') || s.p[13] != ':' || s.p[16] != ':')
        return false;
    size_t end = skip_fraction(s, 19);
    return number(s.p + 11, 2, &m.hour) && number(s.p + 14, 2, &m.minute) && number(s.p + 17, 2, &m.second) &&
           read_zone(dp_str_cut(s, end, s.n), &zone) && finish(&m, zone, t);
}

bool dp_when_seconds(dp_str s, int64_t *t)
{
    int64_t v = 0;
    size_t  i = 0;
    for (; i < s.n && i < 13 && dp_is(s.p[i], DP_CH_DIGIT); i++)
        v = v * 10 + (s.p[i] - '0');
    if (!i || i > 12 || skip_fraction(s, i) != s.n)
        return false;
    *t = v;
    return true;
}

bool dp_when(dp_str s, int64_t *t)
{
    return dp_when_seconds(s, t) || dp_when_digits(s, t) || dp_when_iso(s, t) || dp_when_clf(s, t);
}
