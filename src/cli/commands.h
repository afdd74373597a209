/* cli/commands.h - the verbs of `dustpan VERB`.
 *
 * To add one:
 *   1. cmd_NAME.c with dp_cmd_NAME: a dp_usage whose table holds every option, then the
 *      work, through dustpan.h (and base/) alone.
 *   2. Its declaration here and its row in commands[] of main.c.
 *   3. Its page man/dustpan-NAME.1, its line in man/dustpan.1 and its lines in completions/;
 *      tests/cli/options.sh, man_json.sh and completions.sh compare them with what it prints.
 *   4. tests/cli/NAME.sh with every exit code; `make golden` writes NAME.out.
 *   5. A line in CHANGELOG.md.
 *
 * A command returns the exit status: 0 done, 1 the answer is no, 2 error (say.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CLI_COMMANDS_H
#define DP_CLI_COMMANDS_H

#include "base/arena.h"

typedef struct dp_command {
    const char *name;
    /* argv begins after the name; what lies in the arena lives until the command returns. */
    int (*run)(int argc, char **argv, dp_arena *a);
    const char *does;
} dp_command;

int dp_cmd_apply(int argc, char **argv, dp_arena *a);
int dp_cmd_audit(int argc, char **argv, dp_arena *a);
int dp_cmd_cluster(int argc, char **argv, dp_arena *a);
int dp_cmd_eval(int argc, char **argv, dp_arena *a);
int dp_cmd_explain(int argc, char **argv, dp_arena *a);
int dp_cmd_learn(int argc, char **argv, dp_arena *a);
int dp_cmd_report(int argc, char **argv, dp_arena *a);
int dp_cmd_review(int argc, char **argv, dp_arena *a);
int dp_cmd_rules(int argc, char **argv, dp_arena *a);
int dp_cmd_seen(int argc, char **argv, dp_arena *a);
int dp_cmd_split(int argc, char **argv, dp_arena *a);
int dp_cmd_validate(int argc, char **argv, dp_arena *a);

/* Run the command that argv[0] names, or say what is wrong with it. `group` is "" or the
 * command these belong to, `about` stands over their list in --help. */
int dp_command_run(const dp_command *table, size_t n, const char *group, const char *about, int argc, char **argv,
                   dp_arena *a);

#endif
