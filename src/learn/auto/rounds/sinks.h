/* learn/auto/rounds/sinks.h - after the last round: forms that always show one page.
 *
 *     forms that the rules leave ──► propose/sink.h: ideas ──► tried on all forms ──► p by URLs drawn
 *
 * A rule about one page has one vote by pages, so it is judged by URLs of its form: every value of what is erased is
 * one draw, and all must show the page (learn/auto/vote/trust.h, with a prior of its own). Where the values are of the
 * kind that a guard knows, ten draws count as one.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_ROUNDS_SINKS_H
#define DP_LEARN_AUTO_ROUNDS_SINKS_H

#include "learn/auto/rounds/rounds.h"

/* Add them to r->v; the forms are what the rules make of the URLs. DP_ENOMEM. */
dp_err dp_sinks_accept(dp_rounds *r);

#endif
