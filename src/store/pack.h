/* store/pack.h - facts as bytes, one behind another.
 *
 *     length | domain | kind, has | url | link? | cluster? | digest? ...      numbers as varints, hashes as they are
 *
 * A fact of a labelled URL takes 16 bytes beside its text. The bytes are of this machine and this version: they live
 * in memory, in spill files (store/buckets.h) and in the state of `learn`, whose head names the version.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_STORE_PACK_H
#define DP_STORE_PACK_H

#include "base/buf.h"
#include "site/fact.h"

enum { DP_PACK_VERSION = 7 };

/* Append a fact; `domain` is a number of the caller's. Sticky failure of `out`: memory. */
void dp_pack_fact(dp_buf *out, const dp_fact *f, uint32_t domain);

/* Take the first fact of `*rest` off it; texts are views into it. False when nothing whole is there: at the end
 * `rest->n` is 0, else the bytes are not ours. Every number has a value that it may have; whether its texts are URLs
 * dp_fact_check says. */
bool dp_unpack_fact(dp_str *rest, dp_fact *out, uint32_t *domain);

/* Only its length and domain, which must be below `domains`; the fact itself is `*bytes`, for dp_unpack_fact. */
bool dp_unpack_head(dp_str *rest, dp_str *bytes, uint32_t *domain, uint32_t domains);

/* Numbers of any size, short when they are small. */
void dp_pack_number(dp_buf *out, uint64_t n);
bool dp_unpack_number(dp_str *rest, uint64_t *n);
void dp_pack_text(dp_buf *out, dp_str text);
bool dp_unpack_text(dp_str *rest, dp_str *text);

/* Append the checksum of all that stands in `out` from `start` on. */
void dp_pack_sum(dp_buf *out, size_t start);

/* What stands between `mark`, at the beginning of `bytes`, and the checksum at their end; false when the bytes are not
 * ours or damaged. */
bool dp_unpack_sum(dp_str bytes, dp_str mark, dp_str *inside);

#endif
