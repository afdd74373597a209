/* SPDX-License-Identifier: Apache-2.0 */
#include "store/seenkeys.h"

#include <errno.h>

#include "base/hash.h"

int dp_seen_keys_open(dp_seen_keys *k, MDB_txn *txn)
{
    int code = mdb_dbi_open(txn, k->name, MDB_CREATE, &k->shorts);
    return code ? code : mdb_dbi_open(txn, k->long_name, MDB_CREATE, &k->longs);
}

void dp_seen_keys_done(dp_seen_keys *k)
{
    dp_buf_done(&k->made);
}

int dp_seen_keys_count(const dp_seen_keys *k, MDB_txn *txn, uint64_t *count, size_t *pages)
{
    MDB_stat shorts, longs;
    int      code = mdb_stat(txn, k->shorts, &shorts);
    if (code || (code = mdb_stat(txn, k->longs, &longs)))
        return code;
    *count = shorts.ms_entries + longs.ms_entries;
    *pages = shorts.ms_branch_pages + shorts.ms_leaf_pages + shorts.ms_overflow_pages + longs.ms_branch_pages +
             longs.ms_leaf_pages + longs.ms_overflow_pages;
    return 0;
}

/* ---- long keys ------------------------------------------------------------------------------------------- */

bool dp_seen_keys_is_long(const dp_seen_keys *k, dp_str key)
{
    return key.n == 0 || key.n > k->max;
}

static void set_number(dp_long_name *name, uint32_t number)
{
    for (size_t i = 0; i < sizeof name->number; i++)
        name->number[i] = (unsigned char)(number >> (24 - 8 * i));
}

dp_str dp_seen_keys_name(const dp_seen_keys *k, dp_str key, dp_long_name *name)
{
    XXH128_canonical_t bytes;
    dp_hash128         h = dp_secret_hash128(&k->secret, k->alike ? (dp_str){"", 0} : key);
    XXH128_canonicalFromHash(&bytes, (XXH128_hash_t){h.lo, h.hi});
    memcpy(name->hash, bytes.digest, sizeof name->hash);
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
static int get_long(dp_seen_keys *k, MDB_txn *txn, const dp_long_name *name, MDB_val *entry)
{
    MDB_val at = {sizeof *name, (void *)(uintptr_t)name};
    dp_str  one = {(const char *)name, sizeof *name};
    int     code = dp_pages_check_keys(k->pages, txn, k->long_name, next_name, &one);
    return code ? code : mdb_get(txn, k->longs, &at, entry);
}

/* Take an entry of `longs` apart. */
static int read_long(const dp_seen_keys *k, dp_str entry, dp_str *key, dp_str *note)
{
    uint32_t size = (uint32_t)entry.n;
    *key = entry;
    *note = DP_STR("");
    if (!k->notes)
        return 0;
    if (entry.n < sizeof size)
        return MDB_CORRUPTED;
    memcpy(&size, entry.p, sizeof size);
    if (size > entry.n - sizeof size)
        return MDB_CORRUPTED;
    *key = dp_str_cut(entry, sizeof size, sizeof size + size);
    *note = dp_str_cut(entry, sizeof size + size, entry.n);
    return 0;
}

/* Put one together; it is in k->made where keys have notes. */
static int make_long(dp_seen_keys *k, dp_str key, dp_str note, MDB_val *entry)
{
    uint32_t size = (uint32_t)key.n;
    *entry = (MDB_val){key.n, (void *)(uintptr_t)key.p};
    if (!k->notes)
        return 0;
    dp_buf_reset(&k->made);
    dp_buf_add(&k->made, (const char *)&size, sizeof size);
    dp_buf_str(&k->made, key);
    dp_buf_str(&k->made, note);
    *entry = (MDB_val){k->made.n, k->made.p};
    return k->made.failed ? ENOMEM : 0;
}

/* Find a key: its name, or the first that is free. The pages of the first that it may have were looked at. */
static int find_long(dp_seen_keys *k, MDB_txn *txn, dp_str key, dp_long_name *name, dp_str *note, bool *found)
{
    MDB_val entry, at = {sizeof *name, name};
    dp_str  there = {0};
    dp_seen_keys_name(k, key, name);
    int code = mdb_get(txn, k->longs, &at, &entry);
    for (uint32_t number = 1; code == 0; number++) {
        if ((code = read_long(k, (dp_str){entry.mv_data, entry.mv_size}, &there, note)) || dp_str_eq(there, key))
            break;
        set_number(name, number);
        code = number ? get_long(k, txn, name, &entry) : MDB_MAP_FULL;
    }
    *found = code == 0;
    return code == MDB_NOTFOUND ? 0 : code;
}

/* Add one, or (`over`) give it another note. */
static int put_long(dp_seen_keys *k, MDB_txn *txn, dp_str key, dp_str note, bool over, bool *fresh)
{
    dp_long_name name;
    dp_str       before;
    bool         found;
    MDB_val      at = {sizeof name, &name}, entry;
    int          code = find_long(k, txn, key, &name, &before, &found);
    *fresh = code == 0 && !found;
    if (code == 0 && found == over)
        code = make_long(k, key, note, &entry);
    return code == 0 && found == over ? mdb_put(txn, k->longs, &at, &entry, 0) : code;
}

/* Take an entry out by its name. The last of the same hash takes its place: `*again` says whether one has. */
static int drop_long(dp_seen_keys *k, MDB_txn *txn, dp_str which, bool *again)
{
    dp_long_name last, name;
    MDB_val      entry, at = {sizeof name, &name}, end = {sizeof last, &last};
    uint32_t     number = 0;
    int          code;
    *again = false;
    if (which.n != sizeof name)
        return MDB_CORRUPTED;
    memcpy(&name, which.p, sizeof name);
    for (size_t i = 0; i < sizeof name.number; i++)
        number = number << 8 | name.number[i];
    last = name;
    do
        set_number(&last, ++number);
    while ((code = get_long(k, txn, &last, &entry)) == 0);
    if (code != MDB_NOTFOUND)
        return code;
    set_number(&last, number - 1);
    if (memcmp(&last, &name, sizeof name) != 0) {
        dp_buf moved = {0};
        if ((code = get_long(k, txn, &last, &entry)) == 0)
            dp_buf_add(&moved, entry.mv_data, entry.mv_size);
        entry = (MDB_val){moved.n, moved.p};
        if (code == 0)
            code = moved.failed ? ENOMEM : mdb_put(txn, k->longs, &at, &entry, 0);
        dp_buf_done(&moved);
        if (code)
            return code;
        *again = true;
    }
    return mdb_del(txn, k->longs, &end, NULL);
}

/* ---- all keys ---------------------------------------------------------------------------------------------- */

static MDB_val val_of(dp_str text)
{
    return (MDB_val){text.n, (void *)(uintptr_t)text.p};
}

int dp_seen_keys_put(dp_seen_keys *k, MDB_txn *txn, dp_str key, dp_str note, bool *fresh)
{
    if (dp_seen_keys_is_long(k, key))
        return put_long(k, txn, key, note, false, fresh);
    MDB_val at = val_of(key), value = val_of(note);
    int     code = mdb_put(txn, k->shorts, &at, &value, MDB_NOOVERWRITE);
    *fresh = code == 0;
    return code == MDB_KEYEXIST ? 0 : code;
}

int dp_seen_keys_get(dp_seen_keys *k, MDB_txn *txn, dp_str key, dp_str *note)
{
    MDB_val      at = val_of(key), value;
    dp_long_name name;
    bool         found;
    int          code;
    if (dp_seen_keys_is_long(k, key)) {
        code = find_long(k, txn, key, &name, note, &found);
        return code || found ? code : MDB_NOTFOUND;
    }
    code = mdb_get(txn, k->shorts, &at, &value);
    if (code == 0)
        *note = (dp_str){value.mv_data, value.mv_size};
    return code;
}

int dp_seen_keys_set(dp_seen_keys *k, MDB_txn *txn, dp_str key, dp_str note)
{
    MDB_val at = val_of(key), value = val_of(note);
    bool    fresh;
    return dp_seen_keys_is_long(k, key) ? put_long(k, txn, key, note, true, &fresh)
                                        : mdb_put(txn, k->shorts, &at, &value, 0);
}

/* ---- all of them ------------------------------------------------------------------------------------------- */

/* Go to the first entry of a tree behind v->name, or to that again. */
static int next_entry(dp_seen_visit *v)
{
    MDB_val name = {v->name.n, v->name.p}, value;
    int     code = v->c ? 0 : mdb_cursor_open(v->txn, v->longs ? v->k->longs : v->k->shorts, &v->c);
    if (code == 0)
        code = mdb_cursor_get(v->c, &name, &value, v->name.n ? MDB_SET_RANGE : MDB_FIRST);
    if (code == 0 && !v->again && dp_str_eq(dp_buf_view(&v->name), (dp_str){name.mv_data, name.mv_size}))
        code = mdb_cursor_get(v->c, &name, &value, MDB_NEXT);
    if (code)
        return code;
    dp_buf_reset(&v->name);
    dp_buf_reset(&v->entry);
    dp_buf_add(&v->name, name.mv_data, name.mv_size);
    dp_buf_add(&v->entry, value.mv_data, value.mv_size);
    v->again = false;
    return v->name.failed || v->entry.failed ? ENOMEM : 0;
}

int dp_seen_visit_next(dp_seen_visit *v, dp_str *key, dp_str *note)
{
    int code = next_entry(v);
    if (code == MDB_NOTFOUND && !v->longs) {
        mdb_cursor_close(v->c);
        dp_buf_reset(&v->name);
        v->c = NULL;
        v->longs = true;
        code = next_entry(v);
    }
    if (code)
        return code;
    if (v->longs)
        return read_long(v->k, dp_buf_view(&v->entry), key, note);
    *key = dp_buf_view(&v->name);
    *note = dp_buf_view(&v->entry);
    return 0;
}

int dp_seen_visit_drop(dp_seen_visit *v)
{
    MDB_val name = {v->name.n, v->name.p};
    return v->longs ? drop_long(v->k, v->txn, dp_buf_view(&v->name), &v->again)
                    : mdb_del(v->txn, v->k->shorts, &name, NULL);
}

void dp_seen_visit_done(dp_seen_visit *v)
{
    mdb_cursor_close(v->c); /* NULL is nothing to it */
    dp_buf_done(&v->name);
    dp_buf_done(&v->entry);
    *v = (dp_seen_visit){0};
}
