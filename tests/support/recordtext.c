/* SPDX-License-Identifier: Apache-2.0 */
#include "support/recordtext.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE = 7, PIECES = 256 /* a pipe of 1 MiB holds as many */ };

static void must(bool ok, const char *what)
{
    if (!ok) {
        perror(what);
        abort();
    }
}

/* ---- a record as text ------------------------------------------------------------------------------- */

static void add_text(dp_buf *out, const dp_record *r, dp_field f, const char *name, dp_str text)
{
    must(dp_record_has(r, f) || !text.n, "a field that is not known has a text");
    if (!dp_record_has(r, f))
        return;
    dp_buf_printf(out, "%s%s=", out->n && out->p[out->n - 1] != '\n' ? " " : "", name);
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (c < 32 || c > 126)
            dp_buf_printf(out, "\\x%02x", c);
        else
            dp_buf_byte(out, (char)c);
    }
}

static void add_number(dp_buf *out, const dp_record *r, dp_field f, const char *name, int64_t number)
{
    char text[32];
    must(dp_record_has(r, f) || !number, "a field that is not known has a number");
    snprintf(text, sizeof text, "%" PRId64, number);
    add_text(out, r, f, name, dp_record_has(r, f) ? dp_str_c(text) : DP_STR(""));
}

static void add_hashes(dp_buf *out, const dp_record *r)
{
    char text[96] = "";
    if (dp_record_has(r, DP_FIELD_SKETCH) && !r->sketch.token.n)
        snprintf(text, sizeof text, "%016" PRIx64 ",%016" PRIx64 ",%016" PRIx64 ",%016" PRIx64, r->sketch.min[0],
                 r->sketch.min[1], r->sketch.min[2], r->sketch.min[3]);
    add_text(out, r, DP_FIELD_SKETCH, "sketch", r->sketch.token.n ? r->sketch.token : dp_str_c(text));
    text[0] = 0;
    if (dp_record_has(r, DP_FIELD_SIMHASH))
        snprintf(text, sizeof text, "%016" PRIx64, r->simhash);
    add_text(out, r, DP_FIELD_SIMHASH, "simhash", dp_str_c(text));
}

static void add_extra(dp_buf *out, const char *name, dp_str text)
{
    if (text.n)
        add_text(out, &(dp_record){.has = 1}, DP_FIELD_URL, name, text);
}

void record_print(dp_buf *out, const dp_record *r)
{
    char importance[32] = "";
    if (dp_record_has(r, DP_FIELD_IMPORTANCE))
        snprintf(importance, sizeof importance, "%g", r->importance);
    add_text(out, r, DP_FIELD_URL, "url", r->url);
    add_text(out, r, DP_FIELD_CLUSTER, "cluster", r->cluster);
    add_number(out, r, DP_FIELD_STATUS, "status", r->status);
    add_number(out, r, DP_FIELD_SIZE, "size", r->size);
    add_text(out, r, DP_FIELD_DIGEST, "digest", r->digest);
    add_hashes(out, r);
    add_text(out, r, DP_FIELD_TITLE, "title", r->title);
    add_text(out, r, DP_FIELD_IMPORTANCE, "importance", dp_str_c(importance));
    add_text(out, r, DP_FIELD_TARGET, "target", r->target);
    add_text(out, r, DP_FIELD_CANONICAL, "canonical", r->canonical);
    add_number(out, r, DP_FIELD_TIME, "time", r->time);
    add_number(out, r, DP_FIELD_INLINKS, "inlinks", r->inlinks);
    add_number(out, r, DP_FIELD_HOPS, "hops", r->hops);
    add_text(out, r, DP_FIELD_MIME, "mime", r->mime);
    add_text(out, r, DP_FIELD_CLIENT, "client", r->client);
    add_text(out, r, DP_FIELD_AGENT, "agent", r->agent);
    add_number(out, r, DP_FIELD_HITS, "hits", r->hits);
    add_extra(out, "method", r->method);
    add_extra(out, "body", r->body);
    dp_buf_byte(out, '\n');
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static dp_err read_records(dp_buf *out, dp_reader *r, dp_error *err)
{
    dp_record rec;
    bool      more;
    dp_err    code;
    uint64_t  line = 0;
    while ((code = dp_reader_next(r, &rec, &more, err)) == DP_OK && more) {
        must(rec.line > line, "the lines of records grow");
        must(rec.path != NULL, "a record has a path");
        line = rec.line;
        if (rec.kind == DP_LINE_RECORD) {
            must(dp_record_has(&rec, DP_FIELD_URL) && rec.url.n, "a record has a URL");
            record_print(out, &rec);
        } else {
            dp_buf_c(out, rec.kind == DP_LINE_HEADER ? "header\n" : rec.kind == DP_LINE_BAD ? "bad\n" : "other\n");
        }
    }
    return code;
}

dp_err record_text_of(dp_buf *out, const char *const *paths, size_t n, const dp_reader_options *o)
{
    dp_error   err = {0}, bad;
    dp_reader *r = NULL;
    dp_err     code = dp_reader_open(&r, paths, n, o, &err);
    if (code == DP_OK) {
        dp_buf_printf(out, "%s\n", dp_reader_format(r));
        code = read_records(out, r, &err);
        for (size_t i = 0; dp_reader_bad_line(r, i, &bad); i++)
            dp_buf_printf(out, "bad %zu: %s\n", bad.line, bad.message);
    }
    dp_reader_close(r);
    if (code != DP_OK)
        dp_buf_printf(out, "error: %s\n", err.message);
    return code == DP_ENOMEM || out->failed ? DP_ENOMEM : DP_OK;
}

/* Where the bytes can be read from, once. */
static int offer(record_way way, dp_str bytes)
{
    int fd[2];
    if (way == RECORD_FILE) {
        fd[0] = memfd_create("text", MFD_CLOEXEC);
        must(fd[0] >= 0 && write(fd[0], bytes.p, bytes.n) == (ssize_t)bytes.n && lseek(fd[0], 0, SEEK_SET) == 0,
             "memfd");
        return fd[0];
    }
    /* A pipe of packets gives what one write wrote to one read. */
    must(pipe2(fd, O_DIRECT | O_CLOEXEC) == 0 && fcntl(fd[1], F_SETPIPE_SZ, 1 << 20) > 0, "pipe");
    must(bytes.n <= PIECE * (PIECES - 1), "the text is short enough for a pipe");
    for (size_t at = 0, n; at < bytes.n; at += n) {
        n = bytes.n - at < PIECE ? bytes.n - at : PIECE;
        must(write(fd[1], bytes.p + at, n) == (ssize_t)n, "pipe");
    }
    close(fd[1]);
    return fd[0];
}

dp_err record_text(dp_buf *out, record_way way, dp_str bytes, const dp_reader_options *o)
{
    char        path[32];
    const char *paths[] = {path};
    int         fd = offer(way, bytes);
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    dp_err code = record_text_of(out, paths, 1, o);
    close(fd);
    return code;
}
