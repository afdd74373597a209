/* SPDX-License-Identifier: Apache-2.0 */
#include "content/patterns.h"

#include "url/chars.h"

/* Whether no word goes on at `at`. */
static bool ends(dp_str s, size_t at)
{
    return at >= s.n || !dp_is_word_byte(s.p[at]);
}

static bool has(dp_str s, size_t at, char c)
{
    return at < s.n && s.p[at] == c;
}

/* `min` to `max` digits and no more; their value. */
static size_t digits(dp_str s, size_t at, size_t min, size_t max, unsigned *value)
{
    size_t i = at;
    *value = 0;
    for (; i < s.n && i - at < max && dp_is(s.p[i], DP_CH_DIGIT); i++)
        *value = *value * 10 + (unsigned)(s.p[i] - '0');
    return i - at < min || (i < s.n && dp_is(s.p[i], DP_CH_DIGIT)) ? at : i;
}

static size_t letters(dp_str s, size_t at)
{
    while (at < s.n && dp_is(s.p[at], DP_CH_ALPHA))
        at++;
    return at;
}

/* Which word of `list`, separated by blanks, is `word`, in any case; -1 when none is. */
static int find_word(const char *list, dp_str word)
{
    for (int i = 0; *list && word.n; i++) {
        size_t n = strcspn(list, " ");
        if (dp_str_eq_but_case((dp_str){list, n}, word))
            return i;
        list += n + (list[n] == ' ');
    }
    return -1;
}

/* The word of letters at `at` is one of `list`. */
static size_t one_of(dp_str s, size_t at, const char *list)
{
    size_t end = letters(s, at);
    return ends(s, end) && find_word(list, dp_str_cut(s, at, end)) >= 0 ? end : at;
}

static size_t skip_blank(dp_str s, size_t at)
{
    return at + has(s, at, ' ');
}

/* ---- times and dates --------------------------------------------------------------------------- */

static const char months[] = "jan january feb february mar march apr april may jun june jul july aug august sep sept "
                             "september oct october nov november dec december";
static const char weekdays[] = "mon monday tue tues tuesday wed wednesday thu thur thurs thursday fri friday sat "
                               "saturday sun sunday";
static const char zones[] = "utc gmt z cet cest est edt cst cdt mst mdt pst pdt bst ist jst msk";

/* Behind a time: am or pm, then a zone. */
static size_t match_zone(dp_str s, size_t at)
{
    size_t   i = skip_blank(s, at);
    unsigned value;
    size_t   half = one_of(s, i, "am pm");
    dp_str   rest = dp_str_cut(s, i, s.n);
    if (half == i && (dp_str_starts_but_case(rest, DP_STR("a.m.")) || dp_str_starts_but_case(rest, DP_STR("p.m."))))
        half = i + 4;
    if (half > i)
        at = half;
    i = skip_blank(s, at);
    size_t zone = one_of(s, i, zones);
    if (zone > i)
        at = zone;
    i = skip_blank(s, at);
    if (!has(s, i, '+') && !has(s, i, '-'))
        return at;
    size_t hours = digits(s, i + 1, 4, 4, &value);
    if (hours == i + 1) {
        hours = digits(s, i + 1, 2, 2, &value);
        size_t minutes = has(s, hours, ':') ? digits(s, hours + 1, 2, 2, &value) : hours;
        hours = hours > i + 1 && minutes > hours + 1 ? minutes : i + 1;
    }
    return hours > i + 1 && ends(s, hours) ? hours : at;
}

/* Where a time ends that has digits up to `end`: behind its zone. "10:31pm" and "10:31Z" go on
 * with letters, anything else must not. `at` when it is no time. */
static size_t end_clock(dp_str s, size_t at, size_t end)
{
    size_t zone = match_zone(s, end);
    return zone > end || (ends(s, end) && !has(s, end, ':')) ? zone : at;
}

size_t dp_match_clock(dp_str s, size_t at)
{
    unsigned h, m, sec, part;
    size_t   i = digits(s, at, 1, 2, &h);
    if (i == at || h > 24 || !has(s, i, ':') || (at && s.p[at - 1] == ':'))
        return at;
    size_t end = digits(s, i + 1, 2, 2, &m);
    if (end == i + 1 || m > 59)
        return at;
    if (!has(s, end, ':'))
        return end_clock(s, at, end);
    size_t seconds = digits(s, end + 1, 2, 2, &sec);
    if (seconds == end + 1 || sec > 60)
        return at;
    if (has(s, seconds, '.') || has(s, seconds, ',')) {
        size_t fraction = digits(s, seconds + 1, 1, 9, &part);
        if (fraction > seconds + 1 && (i = end_clock(s, at, fraction)) > at)
            return i;
    }
    return end_clock(s, at, seconds);
}

static bool is_year(unsigned year)
{
    return year >= 1900 && year < 2200;
}

static bool is_day(unsigned month, unsigned day)
{
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/* 2024-05-03, 3.5.2024, 5/3/2024 */
static size_t match_numeric_date(dp_str s, size_t at)
{
    unsigned a, b, c;
    size_t   i = digits(s, at, 1, 4, &a);
    char     sep = i > at && i < s.n ? s.p[i] : 0;
    if (sep != '-' && sep != '/' && sep != '.')
        return at;
    size_t j = digits(s, i + 1, 1, 2, &b);
    if (j == i + 1 || !has(s, j, sep))
        return at;
    size_t end = digits(s, j + 1, 1, 4, &c);
    if (end == j + 1)
        return at;
    bool year_first = i - at == 4 && end - j - 1 <= 2 && is_year(a) && is_day(b, c);
    bool year_last = i - at <= 2 && end - j - 1 == 4 && is_year(c) && (is_day(a, b) || is_day(b, a));
    return year_first || year_last ? end : at;
}

/* 20240503T103107Z, 20240503103107 */
static size_t match_compact_date(dp_str s, size_t at)
{
    unsigned day, time;
    size_t   i = at + 8;
    if (i >= s.n || (s.p[at] != '1' && s.p[at] != '2') || (s.p[at + 1] != '9' && s.p[at + 1] != '0'))
        return at;
    for (size_t k = at; k < i; k++) {
        if (!dp_is(s.p[k], DP_CH_DIGIT))
            return at;
    }
    if (digits(s, at + 4, 10, 10, &day) > at + 4)
        return ends(s, at + 14) ? at + 14 : at;
    if (s.p[i] != 'T')
        return at;
    size_t end = digits(s, i + 1, 6, 6, &time);
    if (end == i + 1)
        return at;
    end += has(s, end, 'Z');
    return ends(s, end) ? end : at;
}

/* A day of the month, with st, nd, rd or th or without. */
static size_t match_day(dp_str s, size_t at)
{
    unsigned day;
    size_t   i = digits(s, at, 1, 2, &day);
    if (i == at || day < 1 || day > 31)
        return at;
    size_t suffix = one_of(s, i, "st nd rd th");
    return suffix > i ? suffix : ends(s, i) ? i : at;
}

/* Names of months and days begin with a capital letter: "may" is a word like others. */
static size_t match_name(dp_str s, size_t at, const char *list)
{
    return at < s.n && dp_is(s.p[at], DP_CH_UPPER) ? one_of(s, at, list) : at;
}

/* Behind a day or a month: one of " ", "-", ", ", ". ". */
static size_t skip_joint(dp_str s, size_t at)
{
    if (has(s, at, ',') || has(s, at, '.'))
        return at + 1 + has(s, at + 1, ' ');
    return at + (has(s, at, ' ') || has(s, at, '-'));
}

/* 3 May 2024, 03-May-2024, May 3, 2024, May 3rd */
static size_t match_named_date(dp_str s, size_t at)
{
    unsigned year;
    size_t   first = match_day(s, at), second, end;
    if (first > at) {
        second = skip_joint(s, first);
        end = match_name(s, second, months);
    } else {
        first = match_name(s, at, months);
        second = skip_joint(s, first);
        end = first > at ? match_day(s, second) : second;
    }
    if (first == at || second == first || end == second)
        return at;
    size_t before = skip_joint(s, end), after = before > end ? digits(s, before, 4, 4, &year) : before;
    return after > before && ends(s, after) && is_year(year) ? after : end;
}

size_t dp_match_date(dp_str s, size_t at)
{
    size_t i = at, end;
    size_t weekday = match_name(s, at, weekdays);
    if (weekday > at)
        i = skip_joint(s, weekday);
    if ((end = match_numeric_date(s, i)) > i) {
        if (has(s, end, 'T')) {
            size_t time = dp_match_clock(s, end + 1);
            end = time > end + 1 ? time : end;
        }
        return ends(s, end) ? end : at;
    }
    if ((end = match_named_date(s, i)) > i)
        return end;
    end = match_compact_date(s, at);
    return end;
}

/* ---- counters ------------------------------------------------------------------------------------- */

static const char counts_behind[] = "views visits visitors hits reads readers downloads pageviews clicks";
static const char counts_before[] = "views visits visitors hits reads readers downloads pageviews clicks counter "
                                    "online";
static const char crowds[] = "user users guest guests member members visitor visitors people";
static const char spans[] = "second seconds sec secs minute minutes min mins hour hours hr hrs day days week weeks "
                            "month months year years";
static const char short_spans[] = "s sec secs second seconds ms msec milliseconds";

/* 12, 1,204, 0.031; `*is_decimal`: one point or comma that does not part thousands. A group of
 * digits that begins a word is not part of the number, unless "s" follows: 0.5s. */
static size_t match_number(dp_str s, size_t at, bool *is_decimal)
{
    size_t end = at, groups = 0, last = 0;
    while (end < s.n && dp_is(s.p[end], DP_CH_DIGIT))
        end++;
    while (end > at && (has(s, end, ',') || has(s, end, '.'))) {
        size_t i = end + 1;
        while (i < s.n && dp_is(s.p[i], DP_CH_DIGIT))
            i++;
        if (i == end + 1 || (!ends(s, i) && one_of(s, i, short_spans) == i))
            break;
        last = i - end - 1;
        end = i;
        groups++;
    }
    *is_decimal = groups == 1 && (s.p[at] == '0' || last != 3);
    return end;
}

/* "Views: " stands before `at`. */
static bool is_counted_before(dp_str s, size_t at)
{
    if (at && s.p[at - 1] == ' ')
        at--;
    if (!at || s.p[at - 1] != ':')
        return false;
    size_t end = at - 1, begin = end;
    while (begin && dp_is(s.p[begin - 1], DP_CH_ALPHA))
        begin--;
    return (!begin || ends(s, begin - 1)) && find_word(counts_before, dp_str_cut(s, begin, end)) >= 0;
}

/* A word of `list` stands at `at`, then `second`. */
static bool two_words(dp_str s, size_t at, const char *list, const char *second)
{
    size_t end = one_of(s, at, list), next = skip_blank(s, end);
    return end > at && one_of(s, next, second) > next;
}

size_t dp_match_counter(dp_str s, size_t at)
{
    bool   is_decimal;
    size_t end = match_number(s, at, &is_decimal), word = skip_blank(s, end);
    if (end == at || (word == end && !ends(s, end) && !is_decimal))
        return at;
    if (is_counted_before(s, at) && ends(s, end))
        return end;
    if (word > end && one_of(s, word, counts_behind) > word)
        return end;
    if (word > end && (two_words(s, word, crowds, "online") || two_words(s, word, spans, "ago")))
        return end;
    return is_decimal && one_of(s, word, short_spans) > word ? end : at;
}

/* ---- ids --------------------------------------------------------------------------------------------- */

enum { HEX_RUN = 16, MIXED_RUN = 20, MIXED_DIGITS = 4, MIXED_CHANGES = 4 };

size_t dp_match_uuid(dp_str s, size_t at)
{
    static const size_t parts[] = {8, 4, 4, 4, 12};
    size_t              i = at;
    for (size_t k = 0; k < DP_COUNT(parts); k++) {
        if (k && !has(s, i++, '-'))
            return at;
        for (size_t j = 0; j < parts[k]; j++, i++) {
            if (i >= s.n || !dp_is(s.p[i], DP_CH_HEX))
                return at;
        }
    }
    return ends(s, i) ? i : at;
}

/* A run of letters and digits that nobody would write by hand. */
size_t dp_match_id(dp_str s, size_t at)
{
    size_t end = at, number = 0, hex = 0, changes = 0;
    int    before = 0;
    for (; end < s.n && dp_is(s.p[end], DP_CH_ALNUM); end++) {
        int now = dp_is(s.p[end], DP_CH_DIGIT) ? 1 : dp_is(s.p[end], DP_CH_UPPER) ? 2 : 3;
        number += now == 1;
        hex += dp_is(s.p[end], DP_CH_HEX);
        changes += end > at && now != before;
        before = now;
    }
    size_t n = end - at;
    bool   is_hex = n >= HEX_RUN && hex == n && number > 0;
    bool   is_mixed = n >= MIXED_RUN && number >= MIXED_DIGITS && changes >= MIXED_CHANGES;
    return ends(s, end) && (is_hex || is_mixed) ? end : at;
}

/* ---- moments ------------------------------------------------------------------------------------------ */

size_t dp_match_when(dp_str s, size_t at, size_t *clock)
{
    unsigned year;
    size_t   end = at, next = at;
    bool     has_clock = false;
    for (int i = 0; i < 4; i++) {
        size_t      got = dp_match_date(s, next);
        const char *t = got > next ? memchr(s.p + next, 'T', got - next) : NULL;
        if (t && !has_clock && dp_is(t[-1], DP_CH_DIGIT)) {
            *clock = (size_t)(t - s.p) + 1;
            has_clock = true;
        }
        if (got == next && (got = dp_match_clock(s, next)) > next && !has_clock) {
            *clock = next;
            has_clock = true;
        }
        if (got == next && has_clock) {
            got = digits(s, next, 4, 4, &year);
            got = is_year(year) && ends(s, got) ? got : next;
        }
        if (got == next)
            break;
        end = got;
        next = skip_joint(s, end);
        size_t word = one_of(s, next, "at");
        next = word > next ? skip_blank(s, word) : next;
    }
    if (!has_clock)
        *clock = s.n;
    return end;
}

/* "3 minutes", "3h"; `*whole`: it can stand alone. */
static size_t match_span(dp_str s, size_t at, bool *whole)
{
    bool   is_decimal;
    size_t number = match_number(s, at, &is_decimal), unit;
    *whole = number > at;
    if (number == at)
        number = one_of(s, at, "a an one");
    if (number == at)
        return at;
    unit = skip_blank(s, number);
    *whole &= unit > number;
    size_t end = one_of(s, unit, unit > number ? spans : "s m h d w y min mins hr hrs");
    return end > unit ? end : at;
}

size_t dp_match_age(dp_str s, size_t at)
{
    bool   whole = false, one;
    size_t end = at, next = at;
    if (two_words(s, at, "just", "now") || two_words(s, at, "moments", "ago"))
        return letters(s, letters(s, at) + 1);
    if ((end = one_of(s, at, "yesterday")) > at)
        return end;
    for (int i = 0; i < 4; i++) {
        size_t got = match_span(s, next, &one);
        if (got == next)
            break;
        whole |= one;
        end = got;
        next = end + has(s, end, ',');
        next = skip_blank(s, next);
        size_t word = one_of(s, next, "and");
        next = word > next ? skip_blank(s, word) : next;
    }
    next = skip_blank(s, end);
    size_t ago = end > at && next > end ? one_of(s, next, "ago") : next;
    return ago > next ? ago : whole ? end : at;
}
