/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/say.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/plural.h"
#include "base/words/visible.h"

enum { LONGEST = 8192 /* bytes of a message */ };

/* Without the heap: what is said may be that it is used up. */
static void put(dp_str s, const char *keep)
{
    char   chunk[1024];
    size_t used = 0;
    while (s.n) {
        size_t n = dp_visible_next(chunk + used, s, keep);
        used += strlen(chunk + used);
        s = dp_str_cut(s, n, s.n);
        if (!s.n || used + DP_VISIBLE_ROOM > sizeof chunk) {
            fwrite(chunk, 1, used, stderr);
            used = 0;
        }
    }
}

static void put_args(const char *format, va_list args)
{
    char text[LONGEST];
    int  n = vsnprintf(text, sizeof text, format, args);
    put((dp_str){text, n < 0 ? 0 : n < LONGEST ? (size_t)n : LONGEST - 1}, "\n\t");
    if (n >= LONGEST)
        fputs("...", stderr);
}

static void say(const char *lead, const char *format, va_list args)
{
    fprintf(stderr, "dustpan: %s", lead);
    put_args(format, args);
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
    put(dp_str_c(err->file), "");
    if (err->file[0])
        fputc(':', stderr);
    if (err->line)
        fprintf(stderr, "%zu:", err->line);
    if (err->line && err->column)
        fprintf(stderr, "%zu:", err->column);
    size_t n = strlen(err->message);
    while (n && err->message[n - 1] == '\n')
        n--;
    fputs(err->file[0] || err->line ? " " : "", stderr);
    put((dp_str){err->message, n}, "\n\t");
    fputc('\n', stderr);
    return DP_EXIT_ERROR;
}

int dp_say_usage(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "dustpan: %s%s", command, *command ? ": " : "");
    put_args(format, args);
    fprintf(stderr, "\ndustpan: see 'dustpan %s%s--help'\n", command, *command ? " " : "");
    va_end(args);
    return DP_EXIT_ERROR;
}

int dp_say_expected(void *ctx, uint64_t requests, uint64_t hosts, uint64_t seconds)
{
    uint64_t minutes = (seconds + 59) / 60;
    (void)ctx;
    if (requests)
        dp_say("at most %" PRIu64 " request%s to %" PRIu64 " host%s, in %s%" PRIu64 " minute%s (--rate, --max-fetches)",
               requests, dp_s(requests), hosts, dp_s(hosts), minutes > 1 ? "about " : "less than ",
               minutes ? minutes : 1, dp_s(minutes ? minutes : 1));
    return 0;
}
