/* learn/auto/confine/unheard.h - kinds of URLs that a rule would change and of which nobody has said anything.
 *
 *     /b/{**} => /a/{**}      images 37:0    pages reached, no vote      /b/{**}/{z}.png => /a/{**}/{z}.png
 *     /ru/{**} => /en/{**}    28:0           /{a}/ reached, no vote      ... unless /{a}/
 *
 * Votes of one kind of URL say nothing of another: images of two releases are equal, their pages are not. A rule that
 * reaches pages, and has votes of images, scripts and the like alone, goes to these. And what holds by accident
 * (learn/auto/rounds/promise.h) holds where it was seen: kinds by extension, depth, section or parameter that are
 * reached and have no vote of their own are left out.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_CONFINE_UNHEARD_H
#define DP_LEARN_AUTO_CONFINE_UNHEARD_H

#include "learn/auto/confine/context.h"

typedef enum dp_hearing {
    DP_HEARD_ALL,     /* all kinds that it reaches have a say, or none is known well enough */
    DP_UNHEARD_KINDS, /* what it becomes without them is written */
    DP_UNHEARD_PAGES  /* pages have no say, and it cannot be written without them */
} dp_hearing;

/* Make `out`, in `a`, the text of the rule where it was heard of. `accident`: not only pages are asked for.
 * DP_ENOMEM is c->failed. */
dp_hearing dp_context_hear_kinds(dp_str *out, dp_context *c, dp_str text, bool accident, dp_arena *a);

#endif
