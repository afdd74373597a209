/* learn/tree/text.h - a context and the transformation of its class as a rule.
 *
 *     k3 title, k4@tt* any, k5 photogallery;  k5 = mediaindex
 *     /title/tt{a}/photogallery => /title/tt{a}/mediaindex
 *
 * Each can be said in three ways. Narrow, as the paper means it: parameters that the context does not name must be
 * absent, the scheme is the one seen. Wide: parameters that the transformation does not touch are not looked at, nor is
 * the scheme. Between them: those that have a certain value in the context must have it. Coverage and precision choose.
 *
 * For the files of learn/tree/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_TREE_TEXT_H
#define DP_LEARN_TREE_TEXT_H

#include "learn/phrase/phrase.h"
#include "learn/tree/class.h"

typedef enum dp_tree_width { DP_TREE_NARROW, DP_TREE_MIDDLE, DP_TREE_WIDE } dp_tree_width;

/* `t` is the transformation of the context's class. out->why says when there is no text; it lies in `a`. DP_ENOMEM. */
dp_err dp_tree_say(dp_phrase *out, dp_tree_classes *c, const dp_tree_context *x, const dp_tree_edit *t,
                   dp_tree_width width, dp_arena *a);

#endif
