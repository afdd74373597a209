/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/accept/judge_each.h"

#include <stdlib.h>

#include "judge/replay.h"
#include "learn/accept/ordering.h"
#include "learn/accept/program.h"
#include "learn/accept/write.h"

enum { BATCH = 4096 /* URLs that are replayed together */ };

/* ---- trials ----------------------------------------------------------------------------------------- */

/* The URLs whose cluster rests on evidence of `kinds`, as replay wants them. */
typedef struct jury {
    uint32_t *url, *cluster; /* [n] */
    size_t    n;
} jury;

static bool call_jury(jury *j, const dp_site *s, unsigned kinds)
{
    j->url = malloc((s->n + 1) * sizeof *j->url);
    j->cluster = malloc((s->n + 1) * sizeof *j->cluster);
    if (!j->url || !j->cluster)
        return false;
    for (size_t i = 0; i < s->n; i++) {
        if (s->cluster[i] == DP_NO_CLUSTER || !(kinds >> s->by[i] & 1))
            continue;
        j->url[j->n] = (uint32_t)i;
        j->cluster[j->n++] = s->cluster[i];
    }
    return true;
}

/* Whether the learner has left what all rules of `g` do. Where lines of the caller's stand in every block, or pairs are
 * put into order, rules do other things than they did alone. */
static bool are_known(const dp_cases *c, const dp_court *court, const dp_program *g)
{
    bool known = court->effects && !court->keep.n;
    for (size_t i = 0; i < c->p.n && known; i++)
        known = !c->p.v[i].is_order;
    for (size_t i = 0; i < g->rules->nrule && known; i++)
        known = dp_effects_find(court->effects, &c->p.v[g->proposal[i]]) != NULL;
    return known;
}

/* Tell the replay what rules do to the URLs of the jury. */
static dp_err tell_deeds(dp_replay *r, const dp_cases *c, const dp_court *court, const dp_program *g, const jury *j)
{
    uint32_t *place = malloc((court->site->n + 1) * sizeof *place); /* in the jury; UINT32_MAX: it is not there */
    dp_err    code = place ? DP_OK : DP_ENOMEM;
    if (place)
        memset(place, 0xFF, (court->site->n + 1) * sizeof *place);
    for (size_t i = 0; place && i < j->n; i++)
        place[j->url[i]] = (uint32_t)i;
    for (size_t i = 0; i < g->rules->nrule && code == DP_OK; i++) {
        const dp_effect *d = dp_effects_find(court->effects, &c->p.v[g->proposal[i]]);
        code = d ? DP_OK : DP_ENOMEM;
        for (size_t k = 0; code == DP_OK && k < d->n; k++) {
            if (place[d->v[k].item] != UINT32_MAX)
                code = dp_replay_tell(r, (dp_member){d->v[k].key, (uint32_t)i, place[d->v[k].item]});
        }
    }
    free(place);
    return code;
}

static dp_err replay(dp_replay *r, const jury *j, const dp_cases *c, const dp_court *court, const dp_program *g)
{
    const dp_site  *s = court->site;
    const dp_labels labels = {j->cluster, s->nclusters, s->fold, s->is_soft};
    bool            known = are_known(c, court, g);
    dp_str          url[BATCH];
    dp_replay_alone(r);
    DP_TRY(dp_replay_on(r, court->pool));
    for (size_t i = 0, n; i < j->n; i += n) {
        for (n = 0; n < BATCH && i + n < j->n; n++)
            url[n] = s->url[j->url[i + n]];
        DP_TRY(known ? dp_replay_add_known(r, url, n) : dp_replay_add(r, url, n));
    }
    if (known)
        DP_TRY(tell_deeds(r, c, court, g, j));
    return dp_replay_judge(r, &labels);
}

/* Try the rules of `g` on the URLs of some kinds of evidence. */
static dp_err try_on(dp_cases *c, const dp_court *court, const dp_program *g, unsigned kinds, bool trusted)
{
    jury       j = {0};
    dp_replay *r = NULL;
    dp_err     code = call_jury(&j, court->site, kinds) ? dp_replay_new(&r, &g->engine) : DP_ENOMEM;
    if (code == DP_OK && g->rules->nrule)
        code = replay(r, &j, c, court, g);
    for (size_t i = 0; i < g->rules->nrule && code == DP_OK; i++) {
        dp_case *one = &c->v[g->proposal[i]];
        *(trusted ? &one->trusted : &one->all) = *dp_replay_rule(r, i);
    }
    for (size_t i = 0; i < c->p.n && code == DP_OK; i++) {
        if (c->v[i].is_read && c->p.v[i].is_order)
            code = dp_order_try(trusted ? &c->v[i].trusted : &c->v[i].all, &c->p.v[i], court->site, j.url, j.n,
                                &(dp_labels){j.cluster, court->site->nclusters, court->site->fold,
                                             court->site->is_soft});
    }
    code = code == DP_ESYNTAX ? DP_OK : code;
    dp_replay_free(r);
    free(j.url);
    free(j.cluster);
    return code;
}

static bool has_weak(const dp_site *s, unsigned trust)
{
    for (size_t i = 0; i < s->n; i++) {
        if (s->cluster[i] != DP_NO_CLUSTER && !(trust >> s->by[i] & 1))
            return true;
    }
    return false;
}

static dp_err read(dp_cases *c, const dp_court *court, dp_program *g)
{
    DP_TRY(dp_program_make(g, &c->p, NULL, court->keep));
    for (size_t i = 0; i < c->p.n; i++)
        c->v[i].is_read = g->is_read[i];
    return DP_OK;
}

dp_err dp_cases_read(dp_cases *c, const dp_court *court)
{
    dp_program g;
    DP_TRY(read(c, court, &g));
    dp_program_done(&g);
    return DP_OK;
}

dp_err dp_cases_hear(dp_cases *c, const dp_court *court)
{
    dp_program g;
    DP_TRY(read(c, court, &g));
    c->weak = has_weak(court->site, court->trust);
    dp_err code = try_on(c, court, &g, court->trust, true);
    if (code == DP_OK && c->weak)
        code = try_on(c, court, &g, ~0u, false);
    dp_program_done(&g);
    return code;
}

/* ---- verdicts ------------------------------------------------------------------------------------------- */

/* The share of wrong labels, out of the votes on all rules. */
static dp_err estimate_noise(double *out, const dp_cases *c, uint32_t mask, bool trusted)
{
    dp_votes *v = malloc((c->p.n + 1) * sizeof *v);
    if (!v)
        return DP_ENOMEM;
    for (size_t i = 0; i < c->p.n; i++) {
        dp_vote_sum sum = dp_trial_sum(trusted ? &c->v[i].trusted : &c->v[i].all, mask & c->v[i].folds);
        v[i] = (dp_votes){(double)sum.s, (double)(sum.n - sum.s)};
    }
    *out = dp_noise_estimate(v, c->p.n);
    free(v);
    return DP_OK;
}

/* Whether the votes are for the rule; what they say goes into `p`. Bad merges up to the share of wrong labels are
 * no harm of the rule's, and do not count when it is asked whether it pays. */
static bool passes(dp_proposal *p, const dp_trial *t, uint32_t folds, const dp_court *court, double noise)
{
    dp_bound    b = DP_BOUND_INIT;
    dp_vote_sum sum = dp_trial_sum(t, folds);
    double      s = (double)sum.s, n = (double)sum.n;
    double      good = (double)t->good, bad = (double)t->bad, wrong = bad - noise * (good + bad);
    b.noise = noise;
    p->n = sum.s;
    p->neg = sum.n - sum.s;
    p->save = t->good;
    p->p = dp_bound_precision(&b, s, n);
    return dp_bound_accepts(&b, s, n, court->min_precision) &&
           dp_bound_pays(good, wrong > 0 ? wrong : 0, dp_court_kappa(court));
}

static bool decide_one(dp_proposal *p, const dp_case *k, const dp_cases *c, const dp_court *court, uint32_t mask,
                       const double noise[2])
{
    *p = k->own;
    if (!k->is_read)
        return false;
    if (passes(p, &k->trusted, mask & k->folds, court, noise[0])) {
        p->state = DP_ACTIVE;
        return true;
    }
    if (c->weak && passes(p, &k->all, mask & k->folds, court, noise[1])) {
        p->state = DP_LIKELY;
        return true;
    }
    /* Where nobody votes, what the method itself says. */
    *p = k->own;
    p->state = DP_LIKELY;
    return p->passes && dp_trial_sum(c->weak ? &k->all : &k->trusted, mask).n == 0;
}

dp_err dp_cases_decide(dp_cases *c, const dp_court *court, uint32_t mask, uint8_t *in)
{
    double noise[2];
    DP_TRY(estimate_noise(&noise[0], c, mask, true));
    DP_TRY(estimate_noise(&noise[1], c, mask, !c->weak));
    c->noise = noise[0];
    for (size_t i = 0; i < c->p.n; i++)
        in[i] = decide_one(&c->p.v[i], &c->v[i], c, court, mask, noise);
    return DP_OK;
}
