/* SPDX-License-Identifier: Apache-2.0 */
#include "live/echo.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/outfile.h"
#include "base/room.h"
#include "base/secret.h"
#include "live/estimate.h"
#include "live/spread.h"
#include "live/warcrecord.h"

enum { ROUND = 100 /* milliseconds of a round at most */, PIECE = 1 << 16 /* bytes of a file that is copied */ };

#define ENDING ".warc.gz"

typedef enum pass { FIRST = 0, SECOND = 1, PASSES } pass;

static const char *const folders[PASSES] = {"first", "second"};

/* A URL that was chosen, and what came of it. */
typedef struct echo_url {
    dp_str   url;
    dp_reply reply[PASSES]; /* of the second pass: unless it waits, or its first fetch gave no page */
} echo_url;

typedef struct job {
    dp_validation *v;
    const char    *dir; /* of both passes */
    dp_fetcher    *f;
    dp_teller      teller;
    dp_spread      spread;
    echo_url      *url; /* [n] in the order in which they were chosen */
    size_t         n, cap;
    pass           at;
    dp_buf         path, record;
} job;

/* ---- pages on disk --------------------------------------------------------------------------- */

/* DIR/first, or the record of `url` in it; lives until the next. NULL when memory is out. */
static const char *path_of(job *j, pass at, dp_str url)
{
    dp_buf_reset(&j->path);
    dp_buf_printf(&j->path, "%s/%s", j->dir, folders[at]);
    if (url.n)
        dp_buf_printf(&j->path, "/%016" PRIx64 ENDING, dp_hash_str(url));
    dp_buf_byte(&j->path, '\0');
    return j->path.failed ? NULL : j->path.p;
}

/* dp_fetcher_options.keep */
static dp_err keep_page(void *ctx, dp_str url, int64_t when, const dp_http_answer *a, dp_error *err)
{
    job        *j = ctx;
    const char *path = path_of(j, j->at, url);
    dp_buf_reset(&j->record);
    if (!path || dp_warcrecord_put(&j->record, url, when, a) != DP_OK)
        return dp_no_memory(err);
    return dp_outfile_put(path, j->record.p, j->record.n, err);
}

static dp_err copy_page(job *j, pass at, dp_str url, dp_outfile *out, dp_error *err)
{
    char        piece[PIECE];
    ssize_t     n = 0;
    dp_err      code = DP_OK;
    const char *path = path_of(j, at, url);
    int         fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (!path)
        return dp_no_memory(err);
    while (code == DP_OK && fd >= 0 && ((n = read(fd, piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR)))
        code = n > 0 ? dp_outfile_write(out, piece, (size_t)n, err) : DP_OK;
    if (fd < 0 || n < 0)
        code = dp_fail_at(err, DP_EIO, path, 0, 0, "cannot be read: %s; remove its folder to fetch the pages again",
                          strerror(errno));
    if (fd >= 0)
        close(fd);
    return code;
}

/* A page in which several URLs end, by redirects, is written once. */
static dp_err write_reply(job *j, size_t number, pass at, dp_ordinals *written, dp_outfile *out, dp_error *err)
{
    const dp_reply *r = &j->url[number].reply[at];
    uint32_t        which;
    bool            fresh;
    if (r->kind != DP_REPLY_PAGE)
        return DP_OK;
    if (dp_ordinals_add(written, dp_secret_text(r->last), &which, &fresh) != DP_OK)
        return dp_no_memory(err);
    return fresh ? copy_page(j, at, r->last, out, err) : DP_OK;
}

static dp_err write_pages(job *j, dp_outfile *out, dp_error *err)
{
    dp_ordinals written[PASSES] = {0};
    dp_buf_reset(&j->record);
    dp_err code = dp_warcrecord_open(&j->record, (int64_t)time(NULL));
    code = code == DP_OK ? dp_outfile_write(out, j->record.p, j->record.n, err) : dp_no_memory(err);
    for (size_t i = 0; i < j->n; i++)
        for (pass at = FIRST; at < PASSES && code == DP_OK; at++)
            code = write_reply(j, i, at, &written[at], out, err);
    dp_ordinals_done(&written[FIRST]);
    dp_ordinals_done(&written[SECOND]);
    return code;
}

static dp_err write_file(job *j, const char *file, dp_error *err)
{
    dp_outfile out;
    DP_TRY(dp_outfile_open(&out, file, err));
    dp_err code = write_pages(j, &out, err);
    if (code == DP_OK)
        return dp_outfile_commit(&out, err);
    dp_outfile_abort(&out);
    return code;
}

/* All records, also what was being written when a run was killed. */
static void remove_pages(job *j)
{
    for (pass at = FIRST; at < PASSES; at++) {
        const char    *folder = path_of(j, at, (dp_str){0});
        DIR           *d = folder ? opendir(folder) : NULL;
        struct dirent *e;
        while (d && (e = readdir(d)))
            if (strstr(e->d_name, ENDING))
                unlinkat(dirfd(d), e->d_name, 0);
        if (d)
            closedir(d);
    }
}

/* ---- fetching ---------------------------------------------------------------------------------- */

static dp_err report(const job *j, dp_error *err)
{
    const dp_validation *v = j->v;
    uint64_t             done = 0;
    if (!v->progress)
        return DP_OK;
    for (size_t i = 0; i < j->n; i++)
        done += (uint64_t)(j->url[i].reply[FIRST].kind != DP_REPLY_WAIT) +
                (j->url[i].reply[FIRST].kind != DP_REPLY_PAGE || j->url[i].reply[SECOND].kind != DP_REPLY_WAIT);
    bool stop = v->progress(v->progress_ctx, done, 2 * j->n, "fetching pages") != 0;
    return stop ? dp_fail(err, DP_EINVALID, "stopped") : DP_OK;
}

/* Ask for URLs in their order until as many as are wanted are asked for, or there are no more. */
static dp_err ask_first(job *j, bool *waits, dp_error *err)
{
    size_t taken = 0;
    for (size_t i = 0; i < j->spread.urls.n && taken < j->v->echo.wanted; i++) {
        if (i == j->n) {
            if (!DP_ROOM(j->url, j->n, j->cap))
                return dp_no_memory(err);
            j->url[j->n++] = (echo_url){.url = dp_spread_get(&j->spread, i)};
        }
        dp_reply *r = &j->url[i].reply[FIRST];
        if (r->kind == DP_REPLY_WAIT)
            DP_TRY(j->teller.ask(j->teller.self, j->url[i].url, r, err));
        taken += r->kind != DP_REPLY_SPARED || r->budget_is_spent;
        *waits |= r->kind == DP_REPLY_WAIT;
    }
    return DP_OK;
}

/* Ask again for those whose time has come. */
static dp_err ask_second(job *j, bool *waits, dp_error *err)
{
    int64_t now = (int64_t)time(NULL);
    for (size_t i = 0; i < j->n; i++) {
        const dp_reply *first = &j->url[i].reply[FIRST];
        dp_reply       *r = &j->url[i].reply[SECOND];
        if (first->kind != DP_REPLY_PAGE || r->kind != DP_REPLY_WAIT)
            continue;
        if (now > first->time + j->v->echo.after || !j->v->echo.after) /* both are whole seconds */
            DP_TRY(j->teller.ask(j->teller.self, first->last, r, err));
        *waits |= r->kind == DP_REPLY_WAIT;
    }
    return DP_OK;
}

static dp_err run_pass(job *j, dp_error *err)
{
    for (;;) {
        bool     waits = false;
        uint64_t sent = dp_fetcher_count(j->f)->requests;
        DP_TRY(j->at == FIRST ? ask_first(j, &waits, err) : ask_second(j, &waits, err));
        DP_TRY(report(j, err));
        if (!waits)
            return DP_OK;
        DP_TRY(dp_fetcher_step(j->f, ROUND, err));
        if (j->at == SECOND && dp_fetcher_count(j->f)->requests == sent)
            poll(NULL, 0, ROUND); /* perhaps all wait for their time */
    }
}

/* Whether the first pass ended because no request was left. */
static bool is_spent(const job *j)
{
    for (size_t i = 0; i < j->n; i++)
        if (j->url[i].reply[FIRST].budget_is_spent)
            return true;
    return false;
}

static dp_err fetch(job *j, dp_error *err)
{
    dp_validation     *v = j->v;
    dp_fetcher_options o = v->fetch;
    dp_err             code = DP_ENOMEM;
    char              *dir[PASSES] = {NULL, NULL};
    for (pass at = FIRST; at < PASSES; at++)
        dir[at] = path_of(j, at, (dp_str){0}) ? strdup(j->path.p) : NULL;
    o.user_agent = v->user_agent;
    o.ca_file = v->ca_file;
    o.cache = dir[FIRST];
    o.keep = keep_page;
    o.keep_ctx = j;
    if (!dir[FIRST] || !dir[SECOND])
        dp_no_memory(err);
    else
        code = dp_fetcher_new(&j->f, &o, err);
    if (code == DP_OK) {
        j->teller = dp_fetcher_teller(j->f);
        code = run_pass(j, err);
    }
    j->at = SECOND;
    if (code == DP_OK && !is_spent(j)) {
        code = dp_fetcher_again(j->f, dir[SECOND], err);
        if (code == DP_OK)
            code = run_pass(j, err);
    }
    free(dir[FIRST]);
    free(dir[SECOND]);
    return code;
}

/* ---- the whole run ----------------------------------------------------------------------------- */

static dp_err take_url(void *ctx, const dp_record *rec)
{
    job   *j = ctx;
    dp_buf form = {0};
    dp_err code = DP_OK;
    if (dp_draws_form(&form, rec->url))
        code = dp_spread_add(&j->spread, dp_buf_view(&form), j->v->seed);
    else
        j->v->not_urls++;
    code = form.failed ? DP_ENOMEM : code;
    dp_buf_done(&form);
    return code;
}

static dp_err announce(const job *j, dp_error *err)
{
    dp_estimate all;
    if (!j->v->expect)
        return DP_OK;
    if (dp_estimate_echo(&all, j->v, &j->spread) != DP_OK)
        return dp_no_memory(err);
    bool stop = j->v->expect(j->v->expect_ctx, all.requests, all.hosts, all.seconds) != 0;
    return stop ? dp_fail(err, DP_EINVALID, "stopped") : DP_OK;
}

static void tally(job *j)
{
    dp_echo_of *e = &j->v->echo;
    e->forms = j->spread.forms;
    for (size_t i = 0; i < j->n; i++) {
        const dp_reply *a = &j->url[i].reply[FIRST], *b = &j->url[i].reply[SECOND];
        bool            twice = a->kind == DP_REPLY_PAGE && b->kind == DP_REPLY_PAGE;
        e->spent |= a->budget_is_spent || b->budget_is_spent;
        e->asked += a->kind != DP_REPLY_SPARED;
        e->twice += twice;
        e->changed += twice && !dp_hash128_eq(a->digest, b->digest);
    }
    if (j->f)
        j->v->fetched = *dp_fetcher_count(j->f);
}

static dp_err run(job *j, const char *const *paths, size_t n, const char *file, dp_error *err)
{
    DP_TRY(dp_validation_read(j->v, paths, n, take_url, j, err));
    dp_spread_finish(&j->spread);
    j->v->urls = j->spread.urls.n;
    DP_TRY(announce(j, err));
    if (mkdir(j->dir, 0700) != 0 && errno != EEXIST)
        return dp_fail_at(err, DP_EIO, j->dir, 0, 0, "cannot create this folder: %s", strerror(errno));
    DP_TRY(fetch(j, err));
    tally(j);
    return j->v->echo.twice ? write_file(j, file, err) : DP_OK;
}

dp_err dp_validation_echo(dp_validation *v, uint64_t n, const char *const *paths, size_t count, const char *file,
                          dp_error *err)
{
    dp_buf beside = {0};
    if (v->ran || !count || !n || v->offline)
        return dp_fail(err, DP_EINVALID, v->ran ? "this validation has already run" : "no URLs to fetch were given");
    dp_buf_printf(&beside, "%s.pages", file);
    dp_buf_byte(&beside, '\0');
    if (beside.failed) {
        dp_buf_done(&beside);
        return dp_no_memory(err);
    }
    job j = {.v = v, .dir = v->cache ? v->cache : beside.p};
    v->ran = true;
    v->echo.wanted = (size_t)n;
    dp_err code = run(&j, paths, count, file, err);
    bool   over = code == DP_OK && (!v->cache || v->cache_is_for_run);
    if (over)
        remove_pages(&j);
    dp_fetcher_free(j.f, over);
    if (over)
        rmdir(j.dir);
    dp_spread_done(&j.spread);
    dp_buf_done(&j.path);
    dp_buf_done(&j.record);
    dp_buf_done(&beside);
    free(j.url);
    return code;
}
