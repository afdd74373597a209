/* site/follow.h - where a redirect led, by what its client asked for next.
 *
 *     client 7   /old   301 ┐
 *     client 9   /b     200 │ of somebody else
 *     client 7   /new   200 ┘   ──►   /old leads to /new
 *
 * Most logs say that a URL redirects, and not where to. Whoever follows a redirect asks for its target at once. Only
 * the last redirect of a client counts, and only for some seconds; pictures and scripts of a page that is being shown
 * are passed over. Whether to believe it is for whoever counts (site/view.c).
 *
 * Invariants:
 *   - Lines come in the order of the file. A client is known by a hash that nobody else can tell (base/secret.h).
 *   - Of clients whose hashes fall together the last one counts.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SITE_FOLLOW_H
#define DP_SITE_FOLLOW_H

#include "base/buf.h"
#include "base/err.h"

enum { DP_FOLLOW_CLIENTS = 1024, DP_FOLLOW_SECONDS = 5 };

typedef struct dp_follow_sent {
    uint64_t client;
    int64_t  time;
    dp_buf   url; /* n == 0: nobody waits here */
} dp_follow_sent;

/* A zeroed one is valid and empty. */
typedef struct dp_follow {
    dp_follow_sent *v; /* [DP_FOLLOW_CLIENTS]; NULL: no redirect yet */
} dp_follow;

/* The client was told at `time` that `url` is elsewhere. DP_ENOMEM. */
dp_err dp_follow_note(dp_follow *f, uint64_t client, int64_t time, dp_str url);

/* The client has got the page of `url`. True when it had just been sent away from `*from`, which is valid until the
 * next call. */
bool dp_follow_arrive(dp_follow *f, uint64_t client, int64_t time, dp_str url, dp_str *from);

/* Whether a redirect from one to the other is what one would expect: the same path but for case, a last slash or
 * index.html, or the same last component in another folder. */
bool dp_follow_is_likely(dp_str from, dp_str to);

void dp_follow_reset(dp_follow *f); /* another file begins */
void dp_follow_done(dp_follow *f);

#endif
