/* input/format/format.h - the formats that readers know, as a table.
 *
 *     line ── dp_record_format.line ──► record, or why not        urls tsv logs cdx ...
 *     window ── dp_record_format.next ──► record, or why not      warc wat
 *
 * input/reader.c drives them. To add one: a file with a dp_record_format, its declaration here and its
 * row in dp_formats[] (formats.c), where the more special stand before the more general:
 * the first that can read a file's first lines is the one it is taken for.
 *
 * Invariants:
 *   - line() looks at one line alone, and at what earlier header lines of the file said. What it
 *     puts into the record are views of the line or of memory of its state, good until it is
 *     called again.
 *   - It takes no memory once its buffers have grown. (Those that read JSON do.)
 *   - Any bytes are fine; a URL is not looked into.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_INPUT_FORMAT_FORMAT_H
#define DP_INPUT_FORMAT_FORMAT_H

#include "input/reader.h"
#include "input/bytes/window.h"

/* Why a line is bad; written only when somebody will read it. */
typedef struct dp_why {
    char text[320];
} dp_why;

/* Says so and is DP_LINE_BAD. Where `why` is NULL nothing behind it is evaluated. */
#define dp_bad(why, ...) ((why) ? dp_bad_say((why), __VA_ARGS__) : DP_LINE_BAD)
dp_line dp_bad_say(dp_why *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A few words of `s` for such a message: what is secret and who has asked masked, cut, in quotes. */
typedef struct dp_quoted {
    char text[72];
} dp_quoted;

dp_quoted dp_quote(dp_str s);

/* The shape of `s` alone (dp_mask_shape): of what may say who has asked. */
dp_quoted dp_shape(dp_str s);

/* A line that is not what it should be: the shape where it is of several fields (dp_mask_is_fields). */
dp_quoted dp_stray(dp_str s);

/* A line that should name columns: the shape where it has digits, as those of a log have. */
dp_quoted dp_heading(dp_str s);

/* What a format is opened with. */
typedef struct dp_setup {
    const dp_reader_options *o;
    dp_str                   head; /* the first bytes of the file, whole lines where it has any */
    const char              *path; /* for messages */
} dp_setup;

/* One step of a format that does not consist of lines. */
typedef struct dp_step {
    dp_window *w;
    dp_record *rec;
    dp_why    *why; /* may be NULL */
    dp_line    kind;
    bool       more; /* false: the end; nothing else is set */
} dp_step;

typedef struct dp_record_format {
    const char *name;
    const char *what; /* in messages: "a list of URLs" */
    char        sep;  /* between columns; '{': a line is a JSON object, '}': it ends with one; 0: no lines */
    /* By the first bytes alone: 1 yes, 0 no, -1 the lines will tell. NULL: -1. */
    int (*recognise)(dp_str head);
    dp_err (*open)(void **state, const dp_setup *s, dp_error *err); /* NULL: there is no state */
    dp_line (*line)(void *state, dp_str line, dp_record *rec, dp_why *why);
    dp_err (*next)(void *state, dp_step *s, dp_error *err); /* instead of line */
    void (*close)(void *state);                             /* NULL: nothing to do */
    char (*separator)(const void *state);                   /* NULL: `sep` */
    const char *(*unfinished)(const void *state); /* at the end of the file: what is missing, or NULL; may be NULL */
} dp_record_format;

extern const dp_record_format dp_urllist, dp_tsv, dp_clusters, dp_list_format, dp_pairs, dp_jsonl, dp_clf, dp_combined,
    dp_csv, dp_logformat, dp_w3c, dp_alb, dp_cdx, dp_cdxj, dp_crawllog, dp_warc, dp_wat;

/* The row with that name; NULL when there is none. */
const dp_record_format *dp_format_find(dp_str name);

/* What --log-format says: the row for logs of the server of that name, or that for a string of directives; NULL when
 * it is neither. */
const dp_record_format *dp_format_of_log(dp_str format);

/* The names of the servers, joined by blanks. */
void dp_format_servers(char *out, size_t cap);

/* Append the names, joined by blanks. */
void dp_format_names(char *out, size_t cap);

/* How the lines of `head` are read by `f`. */
typedef struct dp_format_trial {
    size_t   records, bad, headers, others;
    dp_why   why;  /* of the first bad line */
    uint64_t line; /* its number, from 1 */
} dp_format_trial;

/* DP_ENOMEM; what else is wrong with opening it is in `err`. */
dp_err dp_format_try(dp_format_trial *t, const dp_record_format *f, const dp_setup *s, dp_error *err);

/* The format that fits the head best; `*out` NULL: none. DP_ENOMEM. */
dp_err dp_format_guess(const dp_record_format **out, const dp_setup *s);

/* A log writes '-' for what it does not know. */
static inline bool dp_is_known(dp_str field)
{
    return field.n && !(field.n == 1 && field.p[0] == '-');
}

/* The same, and the empty text for what it does not know. */
static inline dp_str dp_known(dp_str field)
{
    return dp_is_known(field) ? field : DP_STR("");
}

/* Whether it begins with a scheme and "://". */
bool dp_looks_like_url(dp_str s);

#endif
