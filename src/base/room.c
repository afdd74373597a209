/* SPDX-License-Identifier: Apache-2.0 */
#include "base/room.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 16 };

bool dp_room(void *v, size_t *cap, size_t size)
{
    size_t more = *cap ? *cap * 2 : FIRST;
    void  *old, *p;
    memcpy(&old, v, sizeof old);
    if (more < *cap || more > SIZE_MAX / size || !(p = realloc(old, more * size)))
        return false;
    memcpy(v, &p, sizeof p);
    *cap = more;
    return true;
}
