/* main.c - dustpan VERB [options] [FILE...]
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>

#include "base/str.h"
#include "cli/commands.h"
#include "cli/say.h"

static const char about[] =
    "Map every URL of a page to one key, with readable rules that also work on URLs nobody has seen before.";

static const dp_command commands[] = {
    {"apply", dp_cmd_apply, "write the key of each URL"},
    {"audit", dp_cmd_audit, "find the rules that new records contradict"},
    {"cluster", dp_cmd_cluster, "find the URLs that show the same page"},
    {"eval", dp_cmd_eval, "measure rules on URLs whose pages are known"},
    {"explain", dp_cmd_explain, "show which rules change a URL, or why two URLs have the same key"},
    {"learn", dp_cmd_learn, "learn rules from a log, a crawl or a list of duplicate URLs"},
    {"report", dp_cmd_report, "write an HTML report: what rules save, and what they risk"},
    {"review", dp_cmd_review, "write an HTML page in which a person accepts or rejects rules"},
    {"rules", dp_cmd_rules, "check, show, format, compare, merge, compile, convert and switch rules"},
    {"seen", dp_cmd_seen, "show what a seen-set holds, or list what a rule has hidden"},
    {"split", dp_cmd_split, "divide records into a set to learn from and a set to test on"},
    {"validate", dp_cmd_validate, "test rules on the live site, by fetching a few pages"},
};

/* With -v also the libraries that only some commands need. */
static int print_version(bool all)
{
    const char *name, *version, *serves;
    printf("dustpan %s\n", dp_version());
    for (size_t i = 0; all && (name = dp_library(i, &version, &serves)); i++)
        printf("  %-13s %-8s %s\n", name, !version ? "absent" : *version ? version : "yes", serves);
    if (fflush(stdout) == 0)
        return DP_EXIT_OK;
    dp_say("cannot write: %s", strerror(errno));
    return DP_EXIT_ERROR;
}

int main(int argc, char **argv)
{
    dp_arena a = {0};
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error that is told, as on a full disk */
    if (argc > 1 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)) {
        bool all = argc == 3 && (strcmp(argv[2], "-v") == 0 || strcmp(argv[2], "--verbose") == 0);
        if (argc == 2 || all)
            return print_version(all);
    }
    int status = dp_command_run(commands, DP_COUNT(commands), "", about, argc - 1, argv + 1, &a);
    dp_arena_done(&a);
    return status;
}
