/* Learning within --memory: allocations beyond the limit fail here, and the result is the same.
 *
 * The sanitizer tells what is allocated and freed; without it (another build) nothing can be measured.
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "learn/dust/dust.h"

#if defined(__SANITIZE_ADDRESS__)
/* As in <sanitizer/allocator_interface.h>, which not every compiler brings along. */
int    __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                                 void (*on_free)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *p);
#else
#define __sanitizer_install_malloc_and_free_hooks(a, b) ((void)(a), (void)(b), 0)
#define __sanitizer_get_allocated_size(p) ((void)(p), (size_t)0)
#endif

/* ---- live bytes, their peak, and a limit -------------------------------------------------- */

static atomic_size_t live, peak, limit;

static void on_malloc(const volatile void *p, size_t n)
{
    (void)p;
    size_t now = atomic_fetch_add(&live, n) + n;
    if (now > atomic_load(&peak))
        atomic_store(&peak, now);
}

static void on_free(const volatile void *p)
{
    if (p)
        atomic_fetch_sub(&live, __sanitizer_get_allocated_size(p));
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *p, size_t size);

static bool refuse(size_t size)
{
    size_t most = atomic_load(&limit);
    return most && atomic_load(&live) + size > most;
}

void *__wrap_malloc(size_t size)
{
    return refuse(size) ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refuse(count * size) ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *p, size_t size)
{
    return refuse(size) ? NULL : __real_realloc(p, size);
}

/* ---- a site with many candidates --------------------------------------------------------- */

enum { FOLDERS = 40, PAGES = 50, TWINS = 60, URLS = FOLDERS * PAGES + 2 * TWINS };

/* /f0/p0_x.html to /f39/p49_x.html: every two folders are parallel. /g0/a.html and /g0/b.html to /g59/... */
static dp_dust_url *parallel_folders(dp_arena *a)
{
    dp_dust_url *v = DP_NEWS(a, URLS, dp_dust_url);
    for (int i = 0; i < URLS; i++) {
        char text[64];
        int  twin = i - FOLDERS * PAGES, n;
        if (twin < 0)
            n = snprintf(text, sizeof text, "http://a.com/f%d/p%d_x.html", i / PAGES, i % PAGES);
        else
            n = snprintf(text, sizeof text, "http://a.com/g%d/%c.html", twin / 2, "ab"[twin % 2]);
        v[i].url = dp_arena_str(a, (dp_str){text, (size_t)n});
    }
    return v;
}

/* MS is more than two folders have in common (50) and less than there are twins: many pairs of substrings get a place
 * in the table, and few become candidates. */
static dp_dust_options options(size_t memory)
{
    dp_dust_options o = DP_DUST_OPTIONS_INIT;
    o.T_low = o.T_high = FOLDERS;
    o.MS = 55;
    o.memory = memory;
    return o;
}

/* The peak of one run, with at most `most` bytes; 0: no limit. */
static size_t measure(dp_dust_rules *r, const dp_dust_url *v, const dp_dust_options *o, size_t most, dp_arena *a)
{
    dp_dust_site *s = NULL;
    size_t        before = atomic_load(&live);
    atomic_store(&peak, before);
    atomic_store(&limit, most ? before + most : 0);
    dp_err e = dp_dust_site_new(&s, v, URLS, o);
    if (e == DP_OK)
        e = dp_dust_detect(r, s, o, a);
    atomic_store(&limit, 0);
    assert_int_equal(DP_OK, e);
    dp_dust_site_free(s);
    return atomic_load(&peak) - before;
}

static bool is_same(const dp_dust_rules *a, const dp_dust_rules *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; i < a->n && same; i++)
        same = dp_dust_rule_cmp(&a->v[i], &b->v[i]) == 0 && a->v[i].sup_low == b->v[i].sup_low &&
               a->v[i].sup_high == b->v[i].sup_high;
    return same;
}

enum { RESULT = 64 << 10 }; /* bytes for the candidates themselves, which phase 2 wants all: they come on top */

static void less_memory_takes_more_passes_and_gives_the_same(void **state)
{
    (void)state;
    dp_arena        input = {0}, a = {0};
    dp_dust_url    *v = parallel_folders(&input);
    dp_dust_options o = options(0), alone = o;
    dp_dust_rules   want, got;
    alone.T_low = alone.T_high = 1; /* no two URLs share a bucket: the URLs and the tree, and nothing to count */
    size_t fixed = measure(&got, v, &alone, 0, &a), all = measure(&want, v, &o, 0, &a), passes = 1;
    if (!all) {
        print_message("no sanitizer: nothing is measured\n");
        skip();
    }
    print_message("%zu candidates, %zu bytes in one pass, %zu of them for URLs and tree\n", want.n, all, fixed);
    assert_int_equal(1, want.passes);
    assert_true(want.n > 5 && want.n < 100 && all > 2 * fixed);
    for (size_t memory = all; memory > fixed + fixed / 2; memory -= (memory - fixed) / 2) {
        dp_arena work = {0};
        o.memory = memory;
        size_t used = measure(&got, v, &o, memory + RESULT, &work);
        print_message("memory %zu: %zu used, %zu passes\n", memory, used, got.passes);
        assert_true(is_same(&want, &got));
        assert_true(got.passes >= passes && used < all + RESULT);
        passes = got.passes;
        dp_arena_done(&work);
    }
    assert_true(passes >= 4);
    dp_arena_done(&a);
    dp_arena_done(&input);
}

int main(void)
{
    __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(less_memory_takes_more_passes_and_gives_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
