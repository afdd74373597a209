/* SPDX-License-Identifier: Apache-2.0 */
#include "store/seen.h"

#include <errno.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/room.h"
#include "store/lmdbfile.h"

const char dp_seen_magic[] = "dustpan-seen 1";

static const dp_pages_table tables[] = {{"keys", false}, {"long", false}, {"meta", false}};

dp_err dp_seen_fail(const dp_seen *s, int code, dp_error *err)
{
    if (code == MDB_INCOMPATIBLE)
        return dp_fail_at(err, DP_EINVALID, s->path, 0, 0, "another process has converted its keys to other rules");
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

/* Whether there is room for `pages` more: MDB_MAP_FULL when there is not. */
static int check_room(dp_seen *s, MDB_txn *txn, size_t pages)
{
    MDB_envinfo info;
    MDB_stat    stat;
    int         code = mdb_env_info(s->env, &info);
    if (code == 0)
        code = mdb_stat(txn, s->keys, &stat);
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

/* Begin a transaction and do something in it, again with a larger map until there is room. It stays open. */
static int attempt(dp_seen *s, dp_seen_change what, void *ctx)
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
    while ((code = attempt(s, what, ctx)) == 0 && (code = finish(s)) == MDB_MAP_FULL) {
        if ((code = double_map(s)))
            return code;
    }
    return code;
}

/* ---- open -------------------------------------------------------------------------------------- */

/* The set id that the file holds. One without anything in it is new and gets `*ctx`; one that holds something else
 * is not ours. */
static int read_or_write_meta(dp_seen *s, MDB_txn *txn, void *ctx)
{
    MDB_dbi  main;
    MDB_stat stat;
    MDB_val  key = {sizeof dp_seen_magic - 1, (void *)dp_seen_magic}, value;
    int      code = dp_pages_check(&s->pages, txn);
    if (code == 0)
        code = dp_pages_check_keys(&s->pages, txn, "meta", NULL, NULL);
    if (code)
        return code;
    code = mdb_dbi_open(txn, "meta", 0, &s->meta);
    if (code == 0) {
        code = mdb_get(txn, s->meta, &key, &value);
        if (code == MDB_NOTFOUND || (code == 0 && value.mv_size != sizeof s->set))
            return MDB_INVALID;
        if (code == 0)
            memcpy(&s->set, value.mv_data, sizeof s->set);
    } else if (code == MDB_NOTFOUND) {
        s->set = *(uint64_t *)ctx;
        value = (MDB_val){sizeof s->set, &s->set};
        if ((code = mdb_dbi_open(txn, NULL, 0, &main)) == 0 && (code = mdb_stat(txn, main, &stat)) == 0 &&
            stat.ms_entries)
            return MDB_INVALID;
        if (code == 0 && (code = mdb_dbi_open(txn, "meta", MDB_CREATE, &s->meta)) == 0)
            code = mdb_put(txn, s->meta, &key, &value, 0);
    }
    if (code == 0)
        code = mdb_dbi_open(txn, "keys", MDB_CREATE, &s->keys);
    if (code == 0)
        code = mdb_dbi_open(txn, "long", MDB_CREATE, &s->longs);
    return code;
}

dp_err dp_seen_open_as(dp_seen **out, const dp_seen_how *how, dp_error *err)
{
    dp_seen *s = calloc(1, sizeof *s);
    uint64_t set = how->set;
    if (!s || !(s->path = strdup(how->path))) {
        free(s);
        return dp_fail_as(err, DP_ENOMEM);
    }
    s->pages = (dp_pages){.table = tables, .ntable = DP_COUNT(tables), .few = how->few};
    int code = dp_lmdb_open(&s->env, &(dp_lmdb_how){s->path, DP_COUNT(tables), how->map});
    if (code == 0) {
        s->max = (size_t)mdb_env_get_maxkeysize(s->env);
        code = dp_seen_apply(s, read_or_write_meta, &set);
    }
    dp_err result = code ? dp_seen_fail(s, code, err) : DP_OK;
    if (result == DP_OK && s->set != set && !(how->flags & DP_SEEN_ANY_SET))
        result = dp_fail_at(err, DP_EINVALID, s->path, 0, 0,
                            "its keys were made with other rules (set %016llx, these are set %016llx)",
                            (unsigned long long)s->set, (unsigned long long)set);
    if (result == DP_OK)
        *out = s;
    else
        dp_seen_close(s);
    return result;
}

dp_err dp_seen_open(dp_seen **out, const char *path, uint64_t set, unsigned flags, dp_error *err)
{
    const dp_seen_how how = {path, set, flags, DP_SEEN_FIRST_MAP, DP_PAGES_FEW};
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
    free(s->order);
    free(s->path);
    free(s);
}

uint64_t dp_seen_set(const dp_seen *s)
{
    return s->set;
}

/* ---- keys ---------------------------------------------------------------------------------------- */

static bool is_long(const dp_seen *s, dp_str key)
{
    return key.n == 0 || key.n > s->max;
}

/* Whether `key` is one of the keys of an entry of "long": length, bytes, length, bytes, ... */
static bool entry_holds(MDB_val entry, dp_str key)
{
    const char *p = entry.mv_data, *end = p + entry.mv_size;
    while ((size_t)(end - p) >= sizeof(uint64_t)) {
        uint64_t n;
        memcpy(&n, p, sizeof n);
        p += sizeof n;
        if (n > (uint64_t)(end - p))
            return false;
        if (dp_str_eq((dp_str){p, (size_t)n}, key))
            return true;
        p += n;
    }
    return false;
}

/* What "long" calls a key. */
static dp_str name_long(dp_str key, XXH128_canonical_t *name)
{
    XXH128_canonicalFromHash(name, XXH3_128bits(key.p, key.n));
    return (dp_str){(const char *)name, sizeof *name};
}

static int find_long(dp_seen *s, MDB_txn *txn, dp_str key, XXH128_canonical_t *name, MDB_val *entry)
{
    name_long(key, name);
    MDB_val at = {sizeof *name, name};
    int     code = mdb_get(txn, s->longs, &at, entry);
    if (code == MDB_NOTFOUND)
        *entry = (MDB_val){0, NULL};
    return code == MDB_NOTFOUND ? 0 : code;
}

/* Add a key to those that share its hash. */
static int put_long(dp_seen *s, MDB_txn *txn, dp_str key, bool *fresh)
{
    XXH128_canonical_t name;
    MDB_val            old, at = {sizeof name, &name};
    uint64_t           n = key.n;
    dp_buf             b = {0};
    int                code = find_long(s, txn, key, &name, &old);
    *fresh = code == 0 && !entry_holds(old, key);
    if (!*fresh)
        return code;
    dp_buf_add(&b, old.mv_data, old.mv_size);
    dp_buf_add(&b, (const char *)&n, sizeof n);
    dp_buf_str(&b, key);
    MDB_val value = {b.n, b.p};
    code = b.failed ? ENOMEM : mdb_put(txn, s->longs, &at, &value, 0);
    dp_buf_done(&b);
    return code;
}

int dp_seen_put(dp_seen *s, MDB_txn *txn, dp_str key, bool *fresh)
{
    if (is_long(s, key))
        return put_long(s, txn, key, fresh);
    MDB_val at = {key.n, (void *)key.p}, nothing = {0, NULL};
    int     code = mdb_put(txn, s->keys, &at, &nothing, MDB_NOOVERWRITE);
    *fresh = code == 0;
    return code == MDB_KEYEXIST ? 0 : code;
}

/* ---- batches --------------------------------------------------------------------------------------- */

typedef struct batch {
    const char     *p;
    const uint64_t *at;
    size_t          count, gap;
    uint8_t        *fresh;
} batch;

static dp_str key_of(const batch *b, size_t i)
{
    return (dp_str){b->p + b->at[i], (size_t)(b->at[i + 1] - b->at[i]) - b->gap};
}

static int by_key(const void *x, const void *y, void *ctx)
{
    uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
    int      c = dp_str_cmp(key_of(ctx, i), key_of(ctx, j));
    return c ? c : (i > j) - (i < j);
}

/* Neighbours of the tree one after another: a page is changed once for all its keys. Of a repeated key the first of the
 * batch stays the first. */
static dp_err sort(dp_seen *s, batch *b)
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
    MDB_val name = {sizeof dp_seen_magic - 1, (void *)dp_seen_magic}, value;
    int     code = mdb_get(txn, s->meta, &name, &value);
    if (code)
        return code;
    return value.mv_size == sizeof s->set && memcmp(value.mv_data, &s->set, sizeof s->set) == 0 ? 0 : MDB_INCOMPATIBLE;
}

/* More pages than a batch can change: two of each level for each key, those that long keys fill, and some to note what
 * became free. So it cannot fail for want of room after its keys were told to be fresh. */
static int room_for(dp_seen *s, MDB_txn *txn, const batch *b)
{
    MDB_stat stat;
    int      code = mdb_stat(txn, s->keys, &stat);
    if (code)
        return code;
    size_t bytes = (size_t)(b->at[b->count] - b->at[0]);
    return check_room(s, txn, b->count * 2 * (stat.ms_depth + 1) + bytes / stat.ms_psize * 2 + 1024);
}

/* The keys of a batch, one after another, as the tables have them. */
typedef struct walk {
    dp_seen           *s;
    const batch       *b;
    const uint32_t    *order; /* NULL: as they are */
    size_t             i;
    bool               longs;
    XXH128_canonical_t name;
} walk;

static bool next_key(void *ctx, dp_str *key)
{
    walk *w = ctx;
    for (; w->i < w->b->count; w->i++) {
        *key = key_of(w->b, w->order ? w->order[w->i] : w->i);
        if (is_long(w->s, *key) == w->longs)
            break;
    }
    if (w->i++ >= w->b->count)
        return false;
    if (w->longs)
        *key = name_long(*key, &w->name);
    return true;
}

/* Look at the pages that a batch will need, before LMDB does. */
static int check_pages(dp_seen *s, MDB_txn *txn, const batch *b, const uint32_t *order)
{
    walk keys = {s, b, order, 0, false, {{0}}}, longs = {s, b, order, 0, true, {{0}}};
    int  code = dp_pages_check_keys(&s->pages, txn, "keys", next_key, &keys);
    return code ? code : dp_pages_check_keys(&s->pages, txn, "long", next_key, &longs);
}

static int add_all(dp_seen *s, MDB_txn *txn, void *ctx)
{
    batch *b = ctx;
    int    wrong = check_set(s, txn);
    if (wrong || (wrong = check_pages(s, txn, b, s->order)) || (wrong = room_for(s, txn, b)))
        return wrong;
    for (size_t i = 0; i < b->count; i++) {
        uint32_t now = s->order[i];
        bool     fresh;
        int      code = dp_seen_put(s, txn, key_of(b, now), &fresh);
        if (code)
            return code;
        b->fresh[now] = fresh;
    }
    return 0;
}

dp_err dp_seen_add(dp_seen *s, const char *keys, const uint64_t *at, size_t count, size_t gap, uint8_t *fresh,
                   dp_error *err)
{
    batch b = {keys, at, count, gap, fresh};
    if (s->txn)
        return dp_fail_at(err, DP_EINVALID, s->path, 0, 0, "the batch before this one was not committed");
    dp_err code = sort(s, &b);
    if (code != DP_OK)
        return dp_fail_at(err, code, s->path, 0, 0, "%s", dp_err_name(code));
    int failed = attempt(s, add_all, &b);
    return failed ? dp_seen_fail(s, failed, err) : DP_OK;
}

dp_err dp_seen_commit(dp_seen *s, dp_error *err)
{
    int code = s->txn ? finish(s) : 0;
    return code ? dp_seen_fail(s, code, err) : DP_OK;
}

void dp_seen_forget(dp_seen *s)
{
    mdb_txn_abort(s->txn); /* NULL is nothing to it */
    s->txn = NULL;
}

/* The transaction of the batch, or one of our own: then the pages that `b` will need (NULL: those of "long") are looked
 * at, again as long as others write meanwhile. */
static int begin_to_read(dp_seen *s, const batch *b, MDB_txn **txn)
{
    int code = MDB_BAD_TXN;
    for (int i = 0; i < 100 && code == MDB_BAD_TXN; i++) {
        *txn = s->txn;
        code = *txn ? 0 : begin(s, MDB_RDONLY, txn);
        if (code)
            return code;
        code = b ? check_pages(s, *txn, b, NULL) : dp_pages_check_keys(&s->pages, *txn, "long", NULL, NULL);
        if (code && !s->txn) {
            mdb_txn_abort(*txn);
            *txn = NULL;
        }
    }
    return code;
}

dp_err dp_seen_has(dp_seen *s, const char *keys, const uint64_t *at, size_t count, size_t gap, uint8_t *has,
                   dp_error *err)
{
    const batch b = {keys, at, count, gap, has};
    MDB_txn    *txn;
    int         code = begin_to_read(s, &b, &txn);
    for (size_t i = 0; code == 0 && i < count; i++) {
        XXH128_canonical_t name;
        dp_str             key = key_of(&b, i);
        MDB_val            entry, short_key = {key.n, (void *)key.p};
        if (is_long(s, key)) {
            code = find_long(s, txn, key, &name, &entry);
            has[i] = code == 0 && entry_holds(entry, key);
        } else {
            code = mdb_get(txn, s->keys, &short_key, &entry);
            has[i] = code == 0;
            code = code == MDB_NOTFOUND ? 0 : code;
        }
    }
    if (txn && !s->txn)
        mdb_txn_abort(txn);
    return code ? dp_seen_fail(s, code, err) : DP_OK;
}

/* ---- counts ------------------------------------------------------------------------------------------ */

/* The keys of "long": an entry has more than one only if two share 128 bits. */
static int count_long(dp_seen *s, MDB_txn *txn, uint64_t *n)
{
    MDB_cursor *c;
    MDB_val     key, entry;
    int         code = mdb_cursor_open(txn, s->longs, &c);
    if (code)
        return code;
    while ((code = mdb_cursor_get(c, &key, &entry, MDB_NEXT)) == 0) {
        for (size_t at = 0; at + sizeof(uint64_t) <= entry.mv_size; (*n)++) {
            uint64_t length;
            memcpy(&length, (char *)entry.mv_data + at, sizeof length);
            at += sizeof length;
            at += length < entry.mv_size - at ? (size_t)length : entry.mv_size - at;
        }
    }
    mdb_cursor_close(c);
    return code == MDB_NOTFOUND ? 0 : code;
}

dp_err dp_seen_count(dp_seen *s, uint64_t *count, uint64_t *bytes, dp_error *err)
{
    MDB_txn    *txn;
    MDB_stat    stat;
    MDB_envinfo info;
    int         code = begin_to_read(s, NULL, &txn);
    if (code == 0 && (code = mdb_stat(txn, s->keys, &stat)) == 0) {
        *count = stat.ms_entries;
        code = count_long(s, txn, count);
    }
    if (code == 0 && (code = mdb_env_info(s->env, &info)) == 0)
        *bytes = (uint64_t)(info.me_last_pgno + 1) * stat.ms_psize;
    if (txn && !s->txn)
        mdb_txn_abort(txn);
    return code ? dp_seen_fail(s, code, err) : DP_OK;
}
