/* apply/match.h - does a compiled template fit a URL, and what do its captures hold?
 *
 * Reads apply/image.h and url/frame.h; apply/rewrite.c and the engine use it. A pattern
 * matches by the first cut in which all holds (docs/rule-format.md 8.5): mostly the leftmost place of each
 * literal, else apply/firstcut.h finds it. Linear in the URL.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_APPLY_MATCH_H
#define DP_APPLY_MATCH_H

#include "apply/image.h"
#include "base/buf.h"
#include "url/frame.h"

/* What a capture holds: bytes of the URL, and whether they come from the query. */
typedef struct dp_capture {
    uint32_t at, end;
    bool     in_query;
} dp_capture;

typedef struct dp_match {
    dp_capture *slot;     /* [max_slot of the image] */
    uint32_t    glob_at, glob_end; /* segments that {**} holds: [glob_at, glob_end) */
    uint8_t    *taken;    /* [pairs of the frame] 1: an item of the left side took it */
    uint32_t    ntaken;
    dp_buf      moved;    /* room for text on its way between path and query */
    uint32_t   *cut;      /* room for dp_firstcut's table: max_cut of the image times the bytes of the URL */
} dp_match;

/* Whether the template at `tpl` of a body fits as a condition: its query open, plain captures also match erased text.
 * Overwrites the slots of `m`. */
bool dp_match_condition(const dp_im_rule *body, uint32_t tpl, const dp_frame *f, dp_match *m);

/* Whether the left side of the rewrite `r` fits; fills `m`. */
bool dp_match_left(const dp_im_rule *r, const dp_frame *f, dp_match *m);

/* Whether `name` is one of the names of a body. */
bool dp_match_names(const dp_im_rule *body, dp_str name);

#endif
