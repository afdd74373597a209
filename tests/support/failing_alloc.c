/* SPDX-License-Identifier: Apache-2.0 */
#include "support/failing_alloc.h"

#include <stdatomic.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *p, size_t size);

static atomic_size_t calls;
static atomic_size_t fails_at; /* 0: never */

static bool refuse(void)
{
    return atomic_fetch_add(&calls, 1) + 1 == atomic_load(&fails_at);
}

void *__wrap_malloc(size_t size)
{
    return refuse() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refuse() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *p, size_t size)
{
    return refuse() ? NULL : __real_realloc(p, size);
}

void dp_alloc_fail_at(size_t n)
{
    atomic_store(&calls, 0);
    atomic_store(&fails_at, n);
}

void dp_alloc_disarm(void)
{
    atomic_store(&fails_at, 0);
}

bool dp_alloc_failed(void)
{
    size_t n = atomic_load(&fails_at);
    return n && atomic_load(&calls) >= n;
}

size_t dp_alloc_count(void)
{
    return atomic_load(&calls);
}

void dp_alloc_count_from_zero(void)
{
    dp_alloc_fail_at(0);
}

bool dp_alloc_next_run(size_t *n)
{
    bool more = *n == 0 || dp_alloc_failed();
    dp_alloc_disarm();
    if (more)
        dp_alloc_fail_at(++*n);
    return more;
}
