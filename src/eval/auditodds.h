/* eval/auditodds.h - how strongly do new votes speak against a promise?
 *
 *     28 for, 12 against; .998 promised  ──►  odds 10^9 : 1 against it
 *
 * A likelihood ratio: the votes under a precision anywhere below the promise (uniform), against the votes under the
 * promise itself. It is an e-value: for a rule that keeps its promise, the chance that the odds ever reach 1/a is at
 * most a, however often one looks. To bet on one precision, the promise less .15, would be simpler; the mixture also
 * sees rules that fall by less, and does not depend on the order of the votes.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_AUDITODDS_H
#define DP_EVAL_AUDITODDS_H

#include "judge/bound.h"

/* From these odds on a rule is broken (one in a thousand that keep their promise is called so), or in doubt. */
#define DP_ODDS_BROKEN 1000.0
#define DP_ODDS_DOUBT  20.0

/* The share of votes for a rule that keeps its promise, where a share `noise` of the labels is wrong. No promise is
 * taken for better than .999: one vote alone never breaks a rule. */
double dp_audit_rate(double promise, double noise);

/* Odds against "at least `promise` of the votes are for", where a share `noise` of the labels is wrong; at most 10^9.
 * 1 when there are no votes. */
double dp_audit_odds(dp_votes votes, double promise, double noise);

#endif
