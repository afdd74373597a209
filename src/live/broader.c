/* SPDX-License-Identifier: Apache-2.0 */
#include "live/broader.h"

#include <stdlib.h>

#include "learn/dust/dust.h"

/* ---- what can be seen without the list ------------------------------------------------------------- */

static bool holds(const dp_validation *v, size_t rule)
{
    return v->verdict[rule].kind == DP_KEPT || v->verdict[rule].kind == DP_TURNED;
}

/* The side of a rule that holds. */
static uint8_t side_of(const dp_validation *v, size_t rule)
{
    return (uint8_t)(1u << (v->verdict[rule].kind == DP_TURNED ? DP_TURNED_ROUND : DP_AS_WRITTEN));
}

static dp_dust_rule pair_of(const dp_rule *r)
{
    return (dp_dust_rule){.alpha = r->alpha, .beta = r->beta, .at_start = r->at_start, .at_end = r->at_end};
}

static bool refines(const dp_rule *fine, const dp_rule *broad)
{
    if (fine->kind != DP_RULE_SUB || broad->kind != DP_RULE_SUB || broad->on || broad->nunless)
        return false;
    dp_dust_rule f = pair_of(fine), b = pair_of(broad);
    return dp_dust_refines(&f, &b);
}

/* Whether each host of scope `s` is one of `of`. */
static bool scope_is_in(const dp_scope *s, const dp_scope *of)
{
    if (of->port >= 0 && of->port != s->port)
        return false;
    if (of->any || (dp_str_eq(of->name, s->name) && !s->any && of->wildcard == s->wildcard))
        return true;
    return of->wildcard && !s->any && s->name.n > of->name.n && dp_str_ends(s->name, of->name) &&
           s->name.p[s->name.n - of->name.n - 1] == '.';
}

static bool is_in(const dp_block *b, const dp_block *of)
{
    for (size_t i = 0; i < b->nscope; i++) {
        size_t k = 0;
        while (k < of->nscope && !scope_is_in(&b->scope[i], &of->scope[k]))
            k++;
        if (k == of->nscope)
            return false;
    }
    return true;
}

static bool is_of_names(const dp_rule *r)
{
    return r->kind == DP_RULE_DROP || r->kind == DP_RULE_ERASE || r->kind == DP_RULE_SET;
}

/* Whether rule `fine` says something that `broad` does not, although no URL of the list shows it: other names, or the
 * same without a condition. */
static bool says_more(const dp_rule *fine, const dp_rule *broad)
{
    if (!is_of_names(fine))
        return false;
    if (!fine->on && (broad->on || broad->nunless))
        return true;
    for (size_t i = 0; i < fine->names.n && is_of_names(broad); i++) {
        size_t k = 0;
        while (k < broad->names.n && !dp_name_fits(&broad->names.v[k], fine->names.v[i].text))
            k++;
        if (k == broad->names.n)
            return true;
    }
    return false;
}

/* Whether `fine` may fall although both do the same on the list. */
static bool is_special(const dp_rule *fine, const dp_rule *broad)
{
    return fine->kind == DP_RULE_SUB || (is_of_names(broad) && !broad->on && !broad->nunless);
}

static bool may_cover(const dp_validation *v, size_t broad, size_t fine)
{
    const dp_rule *b = v->rules->rule[broad], *f = v->rules->rule[fine];
    return broad != fine && holds(v, broad) && is_in(f->block, b->block) && !says_more(f, b);
}

/* ---- what the list shows ------------------------------------------------------------------------------ */

/* Whether rule `broad`, on the sides of `sides`, makes rule `fine` superfluous on the list. */
static dp_err covers(bool *yes, const dp_validation *v, size_t broad, uint8_t sides, size_t fine, uint8_t *by)
{
    size_t left;
    memset(by, 0, v->rules->nrule);
    by[broad] = sides;
    DP_TRY(dp_draws_covered(v->draws, fine, by, &left));
    *yes = left > 0;
    return DP_OK;
}

/* Of the rules in by[], one that rule `fine` is a special case of. */
static dp_err find_on_list(size_t *out, const dp_validation *v, size_t fine, uint8_t *by)
{
    size_t   left, n = v->rules->nrule;
    uint8_t *other = malloc(n + 1);
    if (!other)
        return DP_ENOMEM;
    dp_err code = dp_draws_covered(v->draws, fine, by, &left);
    *out = SIZE_MAX;
    for (size_t i = 0; code == DP_OK && left && i < n && *out == SIZE_MAX; i++) {
        bool same = false;
        if (!by[i])
            continue;
        if (i > fine || !is_special(v->rules->rule[fine], v->rules->rule[i]))
            code = covers(&same, v, fine, 1u << DP_AS_WRITTEN, i, other);
        if (!same)
            *out = i;
    }
    free(other);
    return code;
}

dp_err dp_broader_find(size_t *out, const dp_validation *v, size_t fine, const size_t *rule, size_t n)
{
    uint8_t *by = calloc(v->rules->nrule + 1, 1);
    bool     some = false;
    *out = SIZE_MAX;
    if (!by)
        return DP_ENOMEM;
    for (size_t i = 0; i < n && *out == SIZE_MAX; i++) {
        if (holds(v, rule[i]) && refines(v->rules->rule[fine], v->rules->rule[rule[i]]))
            *out = rule[i];
        if (may_cover(v, rule[i], fine)) {
            by[rule[i]] = side_of(v, rule[i]);
            some = true;
        }
    }
    dp_err code = some && *out == SIZE_MAX ? find_on_list(out, v, fine, by) : DP_OK;
    free(by);
    return code;
}

dp_err dp_broader_remove(dp_validation *v)
{
    size_t   n = v->rules->nrule, found;
    dp_err   code = DP_OK;
    uint8_t *by = malloc(n + 1);
    if (!by)
        return DP_ENOMEM;
    for (size_t i = 0; i < n && code == DP_OK; i++) {
        dp_verdict_of *o = &v->verdict[i];
        if ((!holds(v, i) && o->kind != DP_UNDECIDED) || v->rules->rule[i]->state == DP_PIN)
            continue;
        found = SIZE_MAX;
        for (size_t k = 0; k < n; k++) {
            by[k] = may_cover(v, k, i) ? side_of(v, k) : 0;
            if (by[k] && refines(v->rules->rule[i], v->rules->rule[k]))
                found = k;
        }
        if (found == SIZE_MAX)
            code = find_on_list(&found, v, i, by);
        if (code == DP_OK && found != SIZE_MAX) {
            o->kind = DP_REFINED;
            o->refines = found;
        }
    }
    free(by);
    return code;
}
