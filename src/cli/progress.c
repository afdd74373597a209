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

/* "1.2 GB" of bytes, "1.2 M" of anything else. */
static void put_amount(double x, bool bytes)
{
    static const char prefix[] = " kMGTP";
    size_t            i = 0;
    for (; x >= 999.5 && i + 2 < sizeof prefix; i++)
        x /= 1000;
    fprintf(stderr, "%.*f%s", x < 9.95 && i ? 1 : 0, x, i || bytes ? " " : "");
    if (i)
        fputc(prefix[i], stderr);
    if (bytes)
        fputc('B', stderr);
}

int dp_meter_show(void *ctx, uint64_t done, uint64_t total, const char *unit)
{
    dp_meter *m = ctx;
    double    now = seconds(), spent = now - m->began;
    if (!m->on || (!done && !total) || spent < .5 || (!m->on_terminal && now - m->last < 1))
        return 0;
    m->last = now;
    m->shown = true;
    double rate = (double)done / spent;
    bool   bytes = strcmp(unit, "bytes") == 0;
    fprintf(stderr, "%sdustpan: ", m->on_terminal ? "\r" : "");
    fprintf(stderr, "%s: ", bytes ? "reading" : unit);
    put_amount((double)done, bytes);
    if (total) {
        fputs(" of ", stderr);
        put_amount((double)total, bytes);
    }
    fputs(", ", stderr);
    put_amount(rate, bytes);
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
