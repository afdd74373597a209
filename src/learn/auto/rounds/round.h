/* learn/auto/rounds/round.h - one round: what pairs of forms propose is judged on all forms, and the gentlest that hold
 * are accepted.
 *
 * Ideas that fail in part are looked at closer: confined to where they hold, or with exceptions, they are judged again.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_ROUNDS_ROUND_H
#define DP_LEARN_AUTO_ROUNDS_ROUND_H

#include "learn/auto/rounds/rounds.h"

enum { DP_MOST_DEPTH = 3 }; /* conditions that were added to a rule */

/* Add what is accepted to r->v; r->touched says on which forms it fires. DP_ENOMEM. */
dp_err dp_round_run(dp_rounds *r, size_t *accepted);

/* After the last round: what other sites carry without a vote of this one goes to r->suggested. DP_ENOMEM. */
dp_err dp_round_suggest(dp_rounds *r);

/* Accept nothing, but say in r->here what there is to learn of families and noise. DP_ENOMEM. */
dp_err dp_round_look(dp_rounds *r);

/* All that pages propose, whoever else does. DP_ENOMEM. */
dp_err dp_round_ideas(dp_ideas *out, dp_rounds *r);

/* Whether `t` holds on the present forms, which are without it; its votes, its expected precision and the hosts that
 * speak for it are noted in it. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_round_prove(dp_rounds *r, dp_taken *t, bool *holds);

/* Find what sets the pages of the present part apart (learn/auto/forms/identity.h), before the first idea is tried on
 * them: on the whole of a large site often none is. DP_ENOMEM. */
dp_err dp_round_identify(dp_rounds *r);

void dp_past_drop(dp_past *p);

#endif
