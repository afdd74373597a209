/* apply/explain.h - the inside of dp_explain: what rules do to one URL or two, as text that more can be put behind.
 *
 *     dp_story st = {.e = engine, .json = true};
 *     code = dp_story_url(&st, DP_KEY, url);          st.rule: the rules that fired
 *     dp_json_open(&st.text, "evidence", '[') ...
 *     code = dp_story_end(out, &st, code);
 *
 * Watches apply/engine.h; eval/auditexplain.c puts the evidence behind it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_APPLY_EXPLAIN_H
#define DP_APPLY_EXPLAIN_H

#include "apply/engine.h"

/* A rule that fired, by its number. */
typedef struct dp_told {
    uint32_t rule;
    bool     on[2]; /* on the first URL, on the second */
} dp_told;

/* Valid with an engine and otherwise zeroed. */
typedef struct dp_story {
    const dp_engine *e;
    bool             json;
    size_t           steps; /* of the URL at hand */
    dp_buf           text;  /* as JSON, an object that has not ended */
    size_t           url;   /* that is told of: 0, 1 */
    dp_told         *rule;  /* [nrule] those that fired, each once, in order */
    size_t           nrule, cap;
} dp_story;

/* Append what becomes of `url`, or of two URLs, and whether they end with one key. DP_ENOMEM. */
dp_err dp_story_url(dp_story *s, dp_form form, dp_str url);
dp_err dp_story_pair(dp_story *s, dp_str a, dp_str b, int *same);

/* End the text and give it out, unless `code`, which is what came of it so far, is an error; then that is returned. The
 * story is done. */
dp_err dp_story_end(dp_text **out, dp_story *s, dp_err code);
void   dp_story_done(dp_story *s);

#endif
