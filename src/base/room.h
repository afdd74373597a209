/* base/room.h - room for one more in an array that grows.
 *
 *     if (!DP_ROOM(t->kept, t->nkept, t->kept_cap))
 *         return DP_ENOMEM;
 *     t->kept[t->nkept++] = rule;
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_ROOM_H
#define DP_BASE_ROOM_H

#include <stdbool.h>
#include <stddef.h>

/* Whether `v`, which has `n` items and room for `cap`, a size_t, has room for one more now. When there is no memory
 * for it nothing is changed. */
#define DP_ROOM(v, n, cap) ((n) < (cap) || dp_room(&(v), &(cap), sizeof *(v)))

/* `v` points to the pointer to the array. */
bool dp_room(void *v, size_t *cap, size_t size);

#endif
