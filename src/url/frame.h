/* url/frame.h - the parts of a stage-0 URL that rules talk about, as positions.
 *
 *     https://me@a.com:81/p/q;s=1/?x=1&y;z=
 *             user host port  segments  pairs (separator, name, value)
 *
 * Reads what url/normalize.h wrote; rules, engine and learners read the frame. Reading a
 * frame also decides whether a text is in stage-0 form at all, which most URLs of the web
 * are: for those one pass over the bytes is all that stage 0 costs.
 *
 * Invariants:
 *   - Positions are offsets into the text given; nothing is copied or decoded.
 *   - "/" + segments joined by '/' is the path: there is always at least one segment; a
 *     trailing slash is an empty last segment.
 *   - The text is the concatenation of what the frame names, byte for byte.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_URL_FRAME_H
#define DP_URL_FRAME_H

#include "base/buf.h"

/* 32-bit positions: frames are read for every URL, and half the size is half the cache. */
typedef struct dp_pair {
    uint32_t at;    /* of the name */
    uint32_t eq;    /* end of the name: of '=', or the end when there is none */
    uint32_t end;
    bool     has_eq;
    char     sep;   /* '&' or ';' before it; '&' for the first, which is printed '?' */
} dp_pair;

typedef struct dp_frame {
    const char *s;
    uint32_t    n;
    uint32_t    scheme_n;       /* 0: no scheme printed, read as http */
    uint32_t    user, user_end; /* user_end == 0: no userinfo */
    uint32_t    host, host_end;
    int32_t     port;           /* -1: none written */
    uint32_t    path, path_end; /* path: of the first '/' */
    uint32_t    nseg, npair;
    uint32_t   *seg;            /* [nseg + 1] start of each segment; seg[nseg] = path_end + 1 */
    dp_pair    *pair;           /* [npair] */
    uint32_t    seg_cap, pair_cap;
} dp_frame;

typedef enum dp_frame_result {
    DP_FRAME_OK,
    DP_FRAME_NOT_NORMAL, /* not in stage-0 form; dp_normalize says whether it is a URL */
    DP_FRAME_NOMEM
} dp_frame_result;

/* A zeroed dp_frame is valid; its arrays grow and are kept from one URL to the next. */
dp_frame_result dp_frame_read(dp_frame *f, dp_str text);
void            dp_frame_done(dp_frame *f);

/* Make room for n segments or pairs; false when memory is out. */
bool dp_frame_room(dp_frame *f, uint32_t nseg, uint32_t npair);

/* Make `to` a frame of its own that says the same of the same text; false when memory is out. */
bool dp_frame_copy(dp_frame *to, const dp_frame *from);

/* Make all that stands before the path that of another frame. */
void dp_frame_take_origin(dp_frame *to, const dp_frame *from);

/* Whether the pairs stand in the order of their names (docs/rule-format.md 8.2, `order any`). */
bool dp_frame_is_sorted(const dp_frame *f);

/* Append the text of `f` with its pairs in that order; separators keep their places. The
 * frame stays that of the old text. False when memory is out. */
bool dp_frame_sort(dp_frame *f, dp_buf *out);

/* Empty segments before the last. */
uint32_t dp_frame_empties(const dp_frame *f);

/* Port written, else the scheme's default, else -1. */
int dp_frame_port(const dp_frame *f);

static inline dp_str dp_frame_cut(const dp_frame *f, uint32_t from, uint32_t to)
{
    return (dp_str){f->s + from, to - from};
}

static inline dp_str dp_frame_scheme(const dp_frame *f)
{
    return f->scheme_n ? dp_frame_cut(f, 0, f->scheme_n) : DP_STR("http");
}

static inline dp_str dp_frame_host(const dp_frame *f)
{
    return dp_frame_cut(f, f->host, f->host_end);
}

static inline dp_str dp_frame_seg(const dp_frame *f, uint32_t i)
{
    return dp_frame_cut(f, f->seg[i], f->seg[i + 1] - 1);
}

static inline dp_str dp_pair_name(const dp_frame *f, const dp_pair *p)
{
    return dp_frame_cut(f, p->at, p->eq);
}

static inline dp_str dp_pair_value(const dp_frame *f, const dp_pair *p)
{
    return dp_frame_cut(f, p->eq + (p->has_eq ? 1u : 0u), p->end);
}

/* The same pair where its text begins at `at`. */
static inline dp_pair dp_pair_moved(dp_pair p, uint32_t at)
{
    return (dp_pair){at, at + (p.eq - p.at), at + (p.end - p.at), p.has_eq, p.sep};
}

/* One ";name=value" of a segment. */
typedef struct dp_param {
    uint32_t at;    /* of the ';' */
    uint32_t eq;    /* end of the name */
    uint32_t end;
    bool     has_eq;
} dp_param;

/* The next path parameter at or after position `from` (f->path to begin with) into `*p`;
 * false when there is none. Its `end` is where to go on. Empty pieces are passed over. */
bool dp_frame_param(const dp_frame *f, uint32_t from, dp_param *p);

#endif
