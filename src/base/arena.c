/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <stdalign.h>
#include <stdlib.h>

enum { FIRST_BLOCK = 4096, MAX_STEP = 1 << 20 };

struct dp_arena_block {
    dp_arena_block *next;
    size_t          size; /* of data */
    alignas(max_align_t) char data[];
};

static bool add_block(dp_arena *a, size_t need)
{
    size_t size = a->blocks ? a->blocks->size * 2 : FIRST_BLOCK;
    if (size > MAX_STEP)
        size = MAX_STEP;
    if (size < need)
        size = need;
    if (size > SIZE_MAX - sizeof(dp_arena_block))
        return false;
    dp_arena_block *b = malloc(sizeof *b + size);
    if (!b)
        return false;
    b->next = a->blocks;
    b->size = size;
    a->blocks = b;
    a->at = b->data;
    a->end = b->data + size;
    return true;
}

void *dp_arena_alloc(dp_arena *a, size_t n)
{
    size_t align = alignof(max_align_t);
    if (n > SIZE_MAX - align)
        return NULL;
    n = n ? (n + align - 1) / align * align : align;
    if (!a->at || (size_t)(a->end - a->at) < n) {
        if (!add_block(a, n))
            return NULL;
    }
    void *p = a->at;
    a->at += n;
    return p;
}

void *dp_arena_zero(dp_arena *a, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return NULL;
    void *p = dp_arena_alloc(a, count * size);
    if (p)
        memset(p, 0, count * size);
    return p;
}

dp_str dp_arena_str(dp_arena *a, dp_str s)
{
    char *p = dp_arena_alloc(a, s.n);
    if (!p)
        return (dp_str){NULL, 0};
    if (s.n)
        memcpy(p, s.p, s.n);
    return (dp_str){p, s.n};
}

void dp_arena_reset(dp_arena *a)
{
    dp_arena_block *keep = NULL;
    for (dp_arena_block *b = a->blocks, *next; b; b = next) {
        next = b->next;
        if (!keep) {
            keep = b;
        } else if (b->size > keep->size) {
            free(keep);
            keep = b;
        } else {
            free(b);
        }
    }
    *a = (dp_arena){0};
    if (keep) {
        keep->next = NULL;
        a->blocks = keep;
        a->at = keep->data;
        a->end = keep->data + keep->size;
    }
}

void dp_arena_done(dp_arena *a)
{
    for (dp_arena_block *b = a->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    *a = (dp_arena){0};
}
