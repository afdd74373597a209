/* The row of `auto` in the table of learners.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/auto/method.h"

#include <stddef.h>

#include "learn/auto/rounds.h"

static const dp_auto_options defaults = DP_AUTO_OPTIONS_INIT;

#define ROW(field, word, placeholder, text, low, high)                                                    \
    {.name = word, .arg = placeholder, .help = text, .type = DP_OPTION_UINT32,                            \
     .offset = offsetof(dp_auto_options, field), .min = low, .max = high, .paper = true}

static const dp_option_row options[] = {
    ROW(rounds, "rounds", "N", "rounds at most: propose, accept, rewrite, look again", 1, 1000),
    ROW(forms, "forms", "N", "URLs of one cluster that are compared", 2, 64),
    ROW(reviews, "reviews", "N", "times that accepted rules are looked at again, with all others in force", 0, 100),
    ROW(ideas, "ideas", "N", "rules judged in a round at most", 1, 1000000),
};

static dp_err learn(dp_proposals *out, const dp_site *s, const void *o, const dp_learn_context *ctx, dp_arena *a)
{
    dp_rounds r;
    DP_TRY(dp_rounds_run(&r, s, o, ctx, a));
    dp_err code = DP_OK;
    for (size_t i = 0; i < r.n && code == DP_OK; i++)
        for (int k = 0; k < 2 && r.v[i].text[k].n && code == DP_OK; k++)
            code = dp_proposals_add(out, &(dp_proposal){.hosts = r.v[i].hosts,
                                                        .text = r.v[i].text[k],
                                                        .n = (uint64_t)(r.v[i].count.pos + .5),
                                                        .neg = (uint64_t)(r.v[i].count.neg + .5),
                                                        .p = r.v[i].p,
                                                        .save = r.v[i].count.good,
                                                        .by = r.v[i].count.by,
                                                        .state = DP_ACTIVE,
                                                        .passes = true});
    dp_rounds_done(&r);
    return code;
}

/* Sites beyond this many URLs tell enough by themselves, and would cost as much as learning them. */
enum { SURVEY_URLS = 20000 };

static dp_err survey(void *one, const dp_site *s, const void *o, const dp_learn_context *ctx)
{
    return s->n > SURVEY_URLS ? DP_OK : dp_rounds_survey(one, s, o, ctx);
}

static void combine(void *all, const void *one)
{
    dp_experience_add(all, one);
}

const dp_method dp_method_auto = {
    .name = "auto",
    .summary = "our own: every generator, one judge",
    .decides = true,
    .options_size = sizeof(dp_auto_options),
    .options_init = &defaults,
    .option = options,
    .noption = DP_COUNT(options),
    .learn = learn,
    .shared_size = sizeof(dp_experience),
    .survey = survey,
    .combine = combine,
};
