/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/tree/candidate.h"

#include <stdlib.h>

#include "apply/compile.h"
#include "rule/rulefile.h"

double dp_tree_precision(const dp_tree_candidate *x)
{
    return x->covered ? 1 - x->f / (double)x->covered : 0;
}

void dp_tree_engine_done(dp_tree_engine *g)
{
    dp_image_done(&g->e.im);
    dp_rules_free(g->rules);
    free(g->candidate);
    *g = (dp_tree_engine){0};
}

dp_err dp_tree_engine_make(dp_tree_engine *g, const dp_tree_candidates *v, dp_str host,
                           bool (*wanted)(const dp_tree_candidate *x))
{
    enum { FIRST_LINE = 3 }; /* of candidate 0; one that is not wanted has an empty line */
    dp_buf text = {0};
    *g = (dp_tree_engine){0};
    dp_buf_c(&text, "dustpan-rules 1\nhost ");
    dp_buf_str(&text, host);
    dp_buf_byte(&text, '\n');
    for (uint32_t i = 0; i < v->n; i++) {
        if (!wanted || wanted(&v->v[i]))
            dp_buf_str(&text, v->v[i].text);
        dp_buf_byte(&text, '\n');
    }
    dp_err code = text.failed ? DP_ENOMEM : dp_rules_new(&g->rules);
    if (code == DP_OK)
        code = dp_rulefile_read(g->rules, "candidates", dp_buf_view(&text), dp_rulefile_skip, NULL);
    dp_buf_done(&text);
    if (code == DP_OK)
        code = dp_compile(&g->e.im, g->rules, NULL);
    if (code == DP_OK) {
        g->n = g->rules->nrule;
        g->candidate = malloc((g->n + 1) * sizeof *g->candidate);
        code = g->candidate ? DP_OK : DP_ENOMEM;
    }
    for (size_t i = 0; code == DP_OK && i < g->n; i++)
        g->candidate[i] = (uint32_t)(g->rules->rule[i]->line - FIRST_LINE);
    if (code != DP_OK)
        dp_tree_engine_done(g);
    return code;
}
