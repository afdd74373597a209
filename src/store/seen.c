/* SPDX-License-Identifier: Apache-2.0 */
#include "store/seen.h"

#include <errno.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/room.h"
#include "store/lmdbfile.h"

const char dp_seen_magic[] = "dustpan-seen 2";

static const char before[] = "dustpan-seen 1", secret_name[] = "secret";

static const dp_pages_table tables[] = {{"keys", false}, {"long", false}, {"meta", false}};

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

static MDB_val text_of(const char *name)
{
    return (MDB_val){strlen(name), (void *)(uintptr_t)name};
}

/* The set id and the secret that the file holds. */
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
    return 0;
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
    return code ? code : mdb_put(txn, s->meta, &secret, &bytes, 0);
}

/* Read them. A file without anything in it is new and gets the set id `*ctx`; one that holds something else is not
 * ours. */
static int read_or_write_meta(dp_seen *s, MDB_txn *txn, void *ctx)
{
    int code = dp_pages_check(&s->pages, txn);
    if (code == 0)
        code = dp_pages_check_keys(&s->pages, txn, "meta", NULL, NULL);
    if (code)
        return code;
    code = mdb_dbi_open(txn, "meta", 0, &s->meta);
    if (code == 0)
        code = read_meta(s, txn);
    else if (code == MDB_NOTFOUND)
        code = write_meta(s, txn, *(uint64_t *)ctx);
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
    s->alike = how->alike;
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

/* What "long" calls a key: the hash, then its number among those that share it, so that they stand side by side. */
typedef struct long_name {
    XXH128_canonical_t hash;
    unsigned char      number[4]; /* the highest byte first */
} long_name;

static void set_number(long_name *name, uint32_t number)
{
    for (size_t i = 0; i < sizeof name->number; i++)
        name->number[i] = (unsigned char)(number >> (24 - 8 * i));
}

/* The first that a key may have. */
static dp_str name_long(const dp_seen *s, dp_str key, long_name *name)
{
    dp_hash128 h = dp_secret_hash128(&s->secret, s->alike ? (dp_str){"", 0} : key);
    XXH128_canonicalFromHash(&name->hash, (XXH128_hash_t){h.lo, h.hi});
    set_number(name, 0);
    return (dp_str){(const char *)name, sizeof *name};
}

static bool next_name(void *ctx, dp_str *key)
{
    dp_str *left = ctx;
    *key = *left;
    *left = (dp_str){0};
    return key->n != 0;
}

/* The entry of a name, with the pages on the way to it looked at; MDB_NOTFOUND. */
static int get_long(dp_seen *s, MDB_txn *txn, const long_name *name, MDB_val *entry)
{
    MDB_val at = {sizeof *name, (void *)(uintptr_t)name};
    dp_str  one = {(const char *)name, sizeof *name};
    int     code = dp_pages_check_keys(&s->pages, txn, "long", next_name, &one);
    return code ? code : mdb_get(txn, s->longs, &at, entry);
}

/* Find a key: its name, or the first that is free. The pages of the first that it may have were looked at. */
static int find_long(dp_seen *s, MDB_txn *txn, dp_str key, long_name *name, bool *found)
{
    MDB_val entry, at = {sizeof *name, name};
    name_long(s, key, name);
    int code = mdb_get(txn, s->longs, &at, &entry);
    for (uint32_t number = 1; code == 0 && !dp_str_eq((dp_str){entry.mv_data, entry.mv_size}, key); number++) {
        set_number(name, number);
        code = number ? get_long(s, txn, name, &entry) : MDB_MAP_FULL;
    }
    *found = code == 0;
    return code == MDB_NOTFOUND ? 0 : code;
}

static int put_long(dp_seen *s, MDB_txn *txn, dp_str key, bool *fresh)
{
    long_name name;
    bool      found;
    MDB_val   at = {sizeof name, &name}, value = {key.n, (void *)(uintptr_t)key.p};
    int       code = find_long(s, txn, key, &name, &found);
    *fresh = code == 0 && !found;
    return *fresh ? mdb_put(txn, s->longs, &at, &value, 0) : code;
}

int dp_seen_drop_long(dp_seen *s, MDB_txn *txn, dp_str which, bool *again)
{
    long_name last, name;
    MDB_val   entry, at = {sizeof name, &name}, end = {sizeof last, &last};
    uint32_t  number = 0;
    int       code;
    *again = false;
    if (which.n != sizeof name)
        return MDB_CORRUPTED;
    memcpy(&name, which.p, sizeof name);
    for (size_t i = 0; i < sizeof name.number; i++)
        number = number << 8 | name.number[i];
    last = name;
    do
        set_number(&last, ++number);
    while ((code = get_long(s, txn, &last, &entry)) == 0);
    if (code != MDB_NOTFOUND)
        return code;
    set_number(&last, number - 1);
    if (memcmp(&last, &name, sizeof name) != 0) {
        dp_buf moved = {0};
        if ((code = get_long(s, txn, &last, &entry)) == 0)
            dp_buf_add(&moved, entry.mv_data, entry.mv_size);
        entry = (MDB_val){moved.n, moved.p};
        if (code == 0)
            code = moved.failed ? ENOMEM : mdb_put(txn, s->longs, &at, &entry, 0);
        dp_buf_done(&moved);
        if (code)
            return code;
        *again = true;
    }
    return mdb_del(txn, s->longs, &end, NULL);
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
    MDB_val name = text_of(dp_seen_magic), value;
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
    long_name          name;
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
        *key = name_long(w->s, *key, &w->name);
    return true;
}

/* Look at the pages that a batch will need, before LMDB does. */
static int check_pages(dp_seen *s, MDB_txn *txn, const batch *b, const uint32_t *order)
{
    walk keys = {.s = s, .b = b, .order = order}, longs = {.s = s, .b = b, .order = order, .longs = true};
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

/* The transaction of the batch, or one of our own: then the pages that `b` (NULL: none) will need are looked at, again
 * as long as others write meanwhile. */
static int begin_to_read(dp_seen *s, const batch *b, MDB_txn **txn)
{
    int code = MDB_BAD_TXN;
    for (int i = 0; i < 100 && code == MDB_BAD_TXN; i++) {
        *txn = s->txn;
        code = *txn ? 0 : begin(s, MDB_RDONLY, txn);
        if (code)
            return code;
        code = b ? check_pages(s, *txn, b, NULL) : 0;
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
        long_name name;
        bool      found;
        dp_str    key = key_of(&b, i);
        MDB_val   entry, short_key = {key.n, (void *)key.p};
        if (is_long(s, key)) {
            code = find_long(s, txn, key, &name, &found);
            has[i] = found;
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

dp_err dp_seen_count(dp_seen *s, uint64_t *count, uint64_t *bytes, dp_error *err)
{
    MDB_txn    *txn;
    MDB_stat    stat, longs;
    MDB_envinfo info;
    int         code = begin_to_read(s, NULL, &txn);
    if (code == 0 && (code = mdb_stat(txn, s->keys, &stat)) == 0 && (code = mdb_stat(txn, s->longs, &longs)) == 0)
        *count = stat.ms_entries + longs.ms_entries;
    if (code == 0 && (code = mdb_env_info(s->env, &info)) == 0)
        *bytes = (uint64_t)(info.me_last_pgno + 1) * stat.ms_psize;
    if (txn && !s->txn)
        mdb_txn_abort(txn);
    return code ? dp_seen_fail(s, code, err) : DP_OK;
}
