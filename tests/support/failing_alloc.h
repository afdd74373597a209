/* support/failing_alloc.h - an allocator that fails at the n-th call.
 *
 *     static void survives_every_allocation_failure(void **state)
 *     {
 *         (void)state;
 *         DP_EVERY_ALLOC_FAILURE {
 *             dp_rules *r = NULL;
 *             dp_err e = dp_rules_new(&r);
 *             assert_int_equal(e, dp_alloc_failed() ? DP_ENOMEM : DP_OK);
 *             dp_rules_free(r);
 *         }
 *     }
 *
 * The block runs with its first allocation failing, then its second, and so on, and for the
 * last time when it ends before an allocation failed. Whatever it gets it must give back in
 * every run: the leak checker looks on. What the block itself and tests/support/ allocate
 * counts too; what shared libraries (cmocka, libpsl, ...) allocate inside does not.
 *
 * Every test program is linked with --wrap=malloc,--wrap=calloc,--wrap=realloc (Makefile).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_FAILING_ALLOC_H
#define DP_SUPPORT_FAILING_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* Make the n-th allocation from now on (1: the next) return NULL, only that one. Counts from 0 again. */
void dp_alloc_fail_at(size_t n);

/* Let all allocations through again. */
void dp_alloc_disarm(void);

/* Has the allocation that was to fail been asked for? */
bool dp_alloc_failed(void);

/* Allocations since dp_alloc_fail_at or dp_alloc_count_from_zero. */
size_t dp_alloc_count(void);
void   dp_alloc_count_from_zero(void);

/* For DP_EVERY_ALLOC_FAILURE: end run `n`, begin the next; false when run `n` was the last. */
bool dp_alloc_next_run(size_t *n);

#define DP_EVERY_ALLOC_FAILURE for (size_t dp_alloc_run_ = 0; dp_alloc_next_run(&dp_alloc_run_);)

#endif
