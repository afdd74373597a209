/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/rounds/rows.h"

#include <string.h>

#include "url/chars.h"
#include "url/sorting.h"

/* The next of some parts that are separated by `by`; n == 0: there is none. */
static dp_str next_part(dp_str *parts, char by)
{
    const char *end = memchr(parts->p, by, parts->n);
    size_t      n = end ? (size_t)(end - parts->p) : parts->n;
    dp_str      one = dp_str_cut(*parts, 0, n);
    *parts = dp_str_cut(*parts, end ? n + 1 : n, parts->n);
    return one;
}

/* What stands behind `mark`; n == 0: nothing does. */
static dp_str behind(dp_str text, const char *mark)
{
    size_t      n = strlen(mark);
    const char *at = memmem(text.p, text.n, mark, n);
    return at ? dp_str_cut(text, (size_t)(at - text.p) + n, text.n) : dp_str_cut(text, text.n, text.n);
}

static bool has_part(dp_str parts, dp_str one)
{
    bool found = false;
    while (parts.n && !found)
        found = dp_str_eq(next_part(&parts, '&'), one);
    return found;
}

/* Whether a template has a pair about the order on its left that its right does not have. */
static bool takes_order(dp_str rule)
{
    dp_str right = behind(rule, " => "), left = dp_str_cut(rule, 0, rule.n - right.n), kept;
    bool   found = false;
    right = next_part(&right, ' ');
    left = behind(next_part(&left, ' '), "?");
    kept = behind(right, "?");
    while (left.n && !found) {
        dp_str pair = next_part(&left, '&'), value = pair, name = next_part(&value, '=');
        found = dp_sorts(name, value) && !has_part(kept, pair);
    }
    return found;
}

/* Whether one of the names of a `drop` or `erase` is about the order, or the number. */
static bool drops_rows(dp_str rule)
{
    dp_str names = behind(rule, "?"), rest = names;
    bool   found = false;
    names = next_part(&rest, ' ');
    while (names.n && !found) {
        dp_str name = next_part(&names, ',');
        found = dp_sorts(name, (dp_str){rule.p, 0}) || dp_counts_rows(name);
    }
    return found && !dp_str_starts(rest, DP_STR("if "));
}

/* Whether a `set` puts a number for another one, or for any value. */
static bool sets_number(dp_str rule)
{
    dp_str rest = behind(rule, "?"), value, where = behind(rule, " on "), query, other = {rule.p, 0};
    value = next_part(&rest, ' ');
    dp_str name = next_part(&value, '=');
    where = next_part(&where, ' ');
    query = behind(where, "?");
    while (query.n && !other.n) {
        dp_str pair = next_part(&query, '&');
        if (dp_str_eq(next_part(&pair, '='), name))
            other = pair;
    }
    return value.n && dp_all(value, DP_CH_DIGIT) && (!other.n || dp_all(other, DP_CH_DIGIT));
}

bool dp_is_about_rows(dp_str rule)
{
    if (dp_str_starts(rule, DP_STR("drop ?")) || dp_str_starts(rule, DP_STR("erase ?")))
        return drops_rows(rule);
    return dp_str_starts(rule, DP_STR("set ?")) ? sets_number(rule) : takes_order(rule);
}
