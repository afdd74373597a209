/* SPDX-License-Identifier: Apache-2.0 */
#include "input/format/http.h"

#include "input/bytes/codec.h"
#include "url/chars.h"

/* ---- the header -------------------------------------------------------------------------------------- */

/* The end of the line that begins at `at`, behind its LF. */
static size_t line_end(dp_str s, size_t at)
{
    const char *lf = at < s.n ? memchr(s.p + at, '\n', s.n - at) : NULL;
    return lf ? (size_t)(lf - s.p) + 1 : s.n;
}

bool dp_response_split(dp_response *out, dp_str text)
{
    size_t at = 0, end;
    if (!dp_str_starts(text, DP_STR("HTTP/")))
        return false;
    while (at < text.n && text.p[at] != ' ' && text.p[at] != '\n')
        at++;
    while (at < text.n && text.p[at] == ' ')
        at++;
    out->status = 0;
    for (end = at; end < text.n && end < at + 3 && text.p[end] >= '0' && text.p[end] <= '9'; end++)
        out->status = (uint16_t)(out->status * 10 + (text.p[end] - '0'));
    if (end != at + 3)
        return false;
    for (at = line_end(text, 0); at < text.n; at = end) {
        end = line_end(text, at);
        bool empty = text.p[at] == '\n' || (text.p[at] == '\r' && at + 1 < text.n && text.p[at + 1] == '\n');
        if (empty) {
            at = end;
            break;
        }
    }
    out->header = dp_str_cut(text, 0, at);
    out->body = dp_str_cut(text, at, text.n);
    return true;
}

dp_str dp_header_field(dp_str header, const char *name)
{
    size_t n = strlen(name), end;
    for (size_t at = 0; at < header.n; at = end) {
        end = line_end(header, at);
        if (end - at <= n || header.p[at + n] != ':')
            continue;
        if (dp_str_starts_but_case(dp_str_cut(header, at, end), dp_str_c(name))) {
            dp_str value = dp_str_cut(header, at + n + 1, end);
            value.n -= value.n && value.p[value.n - 1] == '\n';
            return dp_str_trim_blanks(value);
        }
    }
    return DP_STR("");
}

dp_str dp_media_type(dp_str content_type)
{
    const char *end = content_type.n ? memchr(content_type.p, ';', content_type.n) : NULL;
    if (end)
        content_type.n = (size_t)(end - content_type.p);
    return dp_str_trim_blanks(content_type);
}

/* ---- the body ------------------------------------------------------------------------------------------ */

/* Whether a list of codings ("gzip, chunked") names this one. */
static bool names(dp_str list, const char *coding)
{
    size_t n = strlen(coding);
    for (size_t i = 0; i + n <= list.n; i++) {
        bool begins = i == 0 || list.p[i - 1] == ' ' || list.p[i - 1] == ',';
        bool ends = i + n == list.n || list.p[i + n] == ' ' || list.p[i + n] == ',' || list.p[i + n] == ';';
        if (begins && ends && dp_str_starts_but_case(dp_str_cut(list, i, list.n), dp_str_c(coding)))
            return true;
    }
    return false;
}

/* The size that a chunk begins with; `*at` moves behind its line. False when there is none. */
static bool chunk_size(dp_str s, size_t *at, size_t *size)
{
    size_t i = *at, digits = 0;
    for (*size = 0; i < s.n && dp_is(s.p[i], DP_CH_HEX); i++, digits++) {
        if (*size > SIZE_MAX / 32)
            return false;
        *size = *size * 16 + (size_t)dp_hex(s.p[i]);
    }
    /* Extensions and blanks may follow; nothing else may. */
    if (!digits || i == s.n || !memchr(" \t;\r\n", s.p[i], 5))
        return false;
    *at = line_end(s, i);
    return true;
}

/* Join the chunks; a last one that is cut short is used as far as it goes. False when the
 * body is not in chunks. */
static bool join_chunks(dp_buf *out, dp_str s, size_t max)
{
    size_t at = 0, size;
    while (at < s.n && out->n < max) {
        if (!chunk_size(s, &at, &size))
            return out->n > 0;
        if (!size)
            return true;
        size_t n = size < s.n - at ? size : s.n - at;
        dp_buf_add(out, s.p + at, n < max - out->n ? n : max - out->n);
        at += n;
        if (at < s.n && s.p[at] == '\r')
            at++;
        if (at < s.n && s.p[at] == '\n')
            at++;
    }
    return true;
}

/* What the content coding is, by its name and by the first bytes; NULL: the crawler has undone it. */
static const dp_codec *find_codec(dp_str coding, dp_str body)
{
    bool is_zlib = body.n >= 2 && (body.p[0] & 15) == 8 && ((uint8_t)body.p[0] * 256 + (uint8_t)body.p[1]) % 31 == 0;
    if (names(coding, "zstd"))
        return dp_str_starts(body, dp_zstd.magic[0]) ? &dp_zstd : NULL;
    if (!names(coding, "gzip") && !names(coding, "x-gzip") && !names(coding, "deflate"))
        return NULL;
    if (dp_str_starts(body, dp_gzip.magic[0]))
        return &dp_gzip;
    if (is_zlib)
        return &dp_zlib;
    return names(coding, "deflate") ? &dp_deflate : NULL;
}

dp_err dp_response_decode(dp_str *out, const dp_response *r, dp_buf buf[2], size_t max)
{
    dp_str transfer = dp_header_field(r->header, "transfer-encoding");
    dp_str coding = dp_header_field(r->header, "content-encoding"), body = r->body;
    dp_buf_reset(&buf[0]);
    dp_buf_reset(&buf[1]);
    if (names(transfer, "chunked") && join_chunks(&buf[0], body, max))
        body = buf[0].n ? dp_buf_view(&buf[0]) : DP_STR("");
    if (buf[0].failed)
        return DP_ENOMEM;
    const dp_codec *codec = find_codec(coding, body);
    if (codec) {
        dp_err code = dp_codec_decode(codec, &buf[1], body, max);
        if (code == DP_ENOMEM)
            return code;
        /* Any text can pass for the begin of bare deflate, so that must be right to its end. */
        if (buf[1].n && (code == DP_OK || codec != &dp_deflate))
            body = dp_buf_view(&buf[1]);
    } else if (names(coding, "br") || names(coding, "compress")) {
        body = DP_STR("");
    }
    *out = body.n < max ? body : dp_str_cut(body, 0, max);
    return DP_OK;
}
