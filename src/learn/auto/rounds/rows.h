/* learn/auto/rounds/rows.h - rules about the order of a page's rows, or about how many it has.
 *
 *     drop ?sort                                        any order
 *     erase ?count                                      any number
 *     set ?count=25 on /{**}?count=100                  as many
 *     /{**}?q=&sort_by=rating&... => /{**}?...          that order or none
 *
 * Short lists are the same in any order and at any length, so pages that such a rule brings together may be equal by
 * accident (learn/auto/rounds/promise.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_ROUNDS_ROWS_H
#define DP_LEARN_AUTO_ROUNDS_ROWS_H

#include <stdbool.h>

#include "base/str.h"

/* Whether the text of a rule is about rows. `drop ?sort if =name` is not: which order is the default is another
 * matter; `set ?cat=2 on /{**}?cat=music` is not: a number for a word is a name of it; nor is
 * `set ?sort=creator on /{**}?sort=author`, of one order alone: the splits of a bug tracker that keep .99 were 29 of 34
 * with that, and 30 without, saving 55 % for 68. */
bool dp_is_about_rows(dp_str rule);

#endif
