/* learn/auto/vote/hosts.h - on which hosts of a site does a rule hold?
 *
 *     drop ?sid     a.com 40:0    www.a.com 12:0    old.a.com 0:7      ──►  "a.com, www.a.com"
 *
 * Hosts that show the same pages are kin: what holds on one of them and meets no objection holds on the others.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_VOTE_HOSTS_H
#define DP_LEARN_AUTO_VOTE_HOSTS_H

#include "learn/auto/vote/ballot.h"

/* The name in a stage-0 URL. */
dp_str dp_host_of(dp_str url);

typedef struct dp_host_votes {
    dp_str name;
    double pos, neg;
    uint32_t kin; /* number of the first host that shows the same pages */
} dp_host_votes;

typedef struct dp_hosts {
    dp_host_votes *v; /* [n] by name */
    size_t         n;
} dp_hosts;

/* The hosts of a site. DP_ENOMEM. */
dp_err dp_hosts_init(dp_hosts *h, const dp_site *s);
void   dp_hosts_done(dp_hosts *h);

/* The names, joined for a host line, of the hosts that speak for idea `i`: all when three or more do (or all that the
 * site has) and none against, and their kin that have what it changes; `silent`: also those that have what it changes
 * and say nothing. Empty when there are none; p is NULL when memory is out. */
dp_str dp_hosts_for(dp_hosts *h, dp_ballot *b, size_t i, bool silent, dp_arena *a);

/* The names of the hosts, and of their kin, that speak for idea `i` where others speak against it: on these alone it
 * may hold. Empty when no host speaks for it, or none against it; p is NULL when memory is out. */
dp_str dp_hosts_split(dp_hosts *h, dp_ballot *b, size_t i, dp_arena *a);

#endif
