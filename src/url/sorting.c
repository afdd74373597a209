/* SPDX-License-Identifier: Apache-2.0 */
#include "url/sorting.h"

#include <string.h>

#include "base/words/case.h"

bool dp_sorts(dp_str name, dp_str value)
{
    static const char *const parts[] = {"sort", "order"}, *const words[] = {"asc", "desc", "dir", "direction"};
    for (size_t i = 0; i < DP_COUNT(parts); i++) {
        if (dp_str_has_but_case(name, dp_str_c(parts[i])))
            return true;
    }
    for (size_t i = 0; i < DP_COUNT(words); i++) {
        if (dp_is_word(name, words[i]) || (i < 2 && dp_is_word(value, words[i])))
            return true;
    }
    return name.n == 1 && value.n == 1 && value.p[0] && ((name.p[0] == 'C' && strchr("NMSD", value.p[0])) ||
                                            (name.p[0] == 'O' && strchr("AD", value.p[0])));
}

bool dp_counts_rows(dp_str name)
{
    static const char *const ends[] = {"count", "limit", "rows", "pagesize", "page_size", "perpage", "per_page"},
                            *const others[] = {"account", "discount"}; /* words that end so */
    bool found = false;
    for (size_t i = 0; i < DP_COUNT(ends); i++)
        found |= dp_str_ends_but_case(name, dp_str_c(ends[i]));
    for (size_t i = 0; i < DP_COUNT(others); i++)
        found &= !dp_str_ends_but_case(name, dp_str_c(others[i]));
    return found;
}
