/* live/draws.h - which URLs a rule is tested on: those it changes, in a random order, of each result the URL first that
 * was asked for most.
 *
 *     list ──► distinct URLs ──► each rule alone, once ──► direct   u, v = rule(u)      Figure 4
 *                                (apply/engine.h)      └─► pairs    u, v: rule(u) = rule(v)
 *
 * Every rule has two sides: as it is written, and, where apply/turn.h knows how, exchanged. Pairs are for rules whose
 * result nobody can fetch, because it holds an erased value, or does not exist as a page: both URLs are in the list
 * then. The first URL (or pair) of every result comes before the second of any, so that one page with many URLs is one
 * test as long as there are others. Of a rule with a list of names or values each has its turn, so that a rare one is
 * tested beside a frequent one; a URL with several counts for the rarest.
 *
 * Invariants:
 *   - The order depends on URLs, their hits, rule and seed alone: not on the order of the list, nor on other rules.
 *   - keep and order lines of the file hold, as they will when the rule is used.
 *
 * Memory: 24 bytes for each URL and rule that changes it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LIVE_DRAWS_H
#define DP_LIVE_DRAWS_H

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"
#include "live/branches.h"
#include "rule/rule.h"

typedef enum dp_direction { DP_AS_WRITTEN = 0, DP_TURNED_ROUND = 1, DP_DIRECTIONS } dp_direction;

typedef struct dp_draws dp_draws;

/* Rules of `r` that are off, or in a block that is, have no draws. DP_ENOMEM, DP_ELIMIT. `r` must outlive it. */
dp_err dp_draws_new(dp_draws **out, const dp_rules *r, uint64_t seed, dp_error *err);
void   dp_draws_free(dp_draws *d);

/* Add a URL that was asked for `hits` times; what is none is passed over, *is_url false. Of one that came before the
 * hits are added up. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_draws_add(dp_draws *d, dp_str url, uint64_t hits, bool *is_url);

/* The stage-0 form of `url`, http:// before it where it has no scheme. False when it is none (or out->failed). */
bool dp_draws_form(dp_buf *out, dp_str url);

size_t dp_draws_urls(const dp_draws *d);

/* Bring them in order; once, after the last URL. DP_ENOMEM. */
dp_err dp_draws_finish(dp_draws *d);

/* How many there are for a side of rule number `rule`. */
size_t dp_draws_direct(const dp_draws *d, size_t rule, dp_direction side);
size_t dp_draws_pairs(const dp_draws *d, size_t rule, dp_direction side);

/* Two URLs, and what the rule makes of the first: of a direct draw that is the second. */
typedef struct dp_drawn {
    dp_str u, v, result;
} dp_drawn;

/* Number i of the direct draws, or of the pairs; texts live until the next call. DP_ENOMEM. */
dp_err dp_draws_get(dp_draws *d, size_t rule, dp_direction side, bool pairs, size_t i, dp_drawn *out);

/* The names or values that a side of rule number `rule` lists. */
const dp_branches *dp_draws_branches(const dp_draws *d, size_t rule, dp_direction side);

/* Rule number `rule` with its sides exchanged; NULL: it has no other side. */
const dp_rule *dp_draws_turned(const dp_draws *d, size_t rule);

/* Which rules make rule number `rule` superfluous, as far as the list shows: whatever it changes, they make one with
 * its result. by[] holds for each rule which of its sides may do so, bits 1 << dp_direction; those stay that do. *left:
 * how many. None do where the rule changes nothing. DP_ENOMEM. */
dp_err dp_draws_covered(dp_draws *d, size_t rule, uint8_t *by, size_t *left);

#endif
