/* apply/engine.h - run compiled rules on URLs: the inside of dp_engine and dp_scratch.
 *
 *     url -> stage 0 -> [ layers of its host -> candidates -> first that fires -> stage 0 ]* -> key
 *
 * Invariants:
 *   - The answer is a function of (url, image, options) alone; what a scratch keeps from
 *     one URL to the next is memory, and the layers of the last host.
 *   - No allocation once the scratch has seen a URL as long.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_APPLY_ENGINE_H
#define DP_APPLY_ENGINE_H

#include "apply/candidates.h"
#include "apply/rewrite.h"

enum {
    DP_MAX_FIRINGS = 64,
    DP_MAX_GROWTH = 1 << 20,  /* bytes: a URL may become that much longer than twice its stage-0 form */
    DP_WINDOW = 16,           /* URLs that dp_apply_batch looks at ahead */
    DP_VIEWS = 2 + DP_WINDOW,
    DP_TEXTS = 4
};

struct dp_engine {
    dp_image       im;
    dp_rule_choice choice;
    uint64_t       set_id;
};

/* A URL under work, and all that is known of it. */
typedef struct dp_view {
    dp_frame      frame;
    dp_chain     *layers; /* one of the scratch's */
    dp_candidates candidates;
} dp_view;

struct dp_scratch {
    dp_view  view[DP_VIEWS];  /* 0 and 1 in turn: the current URL, and the one a rule makes of it; then the window */
    dp_chain chain[DP_VIEWS]; /* the same */
    dp_buf   first[DP_VIEWS]; /* stage 0 of the input, where it changes: 0, sorted 1; then the window's, sorted */
    int      now;             /* the current view */
    dp_buf   text[DP_TEXTS];  /* the current URL, a rule's raw result, its stage 0, sorted: in turn */
    int      filled;          /* which of them is the current URL's, once a rule has fired */
    dp_buf   form;            /* the answer, where it is not the text of a frame */
    dp_buf   saved;           /* a key kept while another is computed */
    dp_match match;
    uint32_t slot_cap, taken_cap; /* of match */
    size_t   cut_cap;             /* of match */
    uint32_t fired[DP_MAX_FIRINGS];
    size_t   nfired;
    dp_str   stage0;  /* what the run began with */
    size_t   longest; /* that the URL may become */
    bool     is_url, hit_limit, failed;
    bool     led_out; /* a rule has fired that leads to another domain, which nobody vouches for */
};

/* Called after each firing with the text it made; false ends the run as the limit does. */
typedef bool (*dp_trace)(void *ctx, uint32_t rule, dp_str text);

/* The answer for `url`; it lives in `s` or in `url`. p is NULL when memory is out. */
dp_str dp_engine_run(const dp_engine *e, dp_scratch *s, dp_form form, dp_str url, dp_trace trace, void *ctx);

/* The same, key alone, without the `n` rules in `list`. */
dp_str dp_engine_without(const dp_engine *e, dp_scratch *s, dp_str url, const uint32_t *list, uint32_t n,
                         dp_trace trace, void *ctx);

/* Within a trace: what the run would have ended with but for rules [without, without + n), of which one has just fired
 * and none before. It lives in `other`, or where the URL does; p is NULL when memory is out. */
dp_str dp_engine_otherwise(const dp_engine *e, const dp_scratch *s, dp_scratch *other, uint32_t without, uint32_t n);

/* Called with what rule number `rule` makes of a URL, alone and once. */
typedef void (*dp_alone)(void *ctx, uint32_t rule, dp_str text);

/* Try every rule on `url`, each on its own, in the order of their priority. Returns what they were
 * tried on: stage 0, in the order of its host; p is NULL when memory is out. */
dp_str dp_engine_each(const dp_engine *e, dp_scratch *s, dp_str url, dp_alone call, void *ctx);

/* Complete a view whose frame is there: its layers (into `chain`; `host_hash` is dp_hash_host of
 * its name, or 0), its pairs in their order (text into `room`), then its candidates, in two steps
 * as in apply/candidates.h. False when memory is out. */
bool dp_view_plan(const dp_engine *e, dp_view *v, dp_chain *chain, uint64_t host_hash, dp_buf *room);
bool dp_view_gather(const dp_engine *e, dp_view *v);

/* The key of the URL in view number `view`, which is complete. Failure is s->failed. */
dp_str dp_engine_run_view(const dp_engine *e, dp_scratch *s, int view);

#endif
