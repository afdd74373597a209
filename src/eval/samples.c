/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/samples.h"

#include <stdlib.h>

#include "apply/engine.h"
#include "base/hash.h"
#include "eval/agree.h"
#include "eval/meetings.h"

typedef struct finder {
    const dp_engine *engine;
    const dp_truth  *truth;
    dp_scratch      *scratch;
    dp_meetings      met;
    dp_agree         agree;
    uint32_t         item;
    bool             failed;
} finder;

static void note_rule(void *ctx, uint32_t rule, dp_str text)
{
    finder *f = ctx;
    if (!dp_members_push(&f->met.changed, (dp_member){dp_hash_str(text), rule, f->item}) ||
        !dp_members_push(&f->met.changed, (dp_member){0, rule, DP_MOVED}))
        f->failed = true;
}

/* URLs of one form are one to a rule, as in judge/replay.h: only the first of them stays. Sorts the forms. */
static dp_err one_a_form(dp_meetings *f, uint32_t urls)
{
    size_t n = 0, left = 0;
    bool  *stays = calloc(urls ? urls : 1, sizeof *stays);
    if (!stays)
        return DP_ENOMEM;
    dp_members_sort(f->form.v, f->form.n);
    for (size_t i = 0, j; i < f->form.n; i = j) {
        j = dp_group_end(f->form.v, f->form.n, i);
        stays[f->form.v[i].item] = true;
        f->form.v[n++] = f->form.v[i];
    }
    for (size_t i = 0; i < f->changed.n; i++) {
        if (f->changed.v[i].item == DP_MOVED || stays[f->changed.v[i].item])
            f->changed.v[left++] = f->changed.v[i];
    }
    f->form.n = n;
    f->changed.n = left;
    free(stays);
    return DP_OK;
}

static dp_err run_rules(finder *f, dp_items items)
{
    dp_members *changed = &f->met.changed;
    for (uint32_t i = 0; i < items.n; i++) {
        size_t first = changed->n;
        f->item = dp_items_at(&items, i);
        dp_str url = dp_truth_text(f->truth, f->item);
        if (!url.p)
            break;
        dp_str form = dp_engine_each(f->engine, f->scratch, url, note_rule, f);
        if (!form.p || f->failed)
            return DP_ENOMEM;
        for (size_t k = first + 1; k < changed->n; k += 2)
            changed->v[k].key = dp_hash_str(form);
        if (!dp_members_push(&f->met.form, (dp_member){dp_hash_str(form), 0, f->item}))
            return DP_ENOMEM;
    }
    DP_TRY(one_a_form(&f->met, f->truth->n));
    dp_meetings_sort(&f->met);
    return DP_OK;
}

/* ---- choosing ------------------------------------------------------------------------------------- */

/* Keep the list in order, best first and at most DP_SAMPLES. */
static void put_good(dp_rule_samples *s, dp_sample new)
{
    size_t at = s->ngood;
    while (at > 0 && (new.merges != s->good[at - 1].merges ? new.merges : new.item < s->good[at - 1].item))
        at--;
    if (at == DP_SAMPLES)
        return;
    s->ngood += s->ngood < DP_SAMPLES;
    memmove(s->good + at + 1, s->good + at, (s->ngood - at - 1) * sizeof *s->good);
    s->good[at] = new;
}

static void put_wrong(dp_rule_samples *s, dp_wrong new)
{
    size_t at = s->nwrong;
    while (at > 0 && new.a < s->wrong[at - 1].a)
        at--;
    if (at == DP_SAMPLES)
        return;
    s->nwrong += s->nwrong < DP_SAMPLES;
    memmove(s->wrong + at + 1, s->wrong + at, (s->nwrong - at - 1) * sizeof *s->wrong);
    s->wrong[at] = new;
}

/* A URL in `v` that is not of the cluster of `item`; DP_NO_ITEM when all are. */
static uint32_t other_cluster(const dp_truth *t, const dp_member *v, size_t n, uint32_t item)
{
    for (size_t i = 0; i < n; i++) {
        if (t->cluster[v[i].item] != t->cluster[item])
            return v[i].item;
    }
    return DP_NO_ITEM;
}

static void choose(finder *f, dp_rule_samples *s, const dp_rule_group *g)
{
    uint32_t item = g->changed->item, other = other_cluster(f->truth, g->still, g->nstill, item);
    bool     merges = g->nchanged + g->nstill > 1;
    if (merges)
        dp_agree_add(&f->agree, f->truth->cluster, g->changed, g->nchanged, g->still, g->nstill);
    if (other == DP_NO_ITEM)
        other = other_cluster(f->truth, g->changed, g->nchanged, item);
    if (other != DP_NO_ITEM)
        put_wrong(s, (dp_wrong){item, other});
    else
        put_good(s, (dp_sample){.item = item, .merges = merges});
}

static void choose_all(finder *f, dp_rule_samples *out)
{
    dp_rule_group g;
    uint32_t      rule, last = DP_EVERY_RULE;
    for (size_t at = 0; dp_meetings_next(&f->met, &at, &g, &rule); last = rule) {
        if (last != rule && last != DP_EVERY_RULE)
            out[last].votes = dp_agree_votes(&f->agree);
        choose(f, &out[rule], &g);
    }
    if (last != DP_EVERY_RULE)
        out[last].votes = dp_agree_votes(&f->agree);
}

/* ---- texts ---------------------------------------------------------------------------------------- */

typedef struct wish {
    uint32_t  rule;
    dp_arena *arena;
    dp_str    after;
    bool      failed;
} wish;

static void note_text(void *ctx, uint32_t rule, dp_str text)
{
    wish *w = ctx;
    if (rule != w->rule)
        return;
    w->after = dp_arena_str(w->arena, text);
    w->failed |= !w->after.p;
}

static dp_err fill_texts(finder *f, dp_rule_samples *out, size_t rules, dp_arena *a)
{
    for (size_t r = 0; r < rules; r++) {
        for (size_t i = 0; i < out[r].ngood; i++) {
            wish   w = {.rule = (uint32_t)r, .arena = a};
            dp_str url = dp_truth_text(f->truth, out[r].good[i].item);
            if (!dp_engine_each(f->engine, f->scratch, url, note_text, &w).p || w.failed)
                return DP_ENOMEM;
            out[r].good[i].after = w.after;
        }
    }
    return DP_OK;
}

dp_err dp_samples_find(dp_rule_samples *out, const dp_engine *e, const dp_truth *t, dp_items items, dp_arena *a)
{
    finder f = {.engine = e, .truth = t};
    size_t rules = dp_engine_count(e);
    dp_err code = dp_scratch_new(&f.scratch);
    memset(out, 0, rules * sizeof *out);
    if (code == DP_OK)
        code = run_rules(&f, items);
    if (code == DP_OK)
        code = dp_agree_init(&f.agree, t->clusters.n);
    if (code == DP_OK) {
        choose_all(&f, out);
        code = fill_texts(&f, out, rules, a);
    }
    dp_scratch_free(f.scratch);
    dp_agree_done(&f.agree);
    dp_meetings_done(&f.met);
    return code;
}

dp_err dp_samples_along(dp_rule_samples *out, size_t rules, const dp_trail *trail, const dp_truth *t)
{
    finder f = {.truth = t};
    memset(out, 0, rules * sizeof *out);
    dp_err code = dp_meetings_along(&f.met, trail, DP_EVERY_RULE);
    if (code == DP_OK)
        code = dp_agree_init(&f.agree, t->clusters.n);
    if (code == DP_OK)
        choose_all(&f, out);
    dp_agree_done(&f.agree);
    dp_meetings_done(&f.met);
    return code;
}
