/* learn/sizes/label_sizes.h - labels for a site of which only a log is known: pages of one size may be one page.
 *
 *     /a?sid=1  5120     one label        /logo.png  5120     another: assets are no pages
 *     /a?sid=2  5120                      /b         7003     another
 *
 * Where pages have the same size from one fetch to the next, equal sizes make a label. Where they differ by a few bytes
 * (dp_site.spread), or where there are very many of them, too many have the size of another by accident. There URLs
 * must also be related: they share a path, a component or a value that few others have.
 *
 *     spread 3:   /item/48213        7003  ─┐ "48213"
 *                 /item/48213?ref=x  7005  ─┘            /item/51177   7004
 *
 * Two versions of a manual may have pages of one size, since they differ in a number. So URLs with the numbers of
 * different versions have different labels, and one without a number has that of the newest.
 *
 * Where a log has more to say, that counts too: pages of another ETag or media type are others, and a URL that its
 * clients were sent on from has the label of where they went (site/follow.h).
 *
 * URLs that were answered 404 or 410 come in with one label for all of them, which speaks against rules that lead
 * there, and never for one: it is soft.
 *
 * Such a label is weak: two pages of one size are two pages. It is good enough to propose rules and to count votes;
 * what the rules are worth is weighed once more (learn/sizes/weigh_sizes.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SIZES_LABEL_SIZES_H
#define DP_LEARN_SIZES_LABEL_SIZES_H

#include "site/site.h"

/* Whether URL `i` of a labelled site is one that is gone: then it has the label of all that are, and no size. */
static inline bool dp_sizes_is_gone(const dp_site *s, size_t i)
{
    return s->usual[i] == UINT32_MAX && s->cluster[i] != DP_NO_CLUSTER;
}

/* Whether sizes are all that is known of the site's pages. */
static inline bool dp_sizes_are_all(const dp_site *s)
{
    return s->nclusters == 0 && s->usual;
}

/* The same site with labels, and with what is gone; what is new is in `a`. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_label_sizes(dp_site *out, const dp_site *s, dp_arena *a);

#endif
