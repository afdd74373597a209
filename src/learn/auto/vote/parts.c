/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/vote/parts.h"

#include "base/hash.h"
#include "learn/auto/thresholds.h"
#include "rule/ruleline.h"
#include "url/frame.h"

enum { MOST_NAMES = 16 };

/* The first values of a name that were forgotten. */
typedef struct values {
    uint64_t v[DP_PART_VALUES];
    size_t   n;
} values;

typedef struct asking {
    const dp_forms *forms;
    dp_rule         rule;
    dp_frame        frame;
    values          of[MOST_NAMES];
    bool            failed;
} asking;

static void note(values *s, dp_str value)
{
    uint64_t hash = dp_hash_str(value);
    for (size_t i = 0; i < s->n; i++)
        if (s->v[i] == hash)
            return;
    if (s->n < DP_PART_VALUES)
        s->v[s->n++] = hash;
}

/* Whether the rule's condition says which value a name has: nothing is claimed of others. */
static bool is_fixed(const dp_template *on, dp_str name)
{
    for (size_t i = 0; on && i < on->nquery; i++)
        if (dp_str_eq(on->query[i].name, name) && on->query[i].kind == DP_QUERY_VALUE)
            return true;
    return false;
}

static bool is_done(const asking *a)
{
    bool all = true;
    for (size_t i = 0; i < a->rule.names.n; i++)
        all &= a->of[i].n == DP_PART_VALUES || is_fixed(a->rule.on, a->rule.names.v[i].text);
    return all;
}

/* The values that the forms of a group had which the idea changes. */
static void look(void *ctx, const dp_group_seen *g)
{
    asking *a = ctx;
    if (g->agree < 2 || is_done(a))
        return;
    for (size_t i = 0; i < g->changed; i++) {
        if (a->forms->label[g->form[i]] != g->label)
            continue;
        dp_frame_result got = dp_frame_read(&a->frame, a->forms->text[g->form[i]]);
        a->failed |= got == DP_FRAME_NOMEM;
        for (uint32_t k = 0; got == DP_FRAME_OK && k < a->frame.npair; k++)
            for (size_t m = 0; m < a->rule.names.n; m++)
                if (dp_str_eq(a->rule.names.v[m].text, dp_pair_name(&a->frame, &a->frame.pair[k])))
                    note(&a->of[m], dp_pair_value(&a->frame, &a->frame.pair[k]));
    }
}

static bool has_parts(const dp_rule *r)
{
    bool several = r->kind == DP_RULE_DROP && !r->has_if && r->names.kind == '?' && r->names.n > 1 &&
                   r->names.n <= MOST_NAMES;
    for (size_t i = 0; several && i < r->names.n; i++)
        several = !r->names.v[i].prefix;
    return several;
}

int dp_parts_speak(dp_ballot *b, size_t i)
{
    asking   a = {.forms = b->forms};
    dp_arena room = {0};
    bool     all = true;
    if (b->idea[i].family != DP_FAMILY_PARAMS)
        return true;
    dp_err code = dp_ruleline_parse(&a.rule, b->idea[i].text[0], &room);
    if (code == DP_OK && has_parts(&a.rule)) {
        dp_ballot_walk(b, i, look, &a);
        all = is_done(&a);
    }
    dp_frame_done(&a.frame);
    dp_arena_done(&room);
    return code == DP_ENOMEM || a.failed ? -1 : all;
}
