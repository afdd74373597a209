/* url/normalize.h - stage 0: the one form of a URL that needs no evidence.
 *
 *     HTTP://A.com:80/x/../%7Eb?&q=%c3#top   ->   http://a.com/~b?q=%C3
 *
 * Only what RFC 3986 and browsers agree to be the same (docs/rule-format.md 8.2). Everything behind
 * this point, url/frame.h first, reads stage-0 text alone.
 *
 * Invariants:
 *   - Idempotent: what it writes, it leaves as it is.
 *   - A function of the bytes given. Sorting pairs, where rules say `order any`, is
 *     dp_frame_sort's.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_URL_NORMALIZE_H
#define DP_URL_NORMALIZE_H

#include "base/buf.h"

/* Counts up when stage 0 changes what any URL becomes; part of every set id. */
#define DP_STAGE0_VERSION 1

/* Append the stage-0 form of `url`. False when it is no URL (or out->failed: memory), with
 * `out` as it was. */
bool dp_normalize(dp_buf *out, dp_str url);

/* A rule's result must not smuggle in what stage 0 would resolve: true when the path of
 * `url`, not yet normalised, has a dot segment or more than `max_empty` empty segments
 * before its last, or when `url` is none. */
bool dp_normalize_forbids(dp_str url, size_t max_empty);

#endif
