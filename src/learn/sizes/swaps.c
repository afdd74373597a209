/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/sizes/swaps.h"

#include "learn/sizes/tell_pairs.h"
#include "url/chars.h"

enum { ID_DIGITS = 5 }; /* of a literal that is the id of something, such as a revision */

/* What stands before the arrow and behind it, without conditions. */
static bool cut(dp_str *left, dp_str *right, dp_str rule)
{
    const char *unless = memmem(rule.p, rule.n, " unless ", 8);
    rule.n = unless ? (size_t)(unless - rule.p) : rule.n;
    const char *arrow = memmem(rule.p, rule.n, " => ", 4);
    size_t      at = arrow ? (size_t)(arrow - rule.p) : 0;
    *left = dp_str_cut(rule, 0, at);
    *right = dp_str_cut(rule, arrow ? at + 4 : rule.n, rule.n);
    return arrow != NULL;
}

bool dp_moves(dp_str rule)
{
    dp_str left, right;
    return cut(&left, &right, rule) && left.p[0] == '/' && !memchr(left.p, '?', left.n);
}

/* Whether a star stands for something, {**} aside. */
static bool has_star(dp_str s)
{
    bool found = false;
    for (size_t i = 1; i < s.n; i++)
        found |= s.p[i] == '*' && s.p[i - 1] != '{' && s.p[i - 1] != '*';
    return found;
}

bool dp_swaps(dp_str rule)
{
    bool forgets = dp_str_starts(rule, DP_STR("drop ")) || dp_str_starts(rule, DP_STR("erase ")) ||
                   dp_str_starts(rule, DP_STR("only "));
    dp_str left, right;
    return !forgets && !(cut(&left, &right, rule) && has_star(right));
}

bool dp_swaps_numbers(dp_str rule)
{
    dp_str left, right;
    return cut(&left, &right, rule) && dp_pair_has_other_numbers(left, right);
}

/* The literal that begins at `at`: letters and digits. */
static dp_str literal_at(dp_str s, size_t at)
{
    size_t end = at;
    while (end < s.n && dp_is(s.p[end], DP_CH_ALNUM))
        end++;
    return dp_str_cut(s, at, end);
}

static bool is_id(dp_str s)
{
    size_t digits = 0;
    for (size_t i = 0; i < s.n; i++)
        digits += dp_is(s.p[i], DP_CH_DIGIT);
    return digits >= ID_DIGITS;
}

static bool holds_id(dp_str side, dp_str but_of)
{
    for (size_t i = 0; i < side.n;) {
        dp_str one = literal_at(side, i);
        if (is_id(one) && !memmem(but_of.p, but_of.n, one.p, one.n))
            return true;
        i += one.n + 1;
    }
    return false;
}

bool dp_swaps_ids(dp_str rule)
{
    dp_str left, right;
    return cut(&left, &right, rule) && holds_id(left, right) && holds_id(right, left);
}

/* Whether one side has a literal, or with `names` a capture, that the other has not. */
static bool has_more(dp_str side, dp_str other, bool names)
{
    for (size_t i = 0; i < side.n;) {
        dp_str one = literal_at(side, i);
        bool   is_name = i && side.p[i - 1] == '{';
        if (one.n && (names || !is_name) && !memmem(other.p, other.n, one.p, one.n))
            return true;
        i += one.n + 1;
    }
    return false;
}

bool dp_swaps_in_text(dp_str rule)
{
    dp_str left, right;
    return cut(&left, &right, rule) && has_more(right, left, false) && has_more(left, right, true);
}
