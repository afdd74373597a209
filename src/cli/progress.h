/* cli/progress.h - how far a long command is, on standard error.
 *
 *     dustpan: reading: 1.2 GB of 2.7 GB, 310 MB/s, 0:05 left
 *     dustpan: surveying domains: 7 of 400, 9/s, 0:45 left
 *
 * One line that is written over on a terminal; a line per second elsewhere, where it must
 * be asked for.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CLI_PROGRESS_H
#define DP_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct dp_meter {
    bool     on, on_terminal;
    double   began, last; /* seconds */
    bool     shown;
} dp_meter;

/* Rows of a table of options (cli/options.h) for a struct with these two flags. */
#define DP_METER_OPTIONS(o) \
    {0, "progress", NULL, "show progress even if standard error is not a terminal", .flag = &(o)->progress}, \
    {'q', "quiet", NULL, "print errors only", .flag = &(o)->quiet}

/* `asked`: --progress; `quiet`: --quiet. Neither: only on a terminal. */
void dp_meter_init(dp_meter *m, bool asked, bool quiet);

/* A dp_progress; `ctx` is the meter. Never stops the work. */
int dp_meter_show(void *ctx, uint64_t done, uint64_t total, const char *unit);

/* Clear the line. */
void dp_meter_done(dp_meter *m);

#endif
