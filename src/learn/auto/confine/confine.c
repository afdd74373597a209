/* From votes by feature to conditions: which values an idea is split by, confined to, or spared.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/auto/confine/context.h"

#include <math.h>
#include <stdlib.h>

#include "base/words/case.h"
#include "learn/auto/confine/condition.h"
#include "learn/auto/layout/reading.h"
#include "learn/auto/thresholds.h"
#include "learn/auto/vote/guard.h"
#include "rule/ruleline.h"
#include "url/chars.h"

enum {
    MOST_VALUES = 8,     /* of a list in a condition */
    MOST_SPARED = 6,     /* sections that do not speak for a rule */
    MOST_EXCEPTIONS = 3  /* unless clauses that one step may add */
};

typedef dp_feature_votes tally;

/* What a condition would leave of the votes. */
typedef struct split {
    const tally *v[MOST_VALUES];
    size_t       n;
    bool         exception;
    double       pos, neg, gain;
    double       owed, paid; /* as in dp_confined */
} split;

/* Where conditions are written. */
typedef struct pen {
    dp_context *c;
    dp_rule     rule; /* the idea without them */
    dp_arena    of;   /* of the rule */
    dp_buf      room;
    dp_arena   *a;
} pen;

/* A pen for the rule `text`; false when it is none, or memory is out. */
static bool take_pen(pen *p, dp_context *c, dp_str text, dp_arena *a)
{
    *p = (pen){.c = c, .a = a};
    dp_context_sort(c);
    dp_err code = dp_ruleline_parse(&p->rule, text, &p->of);
    c->failed |= code == DP_ENOMEM;
    return code == DP_OK;
}

static void lay_down(pen *p)
{
    p->c->failed |= p->room.failed;
    dp_buf_done(&p->room);
    dp_arena_done(&p->of);
}

/* Say a split as a rule; false when it cannot be said. */
static bool put(dp_confined *out, pen *p, const split *s)
{
    const dp_feature *f[MOST_VALUES];
    for (size_t i = 0; i < s->n; i++)
        f[i] = &s->v[i]->f;
    bool ok = s->exception ? dp_condition_except(&p->room, &p->rule, f, s->n)
                           : dp_condition_restrict(&p->room, &p->rule, f, s->n, &p->of);
    p->c->failed |= p->room.failed;
    if (!ok || p->room.failed)
        return false;
    *out = (dp_confined){dp_arena_str(p->a, dp_buf_view(&p->room)), s->pos, s->neg, s->exception,
                         s->gain < DP_SURE_GAIN, s->owed, s->paid};
    p->c->failed |= out->text.p == NULL;
    return out->text.p != NULL;
}

/* The end of the votes that have the key of vote `k`. */
static size_t key_end(const dp_context *c, size_t k)
{
    size_t e = k + 1;
    while (e < c->n && c->v[e].f.key == c->v[k].f.key)
        e++;
    return e;
}

/* Whether a key is one of the first two components, or whether that is a number. */
static bool is_section(const tally *v)
{
    return (v->f.kind == DP_F_START || v->f.kind == DP_F_NUMBER) && v->f.at <= 1;
}

/* Whether a value is that of one page: no section, and no kind of pages. */
static bool is_one_page(const tally *v)
{
    return dp_is_id(v->f.value);
}

/* Whether a value is no section of which silence says anything: a number is one of many, the tenth month or page. */
static bool is_one_of_many(const tally *v)
{
    return is_one_page(v) || (v->f.value.n && dp_all(v->f.value, DP_CH_DIGIT));
}

/* ---- splitting ---------------------------------------------------------------------------- */

/* How much better than before: the log likelihood that precision alone explains. */
static double worth(double pos, double neg)
{
    double n = pos + neg;
    return n > 0 ? lgamma(pos + 1) + lgamma(neg + 1) - lgamma(n + 2) : 0;
}

static double gain(const dp_context *c, const split *s)
{
    double out_pos = fmax(c->pos - s->pos, 0), out_neg = fmax(c->neg - s->neg, 0);
    return worth(s->pos, s->neg) + worth(out_pos, out_neg) - worth(c->pos, c->neg);
}

/* Whether it holds for this value. What one page has alone is no context. What is guarded is not looked for in corners,
 * since a list of pages that happen to be equal can always be found: each value must have all the votes it needs. */
static bool holds_for(const dp_context *c, const tally *v)
{
    if (c->least > 0)
        return v->pos >= c->least && v->neg <= v->pos / DP_GUARDED_AGAINST;
    return v->groups >= DP_LEAST_GROUPS && v->neg <= v->pos / DP_PART_AGAINST;
}

/* The values of one key, best first, for which it holds. */
static split choose_values(const dp_context *c, const tally *v, size_t n)
{
    split s = {0};
    for (size_t i = 0; i < n && s.n < MOST_VALUES; i++) {
        if (!holds_for(c, &v[i]) || is_one_page(&v[i]))
            continue;
        s.v[s.n++] = &v[i];
        s.pos += v[i].pos;
        s.neg += v[i].neg;
        s.paid += v[i].pos < DP_JUST_ENOUGH ? fmin(v[i].pos, DP_LEAST_GROUPS) : 0;
    }
    if (s.n == 1)
        s.paid = 0; /* a section, and no choice of them */
    return s;
}

/* What leaving out a value brings, in votes. */
static double relief(const tally *v)
{
    return DP_VOTE_AGAINST * v->neg - v->pos;
}

/* Put a value among the exceptions, those that bring most first, where it is one of the best. */
static void except(split *s, const tally *v)
{
    size_t at = s->n < MOST_EXCEPTIONS ? s->n++ : MOST_EXCEPTIONS - 1;
    if (s->v[at] && relief(s->v[at]) >= relief(v))
        return;
    for (; at && relief(s->v[at - 1]) < relief(v); at--)
        s->v[at] = s->v[at - 1];
    s->v[at] = v;
}

/* The values of one key, worst first, for which it does not: where most votes are against it, and of a guarded idea
 * where it does not hold, since its votes there are the accidents that it is guarded for. Votes against it may be wrong
 * labels: an exception must explain more than naming one of so many values says. */
static split choose_exceptions(const dp_context *c, const tally *v, size_t n)
{
    split  s = {.exception = true, .pos = c->pos, .neg = c->neg};
    size_t values = n;
    for (size_t i = 0; i < n; i++)
        values += v[i].dull;
    double least = (log((double)values) + DP_LEAST_GAIN) / -log(c->noise > 0 ? c->noise : DP_USUAL_NOISE);
    double share = c->least > 0 ? 1.0 / DP_PART_AGAINST : 1;
    /* Where nearly every vote has a value of its own, those against can always be named: they say nothing of others,
     * unless they are few. */
    bool   own = DP_VOTES_PER_VALUE * (double)values > c->pos + c->neg && c->neg > c->pos / DP_PART_AGAINST;
    double few = fmax(fmax(least, own ? DP_LEAST_GROUPS : 0), DP_WORTH_A_LOOK);
    for (size_t i = n; i-- > 0;)
        if (v[i].neg > share * v[i].pos && v[i].neg >= few && !is_one_page(&v[i]))
            except(&s, &v[i]);
    for (size_t i = 0; i < s.n; i++) {
        s.pos -= s.v[i]->pos;
        s.neg -= s.v[i]->neg;
        s.owed += s.v[i]->neg - 1 < few ? s.v[i]->neg : 0;
    }
    return s;
}

static int by_gain(const void *x, const void *y)
{
    const split *a = x, *b = y;
    double       p = a->pos - DP_VOTE_AGAINST * a->neg, q = b->pos - DP_VOTE_AGAINST * b->neg;
    if (p != q)
        return p > q ? -1 : 1;
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    if (a->exception != b->exception)
        return a->exception ? -1 : 1;
    int c = (int)a->v[0]->f.kind - (int)b->v[0]->f.kind;
    if (!c)
        c = (int)a->v[0]->f.at - (int)b->v[0]->f.at;
    return c ? c : dp_str_cmp(a->v[0]->f.value, b->v[0]->f.value);
}

size_t dp_context_split(dp_confined out[DP_MOST_CONFINED], dp_context *c, dp_str text, dp_arena *a)
{
    pen    p;
    split  best[DP_MOST_CONFINED + 1];
    size_t nbest = 0, n = 0;
    bool   ok = take_pen(&p, c, text, a);
    for (size_t k = 0, e; ok && k < c->n && !c->failed; k = e) {
        e = key_end(c, k);
        if (c->v[k].f.kind == DP_F_HOST)
            continue;
        split s[2] = {choose_values(c, c->v + k, e - k), choose_exceptions(c, c->v + k, e - k)};
        for (int j = 0; j < 2; j++) {
            s[j].gain = gain(c, &s[j]);
            if (!s[j].n || s[j].pos < DP_LEAST_WINS || s[j].gain < DP_LEAST_GAIN)
                continue;
            best[nbest++] = s[j];
            qsort(best, nbest, sizeof *best, by_gain);
            nbest = nbest > DP_MOST_CONFINED ? DP_MOST_CONFINED : nbest;
        }
    }
    for (size_t k = 0; k < nbest; k++)
        n += put(&out[n], &p, &best[k]);
    lay_down(&p);
    return n;
}

/* ---- narrowing and sparing ---------------------------------------------------------------- */

/* The values of one key that have evidence, where these are nearly all; `*fired`: forms that have them. */
static split choose_spoken(const dp_context *c, const tally *v, size_t n, uint32_t *fired)
{
    split    s = {.gain = DP_SURE_GAIN};
    uint32_t groups = 0;
    *fired = 0;
    for (size_t i = 0; i < n; i++) {
        if (v[i].groups < DP_LEAST_GROUPS)
            continue;
        if (s.n == MOST_VALUES || !v[i].f.value.n || is_one_page(&v[i]))
            return (split){0};
        s.v[s.n++] = &v[i];
        s.pos += v[i].pos;
        s.neg += v[i].neg;
        groups += v[i].groups;
        *fired += v[i].fired;
    }
    return groups >= DP_MOST_OF_ALL * c->groups ? s : (split){0};
}

/* To the key whose spoken values leave out most of what the rule would fire on. */
static bool narrow_to_spoken(dp_confined *out, pen *p)
{
    const dp_context *c = p->c;
    uint32_t          least = c->fired;
    bool              ok = false;
    for (size_t k = 0, e; k < c->n && !c->failed; k = e) {
        uint32_t    fired;
        dp_confined one;
        e = key_end(c, k);
        if (c->v[k].f.kind != DP_F_START && c->v[k].f.kind != DP_F_END)
            continue;
        split s = choose_spoken(c, c->v + k, e - k, &fired);
        /* A single value is taken even where nothing else has been seen: others may come. Of several others will be
         * like them, unless something should have been heard of those that are there. */
        bool silent = (c->fired - fired) * (double)c->groups > DP_SILENCE * c->fired;
        if (!s.n || (s.n > 1 && !silent) || fired > least || (fired == least && (s.n > 1 || ok)) || !put(&one, p, &s))
            continue;
        least = fired;
        *out = one;
        ok = true;
    }
    return ok;
}

/* Whether all evidence has this feature by accident: ln of the chance. A wrong label now and then does not count. */
static double by_accident(const dp_context *c, const tally *v)
{
    if (v->groups < DP_MOST_OF_ALL * c->groups)
        return 0;
    return v->groups * log((double)v->fired / (double)c->fired) + DP_NATS_WITHOUT * (c->groups - v->groups);
}

/* Whether a rule that folds case makes one of a value and another of its key, or changes it: what one of them shows is
 * no more than that the rule has something to do there. */
static bool is_folded(const pen *p, const tally *v)
{
    bool folded = false, folds = p->rule.kind == DP_RULE_FOLD_PATH || p->rule.kind == DP_RULE_FOLD_QUERY ||
                                 p->rule.kind == DP_RULE_FOLD_NAMES;
    for (size_t i = 0; i < v->f.value.n && folds; i++)
        folded |= dp_is(v->f.value.p[i], DP_CH_UPPER);
    for (size_t k = 0; k < p->c->n && folds && !folded; k++) {
        const tally *x = &p->c->v[k];
        folded = x->f.key == v->f.key && x != v && dp_str_eq_but_case(x->f.value, v->f.value);
    }
    return folded;
}

/* To the value that all evidence has, least of all by accident. */
static bool narrow_to_one(dp_confined *out, pen *p)
{
    const dp_context *c = p->c;
    split             best = {0};
    double            least = log(DP_BY_ACCIDENT);
    for (size_t k = 0; k < c->n && !c->failed; k++) {
        const tally *v = &c->v[k];
        if (v->f.kind == DP_F_HOST || v->f.kind == DP_F_VALUE || v->fired == c->fired ||
            is_folded(p, v))
            continue;
        if (by_accident(c, v) < least) {
            least = by_accident(c, v);
            best = (split){.v = {v}, .n = 1, .pos = v->pos, .neg = v->neg, .gain = DP_SURE_GAIN};
        }
    }
    return best.n && put(out, p, &best);
}

/* The values of one key where evidence is missing though the rule fires often enough to expect some. */
static split choose_silent(const dp_context *c, const tally *v, size_t n)
{
    split  s = {.exception = true, .pos = c->pos, .neg = c->neg, .gain = DP_SURE_GAIN};
    double rate = (double)c->groups / (double)c->fired;
    for (size_t i = 0; i < n && s.n < MOST_EXCEPTIONS; i++)
        if (!v[i].groups && v[i].fired * rate > DP_SILENCE + log((double)n) && v[i].fired < c->fired &&
            !is_one_of_many(&v[i]))
            s.v[s.n++] = &v[i];
    return s;
}

/* How strange it is, in nats, that nothing speaks for the rule at this value though the rule holds there. */
static double strangeness(const dp_context *c, const tally *v)
{
    double noise = c->noise > 0 ? c->noise : DP_USUAL_NOISE;
    return v->fired * (double)c->groups / (double)c->fired - v->neg * log(noise);
}

/* The values of one key that have no evidence, the strangest first. Where a component has many values, as ids have, one
 * of them is as strange as that by accident. */
static split choose_unspoken(const dp_context *c, const tally *v, size_t n)
{
    split  s = {.exception = true, .pos = c->pos, .neg = c->neg, .gain = DP_SURE_GAIN};
    double least = DP_TOO_STRANGE + log((double)n);
    for (size_t i = 0; i < n; i++) {
        if (v[i].pos > 0 || v[i].fired > DP_MOST_OF_RULE * c->fired || strangeness(c, &v[i]) < least ||
            is_one_of_many(&v[i]))
            continue;
        size_t at = s.n < MOST_SPARED ? s.n++ : MOST_SPARED - 1;
        if (at + 1 == MOST_SPARED && s.v[at] && strangeness(c, s.v[at]) >= strangeness(c, &v[i]))
            continue;
        for (; at && strangeness(c, s.v[at - 1]) < strangeness(c, &v[i]); at--)
            s.v[at] = s.v[at - 1];
        s.v[at] = &v[i];
    }
    for (size_t i = 0; i < s.n; i++)
        s.neg -= s.v[i]->neg;
    return s;
}

/* Whether a rule forgets component `at`, whatever it is. */
static bool forgets(const dp_rule *r, size_t at)
{
    const dp_template *t = r->left;
    if (r->kind != DP_RULE_REWRITE || !t || !r->right || at >= t->nseg || (t->glob != DP_NO_GLOB && t->glob <= at) ||
        t->seg[at].n != 1 || t->seg[at].v[0].kind != DP_ITEM_CAPTURE)
        return false;
    bool kept = false;
    for (size_t i = 0; i < dp_template_pats(r->right) && !kept; i++) {
        const dp_pat *q = dp_template_pat(r->right, i);
        for (size_t k = 0; k < q->n && !kept; k++)
            kept = q->v[k].kind == DP_ITEM_CAPTURE && dp_str_eq(q->v[k].text, t->seg[at].v[0].text);
    }
    return !kept;
}

/* Whether a component is a language, a date or a version: what other components show says nothing of these. */
static bool is_guarded(dp_str value)
{
    bool found = false;
    for (int g = 0; g < DP_GUARDS && !found; g++)
        found = dp_guards[g].when != DP_GUARD_LITERAL && dp_guards[g].fits(value, (dp_str){value.p, 0});
    return found;
}

/* Add to the sections that are spared those for whose name a rule that forgets it has no vote, where a guard knows the
 * name: people may be forgotten in /anna/x and /ben/x, which does not say that languages may in /fr/x. */
static void spare_guarded(split *s, const dp_rule *r, const tally *v, size_t n)
{
    for (size_t i = 0; i < n && s->n < MOST_SPARED && v->f.kind == DP_F_START && forgets(r, v->f.at); i++) {
        bool there = false;
        for (size_t k = 0; k < s->n; k++)
            there |= s->v[k] == &v[i];
        if (there || v[i].pos > 0 || !v[i].fired || !is_guarded(v[i].f.value))
            continue;
        s->neg -= v[i].neg;
        s->v[s->n++] = &v[i];
    }
}

/* Take from the sections that are spared those that are others in another case. */
static void leave_folded(split *s, const pen *p)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (is_folded(p, s->v[i]))
            s->neg = fmin(p->c->neg, s->neg + s->v[i]->neg);
        else
            s->v[n++] = s->v[i];
    }
    s->n = n;
}

typedef split choose_sections(const dp_context *c, const tally *v, size_t n);

/* All but the sections that `choose` chooses, or with `which` > 0 all but that one of them. */
static bool spare_sections(dp_confined *out, pen *p, choose_sections *choose, size_t which)
{
    const dp_context *c = p->c;
    for (size_t k = 0, e; k < c->n && !c->failed; k = e) {
        e = key_end(c, k);
        if (!is_section(&c->v[k]))
            continue;
        split s = choose(c, c->v + k, e - k);
        leave_folded(&s, p);
        if (choose == choose_unspoken)
            spare_guarded(&s, &p->rule, c->v + k, e - k);
        if (which && which <= s.n)
            s = (split){.v = {s.v[which - 1]}, .n = 1, .exception = true, .pos = c->pos, .gain = DP_SURE_GAIN,
                        .neg = c->neg - s.v[which - 1]->neg};
        else if (which)
            continue;
        if (s.n && put(out, p, &s))
            return true;
    }
    return false;
}

bool dp_context_narrow(dp_confined *out, dp_context *c, dp_str text, bool harsh, dp_arena *a)
{
    pen  p;
    bool ok = take_pen(&p, c, text, a) && ((harsh && narrow_to_spoken(out, &p)) || narrow_to_one(out, &p) ||
                                           spare_sections(out, &p, choose_silent, 0));
    lay_down(&p);
    return ok;
}

bool dp_context_spare(dp_confined *out, dp_context *c, dp_str text, size_t which, dp_arena *a)
{
    pen  p;
    bool ok = take_pen(&p, c, text, a) && spare_sections(out, &p, choose_unspoken, which);
    lay_down(&p);
    return ok;
}

/* Whether the rule drops a parameter whatever its value. */
static bool drops(const dp_rule *r, dp_str name)
{
    bool found = false;
    for (size_t i = 0; i < r->names.n && (r->kind == DP_RULE_DROP || r->kind == DP_RULE_ERASE) && !r->has_if; i++)
        found |= dp_str_eq(r->names.v[i].text, name);
    return found;
}

/* The values of one name that come again and again and have no vote, unless they are many: then they are no kinds. */
static split choose_unheard(const dp_context *c, const tally *v, size_t n)
{
    split s = {.exception = true, .pos = c->pos, .neg = c->neg, .gain = DP_SURE_GAIN};
    for (size_t i = 0; i < n; i++) {
        if (v[i].pos > 0 || v[i].fired < DP_UNHEARD_VALUE || !v[i].f.value.n)
            continue;
        if (s.n == MOST_SPARED)
            return (split){0};
        s.neg -= v[i].neg;
        s.v[s.n++] = &v[i];
    }
    return s;
}

/* Whether a component has few values that come again and again: they divide the site, or an application. */
static bool divides(const tally *v, size_t n)
{
    size_t again = 0;
    for (size_t i = 0; i < n; i++)
        again += v[i].fired >= DP_UNHEARD_VALUE;
    return again <= MOST_SPARED;
}

/* Which keys have values that a rule should have been heard of. */
typedef bool asks_for(const dp_rule *r, const tally *v, size_t n);

/* Those that it does away with. */
static bool asks_for_values(const dp_rule *r, const tally *v, size_t n)
{
    return v->f.kind == DP_F_VALUE ? drops(r, v->f.name)
                                   : v->f.kind == DP_F_START && forgets(r, v->f.at) && divides(v, n);
}

/* Programs, of a rule that drops parameters: each has its own. */
static bool asks_for_programs(const dp_rule *r, const tally *v, size_t n)
{
    bool any = (r->kind == DP_RULE_DROP || r->kind == DP_RULE_ERASE) && !r->has_if && r->names.kind == '?';
    return any && v->f.kind == DP_F_END && v->f.at == 0 && divides(v, n);
}

static bool spare_unheard(dp_confined *out, dp_context *c, dp_str text, asks_for *asks, dp_arena *a)
{
    pen  p;
    bool ok = take_pen(&p, c, text, a), found = false;
    for (size_t k = 0, e; ok && k < c->n && !c->failed && !found; k = e) {
        e = key_end(c, k);
        if (!asks(&p.rule, c->v + k, e - k))
            continue;
        split s = choose_unheard(c, c->v + k, e - k);
        found = s.n && put(out, &p, &s);
    }
    lay_down(&p);
    return found;
}

bool dp_context_spare_values(dp_confined *out, dp_context *c, dp_str text, dp_arena *a)
{
    return spare_unheard(out, c, text, asks_for_values, a);
}

bool dp_context_spare_programs(dp_confined *out, dp_context *c, dp_str text, dp_arena *a)
{
    return spare_unheard(out, c, text, asks_for_programs, a);
}
