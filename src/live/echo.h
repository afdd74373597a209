/* live/echo.h - what changes when nothing changes: some URLs are fetched twice, and both answers kept.
 *
 *     records ─► live/spread: N URLs ─► live/fetcher ─► FILE.pages/first/HASH.warc.gz
 *                                            │ again, at least --echo-after seconds later
 *                                            └────────► FILE.pages/second/HASH.warc.gz
 *     all, in the order in which the URLs were chosen ─► FILE, a WARC that `learn` and `cluster` read
 *
 * A URL that is not asked for (robots.txt, words like "logout") is replaced by the next; one that fails is not. The two
 * folders are caches of live/cache.h: a run that was interrupted goes on, and asks for nothing a third time.
 *
 * Invariants:
 *   - A page is in its folder, whole, before the cache says that it was fetched.
 *   - FILE is written when all is fetched, and only if a URL was fetched twice.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_ECHO_H
#define DP_LIVE_ECHO_H

#include "base/buf.h"
#include "live/verdict.h"

/* A few lines for people, and one JSON object; after dp_validation_echo. */
void dp_echo_summary(dp_buf *b, const dp_validation *v);
void dp_echo_json(dp_buf *b, const dp_validation *v);

#endif
