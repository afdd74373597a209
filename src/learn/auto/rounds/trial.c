/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/rounds/trial.h"

#include <stdlib.h>

#include "base/room.h"
#include "learn/auto/propose/blanks.h"
#include "learn/auto/propose/company.h"
#include "learn/auto/propose/facets.h"
#include "learn/auto/propose/moved.h"
#include "learn/auto/rounds/lookback.h"
#include "learn/auto/rounds/round.h"
#include "learn/auto/thresholds.h"

enum {
    MOST_TRIALS = 24,
    UNKNOWN = 63 /* the bit of dp_recall.fired that only URLs have of which nothing is known */
};

/* ---- what is proposed ------------------------------------------------------------------------ */

/* The name of "drop ?name", "erase ?name", "drop ?name if =value" behind the word; the rest in `*rest`. */
static dp_str name_behind(dp_str text, dp_str head, dp_str *rest)
{
    size_t end = head.n;
    while (end < text.n && text.p[end] != ' ' && text.p[end] != ',' && text.p[end] != '*')
        end++;
    *rest = dp_str_cut(text, end, text.n);
    return dp_str_cut(text, head.n, end);
}

/* What pages say of a parameter. */
typedef struct wanted {
    dp_str   name;
    uint32_t pages;     /* that propose to drop it */
    bool     exchanged; /* one value stood for another */
    dp_str   value[2];  /* as " if =value": those that stood for nothing */
    uint32_t nvalue, of[2]; /* of: the ideas */
    uint32_t empty, any;    /* the idea to drop it where it is empty, + 1; the one to drop it, + 1 */
} wanted;

static void note_value(wanted *w, dp_str rest, uint32_t idea)
{
    if (dp_str_eq(rest, DP_STR(" if ="))) {
        w->empty = idea + 1;
    } else if (w->nvalue < 2) {
        w->of[w->nvalue] = idea;
        w->value[w->nvalue++] = rest;
    }
}

/* All ideas about the parameter of one that drops it, whatever its value is. */
static wanted ask(const dp_ideas *ideas, uint32_t drop)
{
    dp_str head = DP_STR("drop ?"), erase = DP_STR("erase ?"), rest;
    wanted w = {.name = name_behind(ideas->v[drop].text[0], head, &rest), .pages = ideas->v[drop].clusters,
                .any = drop + 1};
    for (uint32_t i = 0; i < ideas->n; i++) {
        dp_str text = ideas->v[i].text[0];
        if (dp_str_starts(text, erase))
            w.exchanged |= dp_str_eq(name_behind(text, erase, &rest), w.name) && !rest.n;
        else if (dp_str_starts(text, head) && dp_str_eq(name_behind(text, head, &rest), w.name) &&
                 dp_str_starts(rest, DP_STR(" if =")))
            note_value(&w, rest, i);
    }
    return w;
}

/* The idea that says no more of a parameter than was seen: one value alone that may be left out, or all of them. */
static uint32_t choose_param(const dp_ideas *ideas, uint32_t drop)
{
    wanted w = ask(ideas, drop);
    if (w.exchanged || w.nvalue > 1)
        return drop;
    return w.nvalue ? w.of[0] : w.empty ? w.empty - 1 : drop;
}

/* Whether an idea is gentle, and about one thing. */
static bool is_gentle(const dp_idea *i)
{
    return !i->text[1].n && (i->family == DP_FAMILY_HOST || i->family == DP_FAMILY_ORDER ||
                             i->family == DP_FAMILY_CASE || i->family == DP_FAMILY_INDEX);
}

static bool is_drop(const dp_idea *i)
{
    dp_str rest;
    bool   drop = i->family == DP_FAMILY_PARAM && dp_str_starts(i->text[0], DP_STR("drop ?"));
    return drop && name_behind(i->text[0], DP_STR("drop ?"), &rest).n && !rest.n;
}

/* All hosts of the site, for a host line. */
static dp_str all_hosts(dp_rounds *r)
{
    dp_buf out = {0};
    for (size_t i = 0; i < r->hosts.n; i++) {
        dp_buf_c(&out, i ? ", " : "");
        dp_buf_str(&out, r->hosts.v[i].name);
    }
    dp_str text = out.failed ? (dp_str){0} : dp_arena_str(r->arena, dp_buf_view(&out));
    dp_buf_done(&out);
    return text;
}

/* Bring an idea into force on trial, if it feeds no other and was not taken back. */
static dp_err take(dp_rounds *r, const dp_idea *idea, dp_str hosts)
{
    uint32_t found;
    bool     ok;
    dp_taken t = {.text = {dp_arena_str(r->arena, idea->text[0]), {"", 0}}, .hosts = hosts, .factor = 1, .p = 1,
                  .tier = idea->tier, .family = idea->family, .on_trial = true};
    if (dp_intern_find(&r->banned, idea->text[0], &found))
        return DP_OK;
    if (!t.text[0].p || !hosts.p || !DP_ROOM(r->v, r->n, r->cap))
        return DP_ENOMEM;
    r->v[r->n++] = t;
    DP_TRY(dp_loops_add(&r->loops, r->v, r->n, &ok));
    r->n -= !ok;
    return DP_OK;
}

static int by_pages(const void *x, const void *y)
{
    const dp_idea *a = x, *b = y;
    if (a->clusters != b->clusters)
        return a->clusters > b->clusters ? -1 : 1;
    return dp_str_cmp(a->text[0], b->text[0]);
}

/* The names among those that pages propose to drop most that may be dropped together, and whose values do not stand in
 * another place: an id is proposed, too, wherever a page has it in its path. */
static dp_err find_harmless(dp_str out[DP_COMPANY_NAMES], size_t *n, const dp_rounds *r, const dp_ideas *ideas)
{
    dp_str   name[DP_COMPANY_NAMES], rest;
    size_t     all = 0;
    uint32_t   harmless = 0, moved = 0;
    dp_lexicon words = {0};
    for (uint32_t i = 0; i < ideas->n && all < DP_COMPANY_NAMES; i++)
        if (ideas->v[i].clusters >= DP_LEAST_PROPOSERS && is_drop(&ideas->v[i]))
            name[all++] = name_behind(ideas->v[i].text[0], DP_STR("drop ?"), &rest);
    *n = 0;
    dp_err code = dp_lexicon_init(&words, &r->forms);
    if (code == DP_OK)
        code = dp_company_harmless(&harmless, &r->forms, &words, name, all);
    dp_lexicon_done(&words);
    if (code == DP_OK)
        code = dp_moved_find(&moved, &r->forms, name, all);
    for (size_t k = 0; k < all; k++)
        if ((harmless & ~moved) >> k & 1)
            out[(*n)++] = name[k];
    return code;
}

static bool is_among(const dp_str *v, size_t n, dp_str name)
{
    for (size_t i = 0; i < n; i++)
        if (dp_str_eq(v[i], name))
            return true;
    return false;
}

dp_err dp_trial_take(dp_rounds *r, bool *any)
{
    dp_ideas ideas = {0};
    dp_str   harmless[DP_COMPANY_NAMES], rest;
    size_t   before = r->n, nharmless = 0;
    dp_str   hosts = all_hosts(r);
    dp_err   code = hosts.p ? dp_round_ideas(&ideas, r) : DP_ENOMEM;
    *any = false;
    if (code == DP_OK && ideas.n)
        qsort(ideas.v, ideas.n, sizeof *ideas.v, by_pages);
    if (code == DP_OK)
        code = find_harmless(harmless, &nharmless, r, &ideas);
    for (uint32_t i = 0; i < ideas.n && code == DP_OK && r->n < before + MOST_TRIALS; i++) {
        const dp_idea *idea = &ideas.v[i];
        if (idea->clusters < DP_LEAST_PROPOSERS)
            break;
        if (is_gentle(idea))
            code = take(r, idea, hosts);
        else if (is_drop(idea) &&
                 is_among(harmless, nharmless, name_behind(idea->text[0], DP_STR("drop ?"), &rest)))
            code = take(r, &ideas.v[choose_param(&ideas, i)], hosts);
    }
    *any = r->n > before;
    dp_ideas_done(&ideas);
    return code == DP_OK && *any ? dp_lookback_afresh(r) : code;
}

dp_err dp_trial_take_together(dp_rounds *r, bool *any)
{
    dp_ideas ideas = {0};
    size_t   before = r->n;
    dp_str   hosts = all_hosts(r);
    dp_err   code = hosts.p ? dp_facets_find(&ideas, &r->forms) : DP_ENOMEM;
    *any = false;
    if (code == DP_OK)
        code = dp_blanks_find(&ideas, &r->forms);
    if (code == DP_OK && ideas.n)
        qsort(ideas.v, ideas.n, sizeof *ideas.v, by_pages);
    for (uint32_t i = 0; i < ideas.n && code == DP_OK && r->n < before + MOST_TRIALS; i++)
        if (ideas.v[i].clusters >= DP_LEAST_CLUSTERS)
            code = take(r, &ideas.v[i], hosts);
    *any = ideas.n > 0;
    dp_ideas_done(&ideas);
    return code == DP_OK && r->n > before ? dp_lookback_afresh(r) : code;
}

/* ---- what holds ------------------------------------------------------------------------------ */

/* The URLs that a rule has to do with, as bits of dp_recall.fired. An order is no rule that fires. */
static uint64_t reach_of(const dp_taken *t)
{
    return t->family == DP_FAMILY_ORDER ? UINT64_MAX : (uint64_t)1 << t->trial | (uint64_t)1 << UNKNOWN;
}

/* Judge v[i] on what URLs are by the others. */
static dp_err judge_one(dp_rounds *r, dp_recall *c, size_t i, bool *holds)
{
    dp_taken   one = r->v[i];
    dp_engine *whole = NULL;
    uint64_t   hash;
    c->again = reach_of(&one);
    c->notes = false;
    if (one.family == DP_FAMILY_TEMPLATE) /* alone it makes no two URLs one */
        DP_TRY(dp_lookback_engine(&whole, r, &hash));
    memmove(&r->v[i], &r->v[i + 1], (r->n - i - 1) * sizeof *r->v);
    r->n--;
    dp_err code = dp_lookback_quickly(r, c);
    r->forms.whole = whole;
    if (code == DP_OK)
        code = dp_round_prove(r, &one, holds);
    r->forms.whole = NULL;
    dp_engine_free(whole);
    memmove(&r->v[i + 1], &r->v[i], (r->n - i) * sizeof *r->v);
    r->n++;
    r->v[i] = one;
    return code;
}

/* How much speaks for a rule that does not hold: contradicted ones first, then those with the fewest votes. */
static double merit(const dp_taken *t)
{
    return t->count.neg > 0 ? t->count.pos / (t->count.pos + t->count.neg) - 1 : t->count.pos;
}

/* Judge the rules on trial, or those alone that did not hold when they were judged last; `*worst`: of those that do not
 * hold, r->n: all do. What is left of a rule that held is looked at again when all others do. */
static dp_err judge_all(dp_rounds *r, dp_recall *c, bool all, size_t *worst)
{
    *worst = r->n;
    for (size_t i = 0; i < r->n; i++) {
        bool holds = true;
        if (!r->v[i].on_trial || (!all && !r->v[i].fails))
            continue;
        DP_TRY(judge_one(r, c, i, &holds));
        r->v[i].fails = !holds;
        if (!holds && (*worst == r->n || merit(&r->v[i]) < merit(&r->v[*worst])))
            *worst = i;
    }
    return DP_OK;
}

/* Know anew what the URLs of `again` are by all rules. */
static dp_err recall(dp_rounds *r, dp_recall *c, uint64_t again)
{
    c->again = again;
    c->notes = true;
    return dp_lookback_quickly(r, c);
}

/* Judge them until all hold that are left. */
static dp_err judge_until(dp_rounds *r, dp_recall *c)
{
    dp_err code = recall(r, c, UINT64_MAX);
    for (bool all = true, more = true; more && code == DP_OK;) {
        size_t worst;
        code = judge_all(r, c, all, &worst);
        bool found = worst < r->n;
        if (code == DP_OK && found) {
            uint64_t again = reach_of(&r->v[worst]);
            memmove(&r->v[worst], &r->v[worst + 1], (r->n - worst - 1) * sizeof *r->v);
            r->n--;
            code = recall(r, c, again);
        }
        more = found || !all;
        all = !found;
    }
    return code;
}

dp_err dp_trial_end(dp_rounds *r)
{
    dp_recall c = {0};
    size_t    n = r->site->n;
    uint8_t   number = 0;
    for (size_t i = 0; i < r->n; i++)
        if (r->v[i].on_trial)
            r->v[i].trial = number++;
    c.text = calloc(n + 1, sizeof *c.text);
    c.fired = malloc((n + 1) * sizeof *c.fired);
    c.mark = malloc(2 * r->n + 1);
    dp_err code = c.text && c.fired && c.mark ? DP_OK : DP_ENOMEM;
    if (code == DP_OK) {
        memset(c.fired, 0xFF, n * sizeof *c.fired); /* nothing is known */
        code = judge_until(r, &c);
    }
    for (size_t i = 0; i < r->n; i++)
        r->v[i].on_trial = false;
    free(c.text);
    free(c.fired);
    free(c.mark);
    dp_arena_done(&c.arena);
    return code == DP_OK ? dp_lookback_afresh(r) : code;
}
