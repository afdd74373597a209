/* What rules would save: of the URLs of one key all but one are too many, and a rule has to answer for each of them.
 *
 *     /a?utm=1  500 requests ─ drop ?utm ─►  /a     to keep: /a, since it is asked for, too
 *     /a         60 requests                        too many: /a?utm=1, for which drop ?utm has to answer
 *
 * To keep is the form that the rules lead to, or the nearest to it that is asked for; of several the one that is asked
 * for most. A rule can
 * lead away from the form that most are asking for (/a.html => /a), or to nothing that can be asked for (erase): then
 * it is followed to tell which URLs show one page, and the form that is asked for most is to keep.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "apply/engine.h"
#include "base/keyed.h"
#include "base/room.h"
#include "output/report/report.h"

#define NO_FAMILY UINT32_MAX

/* The families that change a URL, in the order in which they fire, each once, as far as there is room. */
typedef struct way {
    uint32_t family[8];
    uint32_t n;
} way;

typedef struct coster {
    dp_report  *r;
    dp_scratch *scratch;
    uint32_t   *family; /* [rules] */
    dp_keyed   *by_key; /* [r->nitem] URLs, those of one key side by side */
    way        *way;    /* of the URLs of one key */
    size_t      way_cap;
    way         now;    /* of the URL that is run */
} coster;

static bool has_family(const way *w, uint32_t family)
{
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->family[i] == family)
            return true;
    }
    return false;
}

static bool note_family(void *ctx, uint32_t rule, dp_str text)
{
    coster *c = ctx;
    (void)text;
    if (c->now.n < DP_COUNT(c->now.family) && !has_family(&c->now, c->family[rule]))
        c->now.family[c->now.n++] = c->family[rule];
    return true;
}

/* The key of URL i, in the scratch, and c->now. p is NULL when memory is out. */
static dp_str run(coster *c, uint32_t i)
{
    c->now.n = 0;
    return dp_engine_run(c->r->engine, c->scratch, DP_KEY, dp_truth_text(&c->r->truth, i), note_family, c);
}

/* The first family of `a` that `b` has not. */
static uint32_t first_other(const way *a, const way *b)
{
    for (uint32_t i = 0; i < a->n; i++) {
        if (!has_family(b, a->family[i]))
            return a->family[i];
    }
    return NO_FAMILY;
}

/* ---- which URL to keep ----------------------------------------------------------------------------------------- */

/* Whether nobody is told to follow the rule: then a URL that it changes can be the one to keep. */
static bool is_for_keys(const dp_rule_family *f)
{
    return f->leads_away || !f->has_target;
}

/* How many families of those that people are told to follow change the URL. */
static uint32_t count_steps(const dp_report *r, const way *w)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->n; i++)
        n += !is_for_keys(&r->family[w->family[i]]);
    return n;
}

/* What decides which of the URLs of a key is to keep. */
typedef struct merit {
    uint32_t hits, steps, changes;
} merit;

static bool is_better_merit(merit a, merit b)
{
    if (!a.hits != !b.hits)
        return a.hits;
    if (a.steps != b.steps)
        return a.steps < b.steps;
    return a.hits != b.hits ? a.hits > b.hits : a.changes < b.changes;
}

/* The place of the best of n URLs of one key: the nearest to where rules lead of those that are asked for, then the one
 * that is asked for most; `any`: only that. */
static size_t find_best(const coster *c, const dp_keyed *v, size_t n, bool any)
{
    size_t best = 0;
    merit  most = {0};
    for (size_t i = 0; i < n; i++) {
        const way *w = &c->way[i];
        merit      one = {c->r->url[v[i].item].hits, any ? 0 : count_steps(c->r, w), w->n};
        if (i == 0 || is_better_merit(one, most)) {
            best = i;
            most = one;
        }
    }
    return best;
}

/* ---- who has to answer ----------------------------------------------------------------------------------------- */

static void count_direction(coster *c, const dp_keyed *v, size_t n)
{
    const way *best = &c->way[find_best(c, v, n, true)];
    for (size_t i = 0; i < n; i++) {
        uint32_t own = first_other(&c->way[i], best), of_best = first_other(best, &c->way[i]);
        if (of_best != NO_FAMILY)
            c->r->family[of_best].away++;
        if (own != NO_FAMILY)
            c->r->family[own].toward++;
    }
}

/* The rule that changes what is too many has to answer, or else the one that changes what is kept. */
static void blame(coster *c, const dp_keyed *v, size_t n)
{
    size_t     best = find_best(c, v, n, false);
    const way *kept = &c->way[best];
    for (size_t i = 0; i < n; i++) {
        uint32_t  f = first_other(&c->way[i], kept);
        dp_asked *url = &c->r->url[v[i].item];
        f = f == NO_FAMILY ? first_other(kept, &c->way[i]) : f;
        f = f == NO_FAMILY && kept->n ? kept->family[0] : f;
        url->family = i == best ? NO_FAMILY : f;
        url->kept = v[best].item;
        if (url->family == NO_FAMILY)
            continue;
        c->r->family[f].spare++;
        c->r->family[f].hits += url->hits;
        c->r->family[f].bytes += url->bytes;
    }
}

/* Call for the URLs of each key that has several. */
static dp_err each_key(coster *c, void (*call)(coster *c, const dp_keyed *v, size_t n))
{
    const dp_report *r = c->r;
    for (size_t i = 0, j; i < r->nitem; i = j) {
        j = dp_keyed_end(c->by_key, r->nitem, i);
        if (j - i == 1)
            continue;
        if (!DP_ROOM_FOR(c->way, j - i, c->way_cap))
            return DP_ENOMEM;
        for (size_t k = i; k < j; k++) {
            if (!run(c, c->by_key[k].item).p)
                return DP_ENOMEM;
            c->way[k - i] = c->now;
        }
        call(c, c->by_key + i, j - i);
    }
    return DP_OK;
}

/* ---- what to fix ----------------------------------------------------------------------------------------------- */

static bool costs_more(const dp_rule_family *a, const dp_rule_family *b)
{
    return a->hits != b->hits ? a->hits > b->hits : a->spare > b->spare;
}

/* Keep those that cost most, in that order. */
static void choose_fixes(dp_report *r)
{
    for (size_t i = 0; i < r->nfamily; i++) {
        const dp_rule_family *f = &r->family[i];
        size_t                at = r->nfix;
        bool                  is_wrong = r->labelled && f->bad > f->good;
        if (!f->spare || is_wrong)
            continue;
        r->nwasteful++;
        while (at && costs_more(f, &r->family[r->fix[at - 1].family]))
            at--;
        if (at == DP_REPORT_FIXES)
            continue;
        r->nfix += r->nfix < DP_REPORT_FIXES;
        memmove(&r->fix[at + 1], &r->fix[at], (r->nfix - at - 1) * sizeof *r->fix);
        r->fix[at] = (dp_report_fix){.family = i};
    }
}

/* Append the URL to link to instead of URL i, for which family `f` has to answer; nothing where none is known that
 * everybody may see. Returns how good an example it is. */
static int find_link(dp_buf *out, coster *c, uint32_t i, uint32_t f, bool *ok)
{
    const dp_report *r = c->r;
    way              own, kept;
    dp_str           key = run(c, i);
    bool             is_key = false;
    size_t           n;
    own = c->now;
    if (key.p)
        dp_buf_str(out, key);
    *ok = key.p && run(c, r->url[i].kept).p;
    kept = c->now;
    if (*ok && count_steps(r, &kept) == 0) {
        dp_str      url = dp_truth_text(&r->truth, r->url[i].kept);
        const char *form = dp_apply_view(r->engine, c->scratch, DP_STAGE0, url.p, url.n, &n);
        dp_buf_reset(out);
        dp_buf_add(out, form ? form : "", form ? n : 0);
        *ok = form != NULL;
    } else {
        for (uint32_t k = 0; k < own.n; k++)
            is_key |= is_for_keys(&r->family[own.family[k]]);
        if (is_key)
            dp_buf_reset(out);
    }
    if (!dp_report_is_open(r, dp_buf_view(out)))
        dp_buf_reset(out);
    *ok &= !out->failed;
    return 2 * (out->n > 0) + (own.n <= 1 && kept.n <= 1 && (!own.n || own.family[0] == f) &&
                               (!kept.n || kept.family[0] == f));
}

/* Whether one example stands before another: by what it shows, then by what it costs. */
static bool is_better(const dp_report *r, int good, uint32_t i, const dp_fix_example *b)
{
    uint32_t x = r->url[i].hits, y = r->url[b->url].hits;
    if (good != b->good)
        return good > b->good;
    return x != y ? x > y : i < b->url;
}

/* Keep the best ones in order, one for each URL to link to. */
static dp_err add_example(coster *c, dp_report_fix *fix, uint32_t i)
{
    enum { BEST = 3 };
    dp_report *r = c->r;
    bool       ok, is_full = fix->nexample == DP_SAMPLES;
    dp_buf     text = {0};
    size_t     at = fix->nexample;
    if (is_full && !is_better(r, BEST, i, &fix->example[at - 1]))
        return DP_OK;
    int    good = find_link(&text, c, i, r->url[i].family, &ok);
    dp_str link = dp_buf_view(&text);
    for (size_t k = 0; k < fix->nexample; k++) {
        const dp_fix_example *had = &fix->example[k];
        bool                  is_same = link.n ? dp_str_eq(had->link, link) : r->url[had->url].kept == r->url[i].kept;
        if (!is_same)
            continue;
        if (!is_better(r, good, i, had)) {
            dp_buf_done(&text);
            return ok ? DP_OK : DP_ENOMEM;
        }
        memmove(&fix->example[k], &fix->example[k + 1], (--fix->nexample - k) * sizeof *had);
        break;
    }
    at = fix->nexample;
    while (at && is_better(r, good, i, &fix->example[at - 1]))
        at--;
    if (ok && at < DP_SAMPLES) {
        link = link.n ? dp_arena_str(&r->arena, link) : link;
        ok = !text.n || link.p;
        fix->nexample += fix->nexample < DP_SAMPLES;
        memmove(&fix->example[at + 1], &fix->example[at], (fix->nexample - at - 1) * sizeof *fix->example);
        fix->example[at] = (dp_fix_example){i, good, link};
    }
    dp_buf_done(&text);
    return ok ? DP_OK : DP_ENOMEM;
}

static dp_err find_examples(coster *c)
{
    dp_report *r = c->r;
    for (size_t i = 0, j; i < r->nitem; i = j) {
        j = dp_keyed_end(c->by_key, r->nitem, i);
        for (size_t k = i; k < j && j - i > 1; k++) {
            uint32_t url = c->by_key[k].item;
            size_t   f = 0;
            while (f < r->nfix && r->fix[f].family != r->url[url].family)
                f++;
            if (f < r->nfix)
                DP_TRY(add_example(c, &r->fix[f], url));
        }
    }
    return DP_OK;
}

/* ---- all of it ------------------------------------------------------------------------------------------------- */

/* Whether the URLs that the rule leads to can be asked for: none has the star of a value that was erased. */
static bool has_target(dp_str rule)
{
    const char *arrow = memmem(rule.p, rule.n, " => ", 4);
    for (const char *p = arrow; p && p < rule.p + rule.n; p++) {
        if (*p == '*' && p[-1] != '*' && p[-1] != '{')
            return false;
    }
    return !dp_str_starts(rule, DP_STR("erase "));
}

/* URLs by key, by number within; and the family of each rule. */
static dp_err prepare(coster *c)
{
    const dp_report *r = c->r;
    c->family = malloc((r->rules->nrule + 1) * sizeof *c->family);
    c->by_key = malloc((2 * (size_t)r->nitem + 1) * sizeof *c->by_key);
    if (!c->family || !c->by_key)
        return DP_ENOMEM;
    for (size_t f = 0; f < r->nfamily; f++) {
        r->family[f].has_target = has_target(r->family[f].said.text);
        for (size_t k = 0; k < r->family[f].said.rules; k++)
            c->family[r->by_family[r->family[f].first + k]] = (uint32_t)f;
    }
    for (uint32_t i = 0; i < r->nitem; i++)
        c->by_key[i] = (dp_keyed){r->key[r->item[i]], r->item[i]};
    dp_keyed_sort(c->by_key, c->by_key + r->nitem, r->nitem, UINT64_MAX);
    return dp_scratch_new(&c->scratch);
}

dp_err dp_report_costs(dp_report *r)
{
    coster c = {.r = r};
    dp_err code = prepare(&c);
    if (code == DP_OK)
        code = each_key(&c, count_direction);
    /* A parameter is dropped, whatever most are asking for. */
    for (size_t f = 0; f < r->nfamily; f++) {
        dp_rule_family *v = &r->family[f];
        v->leads_away = v->away > v->toward && v->has_target && memmem(v->said.text.p, v->said.text.n, " => ", 4);
    }
    if (code == DP_OK)
        code = each_key(&c, blame);
    if (code == DP_OK) {
        choose_fixes(r);
        code = find_examples(&c);
    }
    dp_scratch_free(c.scratch);
    free(c.way);
    free(c.by_key);
    free(c.family);
    return code;
}
