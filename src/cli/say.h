/* cli/say.h - messages for people, on standard error.
 *
 *     dustpan: site.rules:14:11: expected 'path', 'query' or 'names', found 'pth'
 *
 * What others wrote, such as URLs and names of files, cannot command the terminal: base/words/visible.h. The functions
 * that tell of an error return the exit status, 2.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_CLI_SAY_H
#define DP_CLI_SAY_H

#include "base/err.h"

enum { DP_EXIT_OK = 0, DP_EXIT_NO = 1, DP_EXIT_ERROR = 2 };

/* "dustpan: ..." */
void dp_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "dustpan: ..." for each line of a text. */
void dp_say_lines(const dp_text *t);

/* "dustpan: next: ...", the last line of a summary: what to run now. */
void dp_say_next(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A dp_expectation: "at most 41 requests to 1 host, about 1 minute". */
int dp_say_expected(void *ctx, uint64_t requests, uint64_t hosts, uint64_t seconds);

/* "dustpan: file:line:column: message" */
int dp_say_error(const dp_error *err);

/* "dustpan: COMMAND: ...", then where help is. */
int dp_say_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
