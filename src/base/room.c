/* SPDX-License-Identifier: Apache-2.0 */
#include "base/room.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST = 16, LARGE = 4096 /* items: the same for arrays that share a capacity */ };

bool dp_resize(void *v, size_t n, size_t size)
{
    void *p;
    memcpy(&p, v, sizeof p);
    if (n > SIZE_MAX / size || !(p = realloc(p, n ? n * size : 1)))
        return false;
    memcpy(v, &p, sizeof p);
    return true;
}

static bool grow(void *v, size_t *cap, size_t size, size_t need, size_t most)
{
    size_t step = *cap < LARGE ? *cap : *cap / 2, more = *cap < most - step ? *cap + step : most;
    more = more < FIRST ? FIRST : more;
    more = more < need ? need : more;
    if (more > most || !dp_resize(v, more, size))
        return false;
    *cap = more;
    return true;
}

bool dp_room(void *v, size_t *cap, size_t size, size_t need)
{
    return grow(v, cap, size, need, SIZE_MAX);
}

bool dp_room_32(void *v, uint32_t *cap, size_t size, size_t need)
{
    size_t more = *cap;
    bool   good = grow(v, &more, size, need, UINT32_MAX);
    *cap = (uint32_t)more;
    return good;
}
