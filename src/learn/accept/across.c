/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/accept/across.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/room.h"
#include "learn/accept/program.h"
#include "url/host.h"
#include "url/split.h"

#define NONE UINT32_MAX

/* ---- which rules cross ----------------------------------------------------------------------------------------- */

/* Whether a substitution, at place `at` of scheme://host/, changes the domain; where its text goes on beyond, into what
 * is not known here, it stands there. */
static bool moves_at(const dp_rule *r, dp_str url, size_t at, dp_str domain)
{
    dp_buf   b = {0};
    dp_split s;
    size_t   end = at + r->alpha.n < url.n ? at + r->alpha.n : url.n;
    dp_buf_str(&b, dp_str_cut(url, 0, at));
    dp_buf_str(&b, r->beta);
    dp_buf_str(&b, dp_str_cut(url, end, url.n));
    bool moves = b.failed || !dp_split_url(&s, dp_buf_view(&b)) || !dp_str_eq(dp_host_domain(s.host), domain);
    dp_buf_done(&b);
    return moves;
}

/* Whether a substitution can lead away from a host. */
static bool sub_moves(const dp_rule *r, const char *scheme, dp_str host)
{
    dp_buf b = {0};
    bool   moves = false;
    dp_buf_c(&b, scheme);
    dp_buf_c(&b, "://");
    size_t from = b.n;
    dp_buf_str(&b, host);
    size_t to = b.n;
    dp_buf_byte(&b, '/');
    dp_str url = dp_buf_view(&b);
    for (size_t at = 0; at < to && !b.failed && !moves && !(at && r->at_start); at++) {
        size_t n = r->alpha.n < url.n - at ? r->alpha.n : url.n - at;
        if (at + n > from && memcmp(url.p + at, r->alpha.p, n) == 0)
            moves = moves_at(r, url, at, dp_host_domain(host));
    }
    moves |= b.failed;
    dp_buf_done(&b);
    return moves;
}

static bool crosses_from(const dp_rule *r, dp_str host)
{
    if (r->kind == DP_RULE_SUB)
        return sub_moves(r, "http", host) || sub_moves(r, "https", host);
    return !dp_str_eq(dp_host_domain(host), dp_host_domain(r->right->host));
}

bool dp_rule_crosses(const dp_rule *r)
{
    bool crosses = false;
    if (r->kind != DP_RULE_SUB && (r->kind != DP_RULE_REWRITE || !r->right->host.n))
        return false;
    if (r->kind == DP_RULE_REWRITE && r->left->host.n)
        return crosses_from(r, r->left->host);
    for (size_t i = 0; i < r->block->nscope && !crosses; i++)
        crosses = crosses_from(r, r->block->scope[i].name);
    return crosses;
}

/* ---- which way --------------------------------------------------------------------------------------------------- */

/* The host of "//a.com:80/{**}" or "http://a.com/{**}"; n == 0: it is something else. */
static dp_str only_host(dp_str side, dp_str *authority)
{
    const dp_str any = DP_STR("/{**}");
    const char  *slashes = memmem(side.p, side.n, "//", 2);
    size_t       at = slashes ? (size_t)(slashes - side.p) + 2 : side.n;
    *authority = dp_str_cut(side, at, dp_str_ends(side, any) ? side.n - any.n : at);
    for (size_t i = 0; i < authority->n; i++) {
        if (authority->p[i] == '/' || authority->p[i] == '{' || authority->p[i] == '?')
            return (dp_str){0};
    }
    const char *colon = authority->n && authority->p[0] != '[' ? memchr(authority->p, ':', authority->n) : NULL;
    return colon ? dp_str_cut(*authority, 0, (size_t)(colon - authority->p)) : *authority;
}

dp_err dp_across_turn(dp_proposal *p, const dp_lead *l, dp_arena *a)
{
    static const char arrow[] = " => ";
    const char       *between = memmem(p->text.p, p->text.n, arrow, sizeof arrow - 1);
    dp_str            authority[2];
    dp_buf            text = {0};
    if (!between)
        return DP_OK;
    size_t at = (size_t)(between - p->text.p);
    dp_str left = dp_str_cut(p->text, 0, at), right = dp_str_cut(p->text, at + sizeof arrow - 1, p->text.n);
    dp_str from = only_host(left, &authority[0]), to = only_host(right, &authority[1]);
    if (!from.n || !to.n || dp_lead_compare(l, dp_lead_find(l, from), dp_lead_find(l, to)) >= 0)
        return DP_OK;
    dp_buf_str(&text, right);
    dp_buf_c(&text, arrow);
    dp_buf_str(&text, left);
    p->text = text.failed ? (dp_str){0} : dp_arena_str(a, dp_buf_view(&text));
    p->hosts = dp_arena_str(a, authority[1]);
    dp_buf_done(&text);
    return p->text.p && p->hosts.p ? DP_OK : DP_ENOMEM;
}

/* ---- what is shown ----------------------------------------------------------------------------------------------- */

/* A cluster lies on a domain, by URLs that have records. */
static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

typedef struct showing {
    uint64_t *v; /* [n] cluster << 32 | domain, sorted */
    size_t    n;
} showing;

typedef struct weighing {
    const dp_site *site;
    const dp_lead *lead;
    dp_program     program;                         /* of what crosses */
    dp_program     others;                          /* of all else */
    uint32_t      *to;                              /* [rules] the domain that it leads to; NONE: nobody can say */
    dp_counted     fired, redirects, names, shown;  /* rule, domain of the URL: URLs */
    showing        shows;
} weighing;

static bool is_crawled(const weighing *w, size_t url)
{
    return !(w->site->is_named && w->site->is_named[url]);
}

static bool list_shown(weighing *w)
{
    const dp_site *s = w->site;
    w->shows.v = malloc((s->n + 1) * sizeof *w->shows.v);
    for (size_t i = 0; w->shows.v && i < s->n; i++) {
        if (s->cluster[i] != DP_NO_CLUSTER && is_crawled(w, i))
            w->shows.v[w->shows.n++] = (uint64_t)s->cluster[i] << 32 | w->lead->domain_of[i];
    }
    if (w->shows.n)
        qsort(w->shows.v, w->shows.n, sizeof *w->shows.v, by_key);
    return w->shows.v != NULL;
}

static bool is_shown(const weighing *w, uint32_t url, uint32_t domain)
{
    uint64_t key = (uint64_t)w->site->cluster[url] << 32 | domain;
    return w->site->cluster[url] != DP_NO_CLUSTER &&
           bsearch(&key, w->shows.v, w->shows.n, sizeof key, by_key) != NULL;
}

/* Kinds of arrows, as bits, that lead from a URL to a domain. */
static unsigned leads(const weighing *w, uint32_t url, uint32_t domain)
{
    const dp_site *s = w->site;
    unsigned       by = 0;
    size_t         low;
    DP_BISECT(low, s->narrow, s->arrow[low].from < url);
    for (; low < s->narrow && s->arrow[low].from == url; low++)
        by |= w->lead->domain_of[s->arrow[low].to] == domain ? 1u << s->arrow[low].by : 0;
    return by;
}

/* What a URL that rule `rule` changes has to say. */
static bool hear(weighing *w, uint32_t rule, uint32_t url)
{
    uint32_t own = w->lead->domain_of[url], to = w->to[rule];
    if (to == own)
        return true;
    unsigned by = leads(w, url, to);
    return dp_counted_add(&w->fired, rule, own) &&
           (!(by >> DP_BY_REDIRECT & 1) || dp_counted_add(&w->redirects, rule, own)) &&
           (!by || dp_counted_add(&w->names, rule, own)) &&
           (!is_shown(w, url, to) || dp_counted_add(&w->shown, rule, own));
}

/* A URL, and what its rules have to say. */
typedef struct witness {
    weighing *w;
    uint32_t  url;
    uint64_t *heard; /* [rules] the last URL that it changed, + 1 */
    bool      ok;
} witness;

static void note_rule(void *ctx, uint32_t rule, dp_str text)
{
    witness *x = ctx;
    (void)text;
    if (x->heard[rule] == x->url + 1u || x->w->to[rule] == NONE)
        return;
    x->heard[rule] = x->url + 1u;
    x->ok = x->ok && hear(x->w, rule, x->url);
}

/* Each rule that crosses alone, on the URL and on what all others make of it: of two that lead to and fro neither must
 * hide the other. */
static dp_err hear_url(witness *x, dp_scratch *s, dp_scratch *other)
{
    const weighing *w = x->w;
    dp_str          url = w->site->url[x->url], form = dp_engine_run(&w->others.engine, other, DP_KEY, url, NULL, NULL);
    bool            ok = form.p && dp_engine_each(&w->program.engine, s, url, note_rule, x).p;
    if (ok && !dp_str_eq(form, url))
        ok = dp_engine_each(&w->program.engine, s, form, note_rule, x).p;
    return ok && x->ok ? DP_OK : DP_ENOMEM;
}

static dp_err hear_all(weighing *w)
{
    dp_scratch *s = NULL, *other = NULL;
    witness     x = {.w = w, .ok = true, .heard = calloc(w->program.rules->nrule + 1, sizeof *x.heard)};
    dp_err      code = x.heard && list_shown(w) ? dp_scratch_new(&s) : DP_ENOMEM;
    if (code == DP_OK)
        code = dp_scratch_new(&other);
    for (; code == DP_OK && x.url < w->site->n; x.url++) {
        if (is_crawled(w, x.url))
            code = hear_url(&x, s, other);
    }
    if (code == DP_OK && !(dp_counted_merge(&w->fired) && dp_counted_merge(&w->redirects) &&
                           dp_counted_merge(&w->names) && dp_counted_merge(&w->shown)))
        code = DP_ENOMEM;
    dp_scratch_free(s);
    dp_scratch_free(other);
    free(x.heard);
    return code;
}

/* ---- verdicts --------------------------------------------------------------------------------------------------- */

typedef struct verdict {
    dp_across across; /* DP_ACROSS_NOTHING: it is dropped */
    bool      active;
} verdict;

static uint32_t count_of(const dp_counted *c, uint32_t rule, uint32_t domain)
{
    for (size_t i = dp_counted_find(c, rule); i < c->n && dp_counted_first(&c->v[i]) == rule; i++) {
        if (dp_counted_second(&c->v[i]) == domain)
            return c->v[i].item;
    }
    return 0;
}

/* What the URLs of a domain allow a rule to do. */
static verdict weigh(const weighing *w, uint32_t rule, uint32_t domain)
{
    uint64_t all = count_of(&w->fired, rule, domain), redirects = count_of(&w->redirects, rule, domain);
    uint64_t names = count_of(&w->names, rule, domain), shown = count_of(&w->shown, rule, domain);
    bool     most_named = 2 * names > all, most_shown = 2 * shown > all;
    int      lead = dp_lead_compare(w->lead, domain, w->to[rule]);
    if (2 * redirects > all)
        return (verdict){DP_ACROSS_REDIRECT, true};
    if (most_named)
        return (verdict){2 * redirects > names ? DP_ACROSS_REDIRECT : DP_ACROSS_CANONICAL, most_shown};
    if (!most_shown || lead < 0)
        return (verdict){DP_ACROSS_NOTHING, false};
    bool one_owner = dp_lead_one_owner(w->lead, domain, w->to[rule]);
    return one_owner ? (verdict){DP_ACROSS_OWNER, true} : (verdict){DP_ACROSS_COPIES, false};
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

typedef struct deciding {
    weighing    w;
    dp_cases   *cases;
    bool        owners;
    uint8_t    *in, *does;
    uint64_t   *edge; /* [nedge] from << 32 | to: where rules lead that stay */
    size_t      nedge, edge_cap;
    uint8_t    *reached; /* [domains] */
    dp_arena   *arena;
    bool        changed;
} deciding;

/* Whether rules that stay lead from one domain to another. */
static bool reaches(const deciding *d, uint32_t from, uint32_t to)
{
    bool more = true;
    memset(d->reached, 0, d->w.lead->ndomain);
    d->reached[from] = 1;
    while (more && !d->reached[to]) {
        more = false;
        for (size_t i = 0; i < d->nedge; i++) {
            uint8_t *there = &d->reached[(uint32_t)d->edge[i]];
            more |= d->reached[d->edge[i] >> 32] && !*there;
            *there |= d->reached[d->edge[i] >> 32];
        }
    }
    return d->reached[to];
}

/* Add where a rule leads; false, where that is back to where others began. */
static bool add_edge(deciding *d, uint32_t from, uint32_t to, dp_err *code)
{
    uint64_t edge = (uint64_t)from << 32 | to;
    for (size_t i = 0; i < d->nedge; i++) {
        if (d->edge[i] == edge)
            return true;
    }
    if (reaches(d, to, from))
        return false;
    if (!DP_ROOM(d->edge, d->nedge, d->edge_cap)) {
        *code = DP_ENOMEM;
        return false;
    }
    d->edge[d->nedge++] = edge;
    return true;
}

/* The name in a word of a host line. */
static dp_str name_of(dp_str word)
{
    if (dp_str_starts(word, DP_STR("*.")))
        word = dp_str_cut(word, 2, word.n);
    const char *colon = word.n && word.p[0] != '[' ? memchr(word.p, ':', word.n) : NULL;
    return colon ? dp_str_cut(word, 0, (size_t)(colon - word.p)) : word;
}

/* Of the hosts of a case those that its rule, number `rule`, may rewrite; as active rule or not. */
static dp_err list_hosts(deciding *d, uint32_t rule, const dp_proposal *p, bool active, dp_buf *out, dp_across *across)
{
    const dp_rule *r = d->w.program.rules->rule[rule];
    uint32_t       to = d->w.to[rule];
    dp_err         code = DP_OK;
    dp_str         only = r->left->host;
    for (size_t i = 0, end; i < p->hosts.n && code == DP_OK; i = end + 2) {
        for (end = i; end < p->hosts.n && p->hosts.p[end] != ','; end++) {}
        dp_str   word = dp_str_cut(p->hosts, i, end), name = name_of(word);
        uint32_t from = dp_lead_find(d->w.lead, name);
        if (from == NONE || from == to || (only.n && !dp_str_eq(only, name)) ||
            (d->owners && dp_lead_one_owner(d->w.lead, from, to)))
            continue;
        verdict v = weigh(&d->w, rule, from);
        if (!v.across || (active && !v.active) || !add_edge(d, from, to, &code))
            continue;
        dp_buf_c(out, out->n ? ", " : "");
        dp_buf_str(out, word);
        *across = *across ? *across : v.across;
    }
    return code == DP_OK && out->failed ? DP_ENOMEM : code;
}

/* Decide on the rule of case `i`; `likely`: only on what cannot be active. */
static dp_err decide(deciding *d, uint32_t rule, size_t i, bool likely)
{
    dp_proposal *p = &d->cases->p.v[i];
    dp_buf       hosts = {0};
    dp_across    across = DP_ACROSS_NOTHING;
    bool         active = !likely;
    dp_err       code = DP_OK;
    if (active && p->state != DP_ACTIVE)
        return DP_OK;
    if (d->w.to[rule] < d->w.lead->ndomain)
        code = list_hosts(d, rule, p, active, &hosts, &across);
    if (code == DP_OK && across) {
        p->across = across;
        p->state = active ? DP_ACTIVE : DP_LIKELY;
        d->changed |= likely || hosts.n != p->hosts.n;
        p->hosts = dp_arena_str(d->arena, dp_buf_view(&hosts));
        code = p->hosts.p ? DP_OK : DP_ENOMEM;
    }
    dp_buf_done(&hosts);
    return code;
}

static dp_err decide_all(deciding *d)
{
    const dp_program *g = &d->w.program;
    for (int likely = 0; likely < 2; likely++) {
        for (uint32_t i = 0; i < g->rules->nrule; i++) {
            uint32_t number = g->proposal[i];
            if (d->does[number] && !d->cases->p.v[number].across)
                DP_TRY(decide(d, i, number, likely));
        }
    }
    for (size_t i = 0; i < d->cases->p.n; i++) {
        bool stays = !d->does[i] || d->cases->p.v[i].across;
        d->changed |= d->in[i] && !stays;
        d->in[i] &= stays;
    }
    return DP_OK;
}

/* Say which cases cross. */
static dp_err find_crossing(deciding *d, dp_str keep, bool *any)
{
    dp_program g;
    *any = false;
    DP_TRY(dp_program_make(&g, &d->cases->p, d->in, keep));
    for (size_t i = 0; i < g.rules->nrule; i++) {
        d->does[g.proposal[i]] = dp_rule_crosses(g.rules->rule[i]);
        *any |= d->does[g.proposal[i]];
    }
    dp_program_done(&g);
    return DP_OK;
}

/* Those that cross, and where to; all others. */
static dp_err divide(deciding *d, dp_str keep)
{
    weighing *w = &d->w;
    uint8_t  *rest = malloc(d->cases->p.n + 1);
    for (size_t i = 0; rest && i < d->cases->p.n; i++)
        rest[i] = d->in[i] && !d->does[i];
    dp_err code = rest ? dp_program_make(&w->others, &d->cases->p, rest, keep) : DP_ENOMEM;
    free(rest);
    DP_TRY(code);
    DP_TRY(dp_program_make(&w->program, &d->cases->p, d->does, keep));
    const dp_rules *r = w->program.rules;
    w->to = malloc((r->nrule + 1) * sizeof *w->to);
    d->reached = malloc(w->lead->ndomain + 1u);
    if (!w->to || !d->reached)
        return DP_ENOMEM;
    for (size_t i = 0; i < r->nrule; i++) /* where a substitution leads nobody can say */
        w->to[i] = r->rule[i]->kind == DP_RULE_REWRITE ? dp_lead_find(w->lead, r->rule[i]->right->host) : NONE;
    return DP_OK;
}

static void end(deciding *d)
{
    weighing *w = &d->w;
    dp_counted *const counted[] = {&w->fired, &w->redirects, &w->names, &w->shown};
    void *const       owned[] = {w->to, w->shows.v, d->edge, d->reached};
    dp_program_done(&w->program);
    dp_program_done(&w->others);
    for (size_t i = 0; i < DP_COUNT(counted); i++)
        dp_counted_done(counted[i]);
    for (size_t i = 0; i < DP_COUNT(owned); i++)
        free(owned[i]);
}

dp_err dp_across_decide(dp_cases *c, const dp_court *court, const dp_lead *l, bool owners, uint8_t *in, uint8_t *does,
                        dp_arena *a)
{
    deciding d = {.w = {.site = court->site, .lead = l}, .cases = c, .owners = owners, .in = in, .does = does,
                  .arena = a};
    bool     any = false;
    memset(does, 0, c->p.n);
    dp_err code = find_crossing(&d, court->keep, &any);
    if (code == DP_OK && any)
        code = divide(&d, court->keep);
    if (code == DP_OK && any)
        code = hear_all(&d.w);
    if (code == DP_OK && any)
        code = decide_all(&d);
    if (code == DP_OK && d.changed && court->fired)
        dp_firings_done(court->fired); /* rules do other things than the learner saw */
    end(&d);
    return code;
}
