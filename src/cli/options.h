/* cli/options.h - the options of a command: one table that parses and prints --help.
 *
 *     bool quiet = false; dp_list rules = {0};
 *     const dp_option table[] = {
 *         {'r', "rules", "FILE", "rule file; repeats", .list = &rules},
 *         {'q', "quiet", NULL, "say nothing but errors", .flag = &quiet},
 *     };
 *
 * An option is what it points to: exactly one of flag, text, list, number, share, rate and
 * choice is set. --name value, --name=value, -n value, -nvalue and -ab for two flags all
 * work, options and operands mix, and everything after -- is an operand. --help shows all rows but
 * the rare ones, --help-all shows all.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CLI_OPTIONS_H
#define DP_CLI_OPTIONS_H

#include "base/arena.h"

typedef struct dp_list {
    const char **v; /* in the arena given to dp_options_parse */
    size_t       n;
} dp_list;

/* The files of a list; standard input when it is empty. And whether "-" is one of them. */
dp_list dp_list_or_stdin(dp_list l);
bool    dp_list_has_stdin(dp_list l);

/* What to call the files of a list in a command line that a message proposes: the name of the only one, or `else_name`
 * where there are more, or it is standard input, or a shell would not take the name for one word. */
const char *dp_list_name(dp_list l, const char *else_name);

typedef struct dp_option {
    char         letter; /* 0: none */
    const char  *name;   /* without -- */
    const char  *value;  /* how --help calls it, NULL for flags; of a choice all words: "key|fetch" */
    const char  *help;   /* LF begins a new line */
    bool        *flag;   /* becomes true */
    const char **text;
    dp_list     *list;   /* each use adds one */
    int64_t     *number; /* 0 to max */
    int64_t      max;
    double      *share;  /* 0 to 1 */
    int64_t     *rate;   /* .001 to 1000, in thousandths */
    int         *choice; /* which word of `value` */
    const char  *heading; /* a line that --help prints before this option; NULL: none */
    bool         rare;    /* only --help-all shows it: to reproduce papers and experiments */
} dp_option;

typedef struct dp_usage {
    const char      *command;  /* "rules diff" */
    const char      *operands; /* "A B", as --help shows them */
    const char      *about;    /* what it does; LF begins a new line */
    const dp_option *option;
    size_t           noption;
    size_t           min, max; /* how many operands; max SIZE_MAX: any number */
} dp_usage;

enum { DP_GO_ON = -1 }; /* dp_options_parse: no reason to exit */

/* Parse what follows the command's name. DP_GO_ON, or the exit status: 0 when help was
 * asked for and printed, 2 after an error message. */
int dp_options_parse(const dp_usage *u, int argc, char **argv, dp_list *operands, dp_arena *a);

#endif
