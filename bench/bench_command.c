/* bench_command.c - run another program and measure it: wall clock, CPU time, peak memory.
 *
 *     bench_command NAME ITEMS INPUT OUTPUT COMMAND [ARGUMENT...]
 *
 * Allocations cannot be seen from outside and are given as "-".
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bench.h"

#include <sys/resource.h>
#include <sys/wait.h>

static uint64_t nanoseconds(struct timeval t)
{
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_usec * 1000;
}

static _Noreturn void child(char **argv, int out)
{
    int in = open(argv[3], O_RDONLY);
    if (in < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
        bench_die(argv[3]);
    execvp(argv[5], argv + 5);
    bench_die(argv[5]);
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fputs("usage: bench_command NAME ITEMS INPUT OUTPUT COMMAND [ARGUMENT...]\n", stderr);
        return 2;
    }
    int           status;
    int           out = open(argv[4], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666); /* emptied before the start */
    struct rusage use;
    uint64_t      start = bench_clock(CLOCK_MONOTONIC);
    pid_t         pid = fork();
    if (pid == 0)
        child(argv, out);
    if (out < 0 || pid < 0 || wait4(pid, &status, 0, &use) != pid)
        bench_die(argv[5]);
    uint64_t wall = bench_clock(CLOCK_MONOTONIC) - start;
    printf("%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t-\n", argv[1], argv[2], wall,
           nanoseconds(use.ru_utime) + nanoseconds(use.ru_stime), (uint64_t)use.ru_maxrss * 1024);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 2;
}
