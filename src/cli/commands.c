/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands.h"

#include <errno.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/words/suggest.h"
#include "cli/say.h"

static int print_list(FILE *to, const dp_command *table, size_t n, const char *group, const char *about)
{
    const char *blank = *group ? " " : "";
    fprintf(to, "usage: dustpan %s%sVERB [options] [FILE...]\n\n%s\n\n", group, blank, about);
    for (size_t i = 0; i < n; i++)
        fprintf(to, "  %-10s%s\n", table[i].name, table[i].does);
    fprintf(to, "\n'dustpan %s%sVERB --help' lists the options of a verb.\n", group, blank);
    if (fflush(to) == 0)
        return DP_EXIT_OK;
    dp_say("cannot write: %s", strerror(errno));
    return DP_EXIT_ERROR;
}

static int unknown(const dp_command *table, size_t n, const char *group, const char *name)
{
    char   words[256];
    size_t at = 0;
    for (size_t i = 0; i < n && at < sizeof words; i++)
        at += (size_t)snprintf(words + at, sizeof words - at, "%s ", table[i].name);
    dp_str near = dp_suggest(dp_str_c(name), words);
    if (near.n)
        return dp_say_usage(group, "unknown verb '%s' (did you mean '%.*s'?)", name, DP_FMT(near));
    return dp_say_usage(group, "unknown verb '%s'", name);
}

/* The option that a word in the place of a verb stands for; NULL: it is not about help. */
static char *help_option(const char *arg)
{
    static char help[] = "--help", help_all[] = "--help-all";
    if (strcmp(arg, help_all) == 0)
        return help_all;
    return strcmp(arg, "help") == 0 || strcmp(arg, help) == 0 || strcmp(arg, "-h") == 0 ? help : NULL;
}

int dp_command_run(const dp_command *table, size_t n, const char *group, const char *about, int argc, char **argv,
                   dp_arena *a)
{
    if (argc == 0) {
        print_list(stderr, table, n, group, about);
        return DP_EXIT_ERROR;
    }
    char *help = help_option(argv[0]);
    if (help && argc == 1)
        return print_list(stdout, table, n, group, about);
    if (help) {
        /* "help VERB" is "VERB --help" */
        memmove(argv, argv + 1, ((size_t)argc - 1) * sizeof *argv);
        argv[argc - 1] = help;
    }
    for (size_t i = 0; i < n; i++) {
        if (strcmp(table[i].name, argv[0]) == 0)
            return table[i].run(argc - 1, argv + 1, a);
    }
    return unknown(table, n, group, argv[0]);
}
