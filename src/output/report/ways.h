/* output/report/ways.h - the key of a URL under every choice of its rules, so that a page without an engine can tell
 * what another choice saves.
 *
 *     all rules on       key 7, fired: sid under /shop/, utm under /shop/
 *     ├ without sid      key 9, fired: utm under /shop/
 *     │ └ without utm    key 4
 *     └ without utm, sid stays: key 5
 *
 *     w = way[i];  while a step of w is a rule that the reader has turned off: w = that step's `without`;  key[w]
 *
 * A rule that does not fire on a URL changes nothing there, so only those that fire are asked about, in the order in
 * which they do; two to the power of these. A URL with more than MOST_WAYS of them keeps the first: steps that lead
 * nowhere have DP_NO_WAY.
 *
 * The sample holds whole groups: URLs that share a page or a key with one another, all of them or none, so that no
 * wrong merge is cut in two. Those in which different pages share a key come first, and take up to half of it: what is
 * lost counts more than what is saved. Which groups depends on their texts alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_OUTPUT_REPORT_WAYS_H
#define DP_OUTPUT_REPORT_WAYS_H

#include "apply/engine.h"
#include "base/intern.h"
#include "output/report/report.h"

#define DP_NO_WAY UINT32_MAX

typedef struct dp_way_step {
    uint32_t rule, section; /* where it fires: a number of dp_ways.section */
    uint32_t without;       /* the way without it; DP_NO_WAY: not known */
} dp_way_step;

typedef struct dp_way {
    uint32_t key;
    uint32_t first, n; /* of dp_ways.step */
} dp_way;

/* A zeroed dp_ways is valid and empty. */
typedef struct dp_ways {
    uint32_t    *item; /* [nitem] URLs of the sample, ascending */
    uint32_t    *root; /* [nitem] the way of each with all rules on */
    uint32_t     nitem;
    dp_way      *way;
    uint32_t     nway, way_cap;
    dp_way_step *step;
    uint32_t     nstep, step_cap;
    uint64_t     unknown; /* steps that lead nowhere */
    uint32_t     left_out; /* URLs of groups with a wrong merge that do not fit into the sample */
    dp_ordinals  keys;
    dp_intern    sections; /* "/shop/"; "/": what lies in no folder */
} dp_ways;

void dp_ways_done(dp_ways *w);

/* What fires in one run of the engine, each rule once, with the folder in which the URL lay before. */
typedef struct dp_firings {
    dp_ways *w;
    uint32_t section; /* before the next firing */
    struct {
        uint32_t rule, section;
    } v[DP_MAX_FIRINGS];
    uint32_t n;
    dp_err   code;
} dp_firings;

/* Begin with a URL in stage-0 form: DP_ENOMEM. dp_firings_note is then given to the engine, and `code` looked at. */
dp_err dp_firings_begin(dp_firings *f, dp_ways *w, dp_str stage0);
bool   dp_firings_note(void *ctx, uint32_t rule, dp_str text);

/* The ways of one URL by the rules of `e`; the first of them into *root. DP_ENOMEM. */
dp_err dp_ways_add(dp_ways *w, const dp_engine *e, dp_scratch *s, dp_str url, uint32_t *root);

/* Ways of at most `most` URLs of the report, which has been counted. DP_ENOMEM. */
dp_err dp_ways_find(dp_ways *w, const dp_report *r, uint32_t most);

#endif
