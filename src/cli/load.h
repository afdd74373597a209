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

/* Rows of a table of options (cli/options.h): -r into a dp_list, and what a dp_choice holds. */
#define DP_RULES_OPTION(l) \
    {'r', "rules", "RULES", \
     "rule file, text or compiled; repeat to use several, read as one in the\norder given", .list = (l)}
#define DP_CHOICE_OPTIONS(c) \
    {0, "min-precision", "P", "do not use rules whose expected precision p is below P", \
     .share = &(c)->min_precision}, \
    {0, "with-likely", NULL, "also use rules marked likely", .flag = &(c)->with_likely}

#define DP_EXPIRE_OPTION(when) \
    {0, "expire", "DAY|90d", \
     "do not use learned rules that were last confirmed (seen=) before DAY,\n" \
     "or more than 90 days before the newest of them", .text = (when)}

/* Read the files as one, in the order given. */
dp_err dp_load_rules(dp_rules **out, const char *const *paths, size_t n, dp_error *err);

/* Which rules fire. */
typedef struct dp_choice {
    bool   with_likely;
    double min_precision;
    const char *expire; /* a day, or a number of days; NULL: nothing expires */
} dp_choice;

dp_err dp_load_engine(dp_engine **out, const char *const *paths, size_t n, dp_choice c, dp_error *err);

/* Warn when rules were learned where pages were told apart in another way than `used`, a name of dp_rules_identity. */
void dp_load_compare_identity(const dp_rules *r, const char *path, const char *used);

/* The same of the first of some rule files, unless it is compiled or cannot be read twice. */
void dp_load_check_identity(const char *path, const char *used);

#endif
