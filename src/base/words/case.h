/* base/words/case.h - texts that are the same but for upper and lower case.
 *
 *     dp_is_word(DP_STR("Text/HTML"), "text/html")
 *     dp_str_eq_but_case(a, b), and with starts, ends and has in the place of eq
 *
 * Of ASCII letters alone, and whatever the locale: every other byte is only the same as itself.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_WORDS_CASE_H
#define DP_BASE_WORDS_CASE_H

#include "base/str.h"

static inline char dp_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static inline char dp_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c & ~0x20) : c;
}

static inline bool dp_str_starts_but_case(dp_str s, dp_str prefix)
{
    if (s.n < prefix.n)
        return false;
    for (size_t i = 0; i < prefix.n; i++) {
        if (dp_lower(s.p[i]) != dp_lower(prefix.p[i]))
            return false;
    }
    return true;
}

static inline bool dp_str_eq_but_case(dp_str a, dp_str b)
{
    return a.n == b.n && dp_str_starts_but_case(a, b);
}

static inline bool dp_is_word(dp_str s, const char *word)
{
    return dp_str_eq_but_case(s, dp_str_c(word));
}

static inline bool dp_str_ends_but_case(dp_str s, dp_str suffix)
{
    return s.n >= suffix.n && dp_str_starts_but_case(dp_str_cut(s, s.n - suffix.n, s.n), suffix);
}

/* Whether `word` stands anywhere in `s`. */
static inline bool dp_str_has_but_case(dp_str s, dp_str word)
{
    for (size_t i = 0; i + word.n <= s.n; i++) {
        if (dp_str_starts_but_case(dp_str_cut(s, i, s.n), word))
            return true;
    }
    return false;
}

#endif
