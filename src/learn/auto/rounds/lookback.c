/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/rounds/lookback.h"

#include <math.h>
#include <stdlib.h>

#include "apply/engine.h"
#include "base/hash.h"
#include "learn/auto/confine/unheard.h"
#include "learn/auto/rounds/promise.h"
#include "learn/auto/rounds/review.h"
#include "learn/auto/rounds/round.h"
#include "learn/auto/rounds/unchanged.h"
#include "learn/auto/forms/rulebook.h"
#include "learn/auto/thresholds.h"

enum {
    MOST_REDUNDANT = 64, /* rules whose work others do, that are left out */
    MOST_CORRECTIONS = 12, /* of accepted rules at a time */
    FEW_RULES = 100 /* a run of them is short */
};

/* ---- engines ------------------------------------------------------------------------------ */

/* The engine of the rules; *ok is false, and there is none, when one of them feeds itself, or is too long. */
static dp_err make_engine(dp_engine **out, bool *ok, const dp_rounds *r)
{
    dp_buf text = {0};
    dp_rounds_print(&text, r->v, r->n);
    dp_err code = text.failed ? DP_ENOMEM : dp_rulebook_engine(out, dp_buf_view(&text), true);
    dp_buf_done(&text);
    *ok = code == DP_OK;
    return code == DP_ESYNTAX || code == DP_ELIMIT ? DP_OK : code;
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

/* Whose the engine's rules are. */
static bool count_owners(dp_owners *o, const dp_rounds *r)
{
    o->first = malloc((r->n + 1) * sizeof *o->first);
    o->of = malloc((2 * r->n + 1) * sizeof *o->of);
    o->bit = malloc((r->n + 1) * sizeof *o->bit);
    if (!o->first || !o->of || !o->bit)
        return false;
    for (size_t i = 0, n = 0; i <= r->n; i++) {
        o->first[i] = (uint32_t)n;
        if (i < r->n)
            o->bit[i] = (uint64_t)1 << (dp_hash_str(r->v[i].text[0]) & 63);
        for (uint32_t k = 0; i < r->n && k < dp_taken_lines(&r->v[i]); k++)
            o->of[n++] = (uint32_t)i;
    }
    return true;
}

/* The engine of the rules and whose its rules are; `*known`: what fires is known already. `closely`: all will be asked
 * what URLs are without each rule. */
static dp_err open_rules(dp_rewriting *how, dp_rounds *r, bool closely, bool *known)
{
    dp_engine *e = NULL;
    uint64_t   hash;
    *how = (dp_rewriting){.afresh = true, .fired = &r->fired, .absences = &r->absences};
    how->absent = closely || (r->site == r->whole && r->n <= FEW_RULES); /* the last look will ask */
    dp_err code = dp_lookback_engine(&e, r, &hash);
    how->engine = e;
    if (code == DP_OK && !count_owners(&how->owners, r))
        code = DP_ENOMEM;
    if (code != DP_OK) {
        dp_lookback_close(how);
        return code;
    }
    *known = r->fired_site == r->site && r->fired_by == hash;
    r->fired_by = hash;
    return DP_OK;
}

/* What is known of the URLs is known no more. */
static void forget(dp_rounds *r)
{
    dp_absences_reset(&r->absences);
    r->fired.n = 0;
    if (r->fired.key)
        memset(r->fired.key, 0, r->site->n * sizeof *r->fired.key);
}

dp_err dp_lookback_open(dp_rewriting *how, dp_rounds *r)
{
    bool known;
    dp_looked_done(&r->looked);
    r->fired_site = r->site;
    forget(r);
    return open_rules(how, r, false, &known);
}

/* Make the forms by the rules of `how`. What they did and still do is not done again. */
static dp_err make_forms(dp_rounds *r, dp_rewriting *how)
{
    dp_unchanged u;
    bool         some;
    dp_err       code = dp_unchanged_find(&u, r, &how->owners, &some);
    if (some)
        how->recall = &u.recall;
    else
        forget(r);
    r->fired_site = r->site;
    if (code == DP_OK)
        code = dp_forms_rewrite(&r->forms, how);
    if (code == DP_OK && some)
        code = dp_unchanged_keep(&u, r);
    if (code == DP_OK)
        code = dp_looked_note(&r->looked, r);
    how->recall = NULL;
    dp_unchanged_done(&u);
    return code;
}

void dp_lookback_close(dp_rewriting *how)
{
    dp_engine_free((dp_engine *)how->engine);
    free(how->owners.of);
    free(how->owners.first);
    free(how->owners.bit);
    *how = (dp_rewriting){0};
}

/* Number the lines of the rules as what fired is noted. */
static void number_lines(dp_rounds *r)
{
    r->lines = 0;
    for (size_t i = 0; i < r->n; i++) {
        r->v[i].line = r->lines;
        r->lines += dp_taken_lines(&r->v[i]);
    }
}

dp_err dp_lookback_afresh(dp_rounds *r)
{
    dp_rewriting how;
    bool         known;
    DP_TRY(open_rules(&how, r, false, &known));
    dp_err code = make_forms(r, &how);
    dp_lookback_close(&how);
    if (r->lines) { /* there was a last look: what fires is known anew */
        number_lines(r);
        for (size_t i = 0; i < r->n; i++)
            r->v[i].spared = false;
    }
    return code;
}

dp_err dp_lookback_quickly(dp_rounds *r, dp_recall *c)
{
    dp_engine *e = NULL;
    uint64_t   hash;
    size_t     n = 0;
    r->fired_site = NULL;
    for (size_t i = 0; i < r->n; i++) {
        for (uint32_t k = 0; k < dp_taken_lines(&r->v[i]); k++)
            c->mark[n++] = r->v[i].on_trial ? r->v[i].trial : DP_NO_MARK;
    }
    DP_TRY(dp_lookback_engine(&e, r, &hash));
    dp_err code = dp_forms_rewrite(&r->forms, &(dp_rewriting){.engine = e, .afresh = true, .recall = c});
    dp_engine_free(e);
    return code;
}

/* A review of all rules, and their engine; `closely` as above. */
static dp_err begin_review(dp_review **out, dp_rewriting *how, dp_rounds *r, bool closely)
{
    bool known;
    DP_TRY(open_rules(how, r, closely, &known));
    if (!known)
        DP_TRY(make_forms(r, how));
    return dp_review_new(out, &r->forms, &r->absences, how, r->n);
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
        double  owed = t->factor >= DP_GUARD_FACTOR ? t->owed + got[k].owed : 0;
        dp_poll p = {.pos = got[k].pos, .neg = (got[k].neg + owed) * t->factor, .family = (dp_family)t->family};
        dp_taken was = *t;
        bool     ok;
        uint8_t  depth = (uint8_t)(t->depth + got[k].doubtful);
        double   least = t->factor > 1 ? DP_GUARDED_WINS * t->factor / DP_GUARD_FACTOR : DP_LEAST_WINS;
        if (p.pos < least || (t->factor > 1 && !got[k].exception) ||
            dp_trust_precision(&r->trust, &p, depth) < r->ctx->min_precision)
            continue;
        t->text[0] = got[k].text;
        t->depth = depth;
        t->doubted = true;
        t->owed = owed;
        t->prior = 0;
        t->sites = 0;
        DP_TRY(dp_lookback_ends(&ok, r));
        if (ok)
            return DP_OK;
        *t = was;
    }
    dp_poll p = {.pos = t->later.pos, .neg = (t->later.neg + t->owed) * t->factor, .family = (dp_family)t->family};
    bool    strict = t->old || t->factor > 1 || t->sites || dp_trust_is_exact(&r->trust);
    bool    promised = r->site != r->whole || dp_promise_worth(r, t) >= fmin(t->p, r->ctx->min_precision);
    if (dp_trust_precision(&r->trust, &p, t->depth) >= (strict ? r->ctx->min_precision : DP_REVOKE_BELOW) &&
        promised && (!t->sites || p.pos >= DP_LEAST_WINS)) {
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
    return (t->later.neg >= DP_WORTH_A_LOOK && t->family != DP_FAMILY_ORDER) || (t->sites && t->later.neg > 0);
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

/* Review all rules, closely those that may be wrong. */
static dp_err review_all(dp_rounds *r, dp_review *v)
{
    for (size_t i = 0; i < r->n; i++) {
        if (r->v[i].family == DP_FAMILY_ORDER)
            continue;
        DP_TRY(dp_review_doubt(&r->v[i].later, v, i));
        if (is_doubtful(&r->v[i]))
            DP_TRY(dp_review_rule(&r->v[i].later, NULL, v, i));
    }
    return DP_OK;
}

/* Review all rules and correct them, the worst first; those that share groups with a corrected one wait, since they may
 * be wrong only because of it. */
static dp_err look_back(dp_rounds *r, bool *any)
{
    dp_rewriting how = {0};
    dp_review   *v = NULL;
    bool        *fine = calloc(r->n + 1, sizeof *fine);
    size_t       worst;
    *any = false;
    dp_err code = fine ? begin_review(&v, &how, r, false) : DP_ENOMEM;
    if (code == DP_OK)
        code = review_all(r, v);
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
        if (changed)
            dp_review_correct(v, worst);
        *any |= changed;
        dp_context_done(&c);
    }
    dp_review_free(v);
    dp_lookback_close(&how);
    drop_gone(r);
    free(fine);
    return code;
}

dp_err dp_lookback_correct(dp_rounds *r, bool *any)
{
    bool   changed = true;
    dp_err code = DP_OK;
    *any = false;
    for (uint32_t i = 0; i < MOST_CORRECTIONS && changed && code == DP_OK; i++) {
        code = look_back(r, &changed);
        *any |= changed;
    }
    if (code == DP_OK && changed) /* the forms are not what the rules make of the URLs */
        code = dp_lookback_afresh(r);
    return code;
}

/* ---- the last look ------------------------------------------------------------------------ */

/* Whether rule `i` may have the text it has by now: rules end, and nothing that was seen is lost by it. Rules that had
 * nothing to do may have by now. */
static dp_err may_be(bool *out, dp_rounds *r, dp_review *v, size_t i)
{
    dp_engine *e = NULL;
    bool       loses = false, *used = calloc(r->n + 1, sizeof *used);
    dp_err     code = used ? make_engine(&e, out, r) : DP_ENOMEM;
    if (code == DP_OK && *out)
        code = dp_review_loses(&loses, used, v, i, e);
    dp_engine_free(e);
    *out &= !loses;
    for (size_t k = 0; k < r->n && code == DP_OK && *out; k++)
        r->v[k].woken |= used[k];
    free(used);
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

/* Give rule `i` the text `less`, where nothing that was seen is lost by it. */
static dp_err take_less(dp_rounds *r, dp_review *v, size_t i, dp_str less)
{
    dp_taken *t = &r->v[i];
    dp_str    was = t->text[0];
    bool      ok = false;
    t->text[0] = less;
    dp_err code = may_be(&ok, r, v, i);
    t->text[0] = ok ? less : was;
    t->spared |= ok;
    return code;
}

typedef bool spares(dp_confined *out, dp_context *c, dp_str text, dp_arena *a);

/* Leave out of rule `i` what `choose` finds that nobody has said anything of. */
static dp_err spare_unheard(dp_rounds *r, dp_review *v, dp_context *c, size_t i, spares *choose)
{
    dp_confined got;
    dp_err      code = DP_OK;
    if (choose(&got, c, r->v[i].text[0], r->arena))
        code = take_less(r, v, i, got.text);
    return c->failed ? DP_ENOMEM : code;
}

/* Confine rule `i` to kinds of URLs that speak for it. What would lose something that was seen stays. */
static dp_err hear_kinds(dp_rounds *r, dp_review *v, dp_context *c, size_t i)
{
    dp_taken  *t = &r->v[i];
    dp_str     less = t->text[0];
    dp_err     code = DP_OK;
    dp_hearing of = dp_context_hear_kinds(&less, c, less, dp_promise_is_accident(t), r->arena);
    t->unheard = of == DP_UNHEARD_PAGES;
    if (of == DP_UNHEARD_KINDS)
        code = take_less(r, v, i, less);
    return c->failed ? DP_ENOMEM : code;
}

/* All votes of rule `i`, and what they say of kinds of URLs and of sections: one count has both. */
static dp_err look_closely(dp_rounds *r, dp_review *v, size_t i)
{
    dp_taken  *t = &r->v[i];
    bool       fixed = t->text[1].n || t->drawn || r->o.without_contexts;
    bool       drops = (t->family == DP_FAMILY_PARAM || t->family == DP_FAMILY_PARAMS) && !t->sites;
    bool       forgets = t->family == DP_FAMILY_FORGET || t->family == DP_FAMILY_LOSSY;
    dp_context c = {.noise = r->trust.noise,
                    .set = drops               ? DP_FEATURES_ALL
                           : dp_promise_is_accident(t) ? DP_FEATURES_KINDS
                                                       : DP_FEATURES_SECTIONS};
    dp_err     code = dp_review_rule(&t->later, fixed ? NULL : &c, v, i);
    t->spared = false;
    if (code == DP_OK && !fixed)
        code = hear_kinds(r, v, &c, i);
    if (code == DP_OK && !fixed && drops && !t->spared)
        code = spare_unheard(r, v, &c, i, dp_context_spare_programs);
    if (code == DP_OK && !fixed && !t->spared)
        code = spare(r, v, &c, i);
    if (code == DP_OK && !fixed && (drops || forgets))
        code = spare_unheard(r, v, &c, i, dp_context_spare_values);
    dp_context_done(&c);
    return code;
}

/* Of what was accepted on a part the votes of the whole are known by now. */
static void trust_whole(dp_rounds *r)
{
    for (size_t i = 0; i < r->n; i++) {
        dp_taken *t = &r->v[i];
        dp_poll   p = {.pos = t->later.pos, .neg = t->later.neg, .family = (dp_family)t->family,
                       .prior = t->later.neg > 0 ? 0 : t->prior};
        if (t->old)
            t->p = fmax(t->p, dp_trust_precision(&r->trust, &p, t->depth));
    }
}

/* The rule that is worth least of those that do not keep what was promised, or a sink that others lead to other pages;
 * r->n: there is none. */
static size_t find_broken(const dp_rounds *r)
{
    size_t worst = r->n;
    double least = r->ctx->min_precision;
    for (size_t i = 0; i < r->n; i++) {
        bool   mixes = r->v[i].drawn && r->v[i].later.bad;
        double worth = mixes ? 0 : dp_promise_worth(r, &r->v[i]);
        if (worth < least && (mixes || worth < r->v[i].p)) {
            least = worth;
            worst = i;
        }
    }
    return worst;
}

/* Leave out what never fires: rules before it do its work. */
static void drop_idle(dp_rounds *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) /* of all, before one goes: each is weighed against the others */
        r->v[i].p = dp_promise_worth(r, &r->v[i]);
    for (size_t i = 0; i < r->n; i++) {
        const dp_taken *t = &r->v[i];
        if (t->later.changed || t->woken || t->family == DP_FAMILY_ORDER)
            r->v[n++] = *t;
    }
    r->n = n;
}

/* Whether most votes for a rule were those of others that do the same, and what is left is too little for any rule. */
static bool is_borrowed(const dp_taken *t)
{
    return t->later.pos < DP_BORROWED * t->count.pos && t->later.pos < DP_LEAST_WINS - 1;
}

/* The rule with fewest merges of its own, of those whose work others do as well, or most of it; r->n: there is none.
 * What other sites carry, and sinks, stand on other evidence. */
static size_t find_redundant(const dp_rounds *r)
{
    size_t least = r->n;
    for (size_t i = 0; i < r->n; i++) {
        const dp_taken *t = &r->v[i];
        bool needless = !t->later.good && !t->later.bad && t->later.changed;
        if (t->family == DP_FAMILY_ORDER || t->drawn || t->prior > 0 || t->needed || (!needless && !is_borrowed(t)))
            continue;
        if (least == r->n || t->count.good < r->v[least].count.good)
            least = i;
    }
    return least;
}

/* All votes of a rule. */
static dp_err count(dp_rounds *r, dp_review *v, size_t i)
{
    return dp_review_rule(&r->v[i].later, NULL, v, i);
}

typedef dp_err look_at(dp_rounds *r, dp_review *v, size_t i);

/* All votes of each rule, and what `look` makes of them. */
static dp_err look_at_each(dp_rounds *r, look_at *look)
{
    dp_rewriting how = {0};
    dp_review   *v = NULL;
    dp_err       code = begin_review(&v, &how, r, true);
    number_lines(r);
    for (size_t i = 0; i < r->n && code == DP_OK; i++)
        if (r->v[i].family != DP_FAMILY_ORDER)
            code = look(r, v, i);
    dp_review_free(v);
    dp_lookback_close(&how);
    return code;
}

static dp_err look_at_all(dp_rounds *r)
{
    return look_at_each(r, look_closely);
}

dp_err dp_lookback_count(dp_rounds *r)
{
    return look_at_each(r, count);
}

/* Merges that votes speak against, of all rules. */
static uint64_t count_bad(const dp_rounds *r)
{
    uint64_t bad = 0;
    for (size_t i = 0; i < r->n; i++)
        bad += r->v[i].later.bad;
    return bad;
}

/* Leave out rule `i`, unless another one would feed itself then, or fire where this one was before it, and merge other
 * pages; then `*stale`: what was looked at last are other rules. */
static dp_err leave_out(dp_rounds *r, size_t i, bool *stale)
{
    size_t    n = r->n;
    uint64_t  bad = count_bad(r);
    dp_taken *was = malloc(n * sizeof *was);
    bool      ok = false;
    if (!was)
        return DP_ENOMEM;
    memcpy(was, r->v, n * sizeof *was);
    memmove(&r->v[i], &r->v[i + 1], (n - i - 1) * sizeof *r->v);
    r->n--;
    dp_err code = dp_lookback_ends(&ok, r);
    if (ok && code == DP_OK)
        code = look_at_all(r);
    *stale = !ok || count_bad(r) > bad;
    if (*stale && code == DP_OK) {
        memcpy(r->v, was, n * sizeof *was);
        r->n = n;
        r->v[i].needed = true;
    }
    free(was);
    return code;
}

/* Leave out what does not keep its promise, one rule at a time: the others are another list without it. */
static dp_err keep_promises(dp_rounds *r)
{
    size_t i;
    trust_whole(r);
    while ((i = find_broken(r)) < r->n) {
        memmove(&r->v[i], &r->v[i + 1], (r->n - i - 1) * sizeof *r->v);
        r->n--;
        DP_TRY(look_at_all(r));
        trust_whole(r);
    }
    drop_idle(r);
    return DP_OK;
}

dp_err dp_lookback_end(dp_rounds *r)
{
    bool   stale = false;
    dp_err code = look_at_all(r);
    for (int again = 0; again < MOST_REDUNDANT && code == DP_OK; again++) {
        size_t i = find_redundant(r);
        if (i == r->n)
            break;
        code = leave_out(r, i, &stale);
    }
    if (code == DP_OK && stale)
        code = look_at_all(r);
    if (code == DP_OK)
        code = keep_promises(r);
    for (bool kept = false; code == DP_OK && !kept;) {
        code = dp_promise_keep(r, &kept);
        if (code == DP_OK && !kept)
            code = look_at_all(r);
        if (code == DP_OK && !kept)
            code = keep_promises(r);
    }
    return code;
}
