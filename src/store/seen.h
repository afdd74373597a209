/* store/seen.h - which keys have been seen, over runs and processes: dp_seen of dustpan.h, on LMDB.
 *
 *     keys of one batch ── sorted ──► one transaction: put, unless it is there ──► fresh or not
 *                                                │
 *                        dp_seen_commit ─────────┴──► FILE (the tree), FILE-lock (who writes)
 *
 *     FILE:  "keys"  key → its first URL               1 to 511 bytes, compared in full       (seenkeys.h)
 *            "long"  128-bit hash, number → the same   longer ones and the empty one; those of one hash are numbered
 *            "meta"  "dustpan-seen 2" → set id
 *                    "secret" → bytes                  of the hashes, drawn when the file was made
 *                    "remembers" → nothing             in a file that remembers URLs
 *            "hidden", "hidden long"  URL → rules      that was left out; the same shape (rollback.h)
 *
 * Used by output/sieve.h and by programs; uses nothing but base/ and, to give keys their form under other
 * rules, dp_apply of dustpan.h.
 *
 * Invariants:
 *   - A key counts as seen only if the same bytes were added: no hash decides alone.
 *   - Nobody who has not read the file can make long keys of one hash (base/secret.h). Where some have one, each is an
 *     entry of its own, numbered from 0 without gaps.
 *   - A batch is in the file as a whole or not at all, also after kill -9 or a power failure; a process that
 *     dies while it writes leaves the file as the last commit left it, and the next one goes on.
 *   - One process writes at a time, the others wait; so of all that add a key exactly one is told it is fresh.
 *   - The map doubles when a batch might not fit; it is then begun anew, before anybody was told of it.
 *
 * Memory: the pages that one batch changes, at most 4 KB a key of it; the rest is the system's cache of the
 * file, shared between processes and given back when others need it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_STORE_SEEN_H
#define DP_STORE_SEEN_H

#include <lmdb.h>

#include "base/err.h"
#include "store/seenkeys.h"

enum { DP_SEEN_FIRST_MAP = 64 << 20 };

/* What dp_seen_open is told, and what tests make small. */
typedef struct dp_seen_how {
    const char *path;
    uint64_t    set;
    unsigned    flags;
    size_t      map; /* bytes that a new one has: DP_SEEN_FIRST_MAP */
    size_t      few; /* bytes of a file all pages of which are looked at: DP_PAGES_FEW */
    bool        alike; /* in tests: all long keys have one hash */
} dp_seen_how;

dp_err dp_seen_open_as(dp_seen **out, const dp_seen_how *how, dp_error *err);

/* ---- what store/seen.c and store/rekey.c share; codes are those of LMDB --------------------------------- */

/* What is told of a key of the next batch: the URL that it is of. */
typedef struct dp_seen_url {
    size_t url, rules; /* where they end, in dp_seen.urls and .rules */
    bool   out;       /* it is left out, whether the key is fresh or not: the key is not added */
} dp_seen_url;

struct dp_seen {
    MDB_env      *env;
    MDB_txn      *txn; /* of the batch that waits for its commit; NULL: none */
    MDB_dbi       meta;
    dp_seen_keys  known, hidden;
    uint64_t      set; /* of the rules that its keys were made with */
    bool          remembers;
    dp_secret     secret;
    char         *path;
    dp_pages      pages;
    uint32_t     *order; /* [cap], numbers of the keys of a batch, sorted */
    size_t        cap;
    dp_seen_url  *about; /* [nabout], of the first keys of the next batch */
    size_t        nabout, about_cap;
    dp_buf        urls, rules; /* of `about`; of rules the first four bytes of each id */
    dp_buf        note;
    dp_seen_visit giving; /* URLs that are given back */
    dp_buf        wanted; /* rules of which they are, as in `rules` */
};

/* The keys of a batch. */
typedef struct dp_seen_batch {
    const char     *p;
    const uint64_t *at;
    size_t          count, gap;
    uint8_t        *fresh;
} dp_seen_batch;

static inline dp_str dp_seen_batch_key(const dp_seen_batch *b, size_t i)
{
    return (dp_str){b->p + b->at[i], (size_t)(b->at[i + 1] - b->at[i]) - b->gap};
}

extern const char dp_seen_magic[sizeof "dustpan-seen 2"];

typedef int (*dp_seen_change)(dp_seen *s, MDB_txn *txn, void *ctx);

/* Do something in a transaction, again with a larger map until there is room; it stays open, in s->txn, or is
 * committed. */
int    dp_seen_attempt(dp_seen *s, dp_seen_change what, void *ctx);
int    dp_seen_apply(dp_seen *s, dp_seen_change what, void *ctx);

/* Do something in a reading transaction, or that of the batch, again as long as it ends with MDB_BAD_TXN. */
int    dp_seen_read(dp_seen *s, dp_seen_change what, void *ctx);

/* Whether there is room for `pages` more: MDB_MAP_FULL when there is not. */
int    dp_seen_check_room(dp_seen *s, MDB_txn *txn, size_t pages);
dp_err dp_seen_fail(const dp_seen *s, int code, dp_error *err);

#endif
