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

#include "apply/rewrite.h"

enum { DP_MAX_FIRINGS = 64 };

struct dp_engine {
    dp_image im;
    bool     with_likely;
    float    min_precision;
    uint64_t set_id;
};

/* A rule that may fire on the current URL. */
typedef struct dp_candidate {
    uint64_t priority; /* pinned first, then layer, then line */
    uint32_t rule;
    uint32_t place; /* of α */
} dp_candidate;

/* The layers of a host, best first, with their keeps; kept until another host comes. */
typedef struct dp_chain {
    uint32_t *layer;
    dp_ref   *keep;
    uint32_t  n, nkeep, cap;
    bool      sorts; /* order any */
    uint64_t  image; /* checksum of the image it was found in; 0: none */
    dp_buf    host;
    int       port;
} dp_chain;

struct dp_scratch {
    dp_frame      frame[2]; /* the current URL, and the one a rule makes of it */
    int           now;
    dp_buf        first[2]; /* stage 0 of the input, where that is not the input itself */
    dp_buf        text[4];  /* the current URL, a rule's raw result, its stage 0, sorted: in turn */
    dp_buf        form;     /* the answer, where it is not the text of a frame */
    dp_buf        saved;    /* a key kept while another is computed */
    dp_chain      chain[2]; /* of the frames */
    dp_match      match;
    uint32_t      slot_cap, taken_cap;
    dp_candidate *cand;
    size_t        ncand, cand_cap;
    uint64_t     *hash; /* [hash_cap] of segments, then of names */
    size_t        hash_cap;
    uint32_t      fired[DP_MAX_FIRINGS];
    size_t        nfired;
    bool          is_url, hit_limit, failed;
};

/* Called after each firing with the text it made. */
typedef void (*dp_trace)(void *ctx, uint32_t rule, dp_str text);

/* The answer for `url`; it lives in `s` or in `url`. p is NULL when memory is out. */
dp_str dp_engine_run(const dp_engine *e, dp_scratch *s, dp_form form, dp_str url, dp_trace trace, void *ctx);

/* Whether rule number `i` can fire under the engine's options, for the key or for the fetch form. */
bool dp_engine_can_fire(const dp_engine *e, const dp_im_rule *r, bool fetch);

#endif
