/* SPDX-License-Identifier: Apache-2.0 */
#include "support/packed.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

static void must(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

void packed_add(dp_buf *out, dp_str text, int bits)
{
    z_stream z = {0};
    must(deflateInit2(&z, 6, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY) == Z_OK, "deflateInit2");
    size_t room = deflateBound(&z, text.n) + 64;
    must(dp_buf_room(out, room), "memory");
    z.next_in = (z_const Bytef *)text.p;
    z.avail_in = (uInt)text.n;
    z.next_out = (Bytef *)out->p + out->n;
    z.avail_out = (uInt)room;
    must(deflate(&z, Z_FINISH) == Z_STREAM_END, "deflate");
    out->n += z.total_out;
    deflateEnd(&z);
}

void packed_add_zstd(dp_buf *out, dp_str text)
{
    size_t room = ZSTD_compressBound(text.n);
    must(dp_buf_room(out, room), "memory");
    size_t n = ZSTD_compress(out->p + out->n, room, text.p, text.n, 3);
    must(!ZSTD_isError(n), "ZSTD_compress");
    out->n += n;
}

void packed_add_warc(dp_buf *out, const char *version, const char *header, dp_str block)
{
    dp_buf_printf(out, "WARC/%s\r\n%sContent-Length: %zu\r\n\r\n", version, header, block.n);
    dp_buf_str(out, block);
    dp_buf_c(out, "\r\n\r\n");
}
