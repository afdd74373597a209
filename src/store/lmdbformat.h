/* store/lmdbformat.h - how LMDB 0.9 lays out its file on this machine; the names of its source stand beside ours.
 *
 *     page 0, 1: page_head, head     of the last two transactions, in turn
 *     others:    page_head, places of the nodes | free room | nodes
 *
 * Only store/lmdbfile.c and store/pages.c include it: everything else leaves the file to LMDB.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_STORE_LMDBFORMAT_H
#define DP_STORE_LMDBFORMAT_H

#include "base/str.h"

enum {
    DP_LMDB_HEADS = 2,
    DP_LMDB_DEPTH = 32,       /* CURSOR_STACK */
    DP_LMDB_LONGEST_KEY = 511, /* MDB_MAXKEYSIZE */
    DP_LMDB_NUMBERS = 8       /* flag of a tree: MDB_INTEGERKEY */
};

/* Flags of a page (P_BRANCH, ...) and of a node (F_BIGDATA, F_SUBDATA). */
enum { DP_LMDB_BRANCH = 1, DP_LMDB_LEAF = 2, DP_LMDB_OVERFLOW = 4, DP_LMDB_HEAD = 8 };
enum { DP_LMDB_BIG = 1, DP_LMDB_TREE = 2 };

#define DP_LMDB_NOTHING UINT64_MAX /* P_INVALID: a page that is none */

/* MDB_page; what follows is nodes' places (uint16_t), from here to `lower` */
typedef struct dp_lmdb_page {
    uint64_t number;
    uint16_t padding, flags;
    union {
        struct {
            uint16_t lower, upper; /* ends of the free room in it */
        };
        uint32_t pages; /* of a value's own: how many */
    };
} dp_lmdb_page;

/* MDB_node; then the key, then the value or, of a big one, the number of its first page */
typedef struct dp_lmdb_node {
    uint16_t low, high; /* of a leaf: size of the value; of a branch, with flags: number of the page */
    uint16_t flags, key;
} dp_lmdb_node;

/* MDB_db */
typedef struct dp_lmdb_tree {
    uint32_t page_size; /* in that of the free pages; else 0 */
    uint16_t flags, depth;
    uint64_t branches, leaves, overflows, entries, root;
} dp_lmdb_tree;

/* MDB_meta, behind the dp_lmdb_page of pages 0 and 1 */
typedef struct dp_lmdb_head {
    uint32_t     magic, version;
    uint64_t     address, map_size;
    dp_lmdb_tree free, names;
    uint64_t     last, txn; /* page; transaction that wrote it */
} dp_lmdb_head;

/* Whether the library that is used has this format. */
bool dp_lmdb_is_known(void);

bool dp_lmdb_is_page_size(uint64_t n);

/* Whether they say nothing impossible; `size` is that of the file. */
bool dp_lmdb_is_tree(const dp_lmdb_tree *t);
bool dp_lmdb_is_head(const dp_lmdb_head *h, uint64_t size);

#endif
