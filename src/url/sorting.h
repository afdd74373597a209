/* url/sorting.h - parameters that say in which order a page shows its rows.
 *
 *     ?sort=name   ?order=desc   ?@sort0=actor   ?dir=asc   ?C=M;O=D of Apache's listings
 *
 * Read by learn/sizes/ and learn/auto/vote/: rows in another order have the same size, and short lists look the same.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_URL_SORTING_H
#define DP_URL_SORTING_H

#include <stdbool.h>

#include "base/str.h"

bool dp_sorts(dp_str name, dp_str value);

#endif
