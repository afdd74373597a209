/* learn/auto/rounds/lookback.h - accepted rules seen again with all others in force: some are confined, some taken
 * back.
 *
 * The worst is corrected first; those that share groups with it wait for the next look, since they may be wrong only
 * because of it (learn/auto/rounds/review.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_ROUNDS_LOOKBACK_H
#define DP_LEARN_AUTO_ROUNDS_LOOKBACK_H

#include "learn/auto/rounds/rounds.h"

/* The engine of the rules so far, and a hash of their text. Taking one back may let two others feed each other; a run
 * ends all the same, and learn/accept/judge_together.h has the last word. */
dp_err dp_lookback_engine(dp_engine **out, dp_rounds *r, uint64_t *hash);

/* How the URLs of r->site become forms by the rules so far, with note of what fires. DP_ENOMEM. */
dp_err dp_lookback_open(dp_rewriting *how, dp_rounds *r);
void   dp_lookback_close(dp_rewriting *how);

/* Make the forms of the URLs once more, by the rules as they are now; what fired is known then. DP_ENOMEM. */
dp_err dp_lookback_afresh(dp_rounds *r);

/* The same, and what fired is not noted: a review must begin with one of the others. `c` says what is known of the
 * URLs; the rules on trial are marked by their numbers. */
dp_err dp_lookback_quickly(dp_rounds *r, dp_recall *c);

/* Whether no rule feeds itself. DP_ENOMEM. */
dp_err dp_lookback_ends(bool *ok, const dp_rounds *r);

/* Correct until nothing is to correct; `*any`: something was. DP_ENOMEM. */
dp_err dp_lookback_correct(dp_rounds *r, bool *any);

/* The last look: all votes of each rule; sections that do not speak for it are spared; what never fires is left out,
 * and so is what others do as well.
 * DP_ENOMEM. */
dp_err dp_lookback_end(dp_rounds *r);

/* Count all votes of each rule anew, after the last look. DP_ENOMEM. */
dp_err dp_lookback_count(dp_rounds *r);

#endif
