/* SPDX-License-Identifier: Apache-2.0 */
#include "live/draws.h"

#include <stdlib.h>

#include "apply/compile.h"
#include "apply/engine.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/room.h"
#include "base/words/strlist.h"
#include "apply/turn.h"
#include "url/normalize.h"
#include "url/split.h"

/* A rule changes a URL; while pairs are looked for also: a URL is what the rule makes of another. */
typedef struct firing {
    uint64_t order;  /* hash of URL, rule and seed */
    uint64_t result; /* hash of what the rule makes of it */
    uint32_t url;
    uint32_t round;  /* the n-th URL of its result; while they are ordered: how often it was asked for */
} firing;

/* Two URLs of the list that a rule makes one. */
typedef struct pair {
    uint64_t order;
    uint32_t round; /* the n-th pair of its group */
    uint32_t a, b;
} pair;

/* All draws of one side of one rule. */
typedef struct side {
    firing *v; /* [n] */
    size_t  n, cap;
    pair   *pair; /* [npair] */
    size_t  npair;
} side;

struct dp_draws {
    uint64_t        seed;
    const dp_rules *rules;
    const dp_rule **turned; /* [rules] NULL: it has no other side */
    dp_engine       engine[DP_DIRECTIONS];
    bool            has[DP_DIRECTIONS];
    dp_scratch     *scratch;
    side           *side[DP_DIRECTIONS]; /* [rules] */
    dp_branches    *branches[DP_DIRECTIONS]; /* [rules] */
    dp_intern       known;               /* URLs to their numbers */
    dp_strlist      urls;
    uint32_t       *hits; /* [urls.n] how often each was asked for */
    size_t          hits_cap;
    dp_arena        arena;
    dp_buf          form, copy;
    /* what the callback looks at */
    dp_direction at;
    uint32_t     url, wanted;
    uint64_t     hash;
    bool         failed;
    uint64_t    *made; /* [rules] hash of what each rule makes of the text at hand */
};

/* ---- engines ----------------------------------------------------------------------------- */

static dp_err turn_rules(dp_draws *d)
{
    const dp_rules *r = d->rules;
    if (!(d->turned = DP_NEWS(&d->arena, r->nrule, const dp_rule *)))
        return DP_ENOMEM;
    for (size_t i = 0; i < r->nrule; i++)
        if (dp_rule_state(r->rule[i]) != DP_OFF)
            DP_TRY(dp_rule_turn(&d->turned[i], r->rule[i], &d->arena));
    return DP_OK;
}

const dp_rule *dp_draws_turned(const dp_draws *d, size_t rule)
{
    return d->turned[rule];
}

const dp_branches *dp_draws_branches(const dp_draws *d, size_t rule, dp_direction at)
{
    return &d->branches[at][rule];
}

static dp_err list_branches(dp_draws *d, dp_direction at)
{
    const dp_rules *r = d->rules;
    if (!(d->branches[at] = DP_NEWS(&d->arena, r->nrule, dp_branches)))
        return DP_ENOMEM;
    for (size_t i = 0; i < r->nrule; i++) {
        const dp_rule *one = at == DP_TURNED_ROUND ? d->turned[i] : r->rule[i];
        if (one)
            DP_TRY(dp_branches_take(&d->branches[at][i], one, &d->arena));
    }
    return DP_OK;
}

/* The rules that one side is about, all able to fire, as a view in the arena. */
static dp_err view_rules(dp_rules *out, dp_draws *d, dp_direction at)
{
    const dp_rules *r = d->rules;
    dp_arena       *a = &d->arena;
    dp_block *blocks = DP_NEWS(a, r->nblock, dp_block);
    dp_rule  *rules = DP_NEWS(a, r->nrule, dp_rule);
    *out = (dp_rules){.block = DP_NEWS(a, r->nblock, dp_block *), .rule = DP_NEWS(a, r->nrule, dp_rule *)};
    if (!blocks || !rules || !out->block || !out->rule)
        return DP_ENOMEM;
    for (size_t i = 0; i < r->nblock; i++) {
        dp_block *b = &blocks[i];
        *b = *r->block[i];
        b->rule = out->rule + out->nrule;
        for (size_t j = 0; j < b->nrule; j++, out->nrule++) {
            const dp_rule *from = r->block[i]->rule[j];
            dp_rule       *to = &rules[out->nrule];
            const dp_rule *turned = d->turned[out->nrule];
            *to = at == DP_TURNED_ROUND && turned ? *turned : *from;
            if (at == DP_TURNED_ROUND && !turned)
                to->state = DP_OFF;
            else if (from->state == DP_LIKELY)
                to->state = DP_ACTIVE;
            to->block = b;
            out->rule[out->nrule] = to;
        }
        out->block[i] = b;
        out->nblock++;
    }
    return DP_OK;
}

/* Rules together may loop (a rule and itself exchanged do); each is run alone and once here. */
static dp_err make_engine(dp_draws *d, dp_direction at, dp_error *err)
{
    dp_rules view;
    DP_TRY(list_branches(d, at));
    DP_TRY(view_rules(&view, d, at));
    DP_TRY(dp_compile(&d->engine[at].im, &view, err));
    d->has[at] = true;
    d->side[at] = calloc(d->rules->nrule ? d->rules->nrule : 1, sizeof *d->side[at]);
    return d->side[at] ? DP_OK : DP_ENOMEM;
}

dp_err dp_draws_new(dp_draws **out, const dp_rules *r, uint64_t seed, dp_error *err)
{
    dp_draws *d = calloc(1, sizeof *d);
    if (!d)
        return dp_no_memory(err);
    d->seed = seed;
    d->rules = r;
    dp_err code = dp_scratch_new(&d->scratch);
    if (code == DP_OK)
        code = turn_rules(d);
    if (code == DP_OK && !(d->made = DP_NEWS(&d->arena, r->nrule, uint64_t)))
        code = DP_ENOMEM;
    for (int at = 0; at < DP_DIRECTIONS && code == DP_OK; at++)
        code = make_engine(d, (dp_direction)at, err);
    if (code != DP_OK) {
        dp_draws_free(d);
        return code == DP_ENOMEM ? dp_no_memory(err) : code;
    }
    *out = d;
    return DP_OK;
}

void dp_draws_free(dp_draws *d)
{
    if (!d)
        return;
    for (int at = 0; at < DP_DIRECTIONS; at++) {
        for (size_t i = 0; d->side[at] && i < d->rules->nrule; i++) {
            free(d->side[at][i].v);
            free(d->side[at][i].pair);
        }
        free(d->side[at]);
        if (d->has[at])
            dp_image_done(&d->engine[at].im);
    }
    dp_scratch_free(d->scratch);
    dp_intern_done(&d->known);
    dp_strlist_done(&d->urls);
    free(d->hits);
    dp_arena_done(&d->arena);
    dp_buf_done(&d->form);
    dp_buf_done(&d->copy);
    free(d);
}

/* ---- URLs -------------------------------------------------------------------------------- */

bool dp_draws_form(dp_buf *out, dp_str url)
{
    dp_split s;
    dp_buf   whole = {0};
    if (!dp_split_url(&s, url))
        return false;
    if (s.has_scheme)
        return dp_normalize(out, url);
    dp_buf_c(&whole, "http://");
    dp_buf_str(&whole, url);
    bool good = !whole.failed && dp_normalize(out, dp_buf_view(&whole));
    out->failed |= whole.failed;
    dp_buf_done(&whole);
    return good;
}

static void note_firing(void *ctx, uint32_t rule, dp_str text)
{
    dp_draws *d = ctx;
    side     *s = &d->side[d->at][rule];
    if (!DP_ROOM(s->v, s->n, s->cap)) {
        d->failed = true;
        return;
    }
    /* The id is that of the rule as written: both sides draw alike. */
    uint64_t order = dp_hash_fold(dp_hash_fold(d->hash, d->rules->rule[rule]->id), d->seed);
    s->v[s->n++] = (firing){order, dp_hash_str(text), d->url, 0};
}

static void add_hits(dp_draws *d, uint32_t url, uint64_t hits)
{
    uint64_t sum = d->hits[url] + (hits < UINT32_MAX ? hits : UINT32_MAX);
    d->hits[url] = sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
}

dp_err dp_draws_add(dp_draws *d, dp_str url, uint64_t hits, bool *is_url)
{
    uint32_t number;
    dp_buf_reset(&d->form);
    *is_url = dp_draws_form(&d->form, url);
    if (!*is_url)
        return d->form.failed ? DP_ENOMEM : DP_OK;
    dp_str form = dp_buf_view(&d->form);
    if (dp_intern_find(&d->known, form, &number)) {
        add_hits(d, number, hits);
        return DP_OK;
    }
    if (d->urls.n >= UINT32_MAX)
        return DP_ELIMIT;
    if (!DP_ROOM(d->hits, d->urls.n, d->hits_cap))
        return DP_ENOMEM;
    d->hits[d->urls.n] = 0;
    add_hits(d, (uint32_t)d->urls.n, hits);
    d->url = (uint32_t)d->urls.n;
    d->hash = dp_hash_str(form);
    if (!dp_intern_add(&d->known, form, d->url) || !dp_strlist_add(&d->urls, form))
        return DP_ENOMEM;
    for (int at = 0; at < DP_DIRECTIONS; at++) {
        d->at = (dp_direction)at;
        if (!dp_engine_each(&d->engine[at], d->scratch, form, note_firing, d).p || d->failed)
            return DP_ENOMEM;
    }
    return DP_OK;
}

size_t dp_draws_urls(const dp_draws *d)
{
    return d->urls.n;
}

/* ---- order ------------------------------------------------------------------------------- */

static int cmp64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Rounds first; in a round by chance. */
static int by_order(const void *x, const void *y)
{
    const firing *a = x, *b = y;
    if (a->round != b->round)
        return cmp64(a->round, b->round);
    return a->order != b->order ? cmp64(a->order, b->order) : cmp64(a->url, b->url);
}

/* While `round` is how often a URL was asked for: the most frequent of a result first. */
static int by_result(const void *x, const void *y)
{
    const firing *a = x, *b = y;
    if (a->result != b->result)
        return cmp64(a->result, b->result);
    if (a->round != b->round)
        return cmp64(b->round, a->round);
    return a->order != b->order ? cmp64(a->order, b->order) : cmp64(a->url, b->url);
}

static int by_round(const void *x, const void *y)
{
    const pair *a = x, *b = y;
    return a->round != b->round ? cmp64(a->round, b->round) : cmp64(a->order, b->order);
}

/* Number the URLs of each result; neighbours among them are pairs. `s` is sorted by result. */
static dp_err find_pairs(side *s)
{
    s->pair = malloc(s->n * sizeof *s->pair);
    if (!s->pair)
        return DP_ENOMEM;
    s->v[0].round = 0;
    for (size_t i = 1, round = 0; i < s->n; i++) {
        round = s->v[i].result == s->v[i - 1].result ? round + 1 : 0;
        s->v[i].round = (uint32_t)round;
        if (round)
            s->pair[s->npair++] = (pair){s->v[i - 1].order, (uint32_t)round, s->v[i - 1].url, s->v[i].url};
    }
    qsort(s->pair, s->npair, sizeof *s->pair, by_round);
    return DP_OK;
}

/* Which of its list a URL counts for: the rarest that it has; `n`: none. */
static size_t rarest(uint64_t has, const size_t *urls, size_t n)
{
    size_t best = n;
    for (size_t k = 0; k < n; k++)
        if (has >> k & 1 && (best == n || urls[k] < urls[best]))
            best = k;
    return best;
}

/* What two URLs have of a list. */
static uint64_t list_of(const dp_draws *d, const dp_branches *b, uint32_t u, uint32_t v)
{
    uint64_t has = dp_branches_of(b, dp_strlist_get(&d->urls, u));
    return u == v ? has : has | dp_branches_of(b, dp_strlist_get(&d->urls, v));
}

/* Each name or value of a list has its turn: the n-th draw of one comes before the next of any. */
static void take_turns(const dp_draws *d, const dp_branches *b, side *s)
{
    size_t urls[DP_BRANCHES] = {0}, direct[DP_BRANCHES + 1] = {0}, pairs[DP_BRANCHES + 1] = {0};
    for (size_t i = 0; i < s->n; i++) {
        uint64_t has = list_of(d, b, s->v[i].url, s->v[i].url);
        for (size_t k = 0; k < b->n; k++)
            urls[k] += has >> k & 1;
    }
    for (size_t i = 0; i < s->n; i++) {
        firing *one = &s->v[i];
        one->round = (uint32_t)direct[rarest(list_of(d, b, one->url, one->url), urls, b->n)]++;
    }
    for (size_t i = 0; i < s->npair; i++) {
        pair *one = &s->pair[i];
        one->round = (uint32_t)pairs[rarest(list_of(d, b, one->a, one->b), urls, b->n)]++;
    }
    qsort(s->v, s->n, sizeof *s->v, by_order);
    qsort(s->pair, s->npair, sizeof *s->pair, by_round);
}

dp_err dp_draws_finish(dp_draws *d)
{
    for (int at = 0; at < DP_DIRECTIONS; at++)
        for (size_t i = 0; i < d->rules->nrule; i++) {
            side *s = &d->side[at][i];
            if (s->n == 0)
                continue;
            for (size_t k = 0; k < s->n; k++)
                s->v[k].round = d->hits[s->v[k].url];
            qsort(s->v, s->n, sizeof *s->v, by_result);
            DP_TRY(find_pairs(s));
            qsort(s->v, s->n, sizeof *s->v, by_order);
            if (d->branches[at][i].n)
                take_turns(d, &d->branches[at][i], s);
        }
    return DP_OK;
}

/* ---- draws ------------------------------------------------------------------------------- */

size_t dp_draws_direct(const dp_draws *d, size_t rule, dp_direction at)
{
    return d->side[at][rule].n;
}

size_t dp_draws_pairs(const dp_draws *d, size_t rule, dp_direction at)
{
    return d->side[at][rule].npair;
}

static void keep_result(void *ctx, uint32_t rule, dp_str text)
{
    dp_draws *d = ctx;
    if (rule == d->wanted) {
        dp_buf_reset(&d->copy);
        dp_buf_str(&d->copy, text);
    }
}

dp_err dp_draws_get(dp_draws *d, size_t rule, dp_direction at, bool pairs, size_t i, dp_drawn *out)
{
    const side *s = &d->side[at][rule];
    out->u = dp_strlist_get(&d->urls, pairs ? s->pair[i].a : s->v[i].url);
    d->wanted = (uint32_t)rule;
    if (!dp_engine_each(&d->engine[at], d->scratch, out->u, keep_result, d).p || d->copy.failed)
        return DP_ENOMEM;
    out->result = dp_buf_view(&d->copy);
    out->v = pairs ? dp_strlist_get(&d->urls, s->pair[i].b) : out->result;
    return DP_OK;
}

/* ---- rules that do the same ------------------------------------------------------------------ */

static void note_made(void *ctx, uint32_t rule, dp_str text)
{
    dp_draws *d = ctx;
    d->made[rule] = dp_hash_str(text);
}

/* A side of a rule that may do the same as another rule. */
typedef struct rival {
    uint32_t     rule;
    dp_direction at;
    uint64_t     made; /* of the first of two texts */
} rival;

/* What the rivals of side `at` make of `text`, by the hash, into d->made; itself where they do not fire. */
static dp_err make_all(dp_draws *d, dp_direction at, const rival *v, size_t n, dp_str text)
{
    for (size_t i = 0; i < n; i++)
        d->made[v[i].rule] = 0;
    dp_str form = dp_engine_each(&d->engine[at], d->scratch, text, note_made, d);
    if (!form.p)
        return DP_ENOMEM;
    uint64_t hash = dp_hash_str(form);
    for (size_t i = 0; i < n; i++)
        if (!d->made[v[i].rule])
            d->made[v[i].rule] = hash;
    return DP_OK;
}

/* Leave the rivals that make `u` and `v` one; those of one side stand together. */
static dp_err compare(dp_draws *d, rival *rivals, size_t *n, dp_str u, dp_str v)
{
    size_t kept = 0;
    for (size_t i = 0, j; i < *n; i = j) {
        dp_direction at = rivals[i].at;
        for (j = i + 1; j < *n && rivals[j].at == at; j++) {}
        DP_TRY(make_all(d, at, rivals + i, j - i, u));
        for (size_t k = i; k < j; k++)
            rivals[k].made = d->made[rivals[k].rule];
        DP_TRY(make_all(d, at, rivals + i, j - i, v));
        for (size_t k = i; k < j; k++)
            if (rivals[k].made == d->made[rivals[k].rule])
                rivals[kept++] = rivals[k];
    }
    *n = kept;
    return DP_OK;
}

static size_t list_rivals(rival *out, const uint8_t *by, size_t n)
{
    size_t rivals = 0;
    for (int at = 0; at < DP_DIRECTIONS; at++)
        for (size_t i = 0; i < n; i++)
            if (by[i] >> at & 1)
                out[rivals++] = (rival){(uint32_t)i, (dp_direction)at, 0};
    return rivals;
}

dp_err dp_draws_covered(dp_draws *d, size_t rule, uint8_t *by, size_t *left)
{
    size_t rules = d->rules->nrule, first = dp_draws_direct(d, rule, DP_AS_WRITTEN);
    size_t draws = first + dp_draws_direct(d, rule, DP_TURNED_ROUND), n = 0;
    rival *rivals = malloc((2 * rules + 1) * sizeof *rivals);
    dp_buf v = {0};
    dp_err code = rivals ? DP_OK : DP_ENOMEM;
    if (code == DP_OK && draws)
        n = list_rivals(rivals, by, rules);
    for (size_t i = 0; i < draws && n && code == DP_OK; i++) {
        dp_drawn     one = {0};
        dp_direction at = i < first ? DP_AS_WRITTEN : DP_TURNED_ROUND;
        code = dp_draws_get(d, rule, at, false, i < first ? i : i - first, &one);
        dp_buf_reset(&v);
        dp_buf_str(&v, one.result);
        if (code == DP_OK)
            code = v.failed ? DP_ENOMEM : compare(d, rivals, &n, one.u, dp_buf_view(&v));
    }
    memset(by, 0, rules);
    for (size_t i = 0; i < n && code == DP_OK; i++)
        by[rivals[i].rule] |= (uint8_t)(1u << rivals[i].at);
    *left = n;
    dp_buf_done(&v);
    free(rivals);
    return code;
}
