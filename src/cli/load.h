/* cli/load.h - from -r on the command line to rules and engines.
 *
 *     -r FILE -r FILE ──► dp_rules ──► dp_engine      one compiled file alone is mapped
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CLI_LOAD_H
#define DP_CLI_LOAD_H

#include <stdbool.h>

#include "base/err.h"

/* Read the files as one, in the order given. */
dp_err dp_load_rules(dp_rules **out, const char *const *paths, size_t n, dp_error *err);

/* Which rules fire. */
typedef struct dp_choice {
    bool   with_likely;
    double min_precision;
} dp_choice;

dp_err dp_load_engine(dp_engine **out, const char *const *paths, size_t n, dp_choice c, dp_error *err);

#endif
