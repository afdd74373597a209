/* run.c - dp_filter_run of dustpan.h: apply on files.
 *
 *     files ── input/bytes/lines ──► chunk 1 ─ worker A ─► answers ─┐
 *                │             chunk 2 ─ worker B ─► answers ─┼─ in turn ──► descriptor
 *                │             chunk 3 ─ worker A ...        ─┘
 *                └─ no plain lines: input/reader ─► output/append ───────► descriptor
 *
 * Each worker takes the next chunk under one lock, answers it alone, and waits for its
 * turn to write; so the order is kept and memory is threads × chunk. Whatever depends on
 * earlier lines (which keys were seen, totals, the first error) happens in turn, so that
 * the result is the same for any number of threads. A file of records is read by the caller's
 * thread, when all lines before it are written.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/machine.h"
#include "base/outfile.h"
#include "input/bytes/lines.h"
#include "input/bytes/stream.h"
#include "output/append.h"
#include "output/filter.h"
#include "output/sieve.h"
#include "url/mask.h"

typedef struct job {
    dp_filter      *f;
    int             fd;
    pthread_mutex_t input; /* guards the next four */
    dp_lines       *lines;
    uint64_t        taken; /* chunks */
    bool            ended; /* no chunk comes any more */
    pthread_mutex_t output; /* guards the rest */
    pthread_cond_t  turned;
    uint64_t        turn; /* the chunk that may be written */
    bool            stop;
    dp_err          code;
    dp_error       *err;
    dp_sieve        sieve;
    uint64_t        done;    /* bytes, for progress */
    uint64_t        records; /* of those: of files that are no lines */
    uint64_t        last;    /* when the caller was told, in milliseconds */
} job;

typedef struct worker {
    job        *job;
    pthread_t   thread;
    bool        started;
    dp_chunk    chunk;
    dp_answers *answers;
} worker;

/* "not a URL: mailto:xxx@a.org", what is secret in it masked, cut at a readable length. */
static void describe_bad(dp_error *out, const dp_chunk *c, const dp_bad_line *bad)
{
    char text[128];
    dp_mask_stray(text, sizeof text, bad->text);
    if (!bad->text.n)
        snprintf(text, sizeof text, "the line is empty");
    dp_fail_at(out, DP_ESYNTAX, dp_path_name(c->path), c->first_line + bad->line, 0, "not a URL: %s", text);
}

/* Write the answers to one chunk and count; everything that depends on order is here. */
static dp_err write_answers(job *j, const dp_chunk *c, dp_answers *a)
{
    dp_filter *f = j->f;
    dp_sieved  sieved;
    DP_TRY(dp_sieve_pass(&j->sieve, a, &sieved, j->err));
    DP_TRY(dp_write_all(j->fd, a->out.p, a->out.n, NULL, j->err));
    DP_TRY(dp_sieve_settle(&j->sieve, j->fd, j->err));
    f->total[DP_COUNT_LINES] += a->lines;
    f->total[DP_COUNT_WRITTEN] += sieved.kept;
    f->total[DP_COUNT_PROBES] += sieved.probes;
    f->total[DP_COUNT_CHANGED] += a->changed;
    f->total[DP_COUNT_FIRED] += a->any_fired;
    f->total[DP_COUNT_NOT_URLS] += a->not_urls;
    f->total[DP_COUNT_LIMIT] += a->limit;
    f->total[DP_COUNT_BYTES] += c->bytes;
    for (size_t i = 0; i < a->nbad && f->nbad < DP_BAD_KEPT; i++)
        describe_bad(&f->bad[f->nbad++], c, &a->bad[i]);
    j->done = c->done + j->records;
    if (a->stopped && j->err)
        describe_bad(j->err, c, &a->bad[0]);
    return a->stopped ? DP_ESYNTAX : DP_OK;
}

/* Take the next chunk. Its number is returned even if reading it failed, so that the
 * failure is told in turn. */
static bool take(worker *w, uint64_t *number, dp_err *code, dp_error *err)
{
    job *j = w->job;
    pthread_mutex_lock(&j->input);
    bool any = !j->ended;
    if (any) {
        *code = dp_lines_next(j->lines, &w->chunk, err);
        j->ended = *code != DP_OK || !w->chunk.n;
        any = *code != DP_OK || w->chunk.n;
        *number = j->taken++;
    }
    pthread_mutex_unlock(&j->input);
    return any;
}

/* Write or fail in turn; false when the work is over. */
static bool take_turn(worker *w, uint64_t number, dp_err code, const dp_error *err)
{
    job *j = w->job;
    pthread_mutex_lock(&j->output);
    while (j->turn != number && !j->stop)
        pthread_cond_wait(&j->turned, &j->output);
    if (!j->stop) {
        if (code == DP_OK)
            code = write_answers(j, &w->chunk, w->answers);
        else if (j->err)
            *j->err = *err;
        j->code = code;
        j->stop = code != DP_OK;
        j->turn++;
    }
    bool go_on = !j->stop;
    pthread_cond_broadcast(&j->turned);
    pthread_mutex_unlock(&j->output);
    return go_on;
}

/* One chunk from input to output; false when the work is over. */
static bool do_chunk(worker *w)
{
    uint64_t number;
    dp_err   code;
    dp_error err = {0};
    if (!take(w, &number, &code, &err))
        return false;
    if (code == DP_OK) {
        dp_chunk_strip_cr(&w->chunk);
        code = dp_answers_make(w->answers, &w->job->f->ask, &w->chunk);
        if (code != DP_OK)
            dp_fail_at(&err, code, dp_path_name(w->chunk.path), w->chunk.first_line, 0, "%s", dp_err_name(code));
    }
    return take_turn(w, number, code, &err);
}

static void *work(void *arg)
{
    while (do_chunk(arg)) {}
    return NULL;
}

/* Start the other workers; where that is not possible, fewer do the same work. */
static void start_workers(worker *w, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        w[i].job = w[0].job;
        if (!w[i].answers && dp_answers_new(&w[i].answers, &w[0].job->f->ask) != DP_OK)
            return;
        w[i].started = pthread_create(&w[i].thread, NULL, work, &w[i]) == 0;
    }
}

/* Tell the caller how far it is, ten times a second; it may want to stop. */
static void report(job *j)
{
    if (!j->f->progress || !dp_clock_is_due(&j->last, 100))
        return;
    pthread_mutex_lock(&j->output);
    uint64_t done = j->done;
    pthread_mutex_unlock(&j->output);
    if (!j->f->progress(j->f->progress_ctx, done, dp_lines_total(j->lines), "bytes"))
        return;
    pthread_mutex_lock(&j->output);
    if (!j->stop)
        j->code = dp_fail(j->err, DP_EINVALID, "stopped");
    j->stop = true;
    pthread_cond_broadcast(&j->turned);
    pthread_mutex_unlock(&j->output);
}

/* The caller's thread is the first worker. Others join when there is a second chunk. */
static void run_workers(job *j, worker *w, size_t n)
{
    bool alone = true;
    j->ended = false;
    j->taken = j->turn;
    while (do_chunk(&w[0])) {
        if (alone && n > 1)
            start_workers(w, n);
        alone = false;
        report(j);
    }
    for (size_t i = 1; i < n; i++) {
        if (w[i].started)
            pthread_join(w[i].thread, NULL);
        w[i].started = false;
    }
}

/* ---- files of records -------------------------------------------------------------------------- */

static dp_reader_options reader_options(const dp_filter *f)
{
    dp_reader_options o = dp_how_options(f->how);
    o.strict = f->ask.strict;
    o.all_lines = true;
    o.eager = f->line_buffered;
    return o;
}

/* Whether a file is plain lines: what nobody names and nothing knows is, unless it is not text. */
static dp_err look(void *ctx, dp_stream *s, bool *are_lines, dp_error *err)
{
    const dp_filter *f = ctx;
    const char      *format = f->how[DP_INPUT_FORMAT];
    bool             other = f->how[DP_INPUT_COLUMNS] || f->how[DP_INPUT_LOG_FORMAT];
    dp_str           head;
    if (!format && !other) {
        DP_TRY(dp_stream_peek(s, DP_HEAD_SIZE, f->line_buffered, &head, err));
        DP_TRY(dp_reader_guess(&format, head, f->line_buffered));
        dp_err code = format ? DP_OK : dp_reader_check_text(head, dp_stream_name(s), err);
        if (code == DP_ESYNTAX)
            DP_TRY(dp_stream_check(s, err));
        DP_TRY(code);
    }
    *are_lines = !other && (!format || strcmp(format, "urls") == 0);
    return DP_OK;
}

static void note_bad(void *ctx, const dp_error *why, bool is_line)
{
    dp_filter *f = ((job *)ctx)->f;
    f->total[DP_COUNT_BAD] += is_line;
    if (f->nbad < DP_BAD_KEPT && why->message[0])
        f->bad[f->nbad++] = *why;
}

static dp_err tick(void *ctx, const dp_reader *r)
{
    job *j = ctx;
    j->done = j->records + dp_reader_done(r);
    report(j);
    return j->stop ? j->code : DP_OK;
}

static dp_err run_records(job *j, dp_answers *answers, dp_stream *s, const char *path)
{
    dp_filter        *f = j->f;
    dp_reader        *r;
    dp_reader_options o = reader_options(f);
    DP_TRY(dp_reader_open_stream(&r, s, path, &o, j->err));
    dp_append a = {.ask = &f->ask,
                   .answers = answers,
                   .sieve = &j->sieve,
                   .fd = j->fd,
                   .line_buffered = f->line_buffered,
                   .bad = note_bad,
                   .tick = tick,
                   .ctx = j};
    answers->changed = answers->any_fired = answers->not_urls = answers->limit = 0;
    dp_err code = dp_append_run(&a, r, j->err);
    f->total[DP_COUNT_LINES] += a.lines;
    f->total[DP_COUNT_WRITTEN] += a.written;
    f->total[DP_COUNT_PROBES] += a.probes;
    f->total[DP_COUNT_CHANGED] += answers->changed;
    f->total[DP_COUNT_FIRED] += answers->any_fired;
    f->total[DP_COUNT_NOT_URLS] += answers->not_urls;
    f->total[DP_COUNT_LIMIT] += answers->limit;
    f->total[DP_COUNT_BYTES] += dp_reader_bytes(r);
    j->records += dp_reader_done(r);
    dp_reader_close(r);
    return code;
}

/* Lines by all workers, then a file of records, and so on. */
static dp_err run_files(job *j, worker *w, size_t n)
{
    const char *path;
    dp_stream  *s;
    do {
        run_workers(j, w, n);
        s = j->code == DP_OK ? dp_lines_take(j->lines, &path) : NULL;
        if (s)
            j->code = run_records(j, w[0].answers, s, path);
    } while (s && j->code == DP_OK);
    return j->code;
}

/* ---- a run ----------------------------------------------------------------------------------------- */

static dp_err prepare(job *j, worker *w)
{
    dp_filter *f = j->f;
    size_t     rules = dp_engine_count(f->ask.engine);
    memset(f->total, 0, sizeof f->total);
    f->nbad = 0;
    free(f->fired);
    f->fired = NULL;
    if (f->ask.counts && !(f->fired = calloc(rules ? rules : 1, sizeof *f->fired)))
        return DP_ENOMEM;
    DP_TRY(dp_sieve_init(&j->sieve, &f->ask, j->err));
    return dp_answers_new(&w->answers, &f->ask);
}

static void sum_fired(dp_filter *f, const dp_answers *a)
{
    for (size_t i = 0; f->fired && a && a->fired && i < dp_engine_count(f->ask.engine); i++)
        f->fired[i] += a->fired[i];
}

dp_err dp_filter_run(dp_filter *f, const char *const *paths, size_t count, int fd, dp_error *err)
{
    size_t  n = f->line_buffered ? 1 : f->threads ? (size_t)f->threads : dp_machine_cores();
    worker *w = calloc(n, sizeof *w);
    job     j = {.f = f, .fd = fd, .err = err, .input = PTHREAD_MUTEX_INITIALIZER, .output = PTHREAD_MUTEX_INITIALIZER,
                 .turned = PTHREAD_COND_INITIALIZER};
    dp_lines_options o = {.paths = paths, .count = count, .eager = f->line_buffered, .look = look, .ctx = f};
    if (err)
        *err = (dp_error){0};
    dp_err code = w ? prepare(&j, w) : DP_ENOMEM;
    if (code == DP_OK)
        code = dp_lines_open(&j.lines, &o, err);
    if (code == DP_OK) {
        w[0].job = &j;
        code = run_files(&j, w, n);
    }
    for (size_t i = 0; w && i < n; i++) {
        sum_fired(f, w[i].answers);
        dp_answers_free(w[i].answers);
        dp_chunk_done(&w[i].chunk);
    }
    if (code == DP_ENOMEM && err && !err->message[0])
        dp_fail(err, DP_ENOMEM, "%s", dp_err_name(DP_ENOMEM));
    dp_lines_close(j.lines);
    dp_sieve_done(&j.sieve);
    free(w);
    return code;
}
