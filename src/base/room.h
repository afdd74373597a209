/* base/room.h - arrays that grow: the one place where sizes are multiplied.
 *
 *     if (!DP_ROOM(t->kept, t->nkept, t->kept_cap))
 *         return DP_ENOMEM;
 *     t->kept[t->nkept++] = rule;
 *
 * Arrays that share a capacity grow in turn, all but the last by a copy of it:
 *
 *     size_t cap = l->cap;
 *     if (!DP_ROOM(l->host, l->n, cap) || !DP_ROOM(l->time, l->n, l->cap))
 *         return DP_ENOMEM;
 *
 * Small arrays double, large ones grow by half. What fails for want of memory, or because a size is too large to be
 * told, is false, and changes nothing but the arrays that have grown in turn before.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_ROOM_H
#define DP_BASE_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether `v`, which has `n` items and room for `cap`, a size_t or uint32_t, has room for one more now. */
#define DP_ROOM(v, n, cap) ((n) < (cap) || DP_ROOM_GROW(v, (size_t)(n) + 1, cap))

/* Whether `v` has room for `need` items in all. */
#define DP_ROOM_FOR(v, need, cap) ((need) <= (cap) || DP_ROOM_GROW(v, need, cap))

/* Give `v` room for `n` items exactly, be it more or less. */
#define DP_RESIZE(v, n) dp_resize(&(v), n, sizeof *(v))

#define DP_ROOM_GROW(v, need, cap) \
    _Generic((cap), uint32_t : dp_room_32, size_t : dp_room)(&(v), &(cap), sizeof *(v), need)

/* What the macros call; `v` points to the pointer to the array, `size` is that of an item. */
bool dp_room(void *v, size_t *cap, size_t size, size_t need);
bool dp_room_32(void *v, uint32_t *cap, size_t size, size_t need);
bool dp_resize(void *v, size_t n, size_t size);

#endif
