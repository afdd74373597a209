/* judge/betting.h - what a random sample tells of a share, at any time: betting confidence sequences.
 *
 *     299 drawn, all right  ──► dp_bet_least ──►  at least .99 are right, with a confidence of 95 %
 *
 * For each share q somebody bets, draw by draw, against "at most q are right", with a capital of 1 at the beginning.
 * If that is so, the capital is expected to stay 1 or fall, whatever the bets are; so the chance that it ever reaches
 * 1/d is at most d (Ville). All q at which it has are refuted, and who looks after every draw is no worse off than
 * who looks once ([WSR24] Waudby-Smith and Ramdas, Estimating means of bounded random variables by betting).
 *
 * The bets are mixtures that depend on the counts alone, not on the order:
 *   - against "at most q", for a least share: .991 of the stake goes all-in on "the next is right" (q^-n as long as
 *     nothing is wrong, then lost), the rest on all shares above q evenly. So 299 right ones prove .99 at .95, as the
 *     exact binomial test does that looks once; with one wrong 1,274 do;
 *   - against "at least q", for a most share: on all shares below q evenly;
 *   - against "at every time at least q" (dp_bet_change): half as before, half beginning anew at the k-th draw, with a
 *     stake of 1/(k(k+1)). So a share that falls after thousands of draws is found after a few, not after as many.
 *
 * All this is about a share that stays the same. Where it changes from draw to draw, random draws still bound the share
 * of all so far at any one time that was chosen beforehand, not at all times at once.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_JUDGE_BETTING_H
#define DP_JUDGE_BETTING_H

#include <stddef.h>
#include <stdint.h>

typedef struct dp_draws {
    uint64_t right, wrong;
} dp_draws;

/* What is left of the capital 1, 0 < q < 1; at most 10^9. */
double dp_bet_against_most(dp_draws d, double q);  /* against "at most q are right" */
double dp_bet_against_least(dp_draws d, double q); /* against "at least q are right" */

/* Against "at every time at least q", with `wrong_at` the numbers, from 0, of the wrong ones among `n` draws. */
double dp_bet_change(const uint64_t *wrong_at, size_t wrong, uint64_t n, double q);

/* The least and the most share that is not refuted; each is wrong, ever, with a chance of 1 - confidence. 0 and 1 when
 * nothing was drawn. */
double dp_bet_least(dp_draws d, double confidence);
double dp_bet_most(dp_draws d, double confidence);

#endif
