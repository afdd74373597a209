/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/rounds.h"

#include <math.h>
#include <stdlib.h>

#include "apply/engine.h"
#include "apply/hash.h"
#include "base/fold.h"
#include "learn/auto/context.h"
#include "learn/auto/guard.h"
#include "learn/auto/hosts.h"
#include "learn/auto/memo.h"
#include "learn/auto/propose.h"
#include "learn/auto/review.h"
#include "learn/auto/rulebook.h"
#include "learn/auto/sample.h"

enum {
    LEAST_CLUSTERS = 3,   /* that gain by a rule */
    LEAST_GOOD = 3,       /* merges */
    MOST_SLOW = 150,      /* ideas that the engine has no index for */
    MOST_SPLIT = 60,      /* failing ideas that are looked at closer */
    MOST_VARIANTS = 3,    /* that each of them becomes */
    MOST_DEPTH = 3,       /* conditions that were added to a rule */
    MOST_CORRECTIONS = 12, /* of accepted rules at a time */
    LEAST_ROUNDS = 4,      /* after corrections */
    SMALL_SITE = 500,      /* URLs */
    SURVEYED = 250         /* URLs of a site that are enough to tell others something */
};

#define LEAST_WINS   2.5
#define GUARDED_WINS 20 /* ten times what the smallest site may do with */
#define QUICK_SHARE  .1
#define WORTH_A_LOOK .75 /* votes against an accepted rule */
#define CARVE_FROM   .75 /* votes against an idea that holds */
#define REVOKE_BELOW .9

/* One round's work. */
typedef struct round {
    dp_rounds *r;
    dp_lexicon lexicon;
    dp_ideas   ideas;
    dp_ballot  ballot;
    dp_count  *count; /* [ideas.n] */
    double    *factor; /* [ideas.n] of learn/auto/guard.h; 0: not yet asked */
    bool       failed; /* memory was out where nobody could say so */
    uint32_t  *order; /* [norder] ideas worth a look */
    size_t     norder;
} round_of;

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

/* The engine of the first `n` rules; *ok is false when one of them feeds itself. */
static dp_err make_engine(dp_engine **out, const dp_taken *v, size_t n, bool *ok)
{
    dp_buf text = {0};
    dp_rounds_print(&text, v, n);
    dp_err code = text.failed ? DP_ENOMEM : dp_rulebook_engine(out, dp_buf_view(&text), true);
    dp_buf_done(&text);
    *ok = code == DP_OK;
    return code == DP_ESYNTAX ? DP_OK : code;
}

static dp_err push(dp_rounds *r, const dp_taken *one)
{
    if (r->n == r->cap) {
        size_t    cap = r->cap ? r->cap * 2 : 64;
        dp_taken *v = realloc(r->v, cap * sizeof *v);
        if (!v)
            return DP_ENOMEM;
        r->v = v;
        r->cap = cap;
    }
    r->v[r->n++] = *one;
    return DP_OK;
}

/* ---- judging ------------------------------------------------------------------------------ */

/* The folds whose votes count: not the one that alone proposed it. */
static uint32_t folds_for(const dp_idea *i)
{
    return (i->folds & (i->folds - 1)) ? DP_ALL_FOLDS : DP_ALL_FOLDS & ~i->folds;
}

static double precision(const round_of *w, const dp_idea *i, const dp_count *c)
{
    dp_poll p = {c->pos, c->neg, (dp_family)i->family, 0};
    return dp_trust_precision(&w->r->trust, &p, i->depth);
}

/* Whether it holds by the site's own votes. Where other sites say what to expect, a small one needs one cluster less:
 * it has no more of them. */
static bool passes(const round_of *w, const dp_idea *i, const dp_count *c)
{
    uint32_t less = w->r->elsewhere && w->r->whole->n < SMALL_SITE;
    return c->pos >= LEAST_WINS - less && c->clusters >= LEAST_CLUSTERS - less && c->good >= LEAST_GOOD - less &&
           precision(w, i, c) >= w->r->ctx->min_precision;
}

static double carried_precision(const dp_rounds *r, double prior, const dp_count *c)
{
    dp_poll p = {c->pos, c->neg, DP_FAMILY_PARAM, prior};
    return dp_trust_precision(&r->trust, &p, 0);
}

/* Whether other sites carry it where the site's own votes are too few. They never do against any of them. */
static bool is_carried(const round_of *w, uint32_t i, const dp_count *c)
{
    const dp_idea *idea = &w->ideas.v[i];
    return idea->prior > 0 && c->changed && c->bad == 0 && c->neg == 0 && !passes(w, idea, c) &&
           carried_precision(w->r, idea->prior, c) >= w->r->ctx->min_precision;
}

/* How much evidence idea `i` needs more than others. */
static double factor_of(round_of *w, uint32_t i)
{
    if (w->factor[i] == 0)
        w->factor[i] = dp_guard_factor(&w->ballot, i, w->r->o.allowed);
    w->failed |= w->factor[i] < 0;
    return w->factor[i];
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
    double   factor = factor_of(w, i);
    dp_count more = *c;
    more.neg *= factor;
    return factor == 1 || (factor > 1 && !carried && c->pos >= GUARDED_WINS && passes(w, idea, &more));
}

static dp_err accept(round_of *w, uint32_t i, const dp_count *c, bool *took)
{
    dp_rounds *r = w->r;
    dp_idea   *idea = &w->ideas.v[i];
    dp_taken   t = {.count = *c, .p = precision(w, idea, c), .tier = idea->tier, .family = idea->family,
                    .depth = idea->depth, .factor = factor_of(w, i)};
    *took = false;
    if (is_carried(w, i, c)) {
        t.prior = idea->prior;
        t.sites = idea->sites;
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
    DP_TRY(push(r, &t));
    bool ok;
    DP_TRY(dp_loops_add(&r->loops, r->v, r->n, &ok));
    if (!ok) {
        r->n--;
        return DP_OK;
    }
    const dp_attempt *tried = &w->ballot.tried;
    for (size_t k = tried->at[i]; k < tried->at[i + 1]; k++)
        r->touched[tried->v[k].item] = 1;
    dp_ballot_take(&w->ballot, i);
    *took = true;
    return DP_OK;
}

/* ---- the order of looking ----------------------------------------------------------------- */

static _Thread_local const round_of *sorting; /* qsort has no context */

/* Gentle first, then by what is merged, then by text: runs must be reproducible. */
static int by_rank(const void *x, const void *y)
{
    uint32_t        a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    const dp_idea  *p = &sorting->ideas.v[a], *q = &sorting->ideas.v[b];
    const dp_count *c = &sorting->count[a], *d = &sorting->count[b];
    if (p->tier != q->tier)
        return p->tier < q->tier ? -1 : 1;
    if (c->good != d->good)
        return c->good > d->good ? -1 : 1;
    if (p->text[0].n != q->text[0].n)
        return p->text[0].n < q->text[0].n ? -1 : 1;
    return dp_str_cmp(p->text[0], q->text[0]);
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

/* Whether the engine finds the rule by a literal component that few forms have, or by the name of a parameter. Others
 * are tried on every form, and there must not be too many of them. */
static bool is_quick(const dp_lexicon *w, dp_str text)
{
    if (text.p[0] != '/')
        return true;
    for (size_t i = 1, j; i <= text.n; i = j + 1) {
        bool literal = true;
        for (j = i; j < text.n && text.p[j] != '/' && text.p[j] != '?' && text.p[j] != ' '; j++)
            literal &= text.p[j] != '{';
        if (literal && j > i && dp_lexicon_share(w, dp_str_cut(text, i, j)) < QUICK_SHARE)
            return true;
        if (j < text.n && text.p[j] == '?')
            return true;
        if (j < text.n && text.p[j] == ' ')
            return false;
    }
    return false;
}

static dp_err think(round_of *w)
{
    dp_rounds         *r = w->r;
    dp_propose_options o = {.folds = r->ctx->folds, .without = r->o.without, .most = r->o.forms,
                            .clusters = r->o.sample};
    DP_TRY(dp_lexicon_init(&w->lexicon, &r->forms));
    DP_TRY(dp_propose(&w->ideas, &r->forms, &w->lexicon, &o));
    if (!r->o.without[DP_GENERATE_QUERY])
        DP_TRY(dp_hearsay_propose(&w->ideas, &r->heard, &r->forms));
    /* Few of the many are proposed by more than one page. The table of texts is of no use after this. */
    size_t several = 0, n = 0, slow = 0;
    for (size_t i = 0; i < w->ideas.n; i++)
        if (w->ideas.v[i].clusters >= 2)
            w->ideas.v[several++] = w->ideas.v[i];
    if (several)
        qsort(w->ideas.v, several, sizeof *w->ideas.v, by_clusters);
    for (size_t i = 0; i < several && n < r->o.ideas; i++) {
        bool quick = is_quick(&w->lexicon, w->ideas.v[i].text[0]);
        if (quick || slow++ < MOST_SLOW)
            w->ideas.v[n++] = w->ideas.v[i];
    }
    return dp_ideas_cut(&w->ideas, n);
}

/* What is known of the ideas from the last round, or from the one they were specialised in (`wide`). */
static dp_err recall(dp_recall *out, round_of *w, const round_of *wide)
{
    const dp_past  *p = &w->r->past;
    const dp_forms *f = &w->r->forms;
    size_t          n = w->ideas.n;
    *out = (dp_recall){0};
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
        bool equal = from && dp_str_eq(from->text[0], one->text[0]) && dp_str_eq(from->text[1], one->text[1]);
        same[i] = wide ? equal ? one->of : DP_NO_IDEA : dp_ideas_find(&p->ideas, one);
        within[i] = wide ? one->of : DP_NO_IDEA;
    }
    *out = (dp_recall){.of = wide ? &wide->ballot.tried : &p->tried, .same = same, .within = within,
                       .form = wide ? NULL : f->kept, .nform = wide ? f->n : f->nkept};
    return DP_OK;
}

static void forget(dp_recall *r)
{
    free((void *)r->same);
    free((void *)r->within);
}

/* Try all ideas on all forms. */
static dp_err vote(round_of *w, const round_of *wide)
{
    dp_recall known;
    DP_TRY(recall(&known, w, wide));
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

/* Count all ideas, and put those with votes in the order of looking. `wide`: what they were specialised from, NULL:
 * they were proposed. */
static dp_err judge(round_of *w, const round_of *wide)
{
    size_t n = w->ideas.n;
    if (!n)
        return DP_OK;
    DP_TRY(vote(w, wide));
    w->count = malloc((n + 1) * sizeof *w->count);
    w->order = malloc((n + 1) * sizeof *w->order);
    w->factor = calloc(n + 1, sizeof *w->factor);
    if (!w->count || !w->order || !w->factor)
        return DP_ENOMEM;
    DP_TRY(count_all(w));
    for (size_t i = 0; i < n; i++)
        if (w->count[i].pos > 0 || is_carried(w, (uint32_t)i, &w->count[i]))
            w->order[w->norder++] = (uint32_t)i;
    sorting = w;
    qsort(w->order, w->norder, sizeof *w->order, by_rank);
    return DP_OK;
}

/* What the votes say of families and noise. */
static dp_err reflect(round_of *w)
{
    size_t   n = w->ideas.n;
    dp_poll *poll = malloc((n + 1) * sizeof *poll);
    if (!poll)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++)
        poll[i] = (dp_poll){w->count[i].pos, w->count[i].neg, (dp_family)w->ideas.v[i].family, 0};
    dp_trust_learn(&w->r->trust, &w->r->here, &w->r->before, w->r->elsewhere, poll, n);
    if (w->r->here.votes > w->r->before.votes)
        w->r->before = w->r->here;
    free(poll);
    return DP_OK;
}

/* Take over idea `i`, with another text and so many conditions more. */
static dp_err adopt(dp_ideas *out, const round_of *w, uint32_t i, dp_str text, uint8_t more)
{
    const dp_idea *of = &w->ideas.v[i];
    dp_idea        one = *of;
    one.of = i;
    one.prior = dp_str_eq(text, of->text[0]) ? one.prior : 0; /* others have said nothing of conditions */
    one.text[0] = text;
    one.depth = (uint8_t)(one.depth + more);
    dp_idea *there = dp_ideas_add(out, &one, (dp_proposer){0, 0});
    if (!there)
        return DP_ENOMEM;
    there->folds = of->folds;
    return DP_OK;
}

/* Whether a confined form of an idea is worth more than the idea, which holds with `c`. */
static bool is_better(const round_of *w, const dp_idea *i, const dp_count *c, const dp_confined *x)
{
    dp_poll p = {x->pos, x->neg, (dp_family)i->family, 0};
    return x->pos >= LEAST_WINS && x->neg < c->neg && x->pos >= .8 * c->pos &&
           dp_trust_precision(&w->r->trust, &p, (unsigned)(i->depth + x->doubtful)) >= w->r->ctx->min_precision;
}

/* What is guarded is not looked for in corners: a list of pages that happen to be equal can always be found. */
static size_t keep_exceptions(dp_confined *v, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (v[i].exception)
            v[kept++] = v[i];
    return kept;
}

/* Ideas that hold, narrowed where they can be; those that fail, where they may hold. */
static dp_err refine_one(round_of *w, uint32_t i, dp_ideas *out)
{
    const dp_idea  *idea = &w->ideas.v[i];
    const dp_count *count = &w->count[i];
    dp_context      c = {.noise = w->r->trust.noise};
    dp_confined     got[DP_MOST_CONFINED];
    size_t          n = 0;
    bool            ok = holds(w, i, count), carved = false;
    dp_err          code = DP_OK;
    if (!idea->text[1].n && !w->r->o.without_contexts && !is_carried(w, i, count)) {
        dp_context_hear(&c, &w->ballot, i);
        if (!ok || (count->neg >= CARVE_FROM && idea->depth < MOST_DEPTH))
            n = dp_context_split(got, &c, idea->text[0], &w->ideas.arena);
        if (n && factor_of(w, i) != 1)
            n = keep_exceptions(got, n);
        carved = ok && n && is_better(w, idea, count, &got[0]);
        if (ok && !carved)
            n = dp_context_narrow(got, &c, idea->text[0], idea->tier == DP_TIER_FORGET, &w->ideas.arena);
        code = c.failed ? DP_ENOMEM : DP_OK;
        dp_context_done(&c);
    }
    n = n > MOST_VARIANTS ? MOST_VARIANTS : n;
    n = carved ? 1 : n;
    for (size_t k = 0; k < n && code == DP_OK; k++)
        code = adopt(out, w, i, got[k].text, got[k].doubtful);
    if (ok && !n && code == DP_OK)
        code = adopt(out, w, i, idea->text[0], 0);
    return code;
}

/* All ideas in their order; `*rest` false: only as far as the gentlest tier that holds, since `choose` stops there. It
 * says then whether something was left. */
static dp_err refine(round_of *w, dp_ideas *out, bool *rest)
{
    size_t  splits = 0;
    uint8_t stop = DP_TIERS;
    bool    all = *rest;
    *rest = false;
    for (size_t k = 0; k < w->norder; k++) {
        uint32_t i = w->order[k];
        bool     promising = w->count[i].pos >= LEAST_WINS && w->count[i].neg > 0 && splits < MOST_SPLIT;
        if (!all && w->ideas.v[i].tier > stop) {
            *rest = true;
            break;
        }
        if (!holds(w, i, &w->count[i])) {
            if (!promising)
                continue;
            splits++;
        } else {
            stop = w->ideas.v[i].tier < stop ? w->ideas.v[i].tier : stop;
        }
        DP_TRY(refine_one(w, i, out));
    }
    return w->failed ? DP_ENOMEM : DP_OK;
}

static dp_err choose(round_of *w, size_t *accepted)
{
    uint8_t tier = DP_TIERS;
    *accepted = 0;
    for (size_t k = 0; k < w->norder; k++) {
        uint32_t i = w->order[k];
        if (*accepted && w->ideas.v[i].tier > tier)
            break;
        if (!holds(w, i, &w->count[i]))
            continue;
        dp_count c = *accepted ? dp_ballot_count(&w->ballot, i, folds_for(&w->ideas.v[i])) : w->count[i];
        bool     took = false;
        if (holds(w, i, &c))
            DP_TRY(accept(w, i, &c, &took));
        if (took) {
            tier = w->ideas.v[i].tier;
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
    free(w->factor);
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

static void drop_past(dp_past *p)
{
    dp_ideas_done(&p->ideas);
    dp_attempt_done(&p->tried);
    *p = (dp_past){0};
}

/* The next round recalls this one. */
static void become_past(round_of *w)
{
    dp_rounds *r = w->r;
    drop_past(&r->past);
    r->past = (dp_past){w->ideas, w->ballot.tried, r->forms.steps};
    w->ideas = (dp_ideas){0};
    w->ballot.tried = (dp_attempt){0};
}

static dp_err one_round(dp_rounds *r, size_t *accepted)
{
    round_of w = {.r = r};
    free(r->touched);
    r->touched = calloc(r->forms.n + 1, sizeof *r->touched);
    dp_err code = r->touched ? think(&w) : DP_ENOMEM;
    if (code == DP_OK)
        code = judge(&w, NULL);
    if (code == DP_OK)
        code = reflect(&w);
    if (code == DP_OK)
        code = settle(&w, accepted);
    if (code == DP_OK)
        become_past(&w);
    done(&w);
    return code;
}

/* ---- looking back ------------------------------------------------------------------------- */

/* The engine of the rules so far, and a hash of their text. Taking one back may let two others feed each other; a run
 * ends all the same, and learn/settle.h has the last word. */
static dp_err make_all(dp_rounds *r, dp_engine **out, uint64_t *hash)
{
    dp_buf text = {0};
    dp_rounds_print(&text, r->v, r->n);
    dp_err code = text.failed ? DP_ENOMEM : dp_rulebook_engine(out, dp_buf_view(&text), false);
    *hash = text.failed ? 0 : dp_hash_str(dp_buf_view(&text));
    dp_buf_done(&text);
    return code;
}

/* Forget what fired; it will be known of the rules with that hash. */
static dp_firings *begin_firings(dp_rounds *r, uint64_t hash)
{
    r->fired.n = 0;
    r->fired_by = hash;
    r->fired_site = r->site;
    return &r->fired;
}

/* Make the forms from the URLs. */
static dp_err make_afresh(dp_rounds *r, const dp_engine *e, uint64_t hash)
{
    return dp_forms_rewrite(&r->forms,
                            &(dp_rewriting){.engine = e, .afresh = true, .fired = begin_firings(r, hash)});
}

/* A review of all rules, whose engine and hash these are. */
static dp_err begin_review(dp_review **out, dp_rounds *r, const dp_engine *e, uint64_t hash)
{
    bool known = r->fired_site == r->site && r->fired_by == hash;
    return dp_review_new(out, &r->forms, r->v, r->n, e, known ? &r->fired : begin_firings(r, hash), known);
}

/* Take rule `i` back, or confine it to where it holds. */
static dp_err correct(dp_rounds *r, size_t i, dp_context *c, bool *changed)
{
    dp_taken   *t = &r->v[i];
    dp_confined got[DP_MOST_CONFINED];
    bool        fixed = t->text[1].n || t->depth >= MOST_DEPTH || r->o.without_contexts;
    size_t      n = fixed ? 0 : dp_context_split(got, c, t->text[0], r->arena);
    *changed = true;
    for (size_t k = 0; k < n; k++) {
        dp_poll p = {got[k].pos, got[k].neg * t->factor, (dp_family)t->family, 0};
        dp_taken was = *t;
        bool     ok;
        uint8_t  depth = (uint8_t)(t->depth + got[k].doubtful);
        if (p.pos < (t->factor > 1 ? GUARDED_WINS : LEAST_WINS) || (t->factor > 1 && !got[k].exception) ||
            dp_trust_precision(&r->trust, &p, depth) < r->ctx->min_precision)
            continue;
        t->text[0] = got[k].text;
        t->depth = depth;
        t->prior = 0;
        t->sites = 0;
        dp_engine *e = NULL;
        DP_TRY(make_engine(&e, r->v, r->n, &ok));
        dp_engine_free(e);
        if (ok)
            return DP_OK;
        *t = was;
    }
    dp_poll p = {t->later.pos, t->later.neg * t->factor, (dp_family)t->family, 0};
    bool    strict = t->old || t->factor > 1 || t->sites;
    if (dp_trust_precision(&r->trust, &p, t->depth) >= (strict ? r->ctx->min_precision : REVOKE_BELOW) &&
        (!t->sites || p.pos >= LEAST_WINS)) {
        *changed = false;
        t->prior = 0; /* its own votes are enough by now */
        t->sites = 0;
        return DP_OK;
    }
    t->gone = true;
    return dp_intern_add(&r->banned, t->text[0], 0) ? DP_OK : DP_ENOMEM;
}

static void drop_gone(dp_rounds *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        if (!r->v[i].gone)
            r->v[n++] = r->v[i];
    r->n = n;
}

/* Votes against a rule that are worth a look, as the share of those for it; 1: none. */
static double share_for(const dp_taken *t)
{
    bool look = t->later.neg >= WORTH_A_LOOK && t->family != DP_FAMILY_ORDER;
    look |= t->sites && t->later.neg > 0;
    return look ? t->later.pos / (t->later.pos + t->later.neg) : 1;
}

/* The rule with the least share that was not looked at. */
static size_t worst_of(const dp_rounds *r, const bool *fine)
{
    size_t worst = r->n;
    double least = 1;
    for (size_t i = 0; i < r->n; i++)
        if (!fine[i] && share_for(&r->v[i]) < least) {
            least = share_for(&r->v[i]);
            worst = i;
        }
    return worst;
}

/* Review all rules, but for those of which it is known what comes out. */
static dp_err review_all(dp_rounds *r, dp_review *v, dp_memos *m)
{
    for (size_t i = 0; i < r->n; i++) {
        uint64_t sign = dp_review_sign(v, i);
        if (r->v[i].family == DP_FAMILY_ORDER || dp_memos_hold(m, &r->v[i], sign))
            continue;
        DP_TRY(dp_review_rule(&r->v[i].later, NULL, v, i));
        DP_TRY(dp_memos_note(m, r->v, r->n, i, sign, dp_review_used(v)));
    }
    return DP_OK;
}

/* Review all rules and correct them, the worst first; those that share groups with a corrected one wait, since they may
 * be wrong only because of it. */
static dp_err look_back(dp_rounds *r, dp_memos *m, bool *any)
{
    dp_engine *e = NULL;
    dp_review *v = NULL;
    bool      *fine = calloc(r->n + 1, sizeof *fine);
    size_t     worst;
    uint64_t   hash;
    *any = false;
    dp_err code = fine ? make_all(r, &e, &hash) : DP_ENOMEM;
    if (code == DP_OK && r->stale)
        code = make_afresh(r, e, hash);
    r->stale = false;
    if (code == DP_OK)
        code = begin_review(&v, r, e, hash);
    if (code == DP_OK)
        code = review_all(r, v, m);
    while (code == DP_OK && (worst = worst_of(r, fine)) < r->n) {
        dp_context c = {.noise = r->trust.noise};
        dp_count   count;
        bool       changed = false;
        fine[worst] = true;
        if (!dp_review_holds(v, worst))
            continue;
        code = dp_review_rule(&count, &c, v, worst);
        if (code == DP_OK)
            code = correct(r, worst, &c, &changed);
        if (changed) {
            dp_review_correct(v, worst);
            dp_memos_correct(m, &r->v[worst]);
        }
        *any |= changed;
        dp_context_done(&c);
    }
    r->stale = *any;
    dp_review_free(v);
    dp_engine_free(e);
    drop_gone(r);
    dp_memos_next(m);
    free(fine);
    return code;
}

/* Leave out what never fires: rules before it do its work. What was accepted on a part has by now the votes of the
 * whole. */
static void drop_idle(dp_rounds *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        dp_taken *t = &r->v[i];
        dp_poll   p = {t->later.pos, t->later.neg, (dp_family)t->family, t->later.neg > 0 ? 0 : t->prior};
        if (t->old)
            t->p = fmax(t->p, dp_trust_precision(&r->trust, &p, t->depth));
        if (t->later.changed || t->family == DP_FAMILY_ORDER)
            r->v[n++] = *t;
    }
    r->n = n;
}

static dp_err go_round(dp_rounds *r, uint32_t *left)
{
    for (size_t accepted = 1; accepted && *left; --*left) {
        dp_engine *e = NULL;
        uint64_t   hash;
        DP_TRY(one_round(r, &accepted));
        dp_err code = accepted ? make_all(r, &e, &hash) : DP_OK;
        if (code == DP_OK && accepted)
            code = dp_forms_rewrite(&r->forms, &(dp_rewriting){.engine = e, .touched = r->touched});
        dp_engine_free(e);
        DP_TRY(code);
    }
    return DP_OK;
}

/* Correct until nothing is to correct. */
static dp_err correct_all(dp_rounds *r, bool *any)
{
    bool     changed = true;
    dp_memos m;
    *any = false;
    DP_TRY(dp_memos_init(&m, r->v, r->n));
    dp_err code = DP_OK;
    for (uint32_t i = 0; i < MOST_CORRECTIONS && changed && code == DP_OK; i++) {
        code = look_back(r, &m, &changed);
        *any |= changed;
    }
    dp_memos_done(&m);
    DP_TRY(code);
    dp_engine *e = NULL;
    uint64_t   hash;
    code = r->stale ? make_all(r, &e, &hash) : DP_OK;
    if (code == DP_OK && r->stale)
        code = make_afresh(r, e, hash);
    r->stale = false;
    dp_engine_free(e);
    return code;
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

/* Turn to a part or to the whole, with the rules so far. Where they explain little the site is a list of exceptions, of
 * which a part says nothing: the rules are forgotten. */
static dp_err turn_to(dp_rounds *r, const dp_site *part)
{
    dp_engine   *e = NULL;
    uint64_t     hash;
    size_t       open = 0;
    dp_rewriting how = {.afresh = true};
    r->site = part;
    dp_intern_done(&r->banned);
    r->banned = (dp_intern){0};
    for (size_t i = 0; i < r->n; i++)
        r->v[i].old = true;
    drop_past(&r->past);
    dp_forms_done(&r->forms);
    dp_err code = r->n ? make_all(r, &e, &hash) : DP_OK;
    if (code == DP_OK && r->n) {
        how.engine = e;
        how.fired = begin_firings(r, hash);
        code = count_plural(&open, part);
    }
    if (code == DP_OK)
        code = dp_forms_init(&r->forms, part, !r->o.without_singletons, &how, r->ctx->pool);
    dp_engine_free(e);
    DP_TRY(code);
    if (!r->n || count_open(&r->forms) * 2 <= open)
        return DP_OK;
    r->n = 0;
    return dp_forms_rewrite(&r->forms, &(dp_rewriting){.afresh = true});
}

/* Learn on the present part. */
static dp_err learn_part(dp_rounds *r)
{
    uint32_t left = r->o.rounds;
    DP_TRY(go_round(r, &left));
    for (uint32_t again = 0; again < r->o.reviews; again++) {
        bool any;
        DP_TRY(correct_all(r, &any));
        if (!any || again + 1 == r->o.reviews)
            break;
        left = left > LEAST_ROUNDS ? left : LEAST_ROUNDS;
        DP_TRY(go_round(r, &left));
    }
    return DP_OK;
}

/* Confine rule `i` to sections that speak for it. */
static dp_err spare(dp_rounds *r, dp_review *v, size_t i)
{
    dp_taken   *t = &r->v[i], was = *t;
    dp_context  c = {.noise = r->trust.noise, .sections = true};
    dp_count    count;
    dp_confined got;
    dp_engine  *e = NULL;
    bool        ok = true;
    dp_err      code = dp_review_rule(&count, &c, v, i);
    if (code == DP_OK && dp_context_spare(&got, &c, t->text[0], r->arena)) {
        t->text[0] = got.text;
        code = make_engine(&e, r->v, r->n, &ok);
        dp_engine_free(e);
        if (!ok)
            *t = was;
    }
    code = c.failed ? DP_ENOMEM : code;
    dp_context_done(&c);
    return code;
}

/* The last look: no evidence, no firing. */
static dp_err spare_all(dp_rounds *r)
{
    dp_engine *e = NULL;
    dp_review *v = NULL;
    uint64_t   hash;
    dp_err     code = make_all(r, &e, &hash);
    if (code == DP_OK)
        code = begin_review(&v, r, e, hash);
    for (size_t i = 0; i < r->n && code == DP_OK; i++)
        if (r->v[i].family != DP_FAMILY_ORDER && !r->v[i].text[1].n)
            code = spare(r, v, i);
    dp_review_free(v);
    dp_engine_free(e);
    return code;
}

static dp_err run(dp_rounds *r)
{
    dp_err   code = dp_hosts_init(&r->hosts, r->whole);
    dp_arena a = {0};
    dp_site  part = {0};
    if (code == DP_OK && (size_t)r->o.sample * 2 < r->whole->n && r->o.sample)
        code = dp_sample_make(&part, r->whole, r->o.sample, &a);
    if (code == DP_OK && part.n && part.n * 2 < r->whole->n) { /* else most URLs collide with each other */
        code = turn_to(r, &part);
        if (code == DP_OK)
            code = learn_part(r);
    }
    if (code == DP_OK)
        code = turn_to(r, r->whole);
    if (code == DP_OK)
        code = learn_part(r);
    if (code == DP_OK && r->o.reviews && !r->o.without_contexts)
        code = spare_all(r);
    if (code == DP_OK && r->o.reviews)
        drop_idle(r);
    dp_arena_done(&a);
    return code;
}

static bool listens(const dp_auto_options *o)
{
    return !dp_str_eq(o->common, DP_STR("none"));
}

dp_err dp_rounds_run(dp_rounds *r, const dp_site *s, const dp_auto_options *o, const dp_learn_context *ctx,
                     dp_arena *a)
{
    const dp_survey *told = ctx->shared;
    *r = (dp_rounds){.whole = s, .site = s, .ctx = ctx, .o = *o, .arena = a, .elsewhere = told ? &told->kinds : NULL};
    dp_trust_init(&r->trust, r->elsewhere);
    if (o->bound != DP_AUTO_LEARNED) {
        r->bound = DP_BOUND_INIT;
        r->bound.kind = (dp_bound_kind)(o->bound - DP_AUTO_SPIKE);
        r->trust.instead = &r->bound;
    }
    dp_err code = listens(o) ? dp_hearsay_listen(&r->heard, s, told ? &told->names : NULL, ctx->run,
                                                 !o->without_singletons, ctx->pool)
                             : DP_OK;
    if (code == DP_OK)
        code = run(r);
    if (code != DP_OK)
        dp_rounds_done(r);
    return code;
}

dp_err dp_rounds_survey(dp_survey *out, const dp_site *s, const dp_auto_options *o, const dp_learn_context *ctx)
{
    dp_rounds r = {.whole = s, .site = s, .ctx = ctx, .o = *o};
    round_of  w = {.r = &r};
    dp_arena  a = {0};
    dp_site   part;
    dp_err    code = DP_OK;
    dp_trust_init(&r.trust, NULL);
    if (s->n > SURVEYED) {
        code = dp_sample_make(&part, s, SURVEYED, &a);
        r.site = &part;
    }
    if (code == DP_OK)
        code = dp_forms_init(&r.forms, r.site, !o->without_singletons, NULL, ctx->pool);
    if (code == DP_OK)
        code = think(&w);
    if (code == DP_OK)
        code = judge(&w, NULL);
    if (code == DP_OK)
        code = reflect(&w);
    if (code == DP_OK && listens(o))
        code = dp_hearsay_survey(&out->names, s, !o->without_singletons, ctx->pool);
    out->kinds = r.here;
    done(&w);
    dp_rounds_done(&r);
    dp_arena_done(&a);
    return code;
}

void dp_rounds_done(dp_rounds *r)
{
    drop_past(&r->past);
    dp_loops_done(&r->loops);
    free(r->touched);
    dp_firings_done(&r->fired);
    dp_forms_done(&r->forms);
    dp_intern_done(&r->banned);
    dp_hosts_done(&r->hosts);
    free(r->v);
    r->v = NULL;
    r->n = r->cap = 0;
}
