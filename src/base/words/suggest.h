/* base/words/suggest.h - what somebody who wrote "pth" probably meant.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_WORDS_SUGGEST_H
#define DP_BASE_WORDS_SUGGEST_H

#include "base/str.h"

/* The word of `options` (separated by spaces) that is nearest to `word`: at most two
 * letters inserted, removed, replaced or swapped, and fewer than it has. Empty when none is. */
dp_str dp_suggest(dp_str word, const char *options);

#endif
