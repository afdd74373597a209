/* SPDX-License-Identifier: Apache-2.0 */
#include "store/state.h"

#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <zstd.h>

#include "base/hash.h"
#include "store/lmdbfile.h"
#include "store/pack.h"
#include "store/pages.h"

enum {
    BLOCK = 256 << 10,    /* bytes of facts in a block, about */
    STEP = 32,            /* blocks a transaction */
    SPARE = 64 << 20,     /* bytes of the map that a transaction may need */
    LEVEL = 3
};

static const char MAGIC[] = "dustpan-state 1";

/* The value of MAGIC in "meta". */
typedef struct head {
    uint32_t version;     /* of store/pack.h */
    uint32_t padding;
    uint64_t first, end;  /* blocks that count */
    uint64_t total[DP_FACT_COUNTS];
} head;

struct dp_statefile {
    MDB_env   *env;
    MDB_txn   *txn; /* of blocks that wait; NULL: none */
    MDB_dbi    meta, blocks, inputs;
    char      *path;
    int        lock; /* descriptor of the file, held by flock; -1: none */
    bool       fresh;
    head       head;
    uint64_t   next;         /* number of the next block */
    unsigned   waiting;      /* blocks in txn */
    ZSTD_CCtx *zstd;
    dp_buf     raw, packed;
    dp_frame   frame;
    uint64_t   sum[2], facts; /* of the facts added: their hashes do not depend on their order */
};

static const dp_pages_table tables[] = {{"meta", false}, {"blocks", true}, {"inputs", false}};

static dp_err fail(const dp_statefile *s, int code, dp_error *err)
{
    return dp_lmdb_fail(code, s->path, "a state of learn", err);
}

static dp_err broken(const dp_statefile *s, dp_error *err)
{
    return fail(s, MDB_CORRUPTED, err);
}

/* ---- lock ------------------------------------------------------------------------------------------------- */

/* Wait until nobody else has the file. */
static dp_err take(dp_statefile *s, const dp_state_how *how, dp_error *err)
{
    while (flock(s->lock, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EINTR)
            continue;
        if (errno != EWOULDBLOCK)
            return dp_fail_at(err, DP_EIO, s->path, 0, 0, "cannot lock the state: %s", strerror(errno));
        if (how->wait)
            DP_TRY(how->wait(how->ctx));
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    }
    return DP_OK;
}

/* The lock of the file that is at the path when we have it: while we waited it may have been removed. */
static dp_err lock(dp_statefile *s, const dp_state_how *how, dp_error *err)
{
    struct stat ours, there;
    for (;;) {
        s->lock = open(s->path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (s->lock < 0 || fstat(s->lock, &ours) != 0)
            return dp_fail_at(err, DP_EIO, s->path, 0, 0, "cannot use the state: %s", strerror(errno));
        if (!S_ISREG(ours.st_mode))
            return dp_fail_at(err, DP_EIO, s->path, 0, 0, "not a file");
        DP_TRY(take(s, how, err));
        if (stat(s->path, &there) == 0 && there.st_ino == ours.st_ino && there.st_dev == ours.st_dev)
            return DP_OK;
        close(s->lock);
    }
}

/* ---- open ------------------------------------------------------------------------------------------------- */

/* Make room for what one transaction may write. */
static int make_room(dp_statefile *s)
{
    MDB_envinfo info;
    MDB_stat    st;
    int         code = mdb_env_info(s->env, &info);
    if (code == 0)
        code = mdb_env_stat(s->env, &st);
    size_t used = code == 0 ? (info.me_last_pgno + 1) * st.ms_psize : 0;
    if (code == 0 && used + SPARE > info.me_mapsize)
        code = mdb_env_set_mapsize(s->env, used + used / 2 + 2 * SPARE);
    return code;
}

static int open_tables(dp_statefile *s, bool *is_state)
{
    MDB_txn *txn;
    dp_pages pages = {.table = tables, .ntable = DP_COUNT(tables)};
    MDB_val  key = {sizeof MAGIC - 1, (void *)(uintptr_t)MAGIC}, value;
    int      code = mdb_txn_begin(s->env, NULL, 0, &txn);
    *is_state = true;
    if (code)
        return code;
    code = dp_pages_check_all(&pages, txn);
    dp_pages_done(&pages);
    if (code == 0)
        code = mdb_dbi_open(txn, "meta", MDB_CREATE, &s->meta);
    if (code == 0)
        code = mdb_dbi_open(txn, "blocks", MDB_CREATE | MDB_INTEGERKEY, &s->blocks);
    if (code == 0)
        code = mdb_dbi_open(txn, "inputs", MDB_CREATE, &s->inputs);
    if (code == 0) {
        code = mdb_get(txn, s->meta, &key, &value);
        if (code == 0 && value.mv_size == sizeof s->head)
            memcpy(&s->head, value.mv_data, sizeof s->head);
        else if (code == MDB_NOTFOUND)
            s->head = (head){.version = DP_PACK_VERSION};
        *is_state = s->head.version == DP_PACK_VERSION;
        code = code == MDB_NOTFOUND ? 0 : code;
    }
    if (code == 0 && *is_state)
        return mdb_txn_commit(txn);
    mdb_txn_abort(txn);
    return code;
}

static dp_err open_env(dp_statefile *s, dp_error *err)
{
    bool is_state = true;
    int  code = dp_lmdb_open(&s->env, &(dp_lmdb_how){s->path, DP_COUNT(tables), 2 * SPARE});
    if (code == 0)
        code = make_room(s);
    if (code == 0)
        code = open_tables(s, &is_state);
    if (code == 0 && !is_state)
        code = MDB_VERSION_MISMATCH;
    return code ? fail(s, code, err) : DP_OK;
}

dp_err dp_statefile_open(dp_statefile **out, const dp_state_how *how, dp_error *err)
{
    dp_statefile *s = calloc(1, sizeof *s);
    if (!s || !(s->path = strdup(how->path))) {
        free(s);
        return DP_ENOMEM;
    }
    s->lock = -1;
    s->fresh = how->fresh;
    dp_err code = lock(s, how, err);
    if (code == DP_OK)
        code = open_env(s, err);
    s->next = s->head.end;
    if (code == DP_OK)
        *out = s;
    else
        dp_statefile_close(s);
    return code;
}

void dp_statefile_close(dp_statefile *s)
{
    if (!s)
        return;
    if (s->txn)
        mdb_txn_abort(s->txn);
    if (s->env)
        mdb_env_close(s->env);
    if (s->lock >= 0)
        close(s->lock);
    ZSTD_freeCCtx(s->zstd);
    dp_frame_done(&s->frame);
    dp_buf_done(&s->raw);
    dp_buf_done(&s->packed);
    free(s->path);
    free(s);
}

/* ---- adding ------------------------------------------------------------------------------------------------ */

static int commit_step(dp_statefile *s)
{
    int code = s->txn ? mdb_txn_commit(s->txn) : 0;
    s->txn = NULL;
    s->waiting = 0;
    return code;
}

/* Blocks have checksums. */
static ZSTD_CCtx *new_zstd(void)
{
    ZSTD_CCtx *z = ZSTD_createCCtx();
    if (z && (ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, LEVEL)) ||
              ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1)))) {
        ZSTD_freeCCtx(z);
        return NULL;
    }
    return z;
}

static dp_err write_block(dp_statefile *s, dp_error *err)
{
    size_t most = ZSTD_compressBound(s->raw.n), n;
    int    code = 0;
    if (!s->raw.n)
        return DP_OK;
    dp_buf_reset(&s->packed);
    if (!dp_buf_room(&s->packed, most) || (!s->zstd && !(s->zstd = new_zstd())))
        return DP_ENOMEM;
    n = ZSTD_compress2(s->zstd, s->packed.p, most, s->raw.p, s->raw.n);
    if (ZSTD_isError(n))
        return DP_ENOMEM;
    if (!s->txn) {
        code = make_room(s);
        if (code == 0)
            code = mdb_txn_begin(s->env, NULL, 0, &s->txn);
    }
    MDB_val key = {sizeof s->next, &s->next}, value = {n, s->packed.p};
    if (code == 0)
        code = mdb_put(s->txn, s->blocks, &key, &value, 0);
    s->next++;
    dp_buf_reset(&s->raw);
    if (code == 0 && ++s->waiting >= STEP)
        code = commit_step(s);
    return code ? fail(s, code, err) : DP_OK;
}

dp_err dp_statefile_add(dp_statefile *s, const dp_fact *f, dp_error *err)
{
    size_t  at = s->raw.n;
    dp_fact kept = dp_fact_without_clients(f);
    dp_pack_fact(&s->raw, &kept, 0);
    if (s->raw.failed)
        return DP_ENOMEM;
    dp_hash128 h = dp_hash128_of(dp_str_cut(dp_buf_view(&s->raw), at, s->raw.n));
    s->sum[0] += h.lo;
    s->sum[1] += h.hi;
    s->facts++;
    return s->raw.n >= BLOCK ? write_block(s, err) : DP_OK;
}

/* The key of this run's facts in "inputs". */
static void name_input(const dp_statefile *s, uint64_t out[3])
{
    out[0] = s->sum[0];
    out[1] = s->sum[1];
    out[2] = s->facts;
}

dp_err dp_statefile_known(dp_statefile *s, bool *known, dp_error *err)
{
    uint64_t name[3];
    MDB_txn *txn;
    MDB_val  key = {sizeof name, name}, value;
    DP_TRY(write_block(s, err));
    int code = commit_step(s);
    if (code == 0)
        code = mdb_txn_begin(s->env, NULL, MDB_RDONLY, &txn);
    if (code)
        return fail(s, code, err);
    name_input(s, name);
    code = s->fresh ? MDB_NOTFOUND : mdb_get(txn, s->inputs, &key, &value);
    mdb_txn_abort(txn);
    *known = code == 0;
    if (*known)
        s->next = s->head.end;
    return code == 0 || code == MDB_NOTFOUND ? DP_OK : fail(s, code, err);
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

static dp_err read_block(dp_statefile *s, MDB_txn *txn, uint64_t number, dp_error *err)
{
    MDB_val key = {sizeof number, &number}, value;
    int     code = mdb_get(txn, s->blocks, &key, &value);
    if (code)
        return code == MDB_NOTFOUND ? broken(s, err) : fail(s, code, err);
    unsigned long long n = ZSTD_getFrameContentSize(value.mv_data, value.mv_size);
    if (n == ZSTD_CONTENTSIZE_ERROR || n == ZSTD_CONTENTSIZE_UNKNOWN || n > (1u << 30))
        return broken(s, err);
    dp_buf_reset(&s->packed);
    if (!dp_buf_room(&s->packed, (size_t)n))
        return DP_ENOMEM;
    s->packed.n = ZSTD_decompress(s->packed.p, (size_t)n, value.mv_data, value.mv_size);
    return ZSTD_isError(s->packed.n) || s->packed.n != n ? broken(s, err) : DP_OK;
}

dp_err dp_statefile_each(dp_statefile *s, dp_err (*call)(void *ctx, const dp_fact *f), void *ctx, dp_error *err)
{
    MDB_txn *txn;
    dp_err   code = DP_OK;
    int      lmdb = mdb_txn_begin(s->env, NULL, MDB_RDONLY, &txn);
    if (lmdb)
        return fail(s, lmdb, err);
    for (uint64_t i = s->fresh ? s->head.end : s->head.first; i < s->head.end && code == DP_OK; i++) {
        code = read_block(s, txn, i, err);
        for (dp_str rest = code == DP_OK ? dp_buf_view(&s->packed) : (dp_str){0}; rest.n && code == DP_OK;) {
            dp_fact  f;
            uint32_t domain;
            code = dp_unpack_fact(&rest, &f, &domain) ? dp_fact_check(&s->frame, &f) : DP_ESYNTAX;
            code = code == DP_OK ? call(ctx, &f) : code == DP_ESYNTAX ? broken(s, err) : code;
        }
    }
    mdb_txn_abort(txn);
    return code;
}

void dp_statefile_count(const dp_statefile *s, uint64_t total[DP_FACT_COUNTS])
{
    for (size_t i = 0; i < DP_FACT_COUNTS && !s->fresh; i++)
        total[i] += s->head.total[i];
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

/* Blocks that count no longer. */
static int drop_old(dp_statefile *s, MDB_txn *txn)
{
    int code = 0;
    for (uint64_t i = s->head.first; s->fresh && i < s->head.end && code == 0; i++) {
        MDB_val key = {sizeof i, &i};
        code = mdb_del(txn, s->blocks, &key, NULL);
    }
    return code == 0 && s->fresh ? mdb_drop(txn, s->inputs, 0) : code;
}

dp_err dp_statefile_commit(dp_statefile *s, const uint64_t total[DP_FACT_COUNTS], dp_error *err)
{
    uint64_t name[3];
    MDB_txn *txn = NULL;
    MDB_val  magic = {sizeof MAGIC - 1, (void *)(uintptr_t)MAGIC}, input = {sizeof name, name}, none = {0, name};
    int      code = make_room(s);
    if (code == 0)
        code = mdb_txn_begin(s->env, NULL, 0, &txn);
    if (code == 0)
        code = drop_old(s, txn);
    s->head.first = s->fresh ? s->head.end : s->head.first;
    s->head.end = s->next;
    memcpy(s->head.total, total, sizeof s->head.total);
    MDB_val value = {sizeof s->head, &s->head};
    name_input(s, name);
    if (code == 0)
        code = mdb_put(txn, s->meta, &magic, &value, 0);
    if (code == 0)
        code = mdb_put(txn, s->inputs, &input, &none, 0);
    if (code == 0)
        return (code = mdb_txn_commit(txn)) ? fail(s, code, err) : DP_OK;
    if (txn)
        mdb_txn_abort(txn);
    return fail(s, code, err);
}
