/* learn/run/held_out.h - what rules are worth on clusters that had no say in them.
 *
 *     site, or a part of it ─┬─ clusters of nine folds ─► learned as any site ─► a rule file
 *                            └─ those of the tenth, which nobody has seen ◄── measured on ──┘
 *
 * The rules that are written come out of all clusters, so there is nothing left to measure them on. Instead the site
 * is learned once more as if one cluster in ten had never been seen, and what would be written is applied to these.
 * It says a little less than the written rules are worth, since they have seen more; and nothing is measured on what
 * has proposed, voted or contradicted.
 *
 * That costs as much again. So sites are drawn, in the order of a hash of their names, until they have one in
 * DP_HELD_OUT_SHARE of all facts, and at least DP_HELD_OUT_LEAST: a small input is relearned as a whole. A site that
 * has more than that by itself is relearned on a part (learn/sample/sample_part.h).
 *
 * Invariants:
 *   - Who is drawn depends on the names of all sites and their numbers of facts alone.
 *   - The rules that are written do not depend on any of this.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_RUN_HELD_OUT_H
#define DP_LEARN_RUN_HELD_OUT_H

#include "learn/accept/learn_site.h"
#include "learn/run/settings.h"

enum { DP_HELD_OUT_LEAST = 6000, DP_HELD_OUT_SHARE = 20 };

/* A site, and how many of its URLs are learned once more: 0: none. */
typedef struct dp_held_out_site {
    dp_str   name;
    uint64_t facts, urls;
} dp_held_out_site;

/* Fill in `urls` of all sites of a run. DP_ENOMEM. */
dp_err dp_held_out_choose(dp_held_out_site *v, size_t n, const dp_settings *s);

/* Learn a part of t->relearn URLs once more, and put into `out` what was held out and how the rules did there.
 * `linked`: the site is several domains. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_held_out_run(dp_learned *out, const dp_site *s, const dp_learn_how *t, bool linked);

/* Learn `known`, a part of `s`. What sites told each other is told again as if this one had known no more then. Of a
 * site of several domains it is not known who of them told what: it hears nothing. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_held_out_learn(dp_learned *out, const dp_site *known, const dp_site *s, const dp_learn_how *t, bool linked);

/* Put into `out` how its rules do on the last fold of `s`, which must have had no say in them. DP_ENOMEM, DP_ELIMIT. */
dp_err dp_held_out_measure(dp_learned *out, const dp_site *s, const dp_learn_how *t);

#endif
