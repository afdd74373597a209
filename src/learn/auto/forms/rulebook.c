/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/forms/rulebook.h"

#include <stdlib.h>

#include "apply/compile.h"
#include "apply/engine.h"
#include "rule/rulefile.h"

/* Compile without asking whether rules feed each other: they are tried one by one. */
static dp_err compile(dp_engine **out, const dp_rules *r)
{
    dp_engine *e = calloc(1, sizeof *e);
    if (!e)
        return DP_ENOMEM;
    dp_err code = dp_compile(&e->im, r, NULL);
    if (code != DP_OK) {
        dp_engine_free(e);
        return code;
    }
    *out = e;
    return DP_OK;
}

static dp_err read_rules(dp_rules **out, const dp_buf *text)
{
    if (text->failed || dp_rules_new(out) != DP_OK)
        return DP_ENOMEM;
    dp_err code = dp_rulefile_read(*out, "learned", dp_buf_view(text), dp_rulefile_skip, NULL);
    if (code != DP_OK) {
        dp_rules_free(*out);
        *out = NULL;
    }
    return code;
}

static uint32_t count_lines(dp_str text)
{
    uint32_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == '\n';
    return n;
}

/* A line of an idea, below the host line that it needs where the one before has another. */
static void put_line(dp_buf *out, const dp_idea *idea, int k, dp_str *hosts)
{
    dp_str own = idea->hosts.n ? idea->hosts : DP_STR("any");
    if (!dp_str_eq(*hosts, own)) {
        dp_buf_c(out, "host ");
        dp_buf_str(out, own);
        dp_buf_byte(out, '\n');
    }
    *hosts = own;
    dp_buf_str(out, idea->text[k]);
    dp_buf_byte(out, '\n');
}

/* Lines from `first` on are those of `owner`. */
dp_err dp_rulebook_init(dp_rulebook *b, const dp_idea *idea, size_t n, const uint32_t *known, dp_str sorted)
{
    dp_buf    text = {0};
    dp_rules *rules = NULL;
    dp_str    hosts = {0};
    uint32_t *owner = malloc((4 * n + 1) * sizeof *owner); /* a host line for each of two lines */
    size_t    lines = 0;
    *b = (dp_rulebook){0};
    dp_buf_c(&text, "dustpan-rules 1\n");
    dp_buf_str(&text, sorted);
    uint32_t first = count_lines(dp_buf_view(&text)) + 1;
    for (size_t i = 0; i < n && owner; i++)
        for (int k = 0; k < 2; k++)
            if (idea[i].text[k].n && idea[i].family != DP_FAMILY_ORDER && /* `order` would hold for all of them */
                (!known || known[i] == UINT32_MAX)) {
                size_t before = text.n;
                put_line(&text, &idea[i], k, &hosts);
                for (uint32_t line = count_lines(dp_str_cut(dp_buf_view(&text), before, text.n)); line; line--)
                    owner[lines++] = (uint32_t)i;
            }
    dp_err code = owner ? read_rules(&rules, &text) : DP_ENOMEM;
    if (code != DP_OK)
        goto done;
    b->idea = malloc((rules->nrule + 1) * sizeof *b->idea);
    if (!b->idea) {
        code = DP_ENOMEM;
        goto done;
    }
    for (size_t i = 0; i < rules->nrule; i++)
        b->idea[i] = owner[rules->rule[i]->line - first];
    b->nrule = rules->nrule;
    code = compile(&b->engine, rules);
done:
    if (code != DP_OK)
        dp_rulebook_done(b);
    dp_rules_free(rules);
    dp_buf_done(&text);
    free(owner);
    return code;
}

void dp_rulebook_done(dp_rulebook *b)
{
    dp_engine_free(b->engine);
    free(b->idea);
    *b = (dp_rulebook){0};
}

dp_err dp_rulebook_open(dp_engine **e, dp_rules **r, dp_str text)
{
    dp_buf copy = {0};
    *e = NULL;
    *r = NULL;
    dp_buf_str(&copy, text);
    dp_err code = read_rules(r, &copy);
    if (code == DP_OK)
        code = compile(e, *r);
    dp_buf_done(&copy);
    return code;
}

dp_err dp_rulebook_engine(dp_engine **out, dp_str text, bool check)
{
    dp_buf    copy = {0};
    dp_rules *rules = NULL;
    dp_buf_str(&copy, text);
    dp_err code = read_rules(&rules, &copy);
    if (code == DP_OK)
        code = check ? dp_engine_new(out, rules, 0, 0, NULL) : compile(out, rules);
    dp_rules_free(rules);
    dp_buf_done(&copy);
    return code;
}
