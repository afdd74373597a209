/* SPDX-License-Identifier: Apache-2.0 */
#include "input/bytes/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/bytes/codec.h"

enum { IN_SIZE = 256 << 10 };

static const dp_codec *const codecs[] = {&dp_gzip, &dp_zstd, &dp_bzip2};

struct dp_stream {
    const char     *path; /* the caller's */
    int             fd;
    const dp_codec *codec; /* NULL: plain */
    void           *state;
    uint64_t        done;
    bool            at_end; /* read() has said so */
    dp_err          failed; /* what every further read returns */
    const char     *why;    /* of DP_ESYNTAX */
    size_t          used;   /* by the broken gzip member, before in_p */
    int             number; /* errno of DP_EIO */
    char           *head;   /* decoded bytes that were peeked at; NULL: none */
    size_t          head_at, head_n;
    char           *in_p; /* bytes read and not used yet, inside `in` */
    size_t          in_n;
    char            in[IN_SIZE];
};

static dp_err tell(const dp_stream *s, dp_error *err)
{
    const char *name = dp_path_name(s->path);
    switch (s->failed) {
    case DP_OK: return DP_OK;
    case DP_EIO: return dp_fail_at(err, DP_EIO, name, 0, 0, "cannot read: %s", strerror(s->number));
    case DP_ESYNTAX: return dp_fail_at(err, DP_ESYNTAX, name, 0, 0, "cannot decompress %s: %s", s->codec->name, s->why);
    default: return dp_fail_at(err, s->failed, name, 0, 0, "%s", dp_err_name(s->failed));
    }
}

/* read() that is not disturbed by signals or descriptors that do not wait. */
static dp_err read_some(dp_stream *s, char *to, size_t cap, size_t *n)
{
    *n = 0;
    while (!s->at_end) {
        ssize_t got = read(s->fd, to, cap);
        if (got > 0) {
            *n = (size_t)got;
            s->done += (size_t)got;
            return DP_OK;
        }
        if (got == 0) {
            s->at_end = true;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            poll(&(struct pollfd){.fd = s->fd, .events = POLLIN}, 1, -1);
        } else if (errno != EINTR) {
            s->number = errno;
            return s->failed = DP_EIO;
        }
    }
    return DP_OK;
}

/* How many bytes of `magic` the bytes at hand agree with; 0 when they do not. */
static size_t agreement(dp_str magic, dp_str have)
{
    size_t n = have.n < magic.n ? have.n : magic.n;
    for (size_t i = 0; i < n; i++) {
        if (magic.p[i] != '?' && magic.p[i] != have.p[i])
            return 0;
    }
    return n;
}

/* Read until the first bytes say what it is. A line that begins like no format is
 * never waited for. */
static dp_err recognise(dp_stream *s)
{
    for (bool open = true; open && !s->codec;) {
        size_t n;
        DP_TRY(read_some(s, s->in_p + s->in_n, sizeof s->in - s->in_n, &n));
        s->in_n += n;
        open = false;
        for (size_t i = 0; i < DP_COUNT(codecs) * 2; i++) {
            dp_str magic = codecs[i / 2]->magic[i % 2];
            size_t same = agreement(magic, (dp_str){s->in_p, s->in_n});
            if (same && same == magic.n)
                s->codec = codecs[i / 2];
            else if (same && n)
                open = true;
        }
    }
    return s->codec ? s->failed = s->codec->open(&s->state) : DP_OK;
}

static dp_err open_file(dp_stream *s, dp_error *err)
{
    struct stat st;
    const char *name = dp_path_name(s->path);
    s->fd = strcmp(s->path, "-") == 0 ? STDIN_FILENO : open(s->path, O_RDONLY | O_CLOEXEC);
    if (s->fd < 0)
        return dp_fail_at(err, DP_EIO, name, 0, 0, "cannot open: %s", strerror(errno));
    if (fstat(s->fd, &st) == 0 && S_ISDIR(st.st_mode))
        return dp_fail_at(err, DP_EIO, name, 0, 0, "is a directory");
    posix_fadvise(s->fd, 0, 0, POSIX_FADV_SEQUENTIAL); /* a hint, nothing more */
    return DP_OK;
}

const char *dp_stream_name(const dp_stream *s)
{
    return dp_path_name(s->path);
}

dp_err dp_stream_open(dp_stream **out, const char *path, dp_error *err)
{
    dp_stream *s = malloc(sizeof *s);
    if (!s)
        return dp_fail_at(err, DP_ENOMEM, dp_path_name(path), 0, 0, "out of memory");
    memset(s, 0, offsetof(dp_stream, in));
    s->path = path;
    s->in_p = s->in;
    dp_err code = open_file(s, err);
    if (code == DP_OK && recognise(s) != DP_OK)
        code = tell(s, err);
    if (code != DP_OK) {
        dp_stream_close(s);
        return code;
    }
    *out = s;
    return DP_OK;
}

/* Bytes that recognise() read of a plain file. */
static size_t read_begun(dp_stream *s, char *to, size_t cap)
{
    size_t n = s->in_n < cap ? s->in_n : cap;
    memcpy(to, s->in_p, n);
    s->in_p += n;
    s->in_n -= n;
    return n;
}

/* Run the codec until it gives something. */
static size_t read_decoded(dp_stream *s, char *to, size_t cap)
{
    dp_flow f = {.out = to, .out_n = cap};
    while (s->failed == DP_OK && f.out_n == cap) {
        if (!s->in_n && !s->at_end) {
            /* Behind what is used, while there is room: dp_stream_resume may want to look back. */
            if (s->in_p > s->in + sizeof s->in / 2)
                s->in_p = s->in;
            if (read_some(s, s->in_p, (size_t)(s->in + sizeof s->in - s->in_p), &s->in_n) != DP_OK)
                break;
        }
        f.in = s->in_p;
        f.in_n = s->in_n;
        f.last = s->at_end;
        s->failed = s->codec->run(s->state, &f);
        s->why = f.why;
        s->used = f.used;
        s->in_p += s->in_n - f.in_n;
        s->in_n = f.in_n;
        if (f.last && !f.in_n)
            break;
    }
    return cap - f.out_n;
}

/* Bytes from the file, past those that were peeked at. */
static size_t read_file(dp_stream *s, char *to, size_t cap)
{
    size_t n = 0;
    if (s->failed != DP_OK)
        return 0;
    if (s->codec)
        return read_decoded(s, to, cap);
    if (s->in_n)
        return read_begun(s, to, cap);
    read_some(s, to, cap, &n);
    return n;
}

/* Bytes that were peeked at. */
static size_t read_head(dp_stream *s, char *to, size_t cap)
{
    size_t n = s->head_n - s->head_at < cap ? s->head_n - s->head_at : cap;
    memcpy(to, s->head + s->head_at, n);
    s->head_at += n;
    if (s->head_at == s->head_n) {
        free(s->head);
        s->head = NULL;
    }
    return n;
}

dp_err dp_stream_read(dp_stream *s, char *to, size_t cap, size_t *n, dp_error *err)
{
    *n = s->head ? read_head(s, to, cap) : read_file(s, to, cap);
    return *n ? DP_OK : tell(s, err);
}

dp_err dp_stream_peek(dp_stream *s, size_t want, bool eager, dp_str *head, dp_error *err)
{
    bool again = s->head != NULL; /* then there is all that can be had without waiting */
    if (!again && !(s->head = malloc(want)))
        return dp_fail_at(err, DP_ENOMEM, dp_path_name(s->path), 0, 0, "out of memory");
    while (!again && s->head_n < want) {
        size_t n = read_file(s, s->head + s->head_n, want - s->head_n);
        s->head_n += n;
        if (!n || (eager && memchr(s->head + s->head_n - n, '\n', n)))
            break;
    }
    *head = (dp_str){s->head, s->head_n};
    if (s->head_n)
        return DP_OK;
    free(s->head);
    s->head = NULL;
    *head = DP_STR("");
    return tell(s, err);
}

dp_err dp_stream_check(dp_stream *s, dp_error *err)
{
    enum { BLOCK = 1 << 20 /* bytes: no block of bzip2 holds more */ };
    char   waste[4096];
    size_t read = 0;
    for (size_t n = 1; s->codec && n && read < BLOCK; read += n)
        n = read_file(s, waste, sizeof waste);
    return tell(s, err);
}

/* Drop compressed bytes up to the next three that begin a gzip member. */
static bool find_member(dp_stream *s)
{
    static const char magic[] = {'\x1f', '\x8b', '\x08'};
    for (;;) {
        char *found = memmem(s->in_p, s->in_n, magic, sizeof magic);
        size_t n = found ? (size_t)(found - s->in_p) : s->in_n < sizeof magic ? 0 : s->in_n - sizeof magic + 1;
        s->in_p += n;
        s->in_n -= n;
        if (found)
            return true;
        memmove(s->in, s->in_p, s->in_n);
        s->in_p = s->in;
        if (read_some(s, s->in + s->in_n, sizeof s->in - s->in_n, &n) != DP_OK || !n)
            return false;
        s->in_n += n;
    }
}

bool dp_stream_resume(dp_stream *s)
{
    if (s->failed != DP_ESYNTAX || s->codec != &dp_gzip)
        return false;
    /* The broken one may have swallowed the next: look from its third byte on, where that is still there. */
    size_t there = (size_t)(s->in_p - s->in), back = s->used > 3 ? s->used - 3 : 0;
    back = back < there ? back : there;
    s->in_p -= back;
    s->in_n += back;
    if (!find_member(s))
        return false;
    s->codec->close(s->state);
    s->state = NULL;
    s->failed = s->codec->open(&s->state);
    return true; /* when memory is out, the next read tells it */
}

uint64_t dp_stream_done(const dp_stream *s)
{
    return s->done - s->in_n;
}

void dp_stream_close(dp_stream *s)
{
    if (!s)
        return;
    if (s->state)
        s->codec->close(s->state);
    if (s->fd > STDIN_FILENO)
        close(s->fd);
    free(s->head);
    free(s);
}
