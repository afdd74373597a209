/* KDD 2008 as a row of the table of learners.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/rewrite/rewrite.h"

#include <stdlib.h>

#include "learn/rewrite/oracle.h"
#include "learn/rewrite/rounds.h"
#include "learn/rewrite/text.h"

/* ---- options --------------------------------------------------------------------------------- */

static const dp_rewrite_options defaults = DP_REWRITE_OPTIONS_INIT;
static const char *const        filters[] = {"fanout", "entropy", "efpr", "ideal", NULL};
static const char *const        readings[] = {"miss", "skip", NULL};

#define FIELD(name) offsetof(dp_rewrite_options, name)

static const dp_option_row rows[] = {
    {.name = "fan-out", .arg = "N", .help = "values from which on a part of a URL is generalized; default 10",
     .type = DP_OPTION_UINT32, .offset = FIELD(fan_out), .min = 2, .max = 100},
    {.name = "min-support", .arg = "N", .help = "a rule needs more than N pairs of URLs (minS); default 2",
     .type = DP_OPTION_UINT32, .offset = FIELD(min_support), .max = UINT32_MAX},
    {.name = "max-fpr", .arg = "X", .help = "share of wrong pairs that a rule may have (maxP); default .05",
     .type = DP_OPTION_DOUBLE, .offset = FIELD(max_fpr), .max = 1},
    {.name = "exact", .help = "compare all pairs of URLs even of pages with more than 256 URLs",
     .type = DP_OPTION_BOOL, .offset = FIELD(exact)},
    {.name = "filter", .arg = "NAME",
     .help = "when to generalize a part of a URL: fanout, the default, entropy, efpr or\nideal, which is slow",
     .type = DP_OPTION_CHOICE, .offset = FIELD(filter), .choice = filters, .paper = true},
    {.name = "min-entropy", .arg = "X", .help = "with entropy: least entropy, as a share of the maximum; default .9",
     .type = DP_OPTION_DOUBLE, .offset = FIELD(min_entropy), .max = 1, .paper = true},
    {.name = "unchanged", .arg = "miss|skip",
     .help = "with efpr: whether URLs that stay as they are count against a rule; default miss",
     .type = DP_OPTION_CHOICE, .offset = FIELD(unchanged), .choice = readings, .paper = true},
    {.name = "max-rules", .arg = "N", .help = "at most N rules per site, before they are counted; default 1000000",
     .type = DP_OPTION_UINT32, .offset = FIELD(max_rules), .min = 1, .max = 1e8, .paper = true},
};

/* ---- a site at work -------------------------------------------------------------------------- */

/* A rule that can be written, and what was counted. */
typedef struct finding {
    dp_str      text, hosts;
    bool        is_order; /* no rule, but the line "order any" */
    uint32_t    rule;
    dp_rw_count count;
} finding;

typedef struct work {
    const dp_site            *site;
    const dp_rewrite_options *o;
    const dp_learn_context   *ctx;
    dp_arena                 *a;      /* of the proposals */
    dp_arena                  arena;  /* of the site */
    dp_book                   book;
    dp_rw_train               train;
    dp_rw_index               index;
    dp_rw_speech              speech;
    dp_rw_rules               rules, later;
    finding                  *found;
    uint32_t                  nfound;
    dp_rw_oracle              oracle;
} work;

static dp_err generate(work *w)
{
    dp_rw_maker m = {.book = &w->book, .options = w->o, .rules = &w->rules, .later = &w->later,
                     .estimate = dp_rw_oracle_lets, .self = &w->oracle};
    w->oracle = (dp_rw_oracle){.index = &w->index, .options = w->o};
    w->rules.most = w->later.most = w->o->max_rules;
    DP_TRY(dp_rw_train_init(&w->train, &w->book, w->site, w->ctx->folds, &w->arena));
    DP_TRY(dp_rw_first(&m, &w->train));
    DP_TRY(dp_rw_rounds(&m));
    dp_rw_rules_done(&w->later);
    return w->oracle.error;
}

/* ---- what can be written --------------------------------------------------------------------- */

/* A rule whose source may be any text where its target has a given one; such rules cannot fall (phrase.h) unless
 * something else goes, and there is one for nearly every URL of a large cluster. */
static bool only_sets(const dp_rw_rules *s, const dp_rw_rule *r)
{
    bool sets = false;
    for (uint32_t i = 0; i < r->n; i++) {
        dp_rw_part p = s->part[r->at + i];
        bool       stays = p.a == (DP_V_REF | p.key) || (p.c == p.a && p.a < DP_V_FIRST && p.a != DP_V_STAR);
        if (p.c == DP_V_STAR && dp_is_text(p.a) && !(p.a & DP_V_REF))
            sets = true;
        else if (!stays && !(p.c == DP_V_STAR && p.a == DP_V_STAR))
            return false;
    }
    return sets;
}

/* Keep the rules that have a text and fall: each pair was seen in both directions, so the other one has the reverse. */
static dp_err say_rules(work *w)
{
    dp_arena scratch = {0};
    dp_err   e = DP_OK;
    w->found = malloc((w->rules.n + 1u) * sizeof *w->found);
    if (!w->found)
        return DP_ENOMEM;
    for (uint32_t i = 0; i < w->rules.n && e == DP_OK; i++) {
        dp_rw_draft r;
        dp_rw_said  said;
        if (only_sets(&w->rules, &w->rules.v[i]))
            continue;
        dp_arena_reset(&scratch);
        dp_rw_draft_of(&r, &w->rules, i);
        e = dp_rw_say(&said, &w->speech, &r, &scratch);
        if (e != DP_OK || said.phrase.why != DP_SAID || !said.phrase.falls)
            continue;
        finding f = {.text = dp_arena_str(&w->arena, said.phrase.text), .hosts = said.hosts, .rule = i};
        e = f.text.p ? DP_OK : DP_ENOMEM;
        w->found[w->nfound++] = f;
    }
    dp_arena_done(&scratch);
    return e;
}

static dp_err count(work *w)
{
    uint32_t    *which = malloc((w->nfound + 1u) * sizeof *which);
    dp_rw_count *c = malloc((w->nfound + 1u) * sizeof *c);
    dp_err       e = which && c ? DP_OK : DP_ENOMEM;
    for (uint32_t i = 0; e == DP_OK && i < w->nfound; i++)
        which[i] = w->found[i].rule;
    if (e == DP_OK)
        e = dp_rw_support(c, &w->index, &w->rules, which, w->nfound, w->ctx->pool);
    for (uint32_t i = 0; e == DP_OK && i < w->nfound; i++)
        w->found[i].count = c[i];
    free(which);
    free(c);
    return e;
}

/* ---- what a more general rule says, too ------------------------------------------------------- */

static double fpr_of(const dp_rw_count *c)
{
    return c->support ? (double)c->wrong / (double)c->support : 1;
}

static bool is_good(const work *w, const finding *f)
{
    return f->count.support > w->o->min_support && fpr_of(&f->count) <= w->o->max_fpr;
}

/* Whether a rule with one * more in its context, and the same transformation, is good. */
static bool is_covered(const work *w, const bool *good, uint32_t rule)
{
    const dp_rw_rule *r = &w->rules.v[rule];
    for (uint32_t i = 0; i < r->n; i++) {
        dp_rw_part p = w->rules.part[r->at + i], q = {p.key, DP_V_STAR, p.a};
        if (!dp_is_text(p.c))
            continue;
        uint32_t other = dp_rw_rules_find(&w->rules, r->hash - dp_rw_part_hash(p) + dp_rw_part_hash(q));
        if (other != UINT32_MAX && good[other])
            return true;
    }
    return false;
}

/* Keep findings with enough support. The paper keeps all of these; for the judge, who asks each rule for votes of its
 * own, those that say what a more general good one does are left out. */
static dp_err choose(work *w)
{
    bool    *good = calloc(w->rules.n + 1u, sizeof *good);
    uint32_t n = 0;
    if (!good)
        return DP_ENOMEM;
    for (uint32_t i = 0; i < w->nfound; i++)
        good[w->found[i].rule] = is_good(w, &w->found[i]);
    for (uint32_t i = 0; i < w->nfound; i++)
        if (w->found[i].count.support > w->o->min_support &&
            (w->ctx->accept == DP_ACCEPT_PAPER || !is_covered(w, good, w->found[i].rule)))
            w->found[n++] = w->found[i];
    w->nfound = n;
    free(good);
    return DP_OK;
}

/* ---- proposals ------------------------------------------------------------------------------- */

/* Most specific first: fewer stars, then larger support, then text. */
static int by_priority(const void *l, const void *r, void *rules)
{
    const finding     *x = l, *y = r;
    const dp_rw_rules *s = rules;
    uint16_t           p = s->v[x->rule].stars, q = s->v[y->rule].stars;
    if (p != q)
        return p < q ? -1 : 1;
    if (x->count.support != y->count.support)
        return x->count.support > y->count.support ? -1 : 1;
    int c = dp_str_cmp(x->text, y->text);
    return c ? c : dp_str_cmp(x->hosts, y->hosts);
}

static dp_err propose(dp_proposals *out, const work *w, const finding *f)
{
    const dp_rw_count *c = &f->count;
    dp_proposal        p = {.hosts = dp_arena_str(w->a, f->hosts), .text = dp_arena_str(w->a, f->text),
                            .n = c->support - c->wrong, .neg = c->wrong, .p = 1 - fpr_of(c), .by = c->by,
                            .state = DP_ACTIVE, .passes = is_good(w, f), .is_order = f->is_order};
    return p.hosts.p && p.text.p ? dp_proposals_add(out, &p) : DP_ENOMEM;
}

/* The paper's maps know no order of parameters. */
static dp_err propose_order(dp_proposals *out, const work *w)
{
    const dp_book_orders *c = &w->book.orders;
    finding               f = {.text = DP_STR("order any"), .is_order = true, .hosts = w->speech.hosts,
                               .count = {.support = c->same + c->other, .wrong = c->other, .by = 1u << DP_BY_TEXT}};
    return f.count.support ? propose(out, w, &f) : DP_OK;
}

static dp_err run(dp_proposals *out, work *w)
{
    DP_TRY(dp_book_read(&w->book, w->site, &w->arena));
    if (w->book.n == 0)
        return DP_OK;
    DP_TRY(dp_rw_index_init(&w->index, &w->book, w->site, w->ctx->folds, &w->arena));
    DP_TRY(dp_rw_speech_init(&w->speech, &w->book, &w->arena));
    DP_TRY(generate(w));
    DP_TRY(say_rules(w));
    DP_TRY(count(w));
    DP_TRY(choose(w));
    qsort_r(w->found, w->nfound, sizeof *w->found, by_priority, &w->rules);
    DP_TRY(propose_order(out, w));
    for (uint32_t i = 0; i < w->nfound; i++)
        DP_TRY(propose(out, w, &w->found[i]));
    return DP_OK;
}

static dp_err learn_rewrite(dp_proposals *out, const dp_site *s, const void *options, const dp_learn_context *ctx,
                            dp_arena *a)
{
    work   w = {.site = s, .o = options, .ctx = ctx, .a = a};
    dp_err e = run(out, &w);
    dp_rw_oracle_done(&w.oracle);
    dp_rw_index_done(&w.index);
    dp_rw_rules_done(&w.rules);
    dp_rw_rules_done(&w.later);
    free(w.found);
    dp_arena_done(&w.arena);
    return e;
}

const dp_method dp_method_rewrite = {
    .name = "rewrite",
    .summary = "templates generalized from pairs of duplicate URLs (Dasgupta 2008)",
    .needs_clusters = true,
    .options_size = sizeof defaults,
    .options_init = &defaults,
    .option = rows,
    .noption = DP_COUNT(rows),
    .learn = learn_rewrite,
};
