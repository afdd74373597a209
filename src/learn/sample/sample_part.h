/* learn/sample/sample_part.h - a part of a site that is like the whole.
 *
 *     clusters, drawn by hash       /a?id=1&sid=7   /a?id=1
 *     what could collide with them  /a?id=2&sid=7   /A?id=1   /b/a?id=1      whatever their clusters
 *
 * What many pages show, a few hundred show as well, for a fraction of the time: the first rounds of
 * learn/auto/rounds/rounds.h look at a part, and when they turn to the whole, most of what there was to find has been
 * found. Drawn evenly, two pages that a wrong rule would merge are both there with the square of the rate. So every URL
 * is taken that is equal to a drawn one but for a parameter, the folders before its last component, or case and the
 * slash at the end.
 *
 * Invariants:
 *   - A cluster that is drawn is there as a whole.
 *   - The part depends on texts and clusters alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_SAMPLE_SAMPLE_PART_H
#define DP_LEARN_SAMPLE_SAMPLE_PART_H

#include "base/fold.h"
#include "site/site.h"

/* A part of about `urls` URLs and what collides with them; all in `a`, but for the texts. DP_ENOMEM. */
dp_err dp_sample_part(dp_site *out, const dp_site *s, size_t urls, dp_arena *a);

enum { DP_ONLOOKERS = DP_FOLDS };

/* The same, for a rehearsal (learn/run/held_out.h): clusters of the last fold that were not drawn, but collide, have
 * DP_ONLOOKERS as their fold: they are there to be run into, not to be learned from nor measured on. */
dp_err dp_sample_part_held_out(dp_site *out, const dp_site *s, size_t urls, dp_arena *a);

#endif
