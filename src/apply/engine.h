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

enum { DP_MAX_FIRINGS = 64, DP_WINDOW = 16 /* URLs read ahead by dp_apply_batch */ };

struct dp_engine {
    dp_image       im;
    dp_rule_choice choice;
    uint64_t       set_id;
};

struct dp_scratch {
    dp_frame      frame[2];    /* the current URL, and the one a rule makes of it */
    int           now;         /* the current one */
    dp_chain      chain[2];
    int           chain_of[2]; /* which chain each frame has */
    dp_frame      window[DP_WINDOW];
    dp_buf        first[2];    /* stage 0 of the input, where that is not the input itself */
    dp_buf        text[4];     /* the current URL, a rule's raw result, its stage 0, sorted: in turn */
    dp_buf        form;        /* the answer, where it is not the text of a frame */
    dp_buf        saved;       /* a key kept while another is computed */
    dp_candidates candidates;
    dp_match      match;
    uint32_t      slot_cap, taken_cap; /* of match */
    uint32_t      fired[DP_MAX_FIRINGS];
    size_t        nfired;
    bool          is_url, hit_limit, failed;
};

/* Called after each firing with the text it made. */
typedef void (*dp_trace)(void *ctx, uint32_t rule, dp_str text);

/* The answer for `url`; it lives in `s` or in `url`. p is NULL when memory is out. */
dp_str dp_engine_run(const dp_engine *e, dp_scratch *s, dp_form form, dp_str url, dp_trace trace, void *ctx);

/* The key of a URL that dp_frame_read found in stage-0 form; `host_hash` is dp_hash_host of its
 * name. The frame is swapped for another. Failure is s->failed. */
dp_str dp_engine_run_read(const dp_engine *e, dp_scratch *s, dp_frame *read, uint64_t host_hash);

#endif
