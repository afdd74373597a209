/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void say(const char *lead, const char *format, va_list args)
{
    fprintf(stderr, "dustpan: %s", lead);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

void dp_say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("", format, args);
    va_end(args);
}

void dp_say_next(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("next: ", format, args);
    va_end(args);
}

void dp_say_lines(const dp_text *t)
{
    const char *p = dp_text_data(t);
    for (const char *end; (end = strchr(p, '\n')); p = end + 1)
        dp_say("%.*s", (int)(end - p), p);
}

int dp_say_error(const dp_error *err)
{
    fputs("dustpan: ", stderr);
    if (err->file[0])
        fprintf(stderr, "%s:", err->file);
    if (err->line)
        fprintf(stderr, "%zu:", err->line);
    if (err->line && err->column)
        fprintf(stderr, "%zu:", err->column);
    size_t n = strlen(err->message);
    while (n && err->message[n - 1] == '\n')
        n--;
    fprintf(stderr, "%s%.*s\n", err->file[0] || err->line ? " " : "", (int)n, err->message);
    return DP_EXIT_ERROR;
}

int dp_say_usage(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "dustpan: %s%s", command, *command ? ": " : "");
    vfprintf(stderr, format, args);
    fprintf(stderr, "\ndustpan: see 'dustpan %s%s--help'\n", command, *command ? " " : "");
    va_end(args);
    return DP_EXIT_ERROR;
}
