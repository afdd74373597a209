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
