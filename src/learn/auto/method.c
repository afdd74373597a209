/* The row of `auto` in the table of learners.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/auto/method.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "learn/auto/vote/guard.h"
#include "learn/auto/propose/propose.h"
#include "learn/auto/rounds/rounds.h"
#include "learn/dust/method.h"
#include "rule/common.h"
#include "rule/rule.h"

static const dp_auto_options defaults = DP_AUTO_OPTIONS_INIT;

#define ROW(field, word, placeholder, text, low, high)                                                    \
    {.name = word, .arg = placeholder, .help = text, .type = DP_OPTION_UINT32,                            \
     .offset = offsetof(dp_auto_options, field), .min = low, .max = high, .paper = true}

#define FLAG(field, word, text)                                                                            \
    {.name = word, .help = text, .type = DP_OPTION_BOOL, .offset = offsetof(dp_auto_options, field), .paper = true}

static const char *const bounds[] = {"learned", "spike", NULL};

static const dp_option_row options[] = {
    {.name = "allow", .arg = "NAMES", .help = "kinds of values to merge on usual evidence: lang,page,date,version,id",
     .type = DP_OPTION_TEXT, .offset = offsetof(dp_auto_options, allow)},
    {.name = "common", .arg = "FILE",
     .help = "rules of other sites, as evidence for small sites; none: do not use any",
     .type = DP_OPTION_TEXT, .offset = offsetof(dp_auto_options, common)},
    ROW(rounds, "rounds", "N", "at most N rounds of proposing and accepting rules; default 16", 1, 1000),
    ROW(forms, "forms", "N", "at most N URLs of a page are compared; default 8", 2, 64),
    ROW(reviews, "reviews", "N", "at most N checks of the accepted rules, all together; default 3", 0, 100),
    ROW(sample, "sample", "N", "URLs of a site to begin with; default 700, 0: all", 0, 1e9),
    ROW(ideas, "ideas", "N", "at most N proposed rules per round; default 4000", 1, 1000000),
    {.name = "bound", .arg = "NAME", .help = "precision by votes: learned, or spike, with fixed priors",
     .type = DP_OPTION_CHOICE, .offset = offsetof(dp_auto_options, bound), .choice = bounds, .paper = true},
    FLAG(without[0], "without-host", "propose no rules for schemes and hosts"),
    FLAG(without[1], "without-query", "propose no rules for parameters"),
    FLAG(without[2], "without-path", "propose no rules for whole path segments"),
    FLAG(without[3], "without-affix", "propose no rules for parts of path segments"),
    FLAG(without[4], "without-template", "propose no templates with captures"),
    FLAG(without[5], "without-joint", "propose no pairs of rules that work together"),
    FLAG(without_sinks, "without-sinks", "learn no rules for forms that always show one page"),
    FLAG(without_contexts, "without-contexts", "add no conditions or exceptions to rules"),
    FLAG(without_survey, "without-survey", "use no evidence of other sites"),
    FLAG(without_singletons, "without-singletons", "ignore pages that have only one URL"),
};

/* What the pack says of parameters. */
static dp_err read_pack(dp_other_sites *out, dp_str file, dp_error *err)
{
    dp_rules *r = NULL;
    dp_str    text = dp_common_text();
    DP_TRY(dp_rules_new(&r));
    dp_err code = DP_OK;
    if (file.n) {
        char *name = strndup(file.p, file.n);
        code = name ? dp_rules_read(r, name, err) : DP_ENOMEM;
        free(name);
    } else {
        code = dp_rules_parse(r, "common.rules", text.p, text.n, err);
    }
    if (code == DP_OK)
        code = dp_other_sites_read(out, r);
    dp_rules_free(r);
    return code;
}

/* The guards that --allow names; the pack. */
static dp_err begin(void **run, const void *options_given, dp_error *err)
{
    const dp_auto_options *o = options_given;
    uint32_t               bits;
    dp_str                 bad;
    *run = NULL;
    if (!dp_guard_parse(&bits, o->allow, &bad))
        return dp_fail(err, DP_EINVALID, "--allow: '%.*s' is not one of lang, page, date, version, id", DP_FMT(bad));
    if (dp_str_eq(o->common, DP_STR("none")))
        return DP_OK;
    dp_other_sites *pack = calloc(1, sizeof *pack);
    dp_err          code = pack ? read_pack(pack, o->common, err) : DP_ENOMEM;
    if (code == DP_OK)
        *run = pack;
    else
        free(pack);
    return code;
}

static dp_err end(void *run, dp_buf *note, dp_error *err)
{
    (void)note;
    (void)err;
    free(run);
    return DP_OK;
}

/* Nothing is known of any page: substitutions that many URLs suggest, to be looked at. */
static dp_err guess(dp_proposals *out, const dp_site *s, const dp_learn_context *ctx, dp_arena *a)
{
    size_t first = out->n;
    DP_TRY(dp_method_dust.learn(out, s, dp_method_dust.options_init, ctx, a));
    for (size_t i = first; i < out->n; i++)
        out->v[i].state = DP_LIKELY;
    return DP_OK;
}

/* The names of guards. */
static dp_err write_guards(dp_str *out, uint32_t bits, dp_arena *a)
{
    dp_buf names = {0};
    dp_guard_print(&names, bits);
    *out = dp_arena_str(a, dp_buf_view(&names));
    bool failed = names.failed || !out->p;
    dp_buf_done(&names);
    return failed ? DP_ENOMEM : DP_OK;
}

static dp_err learn_auto(dp_proposals *out, const dp_site *s, const void *o, const dp_learn_context *ctx, dp_arena *a)
{
    if (s->nclusters == s->n || s->nclusters == 0)
        return s->nclusters == 0 ? guess(out, s, ctx, a) : DP_OK;
    dp_rounds       r;
    dp_auto_options options_of = *(const dp_auto_options *)o;
    dp_str          bad;
    dp_guard_parse(&options_of.allowed, options_of.allow, &bad);
    DP_TRY(dp_rounds_run(&r, s, &options_of, ctx, a));
    dp_err code = DP_OK;
    for (size_t i = 0; i < r.n + r.nsuggested && code == DP_OK; i++) {
        bool            in_force = i < r.n, added = in_force && r.o.reviews && !r.v[i].sites && !r.v[i].drawn;
        const dp_taken *t = in_force ? &r.v[i] : &r.suggested[i - r.n];
        dp_proposal     p = {.hosts = t->hosts, .p = t->p, .by = t->count.by, .passes = true};
        p.is_order = t->family == DP_FAMILY_ORDER;
        p.save = t->count.good > t->later.good ? t->count.good : t->later.good;
        p.sites = t->sites;
        p.urls = t->drawn;
        p.n = (uint64_t)((added ? t->later.pos : fmax(t->count.pos, t->later.pos)) + .5);
        p.neg = (uint64_t)((added ? t->later.neg : fmax(t->count.neg, t->later.neg)) + .5);
        p.state = in_force && t->count.by & ctx->trust ? DP_ACTIVE : DP_LIKELY;
        code = write_guards(&p.guards, t->guards, a);
        for (int k = 0; k < 2 && t->text[k].n && code == DP_OK; k++) {
            p.text = t->text[k];
            code = dp_proposals_add(out, &p);
        }
    }
    if (code == DP_OK && r.lines && r.fired.key && r.fired_site == s)
        code = dp_rounds_leave(ctx->fired, &r);
    dp_rounds_done(&r);
    return code;
}

static dp_err survey(void *one, const dp_site *s, const void *o, const dp_learn_context *ctx)
{
    const dp_auto_options *options_of = o;
    return options_of->without_survey ? DP_OK : dp_rounds_survey(one, s, o, ctx);
}

static void combine(void *all, const void *one)
{
    dp_survey       *sum = all;
    const dp_survey *site = one;
    dp_experience_add(&sum->kinds, &site->kinds);
    dp_other_sites_add(&sum->names, &site->names);
}

static void unite(void *together, size_t n)
{
    dp_survey *sum = together;
    sum->kinds = dp_experience_part(&sum->kinds, 1 / (double)n);
    dp_other_sites_unite(&sum->names);
}

static void leave_out(void *all, const void *one)
{
    dp_survey       *sum = all;
    const dp_survey *site = one;
    dp_experience_leave_out(&sum->kinds, &site->kinds);
    dp_other_sites_leave_out(&sum->names, &site->names);
}

static bool is_survey(const void *one)
{
    const dp_survey *s = one;
    return s->names.n <= DP_OTHER_SITES_NAMES;
}

const dp_method dp_method_auto = {
    .name = "auto",
    .summary = "all kinds of rules, each tested on pages it was not made from",
    .decides = true,
    .reads_sizes = true,
    .options_size = sizeof(dp_auto_options),
    .options_init = &defaults,
    .option = options,
    .noption = DP_COUNT(options),
    .learn = learn_auto,
    .begin = begin,
    .end = end,
    .url_bytes = 1500,
    .shared_size = sizeof(dp_survey),
    .survey = survey,
    .combine = combine,
    .unite = unite,
    .leave_out = leave_out,
    .is_survey = is_survey,
};
