/* SPDX-License-Identifier: Apache-2.0 */
#include "base/index.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/secret.h"

enum { FIRST_SLOTS = 64, FEW_SLOTS = 4096, MOST = INT32_MAX };

/* The last bytes of the secret of the process, which short texts do not use. */
static dp_index_secret get_secret(void)
{
    dp_index_secret s;
    memcpy(&s, dp_secret_of_process()->byte + DP_SECRET_BYTES - sizeof s, sizeof s);
    s.times |= 1;
    return s;
}

static bool make_slots(dp_index *x, uint64_t slots)
{
    if (!(x->slot = calloc(slots, sizeof *x->slot)))
        return false;
    if (!x->secret.times)
        x->secret = get_secret();
    x->n = 0;
    x->room = slots / 4 * 3 < MOST ? (uint32_t)(slots / 4 * 3) : MOST;
    x->mask = (uint32_t)(slots - 1);
    x->shift = (uint32_t)__builtin_clzll(slots) + 1;
    return true;
}

bool dp_index_grow(dp_index *x, dp_index_hash *hash_of, const void *self)
{
    dp_index bigger = *x;
    uint64_t slots = !x->slot ? FIRST_SLOTS : ((uint64_t)x->mask + 1) * (x->mask < FEW_SLOTS ? 4 : 2);
    if (x->n >= MOST || !make_slots(&bigger, slots))
        return false;
    for (uint32_t i = 0; i < x->n; i++)
        dp_index_put(&bigger, hash_of(self, i));
    free(x->slot);
    *x = bigger;
    return true;
}

bool dp_index_reserve(dp_index *x, size_t n)
{
    uint64_t slots = FIRST_SLOTS;
    assert(x->n == 0);
    if (n <= x->room)
        return true;
    while (slots / 4 * 3 < n && n <= MOST)
        slots *= 2;
    dp_index_done(x);
    return n <= MOST && make_slots(x, slots);
}

void dp_index_reset(dp_index *x)
{
    if (x->mask > FEW_SLOTS && x->mask / 16 > x->n)
        dp_index_done(x);
    else if (x->slot)
        memset(x->slot, 0, ((size_t)x->mask + 1) * sizeof *x->slot);
    x->n = 0;
}

void dp_index_done(dp_index *x)
{
    free(x->slot);
    *x = (dp_index){.secret = x->secret};
}

uint64_t dp_index_bytes(const dp_index *x)
{
    return x->slot ? ((uint64_t)x->mask + 1) * sizeof *x->slot : 0;
}
