/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/vote/guard.h"

#include "learn/auto/layout/reading.h"
#include "learn/auto/propose/path.h"
#include "learn/auto/thresholds.h"
#include "rule/ruleline.h"
#include "url/chars.h"

static size_t count_digits(dp_str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++)
        n += dp_is(s.p[i], DP_CH_DIGIT);
    return n;
}

static bool is_language(dp_str s, dp_str name)
{
    (void)name;
    return dp_is_language(s);
}

/* A small number as the value of a parameter. */
static bool is_page(dp_str s, dp_str name)
{
    return name.n && s.n >= 1 && s.n <= 3 && count_digits(s) == s.n;
}

/* Seconds since 1970, from 2001 to 2033: the date of a revision as wikis write it. */
static bool is_epoch(dp_str s)
{
    return s.n == 10 && s.p[0] == '1' && count_digits(s) == s.n;
}

/* 2024, 2024-05, 2024-05-17, 20240517, 1794711225 */
static bool is_date(dp_str s, dp_str name)
{
    (void)name;
    if (is_epoch(s))
        return true;
    if (s.n < 4 || !(dp_str_starts(s, DP_STR("19")) || dp_str_starts(s, DP_STR("20"))))
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (!dp_is(s.p[i], DP_CH_DIGIT) && !(i > 3 && (s.p[i] == '-' || s.p[i] == '.' || s.p[i] == '_')))
            return false;
    return s.n == 4 || s.n == 6 || s.n == 7 || s.n == 8 || s.n == 10;
}

/* What sites call a version that has no number yet, or not for long. */
static bool is_moving(dp_str s)
{
    static const char *const names[] = {"latest", "stable", "current", "dev", "devel", "nightly", "master"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (dp_str_eq(s, dp_str_c(names[i])))
            return true;
    return false;
}

/* 2.13, v3, 3.4.2, networkx-1.5, latest */
static bool is_version(dp_str s, dp_str name)
{
    size_t i = s.n;
    if (!name.n && is_moving(s))
        return true;
    while (i && (dp_is(s.p[i - 1], DP_CH_DIGIT) || s.p[i - 1] == '.'))
        i--;
    size_t n = s.n - i;
    if (!n || n > 8)
        return false;
    bool dot = memchr(s.p + i, '.', n) != NULL;
    return (dot && (i == 0 || s.p[i - 1] == '-' || s.p[i - 1] == '_' || dp_lower(s.p[i - 1]) == 'v')) ||
           (i == 1 && dp_lower(s.p[0]) == 'v' && n <= 3);
}

/* A number of six digits, a name with as many. */
static bool is_id(dp_str s, dp_str name)
{
    (void)name;
    return count_digits(s) >= DP_ID_DIGITS;
}

const dp_guard dp_guards[DP_GUARDS] = {
    {"lang", is_language, DP_GUARD_ANY},       {"page", is_page, DP_GUARD_ANY},  {"date", is_date, DP_GUARD_ALWAYS},
    {"version", is_version, DP_GUARD_ALWAYS}, {"id", is_id, DP_GUARD_LITERAL},
};

bool dp_guard_parse(uint32_t *bits, dp_str list, dp_str *bad)
{
    *bits = 0;
    for (size_t i = 0, j; i < list.n; i = j + 1) {
        for (j = i; j < list.n && list.p[j] != ','; j++) {}
        int g = 0;
        while (g < DP_GUARDS && !dp_str_eq(dp_str_cut(list, i, j), dp_str_c(dp_guards[g].name)))
            g++;
        if (g == DP_GUARDS) {
            *bad = dp_str_cut(list, i, j);
            return false;
        }
        *bits |= 1u << g;
    }
    return true;
}

void dp_guard_print(dp_buf *out, uint32_t bits)
{
    size_t from = out->n;
    for (int g = 0; g < DP_GUARDS; g++) {
        if (!(bits >> g & 1))
            continue;
        dp_buf_c(out, out->n > from ? "," : "");
        dp_buf_c(out, dp_guards[g].name);
    }
}

/* ---- what a pair differs in --------------------------------------------------------------- */

enum { MOST_PAIRS = 64 };

typedef struct looking {
    const dp_forms *forms;
    dp_rule         rule;
    uint32_t        allowed;
    dp_frame        a, b;
    uint32_t        pairs, guarded;
    uint32_t        numbers; /* of those guarded, that differ in small numbers of parameters alone */
    bool            other;   /* the pair at hand differs in something else that is guarded */
    uint32_t        here;    /* guards that know what the pair at hand differs in, as bits */
    uint32_t        by;      /* those of all pairs that are guarded */
    bool            failed;
    bool            one_value; /* the rule drops one value of a parameter: a default */
} looking;

static bool holds(dp_str text, dp_str part)
{
    return part.n && text.n && memmem(text.p, text.n, part.p, part.n) != NULL;
}

/* Whether a literal of the template, or a value of one of its lists, holds the text; `t` may be NULL. */
static bool template_holds(const dp_template *t, dp_str part)
{
    bool found = false;
    for (size_t i = 0; t && i < dp_template_pats(t); i++) {
        const dp_pat *p = dp_template_pat(t, i);
        for (size_t k = 0; k < p->n && !found; k++) {
            found = p->v[k].kind == DP_ITEM_LITERAL && holds(p->v[k].text, part);
            for (size_t j = 0; j < p->v[k].nlist && !found; j++)
                found = holds(p->v[k].list[j], part);
        }
    }
    return found;
}

static bool rule_holds(const dp_rule *r, dp_str part)
{
    bool found = holds(r->value, part) || template_holds(r->left, part) || template_holds(r->right, part) ||
                 template_holds(r->on, part);
    for (size_t i = 0; i < r->nunless && !found; i++)
        found = template_holds(r->unless[i], part);
    return found;
}

/* Whether a piece that differs is one that some guard knows. */
static bool known(looking *l, dp_str piece, dp_str name)
{
    for (int g = 0; g < DP_GUARDS; g++)
        if (!(l->allowed >> g & 1) && dp_guards[g].fits(piece, name) &&
            (dp_guards[g].when != DP_GUARD_LITERAL || rule_holds(&l->rule, piece)) &&
            (dp_guards[g].when != DP_GUARD_ANY || !l->one_value)) {
            l->other |= dp_guards[g].fits != is_page;
            l->here |= 1u << g;
            return true;
        }
    return false;
}

/* Whether the components of `f` outside the cut are all known; adds how many there are. */
static bool known_components(looking *l, const dp_frame *f, dp_path_cut c, uint32_t *n)
{
    bool date = f->nseg - c.end - c.start >= 2, all = true;
    for (uint32_t i = c.start; i < f->nseg - c.end; i++) {
        dp_str seg = dp_frame_seg(f, i);
        /* 2024/05/17: months and days only behind a year. */
        bool behind = date && i > c.start && seg.n <= 2 && count_digits(seg) == seg.n && !(l->allowed >> 2 & 1);
        all &= known(l, seg, (dp_str){f->s, 0}) || behind;
        ++*n;
    }
    return all;
}

static bool known_pairs(looking *l, const dp_frame *f, const dp_frame *g, uint32_t *n)
{
    bool all = true;
    for (uint32_t i = 0; i < f->npair; i++) {
        dp_str name = dp_pair_name(f, &f->pair[i]), value = dp_pair_value(f, &f->pair[i]);
        bool   same = false;
        for (uint32_t k = 0; k < g->npair && !same; k++)
            same = dp_str_eq(name, dp_pair_name(g, &g->pair[k])) && dp_str_eq(value, dp_pair_value(g, &g->pair[k]));
        if (same)
            continue;
        all &= known(l, value, name);
        ++*n;
    }
    return all;
}

/* The only language among the components of `f` outside the cut; n == 0: there is none, or several. */
static dp_str language_of(const dp_frame *f, dp_path_cut c)
{
    dp_str found = {f->s, 0};
    for (uint32_t i = c.start; i < f->nseg - c.end; i++) {
        dp_str seg = dp_frame_seg(f, i);
        if (!is_language(seg, (dp_str){f->s, 0}))
            continue;
        if (found.n)
            return (dp_str){f->s, 0};
        found = seg;
    }
    return found;
}

/* Whether one language stands for another, whatever else differs: /docs/2.4/da and /manual/en. */
static bool changes_language(const looking *l, dp_path_cut c)
{
    dp_str a = language_of(&l->a, c), b = language_of(&l->b, c);
    return !(l->allowed & 1) && a.n && b.n && !dp_str_eq(a, b);
}

/* Whether a text stands in `g`, as a component or under a name that has no other value there. */
static bool stands_in(const dp_frame *g, dp_str text, dp_str name)
{
    bool there = false;
    for (uint32_t i = 0; i < g->nseg && !there; i++)
        there = dp_same_but_zeros(text, dp_frame_seg(g, i));
    for (uint32_t i = 0; i < g->npair; i++) {
        bool same = dp_same_but_zeros(text, dp_pair_value(g, &g->pair[i]));
        if (name.n && !same && dp_str_eq(name, dp_pair_name(g, &g->pair[i])))
            return false;
        there |= same;
    }
    return there;
}

/* Whether all that `f` has outside the cut stands in `g`, too, elsewhere: a date that is written in another place has
 * not changed. */
static bool moves(const dp_frame *f, const dp_frame *g, dp_path_cut c)
{
    bool all = true;
    for (uint32_t i = c.start; i < f->nseg - c.end && all; i++)
        all = stands_in(g, dp_frame_seg(f, i), (dp_str){f->s, 0});
    for (uint32_t i = 0; i < f->npair && all; i++)
        all = stands_in(g, dp_pair_value(f, &f->pair[i]), dp_pair_name(f, &f->pair[i]));
    return all;
}

static void look(void *ctx, const dp_group_seen *g)
{
    looking *l = ctx;
    if (l->pairs >= MOST_PAIRS || g->agree < 2)
        return;
    dp_frame_result x = dp_frame_read(&l->a, l->forms->text[g->form[0]]);
    dp_frame_result y = dp_frame_read(&l->b, l->forms->text[g->form[g->n - 1]]);
    l->failed |= x == DP_FRAME_NOMEM || y == DP_FRAME_NOMEM;
    if (x != DP_FRAME_OK || y != DP_FRAME_OK)
        return;
    dp_path_cut c = dp_path_cut_of(&l->a, &l->b);
    uint32_t    n = 0;
    l->other = false;
    l->here = 0;
    bool        all = known_components(l, &l->a, c, &n);
    all &= known_components(l, &l->b, c, &n);
    all &= known_pairs(l, &l->a, &l->b, &n);
    all &= known_pairs(l, &l->b, &l->a, &n);
    if (all && moves(&l->a, &l->b, c) && moves(&l->b, &l->a, c))
        all = false;
    if (changes_language(l, c)) {
        all = l->other = true;
        l->here = 1;
    }
    l->pairs++;
    l->guarded += all && n;
    l->by |= all && n ? l->here : 0;
    l->numbers += all && n && !l->other;
}

/* The factor where most pairs are guarded. */
static double factor_of(const looking *l, const dp_idea *idea)
{
    if (l->numbers != l->guarded || idea->drawn)
        return DP_GUARD_FACTOR;
    if (!idea->doubted)
        return DP_NUMBER_FACTOR;
    return l->rule.kind == DP_RULE_SET ? DP_GUARD_FACTOR : DP_PAGING_FACTOR;
}

dp_guarding dp_guard_ask(dp_ballot *b, size_t i, uint32_t allowed)
{
    looking  l = {.forms = b->forms, .allowed = allowed};
    dp_arena room = {0};
    l.one_value = b->idea[i].family == DP_FAMILY_VALUE && !b->idea[i].second;
    if (b->idea[i].family == DP_FAMILY_CASE || b->idea[i].family == DP_FAMILY_ORDER ||
        b->idea[i].family == DP_FAMILY_AGAIN)
        return (dp_guarding){.factor = 1};
    l.failed = dp_ruleline_parse(&l.rule, b->idea[i].text[0], &room) == DP_ENOMEM;
    dp_ballot_walk(b, i, look, &l);
    dp_frame_done(&l.a);
    dp_frame_done(&l.b);
    dp_arena_done(&room);
    if (l.failed)
        return (dp_guarding){.factor = -1};
    if (l.guarded <= DP_GUARDED_PAIRS * l.pairs)
        return (dp_guarding){.factor = 1};
    double factor = factor_of(&l, &b->idea[i]);
    return (dp_guarding){factor, factor > DP_NUMBER_FACTOR ? l.by : 0};
}
