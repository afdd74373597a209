/* apply/rewrite.h - what one rule makes of one URL, before stage 0.
 *
 * Reads apply/match.h, writes text; the engine decides whether the result stands.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_APPLY_REWRITE_H
#define DP_APPLY_REWRITE_H

#include "apply/match.h"
#include "base/buf.h"

/* The keep lines that hold for the URL: bodies, in ranges, one a layer. */
typedef struct dp_keeps {
    const dp_image *im;
    const dp_ref   *v; /* of KEEP */
    size_t          n;
} dp_keeps;

/* Whether a parameter of that name (path parameter or not) is kept. */
bool dp_keeps_hold(dp_keeps keeps, dp_str name, bool param);

typedef enum dp_rewritten {
    DP_REWRITE_NOTHING, /* the rule does not match, or changes nothing */
    DP_REWRITE_TEXT,    /* `out` holds the raw result; it may still be the old text */
    DP_REWRITE_FRAME,   /* `out` holds another text, in stage-0 form, and `new` is its frame */
    DP_REWRITE_NOMEM
} dp_rewritten;

/* Apply rule `r` to `f` and append the result to `out`. `keeps` is empty for pinned rules;
 * `place` is where α of a `sub` rule begins. Memory that is out may also be out->failed. */
dp_rewritten dp_rewrite(const dp_im_rule *r, const dp_frame *f, dp_keeps keeps, uint32_t place, dp_match *m,
                        dp_buf *out, dp_frame *new);

#endif
