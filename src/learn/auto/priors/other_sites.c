/* The table: names, and the sites that speak of each.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/auto/priors/other_sites.h"
#include "learn/auto/thresholds.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/number.h"
#include "rule/attr.h"
#include "rule/rule.h"
#include "site/site.h"

static const double least_odds[DP_OTHER_SITES_ODDS] = DP_OTHER_SITES_LEAST_ODDS;
enum { FOR = 2 }; /* from that class on they speak for the name */

/* ---- one name ------------------------------------------------------------------------------ */

static dp_param_odds *find(const dp_other_sites *h, uint64_t name)
{
    for (uint32_t i = 0; i < h->n; i++)
        if (h->v[i].name == name)
            return (dp_param_odds *)&h->v[i];
    return NULL;
}

static uint32_t count_sites(const dp_param_odds *r)
{
    uint32_t n = 0;
    for (int k = 0; k < DP_OTHER_SITES_ODDS; k++)
        n += r->sites[k];
    return n;
}

/* With q = sin(t)^2 the density before anything is heard is even in t. */
void dp_odds_init(dp_odds *o)
{
    for (int i = 0; i < DP_OTHER_SITES_STEPS; i++) {
        double s = sin((i + .5) / DP_OTHER_SITES_STEPS * (M_PI / 2));
        o->q[i] = s * s;
        for (int k = 0; k < DP_OTHER_SITES_ODDS; k++)
            o->log[i][k] = log(o->q[i] * least_odds[k] + 1 - o->q[i]);
    }
}

/* E[q]. */
static double chance_of(const dp_param_odds *r, const dp_odds *o)
{
    double sites = count_sites(r), part = sites > DP_OTHER_SITES_SITES ? DP_OTHER_SITES_SITES / sites : 1;
    double most = -INFINITY, all = 0, sum = 0, weight[DP_OTHER_SITES_STEPS];
    for (int i = 0; i < DP_OTHER_SITES_STEPS; i++) {
        weight[i] = 0;
        for (int k = 0; k < DP_OTHER_SITES_ODDS; k++)
            weight[i] += part * r->sites[k] * o->log[i][k];
        most = fmax(most, weight[i]);
    }
    for (int i = 0; i < DP_OTHER_SITES_STEPS; i++) {
        double w = exp(weight[i] - most);
        all += w;
        sum += w * o->q[i];
    }
    return sum / all;
}

dp_opinion dp_other_sites_opinion(const dp_other_sites *h, const dp_odds *o, uint64_t name)
{
    const dp_param_odds *r = find(h, name);
    if (!r || !count_sites(r))
        return (dp_opinion){0};
    dp_opinion said = {.chance = chance_of(r, o), .by = r->by};
    for (int k = FOR; k < DP_OTHER_SITES_ODDS; k++)
        said.sites += r->sites[k];
    return said;
}

/* ---- sums ---------------------------------------------------------------------------------- */

/* A place for a new name. Where there is none, that of the name with the fewest sites, unless the new one has
 * fewer. */
static dp_param_odds *place_for(dp_other_sites *h, const dp_param_odds *new)
{
    if (h->n < DP_OTHER_SITES_NAMES)
        return &h->v[h->n++];
    dp_param_odds *least = &h->v[0];
    for (uint32_t i = 1; i < h->n; i++) {
        uint32_t a = count_sites(&h->v[i]), b = count_sites(least);
        if (a < b || (a == b && h->v[i].name < least->name))
            least = &h->v[i];
    }
    return count_sites(least) <= count_sites(new) ? least : NULL;
}

static void put(dp_other_sites *h, const dp_param_odds *new)
{
    dp_param_odds *r = find(h, new->name);
    if (!r) {
        if ((r = place_for(h, new)))
            *r = *new;
        return;
    }
    for (int k = 0; k < DP_OTHER_SITES_ODDS; k++) {
        uint32_t n = (uint32_t)r->sites[k] + new->sites[k];
        r->sites[k] = (uint16_t)(n < UINT16_MAX ? n : UINT16_MAX);
    }
    r->by |= new->by;
}

void dp_other_sites_add(dp_other_sites *h, const dp_other_sites *one)
{
    for (uint32_t i = 0; i < one->n; i++)
        put(h, &one->v[i]);
}

void dp_other_sites_unite(dp_other_sites *h)
{
    for (uint32_t i = 0; i < h->n; i++) {
        dp_param_odds *r = &h->v[i], one = {.name = r->name, .by = r->by};
        uint32_t       before = 0, sites = count_sites(r);
        int            k = 0;
        while (sites && before + r->sites[k] < (sites + 1) / 2)
            before += r->sites[k++];
        one.sites[k] = sites > 0;
        *r = one;
    }
}

void dp_other_sites_leave_out(dp_other_sites *h, const dp_other_sites *own)
{
    for (uint32_t i = 0; i < own->n; i++) {
        dp_param_odds *r = find(h, own->v[i].name);
        for (int k = 0; r && k < DP_OTHER_SITES_ODDS; k++)
            r->sites[k] = (uint16_t)(r->sites[k] > own->v[i].sites[k] ? r->sites[k] - own->v[i].sites[k] : 0);
    }
}

/* ---- what is said -------------------------------------------------------------------------- */

static double odds_of(double pos, double neg)
{
    return exp(pos * log1p(-DP_USUAL_NOISE) + neg * log(DP_USUAL_NOISE) - lgamma(pos + 1) - lgamma(neg + 1) +
               lgamma(pos + neg + 2));
}

/* The class of so many votes; DP_OTHER_SITES_ODDS: they say nothing. */
static int class_of(double pos, double neg)
{
    double o = odds_of(pos, neg);
    int    k = DP_OTHER_SITES_ODDS - 1;
    if (pos + neg <= 0 || (o >= 1 && o < least_odds[FOR]))
        return DP_OTHER_SITES_ODDS;
    while (k > 0 && o < least_odds[k])
        k--;
    return k;
}

void dp_other_sites_count(dp_other_sites *h, dp_str name, double pos, double neg, uint32_t by)
{
    int           k = class_of(pos, neg);
    dp_param_odds r = {.name = dp_hash_str(name), .by = (uint16_t)by};
    if (k == DP_OTHER_SITES_ODDS)
        return;
    r.sites[k] = 1;
    put(h, &r);
}

/* A number that a rule says of itself; 0: nothing. */
static double read_number(const dp_rule *r, dp_str key)
{
    const dp_attr *a = dp_attr_find(r, key);
    double         n;
    return a && dp_number_read(&n, a->value) ? n : 0;
}

static uint16_t sites_of(double n)
{
    return (uint16_t)fmin(n, DP_OTHER_SITES_SITES);
}

static uint16_t read_by(const dp_rule *r)
{
    const dp_attr *a = dp_attr_find(r, DP_STR("by"));
    uint16_t       bits = 0;
    for (size_t i = 0, j; a && i <= a->value.n; i = j + 1) {
        dp_by by;
        for (j = i; j < a->value.n && a->value.p[j] != ','; j++) {}
        if (dp_by_find(&by, dp_str_cut(a->value, i, j)))
            bits |= (uint16_t)(1u << by);
    }
    return bits;
}

static bool is_for_all(const dp_rule *r)
{
    bool any = false;
    for (size_t i = 0; i < r->block->nscope; i++)
        any |= r->block->scope[i].any;
    return any && r->state != DP_OFF && r->kind == DP_RULE_DROP && !r->has_if && !r->on && !r->nunless;
}

dp_err dp_other_sites_read(dp_other_sites *h, const dp_rules *pack)
{
    dp_buf name = {0};
    for (size_t i = 0; i < pack->nrule && !name.failed; i++) {
        const dp_rule *r = pack->rule[i];
        dp_param_odds  new = {.by = read_by(r)};
        double         sites = read_number(r, DP_STR("sites")), n = read_number(r, DP_STR("n"));
        new.sites[sites > 0 ? class_of(fmax(n / sites, 1), 0) : FOR] = sites_of(sites);
        new.sites[0] = sites_of(read_number(r, DP_STR("against")));
        for (size_t k = 0; k < r->names.n && is_for_all(r) && count_sites(&new) && !name.failed; k++) {
            dp_buf_reset(&name);
            dp_buf_byte(&name, r->names.kind);
            dp_buf_str(&name, r->names.v[k].text);
            dp_buf_c(&name, r->names.v[k].prefix ? "*" : "");
            new.name = dp_hash_str(dp_buf_view(&name));
            put(h, &new);
        }
    }
    bool failed = name.failed;
    dp_buf_done(&name);
    return failed ? DP_ENOMEM : DP_OK;
}
