/* live/robots.h - what a robots.txt lets us fetch (RFC 9309).
 *
 *     User-agent: *            ┐ a group: names, then rules
 *     Disallow: /private       │
 *     Allow: /private/open*.html$
 *     Crawl-delay: 5           ┘                 dp_robots_allow(r, "/private/x") ──► no
 *
 * The groups that name us count, all of them together; where none does, those of "*"; where there is none, everything
 * is allowed. Of the rules that match, the longest decides; of equally long ones, Allow. `*` stands for any bytes, `$`
 * at the end for the end. Escapes are compared as the RFC says: %XX of unreserved bytes is the byte, other bytes
 * that need it are escaped.
 *
 * Invariants:
 *   - Matching is linear in pattern times path at worst, and never recurses.
 *   - dp_robots_read of what dp_robots_print wrote gives the same rules.
 *   - Only the first 500 KiB count; a line cut there is left out.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_ROBOTS_H
#define DP_LIVE_ROBOTS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

enum { DP_ROBOTS_MAX = 500 << 10 /* bytes that are read */ };

typedef struct dp_robots_rule {
    dp_str pattern; /* escaped as paths are; never empty */
    bool   allow;
} dp_robots_rule;

typedef struct dp_robots {
    dp_robots_rule *v; /* [n], the longest first, Allow before Disallow */
    size_t          n;
    double          delay; /* seconds between requests; 0: none asked for. No part of the RFC, but many write it */
} dp_robots;

/* Read the groups for `agent` (a product name: "dustpan"); all lies in `a`. DP_ENOMEM. */
dp_err dp_robots_read(dp_robots *out, dp_str text, dp_str agent, dp_arena *a);

/* Whether the path of a URL with its query ("/a?b") may be fetched. /robots.txt always may. */
bool dp_robots_allow(const dp_robots *r, dp_str path);

/* Append the rules as a robots.txt of one group. */
void dp_robots_print(dp_buf *out, const dp_robots *r);

#endif
