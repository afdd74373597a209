/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/subset.h"

#include "apply/compile.h"

dp_err dp_subset_make(dp_subset *s, const dp_engine *e, const char *name, dp_error *err)
{
    dp_str text = dp_im_str(&e->im, e->im.head->rules_text);
    *s = (dp_subset){.engine = {.choice = e->choice}};
    DP_TRY(dp_rules_new(&s->rules));
    DP_TRY(dp_rules_parse(s->rules, name, text.p, text.n, err));
    return dp_compile(&s->engine.im, s->rules, err);
}

void dp_subset_done(dp_subset *s)
{
    dp_image_done(&s->engine.im);
    dp_rules_free(s->rules);
    *s = (dp_subset){0};
}

bool dp_subset_can(const dp_subset *s, const dp_engine *e, size_t i)
{
    return dp_choice_takes(&e->choice, dp_im_body(&e->im, e->im.about[i].body)) && !s->rules->rule[i]->block->off;
}

void dp_subset_turn(dp_subset *s, size_t i, bool on)
{
    /* The image is ours alone, and was made in memory. */
    dp_im_rule *body = (dp_im_rule *)(uintptr_t)dp_im_body(&s->engine.im, s->engine.im.about[i].body);
    body->state = (uint8_t)(on ? s->rules->rule[i]->state : DP_OFF);
}
