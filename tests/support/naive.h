/* support/naive.h - the dumb twin of the engine: docs/rule-format.md, sentence by sentence.
 *
 *     naive_options o = {.rules = r};
 *     naive_answer  k = naive_apply(&o, DP_KEY, url, a);     k.text, k.fired[0 .. k.nfired)
 *
 * Reads the parsed model of rule/rule.h and nothing else of the library: it splits, escapes,
 * normalises, matches and rewrites with its own code, by copying strings, trying every
 * rule of every scope in order. prop_engine and test_cases compare the engine with it.
 *
 * Invariants:
 *   - Between two steps the URL is its printed text and nothing else.
 *   - Nothing is remembered from one call to the next.
 *   - All memory comes from the arena given; when that is out the program aborts.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_NAIVE_H
#define DP_SUPPORT_NAIVE_H

#include "rule/rule.h"

/* Firings; and how far a URL may grow, beside twice the length of its stage-0 form. */
enum { NAIVE_LIMIT = 64, NAIVE_ROOM = 1 << 20 };

typedef struct naive_options {
    const dp_rules *rules;
    unsigned        flags; /* DP_WITH_LIKELY */
    double          min_precision;
} naive_options;

typedef struct naive_answer {
    dp_str   text;
    bool     is_url;
    bool     limit;              /* a 65th rule would have fired, or the text outgrew its room */
    uint32_t fired[NAIVE_LIMIT]; /* numbers of rules in line order, as they fired */
    size_t   nfired;
} naive_answer;

/* Stage 0 of `url`; itself when it is no URL. `rules` (may be NULL) say where pairs are sorted. */
dp_str naive_stage0(dp_str url, const dp_rules *rules, dp_arena *a, bool *is_url);

/* DP_KEY, DP_FETCH or DP_STAGE0 of `url`. For DP_FETCH fired and limit are those of the fetch run. */
naive_answer naive_apply(const naive_options *o, dp_form form, dp_str url, dp_arena *a);

#endif
