/* DustBuster as a row of the table of learners: a site's URLs in, substitutions and parameter rules out.
 *
 * Clusters are not looked at: the method is the one that needs none, and its rules are validated by fetching, or
 * against labels, afterwards. So whatever it proposes is `likely`, unless clusters speak for it or against it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/dust/method.h"

#include "learn/dust/evidence.h"
#include "learn/dust/text.h"

#include <stdlib.h>

/* ---- options ------------------------------------------------------------------------------ */

static const dp_dust_options defaults = DP_DUST_OPTIONS_INIT;

#define FIELD(name) offsetof(dp_dust_options, name)

static const char *const supports[] = {"envelopes", "pairs", NULL};

static const dp_option_row rows[] = {
    {.name = "ignore-sizes", .help = "do not compare the sizes of pages", .type = DP_OPTION_BOOL,
     .offset = FIELD(ignore_sizes)},
    {.name = "shingles", .arg = "N", .help = "min-hashes of 4 that must be equal; default 4, 0: do not compare them",
     .type = DP_OPTION_UINT32, .offset = FIELD(shingles), .max = 4},
    {.name = "MS", .arg = "N", .help = "pairs of URLs that a substitution needs; default 3", .type = DP_OPTION_UINT32,
     .offset = FIELD(MS), .min = 1, .max = UINT32_MAX},
    {.name = "support", .arg = "envelopes|pairs", .help = "what to count: envelopes, as published, or pairs of URLs",
     .type = DP_OPTION_CHOICE, .offset = FIELD(support), .choice = supports, .paper = true},
    {.name = "S", .arg = "N", .help = "at most N tokens per substring; default 35", .type = DP_OPTION_UINT32,
     .offset = FIELD(S), .max = 255, .paper = true},
    {.name = "T-low", .arg = "N", .help = "URLs that may share an envelope when rules are found; default 6",
     .type = DP_OPTION_UINT32, .offset = FIELD(T_low), .max = 255, .paper = true},
    {.name = "T-high", .arg = "N", .help = "the same when redundant rules are removed; default 11",
     .type = DP_OPTION_UINT32, .offset = FIELD(T_high), .max = 255, .paper = true},
    {.name = "MRD", .arg = "X", .help = "share by which the support of a refined rule may be lower; default .05",
     .type = DP_OPTION_DOUBLE, .offset = FIELD(MRD), .max = 1, .paper = true},
    {.name = "MAD", .arg = "N", .help = "the same as a number; default 1", .type = DP_OPTION_UINT32,
     .offset = FIELD(MAD), .max = UINT32_MAX, .paper = true},
    {.name = "MW", .arg = "N", .help = "rules that each rule is compared with; default 1100", .type = DP_OPTION_SIZE,
     .offset = FIELD(MW), .max = 1e9, .paper = true},
    {.name = "epsilon", .arg = "X", .help = "share of pairs that may differ under a parameter rule; default .05",
     .type = DP_OPTION_DOUBLE, .offset = FIELD(epsilon), .max = 1, .paper = true},
};

/* ---- a site's URLs ------------------------------------------------------------------------- */

static dp_dust_url url_of(const dp_site *s, size_t i)
{
    static const uint64_t none[4];
    dp_dust_url           u = {.url = s->url[i]};
    if (s->size_min && s->size_min[i] >= 0) {
        u.has_size = true;
        u.size_min = s->size_min[i];
        u.size_max = s->size_max[i];
    }
    if (s->sketch && memcmp(s->sketch[i], none, sizeof none) != 0) {
        u.has_sketch = true;
        memcpy(u.sketch, s->sketch[i], sizeof u.sketch);
    }
    return u;
}

/* ---- proposals ------------------------------------------------------------------------------ */

/* What one call works with. */
typedef struct run {
    const dp_site   *site;
    dp_accept        accept;
    dp_dust_options  o;
    dp_dust_url     *url; /* [site->n] */
    dp_dust_site    *s;
    dp_dust_result   r;
    dp_dust_evidence rules, params;
    dp_dust_forms    forms;
    uint32_t        *order; /* [r.rules.n] */
    dp_buf           text;
    dp_arena         arena;
} run;

static dp_err propose(dp_proposals *out, const run *u, const dp_dust_tally *t, dp_arena *a)
{
    dp_proposal p = {.n = t->n, .neg = t->neg, .p = -1, .by = t->by, .state = DP_LIKELY, .passes = true};
    if (t->n < u->o.MS || t->hosts.n == 0)
        return DP_OK;
    p.text = dp_arena_str(a, dp_buf_view(&u->text));
    p.hosts = dp_arena_str(a, t->hosts);
    return p.text.p && p.hosts.p && !u->text.failed ? dp_proposals_add(out, &p) : DP_ENOMEM;
}

/* ---- files that load ------------------------------------------------------------------------ */

/* DP_ESYNTAX when a file of these is refused: a rule may fire twice in the run of its own witness
 * (docs/rule-format.md, "It ends"), where its text stands in the name of its host, too. */
static dp_err load(const dp_proposal *v, size_t n, dp_buf *text)
{
    dp_rules  *r = NULL;
    dp_engine *e = NULL;
    dp_buf_reset(text);
    dp_buf_c(text, "dustpan-rules 1\n");
    for (size_t i = 0; i < n; i++)
        dp_buf_printf(text, "host %.*s\n%.*s\n", DP_FMT(v[i].hosts), DP_FMT(v[i].text));
    dp_err code = text->failed ? DP_ENOMEM : dp_rules_new(&r);
    if (code == DP_OK)
        code = dp_rules_parse(r, "dust", text->p, text->n, NULL);
    if (code == DP_OK)
        code = dp_engine_new(&e, r, DP_WITH_LIKELY, 0, NULL);
    dp_engine_free(e);
    dp_rules_free(r);
    return code;
}

/* Leave out what is refused by itself, when something is. */
static dp_err keep_loading(dp_proposals *out, size_t from, dp_buf *text)
{
    if (out->n == from)
        return DP_OK;
    dp_err code = load(out->v + from, out->n - from, text);
    if (code != DP_ESYNTAX)
        return code;
    size_t n = from;
    for (size_t i = from; i < out->n; i++) {
        code = load(&out->v[i], 1, text);
        if (code == DP_OK)
            out->v[n++] = out->v[i];
        else if (code != DP_ESYNTAX)
            return code;
    }
    out->n = n;
    return DP_OK;
}

/* More evidence first, where clients were capped too; then as the list has them. */
static int by_n(const void *x, const void *y, void *self)
{
    const dp_dust_tally *v = self;
    uint32_t             a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return v[a].n != v[b].n ? (v[a].n < v[b].n ? 1 : -1) : (a > b) - (a < b);
}

static dp_err propose_all(dp_proposals *out, run *u, dp_arena *a)
{
    size_t from = out->n;
    for (size_t i = 0; i < u->r.rules.n; i++)
        u->order[i] = (uint32_t)i;
    qsort_r(u->order, u->r.rules.n, sizeof *u->order, by_n, u->rules.v);
    for (size_t i = 0; i < u->r.rules.n; i++) {
        dp_buf_reset(&u->text);
        if (dp_dust_rule_text(&u->text, &u->r.rules.v[u->order[i]], &u->forms))
            DP_TRY(propose(out, u, &u->rules.v[u->order[i]], a));
    }
    for (size_t i = 0; i < u->r.nparam; i++) {
        dp_buf_reset(&u->text);
        if (dp_dust_param_text(&u->text, &u->r.param[i]))
            DP_TRY(propose(out, u, &u->params.v[i], a));
    }
    return keep_loading(out, from, &u->text);
}

/* A dp_dust_on_instance for parameters; how many there are is known when the first pair is told. */
static dp_err add_param_pair(void *self, size_t param, size_t x, size_t y, bool similar)
{
    run *u = self;
    if (!u->params.v)
        DP_TRY(dp_dust_evidence_init(&u->params, u->site, &u->o, u->r.nparam));
    return dp_dust_evidence_add(&u->params, param, x, y, similar);
}

static dp_err find_params(run *u)
{
    DP_TRY(dp_dust_params(&u->r, u->s, &u->o, add_param_pair, u, &u->arena));
    return u->r.nparam ? dp_dust_evidence_sum(&u->params, &u->arena) : DP_OK;
}

/* What clients leave of the support of all candidates, in envelopes of at most `most` URLs. */
static dp_err cap_support(run *u, uint32_t most)
{
    dp_dust_rules   *r = &u->r.rules;
    dp_dust_evidence e;
    dp_arena         a = {0};
    DP_TRY(dp_dust_evidence_init(&e, u->site, &u->o, r->n));
    dp_err code = dp_dust_instances(r, u->s, &u->o, most, dp_dust_evidence_add_similar, &e);
    if (code == DP_OK)
        code = dp_dust_evidence_sum(&e, &a);
    for (size_t i = 0; i < r->n && code == DP_OK; i++)
        *(most == u->o.T_low ? &r->v[i].sup_low : &r->v[i].sup_high) = (uint32_t)e.v[i].n;
    dp_dust_evidence_done(&e);
    dp_arena_done(&a);
    return code;
}

/* Before phase 2, which compares support: what one client alone has asked for must not remove other rules. */
static dp_err cap_clients(run *u)
{
    dp_dust_rules *r = &u->r.rules;
    size_t         n = 0;
    DP_TRY(cap_support(u, u->o.T_low));
    if (u->o.T_high != u->o.T_low)
        DP_TRY(cap_support(u, u->o.T_high));
    for (size_t i = 0; i < r->n; i++) {
        if (u->o.T_high == u->o.T_low)
            r->v[i].sup_high = r->v[i].sup_low;
        if (r->v[i].sup_low >= u->o.MS)
            r->v[n++] = r->v[i];
    }
    r->n = n;
    dp_dust_sort(r);
    return DP_OK;
}

static dp_err find_rules(run *u)
{
    DP_TRY(dp_dust_site_new(&u->s, u->url, u->site->n, &u->o));
    DP_TRY(dp_dust_detect(&u->r.rules, u->s, &u->o, &u->arena));
    if (dp_dust_has_clients(u->site))
        DP_TRY(cap_clients(u));
    DP_TRY(dp_dust_eliminate(&u->r.rules, &u->o));
    DP_TRY(dp_dust_evidence_init(&u->rules, u->site, &u->o, u->r.rules.n));
    DP_TRY(dp_dust_instances(&u->r.rules, u->s, &u->o, u->o.T_low, dp_dust_evidence_add_similar, &u->rules));
    DP_TRY(dp_dust_contraries(&u->r.rules, u->s, &u->o, dp_dust_evidence_add, &u->rules));
    return dp_dust_evidence_sum(&u->rules, &u->arena);
}

static dp_err do_run(dp_proposals *out, run *u, dp_arena *a)
{
    u->url = calloc(u->site->n + 1, sizeof *u->url);
    if (!u->url)
        return DP_ENOMEM;
    for (size_t i = 0; i < u->site->n; i++) {
        u->url[i] = url_of(u->site, i);
        u->o.judged |= u->accept == DP_ACCEPT_JUDGE && u->site->cluster[i] != DP_NO_CLUSTER;
    }
    DP_TRY(find_rules(u));
    DP_TRY(find_params(u));
    DP_TRY(dp_dust_forms_read(&u->forms, u->site->url, u->site->n, &u->arena));
    u->order = calloc(u->r.rules.n + 1, sizeof *u->order);
    return u->order ? propose_all(out, u, a) : DP_ENOMEM;
}

static dp_err learn_dust(dp_proposals *out, const dp_site *s, const void *options, const dp_learn_context *ctx,
                         dp_arena *a)
{
    run u = {.site = s, .accept = ctx->accept, .o = *(const dp_dust_options *)options};
    u.o.memory = ctx->memory;
    dp_err e = do_run(out, &u, a);
    dp_dust_site_free(u.s);
    dp_dust_evidence_done(&u.rules);
    dp_dust_evidence_done(&u.params);
    dp_buf_done(&u.text);
    dp_arena_done(&u.arena);
    free(u.order);
    free(u.url);
    return e;
}

const dp_method dp_method_dust = {
    .name = "dust",
    .summary = "text substitutions, found from URLs alone or with sizes (Bar-Yossef 2006)",
    .whole = true,
    .options_size = sizeof defaults,
    .options_init = &defaults,
    .option = rows,
    .noption = DP_COUNT(rows),
    .learn = learn_dust,
};
