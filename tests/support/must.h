/* support/must.h - what a fuzz target claims: where it does not hold, the target dies with the line.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_MUST_H
#define DP_SUPPORT_MUST_H

#include <stdio.h>
#include <stdlib.h>

#define MUST(what)                                                \
    do {                                                          \
        if (!(what)) {                                            \
            fprintf(stderr, "%d: not so: %s\n", __LINE__, #what); \
            abort();                                              \
        }                                                         \
    } while (0)

#endif
