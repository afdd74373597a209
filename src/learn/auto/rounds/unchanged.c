/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/rounds/unchanged.h"

#include <stdlib.h>

#include "base/hash.h"
#include "learn/auto/rounds/rounds.h"

enum { GONE = UINT32_MAX };

dp_err dp_looked_note(dp_looked *l, const dp_rounds *r)
{
    dp_looked_done(l);
    l->v = malloc((r->n + 1) * sizeof *l->v);
    if (!l->v)
        return DP_ENOMEM;
    if (r->n)
        memcpy(l->v, r->v, r->n * sizeof *l->v);
    l->n = r->n;
    l->steps = r->forms.steps;
    return DP_OK;
}

void dp_looked_done(dp_looked *l)
{
    free(l->v);
    *l = (dp_looked){0};
}

/* ---- which rules --------------------------------------------------------------------------- */

static bool is_same(const dp_taken *now, const dp_taken *then)
{
    return dp_str_eq(now->text[0], then->text[0]) && dp_str_eq(now->text[1], then->text[1]) &&
           dp_str_eq(now->hosts, then->hosts) && now->family == then->family;
}

/* Whether a rule is the one that was, but for a condition or exceptions at its end. */
static bool fires_on_less(const dp_taken *now, const dp_taken *then)
{
    dp_str rest = dp_str_cut(now->text[0], then->text[0].n, now->text[0].n);
    return !now->text[1].n && !then->text[1].n && dp_str_eq(now->hosts, then->hosts) &&
           dp_str_starts(now->text[0], then->text[0]) &&
           (dp_str_starts(rest, DP_STR(" on ")) || dp_str_starts(rest, DP_STR(" unless ")));
}

/* What became of each rule. False: some rule is new, or an order of parameters is no more. */
static bool compare(dp_unchanged *u, const dp_rounds *r, const dp_owners *now)
{
    const dp_looked *l = &r->looked;
    size_t           j = 0;
    uint32_t         line = 0;
    for (size_t i = 0; i < l->n; i++) {
        const dp_taken *then = &l->v[i];
        bool            same = j < r->n && is_same(&r->v[j], then);
        if (!same && then->family == DP_FAMILY_ORDER)
            return false;
        u->now[i] = same ? (uint32_t)j : GONE;
        u->changed |= same ? 0 : (uint64_t)1 << (dp_hash_str(then->text[0]) & 63);
        for (uint32_t k = 0; k < dp_taken_lines(then); k++)
            u->line[line++] = same ? now->first[j] + k : GONE;
        j += same || (j < r->n && fires_on_less(&r->v[j], then));
    }
    return j == r->n;
}

/* ---- which URLs ---------------------------------------------------------------------------- */

/* Take what the last look saw out of `r`; the texts stay. */
static void take(dp_unchanged *u, dp_rounds *r)
{
    u->fired = r->fired;
    u->fired.key = NULL;
    r->fired.v = NULL;
    r->fired.n = r->fired.cap = 0;
    u->absences = r->absences;
    u->absences.arena = (dp_arena){0};
    r->absences = (dp_absences){.arena = r->absences.arena};
}

static bool must_run(const dp_unchanged *u, uint32_t url)
{
    return u->recall.fired[url] != 0;
}

static void choose_urls(dp_unchanged *u, const dp_forms *f)
{
    u->recall.again = 1;
    for (size_t i = 0; i < f->site->n; i++)
        u->recall.text[i] = f->text[f->of[i]];
    for (size_t i = 0; i < u->absences.n; i++)
        if (u->now[u->absences.v[i].rule] == GONE)
            u->recall.fired[u->absences.v[i].url] = 1;
    for (size_t i = 0; i < u->absences.nopen; i++)
        u->recall.fired[u->absences.open[i]] = 1;
}

dp_err dp_unchanged_find(dp_unchanged *u, dp_rounds *r, const dp_owners *now, bool *some)
{
    const dp_looked *l = &r->looked;
    size_t           urls = r->site->n;
    *u = (dp_unchanged){0};
    *some = false;
    if (!l->n || r->fired_site != r->site || l->steps != r->forms.steps)
        return DP_OK;
    u->now = malloc(l->n * sizeof *u->now);
    u->line = malloc(2 * l->n * sizeof *u->line);
    if (!u->now || !u->line)
        return DP_ENOMEM;
    if (!compare(u, r, now))
        return DP_OK;
    u->recall.text = malloc((urls + 1) * sizeof *u->recall.text);
    u->recall.fired = calloc(urls + 1, sizeof *u->recall.fired);
    if (!u->recall.text || !u->recall.fired)
        return DP_ENOMEM;
    take(u, r);
    choose_urls(u, &r->forms);
    *some = true;
    return DP_OK;
}

/* ---- what holds ---------------------------------------------------------------------------- */

static dp_err keep_absences(dp_unchanged *u, dp_absences *found)
{
    const dp_absences *then = &u->absences;
    dp_absence        *v = malloc((then->n + found->n + 1) * sizeof *v);
    size_t             n = 0, i = 0, j = 0;
    if (!v)
        return DP_ENOMEM;
    while (i < then->n || j < found->n) {
        if (i == then->n || (j < found->n && found->v[j].url < then->v[i].url)) {
            v[n++] = found->v[j++];
            continue;
        }
        dp_absence one = then->v[i++];
        if (must_run(u, one.url))
            continue;
        one.rule = u->now[one.rule];
        if (one.by & u->changed) /* what a rule made of it is no more */
            one.text = (dp_str){0};
        v[n++] = one;
    }
    free(found->v);
    found->v = v;
    found->cap = then->n + found->n + 1;
    found->n = n;
    return DP_OK;
}

static dp_err keep_firings(dp_unchanged *u, dp_firings *found)
{
    const dp_firings *then = &u->fired;
    dp_firing        *v = malloc((then->n + found->n + 1) * sizeof *v);
    size_t            n = 0, i = 0, j = 0;
    if (!v)
        return DP_ENOMEM;
    while (i < then->n || j < found->n) {
        if (i == then->n || (j < found->n && found->v[j].url < then->v[i].url)) {
            v[n++] = found->v[j++];
            continue;
        }
        dp_firing one = then->v[i++];
        if (!must_run(u, one.url))
            v[n++] = (dp_firing){u->line[one.rule], one.url};
    }
    free(found->v);
    found->v = v;
    found->cap = then->n + found->n + 1;
    found->n = n;
    return DP_OK;
}

dp_err dp_unchanged_keep(dp_unchanged *u, dp_rounds *r)
{
    DP_TRY(keep_absences(u, &r->absences));
    return keep_firings(u, &r->fired);
}

void dp_unchanged_done(dp_unchanged *u)
{
    free(u->now);
    free(u->line);
    free(u->recall.text);
    free(u->recall.fired);
    dp_firings_done(&u->fired);
    dp_absences_done(&u->absences);
    *u = (dp_unchanged){0};
}
