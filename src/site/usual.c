/* SPDX-License-Identifier: Apache-2.0 */
#include "site/usual.h"

#include <stdlib.h>

#include "base/room.h"

enum {
    LEAST_AGAIN = 10,  /* further fetches before anything is known of the spread */
    CHANGED = 100,     /* a fetch that differs by more than this part of the page is of another version of it */
    MOST_SPREAD = 256, /* bytes: beyond that sizes tell nothing */
    STAY_WITHIN = 80,  /* per cent of the further fetches: the rest are pages that were changed */
    JITTER = 2,        /* bytes more, such as the digits of a counter, */
    MANY_JITTER = 10   /* where so many per cent stay within them */
};

/* The fetches of one URL: sizes and how often each came. */
typedef struct fetches {
    const dp_keyed *v; /* [n] */
    size_t          n;
} fetches;

static fetches of_url(const dp_counted *sizes, uint32_t url)
{
    size_t from = dp_counted_find(sizes, url), to = from;
    while (to < sizes->n && dp_counted_first(&sizes->v[to]) == url)
        to++;
    return (fetches){sizes->v + from, to - from};
}

static uint32_t middle(fetches f)
{
    uint64_t all = 0, below = 0;
    size_t   i = 0;
    for (size_t k = 0; k < f.n; k++)
        all += f.v[k].item;
    while (i < f.n && 2 * (below + f.v[i].item) < all)
        below += f.v[i++].item;
    return i < f.n ? dp_counted_second(&f.v[i]) : DP_NO_SIZE;
}

/* Where none of three or more came twice, any may be the one that was changed or cut. */
static uint32_t commonest(fetches f)
{
    size_t best = 0;
    for (size_t i = 1; i < f.n; i++)
        best = f.v[i].item >= f.v[best].item ? i : best;
    if (f.n > 2 && f.v[best].item == 1)
        return middle(f);
    return f.n ? dp_counted_second(&f.v[best]) : DP_NO_SIZE;
}

/* Count by how many bytes further fetches differ from the usual one: differ[MOST_SPREAD + 1] and below. */
static uint64_t count_differences(uint64_t *differ, fetches f)
{
    uint32_t usual = commonest(f);
    uint64_t all = 0;
    for (size_t i = 0; i < f.n; i++) {
        uint32_t size = dp_counted_second(&f.v[i]), by = size > usual ? size - usual : usual - size;
        uint64_t times = size == usual ? f.v[i].item - 1u : f.v[i].item;
        if ((uint64_t)by * CHANGED > usual)
            continue;
        differ[by < MOST_SPREAD ? by : MOST_SPREAD] += times;
        all += times;
    }
    return all;
}

bool dp_usual_find(uint32_t *usual, uint32_t *spread, const dp_counted *sizes, const uint32_t *url, size_t n)
{
    uint64_t *differ = calloc(MOST_SPREAD + 1, sizeof *differ), all = 0, within = 0;
    uint32_t  least = 0;
    if (!differ)
        return false;
    for (size_t i = 0; i < n; i++)
        all += count_differences(differ, of_url(sizes, url[i]));
    for (; least < MOST_SPREAD; least++) {
        within += differ[least];
        if (100 * within >= STAY_WITHIN * all)
            break;
    }
    for (uint32_t i = 1, more = 0; i <= JITTER && least + i < MOST_SPREAD; i++) {
        more += (uint32_t)(differ[least + i] < all ? differ[least + i] : all);
        if (100 * (uint64_t)more >= MANY_JITTER * all) {
            least += i;
            break;
        }
    }
    free(differ);
    *spread = all < LEAST_AGAIN ? 0 : least;
    for (size_t i = 0; i < n; i++) {
        fetches f = of_url(sizes, url[i]);
        usual[i] = *spread ? middle(f) : commonest(f);
    }
    return true;
}
