/* support/world.h - random worlds: a rule file and URLs on which its rules fire.
 *
 *     dp_rng g = dp_rng_seed(7);
 *     dp_str file = world_rules(&g, WORLD_HOSTS, a);      "dustpan-rules 1\nhost a.com\ndrop ?p ..."
 *     dp_str url  = world_url(&g, rules, a);              "http://a.com/x?p=1&Q=2"
 *
 * Rule files are drawn from every construct of the grammar; names, segments and values come
 * from tiny vocabularies, so that rules overlap. URLs are made by filling in left sides and conditions of
 * the rules given, with pairs and noise around them; some are made up freely, some are no URLs.
 *
 * Invariants:
 *   - Same seed, same bytes.
 *   - A file from world_rules obeys the grammar; whether one of its rules feeds itself is for
 *     the loader to say.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_WORLD_H
#define DP_SUPPORT_WORLD_H

#include "base/rng.h"
#include "rule/rule.h"

typedef enum world_kind {
    WORLD_HOSTS, /* one to four blocks out of all kinds of scopes */
    WORLD_ANY    /* one block `host any`, without hosts in its templates */
} world_kind;

dp_str world_rules(dp_rng *g, world_kind kind, dp_arena *a);

/* A line that looks like what the rules talk about. */
dp_str world_url(dp_rng *g, const dp_rules *r, dp_arena *a);

/* Bytes that splitting finds hard: any byte, many delimiters, with and without scheme and host. */
dp_str world_bytes(dp_rng *g, dp_arena *a);

/* `url` with one to four places changed: case, escapes, delimiters, copies, cuts, stars, odd bytes. */
dp_str world_mutate(dp_rng *g, dp_str url, dp_arena *a);

#endif
