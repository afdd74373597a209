/* eval/trail.h - labelled URLs on their way through all rules of a file: what forms they pass, who moves them.
 *
 *     /x/index.html?sid=1 ─ drop ?sid ─► /x/index.html ─ index ─► /x/     forms 0, 1, 2
 *     /x/index.html ─ index ─► /x/                                        1 and 2: a known step
 *
 * A rule is judged with the others in force: by what it makes, in one firing, of the forms on which it fires when
 * `apply` runs; never by URLs that a rule before it takes away. What later rules do to what it makes is theirs.
 * Likely rules do not fire in `apply`: each is tried alone, on the URLs as they come.
 *
 * Reads eval/truth.h; eval/audit.h judges the firings (judge/replay.h, eval/samples.h).
 *
 * Memory: 4 bytes a URL, 26 a form, 32 a step that is new.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_EVAL_TRAIL_H
#define DP_EVAL_TRAIL_H

#include "eval/truth.h"
#include "rule/rule.h"

#define DP_NO_URL UINT32_MAX

/* Rule `rule` moves URL number `item`, the first that comes by, from form number `from` to `to`. */
typedef struct dp_trail_step {
    uint32_t rule, item, from, to;
} dp_trail_step;

typedef struct dp_trail {
    uint64_t      *hash;   /* [n] of the text of each form */
    uint32_t      *item;   /* [n] the first URL of which it is the stage-0 form; DP_NO_URL: rules made it */
    uint32_t       n, cap;
    uint32_t      *start;  /* [URLs] the stage-0 form of each */
    dp_trail_step *step;   /* [nstep], each rule and `from` once; then, for forms that rules alone make, ... */
    size_t         nstep, step_cap;
    size_t         nmeet;  /* ... so many more: a rule, and one that another rule has brought to where it leads */
} dp_trail;

/* Of all URLs of `t`, whose texts must be there; `e` is the engine of `rules`. To be done with also after a failure.
 * DP_ENOMEM, DP_ELIMIT. */
dp_err dp_trail_make(dp_trail *out, const dp_engine *e, const dp_rules *rules, const dp_truth *t);
void   dp_trail_done(dp_trail *r);

#endif
