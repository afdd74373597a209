/* live/notetaker.h - the answer of a server to what is kept of it.
 *
 *     dp_http_answer ── status ──► page: visible text ──► sketch (content/shingle.h), digest, size
 *                              ──► redirect: where to     gone: 4xx      failed: 5xx, 408, 425, 429, ...
 *
 * A page without words (an image, an empty page) is compared byte by byte: its sketch stands for its MD5.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_NOTETAKER_H
#define DP_LIVE_NOTETAKER_H

#include "live/http.h"
#include "live/note.h"

typedef struct dp_notetaker dp_notetaker;

dp_err dp_notetaker_new(dp_notetaker **out);
void   dp_notetaker_free(dp_notetaker *t);

/* Note what came of asking for `url`, all but time and tries; a target lives until the next. DP_ENOMEM. */
dp_err dp_notetaker_take(dp_notetaker *t, dp_note *n, dp_str url, const dp_http_answer *a);

#endif
