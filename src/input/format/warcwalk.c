/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "input/format/columns.h"
#include "input/format/http.h"
#include "input/format/warcwalk.h"

enum { AFTER = 64 /* bytes that are looked at behind a block */ };

static const dp_str magic = {"WARC/", 5};

static dp_err bad(dp_step *s)
{
    s->kind = DP_LINE_BAD;
    s->more = true;
    return DP_OK;
}

/* The stream ended inside of a record. Where it broke and cannot be taken up again, that is the
 * end, and the reader tells why; else the record is bad. */
static dp_err cut_short(dp_warc_walk *walk, dp_step *s)
{
    walk->lost = true;
    if (s->w->broken == DP_OK)
        return bad(s);
    if (!dp_window_resume(s->w)) {
        dp_window_use(s->w, dp_window_view(s->w).n);
        s->more = false;
        return DP_OK;
    }
    dp_bad(s->why, "%s; continuing at the next member", s->w->why.message);
    return bad(s);
}

/* ---- finding the way --------------------------------------------------------------------------------- */

/* Whether `v` begins with "WARC/1.0", or some other version; what is too short to tell counts. */
static bool begins_record(dp_str v)
{
    static const char pattern[] = "WARC/0.0"; /* 0: any digit */
    for (size_t i = 0; i < v.n && i < sizeof pattern - 1; i++) {
        if (pattern[i] == '0' ? v.p[i] < '0' || v.p[i] > '9' : v.p[i] != pattern[i])
            return false;
    }
    return true;
}

/* Where a line "WARC/1.0" begins; v.n when there is none. */
static size_t find_begin(dp_str v)
{
    for (size_t at = 0; at + magic.n + 3 <= v.n; at++) {
        const char *p = memmem(v.p + at, v.n - at, magic.p, magic.n);
        if (!p)
            break;
        at = (size_t)(p - v.p);
        if (v.n - at >= magic.n + 3 && begins_record(dp_str_cut(v, at, v.n)) && (at == 0 || p[-1] == '\n'))
            return at;
    }
    return v.n;
}

/* Go to the next record; false at the end. */
static dp_err find_record(dp_window *w, bool *found, dp_error *err)
{
    for (;;) {
        dp_str v = dp_window_view(w);
        size_t at = find_begin(v);
        *found = at < v.n;
        if (*found) {
            dp_window_use(w, at);
            return DP_OK;
        }
        bool resumed = w->ended && dp_window_resume(w);
        if (w->ended) {
            dp_window_use(w, v.n);
            return DP_OK;
        }
        /* The begin may lie over the end of what is there. A W that is kept as the first byte would
         * look like the begin of a line. */
        if (!resumed && v.n > AFTER)
            dp_window_use(w, v.n - AFTER + (v.p[v.n - AFTER] == 'W'));
        DP_TRY(dp_window_fill(w, AFTER + 1, err));
    }
}

/* Pass over what is left of a block that was not held. */
static dp_err pass_over(dp_warc_walk *walk, dp_window *w, dp_error *err)
{
    while (walk->left) {
        DP_TRY(dp_window_fill(w, 1, err));
        size_t n = dp_window_view(w).n;
        if (!n)
            return DP_OK;
        n = walk->left < n ? (size_t)walk->left : n;
        dp_window_use(w, n);
        walk->left -= n;
    }
    return DP_OK;
}

static size_t skip_line_ends(dp_str v, size_t at)
{
    while (at < v.n && (v.p[at] == '\r' || v.p[at] == '\n'))
        at++;
    return at;
}

/* ---- one record ----------------------------------------------------------------------------------------- */

/* Where the empty line that ends the header ends; 0 when it is not there. */
static size_t header_end(dp_str v)
{
    for (size_t at = 0; at < v.n;) {
        const char *lf = memchr(v.p + at, '\n', v.n - at);
        if (!lf)
            return 0;
        size_t next = (size_t)(lf - v.p) + 1;
        if (next - at == 1 || (next - at == 2 && v.p[at] == '\r'))
            return next;
        at = next;
    }
    return 0;
}

/* Have all of the header in the window; `*n` is 0 when it has no end. */
static dp_err fill_header(dp_window *w, size_t *n, dp_error *err)
{
    size_t have = 0;
    for (;;) {
        dp_str v = dp_window_view(w);
        *n = header_end(v);
        if (*n || (w->ended && v.n == have) || v.n > DP_WARC_HEADER)
            return DP_OK;
        have = v.n;
        if (!w->ended)
            DP_TRY(dp_window_fill(w, v.n + 1, err));
    }
}

/* The header is read and the block is in the window, as far as that goes. Is its length right? */
static dp_err check_length(dp_warc_walk *walk, dp_step *s, size_t header, uint64_t length)
{
    dp_str   v = dp_window_view(s->w);
    uint64_t end = header + length;
    if (v.n < end) {
        /* What follows the header may be other records. */
        dp_window_use(s->w, header);
        dp_bad(s->why, "the record is cut short, or its length is wrong: %zu bytes of %" PRIu64, v.n - header, length);
        return cut_short(walk, s);
    }
    size_t next = skip_line_ends(v, (size_t)end);
    bool   ends_well = dp_str_starts(dp_str_cut(v, (size_t)end, v.n), DP_STR("\r\n\r\n"));
    if (!ends_well && !begins_record(dp_str_cut(v, next, v.n))) {
        dp_window_use(s->w, header);
        walk->lost = true;
        dp_bad(s->why, "its length is wrong: no record begins after %" PRIu64 " bytes", length);
        return bad(s);
    }
    walk->header = dp_str_cut(v, 0, header);
    walk->block = dp_str_cut(v, header, (size_t)end);
    walk->whole = true;
    dp_window_use(s->w, next);
    return DP_OK;
}

static dp_err read_block(dp_warc_walk *walk, dp_step *s, size_t header, uint64_t length, dp_error *err)
{
    s->kind = DP_LINE_RECORD;
    s->more = true;
    if (length <= DP_WARC_BLOCK) {
        DP_TRY(dp_window_fill(s->w, header + (size_t)length + AFTER, err));
        return check_length(walk, s, header, length);
    }
    DP_TRY(dp_window_fill(s->w, header + DP_WARC_BEGIN, err));
    dp_str v = dp_window_view(s->w);
    size_t n = v.n - header < DP_WARC_BEGIN ? v.n - header : DP_WARC_BEGIN;
    walk->header = dp_str_cut(v, 0, header);
    walk->block = dp_str_cut(v, header, header + n);
    walk->whole = false;
    dp_window_use(s->w, header + n);
    walk->left = length - n;
    return DP_OK;
}

static dp_err read_record(dp_warc_walk *walk, dp_step *s, dp_error *err)
{
    size_t  n;
    int64_t length;
    DP_TRY(fill_header(s->w, &n, err));
    dp_str v = dp_window_view(s->w);
    if (!n) {
        dp_window_use(s->w, v.n < magic.n ? v.n : magic.n);
        dp_bad(s->why, "the record's header does not end");
        return cut_short(walk, s);
    }
    dp_str text = dp_header_field(dp_str_cut(v, 0, n), "content-length");
    if (!dp_number(text, &length)) {
        dp_bad(s->why, "Content-Length is missing or not a number: %s", dp_quote(text).text);
        dp_window_use(s->w, n);
        walk->lost = true;
        return bad(s);
    }
    return read_block(walk, s, n, (uint64_t)length, err);
}

dp_err dp_warc_walk_next(dp_warc_walk *walk, dp_step *s, dp_error *err)
{
    bool found;
    walk->header = walk->block = DP_STR("");
    s->more = false;
    if (walk->left) {
        DP_TRY(pass_over(walk, s->w, err));
        if (walk->left) {
            dp_bad(s->why, "the record before is cut short, or its length is wrong: %" PRIu64 " bytes are missing",
                   walk->left);
            walk->left = 0;
            return cut_short(walk, s);
        }
    }
    DP_TRY(dp_window_fill(s->w, AFTER, err));
    dp_window_use(s->w, skip_line_ends(dp_window_view(s->w), 0));
    if (!walk->lost && !dp_window_view(s->w).n && s->w->broken != DP_OK)
        return cut_short(walk, s);
    if (!walk->lost && !begins_record(dp_window_view(s->w))) {
        dp_str rest = dp_window_view(s->w), line = DP_STR("");
        dp_next_line(&rest, &line);
        dp_bad(s->why, "expected a record beginning with WARC/, found %s", dp_quote(line).text);
        walk->lost = true;
        return bad(s);
    }
    DP_TRY(find_record(s->w, &found, err));
    walk->lost = false;
    return found ? read_record(walk, s, err) : DP_OK;
}

dp_str dp_warc_uri(dp_str header)
{
    dp_str uri = dp_header_field(header, "warc-target-uri");
    if (uri.n > 2 && uri.p[0] == '<' && uri.p[uri.n - 1] == '>')
        uri = dp_str_cut(uri, 1, uri.n - 1);
    return uri;
}
