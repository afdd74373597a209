/* SPDX-License-Identifier: Apache-2.0 */
#include "live/warcrecord.h"

#include <inttypes.h>
#include <time.h>
#include <zlib.h>

#include "base/hash.h"
#include "base/words/case.h"

enum { GZIP_WINDOW = 15 + 16 /* zlib: the largest, with a gzip header */, LEVEL = 6, MEMORY = 8 };

/* ---- gzip ---------------------------------------------------------------------------------- */

/* Append `plain` as one gzip member. */
static dp_err compress_member(dp_buf *out, dp_str plain)
{
    z_stream z = {0};
    if (deflateInit2(&z, LEVEL, Z_DEFLATED, GZIP_WINDOW, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return DP_ENOMEM;
    size_t bound = deflateBound(&z, (uLong)plain.n);
    int    code = Z_MEM_ERROR;
    if (plain.n <= UINT32_MAX && bound <= UINT32_MAX && dp_buf_room(out, bound)) {
        z.next_in = (Bytef *)plain.p;
        z.avail_in = (uInt)plain.n;
        z.next_out = (Bytef *)out->p + out->n;
        z.avail_out = (uInt)bound;
        code = deflate(&z, Z_FINISH);
        out->n += bound - z.avail_out;
    }
    deflateEnd(&z);
    return code == Z_STREAM_END ? DP_OK : DP_ENOMEM;
}

/* ---- HTTP ---------------------------------------------------------------------------------- */

/* Whether a line of the header says how the body was sent: it is not sent so any more. */
static bool is_about_sending(dp_str line)
{
    static const char *const names[] = {"content-encoding", "content-length", "transfer-encoding", "connection",
                                        "keep-alive"};
    dp_str name = dp_next_field(&line, ':');
    for (size_t i = 0; i < DP_COUNT(names); i++)
        if (dp_is_word(name, names[i]))
            return true;
    return false;
}

static dp_str without_cr(dp_str line)
{
    return line.n && line.p[line.n - 1] == '\r' ? dp_str_cut(line, 0, line.n - 1) : line;
}

static void put_block(dp_buf *out, const dp_http_answer *a)
{
    dp_str rest = a->header, first = without_cr(dp_next_field(&rest, '\n'));
    bool   skipped = false;
    dp_next_field(&first, ' '); /* HTTP/2 */
    dp_next_field(&first, ' '); /* 200 */
    dp_buf_printf(out, "HTTP/1.1 %d %.*s\r\n", a->status, DP_FMT(first));
    while (rest.n) {
        dp_str line = without_cr(dp_next_field(&rest, '\n'));
        if (!line.n)
            break;
        bool goes_on = line.p[0] == ' ' || line.p[0] == '\t';
        skipped = goes_on ? skipped : is_about_sending(line);
        if (skipped)
            continue;
        dp_buf_str(out, line);
        dp_buf_c(out, "\r\n");
    }
    dp_buf_printf(out, "Content-Length: %zu\r\n\r\n", a->body.n);
    dp_buf_str(out, a->body);
}

/* ---- records ------------------------------------------------------------------------------- */

static dp_err put_record(dp_buf *out, dp_str fields, const char *mime, int64_t when, dp_str block)
{
    dp_buf     text = {0};
    struct tm  parts;
    char       date[32] = "1970-01-01T00:00:00Z";
    time_t     seconds = (time_t)when;
    dp_hash128 id = dp_hash128_of(block);
    if (gmtime_r(&seconds, &parts))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts);
    id.hi = dp_hash_fold(dp_hash_fold(id.hi, dp_hash_str(fields)), dp_hash_mix((uint64_t)when));
    dp_buf_c(&text, "WARC/1.0\r\n");
    dp_buf_str(&text, fields);
    dp_buf_printf(&text, "WARC-Date: %s\r\nWARC-Record-ID: <urn:uuid:%08x-%04x-8%03x-8%03x-%012" PRIx64 ">\r\n", date,
                  (unsigned)(id.hi >> 32), (unsigned)(id.hi >> 16 & 0xffff), (unsigned)(id.hi & 0xfff),
                  (unsigned)(id.lo >> 48 & 0xfff), id.lo & 0xffffffffffff);
    dp_buf_printf(&text, "Content-Type: %s\r\nContent-Length: %zu\r\n\r\n", mime, block.n);
    dp_buf_str(&text, block);
    dp_buf_c(&text, "\r\n\r\n");
    dp_err code = text.failed ? DP_ENOMEM : compress_member(out, dp_buf_view(&text));
    dp_buf_done(&text);
    return code;
}

dp_err dp_warcrecord_put(dp_buf *out, dp_str url, int64_t time, const dp_http_answer *a)
{
    dp_buf fields = {0}, block = {0};
    dp_buf_printf(&fields, "WARC-Type: response\r\nWARC-Target-URI: %.*s\r\n", DP_FMT(url));
    put_block(&block, a);
    dp_err code = fields.failed || block.failed ? DP_ENOMEM
                                                : put_record(out, dp_buf_view(&fields),
                                                             "application/http; msgtype=response", time,
                                                             dp_buf_view(&block));
    dp_buf_done(&fields);
    dp_buf_done(&block);
    return code;
}

dp_err dp_warcrecord_open(dp_buf *out, int64_t time)
{
    dp_buf block = {0};
    dp_buf_printf(&block, "software: dustpan %s, validate --echo\r\nformat: WARC File Format 1.0\r\n", dp_version());
    dp_err code = block.failed ? DP_ENOMEM
                               : put_record(out, DP_STR("WARC-Type: warcinfo\r\n"), "application/warc-fields", time,
                                            dp_buf_view(&block));
    dp_buf_done(&block);
    return code;
}
