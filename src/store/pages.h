/* store/pages.h - the pages of an LMDB file, looked at before LMDB trusts them.
 *
 *     page 0, 1: heads ──► free pages
 *                      └─► names ──► "keys": branch ──► leaf: key, value | value's own pages
 *
 * LMDB reads its file through a map and believes every number in it: a file that was cut short, or in which a disk or
 * another program has changed a byte, ends the process with a signal, or leads it in circles. So what LMDB is going to
 * follow is followed here first, with every number checked: pages lie in the file, are what their parent takes them
 * for, and hold their nodes; keys ascend, between those of the parent; a page has one place, or is free.
 *
 *     dp_lmdb_open(...)                    the heads, before LMDB opens the file: store/lmdbfile.h
 *     dp_pages_check_all(p, txn)           all pages
 *     dp_pages_check(p, txn)               the same, if they are few; else what is free, and the names
 *     dp_pages_check_keys(p, txn, ...)     then also, before keys are looked for: the pages on the way to them
 *
 * So a large file is opened as fast as a small one, and every page is looked at once, when LMDB is about to. Only that
 * a page is free and used at the same time is then not found. What LMDB itself has written after that is not looked at
 * again. Bytes inside of keys and values are the caller's to check.
 *
 * Codes are those of LMDB: MDB_CORRUPTED; MDB_INVALID when it is no file of LMDB, or not one with these tables;
 * MDB_VERSION_MISMATCH; ENOMEM and other numbers of the system. A library of another format than 0.9 is left alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_STORE_PAGES_H
#define DP_STORE_PAGES_H

#include <lmdb.h>

#include "base/str.h"

enum { DP_PAGES_FEW = 64 << 20 /* bytes */ };

typedef struct dp_pages_table {
    const char *name;
    bool        numbers; /* its keys are (MDB_INTEGERKEY) */
} dp_pages_table;

/* One a process and file. A zeroed one with tables is valid and has looked at nothing. */
typedef struct dp_pages {
    const dp_pages_table *table; /* [ntable], which must outlive it: all that the file may have */
    size_t                ntable;
    size_t                few;   /* bytes of a file that has few pages: DP_PAGES_FEW, in tests less */
    const char           *map;   /* [size], NULL: none */
    size_t                size;
    uint8_t              *met;   /* a bit a page that was looked at */
    size_t                cap;   /* bytes of it */
    bool                  all;   /* all pages were: nothing is left to do */
} dp_pages;

/* `txn` is a writing one in which nothing was done yet. */
int dp_pages_check_all(dp_pages *p, MDB_txn *txn);
int dp_pages_check(dp_pages *p, MDB_txn *txn);

/* Give the next key; false when there is none. */
typedef bool dp_pages_next(void *ctx, dp_str *key);

/* The pages on the way to some keys of a table, or (next NULL) all of the table. `txn` may be a reading one, and things
 * may have been done in it: what these have changed is LMDB's. MDB_BAD_TXN when others have written twice since a
 * reading one was begun: begin it anew. A table that is not there is fine. */
int dp_pages_check_keys(dp_pages *p, MDB_txn *txn, const char *table, dp_pages_next *next, void *ctx);

void dp_pages_done(dp_pages *p);

#endif
