/* learn/auto/propose/blanks.h - a blank of a query that is a + in the path, too.
 *
 *     /search?q=red+oak     /search/red+oak     sub "+" -> "%20"     /search?q={x}&... => /search/{x}?...
 *
 * What moves from a query to a path has its + written as a blank. Where paths have it as it is, no template leads to
 * them, until all are blanks; and that alone makes no two URLs one, so it is tried together with what follows
 * (learn/auto/rounds/trial.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_PROPOSE_BLANKS_H
#define DP_LEARN_AUTO_PROPOSE_BLANKS_H

#include "learn/auto/forms/forms.h"
#include "learn/auto/forms/idea.h"

/* Pages that have a value with + in the query of one URL and in the path of another. DP_ENOMEM. */
dp_err dp_blanks_find(dp_ideas *out, const dp_forms *f);

#endif
