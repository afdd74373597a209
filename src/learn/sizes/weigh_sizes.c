/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/sizes/weigh_sizes.h"

#include <math.h>
#include <stdlib.h>

#include "base/keyed.h"
#include "base/order.h"
#include "judge/bound.h"
#include "judge/groups.h"
#include "learn/sizes/label_sizes.h"
#include "learn/sizes/orders.h"
#include "learn/sizes/swaps.h"
#include "learn/sizes/tell_pairs.h"
#include "site/fact.h"
#include "site/usual.h"
#include "url/asset.h"

#define ASSET_VOTE   .1 /* of a group of assets */
#define GUESSED      .5 /* of a group that nothing links */
#define EQUAL_LENGTH .5 /* of a group whose URLs have one length */
#define UNPROVEN     .6 /* what may be believed of a rule where equal sizes prove nothing: docs/results/logs.txt */
#define SWITCHES     .8 /* what may be believed of a rule where only what a switch adds was taken off */
#define CROWDED      .1 /* of the groups that speak have one size: so have then related pages that differ */
#define FEW_GROUPS   6  /* that must speak before a rule is believed on its own */
#define FEW_LENGTHS  3  /* of the URLs of a form that always shows one page, before that is believed */
#define MANY_VALUES  10 /* groups of URLs of one length that show a value to be needless all the same: a session's */

/* What was counted for one rule. */
typedef struct tally {
    double   pos, neg;         /* votes */
    uint32_t groups, longer;   /* that speak for it; of these, with URLs of different length */
    uint32_t pages;            /* of the groups, that are no pictures, scripts or styles */
    uint32_t lengths;          /* most different lengths in a group, up to 4 */
    uint32_t pairs, unproven;  /* that agree; of these, in a way that proves nothing */
    uint32_t sorted, tested;   /* of the pairs, in another order of rows; of these, where another order would show */
    uint32_t guessed;          /* of the pairs, equal only without what may be words of the page */
    uint32_t numbers;          /* of the pairs, that differ in digits alone */
    uint32_t gone;             /* URLs that it leads to a 404 */
    uint64_t merged;           /* URLs, by the rule alone */
    dp_members sizes;          /* key: size of a group that speaks for it */
} tally;

typedef struct weighing {
    const dp_weigh_task *t;
    tally               *v;      /* [proposals] each alone */
    tally               *together; /* [proposals] among all rules */
    dp_keyed            *place;  /* [site->n] hash of a URL, its number; sorted */
    dp_members           alone;  /* key: what becomes of a URL; tag: proposal; item: URL */
    dp_members           fired;  /* key, item: URL; tag: proposal */
    uint32_t             url;    /* at hand */
    uint8_t             *tells;  /* [site->n] its list has another size in another order (learn/sizes/orders.h) */
    bool                 links;  /* the log says from where its URLs were reached */
    uint32_t            *group;  /* [group_cap] URLs */
    size_t               ngroup, group_cap;
    dp_pair_teller       teller;
    bool                 failed; /* memory is out */
} weighing;

/* ---- URLs --------------------------------------------------------------------------------------------------- */

static bool index_urls(weighing *w)
{
    const dp_site *s = w->t->site;
    w->place = malloc((2 * s->n + 1) * sizeof *w->place);
    for (size_t i = 0; w->place && i < s->n; i++)
        w->place[i] = (dp_keyed){dp_fact_hash(s->url[i]), (uint32_t)i};
    if (w->place)
        dp_keyed_sort(w->place, w->place + s->n, s->n, UINT64_MAX);
    return w->place != NULL;
}

/* The number of the URL with this hash; UINT32_MAX: the log does not have it. */
static uint32_t find_url(const weighing *w, uint64_t hash)
{
    size_t i;
    DP_BISECT(i, w->t->site->n, w->place[i].key < hash);
    return i < w->t->site->n && w->place[i].key == hash ? w->place[i].item : UINT32_MAX;
}

/* Whether a tenth of the URLs were reached from others: then referrers are logged, and people use the site. */
static bool has_links(const dp_site *s)
{
    size_t n = 0;
    for (size_t i = 0; s->linked && i < s->n; i++)
        n += s->linked[i] > 0;
    return n && 10 * n >= s->n;
}

/* ---- one group ---------------------------------------------------------------------------------------------- */

static bool add_url(weighing *w, uint32_t url)
{
    if (w->t->site->usual[url] == DP_NO_SIZE)
        return true;
    if (!DP_ROOM(w->group, w->ngroup, w->group_cap))
        return false;
    w->group[w->ngroup++] = url;
    return true;
}

static bool is_near(const dp_site *s, uint32_t a, uint32_t b)
{
    uint32_t x = s->usual[a], y = s->usual[b];
    if (s->tag && s->tag[a] && s->tag[b] && s->tag[a] != s->tag[b])
        return false;
    return (x > y ? x - y : y - x) <= s->spread;
}

/* The URL of the group with which most agree; the first of them. A look at some is enough. */
static uint32_t find_middle(const weighing *w)
{
    enum { LOOKS = 16 };
    size_t   step = w->ngroup / LOOKS + 1, most = 0;
    uint32_t best = w->group[0];
    for (size_t i = 0; i < w->ngroup; i += step) {
        size_t n = 0;
        for (size_t k = 0; k < w->ngroup; k++)
            n += is_near(w->t->site, w->group[i], w->group[k]);
        if (n > most) {
            most = n;
            best = w->group[i];
        }
    }
    return best;
}

static uint32_t count_lengths(const weighing *w, uint32_t middle)
{
    size_t   seen[4] = {0};
    uint32_t n = 0;
    for (size_t i = 0; i < w->ngroup && n < DP_COUNT(seen); i++) {
        size_t   length = w->t->site->url[w->group[i]].n;
        uint32_t k = 0;
        while (k < n && seen[k] != length)
            k++;
        if (k == n && is_near(w->t->site, middle, w->group[i]))
            seen[n++] = length;
    }
    return n;
}

/* Pairs that agree are looked at, a few of each group. */
static void look_at_pairs(weighing *w, tally *t, uint32_t middle)
{
    enum { LOOKS = 4 };
    const dp_site *s = w->t->site;
    for (size_t i = 0, n = 0; i < w->ngroup && n < LOOKS; i++) {
        if (w->group[i] == middle || !is_near(s, middle, w->group[i]))
            continue;
        t->pairs++;
        bool proves_nothing = dp_pair_proves_nothing(&w->teller, s->url[w->group[i]], s->url[middle]);
        bool sorts = proves_nothing && w->teller.sorts;
        t->unproven += proves_nothing && !sorts;
        t->sorted += sorts;
        t->tested += sorts && w->tells[w->group[i]];
        t->guessed += s->guessed && s->guessed[w->group[i]] != s->guessed[middle];
        t->numbers += dp_pair_has_other_numbers(s->url[w->group[i]], s->url[middle]);
        n++;
    }
    w->failed |= w->teller.failed;
}

/* Whether the URLs of the group, but for the page's own, were asked for once each, and from nowhere on the site. */
static bool is_guessed(const weighing *w)
{
    const dp_site *s = w->t->site;
    size_t         known = 0;
    for (size_t i = 0; w->links && i < w->ngroup; i++)
        known += s->linked[w->group[i]] || (s->hits && s->hits[w->group[i]] > 1);
    return w->links && known <= 1;
}

/* The URLs of w->group become one: what do their sizes say of the rule? */
static void hear_group(weighing *w, tally *t)
{
    const dp_site *s = w->t->site;
    if (w->ngroup < 2)
        return;
    uint32_t middle = find_middle(w), lengths = count_lengths(w, middle), agree = 0;
    for (size_t i = 0; i < w->ngroup; i++)
        agree += w->group[i] != middle && is_near(s, middle, w->group[i]);
    double all = (double)w->ngroup - 1, share = agree / all;
    double weight = dp_url_is_asset(s->url[middle]) ? ASSET_VOTE : is_guessed(w) ? GUESSED : 1;
    t->neg += weight * (share > .5 ? 1 - share : all - agree);
    if (share <= .5)
        return;
    t->pos += weight * share * (lengths > 1 ? 1 : EQUAL_LENGTH);
    t->groups++;
    t->pages += !dp_url_is_asset(s->url[middle]);
    t->longer += lengths > 1;
    t->lengths = lengths > t->lengths ? lengths : t->lengths;
    w->failed |= !dp_members_push(&t->sizes, (dp_member){.key = s->usual[middle]});
    look_at_pairs(w, t, middle);
}

/* ---- each rule alone ---------------------------------------------------------------------------------------- */

static void note_alone(void *ctx, uint32_t rule, dp_str text)
{
    weighing *w = ctx;
    uint64_t  key = dp_fact_hash(text);
    uint32_t  p = w->t->proposal[rule], target = find_url(w, key);
    if (dp_sizes_is_gone(w->t->site, w->url))
        return;
    w->v[p].gone += target != UINT32_MAX && dp_sizes_is_gone(w->t->site, target);
    w->failed |= !dp_members_push(&w->alone, (dp_member){key, p, w->url});
}

static dp_err try_alone(weighing *w, dp_scratch *scratch)
{
    const dp_site *s = w->t->site;
    for (size_t i = 0; i < s->n; i++) {
        w->url = (uint32_t)i;
        if (!dp_engine_each(w->t->engine, scratch, s->url[i], note_alone, w).p || w->failed)
            return DP_ENOMEM;
    }
    dp_members_sort(w->alone.v, w->alone.n);
    for (size_t i = 0, j; i < w->alone.n; i = j) {
        uint32_t target = find_url(w, w->alone.v[i].key);
        bool     ok = true, is_in = false;
        w->ngroup = 0;
        for (j = i; j < w->alone.n && dp_member_same(&w->alone.v[i], &w->alone.v[j]); j++) {
            ok = ok && add_url(w, w->alone.v[j].item);
            is_in |= w->alone.v[j].item == target;
        }
        if (!ok || (target != UINT32_MAX && !is_in && !add_url(w, target)))
            return DP_ENOMEM;
        hear_group(w, &w->v[w->alone.v[i].tag]);
        w->v[w->alone.v[i].tag].merged += w->ngroup > 1 ? w->ngroup - 1 : 0;
    }
    return w->failed ? DP_ENOMEM : DP_OK;
}

/* ---- all rules together ------------------------------------------------------------------------------------- */

static bool note_firing(void *ctx, uint32_t rule, dp_str text)
{
    weighing *w = ctx;
    (void)text;
    w->failed |= !dp_members_push(&w->fired, (dp_member){0, w->t->proposal[rule], w->url});
    return true;
}

/* One group of equal keys, for each rule that fired in it and has not spoken alone. */
static dp_err hear_together(weighing *w, const dp_member *v, size_t n, const uint8_t *asks)
{
    w->ngroup = 0;
    for (size_t i = 0; i < n; i++) {
        if ((!i || v[i].item != v[i - 1].item) && !add_url(w, v[i].item))
            return DP_ENOMEM;
    }
    for (size_t i = 0; i < n; i++) {
        bool is_first = v[i].tag != UINT32_MAX && asks[v[i].tag];
        for (size_t k = 0; k < i && is_first; k++)
            is_first = v[k].tag != v[i].tag;
        if (is_first)
            hear_group(w, &w->together[v[i].tag]);
    }
    return w->failed ? DP_ENOMEM : DP_OK;
}

static int by_key_item(const void *a, const void *b)
{
    const dp_member *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->item != y->item)
        return x->item < y->item ? -1 : 1;
    return (x->tag > y->tag) - (x->tag < y->tag);
}

static dp_err try_together(weighing *w, dp_scratch *scratch, const uint8_t *asks)
{
    const dp_site *s = w->t->site;
    for (size_t i = 0; i < s->n; i++) {
        size_t from = w->fired.n;
        w->url = (uint32_t)i;
        dp_str key = dp_engine_run(w->t->engine, scratch, DP_KEY, s->url[i], note_firing, w);
        if (!key.p || w->failed || !dp_members_push(&w->fired, (dp_member){0, UINT32_MAX, (uint32_t)i}))
            return DP_ENOMEM;
        for (size_t k = from; k < w->fired.n; k++)
            w->fired.v[k].key = dp_fact_hash(key);
    }
    qsort(w->fired.v, w->fired.n, sizeof *w->fired.v, by_key_item);
    for (size_t i = 0, j; i < w->fired.n; i = j) {
        for (j = i + 1; j < w->fired.n && w->fired.v[j].key == w->fired.v[i].key; j++) {}
        DP_TRY(hear_together(w, w->fired.v + i, j - i, asks));
    }
    return DP_OK;
}

/* ---- verdicts ----------------------------------------------------------------------------------------------- */

/* The chance that two groups that speak for the rule have one size. */
static double by_accident(const weighing *w, tally *t)
{
    dp_member *v = t->sizes.v;
    size_t     n = t->sizes.n;
    double     same = 0;
    if (n < 2)
        return 0;
    dp_members_sort(v, n);
    for (size_t i = 0, from = 0; i < n; i++) {
        while (v[i].key - v[from].key > w->t->site->spread)
            from++;
        same += (double)(i - from);
    }
    return same / ((double)n * ((double)n - 1) / 2);
}

/* Whether the rule puts one thing for another of its kind, in pages that may show it: on the logs of applications one
 * of ten such rules was right. */
static bool puts_alike(const tally *t, dp_str rule, double q)
{
    if (dp_swaps_numbers(rule) || dp_swaps_ids(rule) || (q > CROWDED && dp_swaps_in_text(rule)))
        return true;
    return dp_swaps(rule) && (2 * t->numbers > t->pairs || (!t->longer && t->groups < MANY_VALUES));
}

static double believe(const weighing *w, tally *t, const dp_proposal *p)
{
    double q = by_accident(w, t), neg = t->neg + t->gone, n = t->pos + neg;
    if (t->groups && !t->pages && dp_moves(p->text))
        return 0; /* copies of pictures, scripts and styles in other folders say nothing of the next */
    if (p->urls) /* a form that always shows one page: draws, not pages */
        return t->lengths < FEW_LENGTHS || neg > 0 ? 0 : p->p;
    if (!t->groups)
        return UNPROVEN * (neg > 0 ? 0 : 1);
    double share = fmax(0, (t->pos / n - q) / (1 - fmin(q, .99)));
    double sure = dp_bound_precision(&DP_BOUND_INIT, share * n * (1 - q), n * (1 - q));
    double doubt = (double)(t->unproven + (t->tested < FEW_GROUPS ? t->sorted : 0)) / t->pairs;
    double told = t->groups * (q > CROWDED ? 1 - q : 1);
    if (w->t->site->spread && told < FEW_GROUPS / 2.)
        return 0; /* where pages differ from one fetch to the next, as many groups are equal by accident */
    if (t->tested < FEW_GROUPS && puts_alike(t, p->text, q))
        return 0;
    bool unproven = told < FEW_GROUPS || (!t->longer && t->groups < MANY_VALUES && t->tested < FEW_GROUPS);
    sure *= (1 - (1 - UNPROVEN) * doubt) * (1 - (1 - SWITCHES) * t->guessed / t->pairs);
    return fmin(p->p, unproven ? fmin(sure, UNPROVEN) : sure);
}

static void decide(weighing *w, dp_proposals *p, uint8_t *in)
{
    for (size_t i = 0; i < p->n; i++) {
        tally *t = &w->v[i];
        if (!in[i] || p->v[i].is_order)
            continue;
        p->v[i].p = believe(w, t, &p->v[i]);
        p->v[i].n = p->v[i].urls ? p->v[i].n : (uint64_t)(t->pos + .5);
        p->v[i].neg = (uint64_t)(t->neg + t->gone + .5);
        p->v[i].save = t->merged;
        in[i] = p->v[i].p >= DP_SIZES_LEAST;
    }
}

/* What groups say of a rule alone they say once more among all rules: that is not counted twice. */
static void take_more(tally *alone, tally *together)
{
    if (together->groups <= alone->groups) {
        alone->neg = fmax(alone->neg, together->neg);
        return;
    }
    tally was = *alone;
    *alone = *together;
    alone->merged = was.merged;
    alone->gone = was.gone;
    *together = was;
}

static dp_err work(weighing *w, const dp_proposals *p, const uint8_t *in, dp_scratch *scratch)
{
    DP_TRY(try_alone(w, scratch));
    uint8_t *asks = calloc(p->n + 1, sizeof *asks);
    bool     any = false;
    if (!asks)
        return DP_ENOMEM;
    for (size_t i = 0; i < p->n; i++) {
        asks[i] = in[i] && w->v[i].groups < FEW_GROUPS && !p->v[i].urls && w->v[i].neg == 0;
        any |= asks[i];
    }
    dp_err code = any ? try_together(w, scratch, asks) : DP_OK;
    for (size_t i = 0; i < p->n; i++)
        take_more(&w->v[i], &w->together[i]);
    free(asks);
    return code;
}

dp_err dp_weigh_sizes(dp_proposals *p, uint8_t *in, const dp_weigh_task *t)
{
    weighing    w = {.t = t, .v = calloc(p->n + 1, sizeof(tally)), .links = has_links(t->site),
                     .teller.newest = t->site->newest_version};
    dp_scratch *scratch = NULL;
    w.together = calloc(p->n + 1, sizeof(tally));
    w.tells = dp_orders_tell(t->site);
    dp_err code = w.v && w.together && w.tells && index_urls(&w) ? dp_scratch_new(&scratch) : DP_ENOMEM;
    if (code == DP_OK)
        code = work(&w, p, in, scratch);
    if (code == DP_OK)
        decide(&w, p, in);
    for (size_t i = 0; i < p->n; i++) {
        if (w.v)
            free(w.v[i].sizes.v);
        if (w.together)
            free(w.together[i].sizes.v);
    }
    free(w.v);
    free(w.together);
    free(w.tells);
    free(w.place);
    free(w.alone.v);
    free(w.fired.v);
    free(w.group);
    dp_pair_teller_done(&w.teller);
    dp_scratch_free(scratch);
    return code;
}
