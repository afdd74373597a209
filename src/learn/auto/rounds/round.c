/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/rounds/round.h"

#include <math.h>
#include <stdlib.h>

#include "base/fold.h"
#include "base/room.h"
#include "learn/auto/confine/context.h"
#include "learn/auto/vote/guard.h"
#include "learn/auto/vote/hosts.h"
#include "learn/auto/vote/parts.h"
#include "learn/auto/propose/mirror.h"
#include "learn/auto/propose/propose.h"
#include "learn/auto/thresholds.h"
#include "rule/ruleline.h"

enum {
    MOST_ASKED = 2000,  /* clusters that propose */
    MOST_SLOW = 150,    /* ideas that the engine has no index for */
    MOST_SPLIT = 60,    /* failing ideas that are looked at closer */
    MOST_VARIANTS = 3,  /* that each of them becomes */
    MOST_MIRRORED = 48  /* accepted rules, the last ones, that are asked for in other languages */
};

#define QUICK_SHARE .1 /* forms that have a word by which the engine finds a rule: fewer */

/* One round's work. */
typedef struct round {
    dp_rounds *r;
    dp_lexicon lexicon;
    dp_ideas   ideas;
    dp_ballot  ballot;
    dp_count  *count; /* [ideas.n] */
    dp_guarding *guarding; /* [ideas.n] of learn/auto/vote/guard.h; factor 0: not yet asked */
    uint8_t   *parts;  /* [ideas.n] whether they speak (learn/auto/vote/parts.h); 0: not yet asked */
    uint8_t   *moved;  /* [forms->n] whether a rewriting that this round has accepted changes a form */
    bool       failed; /* memory was out where nobody could say so */
    uint32_t  *order; /* [norder] ideas worth a look */
    size_t     norder;
} round_of;

/* ---- judging ------------------------------------------------------------------------------ */

/* The folds whose votes count: not the one that alone proposed it. */
static uint32_t folds_for(const dp_idea *i)
{
    return (i->folds & (i->folds - 1)) ? DP_ALL_FOLDS : DP_ALL_FOLDS & ~i->folds;
}

/* What forgets components and leaves every page its identity forgets what does not matter, more often than not. */
static double precision(const round_of *w, const dp_idea *i, const dp_count *c)
{
    dp_poll p = {.pos = fmax(c->pos - i->paid, 0), .neg = c->neg, .family = (dp_family)i->family, .prior = i->kin};
    bool     names = i->family == DP_FAMILY_PARAM || i->family == DP_FAMILY_PARAMS;
    uint32_t kept = names ? c->alone : i->family == DP_FAMILY_FORGET ? c->kept : 0;
    if (!c->lost && kept >= DP_LEAST_CLUSTERS && 2 * kept >= c->kept)
        p.prior = fmax(fmax(DP_KEEPS_IDENTITY, i->kin), w->r->trust.valid[i->family]);
    return dp_trust_precision(&w->r->trust, &p, i->depth);
}

/* Whether it holds by the site's own votes. Where other sites, or another part of this one, say what to expect, a small
 * one needs one cluster less: it has no more of them. */
static bool passes(const round_of *w, const dp_idea *i, const dp_count *c)
{
    uint32_t less = (w->r->elsewhere || i->kin > 0) && w->r->whole->n < DP_SMALL_SITE;
    return c->pos >= DP_LEAST_WINS - less && c->clusters >= DP_LEAST_CLUSTERS - less &&
           c->good >= DP_LEAST_GOOD - less && precision(w, i, c) >= w->r->ctx->min_precision;
}

static double carried_precision(const dp_rounds *r, double prior, const dp_count *c)
{
    dp_poll p = {.pos = c->pos, .neg = c->neg, .family = DP_FAMILY_PARAM, .prior = prior};
    return dp_trust_precision(&r->trust, &p, 0);
}

/* Whether the site itself has a vote for it. */
static bool has_own_vote(const dp_count *c)
{
    return c->pos >= DP_OWN_VOTE;
}

/* The chance that carries it: without a vote of the site itself only that of the pack that somebody has asked for.
 * Sites that anybody can put up decide nothing where they are alone. */
static double carrying(const dp_idea *idea, const dp_count *c)
{
    return has_own_vote(c) ? idea->prior : idea->given;
}

static bool is_carried_by(const round_of *w, const dp_idea *idea, const dp_count *c, double prior)
{
    return prior > 0 && c->changed && c->bad == 0 && c->neg == 0 && !passes(w, idea, c) &&
           carried_precision(w->r, prior, c) >= w->r->ctx->min_precision;
}

/* Whether other sites carry it where the site's own votes are too few. They never do against any of them. */
static bool is_carried(const round_of *w, uint32_t i, const dp_count *c)
{
    return is_carried_by(w, &w->ideas.v[i], c, carrying(&w->ideas.v[i], c));
}

/* How much evidence idea `i` needs more than others. */
static double factor_of(round_of *w, uint32_t i)
{
    if (w->guarding[i].factor == 0)
        w->guarding[i] = dp_guard_ask(&w->ballot, i, w->r->o.allowed);
    w->failed |= w->guarding[i].factor < 0;
    return w->guarding[i].factor;
}

/* Whether every part of idea `i` has evidence of its own. */
static bool parts_speak(round_of *w, uint32_t i)
{
    enum { NOT_ASKED, NO, YES };
    if (w->parts[i] == NOT_ASKED) {
        int said = dp_parts_speak(&w->ballot, i);
        w->failed |= said < 0;
        w->parts[i] = said > 0 ? YES : NO;
    }
    return w->parts[i] == YES;
}

/* Whether pages have shown two values of what idea `i`, which is guarded, forgets. */
static bool values_differ(round_of *w, uint32_t i)
{
    int said = dp_parts_differ(&w->ballot, i);
    w->failed |= said < 0;
    return said > 0;
}

/* Votes that it needs when it is guarded: one that names a value as many as a condition that does. */
static double guarded_wins(const dp_idea *idea, double factor)
{
    bool names = idea->family == DP_FAMILY_VALUE || dp_str_starts(idea->text[0], DP_STR("set "));
    return (names ? DP_GUARDED_PART : DP_GUARDED_WINS) * factor / DP_GUARD_FACTOR;
}

/* Votes against an idea that its exceptions hide, and that count all the same: what is guarded is often equal by
 * accident, and where it is not can always be named. */
static double owed(const dp_idea *idea, double factor)
{
    return factor >= DP_GUARD_FACTOR ? idea->owed : 0;
}

/* The value in a condition "if =value" that begins at `from`. */
static dp_str value_of(dp_str text, size_t from)
{
    const char *end = memchr(text.p + from, ' ', text.n - from);
    return dp_str_cut(text, from, end ? (size_t)(end - text.p) : text.n);
}

/* Whether another value of the name that an idea drops where it has one value, "drop ?name if =value", is dropped
 * already. A name has one default; two rules that drop a value each say together that the name does not matter. */
static bool is_second_default(const dp_rounds *r, const dp_idea *idea)
{
    dp_str text = idea->text[0], mark = DP_STR(" if =");
    const char *at = text.n ? memmem(text.p, text.n, mark.p, mark.n) : NULL;
    bool        found = false;
    if (idea->family != DP_FAMILY_VALUE || !at)
        return false;
    dp_str head = {text.p, (size_t)(at - text.p) + mark.n}, value = value_of(text, head.n);
    for (size_t i = 0; i < r->n && !found; i++)
        found = dp_str_starts(r->v[i].text[0], head) && value.n && value_of(r->v[i].text[0], head.n).n &&
                !dp_str_eq(value_of(r->v[i].text[0], head.n), value);
    return found;
}

/* Whether idea `i` holds with these votes. What is guarded needs ten times the votes that others need at least, and a
 * vote against it counts ten. */
static bool holds(round_of *w, uint32_t i, const dp_count *c)
{
    const dp_idea *idea = &w->ideas.v[i];
    uint32_t       found;
    bool           carried = is_carried(w, i, c);
    if ((!carried && !passes(w, idea, c)) || dp_intern_find(&w->r->banned, idea->text[0], &found))
        return false;
    if (!carried && !idea->again && !parts_speak(w, i)) /* others have seen its values */
        return false;
    if (!idea->second && is_second_default(w->r, idea)) {
        w->ideas.v[i].second = true;
        w->guarding[i] = (dp_guarding){0};
    }
    double   factor = factor_of(w, i);
    dp_count more = *c;
    more.neg = (c->neg + owed(idea, factor)) * factor;
    if (factor == 1 || carried)
        return factor == 1;
    return factor > 1 && c->pos >= guarded_wins(idea, factor) && passes(w, idea, &more) &&
           (factor < DP_GUARD_FACTOR || values_differ(w, i));
}

/* What accepted rules say of the labels. */
static void check_labels(dp_rounds *r)
{
    double votes = 0, neg = 0;
    for (size_t i = 0; i < r->n; i++) {
        votes += r->v[i].count.pos + r->v[i].count.neg;
        neg += r->v[i].count.neg;
    }
    dp_trust_check(&r->trust, votes, neg);
}

/* Whether an idea is a template that becomes another. */
static bool is_rewriting(const dp_idea *i)
{
    dp_str arrow = DP_STR(" => "), text = i->text[0];
    return text.n && memmem(text.p, text.n, arrow.p, arrow.n) != NULL;
}

static dp_err accept(round_of *w, uint32_t i, const dp_count *c, bool *took)
{
    dp_rounds *r = w->r;
    dp_idea   *idea = &w->ideas.v[i];
    dp_taken   t = {.count = *c, .p = precision(w, idea, c), .tier = idea->tier, .family = idea->family,
                    .depth = idea->depth, .factor = factor_of(w, i), .doubted = idea->doubted};
    t.owed = owed(idea, t.factor);
    t.guards = w->guarding[i].by;
    t.on_hosts = idea->hosts.n > 0;
    *took = false;
    if (is_carried(w, i, c)) {
        t.prior = carrying(idea, c);
        t.sites = has_own_vote(c) ? idea->sites : idea->given_sites;
        t.p = carried_precision(r, t.prior, c);
        t.count.by = c->by ? c->by : idea->by;
    }
    t.hosts = dp_hosts_for(&r->hosts, &w->ballot, i, t.sites > 0, r->arena);
    for (int k = 0; k < 2; k++)
        t.text[k] = dp_arena_str(r->arena, idea->text[k]);
    if (!t.hosts.p || !t.text[0].p || !t.text[1].p)
        return DP_ENOMEM;
    if (!t.hosts.n)
        return DP_OK;
    if (!DP_ROOM(r->v, r->n, r->cap))
        return DP_ENOMEM;
    r->v[r->n++] = t;
    const dp_attempt *tried = &w->ballot.tried;
    bool              ok, wrong;
    DP_TRY(dp_loops_repeats(&t, &r->forms, tried->v + tried->at[i], tried->at[i + 1] - tried->at[i], &wrong));
    if (!wrong)
        DP_TRY(dp_loops_add(&r->loops, r->v, r->n, &ok));
    if (wrong || !ok) {
        r->n--;
        return DP_OK;
    }
    for (size_t k = tried->at[i]; k < tried->at[i + 1]; k++) {
        r->touched[tried->v[k].item] = 1;
        w->moved[tried->v[k].item] |= is_rewriting(idea);
    }
    dp_ballot_take(&w->ballot, i);
    check_labels(r);
    *took = true;
    return DP_OK;
}

/* ---- the order of looking ----------------------------------------------------------------- */

/* What the order of an idea rests on. */
typedef struct rank {
    const dp_idea *idea;
    int64_t        worth;
    uint32_t       number;
    uint8_t        step;
} rank;

/* Whether more speaks against an idea than wrong labels explain. What does may be another rule's to settle. */
static bool is_contradicted(const round_of *w, uint32_t i)
{
    const dp_count *c = &w->count[i];
    double          expected = fmax(w->r->trust.noise / DP_LESS_NOISE, DP_LEAST_NOISE) * (c->pos + c->neg);
    double          wrong = w->r->trust.noise * (c->good + c->bad);
    if (c->bad && w->r->trust.most <= DP_FEW_WRONG)
        return true;
    return c->neg > DP_WORTH_A_LOOK && (c->neg > expected + DP_CLEAN_SIGMA * sqrt(expected) ||
                                        c->bad > wrong + DP_CLEAN_SIGMA * sqrt(wrong));
}

/* Gentle first, and what nothing contradicts. Exchanging literals is no gentler than forgetting what they stand for. */
static uint8_t step_of(const round_of *w, uint32_t i)
{
    uint8_t tier = w->ideas.v[i].tier == DP_TIER_FORGET ? DP_TIER_LITERAL : w->ideas.v[i].tier;
    return (uint8_t)(2 * tier + is_contradicted(w, i));
}

/* What an idea merges, less what it merges wrongly beyond label noise, its length, and what it says of forms that
 * nothing is known of: of two that merge the same the shorter, or the one that fires less often. */
static int64_t worth_of(const round_of *w, uint32_t i)
{
    const dp_idea  *idea = &w->ideas.v[i];
    const dp_count *c = &w->count[i];
    double          wrong = fmax(0, c->bad - w->r->trust.noise * (c->good + c->bad));
    return (int64_t)((c->good - DP_VOTE_AGAINST * wrong) * DP_BYTES_PER_MERGE) -
           (int64_t)(idea->text[0].n + idea->text[1].n) - (int64_t)c->changed;
}

/* In the order of steps, then by what is saved, then by text: runs must be reproducible. */
static int by_rank(const void *x, const void *y)
{
    const rank *a = x, *b = y;
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    if (a->worth != b->worth)
        return a->worth > b->worth ? -1 : 1;
    int c = dp_str_cmp(a->idea->text[0], b->idea->text[0]);
    return c ? c : (a->number > b->number) - (a->number < b->number);
}

/* Put w->order in order. DP_ENOMEM. */
static dp_err sort_order(round_of *w)
{
    rank *v = malloc((w->norder + 1) * sizeof *v);
    if (!v)
        return DP_ENOMEM;
    for (size_t k = 0; k < w->norder; k++) {
        uint32_t i = w->order[k];
        v[k] = (rank){&w->ideas.v[i], worth_of(w, i), i, step_of(w, i)};
    }
    qsort(v, w->norder, sizeof *v, by_rank);
    for (size_t k = 0; k < w->norder; k++)
        w->order[k] = v[k].number;
    free(v);
    return DP_OK;
}

static int by_clusters(const void *x, const void *y)
{
    const dp_idea *a = x, *b = y;
    if (a->clusters != b->clusters)
        return a->clusters > b->clusters ? -1 : 1;
    int c = dp_str_cmp(a->text[0], b->text[0]);
    return c ? c : dp_str_cmp(a->text[1], b->text[1]);
}

/* ---- a round ------------------------------------------------------------------------------ */

/* Whether all URLs that the pattern fits have the same text there, which becomes `out`; it may fail. */
static bool is_word(dp_buf *out, const dp_pat *p)
{
    dp_buf_reset(out);
    for (size_t i = 0; i < p->n; i++) {
        if (p->v[i].kind == DP_ITEM_CAPTURE)
            return false;
        dp_buf_str(out, p->v[i].kind == DP_ITEM_STAR ? DP_STR("*") : p->v[i].text);
    }
    return p->n && !out->failed;
}

/* Whether the engine finds the rule by a literal component that few forms have, or by the name of a parameter. Others
 * are tried on every form, and there must not be too many of them. What is no rule, since its right side asks for what
 * the left one has not, counts all the same. */
static bool is_quick(const dp_lexicon *w, const dp_rule *rule, dp_buf *room)
{
    const dp_template *left = rule->left;
    if (rule->kind != DP_RULE_REWRITE || (left && (left->scheme.n || left->host.n || left->has_query)))
        return true;
    for (size_t i = 0; left && i < left->nseg && !room->failed; i++)
        if (is_word(room, &left->seg[i]) && dp_lexicon_share(w, dp_buf_view(room)) < QUICK_SHARE)
            return true;
    return false;
}

/* Whether two clusters have several forms: what one alone proposes is not looked at. */
static bool is_open(const dp_forms *f)
{
    size_t open = 0;
    for (uint32_t c = 0; c < f->site->nclusters && open < DP_LEAST_PROPOSERS; c++)
        open += f->first[c + 1] - f->first[c] > 1;
    return open == DP_LEAST_PROPOSERS;
}

/* Leave the ideas of several pages, those of most pages first: few of the many have more than one. The table of texts
 * is of no use after this. */
static dp_err choose_ideas(round_of *w)
{
    dp_ideas *ideas = &w->ideas;
    dp_arena  room = {0};
    dp_buf    word = {0};
    dp_err    code = DP_OK;
    size_t    several = 0, n = 0, slow = 0;
    for (size_t i = 0; i < ideas->n; i++)
        if (ideas->v[i].clusters >= DP_LEAST_PROPOSERS)
            ideas->v[several++] = ideas->v[i];
    if (several)
        qsort(ideas->v, several, sizeof *ideas->v, by_clusters);
    for (size_t i = 0; i < several && n < w->r->o.ideas && code != DP_ENOMEM; i++) {
        dp_rule rule;
        dp_arena_reset(&room);
        code = dp_ruleline_parse(&rule, ideas->v[i].text[0], &room);
        if (ideas->v[i].family == DP_FAMILY_ORDER || is_quick(&w->lexicon, &rule, &word) || slow++ < MOST_SLOW)
            ideas->v[n++] = ideas->v[i];
        code = word.failed ? DP_ENOMEM : code;
    }
    dp_arena_done(&room);
    dp_buf_done(&word);
    return code == DP_ENOMEM ? code : dp_ideas_cut(ideas, n);
}

/* What pairs of forms propose. */
static dp_err hear_pages(round_of *w)
{
    dp_languages       l;
    dp_rounds         *r = w->r;
    dp_propose_options o = {.folds = r->ctx->folds, .without = r->o.without, .most = r->o.forms, .lead = r->ctx->lead,
                            .clusters = MOST_ASKED, .leave_facets = r->leave_facets,
                            .company = r->in_company && !r->o.without[DP_GENERATE_QUERY]};
    if (!is_open(&r->forms))
        return DP_OK;
    dp_languages_find(&l, &r->forms);
    o.languages = l.n ? &l : NULL;
    DP_TRY(dp_lexicon_init(&w->lexicon, &r->forms));
    return dp_propose(&w->ideas, &r->forms, &w->lexicon, &o);
}

/* What accepted rules would be in the languages of the site, and without them; and in any folder. */
static dp_err mirror(round_of *w)
{
    const dp_rounds *r = w->r;
    dp_languages     l = {.n = 0};
    size_t           n = 0;
    if (!r->n || !is_open(&r->forms))
        return DP_OK;
    dp_languages_find(&l, &r->forms);
    for (size_t i = r->n; i-- > 0 && n < MOST_MIRRORED;) {
        const dp_taken *t = &r->v[i];
        if (t->text[1].n || t->drawn || t->tier < DP_TIER_LITERAL)
            continue;
        if (t->family == DP_FAMILY_TEMPLATE || t->family == DP_FAMILY_LOSSY)
            DP_TRY(dp_mirror_deeper(&w->ideas, t->text[0], (dp_tier)t->tier, (dp_family)t->family));
        if (!l.n)
            continue;
        DP_TRY(dp_mirror_propose(&w->ideas, &l, t->text[0], (dp_tier)t->tier, (dp_family)t->family));
        n++;
    }
    return DP_OK;
}

/* A `drop` without its conditions; n == 0: it is none. */
static dp_str dropped_by(dp_str text)
{
    static const char *const conditions[] = {" on ", " unless "};
    size_t                   n = dp_str_starts(text, DP_STR("drop ")) ? text.n : 0;
    for (size_t i = 0; i < DP_COUNT(conditions) && n; i++) {
        const char *at = memmem(text.p, n, conditions[i], strlen(conditions[i]));
        n = at ? (size_t)(at - text.p) : n;
    }
    return dp_str_cut(text, 0, n);
}

/* What is dropped elsewhere on the site, by a rule for other hosts or with conditions, is likely to be dropped here. */
static void expect_drops(round_of *w)
{
    const dp_rounds *r = w->r;
    for (size_t i = 0; i < w->ideas.n; i++) {
        dp_idea *idea = &w->ideas.v[i];
        dp_str   drop = dropped_by(idea->text[0]);
        for (size_t k = 0; k < r->n && drop.n && !(idea->kin > 0); k++)
            if (dp_str_eq(dropped_by(r->v[k].text[0]), drop) && !r->v[k].on_trial && !r->v[k].text[1].n) {
                idea->kin = DP_MIRRORED;
                idea->again = true;
            }
    }
}

static dp_err think(round_of *w)
{
    dp_rounds *r = w->r;
    DP_TRY(hear_pages(w));
    DP_TRY(mirror(w));
    if (!r->o.without[DP_GENERATE_QUERY])
        DP_TRY(dp_other_sites_propose(&w->ideas, &r->heard, &r->forms));
    DP_TRY(choose_ideas(w));
    expect_drops(w);
    return DP_OK;
}

/* What is known of the ideas from the last round, or from the one they were specialised in (`wide`). */
static dp_err earlier(dp_earlier_attempt *out, round_of *w, const round_of *wide)
{
    const dp_past  *p = &w->r->past;
    const dp_forms *f = &w->r->forms;
    size_t          n = w->ideas.n;
    *out = (dp_earlier_attempt){0};
    if (!wide && (!p->tried.at || !f->kept || f->steps != p->steps + 1))
        return DP_OK;
    uint32_t *same = malloc((n + 1) * sizeof *same), *within = malloc((n + 1) * sizeof *within);
    if (!same || !within) {
        free(same);
        free(within);
        return DP_ENOMEM;
    }
    for (size_t i = 0; i < n; i++) {
        const dp_idea *one = &w->ideas.v[i], *from = wide ? &wide->ideas.v[one->of] : NULL;
        bool equal = from && dp_str_eq(from->text[0], one->text[0]) && dp_str_eq(from->text[1], one->text[1]) &&
                     dp_str_eq(from->hosts, one->hosts);
        same[i] = wide ? equal ? one->of : DP_NO_IDEA : dp_ideas_find(&p->ideas, one);
        within[i] = wide ? one->of : DP_NO_IDEA;
    }
    *out = (dp_earlier_attempt){.of = wide ? &wide->ballot.tried : &p->tried, .same = same, .within = within,
                       .form = wide ? NULL : f->kept, .nform = wide ? f->n : f->nkept};
    return DP_OK;
}

static void forget(dp_earlier_attempt *r)
{
    free((void *)r->same);
    free((void *)r->within);
}

/* Try all ideas on all forms. */
static dp_err vote(round_of *w, const round_of *wide)
{
    dp_earlier_attempt known;
    DP_TRY(earlier(&known, w, wide));
    dp_err code = dp_ballot_init(&w->ballot, &w->r->forms, w->ideas.v, w->ideas.n, known.of ? &known : NULL,
                                 w->r->ctx->pool);
    forget(&known);
    return code;
}

static dp_err count_all(round_of *w)
{
    uint32_t *folds = malloc((w->ideas.n + 1) * sizeof *folds);
    for (size_t i = 0; folds && i < w->ideas.n; i++)
        folds[i] = folds_for(&w->ideas.v[i]);
    dp_err code = folds ? dp_ballot_count_all(&w->ballot, w->count, folds, w->r->ctx->pool) : DP_ENOMEM;
    free(folds);
    return code;
}

dp_err dp_round_identify(dp_rounds *r)
{
    dp_identities *d = &r->forms.identities;
    return r->identifies && !d->of ? dp_identities_init(d, r->site) : DP_OK;
}

/* Count all ideas, and put those with votes in the order of looking. `wide`: what they were specialised from, NULL:
 * they were proposed. */
static dp_err judge(round_of *w, const round_of *wide)
{
    size_t n = w->ideas.n;
    if (!n)
        return DP_OK;
    DP_TRY(dp_round_identify(w->r));
    DP_TRY(vote(w, wide));
    w->count = malloc((n + 1) * sizeof *w->count);
    w->order = malloc((n + 1) * sizeof *w->order);
    w->guarding = calloc(n + 1, sizeof *w->guarding);
    w->parts = calloc(n + 1, sizeof *w->parts);
    if (!w->count || !w->order || !w->guarding || !w->parts)
        return DP_ENOMEM;
    DP_TRY(count_all(w));
    for (size_t i = 0; i < n; i++)
        if (w->count[i].pos > 0 || is_carried(w, (uint32_t)i, &w->count[i]))
            w->order[w->norder++] = (uint32_t)i;
    return sort_order(w);
}

/* The votes of labels. */
static dp_poll poll_of(const dp_count *c, uint8_t family)
{
    return (dp_poll){.pos = c->pos, .neg = c->neg - c->lost, .family = (dp_family)family};
}

/* What the votes say of families and noise. Rules that were accepted are ideas no more, but were: what comes late is
 * judged by all that came before it, and not by what was left over. */
static dp_err reflect(round_of *w)
{
    const dp_rounds *r = w->r;
    size_t           n = w->ideas.n;
    dp_poll         *poll = malloc((n + r->n + 1) * sizeof *poll);
    if (!poll)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++)
        poll[i] = poll_of(&w->count[i], w->ideas.v[i].family);
    for (size_t i = 0; i < r->n; i++)
        if (!r->v[i].on_trial && !(r->v[i].prior > 0)) {
            poll[n] = poll_of(&r->v[i].count, r->v[i].family);
            poll[n++].taken = true;
        }
    dp_trust_learn(&w->r->trust, &w->r->here, &w->r->before, w->r->elsewhere, poll, n);
    if (w->r->here.votes > w->r->before.votes)
        w->r->before = w->r->here;
    free(poll);
    return DP_OK;
}

/* Take over idea `i`, confined, or on some hosts (n == 0: on its own). */
static dp_err adopt(dp_ideas *out, const round_of *w, uint32_t i, const dp_confined *as, dp_str hosts)
{
    const dp_idea *of = &w->ideas.v[i];
    dp_idea        one = *of;
    one.of = i;
    one.hosts = hosts.n ? hosts : of->hosts;
    if (!dp_str_eq(as->text, of->text[0]) || hosts.n) {
        one.prior = one.given = 0; /* others have said nothing of conditions */
        one.doubted |= w->count[i].neg >= DP_WORTH_A_LOOK;
    }
    one.text[0] = as->text;
    one.depth = (uint8_t)(one.depth + as->doubtful);
    one.owed += as->owed;
    one.paid += as->paid;
    dp_idea *there = dp_ideas_add(out, &one, (dp_proposer){0, 0});
    if (!there)
        return DP_ENOMEM;
    there->folds = of->folds;
    return DP_OK;
}

/* Whether a confined form of an idea is worth more than the idea, which holds with `c`. */
static bool is_better(const round_of *w, const dp_idea *i, const dp_count *c, const dp_confined *x)
{
    dp_poll p = {.pos = x->pos, .neg = x->neg, .family = (dp_family)i->family};
    return x->pos >= DP_LEAST_WINS && x->neg < c->neg && x->pos >= DP_CARVE_KEEPS * c->pos &&
           dp_trust_precision(&w->r->trust, &p, (unsigned)(i->depth + x->doubtful)) >= w->r->ctx->min_precision;
}

/* Whether it forgets what may have any value. */
static bool is_harsh(const dp_idea *i)
{
    return i->tier == DP_TIER_FORGET && i->family != DP_FAMILY_VALUE;
}

/* An idea that fails on some hosts, on the others: software differs from host to host. */
static dp_err try_hosts(round_of *w, uint32_t i, dp_ideas *out)
{
    const dp_idea *idea = &w->ideas.v[i];
    if (w->r->hosts.n < 2 || idea->hosts.n || idea->family == DP_FAMILY_HOST || idea->family == DP_FAMILY_ORDER)
        return DP_OK;
    dp_str hosts = dp_hosts_split(&w->r->hosts, &w->ballot, i, &w->ideas.arena);
    if (!hosts.p)
        return DP_ENOMEM;
    return hosts.n ? adopt(out, w, i, &(dp_confined){.text = idea->text[0], .doubtful = true}, hosts) : DP_OK;
}

/* Ideas that hold, narrowed where they can be; those that fail, where they may hold. */
static dp_err refine_one(round_of *w, uint32_t i, dp_ideas *out)
{
    const dp_idea  *idea = &w->ideas.v[i];
    const dp_count *count = &w->count[i];
    dp_context      c = {.noise = w->r->trust.noise, .least = factor_of(w, i) > 1 ? DP_GUARDED_PART : 0};
    dp_confined     got[DP_MOST_CONFINED];
    size_t          n = 0;
    bool            ok = holds(w, i, count), carved = false;
    dp_err          code = DP_OK;
    bool            fixed = idea->text[1].n || idea->family == DP_FAMILY_ORDER || w->r->o.without_contexts;
    if (!fixed && !is_carried(w, i, count)) {
        dp_context_hear(&c, &w->ballot, i);
        if (!ok || (count->neg >= DP_WORTH_A_LOOK && idea->depth < DP_MOST_DEPTH))
            n = dp_context_split(got, &c, idea->text[0], &w->ideas.arena);
        carved = ok && n && is_better(w, idea, count, &got[0]);
        if (ok && !carved)
            n = dp_context_narrow(got, &c, idea->text[0], is_harsh(idea), &w->ideas.arena);
        code = c.failed ? DP_ENOMEM : DP_OK;
        dp_context_done(&c);
    }
    n = n > MOST_VARIANTS ? MOST_VARIANTS : n;
    n = carved ? 1 : n;
    for (size_t k = 0; k < n && code == DP_OK; k++)
        code = adopt(out, w, i, &got[k], (dp_str){0});
    if (ok && !n && code == DP_OK)
        code = adopt(out, w, i, &(dp_confined){.text = idea->text[0]}, (dp_str){0});
    if (!ok && code == DP_OK && count->neg >= DP_WORTH_A_LOOK)
        code = try_hosts(w, i, out);
    return code;
}

/* Whether an idea and one that was looked at before it seem to be one in other words: what holds of the one is found by
 * looking at the other. */
static bool is_again(const round_of *w, uint32_t i, uint32_t before)
{
    const dp_count *a = &w->count[i], *b = &w->count[before];
    return step_of(w, i) == step_of(w, before) && a->changed == b->changed && a->good == b->good &&
           a->bad == b->bad && a->pos == b->pos && a->neg == b->neg;
}

/* Whether an idea fires on what it has made itself, /{**}/{a:slug} => /{**}: no file may say it, whatever its
 * conditions are. */
static dp_err feeds_itself(const round_of *w, uint32_t i, bool *feeds)
{
    const dp_idea *idea = &w->ideas.v[i];
    dp_loops       loops = {0};
    dp_taken       one = {.text = {idea->text[0], {"", 0}}, .hosts = w->r->hosts.v[0].name};
    bool           ok = true;
    if (is_rewriting(idea) && !idea->text[1].n && idea->family != DP_FAMILY_HOST)
        DP_TRY(dp_loops_add(&loops, &one, 1, &ok));
    dp_loops_done(&loops);
    *feeds = !ok;
    return DP_OK;
}

/* All ideas in their order; `*rest` false: only as far as the gentlest tier that holds, since `choose` stops there. It
 * says then whether something was left. */
static dp_err refine(round_of *w, dp_ideas *out, bool *rest)
{
    size_t   splits = 0;
    uint32_t last = DP_NO_IDEA;
    uint8_t  stop = UINT8_MAX;
    bool     all = *rest, feeds;
    *rest = false;
    for (size_t k = 0; k < w->norder; k++) {
        uint32_t i = w->order[k];
        bool     promising = w->count[i].pos >= DP_LEAST_WINS && w->count[i].neg > 0 && splits < MOST_SPLIT;
        if (!all && step_of(w, i) / 2 > stop / 2) { /* what is contradicted may hold in part */
            *rest = true;
            break;
        }
        if (!holds(w, i, &w->count[i])) {
            if (!promising || (last != DP_NO_IDEA && is_again(w, i, last)))
                continue;
            DP_TRY(feeds_itself(w, i, &feeds));
            if (feeds)
                continue;
            last = i;
            splits++;
        } else {
            stop = step_of(w, i) < stop ? step_of(w, i) : stop;
        }
        DP_TRY(refine_one(w, i, out));
    }
    return w->failed ? DP_ENOMEM : DP_OK;
}

/* Whether an idea that rewrites would come too late for all that it changes: accepted ones have made something else of
 * these forms, on which it may not fire. The next round will see them. */
static bool comes_too_late(const round_of *w, uint32_t i)
{
    const dp_attempt *tried = &w->ballot.tried;
    bool              late = is_rewriting(&w->ideas.v[i]);
    for (size_t k = tried->at[i]; k < tried->at[i + 1] && late; k++)
        late = w->moved[tried->v[k].item];
    return late;
}

static dp_err choose(round_of *w, size_t *accepted)
{
    uint8_t tier = UINT8_MAX;
    *accepted = 0;
    w->moved = calloc(w->r->forms.n + 1, sizeof *w->moved);
    if (!w->moved)
        return DP_ENOMEM;
    for (size_t k = 0; k < w->norder; k++) {
        uint32_t i = w->order[k];
        if (*accepted && step_of(w, i) > tier)
            break;
        if (!holds(w, i, &w->count[i]) || comes_too_late(w, i))
            continue;
        dp_count c = *accepted ? dp_ballot_count(&w->ballot, i, folds_for(&w->ideas.v[i])) : w->count[i];
        bool     took = false;
        if (holds(w, i, &c))
            DP_TRY(accept(w, i, &c, &took));
        if (took) {
            tier = step_of(w, i);
            ++*accepted;
        }
    }
    return w->failed ? DP_ENOMEM : DP_OK;
}

static void done(round_of *w)
{
    dp_lexicon_done(&w->lexicon);
    dp_ideas_done(&w->ideas);
    dp_ballot_done(&w->ballot);
    free(w->count);
    free(w->order);
    free(w->guarding);
    free(w->parts);
    free(w->moved);
}

/* Refine and choose; where the gentlest tier that holds gives nothing after all, once more with all of them. */
static dp_err settle(round_of *wide, size_t *accepted)
{
    bool   rest = false;
    dp_err code = DP_OK;
    *accepted = 0;
    while (wide->norder) {
        round_of w = {.r = wide->r};
        code = refine(wide, &w.ideas, &rest);
        if (code == DP_OK)
            code = judge(&w, wide);
        if (code == DP_OK)
            code = choose(&w, accepted);
        done(&w);
        if (code != DP_OK || *accepted || !rest)
            break;
    }
    return code;
}

void dp_past_drop(dp_past *p)
{
    dp_ideas_done(&p->ideas);
    dp_attempt_done(&p->tried);
    *p = (dp_past){0};
}

/* The next round recalls this one. */
static void become_past(round_of *w)
{
    dp_rounds *r = w->r;
    dp_past_drop(&r->past);
    r->past = (dp_past){w->ideas, w->ballot.tried, r->forms.steps};
    w->ideas = (dp_ideas){0};
    w->ballot.tried = (dp_attempt){0};
}

/* Propose, judge, and take in what that says of families and noise. */
static dp_err look(round_of *w)
{
    DP_TRY(think(w));
    DP_TRY(judge(w, NULL));
    return reflect(w);
}

dp_err dp_round_run(dp_rounds *r, size_t *accepted)
{
    round_of w = {.r = r};
    free(r->touched);
    r->touched = calloc(r->forms.n + 1, sizeof *r->touched);
    dp_err code = r->touched ? look(&w) : DP_ENOMEM;
    if (code == DP_OK)
        code = settle(&w, accepted);
    if (code == DP_OK)
        become_past(&w);
    done(&w);
    return code;
}

dp_err dp_round_ideas(dp_ideas *out, dp_rounds *r)
{
    round_of w = {.r = r};
    dp_err   code = hear_pages(&w);
    *out = w.ideas;
    w.ideas = (dp_ideas){0};
    done(&w);
    return code;
}

dp_err dp_round_prove(dp_rounds *r, dp_taken *t, bool *holds_too)
{
    round_of w = {.r = r};
    dp_idea  one = {.text = {t->text[0], t->text[1]}, .tier = t->tier, .family = t->family, .depth = t->depth,
                    .owed = t->owed, .hosts = t->on_hosts ? t->hosts : (dp_str){0}};
    dp_idea *idea = dp_ideas_add(&w.ideas, &one, (dp_proposer){0, 0});
    if (idea)
        idea->folds = DP_ALL_FOLDS;
    dp_err code = idea ? judge(&w, NULL) : DP_ENOMEM;
    *holds_too = false;
    if (code == DP_OK) {
        t->count = w.count[0];
        *holds_too = holds(&w, 0, &t->count);
        t->p = precision(&w, &w.ideas.v[0], &t->count);
        t->factor = factor_of(&w, 0);
        t->guards = w.guarding[0].by;
        code = w.failed ? DP_ENOMEM : DP_OK;
    }
    if (code == DP_OK && *holds_too) {
        t->hosts = dp_hosts_for(&r->hosts, &w.ballot, 0, false, r->arena);
        *holds_too = t->hosts.n > 0;
        code = t->hosts.p ? DP_OK : DP_ENOMEM;
    }
    done(&w);
    return code;
}

/* Suggest idea `i`, which the site does not speak of. */
static dp_err suggest(round_of *w, uint32_t i, const dp_count *c)
{
    dp_rounds *r = w->r;
    dp_idea   *idea = &w->ideas.v[i];
    dp_taken   t = {.count = *c, .p = carried_precision(r, idea->prior, c), .tier = idea->tier, .family = idea->family,
                    .factor = 1, .prior = idea->prior, .sites = idea->sites};
    t.count.by = idea->by;
    t.hosts = dp_hosts_for(&r->hosts, &w->ballot, i, true, r->arena);
    t.text[0] = dp_arena_str(r->arena, idea->text[0]);
    if (!t.hosts.p || !t.text[0].p || !DP_ROOM(r->suggested, r->nsuggested, r->suggested_cap))
        return DP_ENOMEM;
    if (t.hosts.n) {
        r->suggested[r->nsuggested++] = t;
        dp_ballot_take(&w->ballot, i);
    }
    return DP_OK;
}

static dp_err suggest_all(round_of *w)
{
    DP_TRY(dp_other_sites_propose(&w->ideas, &w->r->heard, &w->r->forms));
    DP_TRY(judge(w, NULL));
    for (uint32_t i = 0; i < w->ideas.n; i++) {
        const dp_idea *idea = &w->ideas.v[i];
        dp_count       c = dp_ballot_count(&w->ballot, i, folds_for(idea));
        uint32_t       found;
        if (has_own_vote(&c) || !is_carried_by(w, idea, &c, idea->prior) ||
            dp_intern_find(&w->r->banned, idea->text[0], &found) || factor_of(w, i) != 1)
            continue;
        DP_TRY(suggest(w, i, &c));
    }
    return w->failed ? DP_ENOMEM : DP_OK;
}

dp_err dp_round_suggest(dp_rounds *r)
{
    round_of w = {.r = r};
    dp_err   code = DP_OK;
    dp_past_drop(&r->past);
    if (r->heard.n && !r->o.without[DP_GENERATE_QUERY])
        code = suggest_all(&w);
    done(&w);
    return code;
}

dp_err dp_round_look(dp_rounds *r)
{
    round_of w = {.r = r};
    dp_err   code = look(&w);
    done(&w);
    return code;
}
