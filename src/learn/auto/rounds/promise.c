/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/rounds/promise.h"

#include <math.h>
#include <string.h>

#include "base/room.h"
#include "learn/auto/thresholds.h"
#include "rule/ruleline.h"
#include "url/chars.h"
#include "url/sorting.h"

/* ---- one rule ------------------------------------------------------------------------------- */

/* What a rule may be worth with these votes, where votes on the other rules tell how many labels are wrong: one of
 * fifty against a rule, and none of hundreds against the others, is the rule's own. */
static double most_worth(const dp_rounds *r, const dp_taken *t, double pos, double neg)
{
    double votes = 0, against = 0;
    for (size_t i = 0; i < r->n; i++) {
        const dp_taken *x = &r->v[i];
        if (x == t || x->drawn || x->family == DP_FAMILY_ORDER)
            continue;
        votes += x->count.pos + x->later.neg;
        against += x->later.neg;
    }
    return dp_trust_most_precision(dp_trust_noise_by_others(r->elsewhere, votes, against), pos, neg);
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

/* Whether a rule is about the order of rows, or how many a page has: short lists are the same in any. */
static bool is_about_rows(dp_str text)
{
    dp_arena room = {0};
    dp_rule  rule = {0};
    bool     set = dp_str_starts(text, DP_STR("set ")), found = false;
    if (!set && !dp_str_starts(text, DP_STR("drop ")))
        return false;
    if (dp_ruleline_parse(&rule, text, &room) == DP_OK && !rule.has_if) {
        found = set && rule.value.n && dp_all(rule.value, DP_CH_DIGIT);
        for (size_t i = 0; i < rule.names.n; i++)
            found |= dp_sorts(rule.names.v[i].text, rule.value);
    }
    dp_arena_done(&room);
    return found;
}

/* It is guarded, or about rows, or votes spoke against it until parameters were found that set them apart: lists are
 * short for one value and long for another. A section that differs is a kind of its own. Small numbers of parameters,
 * of which nothing speaks against the rule, are page numbers too rarely. */
bool dp_promise_is_accident(const dp_taken *t)
{
    bool doubtful = t->doubted && (t->factor > 1 || asks_for_query(t->text[0]));
    bool accident = doubtful || t->factor >= DP_GUARD_FACTOR || is_about_rows(t->text[0]);
    return accident && !t->drawn && !t->sites && t->family != DP_FAMILY_ORDER;
}

/* What is expected of a rule. */
static double precision(const dp_taken *t)
{
    double pos = fmax(t->count.pos, t->later.pos), neg = fmax(t->count.neg, t->later.neg) + t->owed;
    return dp_promise_is_accident(t) ? fmin(t->p, dp_trust_accident(pos, neg)) : t->p;
}

/* The merges that are expected to be wrong, less those that may be. */
static double excess(const dp_rounds *r)
{
    double sum = 0, most = DP_PROMISE_SHARE * (1 - r->ctx->min_precision);
    for (size_t i = 0; i < r->n; i++)
        sum += ((double)r->v[i].later.good + (double)r->v[i].later.bad) * (1 - precision(&r->v[i]) - most);
    return sum;
}

/* The least certain of the rules that promise less than all of them should; r->n: there is none. */
static size_t worst_of(const dp_rounds *r)
{
    size_t worst = r->n;
    double least = r->ctx->min_precision;
    for (size_t i = 0; i < r->n; i++)
        if (precision(&r->v[i]) < least) {
            least = precision(&r->v[i]);
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
    for (size_t i = r->n; i-- > 0;)
        if (r->v[i].unheard)
            DP_TRY(leave_out(r, i, true));
    while ((worst = worst_of(r)) < r->n && (precision(&r->v[worst]) < DP_REVOKE_BELOW || excess(r) > 0))
        DP_TRY(leave_out(r, worst, false));
    *kept = r->n == n;
    for (size_t i = 0; i < r->n && *kept; i++)
        r->v[i].p = precision(&r->v[i]);
    return DP_OK;
}
