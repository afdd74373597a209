/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/propose/propose.h"

#include <stdlib.h>

#include "learn/auto/propose/company.h"
#include "learn/auto/propose/facets.h"
#include "learn/auto/propose/forget.h"
#include "learn/auto/propose/only.h"
#include "url/chars.h"

static dp_generate *const generators[DP_GENERATORS] = {
    dp_generate_host, dp_generate_query, dp_generate_path, dp_generate_affix, dp_generate_template, dp_generate_joint,
};

/* The cost of docs/rule-format.md 8.10. A rule lowers it, unless an arrow gives another direction. */
static uint64_t cost_of(dp_str text)
{
    uint64_t w = text.n; /* one a byte, and what some cost more */
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        w += c >= 'A' && c <= 'Z' ? 1 : 0;
        w += c == '?' || c == '&' || c == ';' ? 2 : 0;
        w -= c == '*' ? 1 : 0;
    }
    return w << 24 | (text.n & 0xffffff);
}

bool dp_pairing_falls(const dp_pairing *p, dp_str a, dp_str b)
{
    uint64_t x = cost_of(a), y = cost_of(b);
    return p->directed || (x != y ? x > y : dp_str_cmp(a, b) > 0);
}

bool dp_pairing_pool(dp_pairing *p, dp_buf *text)
{
    return !p->languages || dp_languages_pool(p->languages, text, &p->pooled) || p->directed;
}

void dp_pairing_propose(dp_pairing *p, dp_tier tier, dp_family family)
{
    bool fits = p->other.n || dp_pairing_pool(p, &p->text);
    if (p->text.failed || p->other.failed)
        p->out->failed = true;
    else if (fits)
        dp_ideas_add(p->out,
                     &(dp_idea){.text = {dp_buf_view(&p->text), dp_buf_view(&p->other)},
                                .tier = (uint8_t)tier,
                                .family = (uint8_t)family},
                     p->by);
    dp_buf_reset(&p->text);
    dp_buf_reset(&p->other);
}

enum { MOST_PICKED = 64, MOST_JOINED = 12 /* names of one rule */ };

/* A form of the cluster at hand that is compared. */
typedef struct picked {
    uint32_t number; /* in the cluster */
    dp_str   text;
    uint64_t cost;
    bool     is_end; /* arrows lead to it, and none away */
    dp_frame frame;
    bool     is_read;
} picked;

typedef struct proposing {
    const dp_forms           *forms;
    const dp_propose_options *o;
    dp_pairing                p;
    picked                    v[MOST_PICKED], best; /* the best of all, picked or not */
    dp_forgetting            *forgetting;
    uint8_t                  *leads;                /* [forms->n] bits: an arrow leads to it, away; NULL: no arrows */
} proposing;

enum { LEADS_TO = 1, LEADS_AWAY = 2 };

/* Which forms are ends of redirects, or canonical. */
static dp_err read_arrows(proposing *g)
{
    const dp_forms *f = g->forms;
    if (!f->site->narrow)
        return DP_OK;
    g->leads = calloc(f->n + 1, 1);
    for (size_t i = 0; g->leads && i < f->site->narrow; i++) {
        uint32_t from = f->of[f->site->arrow[i].from], to = f->of[f->site->arrow[i].to];
        if (from != to) {
            g->leads[from] |= LEADS_AWAY;
            g->leads[to] |= LEADS_TO;
        }
    }
    return g->leads ? DP_OK : DP_ENOMEM;
}

/* Whether `a` is the better form: where arrows end, then the cheaper. */
static bool better(const picked *a, const picked *b)
{
    if (a->is_end != b->is_end)
        return a->is_end;
    return a->cost != b->cost ? a->cost < b->cost : dp_str_cmp(a->text, b->text) < 0;
}

static dp_err read_picked(picked *p)
{
    p->is_read = false;
    if (!dp_form_is_bounded(p->text))
        return DP_OK;
    dp_frame_result got = dp_frame_read(&p->frame, p->text);
    p->is_read = got == DP_FRAME_OK;
    return got == DP_FRAME_NOMEM ? DP_ENOMEM : DP_OK;
}

static dp_err compare(proposing *g, const picked *a, const picked *b)
{
    bool turn = better(a, b);
    if (!a->is_read || !b->is_read)
        return DP_OK;
    g->p.u = turn ? &b->frame : &a->frame;
    g->p.v = turn ? &a->frame : &b->frame;
    g->p.directed = a->is_end != b->is_end;
    bool facets = g->o->leave_facets && dp_facets_differ(g->p.u, g->p.v);
    for (int i = 0; i < (facets ? DP_GENERATE_QUERY + 1 : DP_GENERATORS); i++)
        if (!g->o->without || !g->o->without[i])
            generators[i](&g->p);
    return g->p.out->failed ? DP_ENOMEM : DP_OK;
}

/* Which of `n` forms are compared: all, or where there are too many pairs of neighbours, drawn evenly. */
static uint32_t pick(proposing *g, const uint32_t *form, uint32_t n)
{
    uint32_t most = g->o->most < MOST_PICKED ? g->o->most : MOST_PICKED, k = n <= most ? n : most;
    for (uint32_t i = 0; i < k; i++) {
        picked  *p = &g->v[i];
        uint32_t number = n <= most ? i : (uint32_t)((uint64_t)(i / 2) * (n - 1) / (most / 2)) + i % 2;
        p->number = number;
        p->text = g->forms->text[form[number]];
        p->cost = cost_of(p->text);
        p->is_end = g->leads && g->leads[form[number]] == LEADS_TO;
    }
    return k;
}

/* The best of `n` forms, of which the first `k` picked are all when k == n. */
static void find_best(proposing *g, const uint32_t *form, uint32_t n, uint32_t k)
{
    for (uint32_t i = 0; i < n; i++) {
        dp_str text = g->forms->text[form[i]];
        picked one = {.number = i, .text = text, .cost = k == n ? g->v[i].cost : cost_of(text),
                      .frame = g->best.frame, .is_end = g->leads && g->leads[form[i]] == LEADS_TO};
        if (!i || better(&one, &g->best))
            g->best = one;
    }
}

/* What the forms of a page say of their layouts; those picked were read, and so was the best. */
static dp_err look_at_layouts(proposing *g, uint32_t k)
{
    const dp_frame *form[MOST_PICKED + 1];
    size_t          n = 0;
    if (g->best.is_read)
        form[n++] = &g->best.frame;
    for (uint32_t i = 0; i < k; i++)
        if (g->v[i].number != g->best.number && g->v[i].is_read &&
            !(g->o->leave_facets && g->best.is_read && dp_facets_differ(&g->best.frame, &g->v[i].frame)))
            form[n++] = &g->v[i].frame;
    dp_layout_forget(g->forgetting, &g->p, form, n);
    return g->p.out->failed ? DP_ENOMEM : DP_OK;
}

static dp_err compare_cluster(proposing *g, uint32_t cluster)
{
    const dp_forms *f = g->forms;
    const uint32_t *m = f->member + f->first[cluster];
    uint32_t        n = f->first[cluster + 1] - f->first[cluster];
    if (n < 2)
        return DP_OK;
    uint32_t k = pick(g, m, n);
    find_best(g, m, n, k);
    DP_TRY(read_picked(&g->best));
    g->p.by = (dp_proposer){cluster, f->site->fold[cluster]};
    for (uint32_t i = 0; i < k; i++) {
        const picked *one = &g->v[i], *before = i ? &g->v[i - 1] : one;
        if (one->number == g->best.number)
            continue;
        DP_TRY(read_picked(&g->v[i]));
        DP_TRY(compare(g, one, &g->best));
        if (before->number != g->best.number && before->number != one->number)
            DP_TRY(compare(g, one, before));
    }
    return look_at_layouts(g, k);
}

/* ---- what pages say together ---------------------------------------------------------------- */

/* " if =1" of "drop ?a if =1", an idea about one name; n == 0: it is none. */
static dp_str value_of(const dp_idea *i, dp_str *name)
{
    dp_str text = i->text[0], head = DP_STR("drop ?");
    size_t at = head.n;
    while (at < text.n && text.p[at] != ' ' && text.p[at] != ',')
        at++;
    *name = dp_str_cut(text, head.n < at ? head.n : at, at);
    bool is_value = i->family == DP_FAMILY_VALUE && dp_str_starts(text, head) && at < text.n && text.p[at] == ' ';
    return dp_str_cut(text, is_value ? at : text.n, text.n);
}

/* Ideas that drop one value, by it, then by the name. */
static int by_value(const void *x, const void *y)
{
    const dp_idea *a = *(const dp_idea *const *)x, *b = *(const dp_idea *const *)y;
    dp_str         name[2], value[2] = {value_of(a, &name[0]), value_of(b, &name[1])};
    int            c = dp_str_cmp(value[0], value[1]);
    return c ? c : dp_str_cmp(name[0], name[1]);
}

/* One idea of those of [0, n), which drop the same value: drop ?a,b,c if =1. */
static void join_values(dp_pairing *p, const dp_idea *const *v, size_t n)
{
    dp_idea one = {.tier = DP_TIER_PARAM, .family = DP_FAMILY_VALUE};
    dp_str  name, value = value_of(v[0], &name);
    dp_buf_c(&p->text, "drop ?");
    for (size_t i = 0; i < n; i++) {
        value_of(v[i], &name);
        dp_buf_c(&p->text, i ? "," : "");
        dp_buf_str(&p->text, name);
        one.folds |= v[i]->folds;
        one.clusters += v[i]->clusters;
    }
    dp_buf_str(&p->text, value);
    one.text[0] = dp_buf_view(&p->text);
    dp_idea *there = p->text.failed ? NULL : dp_ideas_add(p->out, &one, p->by);
    if (there) {
        there->folds = one.folds;
        there->clusters = one.clusters;
    }
    p->out->failed |= !there;
    dp_buf_reset(&p->text);
}

/* Names that have one value where they are needless (?rq=1, ?cat=) are few votes each, and one rule. */
static dp_err propose_values(dp_pairing *p)
{
    dp_ideas *ideas = p->out;
    size_t    n = 0, before = ideas->n;
    dp_idea  *copy = malloc((before + 1) * sizeof *copy); /* adding moves those that are there */
    const dp_idea **v = malloc((before + 1) * sizeof *v);
    for (size_t i = 0; copy && v && i < before; i++) {
        dp_str name;
        copy[i] = ideas->v[i];
        if (value_of(&copy[i], &name).n)
            v[n++] = &copy[i];
    }
    if (copy && v && n)
        qsort(v, n, sizeof *v, by_value);
    for (size_t i = 0, j; copy && v && i < n; i = j) {
        dp_str name, value = value_of(v[i], &name);
        for (j = i + 1; j < n && j < i + MOST_JOINED && dp_str_eq(value_of(v[j], &name), value); j++) {}
        if (j - i > 1)
            join_values(p, v + i, j - i);
    }
    bool ok = copy && v && !ideas->failed;
    free(copy);
    free(v);
    return ok ? DP_OK : DP_ENOMEM;
}

dp_err dp_propose(dp_ideas *out, const dp_forms *f, const dp_lexicon *w, const dp_propose_options *o)
{
    proposing g = {.forms = f, .o = o, .p = {.lexicon = w, .out = out, .lead = o->lead, .languages = o->languages}};
    dp_err    code = read_arrows(&g);
    if (code == DP_OK)
        code = dp_forgetting_new(&g.forgetting);
    uint64_t  open = 0, seen = 0;
    for (uint32_t c = 0; c < f->site->nclusters; c++)
        open += f->first[c + 1] - f->first[c] > 1;
    uint64_t asked = o->clusters && o->clusters < open ? o->clusters : open;
    for (uint32_t c = 0; c < f->site->nclusters && code == DP_OK; c++) {
        if (f->first[c + 1] - f->first[c] < 2)
            continue;
        uint64_t before = seen++ * asked / open;
        if (seen * asked / open > before && o->folds >> f->site->fold[c] & 1 && !f->site->is_soft[c])
            code = compare_cluster(&g, c);
    }
    if (code == DP_OK && !(o->without && o->without[DP_GENERATE_QUERY]))
        code = propose_values(&g.p);
    if (code == DP_OK && o->company)
        code = dp_company_propose(&g.p, f, o->folds);
    if (code == DP_OK && o->company)
        code = dp_only_propose(&g.p, f, o->folds);
    free(g.leads);
    dp_forgetting_free(g.forgetting);
    for (size_t i = 0; i < MOST_PICKED; i++)
        dp_frame_done(&g.v[i].frame);
    dp_frame_done(&g.best.frame);
    dp_buf_done(&g.p.text);
    dp_buf_done(&g.p.other);
    dp_buf_done(&g.p.whole);
    dp_buf_done(&g.p.pooled);
    dp_buf_done(&g.p.runs[0]);
    dp_buf_done(&g.p.runs[1]);
    return code;
}
