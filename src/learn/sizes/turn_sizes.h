/* learn/sizes/turn_sizes.h - which of two forms of a page to keep: the one that is asked for and linked most.
 *
 *     /{**}/index.html => /{**}/      /a/index.html  40 requests      /a/  3 requests
 *     becomes  /{**}/ => /{**}/index.html
 *
 * For a key either form will do. But what is learned from a log is for who owns the site, and becomes a redirect, a
 * rel=canonical, an entry of a sitemap. Only rules that have two sides are turned (apply/turn.h), and only where the
 * URLs of which the log does not have the form that is kept are few beside those of which it has. Where both are
 * asked for equally often, the one in lower case stays. A turned rule that would change any name leaves those of files
 * alone:
 *
 *     /{**}/{x}/ => /{**}/{x}    becomes  /{**}/{x} => /{**}/{x}/ unless /{**}/{x}.{e}    /robots.txt stays
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SIZES_TURN_SIZES_H
#define DP_LEARN_SIZES_TURN_SIZES_H

#include "base/arena.h"
#include "learn/method/proposal.h"

/* Turn proposals for a site of learn/sizes/label_sizes.h; texts are in `a`. *any: one was turned. DP_ENOMEM. */
dp_err dp_turn_sizes(dp_proposals *p, const dp_site *s, bool *any, dp_arena *a);

#endif
