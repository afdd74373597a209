/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/rounds/rounds.h"

#include <math.h>
#include <stdlib.h>

#include "apply/engine.h"
#include "base/firm.h"
#include "learn/auto/rounds/lookback.h"
#include "learn/auto/rounds/needless.h"
#include "learn/auto/rounds/round.h"
#include "learn/auto/rounds/shorter.h"
#include "learn/auto/rounds/sinks.h"
#include "learn/auto/rounds/trial.h"
#include "learn/auto/thresholds.h"
#include "learn/sample/sample_part.h"
#include "url/host.h"

enum { LEAST_ROUNDS = 4 }; /* after corrections */

/* Parts to begin with, in units of --sample; the share of clusters that their rules may leave open, and the share of
 * rules that may have just enough votes. */
static const struct first_part {
    uint32_t times;
    double   open, scarce;
} first_parts[] = {{1, DP_FEW_OPEN, DP_FEW_SCARCE}, {3, DP_HALF_OPEN, 1}};

void dp_taken_print(dp_buf *out, const dp_taken *t)
{
    dp_buf_c(out, "host ");
    dp_buf_str(out, t->hosts);
    dp_buf_byte(out, '\n');
    for (int k = 0; k < 2 && t->text[k].n; k++) {
        dp_buf_str(out, t->text[k]);
        dp_buf_byte(out, '\n');
    }
}

void dp_rounds_print(dp_buf *out, const dp_taken *v, size_t n)
{
    dp_buf_c(out, "dustpan-rules 1\n");
    for (size_t i = 0; i < n; i++)
        dp_taken_print(out, &v[i]);
}

uint32_t dp_taken_lines(const dp_taken *t)
{
    return t->family == DP_FAMILY_ORDER ? 0 : 1 + (t->text[1].n > 0);
}

/* Ideas are tried where pairs are sorted as the rules so far say. */
static dp_err keep_sorted(dp_rounds *r)
{
    dp_buf text = {0};
    for (size_t i = 0; i < r->n; i++)
        if (r->v[i].family == DP_FAMILY_ORDER)
            dp_taken_print(&text, &r->v[i]);
    if (!text.failed && !dp_str_eq(dp_buf_view(&text), r->forms.sorted)) {
        dp_past_drop(&r->past); /* what ideas wrote was not sorted, or is no longer */
        r->forms.sorted = dp_arena_str(r->arena, dp_buf_view(&text));
        text.failed |= !r->forms.sorted.p;
    }
    bool failed = text.failed;
    dp_buf_done(&text);
    return failed ? DP_ENOMEM : DP_OK;
}

/* Rules may go round in circles on URLs although none feeds itself on its witness: then nothing comes of those URLs. Of
 * the rules accepted last, from v[before] on, as many are taken back. */
static dp_err break_circles(dp_rounds *r, size_t before)
{
    while (r->forms.limited && r->n > before) {
        if (!dp_intern_add(&r->banned, r->v[--r->n].text[0], 0))
            return DP_ENOMEM;
        DP_TRY(dp_lookback_afresh(r));
    }
    return DP_OK;
}

/* Round after round until nothing more is accepted, not even where parameters are looked at together, which takes
 * longer. */
static dp_err go_round(dp_rounds *r, uint32_t *left)
{
    r->in_company = false;
    for (size_t accepted = 1; (accepted || !r->in_company) && *left; --*left) {
        r->in_company = !accepted;
        dp_engine *e = NULL;
        uint64_t   hash;
        size_t     before = r->n;
        bool       limited = r->forms.limited;
        DP_TRY(keep_sorted(r));
        DP_TRY(dp_round_run(r, &accepted));
        dp_err code = accepted ? dp_lookback_engine(&e, r, &hash) : DP_OK;
        if (code == DP_OK && accepted)
            code = dp_forms_rewrite(&r->forms, &(dp_rewriting){.engine = e, .touched = r->touched});
        dp_engine_free(e);
        DP_TRY(code);
        if (!limited)
            DP_TRY(break_circles(r, before));
    }
    return DP_OK;
}

/* Clusters of more than one form. */
static size_t count_open(const dp_forms *f)
{
    size_t n = 0;
    for (uint32_t c = 0; c < f->site->nclusters; c++)
        n += f->first[c + 1] - f->first[c] > 1;
    return n;
}

/* The same before any rule: clusters of more than one URL. */
static dp_err count_plural(size_t *out, const dp_site *s)
{
    uint8_t *urls = calloc((size_t)s->nclusters + 1, 1);
    if (!urls)
        return DP_ENOMEM;
    *out = 0;
    for (size_t u = 0; u < s->n; u++)
        if (s->cluster[u] != DP_NO_CLUSTER && urls[s->cluster[u]] < 2)
            *out += ++urls[s->cluster[u]] == 2;
    free(urls);
    return DP_OK;
}

/* Turn to a part or to the whole, with the rules so far. */
static dp_err turn_to(dp_rounds *r, const dp_site *part)
{
    dp_rewriting how = {.afresh = true};
    r->site = part;
    r->fired_site = NULL;
    dp_intern_done(&r->banned);
    r->banned = (dp_intern){0};
    for (size_t i = 0; i < r->n; i++)
        r->v[i].old = true;
    dp_past_drop(&r->past);
    dp_forms_done(&r->forms);
    if (r->n)
        DP_TRY(dp_lookback_open(&how, r));
    dp_err code = dp_forms_init(&r->forms, part, !r->o.without_singletons, &how, r->ctx->pool);
    dp_lookback_close(&how);
    if (code == DP_OK && r->n)
        code = dp_looked_note(&r->looked, r);
    r->identifies = true;
    return code;
}

/* Where many pages are still open, try all at once what hides each other. */
static dp_err go_on_trial(dp_rounds *r)
{
    size_t   plural;
    bool     any;
    uint32_t left = LEAST_ROUNDS;
    DP_TRY(count_plural(&plural, r->site));
    if ((double)count_open(&r->forms) <= DP_FEW_OPEN * (double)plural)
        return DP_OK;
    DP_TRY(dp_trial_take(r, &any));
    if (!any)
        return DP_OK;
    DP_TRY(go_round(r, &left));
    DP_TRY(dp_trial_end(r));
    left = LEAST_ROUNDS;
    return go_round(r, &left);
}

/* Where rules make no two URLs one but together, go on as if they held, and see whether they do. */
static dp_err try_together(dp_rounds *r)
{
    bool     any;
    uint32_t left = LEAST_ROUNDS;
    r->leave_facets = false;
    DP_TRY(dp_trial_take_together(r, &any));
    if (!any)
        return DP_OK;
    DP_TRY(go_round(r, &left));
    DP_TRY(dp_trial_end(r));
    left = LEAST_ROUNDS;
    return go_round(r, &left);
}

/* Learn on the present part. */
static dp_err learn_part(dp_rounds *r)
{
    uint32_t left = r->o.rounds;
    r->leave_facets = true;
    DP_TRY(go_round(r, &left));
    DP_TRY(try_together(r));
    DP_TRY(go_on_trial(r));
    for (uint32_t again = 0; again < r->o.reviews; again++) {
        bool any;
        DP_TRY(dp_lookback_correct(r, &any));
        if (!any || again + 1 == r->o.reviews)
            break;
        left = left > LEAST_ROUNDS ? left : LEAST_ROUNDS;
        DP_TRY(go_round(r, &left));
    }
    return r->o.reviews && !r->o.without_contexts ? dp_needless_drop(r) : DP_OK;
}

/* Whether rules are still to be found on more URLs: where many have just enough votes, about as many have not enough
 * (Good and Turing). */
static bool has_more(const dp_rounds *r, const struct first_part *p)
{
    size_t scarce = 0;
    for (size_t i = 0; i < r->n; i++)
        scarce += r->v[i].count.pos < DP_JUST_ENOUGH;
    return (double)scarce > p->scarce * (double)r->n;
}

/* Learn on a part, and turn to the whole with its rules. `*enough`: they explain so much of it that the rest may build
 * on them; else the part is too small, or the site a list of exceptions, and they are forgotten. */
static dp_err begin_with(dp_rounds *r, const struct first_part *p, bool *enough)
{
    size_t   urls = (size_t)r->o.sample * p->times, plural = 0;
    dp_arena a = {0};
    dp_site  part = {0};
    *enough = false;
    if (urls == 0 || urls * 2 >= r->whole->n)
        return DP_OK;
    dp_err code = dp_sample_part(&part, r->whole, urls, &a);
    bool   worth = part.n * 2 < r->whole->n; /* else most URLs collide with each other */
    if (code == DP_OK && worth)
        code = turn_to(r, &part);
    if (code == DP_OK && worth)
        code = learn_part(r);
    if (has_more(r, p))
        r->n = 0;
    if (code == DP_OK && r->n)
        code = turn_to(r, r->whole);
    if (code == DP_OK && r->n)
        code = count_plural(&plural, r->whole);
    /* A cluster with a wrong label stays open whatever the rules are. */
    double may = fmin(DP_HALF_OPEN, p->open + DP_OPEN_BY_NOISE * r->trust.noise) * (double)plural;
    *enough = code == DP_OK && r->n && (double)count_open(&r->forms) <= may;
    r->n = *enough ? r->n : 0;
    dp_arena_done(&a);
    return code;
}

static dp_err run(dp_rounds *r)
{
    bool   enough = false;
    dp_err code = dp_hosts_init(&r->hosts, r->whole);
    for (size_t i = 0; i < DP_COUNT(first_parts) && code == DP_OK && !enough; i++)
        code = begin_with(r, &first_parts[i], &enough);
    if (code == DP_OK && !enough)
        code = turn_to(r, r->whole);
    if (code == DP_OK)
        code = learn_part(r);
    if (code == DP_OK && r->n > 1)
        code = dp_shorter_list(r);
    if (code == DP_OK && !r->o.without_sinks)
        code = dp_sinks_accept(r);
    if (code == DP_OK)
        code = dp_shorter_take_apart(r);
    if (code == DP_OK && r->o.reviews)
        code = dp_lookback_end(r);
    if (code == DP_OK && r->n > 1)
        code = dp_shorter_join(r);
    return code == DP_OK ? dp_round_suggest(r) : code;
}

static bool listens(const dp_auto_options *o)
{
    return !dp_str_eq(o->common, DP_STR("none"));
}

dp_err dp_rounds_run(dp_rounds *r, const dp_site *s, const dp_auto_options *o, const dp_learn_context *ctx,
                     dp_arena *a)
{
    const dp_survey *told = ctx->shared, *own = o->without_survey ? NULL : ctx->own;
    dp_prior_sources sources = {.others = told ? &told->names : NULL, .own = own ? &own->names : NULL, .pack = ctx->run,
                                .asked = o->common.n > 0};
    *r = (dp_rounds){.whole = s, .site = s, .ctx = ctx, .o = *o, .arena = a, .elsewhere = told ? &told->kinds : NULL};
    dp_trust_init(&r->trust, r->elsewhere);
    r->bound = DP_BOUND_INIT;
    r->trust.instead = o->bound == DP_AUTO_SPIKE ? &r->bound : NULL;
    dp_err code = listens(o) ? dp_other_sites_ask(&r->heard, s, &sources, !o->without_singletons, ctx->pool) : DP_OK;
    if (code == DP_OK && ctx->fired && !(r->fired.key = calloc(s->n + 1, sizeof *r->fired.key)))
        code = DP_ENOMEM;
    if (code == DP_OK)
        code = run(r);
    if (code != DP_OK)
        dp_rounds_done(r);
    return code;
}

dp_err dp_rounds_survey(dp_survey *out, const dp_site *s, const dp_auto_options *o, const dp_learn_context *ctx)
{
    dp_rounds r = {.whole = s, .site = s, .ctx = ctx, .o = *o};
    dp_arena  a = {0};
    dp_site   part;
    dp_err    code = DP_OK;
    dp_trust_init(&r.trust, NULL);
    if (s->n > DP_SURVEYED) {
        code = dp_sample_part(&part, s, DP_SURVEYED, &a);
        r.site = &part;
    }
    if (code == DP_OK)
        code = dp_forms_init(&r.forms, r.site, !o->without_singletons, NULL, ctx->pool);
    if (code == DP_OK && listens(o))
        code = dp_other_sites_of_forms(&out->names, &r.forms, ctx->pool);
    if (code == DP_OK)
        code = dp_round_look(&r);
    if (code == DP_OK)
        code = dp_hash_firm(&out->voter, dp_host_icann_domain(s->name));
    out->kinds = r.here;
    dp_rounds_done(&r);
    dp_arena_done(&a);
    return code;
}

dp_err dp_rounds_leave(dp_firings *out, dp_rounds *r)
{
    uint32_t *number = malloc((r->lines + 1u) * sizeof *number); /* UINT32_MAX: it is gone, or does less than it did */
    if (!number)
        return DP_ENOMEM;
    memset(number, 0xFF, (r->lines + 1u) * sizeof *number);
    dp_firings_done(out);
    for (size_t i = 0; i < r->n; i++) {
        for (uint32_t k = 0; k < dp_taken_lines(&r->v[i]); k++, out->rules++)
            number[r->v[i].line + k] = r->v[i].spared ? UINT32_MAX : out->rules;
    }
    for (size_t i = 0; i < r->fired.n; i++) {
        dp_firing *f = &r->fired.v[i];
        f->rule = number[f->rule];
        if (f->rule == UINT32_MAX)
            r->fired.key[f->url] = 0;
    }
    r->fired.rules = out->rules;
    *out = r->fired;
    r->fired = (dp_firings){0};
    free(number);
    return DP_OK;
}

void dp_rounds_done(dp_rounds *r)
{
    dp_past_drop(&r->past);
    dp_loops_done(&r->loops);
    free(r->touched);
    dp_firings_done(&r->fired);
    dp_absences_done(&r->absences);
    dp_looked_done(&r->looked);
    dp_forms_done(&r->forms);
    dp_intern_done(&r->banned);
    dp_hosts_done(&r->hosts);
    free(r->v);
    free(r->suggested);
    r->v = r->suggested = NULL;
    r->n = r->cap = r->nsuggested = r->suggested_cap = 0;
}
