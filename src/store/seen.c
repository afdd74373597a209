/* SPDX-License-Identifier: Apache-2.0 */
#include "store/seen.h"

#include <errno.h>
#include <stdlib.h>

#include "base/room.h"
#include "store/lmdbfile.h"
#include "store/rollback.h"

const char dp_seen_magic[] = "dustpan-seen 2";

static const char before[] = "dustpan-seen 1", secret_name[] = "secret", remembers[] = "remembers";

static const dp_pages_table tables[] = {
    {"keys", false}, {"long", false}, {"meta", false}, {"hidden", false}, {"hidden long", false},
};

dp_err dp_seen_fail(const dp_seen *s, int code, dp_error *err)
{
    if (code == MDB_INCOMPATIBLE)
        return dp_fail_at(err, DP_EINVALID, s->path, 0, 0, "another process has converted its keys to other rules");
    if (code == MDB_VERSION_MISMATCH)
        return dp_fail_at(err, DP_ESYNTAX, s->path, 0, 0,
                          "a seen-set of another version of dustpan; delete it, and every page is fetched once more");
    return dp_lmdb_fail(code, s->path, "a seen-set", err);
}

/* ---- transactions ---------------------------------------------------------------------------- */

/* Begin one; another process may have made the map larger. */
static int begin(dp_seen *s, unsigned flags, MDB_txn **txn)
{
    int code;
    while ((code = mdb_txn_begin(s->env, NULL, flags, txn)) == MDB_MAP_RESIZED) {
        code = mdb_env_set_mapsize(s->env, 0);
        if (code)
            break;
    }
    return code;
}

int dp_seen_check_room(dp_seen *s, MDB_txn *txn, size_t pages)
{
    MDB_envinfo info;
    MDB_stat    stat;
    int         code = mdb_env_info(s->env, &info);
    if (code == 0)
        code = mdb_stat(txn, s->meta, &stat);
    if (code)
        return code;
    return info.me_mapsize / stat.ms_psize > info.me_last_pgno + pages ? 0 : MDB_MAP_FULL;
}

static int double_map(dp_seen *s)
{
    MDB_envinfo info;
    int         code = mdb_env_info(s->env, &info);
    return code                              ? code
           : info.me_mapsize > SIZE_MAX / 2 ? MDB_MAP_FULL
                                             : mdb_env_set_mapsize(s->env, info.me_mapsize * 2);
}

int dp_seen_attempt(dp_seen *s, dp_seen_change what, void *ctx)
{
    for (;;) {
        int code = begin(s, 0, &s->txn);
        if (code == 0)
            code = what(s, s->txn, ctx);
        if (code == 0)
            return 0;
        mdb_txn_abort(s->txn);
        s->txn = NULL;
        if (code == MDB_MAP_FULL)
            code = double_map(s);
        if (code)
            return code;
    }
}

static int finish(dp_seen *s)
{
    MDB_txn *txn = s->txn;
    s->txn = NULL;
    return mdb_txn_commit(txn);
}

int dp_seen_apply(dp_seen *s, dp_seen_change what, void *ctx)
{
    int code;
    while ((code = dp_seen_attempt(s, what, ctx)) == 0 && (code = finish(s)) == MDB_MAP_FULL) {
        if ((code = double_map(s)))
            return code;
    }
    return code;
}

int dp_seen_read(dp_seen *s, dp_seen_change what, void *ctx)
{
    int code = MDB_BAD_TXN;
    for (int i = 0; i < 100 && code == MDB_BAD_TXN; i++) {
        MDB_txn *txn = s->txn;
        if (!txn && (code = begin(s, MDB_RDONLY, &txn)))
            return code;
        code = what(s, txn, ctx);
        if (!s->txn)
            mdb_txn_abort(txn);
    }
    return code;
}

/* ---- open -------------------------------------------------------------------------------------- */

static MDB_val text_of(const char *name)
{
    return (MDB_val){strlen(name), (void *)(uintptr_t)name};
}

/* The set id and the secret that the file holds, and whether it remembers URLs. */
static int read_meta(dp_seen *s, MDB_txn *txn)
{
    MDB_val name = text_of(dp_seen_magic), old = text_of(before), secret = text_of(secret_name), value;
    int     code = mdb_get(txn, s->meta, &name, &value);
    if (code == MDB_NOTFOUND)
        return mdb_get(txn, s->meta, &old, &value) == 0 ? MDB_VERSION_MISMATCH : MDB_INVALID;
    if (code || value.mv_size != sizeof s->set)
        return code ? code : MDB_INVALID;
    memcpy(&s->set, value.mv_data, sizeof s->set);
    code = mdb_get(txn, s->meta, &secret, &value);
    if (code || value.mv_size != sizeof s->secret)
        return code ? code : MDB_CORRUPTED;
    memcpy(&s->secret, value.mv_data, sizeof s->secret);
    name = text_of(remembers);
    code = mdb_get(txn, s->meta, &name, &value);
    s->remembers = code == 0;
    return code == MDB_NOTFOUND ? 0 : code;
}

static int write_meta(dp_seen *s, MDB_txn *txn, uint64_t set)
{
    MDB_dbi  main;
    MDB_stat stat;
    MDB_val  name = text_of(dp_seen_magic), id = {sizeof s->set, &s->set};
    MDB_val  secret = text_of(secret_name), bytes = {sizeof s->secret, &s->secret};
    int      code = mdb_dbi_open(txn, NULL, 0, &main);
    s->set = set;
    if (code == 0 && (code = mdb_stat(txn, main, &stat)) == 0 && stat.ms_entries)
        return MDB_INVALID;
    if (code == 0 && !dp_secret_draw(&s->secret))
        code = errno;
    if (code == 0 && (code = mdb_dbi_open(txn, "meta", MDB_CREATE, &s->meta)) == 0)
        code = mdb_put(txn, s->meta, &name, &id, 0);
    if (code == 0)
        code = mdb_put(txn, s->meta, &secret, &bytes, 0);
    name = text_of(remembers);
    id.mv_size = 0;
    return code || !s->remembers ? code : mdb_put(txn, s->meta, &name, &id, 0);
}

static dp_seen_keys keys_of(dp_seen *s, const char *name, const char *long_name, bool alike)
{
    return (dp_seen_keys){.name = name,
                          .long_name = long_name,
                          .max = (size_t)mdb_env_get_maxkeysize(s->env),
                          .notes = s->remembers,
                          .alike = alike,
                          .secret = s->secret,
                          .pages = &s->pages};
}

typedef struct opening {
    uint64_t set;
    bool     remember, alike;
} opening;

/* Read them. A file without anything in it is new and gets the set id of `ctx`; one that holds something else is not
 * ours. */
static int read_or_write_meta(dp_seen *s, MDB_txn *txn, void *ctx)
{
    const opening *how = ctx;
    int            code = dp_pages_check(&s->pages, txn);
    s->remembers = how->remember;
    if (code == 0)
        code = dp_pages_check_keys(&s->pages, txn, "meta", NULL, NULL);
    if (code)
        return code;
    code = mdb_dbi_open(txn, "meta", 0, &s->meta);
    if (code == 0)
        code = read_meta(s, txn);
    else if (code == MDB_NOTFOUND)
        code = write_meta(s, txn, how->set);
    s->known = keys_of(s, "keys", "long", how->alike);
    s->hidden = keys_of(s, "hidden", "hidden long", how->alike);
    if (code == 0)
        code = dp_seen_keys_open(&s->known, txn);
    return code || !s->remembers ? code : dp_seen_keys_open(&s->hidden, txn);
}

dp_err dp_seen_open_as(dp_seen **out, const dp_seen_how *how, dp_error *err)
{
    dp_seen *s = calloc(1, sizeof *s);
    opening  as = {how->set, (how->flags & DP_SEEN_REMEMBER) != 0, how->alike};
    if (!s || !(s->path = strdup(how->path))) {
        free(s);
        return dp_fail_as(err, DP_ENOMEM);
    }
    s->pages = (dp_pages){.table = tables, .ntable = DP_COUNT(tables), .few = how->few};
    int code = dp_lmdb_open(&s->env, &(dp_lmdb_how){s->path, DP_COUNT(tables), how->map});
    if (code == 0)
        code = dp_seen_apply(s, read_or_write_meta, &as);
    dp_err result = code ? dp_seen_fail(s, code, err) : DP_OK;
    if (result == DP_OK && as.remember && !s->remembers)
        result = dp_fail_at(err, DP_EINVALID, s->path, 0, 0,
                            "was made without --remember: what was left out so far is not known; use another file");
    if (result == DP_OK && s->set != as.set && !(how->flags & DP_SEEN_ANY_SET))
        result = dp_fail_at(err, DP_EINVALID, s->path, 0, 0,
                            "its keys were made with other rules (set %016llx, these are set %016llx)",
                            (unsigned long long)s->set, (unsigned long long)as.set);
    if (result == DP_OK)
        *out = s;
    else
        dp_seen_close(s);
    return result;
}

dp_err dp_seen_open(dp_seen **out, const char *path, uint64_t set, unsigned flags, dp_error *err)
{
    const dp_seen_how how = {path, set, flags, DP_SEEN_FIRST_MAP, DP_PAGES_FEW, false};
    return dp_seen_open_as(out, &how, err);
}

void dp_seen_close(dp_seen *s)
{
    if (!s)
        return;
    dp_seen_forget(s);
    dp_pages_done(&s->pages);
    if (s->env)
        mdb_env_close(s->env);
    dp_seen_keys_done(&s->known);
    dp_seen_keys_done(&s->hidden);
    dp_buf_done(&s->urls);
    dp_buf_done(&s->rules);
    dp_buf_done(&s->note);
    dp_buf_done(&s->wanted);
    free(s->about);
    free(s->order);
    free(s->path);
    free(s);
}

uint64_t dp_seen_set(const dp_seen *s)
{
    return s->set;
}

int dp_seen_remembers(const dp_seen *s)
{
    return s->remembers;
}

/* ---- batches --------------------------------------------------------------------------------------- */

static int by_key(const void *x, const void *y, void *ctx)
{
    uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
    int      c = dp_str_cmp(dp_seen_batch_key(ctx, i), dp_seen_batch_key(ctx, j));
    return c ? c : (i > j) - (i < j);
}

/* Neighbours of the tree one after another: a page is changed once for all its keys. Of a repeated key the first of the
 * batch stays the first. */
static dp_err sort(dp_seen *s, dp_seen_batch *b)
{
    if (b->count > UINT32_MAX)
        return DP_ELIMIT;
    if (!DP_ROOM_FOR(s->order, b->count, s->cap))
        return DP_ENOMEM;
    for (size_t i = 0; i < b->count; i++)
        s->order[i] = (uint32_t)i;
    if (b->count)
        qsort_r(s->order, b->count, sizeof *s->order, by_key, b);
    return DP_OK;
}

/* Whether the file still is of the set that it was opened for: another process may have changed it. */
static int check_set(dp_seen *s, MDB_txn *txn)
{
    MDB_val name = text_of(dp_seen_magic), value;
    int     code = mdb_get(txn, s->meta, &name, &value);
    if (code)
        return code;
    return value.mv_size == sizeof s->set && memcmp(value.mv_data, &s->set, sizeof s->set) == 0 ? 0 : MDB_INCOMPATIBLE;
}

/* More pages than a batch can change: two of each level for each key, those that long keys fill, and some to note what
 * became free. So it cannot fail for want of room after its keys were told to be fresh. */
static int room_for(dp_seen *s, MDB_txn *txn, const dp_seen_batch *b)
{
    MDB_stat stat;
    int      code = mdb_stat(txn, s->known.shorts, &stat);
    if (code)
        return code;
    size_t bytes = (size_t)(b->at[b->count] - b->at[0]);
    size_t pages = b->count * 2 * (stat.ms_depth + 1) + bytes / stat.ms_psize * 2 + 1024;
    if (s->remembers && (code = mdb_stat(txn, s->hidden.shorts, &stat)))
        return code;
    if (s->remembers) /* each URL is one of the two, with a page of its own when it is long */
        pages += s->nabout * 2 * (stat.ms_depth + 2) + (s->urls.n + s->rules.n) / stat.ms_psize * 2;
    return dp_seen_check_room(s, txn, pages);
}

/* The keys of a batch, one after another, as the tables have them. */
typedef struct walk {
    dp_seen             *s;
    const dp_seen_batch *b;
    const uint32_t      *order; /* NULL: as they are */
    size_t               i;
    bool                 longs;
    dp_long_name         name;
} walk;

static bool next_key(void *ctx, dp_str *key)
{
    walk *w = ctx;
    for (; w->i < w->b->count; w->i++) {
        *key = dp_seen_batch_key(w->b, w->order ? w->order[w->i] : w->i);
        if (dp_seen_keys_is_long(&w->s->known, *key) == w->longs)
            break;
    }
    if (w->i++ >= w->b->count)
        return false;
    if (w->longs)
        *key = dp_seen_keys_name(&w->s->known, *key, &w->name);
    return true;
}

/* Look at the pages that a batch will need, before LMDB does. */
static int check_pages(dp_seen *s, MDB_txn *txn, const dp_seen_batch *b, const uint32_t *order)
{
    walk keys = {.s = s, .b = b, .order = order}, longs = {.s = s, .b = b, .order = order, .longs = true};
    int  code = dp_pages_check_keys(&s->pages, txn, s->known.name, next_key, &keys);
    return code ? code : dp_pages_check_keys(&s->pages, txn, s->known.long_name, next_key, &longs);
}

static int add_all(dp_seen *s, MDB_txn *txn, void *ctx)
{
    dp_seen_batch *b = ctx;
    int            wrong = check_set(s, txn);
    if (wrong || (wrong = check_pages(s, txn, b, s->order)) || (wrong = dp_rollback_check_pages(s, txn, b)) ||
        (wrong = room_for(s, txn, b)))
        return wrong;
    for (size_t i = 0; i < b->count; i++) {
        uint32_t now = s->order[i];
        bool     fresh = false, is_out = now < s->nabout && s->about[now].out;
        dp_str   note;
        int      code = dp_rollback_first(s, now, &note);
        if (code == 0 && !is_out)
            code = dp_seen_keys_put(&s->known, txn, dp_seen_batch_key(b, now), note, &fresh);
        if (code)
            return code;
        b->fresh[now] = fresh;
    }
    return dp_rollback_add(s, txn, b);
}

dp_err dp_seen_add(dp_seen *s, const char *keys, const uint64_t *at, size_t count, size_t gap, uint8_t *fresh,
                   dp_error *err)
{
    dp_seen_batch b = {keys, at, count, gap, fresh};
    dp_err        code = DP_OK;
    if (s->txn)
        code = dp_fail_at(err, DP_EINVALID, s->path, 0, 0, "the batch before this one was not committed");
    else if ((code = sort(s, &b)) != DP_OK)
        dp_fail_at(err, code, s->path, 0, 0, "%s", dp_err_name(code));
    int failed = code == DP_OK ? dp_seen_attempt(s, add_all, &b) : 0;
    dp_rollback_reset(s);
    return failed ? dp_seen_fail(s, failed, err) : code;
}

dp_err dp_seen_commit(dp_seen *s, dp_error *err)
{
    dp_seen_visit_done(&s->giving);
    int code = s->txn ? finish(s) : 0;
    return code ? dp_seen_fail(s, code, err) : DP_OK;
}

void dp_seen_forget(dp_seen *s)
{
    dp_seen_visit_done(&s->giving);
    mdb_txn_abort(s->txn); /* NULL is nothing to it */
    s->txn = NULL;
}

static int look_up(dp_seen *s, MDB_txn *txn, void *ctx)
{
    const dp_seen_batch *b = ctx;
    dp_str               note;
    int                  code = check_pages(s, txn, b, NULL);
    for (size_t i = 0; code == 0 && i < b->count; i++) {
        code = dp_seen_keys_get(&s->known, txn, dp_seen_batch_key(b, i), &note);
        b->fresh[i] = code == 0;
        code = code == MDB_NOTFOUND ? 0 : code;
    }
    return code;
}

dp_err dp_seen_has(dp_seen *s, const char *keys, const uint64_t *at, size_t count, size_t gap, uint8_t *has,
                   dp_error *err)
{
    dp_seen_batch b = {keys, at, count, gap, has};
    int           code = dp_seen_read(s, look_up, &b);
    return code ? dp_seen_fail(s, code, err) : DP_OK;
}

/* ---- counts ------------------------------------------------------------------------------------------ */

typedef struct counts {
    uint64_t keys, bytes;
} counts;

static int count(dp_seen *s, MDB_txn *txn, void *ctx)
{
    counts     *c = ctx;
    size_t      pages;
    MDB_envinfo info;
    MDB_stat    stat;
    int         code = dp_seen_keys_count(&s->known, txn, &c->keys, &pages);
    if (code == 0 && (code = mdb_stat(txn, s->meta, &stat)) == 0 && (code = mdb_env_info(s->env, &info)) == 0)
        c->bytes = (uint64_t)(info.me_last_pgno + 1) * stat.ms_psize;
    return code;
}

dp_err dp_seen_count(dp_seen *s, uint64_t *keys, uint64_t *bytes, dp_error *err)
{
    counts c = {0, 0};
    int    code = dp_seen_read(s, count, &c);
    *keys = c.keys;
    *bytes = c.bytes;
    return code ? dp_seen_fail(s, code, err) : DP_OK;
}
