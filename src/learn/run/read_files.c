/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/run/read_files.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/number.h"
#include "store/pack.h"

enum { BLOCK = 256 << 10 /* bytes, about */, BLOCKS = 4 /* of a file that may wait */, OFTEN = 1024 /* records */ };

/* ---- one file, or one after another ------------------------------------------------------------------------- */

/* What is done with each fact, and how far the reading is. */
typedef struct sink {
    dp_err (*put)(void *ctx, const dp_fact *f, dp_error *err);
    dp_err (*far)(void *ctx, const dp_reader *r);
    void    *ctx;
    uint64_t limit; /* records to read */
    uint64_t total[DP_FACT_COUNTS], bad;
    dp_error *why; /* [most] */
    size_t    nwhy, most;
} sink;

static dp_err read_records(sink *s, dp_reader *r, dp_fact_maker *maker, dp_error *err)
{
    for (uint64_t n = 0; n < s->limit; n++) {
        dp_record rec;
        dp_fact   f, from;
        bool      more, any;
        DP_TRY(dp_reader_next(r, &rec, &more, err));
        if (!more)
            return DP_OK;
        DP_TRY(dp_fact_make(maker, &f, &rec, &any));
        if (any)
            DP_TRY(s->put(s->ctx, &f, err));
        if (any && dp_fact_followed(maker, &f, &from))
            DP_TRY(s->put(s->ctx, &from, err));
        if (n % OFTEN == 0)
            DP_TRY(s->far(s->ctx, r));
    }
    return DP_OK;
}

static dp_err read_files(sink *s, const char *const *paths, size_t count, const dp_reader_options *how, dp_error *err)
{
    dp_reader    *r;
    dp_fact_maker maker = {0};
    DP_TRY(dp_reader_open(&r, paths, count, how, err));
    dp_err code = read_records(s, r, &maker, err);
    s->bad = dp_reader_bad(r);
    while (s->nwhy < s->most && dp_reader_bad_line(r, s->nwhy, &s->why[s->nwhy]))
        s->nwhy++;
    memcpy(s->total, maker.total, sizeof s->total);
    s->total[DP_FACT_RECORDS] += dp_reader_no_pages(r);
    s->total[DP_FACT_NOT_PAGES] += dp_reader_no_pages(r);
    dp_reader_close(r);
    dp_fact_maker_done(&maker);
    return code;
}

static dp_err hand_on(void *ctx, const dp_fact *f, dp_error *err)
{
    dp_read_files *in = ctx;
    (void)err; /* whoever takes them says it himself */
    return in->take(in->ctx, f);
}

static dp_err say(void *ctx, const dp_reader *r)
{
    dp_read_files *in = ctx;
    return in->tell(in->ctx, dp_reader_done(r), dp_reader_total(r));
}

/* Whether not all records are read. */
static bool is_part(const dp_read_files *in)
{
    return in->first > 0 && in->first < 1;
}

/* The records of all files. */
static dp_err count_records(uint64_t *out, dp_read_files *in, const char *const *paths, size_t count, dp_error *err)
{
    dp_reader_options how = in->how;
    dp_reader        *r;
    dp_record         rec;
    bool              more;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(paths[i], "-") == 0)
            return dp_fail(err, DP_EINVALID, "--first needs files, not standard input: they are read twice");
    }
    how.want_body = false;
    DP_TRY(dp_reader_open(&r, paths, count, &how, err));
    dp_err code;
    for (*out = 0; (code = dp_reader_next(r, &rec, &more, err)) == DP_OK && more; ++*out) {
        if (*out % OFTEN == 0 && (code = say(in, r)) != DP_OK)
            break;
    }
    dp_reader_close(r);
    return code;
}

static dp_err read_alone(dp_read_files *in, const char *const *paths, size_t count, dp_error *err)
{
    sink s = {.put = hand_on, .far = say, .ctx = in, .limit = UINT64_MAX, .why = in->why, .most = in->most};
    if (is_part(in)) {
        DP_TRY(count_records(&s.limit, in, paths, count, err));
        s.limit = dp_first_of(in->first, s.limit);
    }
    dp_err code = read_files(&s, paths, count, &in->how, err);
    memcpy(in->total, s.total, sizeof in->total);
    in->bad = s.bad;
    in->nwhy = s.nwhy;
    return code;
}

/* ---- several at a time ---------------------------------------------------------------------------------------- */

/* A file that is read on some thread. */
typedef struct feed {
    struct reading *all;
    const char     *path;
    dp_buf          open;          /* the block that grows; of the thread that reads */
    dp_buf          block[BLOCKS]; /* [n] from `first` on, in a circle: they wait to be taken */
    unsigned        first, n;
    uint64_t        done;          /* bytes of the file */
    sink            sink;
    bool            ended;
    dp_err          code;
    dp_error        err;
} feed;

typedef struct reading {
    dp_read_files  *in;
    feed           *v;           /* [count] */
    size_t          count, next; /* next: the first that nobody reads */
    uint64_t        size;        /* of all files; 0: not known */
    bool            stop;
    pthread_mutex_t lock;
    pthread_cond_t  change;
} reading;

/* Let a block wait to be taken, as soon as there is room. */
static dp_err pass(feed *f)
{
    reading *all = f->all;
    if (!f->open.n)
        return DP_OK;
    pthread_mutex_lock(&all->lock);
    while (f->n == BLOCKS && !all->stop)
        pthread_cond_wait(&all->change, &all->lock);
    bool stop = all->stop;
    if (!stop) {
        dp_buf *to = &f->block[(f->first + f->n++) % BLOCKS], empty = *to;
        *to = f->open;
        f->open = empty;
        dp_buf_reset(&f->open);
        pthread_cond_broadcast(&all->change);
    }
    pthread_mutex_unlock(&all->lock);
    return stop ? DP_EINVALID : DP_OK;
}

static dp_err put(void *ctx, const dp_fact *fact, dp_error *err)
{
    feed *f = ctx;
    (void)err;
    dp_pack_fact(&f->open, fact, 0);
    if (f->open.failed)
        return DP_ENOMEM;
    return f->open.n < BLOCK ? DP_OK : pass(f);
}

static dp_err note_done(void *ctx, const dp_reader *r)
{
    feed *f = ctx;
    pthread_mutex_lock(&f->all->lock);
    f->done = dp_reader_done(r);
    bool stop = f->all->stop;
    pthread_mutex_unlock(&f->all->lock);
    return stop ? DP_EINVALID : DP_OK;
}

static void *work(void *arg)
{
    reading *all = arg;
    pthread_mutex_lock(&all->lock);
    while (all->next < all->count && !all->stop) {
        feed *f = &all->v[all->next++];
        pthread_mutex_unlock(&all->lock);
        dp_err code = read_files(&f->sink, &f->path, 1, &all->in->how, &f->err);
        dp_err passed = pass(f); /* what was read before an error is used */
        pthread_mutex_lock(&all->lock);
        f->code = code == DP_OK ? passed : code;
        f->ended = true;
        pthread_cond_broadcast(&all->change);
    }
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

/* ---- taking ----------------------------------------------------------------------------------------------------- */

static dp_err take_block(dp_read_files *in, dp_str rest)
{
    while (rest.n) {
        dp_fact  f;
        uint32_t none;
        if (!dp_unpack_fact(&rest, &f, &none))
            return DP_EIO;
        DP_TRY(in->take(in->ctx, &f));
    }
    return DP_OK;
}

/* Take what waits of a file until it has ended. The lock is held at both ends. */
static dp_err take_file(reading *all, feed *f)
{
    dp_read_files *in = all->in;
    dp_err         code = DP_OK;
    while (code == DP_OK && (f->n || !f->ended)) {
        uint64_t done = 0;
        if (!f->n) {
            pthread_cond_wait(&all->change, &all->lock);
            continue;
        }
        for (size_t i = 0; i < all->count; i++)
            done += all->v[i].done;
        dp_buf *block = &f->block[f->first];
        pthread_mutex_unlock(&all->lock); /* the block stays: it counts as waiting until it is taken */
        code = take_block(in, dp_buf_view(block));
        if (code == DP_OK)
            code = in->tell(in->ctx, done, all->size);
        pthread_mutex_lock(&all->lock);
        f->first = (f->first + 1) % BLOCKS;
        f->n--;
        pthread_cond_broadcast(&all->change);
    }
    return code;
}

/* What was counted in a file that has ended. */
static void add_counts(dp_read_files *in, feed *f)
{
    for (size_t k = 0; k < DP_FACT_COUNTS; k++)
        in->total[k] += f->sink.total[k];
    in->bad += f->sink.bad;
    for (size_t k = 0; k < f->sink.nwhy && in->nwhy < in->most; k++)
        in->why[in->nwhy++] = f->sink.why[k];
}

static dp_err take_all(reading *all, dp_error *err)
{
    dp_err code = DP_OK;
    pthread_mutex_lock(&all->lock);
    for (size_t i = 0; i < all->count && code == DP_OK; i++) {
        feed *f = &all->v[i];
        code = take_file(all, f);
        if (code != DP_OK)
            break;
        add_counts(all->in, f);
        code = f->code;
        if (code != DP_OK && err)
            *err = f->err;
    }
    all->stop = true;
    pthread_cond_broadcast(&all->change);
    pthread_mutex_unlock(&all->lock);
    return code;
}

/* ---- all together ----------------------------------------------------------------------------------------------- */

static uint64_t size_of(const char *const *paths, size_t count)
{
    uint64_t    sum = 0;
    struct stat st;
    for (size_t i = 0; i < count; i++) {
        if (stat(paths[i], &st) != 0 || !S_ISREG(st.st_mode))
            return 0;
        sum += (uint64_t)st.st_size;
    }
    return sum;
}

static dp_err open_feeds(reading *all, const char *const *paths)
{
    if (!(all->v = calloc(all->count, sizeof *all->v)))
        return DP_ENOMEM;
    for (size_t i = 0; i < all->count; i++) {
        feed *f = &all->v[i];
        *f = (feed){.all = all, .path = paths[i],
                    .sink = {.put = put, .far = note_done, .ctx = f, .limit = UINT64_MAX, .most = all->in->most}};
        if (!(f->sink.why = calloc(f->sink.most + 1, sizeof *f->sink.why)))
            return DP_ENOMEM;
    }
    return DP_OK;
}

static void close_feeds(reading *all)
{
    for (size_t i = 0; all->v && i < all->count; i++) {
        feed *f = &all->v[i];
        dp_buf_done(&f->open);
        for (size_t k = 0; k < BLOCKS; k++)
            dp_buf_done(&f->block[k]);
        free(f->sink.why);
    }
    free(all->v);
}

static dp_err read_together(dp_read_files *in, const char *const *paths, size_t count, dp_error *err)
{
    reading    all = {.in = in, .count = count, .size = size_of(paths, count)};
    size_t     want = in->threads < count ? in->threads : count, started = 0;
    pthread_t *thread = malloc(want * sizeof *thread);
    dp_err     code = thread ? open_feeds(&all, paths) : DP_ENOMEM;
    pthread_mutex_init(&all.lock, NULL);
    pthread_cond_init(&all.change, NULL);
    while (code == DP_OK && started < want && pthread_create(&thread[started], NULL, work, &all) == 0)
        started++;
    if (code == DP_OK)
        code = started ? take_all(&all, err) : dp_fail(err, DP_EIO, "cannot start a thread");
    for (size_t i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    pthread_cond_destroy(&all.change);
    pthread_mutex_destroy(&all.lock);
    close_feeds(&all);
    free(thread);
    return code;
}

dp_err dp_read_files_run(dp_read_files *in, const char *const *paths, size_t count, dp_error *err)
{
    bool together = count > 1 && in->threads > 1 && !is_part(in);
    return together ? read_together(in, paths, count, err) : read_alone(in, paths, count, err);
}
