/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/lookback.h"

#include <math.h>
#include <stdlib.h>

#include "apply/engine.h"
#include "apply/hash.h"
#include "learn/auto/context.h"
#include "learn/auto/memo.h"
#include "learn/auto/review.h"
#include "learn/auto/round.h"
#include "learn/auto/rulebook.h"

enum { MOST_CORRECTIONS = 12 }; /* of accepted rules at a time */

#define WORTH_A_LOOK .75 /* votes against an accepted rule */
#define REVOKE_BELOW .9

/* ---- engines ------------------------------------------------------------------------------ */

/* The engine of the rules; *ok is false, and there is none, when one of them feeds itself. */
static dp_err make_engine(dp_engine **out, bool *ok, const dp_rounds *r)
{
    dp_buf text = {0};
    dp_rounds_print(&text, r->v, r->n);
    dp_err code = text.failed ? DP_ENOMEM : dp_rulebook_engine(out, dp_buf_view(&text), true);
    dp_buf_done(&text);
    *ok = code == DP_OK;
    return code == DP_ESYNTAX ? DP_OK : code;
}

dp_err dp_lookback_ends(bool *ok, const dp_rounds *r)
{
    dp_engine *e = NULL;
    dp_err     code = make_engine(&e, ok, r);
    dp_engine_free(e);
    return code;
}

dp_err dp_lookback_engine(dp_engine **out, dp_rounds *r, uint64_t *hash)
{
    dp_buf text = {0};
    dp_rounds_print(&text, r->v, r->n);
    dp_err code = text.failed ? DP_ENOMEM : dp_rulebook_engine(out, dp_buf_view(&text), false);
    *hash = text.failed ? 0 : dp_hash_str(dp_buf_view(&text));
    dp_buf_done(&text);
    return code;
}

dp_firings *dp_lookback_firings(dp_rounds *r, uint64_t hash)
{
    r->fired.n = 0;
    if (r->fired.key)
        memset(r->fired.key, 0, r->site->n * sizeof *r->fired.key);
    r->fired_by = hash;
    r->fired_site = r->site;
    return &r->fired;
}

dp_err dp_lookback_know(dp_rounds *r)
{
    dp_buf text = {0};
    dp_rounds_print(&text, r->v, r->n);
    dp_err code = text.failed ? DP_ENOMEM : DP_OK;
    r->fired_by = text.failed ? 0 : dp_hash_str(dp_buf_view(&text));
    dp_buf_done(&text);
    return code;
}

/* Make the forms from the URLs. */
static dp_err make_afresh(dp_rounds *r, const dp_engine *e, uint64_t hash)
{
    return dp_forms_rewrite(&r->forms,
                            &(dp_rewriting){.engine = e, .afresh = true, .fired = dp_lookback_firings(r, hash)});
}

dp_err dp_lookback_afresh(dp_rounds *r)
{
    dp_engine *e = NULL;
    uint64_t   hash;
    dp_err     code = dp_lookback_engine(&e, r, &hash);
    if (code == DP_OK)
        code = make_afresh(r, e, hash);
    dp_engine_free(e);
    return code;
}

/* A review of all rules, whose engine and hash these are. */
static dp_err begin_review(dp_review **out, dp_rounds *r, const dp_engine *e, uint64_t hash)
{
    bool known = r->fired_site == r->site && r->fired_by == hash;
    return dp_review_new(out, &r->forms, r->v, r->n, e, known ? &r->fired : dp_lookback_firings(r, hash), known);
}

/* ---- corrections -------------------------------------------------------------------------- */

/* Take rule `i` back, or confine it to where it holds. */
static dp_err correct(dp_rounds *r, size_t i, dp_context *c, bool *changed)
{
    dp_taken   *t = &r->v[i];
    dp_confined got[DP_MOST_CONFINED];
    bool        fixed = t->text[1].n || t->depth >= DP_MOST_DEPTH || r->o.without_contexts;
    size_t      n = fixed ? 0 : dp_context_split(got, c, t->text[0], r->arena);
    *changed = true;
    for (size_t k = 0; k < n; k++) {
        dp_poll p = {got[k].pos, got[k].neg * t->factor, (dp_family)t->family, 0};
        dp_taken was = *t;
        bool     ok;
        uint8_t  depth = (uint8_t)(t->depth + got[k].doubtful);
        if (p.pos < (t->factor > 1 ? DP_GUARDED_WINS : DP_LEAST_WINS) || (t->factor > 1 && !got[k].exception) ||
            dp_trust_precision(&r->trust, &p, depth) < r->ctx->min_precision)
            continue;
        t->text[0] = got[k].text;
        t->depth = depth;
        t->prior = 0;
        t->sites = 0;
        DP_TRY(dp_lookback_ends(&ok, r));
        if (ok)
            return DP_OK;
        *t = was;
    }
    dp_poll p = {t->later.pos, t->later.neg * t->factor, (dp_family)t->family, 0};
    bool    strict = t->old || t->factor > 1 || t->sites;
    if (dp_trust_precision(&r->trust, &p, t->depth) >= (strict ? r->ctx->min_precision : REVOKE_BELOW) &&
        (!t->sites || p.pos >= DP_LEAST_WINS)) {
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

/* Whether votes against a rule are worth a look. */
static bool is_doubtful(const dp_taken *t)
{
    return (t->later.neg >= WORTH_A_LOOK && t->family != DP_FAMILY_ORDER) || (t->sites && t->later.neg > 0);
}

/* The share of votes for a rule, where those against it are worth a look; else 1. */
static double share_for(const dp_taken *t)
{
    return is_doubtful(t) ? t->later.pos / (t->later.pos + t->later.neg) : 1;
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

/* Review all rules, but for those of which it is known what comes out; closely only those that may be wrong. */
static dp_err review_all(dp_rounds *r, dp_review *v, dp_memos *m)
{
    for (size_t i = 0; i < r->n; i++) {
        uint64_t sign = dp_review_sign(v, i);
        if (r->v[i].family == DP_FAMILY_ORDER || dp_memos_hold(m, &r->v[i], sign))
            continue;
        DP_TRY(dp_review_doubt(&r->v[i].later, v, i));
        if (is_doubtful(&r->v[i]))
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
    dp_err code = fine ? dp_lookback_engine(&e, r, &hash) : DP_ENOMEM;
    if (code == DP_OK && r->stale)
        code = make_afresh(r, e, hash);
    r->stale = false;
    if (code == DP_OK)
        code = begin_review(&v, r, e, hash);
    if (code == DP_OK)
        code = review_all(r, v, m);
    while (code == DP_OK && (worst = worst_of(r, fine)) < r->n) {
        dp_context c = {.noise = r->trust.noise, .least = r->v[worst].factor > 1 ? DP_GUARDED_PART : 0};
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

dp_err dp_lookback_correct(dp_rounds *r, bool *any)
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
    if (code == DP_OK && r->stale)
        code = dp_lookback_afresh(r);
    r->stale = false;
    return code;
}

/* ---- the last look ------------------------------------------------------------------------ */

/* Whether rule `i` may have the text it has by now: rules end, and nothing that was seen is lost by it. Rules that had
 * nothing to do may have by now. */
static dp_err may_be(bool *out, dp_rounds *r, dp_review *v, size_t i)
{
    dp_engine *e = NULL;
    bool       loses = false;
    dp_err     code = make_engine(&e, out, r);
    if (code == DP_OK && *out)
        code = dp_review_loses(&loses, v, i, e);
    dp_engine_free(e);
    *out &= !loses;
    for (size_t k = 0; k < r->n && code == DP_OK && *out; k++)
        r->v[k].woken |= dp_review_used(v)[k];
    return code;
}

/* Confine rule `i` to sections that speak for it: without all others, or where that loses something without those that
 * can be spared. */
static dp_err spare(dp_rounds *r, dp_review *v, dp_context *c, size_t i)
{
    dp_taken   *t = &r->v[i];
    dp_str      all = t->text[0];
    dp_confined got;
    dp_err      code = DP_OK;
    bool        ok = false;
    for (size_t which = 0; dp_context_spare(&got, c, t->text[0], which, r->arena) && code == DP_OK; which++) {
        dp_str was = t->text[0];
        t->text[0] = got.text;
        code = may_be(&ok, r, v, i);
        if (ok && !which)
            break;
        t->text[0] = ok ? t->text[0] : was;
    }
    t->spared = t->text[0].p != all.p;
    return c->failed ? DP_ENOMEM : code;
}

/* All votes of rule `i`, and what they say of sections. */
static dp_err look_closely(dp_rounds *r, dp_review *v, size_t i)
{
    dp_taken  *t = &r->v[i];
    dp_context c = {.noise = r->trust.noise, .sections = true};
    bool       fixed = t->text[1].n || r->o.without_contexts;
    dp_err     code = dp_review_rule(&t->later, fixed ? NULL : &c, v, i);
    if (code == DP_OK && !fixed)
        code = spare(r, v, &c, i);
    dp_context_done(&c);
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
        if (t->later.changed || t->woken || t->family == DP_FAMILY_ORDER)
            r->v[n++] = *t;
    }
    r->n = n;
}

dp_err dp_lookback_end(dp_rounds *r)
{
    dp_engine *e = NULL;
    dp_review *v = NULL;
    uint64_t   hash;
    dp_err     code = dp_lookback_engine(&e, r, &hash);
    if (code == DP_OK)
        code = begin_review(&v, r, e, hash);
    for (size_t i = 0; i < r->n; i++) {
        r->v[i].line = r->lines;
        r->lines += dp_taken_lines(&r->v[i]);
    }
    for (size_t i = 0; i < r->n && code == DP_OK; i++)
        if (r->v[i].family != DP_FAMILY_ORDER)
            code = look_closely(r, v, i);
    dp_review_free(v);
    dp_engine_free(e);
    if (code == DP_OK)
        drop_idle(r);
    return code;
}
