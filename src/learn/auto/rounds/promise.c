/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/rounds/promise.h"

#include <math.h>
#include <string.h>

#include "base/room.h"
#include "learn/auto/rounds/rows.h"
#include "learn/auto/thresholds.h"

/* ---- one rule ------------------------------------------------------------------------------- */

/* Votes on the other rules tell how many labels are wrong: one of fifty against a rule, and none of hundreds against
 * the others, is the rule's own. */
typedef struct others {
    double votes, against, firm;
} others;

static others sum_others(const dp_rounds *r, const dp_taken *t)
{
    others sum = {0};
    for (size_t i = 0; i < r->n; i++) {
        const dp_taken *x = &r->v[i];
        if (x == t || x->drawn || x->family == DP_FAMILY_ORDER)
            continue;
        sum.votes += x->count.pos + x->later.neg;
        sum.against += x->later.neg;
        sum.firm += x->later.firm;
    }
    return sum;
}

/* What a rule may be worth with these votes. A firm one takes two wrong labels of one page: one may be. */
static double most_worth(const dp_rounds *r, const dp_taken *t, double pos, double neg)
{
    others o = sum_others(r, t);
    double twice = r->trust.noise * r->trust.noise;
    double firm = (o.firm + twice * DP_PRIOR_VOTES) / (o.votes + DP_PRIOR_VOTES);
    double worth = dp_trust_most_precision(dp_trust_noise_by_others(r->elsewhere, o.votes, o.against), pos, neg);
    return t->later.firm > 1 ? fmin(worth, dp_trust_most_precision(firm, pos, t->later.firm)) : worth;
}

double dp_promise_worth(const dp_rounds *r, const dp_taken *t)
{
    double  neg = t->later.neg + t->owed, worth = t->p;
    dp_poll p = {.pos = fmax(t->count.pos, t->later.pos), .neg = neg * t->factor, .family = (dp_family)t->family};
    if (t->drawn || t->family == DP_FAMILY_ORDER || neg < DP_WORTH_A_LOOK)
        return worth;
    worth = fmin(worth, most_worth(r, t, p.pos, p.neg));
    if (dp_trust_is_exact(&r->trust))
        worth = fmin(worth, dp_trust_precision(&r->trust, &p, t->depth));
    return worth;
}

/* ---- the list ------------------------------------------------------------------------------- */

/* Whether a condition of the rule is about parameters: where the rule acts depends on what the page was asked for. */
static bool asks_for_query(dp_str text)
{
    static const char *const words[] = {" on ", " unless "};
    bool                     found = false;
    for (size_t i = 0; i < DP_COUNT(words); i++) {
        const char *at = memmem(text.p, text.n, words[i], strlen(words[i]));
        found |= at && memchr(at, '?', text.n - (size_t)(at - text.p));
    }
    return found;
}

/* It is guarded, or about rows, or votes spoke against it until parameters were found that set them apart: lists are
 * short for one value and long for another. A section that differs is a kind of its own. Small numbers of parameters,
 * of which nothing speaks against the rule, are page numbers too rarely. */
bool dp_promise_is_accident(const dp_taken *t)
{
    bool doubtful = t->doubted && (t->factor > 1 || asks_for_query(t->text[0]));
    bool accident = doubtful || t->factor >= DP_GUARD_FACTOR || dp_is_about_rows(t->text[0]);
    return accident && !t->drawn && !t->sites && t->family != DP_FAMILY_ORDER;
}

/* The share of wrong labels, where the rules that hold or do not have met votes against them; else labels are exact. */
static double noise_of(const dp_rounds *r)
{
    double votes = 0, against = 0;
    for (size_t i = 0; i < r->n; i++) {
        const dp_taken *t = &r->v[i];
        if (t->drawn || t->family == DP_FAMILY_ORDER || dp_promise_is_accident(t))
            continue;
        votes += fmax(t->count.pos, t->later.pos) + t->later.neg;
        against += t->later.neg;
    }
    return against > DP_EXACT_LABELS * votes ? r->trust.noise : 0;
}

/* What is expected of a rule. What holds by accident has the votes that others do not take over; wrong labels speak
 * against it as against any other rule. */
static double precision(const dp_taken *t, double noise)
{
    double pos = t->later.pos, neg = fmax(t->count.neg, t->later.neg);
    double own = fmax(neg - noise * (pos + neg), 0) + t->owed;
    return dp_promise_is_accident(t) ? fmin(t->p, dp_trust_accident(pos, own)) : t->p;
}

/* The merges that are expected to be wrong, less those that may be. */
static double excess(const dp_rounds *r, double noise)
{
    double sum = 0, most = DP_PROMISE_SHARE * (1 - r->ctx->min_precision);
    for (size_t i = 0; i < r->n; i++)
        sum += ((double)r->v[i].later.good + (double)r->v[i].later.bad) * (1 - precision(&r->v[i], noise) - most);
    return sum;
}

/* The least certain of the rules that promise less than all of them should; r->n: there is none. */
static size_t worst_of(const dp_rounds *r, double noise)
{
    size_t worst = r->n;
    double least = r->ctx->min_precision;
    for (size_t i = 0; i < r->n; i++)
        if (precision(&r->v[i], noise) < least) {
            least = precision(&r->v[i], noise);
            worst = i;
        }
    return worst;
}

/* Leave out rule `i`; it is written as likely if `suggest`. */
static dp_err leave_out(dp_rounds *r, size_t i, bool suggest)
{
    if (suggest) {
        if (!DP_ROOM(r->suggested, r->nsuggested, r->suggested_cap))
            return DP_ENOMEM;
        r->suggested[r->nsuggested++] = r->v[i];
    }
    memmove(&r->v[i], &r->v[i + 1], (r->n - i - 1) * sizeof *r->v);
    r->n--;
    return DP_OK;
}

dp_err dp_promise_keep(dp_rounds *r, bool *kept)
{
    size_t worst, n = r->n;
    double noise = noise_of(r);
    for (size_t i = r->n; i-- > 0;)
        if (r->v[i].unheard)
            DP_TRY(leave_out(r, i, true));
    while ((worst = worst_of(r, noise)) < r->n &&
           (precision(&r->v[worst], noise) < DP_REVOKE_BELOW || excess(r, noise) > 0)) {
        r->v[worst].p = precision(&r->v[worst], noise);
        DP_TRY(leave_out(r, worst, r->v[worst].p >= DP_REVOKE_BELOW));
    }
    *kept = r->n == n;
    for (size_t i = 0; i < r->n && *kept; i++)
        r->v[i].p = precision(&r->v[i], noise);
    return DP_OK;
}
