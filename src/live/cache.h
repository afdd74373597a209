/* live/cache.h - what was fetched, on disk, so that a broken run goes on where it stopped.
 *
 *     DIR/pages      a line a record, appended, never changed:
 *
 *         CHECKSUM ask TIME TRY URL                                         before the request goes out
 *         CHECKSUM got TIME TRY KIND FAULT STATUS SIZE DIGEST SKETCH TARGET URL      when its answer is there
 *         CHECKSUM bots TIME ORIGIN ESCAPED-RULES                           what a robots.txt says to us
 *
 * An `ask` without `got` was under way when the run ended: it counts as fetched, with fault "interrupted", so that no
 * server is asked twice for what it may have answered. robots.txt has no `ask`: it is read again when its answer is
 * missing, as nothing may be fetched without it. live/fetcher.c is the only user.
 *
 * Invariants:
 *   - dp_cache_sync returns when all records are on disk; a kill loses at most the line being written, which is cut off
 *     when the file is opened again.
 *   - Any other line whose checksum is wrong is an error: the file is not what we wrote.
 *   - One run at a time has the file (a lock).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_CACHE_H
#define DP_LIVE_CACHE_H

#include "base/err.h"
#include "live/note.h"

typedef struct dp_cache dp_cache;

/* Open the cache in the folder `dir`, which is made when it is not there; NULL: in memory alone. DP_EIO, DP_ESYNTAX
 * when the file is damaged, DP_ENOMEM. */
dp_err dp_cache_open(dp_cache **out, const char *dir, dp_error *err);
void   dp_cache_close(dp_cache *c);

/* The note of a URL; NULL when it was not asked for. Valid until the next record. */
const dp_note *dp_cache_find(const dp_cache *c, dp_str url);

/* Record that `url` is asked for, for the `try`-th time; then what came of it. DP_EIO, DP_ENOMEM. */
dp_err dp_cache_ask(dp_cache *c, dp_str url, unsigned try, int64_t time, dp_error *err);
dp_err dp_cache_put(dp_cache *c, dp_str url, const dp_note *note, dp_error *err);

/* What the robots.txt of an origin ("http://a.com") says, as dp_robots_print writes it; p is NULL: not known. */
dp_str dp_cache_robots(const dp_cache *c, dp_str origin);
dp_err dp_cache_put_robots(dp_cache *c, dp_str origin, dp_str rules, int64_t time, dp_error *err);

/* Wait until all records are on disk. DP_EIO. */
dp_err dp_cache_sync(dp_cache *c, dp_error *err);

/* Requests recorded by earlier runs. */
uint64_t dp_cache_found(const dp_cache *c);

/* Close it and remove its file, and the folder when that is empty then. */
void dp_cache_remove(dp_cache *c);

#endif
