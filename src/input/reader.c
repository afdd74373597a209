/* SPDX-License-Identifier: Apache-2.0 */
#include "input/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/words/suggest.h"
#include "input/format/format.h"
#include "input/identity.h"

enum { BAD_KEPT = 5 };

struct dp_reader {
    dp_reader_options  o;
    dp_identity        identity;
    const char *const *paths; /* [count], the caller's */
    const char        *one;   /* paths of dp_reader_open_stream */
    size_t             count, at;
    const dp_record_format   *named;  /* by options; NULL: by content */
    const dp_record_format   *format; /* of the file that is open; NULL: none is */
    void              *state;  /* of the format */
    dp_window          window;
    uint64_t           line;
    uint64_t           done; /* bytes of the files before */
    uint64_t           total;
    uint32_t           seen;
    uint64_t           bad;
    uint64_t           no_pages;
    dp_error           kept[BAD_KEPT];
};

/* ---- which format --------------------------------------------------------------------------------- */

static dp_err unknown_server(const char *name, dp_error *err)
{
    char   names[128];
    dp_str near;
    dp_format_servers(names, sizeof names);
    near = dp_suggest(dp_str_c(name), names);
    if (near.n)
        return dp_fail_at(err, DP_EINVALID, NULL, 0, 0, "--log-format: unknown name '%s' (did you mean '%.*s'?)", name,
                          DP_FMT(near));
    return dp_fail_at(
        err, DP_EINVALID, NULL, 0, 0,
        "--log-format: unknown name '%s': expected one of %s, or a format in nginx or Apache syntax, such "
        "as '$host $request $status'",
        name, names);
}

/* What the options name; `*out` stays NULL when they name nothing. */
static dp_err find_named(const dp_record_format **out, const dp_reader_options *o, dp_error *err)
{
    char names[256];
    if (o->log_format && o->columns)
        return dp_fail_at(err, DP_EINVALID, NULL, 0, 0, "a log format and columns cannot be combined");
    if (o->log_format && o->format)
        return dp_fail_at(err, DP_EINVALID, NULL, 0, 0, "a log format cannot be combined with another format ('%s')",
                          o->format);
    if (o->log_format && !dp_format_of_log(dp_str_c(o->log_format)))
        return unknown_server(o->log_format, err);
    if (!o->format) {
        *out = o->log_format ? dp_format_of_log(dp_str_c(o->log_format)) : o->columns ? &dp_tsv : NULL;
        return DP_OK;
    }
    *out = dp_format_find(dp_str_c(o->format));
    if (o->columns && *out && *out != &dp_tsv && *out != &dp_csv)
        return dp_fail_at(err, DP_EINVALID, NULL, 0, 0, "columns can be named for tsv and csv only, not for '%s'",
                          o->format);
    if (*out && *out != &dp_logformat)
        return DP_OK;
    dp_format_names(names, sizeof names);
    dp_str near = dp_suggest(dp_str_c(o->format), names);
    if (near.n)
        return dp_fail_at(err, DP_EINVALID, NULL, 0, 0, "unknown format '%s' (did you mean '%.*s'?)", o->format,
                          DP_FMT(near));
    return dp_fail_at(err, DP_EINVALID, NULL, 0, 0, "unknown format '%s': expected one of %s", o->format, names);
}

/* Without a line that may be cut, where there are others. */
static dp_str whole_lines(dp_str head, bool eager)
{
    bool        cut = eager || head.n >= DP_HEAD_SIZE;
    const char *end = head.n && cut ? memrchr(head.p, '\n', head.n) : NULL;
    if (dp_str_starts(head, DP_STR("\xef\xbb\xbf")))
        head = dp_str_cut(head, 3, head.n);
    return end ? (dp_str){head.p, (size_t)(end - head.p) + 1} : head;
}

dp_err dp_reader_guess(const char **out, dp_str head, bool eager)
{
    const dp_record_format *f;
    dp_setup                s = {.head = whole_lines(head, eager)};
    *out = NULL;
    DP_TRY(dp_format_guess(&f, &s));
    *out = f ? f->name : NULL;
    return DP_OK;
}

static dp_str first_line(dp_str head)
{
    dp_str line = DP_STR("");
    while (dp_next_line(&head, &line) && !line.n) {}
    return line;
}

/* Text has no byte 0, and few other control characters: of random bytes, one in ten is one. */
static bool is_text(dp_str head)
{
    enum { LEAST = 64, SHARE = 16 }; /* bytes that say something; one in so many may be one */
    size_t controls = 0;
    for (size_t i = 0; i < head.n; i++) {
        unsigned char c = (unsigned char)head.p[i];
        if (!c)
            return false;
        controls += c < ' ' && !(c >= '\t' && c <= '\r');
    }
    return head.n < LEAST || controls * SHARE <= head.n;
}

dp_err dp_reader_check_text(dp_str head, const char *path, dp_error *err)
{
    char   seen[3 * 8 + 1] = "";
    size_t n = head.n < 8 ? head.n : 8;
    if (dp_str_starts(head, DP_STR("PAR1")))
        return dp_fail_at(err, DP_ESYNTAX, path, 0, 0,
                          "a Parquet file, which only the Python and Spark packages read. To convert it: python3 -c "
                          "'import sys, json, pyarrow.parquet as p; [print(json.dumps(r, default=str)) for b in "
                          "p.ParquetFile(sys.argv[1]).iter_batches() for r in b.to_pylist()]' FILE >FILE.jsonl");
    if (is_text(head))
        return DP_OK;
    for (size_t i = 0; i < n; i++)
        snprintf(seen + 3 * i, 4, " %02x", (unsigned char)head.p[i]);
    return dp_fail_at(err, DP_ESYNTAX, path, 0, 0,
                      "not text, and in no known format: it begins with the bytes%s; expected records, as lists, logs, "
                      "CDX, WARC or CSV", seen);
}

static dp_err no_format(const dp_setup *s, dp_error *err)
{
    char names[256];
    DP_TRY(dp_reader_check_text(s->head, s->path, err));
    dp_format_names(names, sizeof names);
    return dp_fail_at(
        err, DP_ESYNTAX, s->path, 1, 0,
        "cannot tell the format of lines like %s (a: a word, 9: a number): name it with --format, one of %s; or "
        "give --log-format 'the log_format string'",
        dp_stray(first_line(s->head)).text, names);
}

/* None of the lines can be read as what the options say. */
static dp_err wrong_format(const dp_setup *s, const dp_record_format *f, const dp_format_trial *t, dp_error *err)
{
    const dp_record_format *other;
    const char            *why = t->why.text;
    dp_quoted              line = dp_stray(first_line(s->head));
    char                   advice[160] = "", seen[sizeof line.text + 32] = "";
    DP_TRY(dp_format_guess(&other, s));
    if (other && other != f)
        snprintf(advice, sizeof advice, "; it looks like %s (--format %s)", other->what, other->name);
    if (!strstr(why, line.text))
        snprintf(seen, sizeof seen, "%sit begins with lines like %s", *why ? "; " : "", line.text);
    return dp_fail_at(err, DP_ESYNTAX, s->path, t->line, 0, "not %s: %s%s%s", f->what, why, seen, advice);
}

/* Refuse a format that reads none of the first lines. */
static dp_err check_named(const dp_setup *s, const dp_record_format *f, dp_error *err)
{
    dp_format_trial t = {.line = 1};
    if (!s->head.n)
        return DP_OK;
    if (f->next)
        return f->recognise(s->head) ? DP_OK : wrong_format(s, f, &t, err);
    if (s->head.p[s->head.n - 1] != '\n' && s->head.n > DP_HEAD_SIZE / 2)
        return DP_OK; /* a line too long to be judged by its begin */
    dp_reader_options o = *s->o;
    if (!o.base_url) /* whether hosts are missing is asked after whether it is a log at all */
        o.base_url = "http://host";
    dp_error why = {0};
    dp_err   code = dp_format_try(&t, f, &(dp_setup){&o, s->head, s->path}, &why);
    if (code == DP_OK)
        return t.bad && !t.records ? wrong_format(s, f, &t, err) : DP_OK;
    const dp_record_format *other = NULL;
    if (code == DP_ESYNTAX) /* what it needs to know of the file is not there */
        DP_TRY(dp_format_guess(&other, s));
    if (other && other != f) {
        t.line = why.line;
        dp_bad(&t.why, "%s", why.message);
        return wrong_format(s, f, &t, err);
    }
    if (err)
        *err = why;
    return code;
}

/* ---- files ------------------------------------------------------------------------------------------ */

/* Choose the format of the stream that the window holds, and open it. */
static dp_err open_format(dp_reader *r, dp_error *err)
{
    const char *path = dp_path_name(r->paths[r->at]);
    dp_str      head;
    dp_err      code = dp_stream_peek(r->window.stream, DP_HEAD_SIZE, r->o.eager, &head, err);
    if (code != DP_OK && code != DP_ESYNTAX) /* what is broken from its first byte on is told when it is read */
        return code;
    dp_setup         s = {&r->o, whole_lines(head, r->o.eager), path};
    const dp_record_format *f = r->named;
    code = f ? check_named(&s, f, err) : dp_format_guess(&f, &s);
    if (code == DP_OK && !f)
        code = no_format(&s, err);
    if (code == DP_ESYNTAX)
        DP_TRY(dp_stream_check(r->window.stream, err));
    DP_TRY(code);
    if (f->open)
        DP_TRY(f->open(&r->state, &s, err));
    r->format = f;
    r->line = 0;
    if (dp_str_starts(head, DP_STR("\xef\xbb\xbf"))) {
        DP_TRY(dp_window_fill(&r->window, 3, err));
        dp_window_use(&r->window, 3);
    }
    return DP_OK;
}

static void close_file(dp_reader *r)
{
    if (r->format && r->format->close)
        r->format->close(r->state);
    r->format = NULL;
    r->state = NULL;
    if (r->window.stream)
        r->done += dp_stream_done(r->window.stream);
    dp_stream_close(r->window.stream);
    /* The window keeps its memory for the next file. */
    r->window.stream = NULL;
    r->window.at = r->window.n = 0;
    r->window.ended = false;
    r->window.broken = DP_OK;
}

static dp_err open_stream(dp_reader *r, dp_stream *s, dp_error *err)
{
    dp_window_init(&r->window, s);
    dp_err code = open_format(r, err);
    if (code != DP_OK && err && !err->file[0])
        snprintf(err->file, sizeof err->file, "%s", dp_path_name(r->paths[r->at]));
    if (code != DP_OK)
        close_file(r);
    return code;
}

static dp_err open_file(dp_reader *r, dp_error *err)
{
    dp_stream *s;
    if (err)
        *err = (dp_error){0};
    DP_TRY(dp_stream_open(&s, r->paths[r->at], err));
    return open_stream(r, s, err);
}

/* The size of all files together, 0 when one is not a regular file. */
static uint64_t total_size(const char *const *paths, size_t count)
{
    uint64_t    sum = 0;
    struct stat st;
    for (size_t i = 0; i < count; i++) {
        if ((strcmp(paths[i], "-") == 0 ? fstat(0, &st) : stat(paths[i], &st)) != 0 || !S_ISREG(st.st_mode))
            return 0;
        sum += (uint64_t)st.st_size;
    }
    return sum;
}

static dp_err new_reader(dp_reader **out, const dp_reader_options *o, dp_error *err)
{
    dp_reader *r = calloc(1, sizeof *r);
    if (!r)
        return dp_no_memory(err);
    r->o = *o;
    dp_err code = find_named(&r->named, o, err);
    if (code == DP_OK && o->identity && !dp_identity_find(&r->identity, o->identity))
        code = dp_fail(err, DP_EINVALID, "identity: expected clusters, content or clusters,content, found '%s'",
                       o->identity);
    if (code != DP_OK) {
        free(r);
        return code;
    }
    *out = r;
    return DP_OK;
}

dp_err dp_reader_open(dp_reader **out, const char *const *paths, size_t count, const dp_reader_options *o,
                      dp_error *err)
{
    dp_reader *r;
    DP_TRY(new_reader(&r, o, err));
    r->paths = paths;
    r->count = count;
    r->total = total_size(paths, count);
    dp_err code = count ? open_file(r, err) : DP_OK;
    if (code != DP_OK) {
        dp_reader_close(r);
        return code;
    }
    *out = r;
    return DP_OK;
}

dp_err dp_reader_open_stream(dp_reader **out, dp_stream *s, const char *path, const dp_reader_options *o, dp_error *err)
{
    dp_reader *r;
    dp_err     code = new_reader(&r, o, err);
    if (code != DP_OK) {
        dp_stream_close(s);
        return code;
    }
    r->one = path;
    r->paths = &r->one;
    r->count = 1;
    code = open_stream(r, s, err);
    if (code != DP_OK) {
        dp_reader_close(r);
        return code;
    }
    *out = r;
    return DP_OK;
}

void dp_reader_close(dp_reader *r)
{
    if (!r)
        return;
    close_file(r);
    dp_window_done(&r->window);
    free(r);
}

/* ---- records ------------------------------------------------------------------------------------------ */

/* Count a line that cannot be read; with `strict` that is an error. */
static dp_err note_bad(dp_reader *r, const char *why, dp_error *err)
{
    const char *path = dp_path_name(r->paths[r->at]);
    if (r->bad < BAD_KEPT)
        dp_fail_at(&r->kept[r->bad], DP_ESYNTAX, path, r->line, 0, "%s", why);
    r->bad++;
    return r->o.strict ? dp_fail_at(err, DP_ESYNTAX, path, r->line, 0, "%s", why) : DP_OK;
}

/* The file is at its end: say what was lost, and go to the next. */
static dp_err end_file(dp_reader *r, dp_error *err)
{
    dp_err code = DP_OK;
    if (r->window.broken != DP_OK) {
        char why[sizeof r->window.why.message + 32];
        snprintf(why, sizeof why, "%s; everything before it is used", r->window.why.message);
        r->line++;
        code = note_bad(r, why, err);
    } else if (r->format->unfinished && r->format->unfinished(r->state)) {
        code = note_bad(r, r->format->unfinished(r->state), err);
    }
    close_file(r);
    r->at++;
    return code;
}

/* One line; `rec->kind` says what became of it. */
static dp_err read_line(dp_reader *r, dp_record *rec, bool *more, dp_why *why, dp_error *err)
{
    dp_str line;
    dp_err code = dp_window_line(&r->window, &line, more, err);
    if (code == DP_ELIMIT)
        return dp_fail_at(err, code, dp_path_name(r->paths[r->at]), r->line + 1, 0, DP_LINE_TOO_LONG);
    DP_TRY(code);
    if (!*more)
        return DP_OK;
    memset(rec, 0, sizeof *rec);
    rec->raw = line;
    rec->line = ++r->line;
    rec->kind = r->format->line(r->state, line, rec, why);
    return rec->kind == DP_LINE_NOMEM ? dp_no_memory(err) : DP_OK;
}

static dp_err read_step(dp_reader *r, dp_record *rec, bool *more, dp_why *why, dp_error *err)
{
    dp_step s = {.w = &r->window, .rec = rec, .why = why};
    memset(rec, 0, sizeof *rec);
    DP_TRY(r->format->next(r->state, &s, err));
    *more = s.more;
    if (s.more)
        rec->line = ++r->line;
    rec->kind = s.kind;
    return rec->kind == DP_LINE_NOMEM ? dp_no_memory(err) : DP_OK;
}

dp_err dp_reader_next(dp_reader *r, dp_record *rec, bool *more, dp_error *err)
{
    dp_why why;
    for (;;) {
        dp_why *ask = r->bad < BAD_KEPT || r->o.strict ? &why : NULL;
        *more = false;
        if (r->at >= r->count)
            return DP_OK;
        if (!r->format)
            DP_TRY(open_file(r, err));
        DP_TRY(r->format->next ? read_step(r, rec, more, ask, err) : read_line(r, rec, more, ask, err));
        if (!*more) {
            DP_TRY(end_file(r, err));
            continue;
        }
        rec->path = r->paths[r->at];
        dp_identity_filter(r->identity, rec);
        r->seen |= rec->has & (rec->kind == DP_LINE_RECORD ? ~0u : 0);
        if (rec->kind == DP_LINE_RECORD)
            return DP_OK;
        r->no_pages += rec->kind == DP_LINE_NO_PAGE;
        if (rec->kind == DP_LINE_BAD)
            DP_TRY(note_bad(r, ask ? why.text : "", err));
        if (r->o.all_lines)
            return DP_OK;
    }
}

/* ---- what is known --------------------------------------------------------------------------------------- */

const char *dp_reader_format(const dp_reader *r)
{
    return r->format ? r->format->name : "";
}

char dp_reader_separator(const dp_reader *r)
{
    if (!r->format)
        return 0;
    return r->format->separator ? r->format->separator(r->state) : r->format->sep;
}

uint32_t dp_reader_seen(const dp_reader *r)
{
    return r->seen;
}

uint64_t dp_reader_bad(const dp_reader *r)
{
    return r->bad;
}

uint64_t dp_reader_no_pages(const dp_reader *r)
{
    return r->no_pages;
}

bool dp_reader_bad_line(const dp_reader *r, size_t i, dp_error *why)
{
    if (i >= r->bad || i >= BAD_KEPT)
        return false;
    *why = r->kept[i];
    return true;
}

uint64_t dp_reader_done(const dp_reader *r)
{
    return r->done + (r->window.stream ? dp_stream_done(r->window.stream) : 0);
}

uint64_t dp_reader_bytes(const dp_reader *r)
{
    return r->window.read;
}

uint64_t dp_reader_total(const dp_reader *r)
{
    return r->total;
}
