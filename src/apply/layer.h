/* apply/layer.h - the index of one scope name: which rules may fire on which URLs.
 *
 * Used by apply/compile.c alone; the result is a dp_im_layer with what follows it
 * (apply/image.h). A rule is entered under parts of a URL that it cannot do without; the
 * engine finds it by those and then tries it in full, so the index may offer a rule too
 * often but never too rarely.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_APPLY_LAYER_H
#define DP_APPLY_LAYER_H

#include "apply/image.h"
#include "rule/rule.h"

typedef struct dp_layer_source {
    const dp_rules    *rules;
    const uint32_t    *block; /* [nblock] numbers of the blocks, ascending */
    size_t             nblock;
    const dp_im_block *image_block; /* the same blocks in the image, for rule and keep numbers */
    const dp_im_about *about;       /* of all rules, for their bodies */
    dp_buf            *keeps;       /* KEEP: several blocks' keeps are joined at its end */
} dp_layer_source;

/* Append the layer to `program`; failure is program->failed. */
void dp_layer_add(dp_buf *program, const dp_layer_source *src, dp_arena *a);

/* The token of α by which a `sub` rule is indexed: the last one of four bytes and more, else its longest. Rules of a
 * site begin alike, with its name; what they are about comes later. */
dp_ref dp_layer_pivot(dp_str alpha);

#endif
