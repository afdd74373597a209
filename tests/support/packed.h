/* support/packed.h - compressed bytes for tests, and records of WARC files.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_PACKED_H
#define DP_SUPPORT_PACKED_H

#include "base/buf.h"

/* Append `text` as one gzip member (bits 31), zlib stream (15) or bare deflate stream (-15). */
void packed_add(dp_buf *out, dp_str text, int bits);
void packed_add_zstd(dp_buf *out, dp_str text);

/* Append a WARC record: version ("1.0"), the lines of its header (each ended by CR LF; Content-Length is added),
 * block. */
void packed_add_warc(dp_buf *out, const char *version, const char *header, dp_str block);

#endif
