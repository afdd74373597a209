/* The parameters of a site: what its votes say of each, and which of them others speak well of.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/buf.h"
#include "base/fold.h"
#include "learn/auto/vote/ballot.h"
#include "learn/auto/priors/other_sites.h"
#include "learn/auto/vote/hosts.h"
#include "learn/sample/sample_part.h"
#include "learn/auto/priors/param_counts.h"
#include "learn/auto/thresholds.h"

enum { MOST_NAMES = 64 }; /* of a site that are judged, the most frequent ones */

/* ---- ideas --------------------------------------------------------------------------------- */

/* "drop ?sid" of "?sid". The idea is nobody's: all folds may judge it. */
static dp_idea *add_idea(dp_ideas *out, dp_buf *text, const dp_param_counts_name *n)
{
    dp_idea idea = {.tier = DP_TIER_PARAM, .family = DP_FAMILY_PARAM};
    dp_buf_reset(text);
    dp_buf_c(text, "drop ");
    dp_buf_str(text, n->text);
    idea.text[0] = dp_buf_view(text);
    dp_idea *there = text->failed ? NULL : dp_ideas_add(out, &idea, (dp_proposer){0, 0});
    if (there)
        there->folds = 0;
    return there;
}

/* Whether it is worth judging: a name of several URLs, or what several names have in common. */
static bool is_common(const dp_param_counts_name *n)
{
    return n->urls >= DP_LEAST_NAMED && (!n->prefix || n->members >= DP_LEAST_NAMED);
}

static dp_err judge(dp_other_sites *out, const dp_param_counts *t, const dp_forms *f, dp_pool *pool)
{
    dp_ideas  ideas = {0};
    dp_ballot ballot = {0};
    dp_err    code = DP_OK;
    dp_buf    text = {0};
    dp_str    name[MOST_NAMES]; /* of each idea: names are distinct, so are ideas */
    for (size_t i = 0; i < t->n && ideas.n < MOST_NAMES && code == DP_OK; i++)
        if (is_common(&t->v[i])) {
            name[ideas.n] = t->v[i].text;
            code = add_idea(&ideas, &text, &t->v[i]) ? DP_OK : DP_ENOMEM;
        }
    if (code == DP_OK && ideas.n)
        code = dp_ballot_init(&ballot, f, ideas.v, ideas.n, NULL, pool);
    for (size_t i = 0; i < ideas.n && code == DP_OK; i++) {
        dp_count c = dp_ballot_count(&ballot, i, DP_ALL_FOLDS);
        dp_other_sites_count(out, name[i], c.pos, c.neg, c.by);
    }
    dp_ballot_done(&ballot);
    dp_ideas_done(&ideas);
    dp_buf_done(&text);
    return code;
}

dp_err dp_other_sites_of_forms(dp_other_sites *out, const dp_forms *f, dp_pool *pool)
{
    dp_param_counts all;
    *out = (dp_other_sites){0};
    dp_err code = dp_param_counts_all(&all, f->text, f->n);
    if (code == DP_OK)
        code = judge(out, &all, f, pool);
    dp_param_counts_done(&all);
    return code;
}

dp_err dp_other_sites_survey(dp_other_sites *out, const dp_site *s, bool singletons, dp_pool *pool)
{
    dp_forms forms = {0};
    dp_arena a = {0};
    dp_site  part;
    dp_err   code = DP_OK;
    if (s->n > DP_SURVEYED) {
        code = dp_sample_part(&part, s, DP_SURVEYED, &a);
        s = &part;
    }
    if (code == DP_OK)
        code = dp_forms_init(&forms, s, singletons, NULL, pool);
    if (code == DP_OK)
        code = dp_other_sites_of_forms(out, &forms, pool);
    dp_forms_done(&forms);
    dp_arena_done(&a);
    return code;
}

/* ---- listening ----------------------------------------------------------------------------- */

/* Whether all hosts are of the domain that the site is named after. */
static bool is_one_domain(const dp_site *s)
{
    bool   one = true;
    dp_str start = {0}; /* the URL before, up to the byte behind its host: those of one host lie together */
    for (size_t i = 0; i < s->n && one; i++) {
        if (start.n && dp_str_starts(s->url[i], start))
            continue;
        dp_str host = dp_host_of(s->url[i]);
        size_t rest = host.n - s->name.n, end = (size_t)(host.p + host.n - s->url[i].p);
        one = dp_str_eq(host, s->name) || (host.n > s->name.n && host.p[rest - 1] == '.' &&
                                           dp_str_eq(dp_str_cut(host, rest, host.n), s->name));
        start = end < s->url[i].n && s->url[i].p[end] == '/' ? dp_str_cut(s->url[i], 0, end + 1) : (dp_str){0};
    }
    return one;
}

/* The names of the site that the table knows. Of others it says nothing. */
static dp_err find_known(dp_param_counts *out, const dp_other_sites *h, const dp_site *s)
{
    uint64_t name[DP_OTHER_SITES_NAMES];
    for (uint32_t i = 0; i < h->n; i++)
        name[i] = h->v[i].name;
    return dp_param_counts_some(out, s->url, s->n, name, h->n);
}

static void pick(dp_known_params *out, const dp_other_sites *h, const dp_other_sites *given, const dp_param_counts *t)
{
    dp_odds odds;
    dp_odds_init(&odds);
    out->n = 0;
    for (size_t i = 0; i < t->n && out->n < DP_KNOWN_PARAMS; i++) {
        dp_opinion said = dp_other_sites_opinion(h, &odds, t->v[i].hash);
        if (said.chance < DP_WORTH_HEARING)
            continue;
        out->v[out->n].name = t->v[i].hash;
        out->v[out->n].said = said;
        out->v[out->n++].given = given ? dp_other_sites_opinion(given, &odds, t->v[i].hash) : (dp_opinion){0};
    }
}

dp_err dp_other_sites_ask(dp_known_params *out, const dp_site *s, const dp_prior_sources *v, bool singletons,
                          dp_pool *pool)
{
    dp_other_sites        sum = {0}, own;
    dp_param_counts       known;
    const dp_other_sites *given = v->asked ? v->pack : NULL;
    *out = (dp_known_params){0};
    if (v->others && v->others->n && is_one_domain(s))
        sum = *v->others;
    if (v->pack)
        dp_other_sites_add(&sum, v->pack);
    dp_err code = find_known(&known, &sum, s);
    if (code == DP_OK && known.n)
        pick(out, &sum, given, &known);
    if (code == DP_OK && out->n) { /* what the site itself has said is a reason to look closer, and no more */
        if (!v->own)
            code = dp_other_sites_survey(&own, s, singletons, pool);
        if (code == DP_OK)
            dp_other_sites_leave_out(&sum, v->own ? v->own : &own);
        pick(out, &sum, given, &known);
    }
    dp_param_counts_done(&known);
    return code;
}

static dp_err find_heard(dp_param_counts *out, const dp_known_params *h, const dp_forms *f)
{
    uint64_t name[DP_KNOWN_PARAMS];
    for (size_t i = 0; i < h->n; i++)
        name[i] = h->v[i].name;
    return dp_param_counts_some(out, f->text, f->n, name, h->n);
}

dp_err dp_other_sites_propose(dp_ideas *out, const dp_known_params *h, const dp_forms *f)
{
    dp_param_counts heard;
    dp_buf          text = {0};
    dp_err          code = find_heard(&heard, h, f);
    for (size_t i = 0; i < heard.n && code == DP_OK; i++) {
        size_t k = 0;
        while (h->v[k].name != heard.v[i].hash)
            k++;
        dp_idea *there = add_idea(out, &text, &heard.v[i]);
        if (there) {
            there->clusters = there->clusters > DP_LEAST_PROPOSERS ? there->clusters : DP_LEAST_PROPOSERS;
            there->prior = h->v[k].said.chance;
            there->sites = h->v[k].said.sites;
            there->given = h->v[k].given.chance;
            there->given_sites = h->v[k].given.sites;
            there->by = h->v[k].said.by;
        } else {
            code = DP_ENOMEM;
        }
    }
    dp_param_counts_done(&heard);
    dp_buf_done(&text);
    return code;
}
