/* SPDX-License-Identifier: Apache-2.0 */
#include "base/words/suggest.h"

enum { MAX_WORD = 16, MAX_EDITS = 2 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Optimal string alignment distance; both at most MAX_WORD long. */
static size_t distance(dp_str a, dp_str b)
{
    size_t d[MAX_WORD + 1][MAX_WORD + 1];
    for (size_t i = 0; i <= a.n; i++)
        d[i][0] = i;
    for (size_t j = 0; j <= b.n; j++)
        d[0][j] = j;
    for (size_t i = 1; i <= a.n; i++) {
        for (size_t j = 1; j <= b.n; j++) {
            bool same = a.p[i - 1] == b.p[j - 1];
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + !same);
            if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] && a.p[i - 2] == b.p[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[a.n][b.n];
}

dp_str dp_suggest(dp_str word, const char *options)
{
    dp_str best = {"", 0}, all = dp_str_c(options);
    size_t edits = MAX_EDITS + 1;
    if (word.n > MAX_WORD)
        return best;
    for (size_t i = 0, j; i < all.n; i = j + 1) {
        for (j = i; j < all.n && all.p[j] != ' '; j++) {}
        dp_str option = dp_str_cut(all, i, j);
        size_t d = option.n <= MAX_WORD ? distance(word, option) : edits;
        if (d < edits && d < option.n && d < word.n) {
            edits = d;
            best = option;
        }
    }
    return best;
}
