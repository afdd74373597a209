/* base/machine.h - what the machine has for this process, and what time it is.
 *
 *     taskset -c 0,1 dustpan ...     dp_machine_cores() == 2
 *
 *     uint64_t last = 0;
 *     if (dp_clock_is_due(&last, 100))      ten times a second at most
 *         tell();
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_MACHINE_H
#define DP_BASE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* Cores that this process may run on (its CPU affinity), at least 1. */
unsigned dp_machine_cores(void);

/* Bytes of memory; 2 GiB where the system does not say. */
uint64_t dp_machine_memory(void);

/* Bytes that a command takes where nobody says how many: half of them. */
uint64_t dp_machine_usual_memory(void);

/* Milliseconds since some moment; never goes back. */
uint64_t dp_clock_ms(void);

/* Whether `ms` milliseconds have gone by since `*last`, which is now then. */
bool dp_clock_is_due(uint64_t *last, uint64_t ms);

/* Seconds that this thread has worked. */
double dp_clock_thread_seconds(void);

#endif
