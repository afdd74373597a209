/* base/arena.h - memory that belongs to a unit of work.
 *
 *     dp_arena a = {0};
 *     char *p = dp_arena_alloc(&a, 100);     freed all at once:
 *     dp_arena_done(&a);                     or dp_arena_reset to use it again
 *
 * Invariants:
 *   - Allocations are aligned for any type and zeroed on request only.
 *   - A zeroed dp_arena is valid and empty.
 *   - dp_arena_reset keeps the largest block, so a steady unit of work stops
 *     calling malloc.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_ARENA_H
#define DP_BASE_ARENA_H

#include "base/str.h"

typedef struct dp_arena_block dp_arena_block;

typedef struct dp_arena {
    dp_arena_block *blocks; /* newest first */
    char           *at, *end;
} dp_arena;

/* `n` bytes, or NULL when memory is out. n == 0 gives a valid pointer. */
void *dp_arena_alloc(dp_arena *a, size_t n);

/* `count` items of `size` bytes, zeroed; NULL also when the product overflows. */
void *dp_arena_zero(dp_arena *a, size_t count, size_t size);

/* A copy of `s` that lives as long as the arena; p is NULL when memory is out. */
dp_str dp_arena_str(dp_arena *a, dp_str s);

void dp_arena_reset(dp_arena *a);
void dp_arena_done(dp_arena *a);

#define DP_NEW(a, type)     ((type *)dp_arena_zero((a), 1, sizeof(type)))
#define DP_NEWS(a, n, type) ((type *)dp_arena_zero((a), (n), sizeof(type)))

#endif
