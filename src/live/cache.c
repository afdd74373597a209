/* SPDX-License-Identifier: Apache-2.0 */
#include "live/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/outfile.h"
#include "base/room.h"
#include "url/chars.h"

struct dp_cache {
    char     *dir, *path; /* NULL: in memory alone */
    int       fd;         /* -1: the same */
    bool      dirty;
    dp_intern urls, origins; /* numbers into the arrays */
    dp_note  *note;          /* [urls.n] */
    dp_str   *robots;        /* [origins.n] */
    size_t    note_cap, robots_cap;
    dp_arena  texts;
    dp_buf    line;
    uint64_t  found;
};

static const char *const kinds[] = {"asked", "page", "moved", "gone", "failed"};

/* ---- the records in memory --------------------------------------------------------------- */

static dp_err remember(dp_cache *c, dp_str url, const dp_note *note)
{
    uint32_t i;
    dp_note  kept = *note;
    if (kept.target.n && !(kept.target = dp_arena_str(&c->texts, note->target)).p)
        return DP_ENOMEM;
    if (!dp_intern_find(&c->urls, url, &i)) {
        i = (uint32_t)c->urls.n;
        if (!DP_ROOM(c->note, i, c->note_cap) || !dp_intern_add(&c->urls, url, i))
            return DP_ENOMEM;
    }
    c->note[i] = kept;
    return DP_OK;
}

static dp_err remember_robots(dp_cache *c, dp_str origin, dp_str rules)
{
    uint32_t i;
    dp_str   kept = dp_arena_str(&c->texts, rules);
    if (!kept.p)
        return DP_ENOMEM;
    if (!dp_intern_find(&c->origins, origin, &i)) {
        i = (uint32_t)c->origins.n;
        if (!DP_ROOM(c->robots, i, c->robots_cap) || !dp_intern_add(&c->origins, origin, i))
            return DP_ENOMEM;
    }
    c->robots[i] = kept;
    return DP_OK;
}

const dp_note *dp_cache_find(const dp_cache *c, dp_str url)
{
    uint32_t i;
    return dp_intern_find(&c->urls, url, &i) ? &c->note[i] : NULL;
}

dp_str dp_cache_robots(const dp_cache *c, dp_str origin)
{
    uint32_t i;
    return dp_intern_find(&c->origins, origin, &i) ? c->robots[i] : (dp_str){0};
}

uint64_t dp_cache_found(const dp_cache *c)
{
    return c->found;
}

/* ---- lines ------------------------------------------------------------------------------- */

/* Texts stand in lines as words: what a word cannot hold is escaped, nothing is "-". */
static void put_word(dp_buf *b, dp_str s)
{
    if (!s.n || (s.n == 1 && s.p[0] == '-'))
        dp_buf_c(b, s.n ? "%2D" : "-");
    else
        for (size_t i = 0; i < s.n; i++) {
            unsigned char ch = (unsigned char)s.p[i];
            if (ch <= ' ' || ch >= 0x7f || ch == '%')
                dp_buf_printf(b, "%%%02X", ch);
            else
                dp_buf_byte(b, s.p[i]);
        }
}

static void put_note(dp_buf *b, dp_str url, const dp_note *n)
{
    dp_buf_printf(b, "got %" PRId64 " %u %s %d %d %" PRId64 " %016" PRIx64 "%016" PRIx64 " ", n->time, n->tries,
                  kinds[n->kind], (int)n->fault, n->status, n->size, n->digest.hi, n->digest.lo);
    for (int i = 0; i < DP_SKETCH_SIZE; i++)
        dp_buf_printf(b, i ? ",%016" PRIx64 : "%016" PRIx64, n->sketch[i]);
    dp_buf_byte(b, ' ');
    put_word(b, n->target);
    dp_buf_byte(b, ' ');
    put_word(b, url);
}

typedef struct reading {
    dp_str rest;
    bool   failed;
    dp_buf *text; /* of the word at hand, without escapes */
} reading;

static dp_str next_word(reading *r)
{
    dp_str word = dp_next_field(&r->rest, ' ');
    r->failed |= !word.n;
    return word;
}

/* A word as put_word wrote it, appended to r->text; valid until that grows. */
static dp_str next_text(reading *r)
{
    dp_str word = next_word(r);
    size_t from = r->text->n;
    if (dp_str_eq(word, DP_STR("-")))
        return (dp_str){0};
    for (size_t i = 0; i < word.n; i++) {
        bool escaped = dp_is_escape(word.p + i, word.n - i);
        dp_buf_byte(r->text, escaped ? dp_unescape(word.p + i) : word.p[i]);
        i += escaped ? 2 : 0;
    }
    r->failed |= r->text->failed;
    return r->failed ? (dp_str){0} : dp_str_cut(dp_buf_view(r->text), from, r->text->n);
}

static int64_t next_number(reading *r)
{
    dp_str  word = next_word(r);
    int64_t v = 0;
    bool    minus = word.n && word.p[0] == '-';
    for (size_t i = minus; i < word.n; i++) {
        r->failed |= !dp_is(word.p[i], DP_CH_DIGIT) || v > INT64_MAX / 10 - 1;
        if (r->failed)
            return 0;
        v = v * 10 + (word.p[i] - '0');
    }
    return minus ? -v : v;
}

static uint64_t hex(reading *r, dp_str s)
{
    uint64_t v = 0;
    r->failed |= s.n != 16;
    for (size_t i = 0; i < s.n && !r->failed; i++) {
        r->failed = !dp_is(s.p[i], DP_CH_HEX);
        v = v << 4 | (uint64_t)dp_hex(s.p[i]);
    }
    return r->failed ? 0 : v;
}

static bool read_note(reading *r, dp_note *n, dp_str *url)
{
    n->time = next_number(r);
    n->tries = (unsigned)next_number(r);
    dp_str kind = next_word(r);
    while (n->kind <= DP_NOTE_FAILED && !dp_str_eq(kind, dp_str_c(kinds[n->kind])))
        n->kind++;
    int64_t fault = next_number(r);
    if (r->failed || n->kind > DP_NOTE_FAILED || fault < 0 || fault >= DP_FAULTS)
        return false;
    n->fault = (dp_fault)fault;
    n->status = (int)next_number(r);
    n->size = next_number(r);
    dp_str digest = next_word(r), sketch = next_word(r);
    if (digest.n != 32 || sketch.n != 16 * DP_SKETCH_SIZE + DP_SKETCH_SIZE - 1)
        return false;
    n->digest = (dp_hash128){.hi = hex(r, dp_str_cut(digest, 0, 16)), .lo = hex(r, dp_str_cut(digest, 16, 32))};
    for (size_t i = 0; i < DP_SKETCH_SIZE; i++)
        n->sketch[i] = hex(r, dp_str_cut(sketch, i * 17, i * 17 + 16));
    /* Two words in one buffer: it must not move between them. */
    if (!dp_buf_room(r->text, r->rest.n))
        return false;
    n->target = next_text(r);
    *url = next_text(r);
    return !r->failed;
}

/* Take in one line without its checksum. */
static dp_err take_line(dp_cache *c, dp_str line, dp_buf *text)
{
    reading r = {.rest = line, .text = text};
    dp_note note = {0};
    dp_str  url;
    dp_str  what = next_word(&r);
    dp_buf_reset(text);
    if (dp_str_eq(what, DP_STR("got"))) {
        if (!read_note(&r, &note, &url))
            return text->failed ? DP_ENOMEM : DP_ESYNTAX;
        return remember(c, url, &note);
    }
    if (dp_str_eq(what, DP_STR("ask"))) {
        note.time = next_number(&r);
        note.tries = (unsigned)next_number(&r);
        url = next_text(&r);
        if (r.failed)
            return text->failed ? DP_ENOMEM : DP_ESYNTAX;
        note.kind = DP_NOTE_FAILED;
        note.fault = DP_FAULT_INTERRUPTED;
        c->found++;
        return remember(c, url, &note);
    }
    if (!dp_str_eq(what, DP_STR("bots")) || !dp_buf_room(text, line.n))
        return text->failed ? DP_ENOMEM : DP_ESYNTAX;
    next_number(&r);
    dp_str origin = next_text(&r), rules = next_text(&r);
    c->found++;
    return r.failed ? DP_ESYNTAX : remember_robots(c, origin, rules);
}

static uint64_t checksum(dp_str s)
{
    return dp_hash_str(s);
}

/* ---- the file ---------------------------------------------------------------------------- */

static dp_err fail(const dp_cache *c, dp_err code, dp_error *err, const char *what)
{
    return dp_fail_at(err, code, c->path, 0, 0, "%s", what);
}

/* All lines of the file; what follows the last whole one is cut off. */
static dp_err take_file(dp_cache *c, dp_str file, dp_error *err)
{
    dp_buf text = {0};
    size_t at = 0, number = 0;
    dp_err code = DP_OK;
    while (code == DP_OK && at < file.n) {
        const char *end = memchr(file.p + at, '\n', file.n - at);
        if (!end)
            break;
        dp_str  line = dp_str_cut(file, at, (size_t)(end - file.p));
        reading r = {.rest = line};
        number++;
        uint64_t sum = hex(&r, next_word(&r));
        code = r.failed || sum != checksum(r.rest) ? DP_ESYNTAX : take_line(c, r.rest, &text);
        at = (size_t)(end - file.p) + 1;
    }
    dp_buf_done(&text);
    if (code == DP_ESYNTAX)
        return dp_fail_at(err, code, c->path, number, 0,
                          "this line is damaged or was not written by dustpan; remove the file to start again");
    if (code == DP_OK && at < file.n && ftruncate(c->fd, (off_t)at) != 0)
        return fail(c, DP_EIO, err, strerror(errno));
    return code == DP_OK ? DP_OK : fail(c, code, err, "out of memory");
}

static dp_err read_file(dp_cache *c, dp_error *err)
{
    dp_buf file = {0};
    for (;;) {
        if (!dp_buf_room(&file, 1 << 16)) {
            dp_buf_done(&file);
            return fail(c, DP_ENOMEM, err, "out of memory");
        }
        ssize_t n = read(c->fd, file.p + file.n, file.cap - file.n);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            dp_err code = n < 0 ? fail(c, DP_EIO, err, strerror(errno)) : take_file(c, dp_buf_view(&file), err);
            dp_buf_done(&file);
            return code;
        }
        file.n += (size_t)n;
    }
}

static dp_err open_file(dp_cache *c, const char *dir, dp_error *err)
{
    c->dir = strdup(dir);
    if (!c->dir || asprintf(&c->path, "%s/pages", dir) < 0) {
        c->path = NULL;
        return dp_fail_at(err, DP_ENOMEM, dir, 0, 0, "out of memory");
    }
    if (mkdir(dir, 0700) != 0 && errno != EEXIST)
        return dp_fail_at(err, DP_EIO, dir, 0, 0, "cannot create this folder: %s", strerror(errno));
    c->fd = open(c->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (c->fd < 0)
        return fail(c, DP_EIO, err, strerror(errno));
    if (flock(c->fd, LOCK_EX | LOCK_NB) != 0)
        return fail(c, DP_EIO, err, errno == EWOULDBLOCK ? "in use by another run" : strerror(errno));
    return read_file(c, err);
}

dp_err dp_cache_open(dp_cache **out, const char *dir, dp_error *err)
{
    dp_cache *c = calloc(1, sizeof *c);
    if (!c)
        return dp_fail_at(err, DP_ENOMEM, dir, 0, 0, "out of memory");
    c->fd = -1;
    dp_err code = dir ? open_file(c, dir, err) : DP_OK;
    if (code != DP_OK) {
        dp_cache_close(c);
        return code;
    }
    *out = c;
    return DP_OK;
}

void dp_cache_close(dp_cache *c)
{
    if (!c)
        return;
    if (c->fd >= 0)
        close(c->fd);
    dp_intern_done(&c->urls);
    dp_intern_done(&c->origins);
    dp_arena_done(&c->texts);
    dp_buf_done(&c->line);
    free(c->note);
    free(c->robots);
    free(c->dir);
    free(c->path);
    free(c);
}

void dp_cache_remove(dp_cache *c)
{
    if (c && c->path) {
        unlink(c->path);
        rmdir(c->dir);
    }
    dp_cache_close(c);
}

/* Write what is in c->line from byte 17 on, its checksum before it. */
static dp_err write_line(dp_cache *c, dp_error *err)
{
    if (c->line.failed)
        return dp_fail_as(err, DP_ENOMEM);
    if (c->fd < 0)
        return DP_OK;
    char sum[18];
    snprintf(sum, sizeof sum, "%016" PRIx64 " ", checksum(dp_str_cut(dp_buf_view(&c->line), 17, c->line.n)));
    memcpy(c->line.p, sum, 17);
    dp_buf_byte(&c->line, '\n');
    c->dirty = true;
    return c->line.failed ? dp_fail_as(err, DP_ENOMEM)
                          : dp_write_all(c->fd, c->line.p, c->line.n, c->path, err);
}

static dp_buf *begin_line(dp_cache *c)
{
    dp_buf_reset(&c->line);
    dp_buf_c(&c->line, "0123456789abcdef ");
    return &c->line;
}

static dp_err or_no_memory(dp_err code, dp_error *err)
{
    return code == DP_OK ? DP_OK : dp_fail(err, code, "out of memory");
}

dp_err dp_cache_ask(dp_cache *c, dp_str url, unsigned try, int64_t time, dp_error *err)
{
    dp_note note = {.kind = DP_NOTE_ASKED, .tries = try, .time = time};
    dp_buf *b = begin_line(c);
    dp_buf_printf(b, "ask %" PRId64 " %u ", time, try);
    put_word(b, url);
    DP_TRY(write_line(c, err));
    return or_no_memory(remember(c, url, &note), err);
}

dp_err dp_cache_put(dp_cache *c, dp_str url, const dp_note *note, dp_error *err)
{
    put_note(begin_line(c), url, note);
    DP_TRY(write_line(c, err));
    return or_no_memory(remember(c, url, note), err);
}

dp_err dp_cache_put_robots(dp_cache *c, dp_str origin, dp_str rules, int64_t time, dp_error *err)
{
    dp_buf *b = begin_line(c);
    dp_buf_printf(b, "bots %" PRId64 " ", time);
    put_word(b, origin);
    dp_buf_byte(b, ' ');
    put_word(b, rules);
    DP_TRY(write_line(c, err));
    return or_no_memory(remember_robots(c, origin, rules), err);
}

dp_err dp_cache_sync(dp_cache *c, dp_error *err)
{
    if (!c->dirty || c->fd < 0)
        return DP_OK;
    if (fdatasync(c->fd) != 0)
        return fail(c, DP_EIO, err, strerror(errno));
    c->dirty = false;
    return DP_OK;
}
