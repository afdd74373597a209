/* SPDX-License-Identifier: Apache-2.0 */
#include "url/frame.h"

#include <stdlib.h>

#include "base/room.h"
#include "url/chars.h"
#include "url/host.h"
#include "url/percent.h"
#include "url/scan.h"

bool dp_frame_room(dp_frame *f, uint32_t nseg, uint32_t npair)
{
    return DP_ROOM_FOR(f->seg, (size_t)nseg + 2, f->seg_cap) && DP_ROOM(f->pair, npair, f->pair_cap);
}

void dp_frame_take_origin(dp_frame *to, const dp_frame *from)
{
    to->scheme_n = from->scheme_n;
    to->user = from->user;
    to->user_end = from->user_end;
    to->host = from->host;
    to->host_end = from->host_end;
    to->port = from->port;
    to->path = from->path;
}

bool dp_frame_copy(dp_frame *to, const dp_frame *from)
{
    if (!dp_frame_room(to, from->nseg, from->npair))
        return false;
    dp_frame_take_origin(to, from);
    to->s = from->s;
    to->n = from->n;
    to->path_end = from->path_end;
    to->nseg = from->nseg;
    to->npair = from->npair;
    memcpy(to->seg, from->seg, (from->nseg + 1) * sizeof *to->seg);
    if (from->npair)
        memcpy(to->pair, from->pair, from->npair * sizeof *to->pair);
    return true;
}

/* The special bytes of a text, one after another (url/scan.h). */
typedef struct walk {
    const char *s;
    uint32_t    n, base; /* the bits stand for the bytes from `base` on */
    uint64_t    bits;
} walk;

static uint32_t refill(walk *w)
{
    while (!w->bits) {
        if (w->n - w->base <= 64)
            return w->n;
        w->base += 64;
        w->bits = dp_scan_bytes(w->s + w->base, w->n - w->base).special;
    }
    return w->base + (uint32_t)__builtin_ctzll(w->bits);
}

/* The place of the next special byte; n at the end. */
static inline uint32_t at_special(walk *w)
{
    return w->bits ? w->base + (uint32_t)__builtin_ctzll(w->bits) : refill(w);
}

static inline void pass_special(walk *w)
{
    w->bits &= w->bits - 1;
}

/* Whether the escape at `i` is in stage-0 form. */
static inline bool is_normal_escape(const char *s, uint32_t i, uint32_t n)
{
    return n - i >= 3 && dp_is(s[i + 1], DP_CH_HEX) && dp_is(s[i + 2], DP_CH_HEX) && s[i + 1] < 'a' && s[i + 2] < 'a' &&
           !dp_is(dp_unescape(s + i), DP_CH_UNRESERVED);
}

/* The scheme up to "://"; 0 when there is none (or not in lower case). */
static uint32_t scan_scheme(const char *s, uint32_t n)
{
    uint32_t i = 0;
    while (i < n && ((s[i] >= 'a' && s[i] <= 'z') ||
                     (i && (dp_is(s[i], DP_CH_DIGIT) || s[i] == '+' || s[i] == '-' || s[i] == '.'))))
        i++;
    return i && n - i >= 3 && memcmp(s + i, "://", 3) == 0 ? i : 0;
}

/* The port in the canonical form ":digits" that fills `text`; -1 when it is not in that form. */
static int32_t read_port(dp_str text, dp_str scheme)
{
    int32_t value = 0;
    if (text.n < 1 || text.n > 5 || (text.p[0] == '0' && text.n > 1))
        return -1;
    for (size_t i = 0; i < text.n; i++) {
        if (!dp_is(text.p[i], DP_CH_DIGIT))
            return -1;
        value = value * 10 + (text.p[i] - '0');
    }
    return value > 65535 || value == dp_scheme_port(scheme) ? -1 : value;
}

/* Userinfo, host and port where the host scan alone did not settle them. */
static bool read_authority(dp_frame *f, uint32_t at, uint32_t n)
{
    const char *s = f->s;
    uint32_t    end = at;
    while (end < n && s[end] != '/' && s[end] != '?' && s[end] != '#')
        end++;
    const char *user = end > at ? memrchr(s + at, '@', end - at) : NULL;
    if (user) {
        f->user = at;
        f->user_end = (uint32_t)(user - s);
        if (!dp_percent_is_normal(dp_frame_cut(f, f->user, f->user_end)))
            return false;
        at = f->user_end + 1;
        /* user_end == 0 stands for "none"; it cannot be 0 here, for a scheme comes first. */
        if (f->scheme_n == 0)
            return false;
    }
    f->host = at;
    if (at < end && s[at] == '[') {
        const char *close = memchr(s + at, ']', end - at);
        if (!close)
            return false;
        f->host_end = (uint32_t)(close - s) + 1;
        char   room[80];
        dp_buf normal = {.p = room, .cap = sizeof room, .max = sizeof room};
        if (!dp_host_normalize(&normal, dp_frame_host(f)) || !dp_str_eq(dp_buf_view(&normal), dp_frame_host(f)))
            return false;
    } else {
        uint32_t i = at;
        while (i < end && dp_is(s[i], DP_CH_HOST))
            i++;
        f->host_end = i;
    }
    if (f->host_end == f->host)
        return false;
    if (f->host_end < end) {
        if (s[f->host_end] != ':')
            return false;
        f->port = read_port(dp_frame_cut(f, f->host_end + 1, end), dp_frame_scheme(f));
        if (f->port < 0)
            return false;
    }
    f->path = end;
    return true;
}

/* Whether the segment [start, end) is "." or "..". */
static inline bool is_dots(const char *s, uint32_t start, uint32_t end)
{
    return end - start - 1 < 2 && s[start] == '.' && s[end - 1] == '.';
}

static dp_frame_result read_path(dp_frame *f, walk *w)
{
    const char *s = f->s;
    uint32_t    n = f->n, start = f->path + 1, i;
    f->nseg = 0;
    f->seg[f->nseg++] = start;
    for (;; pass_special(w)) {
        i = at_special(w);
        char c = i < n ? s[i] : '?';
        if (c == '/') {
            if (is_dots(s, start, i))
                return DP_FRAME_NOT_NORMAL;
            if (!DP_ROOM_FOR(f->seg, (size_t)f->nseg + 3, f->seg_cap))
                return DP_FRAME_NOMEM;
            start = i + 1;
            f->seg[f->nseg++] = start;
        } else if (c == '?') {
            break;
        } else if (c == '%' ? !is_normal_escape(s, i, n) : c != '=' && c != '&' && c != ';') {
            return DP_FRAME_NOT_NORMAL;
        }
    }
    f->path_end = i;
    f->seg[f->nseg] = i + 1;
    return is_dots(s, start, i) ? DP_FRAME_NOT_NORMAL : DP_FRAME_OK;
}

static dp_frame_result read_query(dp_frame *f, walk *w)
{
    const char *s = f->s;
    uint32_t    n = f->n, i;
    f->npair = 0;
    if (f->path_end == n)
        return DP_FRAME_OK;
    pass_special(w);
    dp_pair p = {.at = f->path_end + 1, .sep = '&'};
    for (;; pass_special(w)) {
        i = at_special(w);
        char c = i < n ? s[i] : '&';
        if (c == '=') {
            if (!p.has_eq)
                p.eq = i;
            p.has_eq = true;
        } else if (c == '&' || c == ';') {
            if (i == p.at)
                return DP_FRAME_NOT_NORMAL;
            if (!p.has_eq)
                p.eq = i;
            p.end = i;
            if (!DP_ROOM(f->pair, f->npair, f->pair_cap))
                return DP_FRAME_NOMEM;
            f->pair[f->npair++] = p;
            if (i == n)
                return DP_FRAME_OK;
            p = (dp_pair){.at = i + 1, .sep = c};
        } else if (c == '%' ? !is_normal_escape(s, i, n) : c != '/' && c != '?') {
            return DP_FRAME_NOT_NORMAL;
        }
    }
}

dp_frame_result dp_frame_read(dp_frame *f, dp_str text)
{
    if (text.n > INT32_MAX)
        return DP_FRAME_NOT_NORMAL;
    const char *s = f->s = text.p;
    uint32_t    n = f->n = (uint32_t)text.n;
    f->user = f->user_end = 0;
    f->port = -1;
    uint32_t host = 0;
    if (n > 8 && memcmp(s, "http", 4) == 0 && memcmp(s + 4 + (s[4] == 's'), "://", 3) == 0) {
        f->scheme_n = 4 + (s[4] == 's');
        host = f->scheme_n + 3;
    } else {
        f->scheme_n = scan_scheme(s, n);
        host = f->scheme_n ? f->scheme_n + 3 : 0;
    }
    dp_scan  first = dp_scan_bytes(s, n);
    walk     w = {s, n, 0, first.special};
    uint64_t foreign = host < 64 ? first.foreign >> host << host : 0;
    uint32_t end = foreign ? (uint32_t)__builtin_ctzll(foreign) : host;
    if (end > host && s[end] == '/') {
        f->host = host;
        f->host_end = f->path = end;
    } else if (!read_authority(f, host, n)) {
        return DP_FRAME_NOT_NORMAL;
    }
    if (f->scheme_n == 0 && !dp_host_is_dotted(dp_frame_host(f)))
        return DP_FRAME_NOT_NORMAL;
    if (f->path >= n || s[f->path] != '/')
        return DP_FRAME_NOT_NORMAL;
    if (!f->seg && !dp_frame_room(f, 1, 0))
        return DP_FRAME_NOMEM;
    while (at_special(&w) <= f->path)
        pass_special(&w);
    dp_frame_result r = read_path(f, &w);
    return r == DP_FRAME_OK ? read_query(f, &w) : r;
}

void dp_frame_done(dp_frame *f)
{
    free(f->seg);
    free(f->pair);
    *f = (dp_frame){0};
}

bool dp_frame_is_sorted(const dp_frame *f)
{
    for (uint32_t i = 1; i < f->npair; i++)
        if (dp_str_cmp(dp_pair_name(f, &f->pair[i]), dp_pair_name(f, &f->pair[i - 1])) < 0)
            return false;
    return true;
}

/* Merge sort by name, stable; `tmp` has room for n pairs. */
static void sort_pairs(const dp_frame *f, dp_pair *v, dp_pair *tmp, uint32_t n)
{
    if (n < 2)
        return;
    uint32_t h = n / 2, i = 0, j = h, k = 0;
    sort_pairs(f, v, tmp, h);
    sort_pairs(f, v + h, tmp, n - h);
    while (i < h && j < n)
        tmp[k++] = dp_str_cmp(dp_pair_name(f, &v[j]), dp_pair_name(f, &v[i])) < 0 ? v[j++] : v[i++];
    while (i < h)
        tmp[k++] = v[i++];
    memcpy(v, tmp, k * sizeof *v);
}

bool dp_frame_sort(dp_frame *f, dp_buf *out)
{
    uint32_t n = f->npair;
    if (!dp_frame_room(f, 0, n * 3))
        return false;
    dp_pair *sorted = f->pair + n;
    memcpy(sorted, f->pair, n * sizeof *sorted);
    sort_pairs(f, sorted, sorted + n, n);
    dp_buf_add(out, f->s, f->path_end);
    for (uint32_t i = 0; i < n; i++) {
        dp_buf_byte(out, i ? f->pair[i].sep : '?');
        dp_buf_str(out, dp_frame_cut(f, sorted[i].at, sorted[i].end));
    }
    return !out->failed;
}

uint32_t dp_frame_empties(const dp_frame *f)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i + 1 < f->nseg; i++)
        count += f->seg[i + 1] - f->seg[i] == 1;
    return count;
}

int dp_frame_port(const dp_frame *f)
{
    return f->port >= 0 ? f->port : dp_scheme_port(dp_frame_scheme(f));
}

bool dp_frame_param(const dp_frame *f, uint32_t from, dp_param *p)
{
    const char *s = f->s;
    for (uint32_t i = from; i < f->path_end; i++) {
        const char *semi = memchr(s + i, ';', f->path_end - i);
        if (!semi)
            return false;
        i = (uint32_t)(semi - s);
        uint32_t end = i + 1;
        p->at = i;
        p->has_eq = false;
        for (; end < f->path_end && s[end] != ';' && s[end] != '/'; end++)
            if (s[end] == '=' && !p->has_eq) {
                p->has_eq = true;
                p->eq = end;
            }
        if (!p->has_eq)
            p->eq = end;
        p->end = end;
        if (end > i + 1)
            return true;
    }
    return false;
}
