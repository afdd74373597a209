/* freeze.c - a clock that stands still, for programs that are started with it in LD_PRELOAD.
 *
 *     FREEZE_AT=1700000000 LD_PRELOAD=freeze.so program
 *
 * Only what asks for the time of day is answered so. Clocks that measure how long something takes,
 * sleeping, waiting and the times of files go on as they are: libfaketime changes them, too, and
 * then servers with threads or sleeping workers hang.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t frozen(void)
{
    static time_t at;
    if (!at) {
        const char *text = getenv("FREEZE_AT");
        at = text ? (time_t)strtoll(text, NULL, 10) : 1;
    }
    return at;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)
        return (int)syscall(SYS_clock_gettime, clock, t);
    *t = (struct timespec){ .tv_sec = frozen() };
    return 0;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    (void)zone;
    *t = (struct timeval){ .tv_sec = frozen() };
    return 0;
}

time_t time(time_t *t)
{
    if (t)
        *t = frozen();
    return frozen();
}
