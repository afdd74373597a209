/* input/reader.h - files of any known format as one row of records.
 *
 *     dp_reader_open ── format by content, or by name ──► dp_reader_next ──► dp_record
 *
 * Formats are rows of a table (input/format/formats.c): urls tsv csv jsonl clf combined w3c alb cdx
 * cdxj crawllog warc wat, the short names clusters, list and pairs, and a log format given as a
 * string. Each file may have its own. Compression is input/bytes/stream.h's business.
 *
 * Invariants:
 *   - Records come in the order of the files and of their lines.
 *   - A line that cannot be read is counted with file, line and reason, and passed over;
 *     with `strict` the first ends the reading.
 *   - Bytes read before a compressed file breaks are used; the loss is said.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_INPUT_READER_H
#define DP_INPUT_READER_H

#include "base/err.h"
#include "input/record.h"
#include "input/bytes/stream.h"

typedef struct dp_reader dp_reader;

typedef struct dp_reader_options {
    const char *format;     /* NULL: by content */
    const char *columns;    /* of tsv: "cluster,url,-"; NULL: by its first line */
    const char *log_format; /* nginx or Apache syntax, or the name of a server (dp_format_of_log); NULL: none */
    const char *base_url;   /* origin of log lines without a virtual host; NULL: none */
    const char *identity;   /* input/identity.h: what is not looked at is not in the records; NULL: all is */
    bool        strict;
    bool        want_body;  /* keep payloads of WARC records */
    bool        all_lines;  /* give those that are no records, too; dp_record.kind says what they are */
    bool        eager;      /* recognise a format by one line, where more would have to be waited for */
} dp_reader_options;

/* Texts of the options stay with the caller. DP_EIO, DP_ESYNTAX when no format fits (the message
 * says what was seen and what fits), DP_EINVALID when options make no sense, DP_ENOMEM. Of several
 * files the first is opened; the others as they are reached. */
dp_err dp_reader_open(dp_reader **out, const char *const *paths, size_t count, const dp_reader_options *o,
                      dp_error *err);

/* The same for one file that is open already (input/bytes/stream.h); the stream belongs to the reader
 * then, whatever happens. */
dp_err dp_reader_open_stream(dp_reader **out, dp_stream *s, const char *path, const dp_reader_options *o,
                             dp_error *err);

/* The format that a file is in by its first bytes: DP_HEAD_SIZE, fewer when there are no more; NULL: none. With
 * `eager` the last line may be cut. DP_ENOMEM. */
enum { DP_HEAD_SIZE = 64 << 10 };
dp_err dp_reader_guess(const char **out, dp_str head, bool eager);

/* Of a head in no known format: DP_ESYNTAX, with what was seen, when it is not text. */
dp_err dp_reader_check_text(dp_str head, const char *path, dp_error *err);

/* The next record into `*rec`; *more false at the end. */
dp_err dp_reader_next(dp_reader *r, dp_record *rec, bool *more, dp_error *err);

/* The format of the current file, by its name in the table. */
const char *dp_reader_format(const dp_reader *r);

/* What stands between the columns of the current file's lines; '{': a line is a JSON object; '}': it
 * ends with one, which the first " {" begins; 0: it has no lines. */
char dp_reader_separator(const dp_reader *r);

/* The fields that records had so far: 1 << dp_field. */
uint32_t dp_reader_seen(const dp_reader *r);

/* Lines that could not be read so far; the first few with place and reason. */
uint64_t dp_reader_bad(const dp_reader *r);
bool     dp_reader_bad_line(const dp_reader *r, size_t i, dp_error *why);

/* Lines so far of requests that can be for no page (DP_LINE_NO_PAGE). */
uint64_t dp_reader_no_pages(const dp_reader *r);

/* For progress: bytes done and in all, before decompression (0: not known). */
uint64_t dp_reader_done(const dp_reader *r);
uint64_t dp_reader_total(const dp_reader *r);

/* Bytes read, after decompression. */
uint64_t dp_reader_bytes(const dp_reader *r);

void dp_reader_close(dp_reader *r);

#endif
