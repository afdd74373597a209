/* input/format/logspec.h - what the lines of an access log look like, in the words of the server's own
 * configuration.
 *
 *     %h %l %u %t "%r" %>s %b                                  Apache's LogFormat
 *     $remote_addr - $remote_user [$time_local] "$request"     nginx's log_format
 *
 *     literal | field | literal | field | ... | literal        a field ends where the literal
 *                                                              after it begins
 * input/format/accesslog.c makes records of the values.
 *
 * Invariants:
 *   - A field between quotes ends at a quote that no backslash escapes and that the next literal
 *     begins with; so neither \" nor a stray quote ends it early.
 *   - What follows the last literal is free: servers append fields of their own.
 *   - Of several fields of one kind the first that is known counts.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_INPUT_FORMAT_LOGSPEC_H
#define DP_INPUT_FORMAT_LOGSPEC_H

#include "input/format/format.h"

typedef enum dp_log_field {
    DP_LOG_IGNORED,
    DP_LOG_CLIENT,
    DP_LOG_TIME,     /* 17/May/2015:10:05:03 +0000 */
    DP_LOG_TIME_ISO,
    DP_LOG_SECONDS,  /* since 1970, with a fraction or without */
    DP_LOG_MSECONDS,
    DP_LOG_USECONDS,
    DP_LOG_REQUEST,  /* the whole line: GET /a?b HTTP/1.1 */
    DP_LOG_METHOD,
    DP_LOG_URI,      /* path and query */
    DP_LOG_PATH,
    DP_LOG_QUESTION, /* "?" or nothing */
    DP_LOG_QUERY,    /* with its "?" or without */
    DP_LOG_STATUS,
    DP_LOG_SIZE,
    DP_LOG_HOST,     /* as the client asked */
    DP_LOG_SERVER,   /* as the server calls itself */
    DP_LOG_PORT,
    DP_LOG_SCHEME,
    DP_LOG_AGENT,
    DP_LOG_REFERER,
    DP_LOG_ETAG,
    DP_LOG_MIME,
    DP_LOG_TARGET,
    DP_LOG_FIELDS
} dp_log_field;

enum { DP_LOG_PARTS = 64, DP_LOG_TEXT = 2048 };

typedef struct dp_log_part {
    dp_log_field field;
    dp_str       before; /* literal, in dp_logspec.text */
    bool         quoted; /* a quote ends it, and began it or the fields joined to it */
} dp_log_part;

typedef struct dp_logspec {
    dp_log_part part[DP_LOG_PARTS];
    size_t      n;
    dp_str      after; /* the last literal */
    uint32_t    fields; /* 1 << dp_log_field */
    char        text[DP_LOG_TEXT];
    size_t      text_n;
} dp_logspec;

/* The spec points into itself: it stays where it was compiled. DP_EINVALID says what is wrong and
 * where. */
dp_err dp_logspec_compile(dp_logspec *s, dp_str format, dp_error *err);

/* Cut a line; fields that it has not are empty. DP_LINE_RECORD or DP_LINE_BAD. */
dp_line dp_logspec_cut(const dp_logspec *s, dp_str line, dp_str value[DP_LOG_FIELDS], dp_why *why);

static inline bool dp_logspec_has(const dp_logspec *s, dp_log_field f)
{
    return s->fields >> f & 1;
}

#endif
