/* store/lmdbfile.h - a file of LMDB: opened with care, and what went wrong in words that help.
 *
 *     dp_lmdb_open(&env, &(dp_lmdb_how){"crawl.seen", 3, 64 << 20})
 *     dp_lmdb_fail(MDB_CORRUPTED, "crawl.seen", "a seen-set", err)     crawl.seen: damaged; restore it ...
 *
 * Before LMDB sees the file, its first two pages are looked at: what they say of all others must be possible. The
 * others are looked at by store/pages.h. A new file can be read and written by its owner alone. FILE-lock beside it is
 * made with the permissions of FILE.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_STORE_LMDBFILE_H
#define DP_STORE_LMDBFILE_H

#include <lmdb.h>

#include "base/err.h"

typedef struct dp_lmdb_how {
    const char *path;
    unsigned    tables;
    size_t      map; /* bytes */
} dp_lmdb_how;

/* A file that is not there, or empty, will be a new one. Codes are those of LMDB and of the system: MDB_INVALID when it
 * is no file of LMDB, MDB_VERSION_MISMATCH, MDB_CORRUPTED. `*env` is to be closed also then, unless it is NULL. */
int dp_lmdb_open(MDB_env **env, const dp_lmdb_how *how);

/* The error for a code; `kind` is what the file should be. */
dp_err dp_lmdb_fail(int code, const char *path, const char *kind, dp_error *err);

#endif
