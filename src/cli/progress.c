/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/machine.h"

static double seconds(void)
{
    return (double)dp_clock_ms() / 1000;
}

void dp_meter_init(dp_meter *m, bool asked, bool quiet)
{
    bool terminal = isatty(STDERR_FILENO);
    *m = (dp_meter){.on = asked || (terminal && !quiet), .on_terminal = terminal, .began = seconds()};
}

/* "1.2 GB", with `unit` "bytes"; "1.2 M records" with another. */
static void put_amount(double x, const char *unit)
{
    static const char prefix[] = " kMGTP";
    bool              bytes = strcmp(unit, "bytes") == 0;
    size_t            i = 0;
    for (; x >= 999.5 && i + 2 < sizeof prefix; i++)
        x /= 1000;
    fprintf(stderr, "%.*f ", x < 9.95 && i ? 1 : 0, x);
    if (i)
        fputc(prefix[i], stderr);
    fprintf(stderr, "%s%s", bytes || !i ? "" : " ", bytes ? "B" : unit);
}

int dp_meter_show(void *ctx, uint64_t done, uint64_t total, const char *unit)
{
    dp_meter *m = ctx;
    double    now = seconds(), spent = now - m->began;
    if (!m->on || spent < .5 || (!m->on_terminal && now - m->last < 1))
        return 0;
    m->last = now;
    m->shown = true;
    double rate = (double)done / spent;
    fprintf(stderr, "%sdustpan: ", m->on_terminal ? "\r" : "");
    if (total)
        fprintf(stderr, "%d%%, ", (int)(100 * (double)done / (double)total));
    put_amount((double)done, unit);
    if (total) {
        fputs(" of ", stderr);
        put_amount((double)total, unit);
    }
    fputs(", ", stderr);
    put_amount(rate, unit);
    fputs("/s", stderr);
    if (total > done && rate > 0) {
        long left = (long)((double)(total - done) / rate + .5);
        fprintf(stderr, ", %ld:%02ld left", left / 60, left % 60);
    }
    fputs(m->on_terminal ? "\033[K" : "\n", stderr);
    return 0;
}

void dp_meter_done(dp_meter *m)
{
    if (m->shown && m->on_terminal)
        fputs("\r\033[K", stderr);
}
