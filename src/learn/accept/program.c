/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/accept/program.h"

#include <stdlib.h>

#include "apply/compile.h"
#include "learn/accept/write.h"
#include "rule/rulefile.h"

/* The chosen proposals into `few`, their numbers into `of`. */
static void choose(dp_proposals *few, uint32_t *of, const dp_proposals *p, const uint8_t *in)
{
    for (size_t i = 0; i < p->n; i++) {
        if ((in && !in[i]) || memchr(p->v[i].text.p, '\n', p->v[i].text.n))
            continue;
        of[few->n] = (uint32_t)i;
        few->v[few->n++] = p->v[i];
    }
}

/* Say which proposal each rule is, by the line it stands on. */
static bool find_rules(dp_program *g, const dp_proposals *few, const uint32_t *of, const size_t *line)
{
    size_t lines = 0;
    for (size_t i = 0; i < few->n; i++)
        lines = line[i] != SIZE_MAX && line[i] >= lines ? line[i] + 1 : lines;
    uint32_t *on = malloc((lines + 1) * sizeof *on); /* the proposal of a line */
    g->proposal = malloc((g->rules->nrule + 1) * sizeof *g->proposal);
    if (!on || !g->proposal) {
        free(on);
        return false;
    }
    memset(on, 0xFF, (lines + 1) * sizeof *on);
    for (size_t i = 0; i < few->n; i++) {
        if (line[i] == SIZE_MAX)
            g->is_read[of[i]] = 1;
        else
            on[line[i]] = of[i];
    }
    for (size_t i = 0; i < g->rules->nrule; i++) {
        const dp_rule *r = g->rules->rule[i];
        g->proposal[i] = on[r->line - 1];
        g->is_read[g->proposal[i]] = r->block->nscope > 0; /* 0: its host line could not be read */
    }
    free(on);
    return true;
}

dp_err dp_program_make(dp_program *out, const dp_proposals *p, const uint8_t *in, dp_str keep)
{
    dp_program   g = {0};
    dp_buf       text = {0};
    dp_proposals few = {.v = malloc((p->n + 1) * sizeof *few.v)};
    uint32_t    *of = malloc((p->n + 1) * sizeof *of);
    size_t      *line = malloc((p->n + 1) * sizeof *line);
    g.is_read = calloc(p->n + 1, sizeof *g.is_read);
    dp_err code = few.v && of && line && g.is_read ? dp_rules_new(&g.rules) : DP_ENOMEM;
    if (code == DP_OK) {
        choose(&few, of, p, in);
        dp_buf_c(&text, "dustpan-rules 1\n");
        code = dp_write_blocks(&text, &few, keep, line);
    }
    if (code == DP_OK)
        code = dp_rulefile_read(g.rules, "learned", dp_buf_view(&text), dp_rulefile_skip, NULL);
    if (code == DP_OK && !find_rules(&g, &few, of, line))
        code = DP_ENOMEM;
    if (code == DP_OK)
        code = dp_compile(&g.engine.im, g.rules, NULL);
    g.engine.choice.with_likely = true;
    free(few.v);
    free(of);
    free(line);
    dp_buf_done(&text);
    if (code == DP_OK)
        *out = g;
    else
        dp_program_done(&g);
    return code;
}

dp_err dp_program_read(dp_program *out, dp_str blocks)
{
    dp_program g = {0};
    dp_buf     text = {0};
    dp_buf_c(&text, "dustpan-rules 1\n");
    dp_buf_str(&text, blocks);
    dp_err code = text.failed ? DP_ENOMEM : dp_rules_new(&g.rules);
    if (code == DP_OK)
        code = dp_rules_parse(g.rules, "learned", text.p, text.n, NULL);
    if (code == DP_OK)
        code = dp_compile(&g.engine.im, g.rules, NULL);
    dp_buf_done(&text);
    if (code == DP_OK)
        *out = g;
    else
        dp_program_done(&g);
    return code;
}

void dp_program_done(dp_program *g)
{
    dp_rules_free(g->rules);
    dp_image_done(&g->engine.im);
    free(g->proposal);
    free(g->is_read);
    *g = (dp_program){0};
}
