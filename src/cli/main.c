/* main.c - dustpan VERB [options] [FILE...]
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>

#include "base/str.h"
#include "cli/commands.h"
#include "cli/say.h"

static const char about[] = "Give all URLs of a page one form, by rules that people can read, on URLs never seen.";

static const dp_command commands[] = {
    {"apply", dp_cmd_apply, "write the key of each URL"},
    {"audit", dp_cmd_audit, "say which rules new records contradict"},
    {"cluster", dp_cmd_cluster, "say which URLs show the same page"},
    {"eval", dp_cmd_eval, "say what rules do to URLs with known clusters"},
    {"explain", dp_cmd_explain, "say which rules fire on a URL, or why two are the same"},
    {"learn", dp_cmd_learn, "find the rules of the sites in a log, a crawl or a list of clusters"},
    {"report", dp_cmd_report, "make a page that shows what rules save and risk"},
    {"rules", dp_cmd_rules, "check, show, format, compare, merge, compile and switch rules"},
    {"split", dp_cmd_split, "divide clusters into those to learn from and those to test on"},
    {"validate", dp_cmd_validate, "fetch a few pages, politely, and see whether rules hold"},
};

#ifdef DP_NEURAL
/* OpenBLAS begins a thread for every core when the program is loaded, and each spins for a tenth of a second before it
 * sleeps: more than most commands take. The learner that multiplies matrices uses threads of its own
 * (learn/seq2seq/gru.c). An OpenBLAS without threads has nothing to end. */
extern int blas_thread_shutdown_(void) __attribute__((weak));

static void end_blas_threads(void)
{
    if (blas_thread_shutdown_)
        blas_thread_shutdown_();
}
#else
static void end_blas_threads(void) {}
#endif

static int print_version(void)
{
    printf("dustpan %s\n", dp_version());
    if (fflush(stdout) == 0)
        return DP_EXIT_OK;
    dp_say("cannot write: %s", strerror(errno));
    return DP_EXIT_ERROR;
}

int main(int argc, char **argv)
{
    dp_arena a = {0};
    end_blas_threads();
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error that is told, as on a full disk */
    if (argc == 2 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0))
        return print_version();
    int status = dp_command_run(commands, DP_COUNT(commands), "", about, argc - 1, argv + 1, &a);
    dp_arena_done(&a);
    return status;
}
