/* output/unique.h - which keys have been seen, by 128-bit hash.
 *
 *     key ── base/secret ──► dp_hash128 ── 8 bits: shard, 64 bits: place ──► [..][h][h][  ][h]..
 *
 * A table of hashes with linear probing in 256 shards, each of which doubles when it is
 * three quarters full; no two at the same time. output/filter.c asks it in the order of
 * the lines.
 *
 * Memory: 31 bytes a distinct key (16 a slot), however long the key is, at any number of
 * keys above some ten thousand; 120 KB before. With a limit, all go to a sorted run in a file
 * (output/runs.h) when they would take more, and the table begins anew: 1.25 bytes a key then.
 *
 * Exact but for two keys with the same 128 bits: among 10^9 keys that chance is 10^-21. The hashes depend on a secret
 * of the process: nobody can send keys that fall together, or that fill one corner of a table.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_OUTPUT_UNIQUE_H
#define DP_OUTPUT_UNIQUE_H

#include "base/err.h"
#include "base/hash.h"
#include "base/str.h"

typedef struct dp_unique dp_unique;

dp_err dp_unique_new(dp_unique **out);

/* Hold at most about `bytes` in memory, the rest in files under `folder`, which stays the caller's. 0: no limit. */
void dp_unique_limit(dp_unique *u, uint64_t bytes, const char *folder);
void   dp_unique_free(dp_unique *u);

/* Add `n` hashes in order; fresh[i] says whether hash i was not there before. Adding the hash of nothing
 * changes nothing. DP_ENOMEM, DP_EIO: those before the failure stay added. */
dp_err dp_unique_add(dp_unique *u, const dp_hash128 *h, size_t n, bool *fresh, dp_error *err);

bool dp_unique_has(const dp_unique *u, dp_hash128 h);

/* How many there are, and how many bytes they take. */
uint64_t dp_unique_count(const dp_unique *u);
uint64_t dp_unique_bytes(const dp_unique *u);

#endif
