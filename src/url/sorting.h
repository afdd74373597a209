/* url/sorting.h - parameters that say in which order a page shows its rows, and how many.
 *
 *     ?sort=name   ?order=desc   ?@sort0=actor   ?dir=asc   ?C=M;O=D of Apache's listings
 *     ?count=50    ?limit=20     ?@pagesize=50   ?per_page=9   ?revcount=120
 *
 * Read by learn/sizes/ and learn/auto/rounds/rows.h: rows in another order have the same size, and short lists look the
 * same in any order and at any length.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_URL_SORTING_H
#define DP_URL_SORTING_H

#include <stdbool.h>

#include "base/str.h"

bool dp_sorts(dp_str name, dp_str value);

/* By its name alone. */
bool dp_counts_rows(dp_str name);

#endif
