/* base/words/strsort.h - put numbers into the order of the strings that they stand for.
 *
 *     3 1 2   of  "b" "" "a"    ──►   numbers by text
 *
 * Eight bytes of each string are taken at a time and sorted as one number; strings that agree in them are sorted by
 * the next eight. So strings with long common beginnings, as URLs are, are looked at once for every eight bytes in
 * which they agree, and not once for each comparison.
 *
 * Memory: 32 bytes a string while it sorts.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_WORDS_STRSORT_H
#define DP_BASE_WORDS_STRSORT_H

#include "base/words/strlist.h"

/* Sort v[0 .. n), numbers of strings of `l`, as dp_str_cmp says; the least number first where strings are equal. False
 * when memory is out. */
bool dp_strlist_sort(const dp_strlist *l, uint32_t *v, size_t n);

#endif
