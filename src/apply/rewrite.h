/* apply/rewrite.h - what one rule makes of one URL, before stage 0.
 *
 * Reads apply/match.h, writes text; the engine decides whether the result stands.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_APPLY_REWRITE_H
#define DP_APPLY_REWRITE_H

#include "apply/match.h"
#include "base/buf.h"

/* The keeps that hold for the URL: ranges of KEEP, one a layer. */
typedef struct dp_keeps {
    const dp_ref *v;
    size_t        n;
} dp_keeps;

/* Whether a parameter of that name (path parameter or not) is kept. */
bool dp_keeps_hold(const dp_image *im, dp_keeps keeps, dp_str name, bool param);

/* Apply rule `r` to `f` and append the raw result to `out`. `keeps` is empty for pinned
 * rules; `place` is where α of a `sub` rule begins. False when the rule does not match, or
 * leaves every byte as it was; memory that is out is out->failed. */
bool dp_rewrite(const dp_image *im, const dp_im_rule *r, const dp_frame *f, dp_keeps keeps, uint32_t place, dp_match *m,
                dp_buf *out);

#endif
