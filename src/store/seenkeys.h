/* store/seenkeys.h - a set of keys in an LMDB file, each with a note.
 *
 *     key of 1 to 511 bytes ──► "keys"   key → note
 *     longer, or empty      ──► "long"   128-bit hash, number → key            where there are no notes
 *                                                             → size of key, key, note
 *
 * store/seen.h has two of them: the keys that were seen, and the URLs that were left out.
 *
 * Invariants:
 *   - Keys are compared in full. Where long ones have one hash, each is an entry of its own, numbered from 0 without
 *     gaps.
 *   - Codes are those of LMDB. The pages on the way to a key must have been looked at (dp_pages_check_keys).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_STORE_SEENKEYS_H
#define DP_STORE_SEENKEYS_H

#include <lmdb.h>

#include "base/buf.h"
#include "base/secret.h"
#include "store/pages.h"

typedef struct dp_seen_keys {
    const char *name, *long_name; /* of the tables */
    MDB_dbi     shorts, longs;
    size_t      max;   /* bytes of a key that `shorts` can hold */
    bool        notes, alike; /* alike, in tests: all long keys have one hash */
    dp_secret   secret;
    dp_pages   *pages;
    dp_buf      made; /* an entry of `longs` */
} dp_seen_keys;

/* What `longs` calls a key: the hash, then its number among those that share it, so that they stand side by side. */
typedef struct dp_long_name {
    unsigned char hash[16];
    unsigned char number[4]; /* the highest byte first */
} dp_long_name;

/* Make the tables, where they are not there. */
int  dp_seen_keys_open(dp_seen_keys *k, MDB_txn *txn);
void dp_seen_keys_done(dp_seen_keys *k);

bool dp_seen_keys_is_long(const dp_seen_keys *k, dp_str key);

/* The first name that a long key may have; it is in `*name`. */
dp_str dp_seen_keys_name(const dp_seen_keys *k, dp_str key, dp_long_name *name);

/* Add a key with its note, unless it is there. */
int dp_seen_keys_put(dp_seen_keys *k, MDB_txn *txn, dp_str key, dp_str note, bool *fresh);

/* The note of a key, until something is written; MDB_NOTFOUND. */
int dp_seen_keys_get(dp_seen_keys *k, MDB_txn *txn, dp_str key, dp_str *note);

/* Give a key that is there another note. */
int dp_seen_keys_set(dp_seen_keys *k, MDB_txn *txn, dp_str key, dp_str note);

/* How many keys there are, and how many pages they take. */
int dp_seen_keys_count(const dp_seen_keys *k, MDB_txn *txn, uint64_t *count, size_t *pages);

/* ---- all of them, while some are put in, changed and dropped ---------------------------------------------- */

/* Zeroed but for `k` and `txn` it stands before the first. To be done with before the transaction ends. */
typedef struct dp_seen_visit {
    dp_seen_keys *k;
    MDB_txn      *txn;
    MDB_cursor   *c;
    bool          longs, again; /* again: another entry has come to the place of the last */
    dp_buf        name, entry;  /* copies, since the tree moves under us */
} dp_seen_visit;

/* The next key, and its note; both until the next one. MDB_NOTFOUND at the end. What is put in meanwhile may be met. */
int  dp_seen_visit_next(dp_seen_visit *v, dp_str *key, dp_str *note);
int  dp_seen_visit_drop(dp_seen_visit *v); /* the one that was last met */
void dp_seen_visit_done(dp_seen_visit *v);

#endif
