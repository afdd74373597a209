/* learn/auto/rounds/trial.h - differences that hide each other: rules taken together on trial.
 *
 *     /x?sid=7&cat=     /x?ref=a     one page, and the next has other combinations: no rule alone makes two URLs one
 *     on trial: drop ?sid   drop ?ref   drop ?cat if =      each is judged with the others in force
 *
 * Rounds peel off one difference after another, which needs pages that differ in one of them alone. Where each URL has
 * three or four, there are none. When the rounds have ended and many pages are still open, all gentle rules that pages
 * propose (hosts, order, case, index files, parameters) come into force on trial, and the rounds go on with them. Then
 * each of them must hold as every other rule must, by votes on what URLs are without it; the worst goes first, since
 * it spoils the votes of the others, and those that have not the votes go, too.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_ROUNDS_TRIAL_H
#define DP_LEARN_AUTO_ROUNDS_TRIAL_H

#include "learn/auto/rounds/rounds.h"

/* Take what is proposed on trial; `*any`: there was something, and the forms are made anew. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_trial_take(dp_rounds *r, bool *any);

/* Take on trial what makes no two URLs one by itself: pairs of paths, and blanks (learn/auto/propose/facets.h,
 * blanks.h). `*any`: there is such, whether or not it is enough for rules. */
dp_err dp_trial_take_together(dp_rounds *r, bool *any);

/* Leave what holds of it; the forms are made anew. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_trial_end(dp_rounds *r);

#endif
