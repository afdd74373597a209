/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/sizes/turn_sizes.h"

#include "apply/engine.h"
#include "apply/turn.h"
#include "base/order.h"
#include "learn/sizes/label_sizes.h"

enum {
    MOST_URLS = 20000, /* that are looked at */
    LEAST_PAIRS = 3,   /* of which the log has both forms */
    ODD = 10           /* per cent of the URLs of the form that is kept: so many more may a turned rule make at most */
};

/* What a rule does to the URLs of the log, alone and once. */
typedef struct looking {
    const dp_site *site;
    uint32_t       url;             /* at hand */
    uint64_t       changed, pairs;  /* pages; of these, whose other form the log has */
    uint64_t       before, after;   /* requests for the two forms of the pairs */
    uint64_t       raised, lowered; /* pairs that differ in case */
} looking;

/* The number of a URL; UINT32_MAX: the log does not have it. */
static uint32_t find_url(const dp_site *s, dp_str url)
{
    size_t i;
    DP_BISECT(i, s->n, dp_str_cmp(s->url[i], url) < 0);
    return i < s->n && dp_str_eq(s->url[i], url) ? (uint32_t)i : UINT32_MAX;
}

/* How often somebody wanted it; where a link led there that counts twice. */
static uint64_t demand(const dp_site *s, uint32_t url)
{
    return (s->hits ? s->hits[url] : 1) + (s->linked ? (uint64_t)s->linked[url] : 0);
}

static size_t count_upper(dp_str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++)
        n += s.p[i] >= 'A' && s.p[i] <= 'Z';
    return n;
}

static void note(void *ctx, uint32_t rule, dp_str text)
{
    looking *l = ctx;
    uint32_t to = find_url(l->site, text);
    bool     is_known = to != UINT32_MAX && !dp_sizes_is_gone(l->site, to);
    size_t   x = count_upper(l->site->url[l->url]), y = count_upper(text);
    (void)rule;
    if (dp_sizes_is_gone(l->site, l->url))
        return;
    l->changed++;
    if (!is_known)
        return;
    l->pairs++;
    l->before += demand(l->site, l->url);
    l->after += demand(l->site, to);
    l->raised += y > x;
    l->lowered += y < x;
}

static dp_err look(looking *l, const dp_engine *e, dp_scratch *scratch)
{
    size_t step = l->site->n / MOST_URLS + 1;
    for (size_t i = 0; i < l->site->n; i += step) {
        l->url = (uint32_t)i;
        if (!dp_engine_each(e, scratch, l->site->url[i], note, l).p)
            return DP_ENOMEM;
    }
    return DP_OK;
}

/* The rules of one line of text; NULL where it cannot be read, or no engine has it. */
static dp_err compile(dp_rules **rules, dp_engine **engine, dp_str hosts, dp_str text)
{
    dp_buf b = {0};
    *rules = NULL;
    *engine = NULL;
    dp_buf_printf(&b, "dustpan-rules 1\nhost %.*s\n%.*s\n", DP_FMT(hosts), DP_FMT(text));
    dp_err code = b.failed ? DP_ENOMEM : dp_rules_new(rules);
    if (code == DP_OK)
        code = dp_rules_parse(*rules, "proposal", b.p, b.n, NULL);
    if (code == DP_OK)
        code = dp_engine_new(engine, *rules, 0, 0, NULL);
    dp_buf_done(&b);
    return code == DP_ENOMEM ? code : DP_OK;
}

static dp_err look_at(looking *l, dp_str hosts, dp_str text, dp_scratch *scratch)
{
    dp_rules  *rules;
    dp_engine *engine;
    dp_err     code = compile(&rules, &engine, hosts, text);
    if (code == DP_OK && engine)
        code = look(l, engine, scratch);
    dp_engine_free(engine);
    dp_rules_free(rules);
    return code;
}

static bool is_wanted_less(const looking *l)
{
    if (l->pairs < LEAST_PAIRS)
        return false;
    return l->before > l->after || (l->before == l->after && l->raised > 0 && !l->lowered);
}

/* Whether a target ends in a name of any form: turned round, the rule would take those of files for it, too. */
static bool ends_in_any_name(const dp_rule *r)
{
    if (r->kind != DP_RULE_REWRITE || r->right->nquery || r->right->glob == r->right->nseg - 1)
        return false;
    const dp_pat *last = &r->right->seg[r->right->nseg - 1];
    return last->n == 1 && last->v[0].kind == DP_ITEM_CAPTURE;
}

/* The other side of a rule, for names without a dot where it would take any; out->p is NULL where it has none. */
static dp_err exchange(dp_str *out, const dp_rule *r, dp_arena *a)
{
    const dp_rule *turned;
    if (ends_in_any_name(r))
        return dp_rule_turn_unless(out, r, DP_STR("/{**}/{x}.{e}"), a);
    DP_TRY(dp_rule_turn(&turned, r, a));
    *out = turned ? turned->text : (dp_str){NULL, 0};
    return DP_OK;
}

/* The other side of a proposal, where it is the better one; *out.p is NULL where it is not. */
static dp_err turn(dp_str *out, const dp_proposal *p, const dp_site *s, dp_scratch *scratch, dp_arena *a)
{
    dp_str     turned = {NULL, 0};
    dp_rules  *rules;
    dp_engine *engine;
    looking    as_is = {.site = s}, other = {.site = s};
    *out = (dp_str){NULL, 0};
    dp_err code = compile(&rules, &engine, p->hosts, p->text);
    if (code == DP_OK && engine && rules->nrule == 1)
        code = exchange(&turned, rules->rule[0], a);
    if (code == DP_OK && turned.p)
        code = look(&as_is, engine, scratch);
    dp_engine_free(engine);
    dp_rules_free(rules);
    if (code != DP_OK || !turned.p || !is_wanted_less(&as_is))
        return code;
    DP_TRY(look_at(&other, p->hosts, turned, scratch));
    if (100 * (other.changed - other.pairs) <= (uint64_t)ODD * as_is.changed && other.pairs)
        *out = turned;
    return DP_OK;
}

dp_err dp_turn_sizes(dp_proposals *p, const dp_site *s, bool *any, dp_arena *a)
{
    dp_scratch *scratch = NULL;
    dp_err      code = dp_scratch_new(&scratch);
    *any = false;
    for (size_t i = 0; i < p->n && code == DP_OK; i++) {
        dp_str text;
        if (p->v[i].is_order || p->v[i].urls)
            continue;
        code = turn(&text, &p->v[i], s, scratch, a);
        if (code == DP_OK && text.p) {
            p->v[i].text = text;
            *any = true;
        }
    }
    dp_scratch_free(scratch);
    return code;
}
