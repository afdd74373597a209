/* learn/run/voters.h - what all sites say together, one vote a voter.
 *
 *     a.com            ─────────────────────────┐
 *     u1.github.io ┐                            ├─► sum
 *     u2.github.io ┴─ github.io: as one of them ┘
 *
 * A site costs nothing where somebody gives names away: forty of one hosting domain are no more than one. Who has a
 * domain of its own is a voter (url/host.h, dp_host_icann_domain).
 *
 * The sum depends on the surveys and their order alone; learn/run/mirrors.h and, where many machines learn,
 * learn/steps/site_step.c give them in the order of the sites' names.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_RUN_VOTERS_H
#define DP_LEARN_RUN_VOTERS_H

#include "learn/method/method.h"

/* Add n surveys to `all` ([m->shared_size], zeroed). Zeros at the end of a survey may be missing. DP_ENOMEM; DP_ESYNTAX
 * when one of them is none. */
dp_err dp_voters_sum(void *all, const dp_method *m, const dp_str *survey, size_t n);

#endif
