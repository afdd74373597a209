/* content/rows.h - rows of slots, one a fetch: in memory as long as they are few, then in a file.
 *
 *     add, add ... ─► memory ─ past the limit ─► a file without a name ─► settle ─► get, get ...
 *
 * There are hundreds of slots a page, so that those of a large crawl do not fit into memory. content/hidden.h goes
 * through them a few times, mostly in the order in which they came; the file is mapped for that, and what was looked
 * at is given back each time as much as the limit was. Where no file can be made, all stay in memory.
 *
 * Memory: 16 bytes a slot, up to the limit.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CONTENT_ROWS_H
#define DP_CONTENT_ROWS_H

#include "content/slots.h"

enum { DP_ROWS_LIMIT = 256 << 20 /* bytes, where nobody says how many */ };

/* A zeroed one is valid and empty; the first two may be set before the first row. */
typedef struct dp_rows {
    uint64_t    limit;  /* bytes in memory; 0: DP_ROWS_LIMIT */
    const char *folder; /* for the file; NULL: /tmp */

    uint64_t  total;    /* slots */
    dp_slot  *v;        /* [n] the last ones, which are not in the file */
    size_t    n, cap;
    int       file;     /* descriptor + 1; 0: there is none, -1: none can be made */
    dp_slot  *map;      /* [total - n], after dp_rows_settle */
    uint64_t *seen;     /* bytes that were looked at since they were given back; and where the last row ended */
} dp_rows;

/* Add a row; it begins at *at. DP_ENOMEM, DP_EIO when the file cannot be written. */
dp_err dp_rows_add(dp_rows *r, const dp_slot *v, size_t n, uint64_t *at);

/* After the last one. DP_ENOMEM, DP_EIO. */
dp_err dp_rows_settle(dp_rows *r);

/* The `n` slots from `at` on, as they were added; never NULL. */
const dp_slot *dp_rows_get(const dp_rows *r, uint64_t at, size_t n);

void dp_rows_done(dp_rows *r);

#endif
