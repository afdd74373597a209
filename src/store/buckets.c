/* SPDX-License-Identifier: Apache-2.0 */
#include "store/buckets.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zstd.h>

#include "base/hash.h"
#include "base/outfile.h"
#include "base/room.h"

enum { FIRST_CHUNK = 2 << 10, LEVEL = 1 /* of zstd: writing must keep up with reading */ };

/* Before each block of a file. */
typedef struct head {
    uint32_t raw, packed; /* bytes */
    uint64_t hash;        /* of the packed ones */
} head;

typedef struct chunk {
    char  *p;
    size_t n, cap;
} chunk;

typedef struct bucket {
    chunk   *v; /* [n]; the last is the one that grows */
    size_t   n, cap;
    int      fd; /* -1: no file */
    uint64_t bytes, size; /* as put; of the file */
} bucket;

struct dp_buckets {
    bucket    *v; /* [n] */
    size_t     n, limit, first;
    size_t     held; /* bytes in chunks */
    bool       spilled;
    dp_folder *folder;
    ZSTD_CCtx *zstd;
    dp_buf     packed;
};

/* ---- files ------------------------------------------------------------------------------------------------ */

static dp_err cannot(const dp_buckets *d, size_t i, const char *what, dp_error *err)
{
    char name[4200];
    dp_folder_name_file(d->folder, d->first + i, name, sizeof name);
    return dp_fail_at(err, DP_EIO, name, 0, 0, "cannot %s a work file: %s; choose another folder with --tmp", what,
                      strerror(errno));
}

static dp_err write_chunk(dp_buckets *d, size_t i, dp_str raw, dp_error *err)
{
    bucket *w = &d->v[i];
    if (w->fd < 0)
        DP_TRY(dp_folder_create(d->folder, d->first + i, &w->fd, err));
    if (!d->zstd && !(d->zstd = ZSTD_createCCtx()))
        return DP_ENOMEM;
    dp_buf_reset(&d->packed);
    size_t most = ZSTD_compressBound(raw.n);
    if (!dp_buf_room(&d->packed, sizeof(head) + most))
        return DP_ENOMEM;
    size_t n = ZSTD_compressCCtx(d->zstd, d->packed.p + sizeof(head), most, raw.p, raw.n, LEVEL);
    if (ZSTD_isError(n))
        return DP_ENOMEM;
    head h = {(uint32_t)raw.n, (uint32_t)n, dp_hash_bytes(d->packed.p + sizeof h, n)};
    memcpy(d->packed.p, &h, sizeof h);
    if (dp_write_all(w->fd, d->packed.p, sizeof h + n, NULL, NULL) != DP_OK)
        return cannot(d, i, "write", err);
    w->size += sizeof h + n;
    return DP_OK;
}

/* Write all chunks of a bucket; the first stays as room for more. */
static dp_err spill(dp_buckets *d, size_t i, dp_error *err)
{
    bucket *w = &d->v[i];
    for (size_t k = 0; k < w->n; k++) {
        if (w->v[k].n)
            DP_TRY(write_chunk(d, i, (dp_str){w->v[k].p, w->v[k].n}, err));
        d->held -= w->v[k].n;
        w->v[k].n = 0;
        if (k) {
            free(w->v[k].p);
            w->v[k] = (chunk){0};
        }
    }
    w->n = w->n ? 1 : 0;
    return DP_OK;
}

/* ---- puts ------------------------------------------------------------------------------------------------- */

dp_err dp_buckets_new(dp_buckets **out, size_t n, size_t limit, dp_folder *folder, size_t first)
{
    dp_buckets *d = calloc(1, sizeof *d);
    if (!d || !(d->v = calloc(n + 1, sizeof *d->v))) {
        free(d);
        return DP_ENOMEM;
    }
    d->n = n;
    d->limit = limit;
    d->folder = folder;
    d->first = first;
    for (size_t i = 0; i < n; i++)
        d->v[i].fd = -1;
    *out = d;
    return DP_OK;
}

/* A chunk that `more` bytes fit into, behind all others. */
static chunk *find_room(bucket *w, size_t more)
{
    chunk *last = w->n ? &w->v[w->n - 1] : NULL;
    size_t need = (last && last->n + more <= DP_CHUNK ? last->n : 0) + more;
    if (last && need <= last->cap && need > more)
        return last;
    if (!last || (need == more && last->n)) {
        if (w->n == w->cap) { /* there may be a bucket a domain: no more room than this */
            size_t cap = w->cap ? 2 * w->cap : 4;
            if (!DP_RESIZE(w->v, cap))
                return NULL;
            w->cap = cap;
        }
        last = &w->v[w->n];
        *last = (chunk){0};
        w->n++;
    }
    if (need > last->cap) {
        size_t cap = last->cap ? 4 * last->cap : w->n > 1 ? DP_CHUNK : FIRST_CHUNK;
        cap = cap < need ? need : cap > DP_CHUNK && need <= DP_CHUNK ? DP_CHUNK : cap;
        if (!DP_RESIZE(last->p, cap))
            return NULL;
        last->cap = cap;
    }
    return last;
}

dp_err dp_buckets_put(dp_buckets *d, size_t i, dp_str bytes, dp_error *err)
{
    bucket *w = &d->v[i];
    if (d->spilled && w->n && w->v[0].n && w->v[0].n + bytes.n > DP_CHUNK)
        DP_TRY(spill(d, i, err));
    chunk *c = find_room(w, bytes.n);
    if (!c)
        return DP_ENOMEM;
    memcpy(c->p + c->n, bytes.p, bytes.n);
    c->n += bytes.n;
    w->bytes += bytes.n;
    d->held += bytes.n;
    if (d->spilled || d->held <= d->limit)
        return DP_OK;
    d->spilled = true;
    for (size_t k = 0; k < d->n; k++)
        DP_TRY(spill(d, k, err));
    return DP_OK;
}

dp_err dp_buckets_close(dp_buckets *d, dp_error *err)
{
    for (size_t i = 0; d->spilled && i < d->n; i++) {
        bucket *w = &d->v[i];
        DP_TRY(spill(d, i, err));
        if (w->n)
            free(w->v[0].p);
        w->n = 0;
        if (w->fd >= 0 && fsync(w->fd) != 0)
            return cannot(d, i, "write", err);
    }
    ZSTD_freeCCtx(d->zstd);
    d->zstd = NULL;
    dp_buf_done(&d->packed);
    return DP_OK;
}

bool dp_buckets_spilled(const dp_buckets *d)
{
    return d->spilled;
}

uint64_t dp_buckets_bytes(const dp_buckets *d, size_t i)
{
    return d->v[i].bytes;
}

void dp_buckets_empty(dp_buckets *d, size_t i)
{
    bucket *w = &d->v[i];
    for (size_t k = 0; k < w->n; k++)
        free(w->v[k].p);
    free(w->v);
    w->v = NULL;
    w->n = w->cap = 0;
}

void dp_buckets_free(dp_buckets *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < d->n; i++) {
        for (size_t k = 0; k < d->v[i].n; k++)
            free(d->v[i].v[k].p);
        free(d->v[i].v);
        if (d->v[i].fd >= 0)
            close(d->v[i].fd);
    }
    ZSTD_freeCCtx(d->zstd);
    dp_buf_done(&d->packed);
    free(d->v);
    free(d);
}

/* ---- reading ------------------------------------------------------------------------------------------------ */

void dp_bucket_reader_open(dp_bucket_reader *r, dp_buckets *d, size_t i, bool drain)
{
    r->d = d;
    r->bucket = i;
    r->chunk = 0;
    r->at = 0;
    r->drain = drain;
}

static dp_err broken(const dp_bucket_reader *r, dp_error *err)
{
    char name[4200];
    dp_folder_name_file(r->d->folder, r->d->first + r->bucket, name, sizeof name);
    return dp_fail_at(err, DP_EIO, name, 0, 0, "a work file was changed by somebody else; run again");
}

static bool read_at(int fd, char *to, size_t n, uint64_t at)
{
    while (n) {
        ssize_t got = pread(fd, to, n, (off_t)at);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            return false;
        if (got > 0) {
            to += got;
            at += (uint64_t)got;
            n -= (size_t)got;
        }
    }
    return true;
}

static dp_err read_block(dp_bucket_reader *r, dp_str *bytes, dp_error *err)
{
    const bucket *w = &r->d->v[r->bucket];
    head          h;
    if (w->size - r->at < sizeof h || !read_at(w->fd, (char *)&h, sizeof h, r->at))
        return broken(r, err);
    r->at += sizeof h;
    if (h.packed > w->size - r->at || h.packed > ZSTD_compressBound(h.raw))
        return broken(r, err);
    dp_buf_reset(&r->packed);
    dp_buf_reset(&r->raw);
    if (!dp_buf_room(&r->packed, h.packed) || !dp_buf_room(&r->raw, h.raw))
        return DP_ENOMEM;
    if (!read_at(w->fd, r->packed.p, h.packed, r->at) || dp_hash_bytes(r->packed.p, h.packed) != h.hash)
        return broken(r, err);
    r->at += h.packed;
    size_t n = ZSTD_decompress(r->raw.p, h.raw, r->packed.p, h.packed);
    if (ZSTD_isError(n) || n != h.raw)
        return broken(r, err);
    *bytes = (dp_str){r->raw.p, n};
    return DP_OK;
}

dp_err dp_bucket_reader_next(dp_bucket_reader *r, dp_str *bytes, dp_error *err)
{
    bucket *w = &r->d->v[r->bucket];
    *bytes = (dp_str){0};
    if (r->at < w->size)
        return read_block(r, bytes, err);
    if (r->drain && r->chunk) {
        free(w->v[r->chunk - 1].p);
        w->v[r->chunk - 1] = (chunk){0};
    }
    if (r->chunk < w->n) {
        *bytes = (dp_str){w->v[r->chunk].p, w->v[r->chunk].n};
        r->chunk++;
    }
    return DP_OK;
}

void dp_bucket_reader_done(dp_bucket_reader *r)
{
    dp_buf_done(&r->raw);
    dp_buf_done(&r->packed);
    *r = (dp_bucket_reader){0};
}

dp_err dp_buckets_load(dp_buckets **out, size_t n, dp_folder *folder, size_t first, dp_error *err)
{
    dp_buckets *d;
    dp_err      code = DP_OK;
    DP_TRY(dp_buckets_new(&d, n, 0, folder, first));
    d->spilled = true;
    for (size_t i = 0; i < n && code == DP_OK; i++) {
        struct stat st;
        if (!dp_folder_has(folder, first + i))
            continue;
        code = dp_folder_open(folder, first + i, &d->v[i].fd, err);
        if (code == DP_OK && fstat(d->v[i].fd, &st) == 0)
            d->v[i].size = (uint64_t)st.st_size;
    }
    if (code == DP_OK)
        *out = d;
    else
        dp_buckets_free(d);
    return code;
}
