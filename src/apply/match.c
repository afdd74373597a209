/* SPDX-License-Identifier: Apache-2.0 */
#include "apply/match.h"

#include "apply/firstcut.h"
#include "rule/rule.h"
#include "url/percent.h"

static bool has_star(dp_str s)
{
    return memchr(s.p, '*', s.n) != NULL;
}

static bool in_list(const dp_im_rule *body, dp_cut list, dp_str s)
{
    const dp_cut *v = dp_im_at(body, list.at);
    for (uint32_t i = 0; i < list.n; i++)
        if (dp_str_eq(dp_im_literal(body, v[i]), s))
            return true;
    return false;
}

/* One text (segment or value) under match. Made once for a template, and then changed from text to text: to copy it at
 * once takes longer, as what was just written in parts has to reach the cache before. */
typedef struct subject {
    const dp_im_rule *body;
    const dp_frame   *f;
    dp_match       *m;
    bool            condition;
    bool            in_query;
    uint32_t        at, end;
} subject;

/* Bind what a capture or star holds; false when its name holds something else. */
static bool bind(const subject *s, const dp_im_item *it, uint32_t at, uint32_t end)
{
    if (it->kind == DP_ITEM_STAR)
        return true;
    dp_capture *c = &s->m->slot[it->slot];
    if (it->flags & DP_ITEM_AGAIN)
        return dp_str_eq(dp_frame_cut(s->f, c->at, c->end), dp_frame_cut(s->f, at, end));
    *c = (dp_capture){at, end, s->in_query};
    return true;
}

static bool class_fits(const subject *s, const dp_im_item *it, dp_str text)
{
    if (it->cls == DP_CLASS_LIST)
        return in_list(s->body, it->what, text);
    return (!it->length || it->length == text.n) && dp_class_fits((dp_class)it->cls, text);
}

/* Class, list, equality and the star test on what a capture or star found. */
static bool accept(const subject *s, const dp_im_item *it, uint32_t at, uint32_t end)
{
    dp_str text = dp_frame_cut(s->f, at, end);
    if (has_star(text) && !(s->condition && it->cls == DP_CLASS_ANY))
        return false;
    return (it->kind == DP_ITEM_STAR || class_fits(s, it, text)) && bind(s, it, at, end);
}

/* The leftmost place of `literal` in [from, end) that does not begin inside %XX; `end` when none. */
static uint32_t find_literal(const subject *s, dp_str literal, uint32_t from, uint32_t end)
{
    dp_str whole = dp_frame_cut(s->f, s->at, s->end);
    while (from < end) {
        const char *p = memmem(s->f->s + from, end - from, literal.p, literal.n);
        if (!p)
            return end;
        from = (uint32_t)(p - s->f->s);
        if (!dp_percent_inside(whole, from - s->at))
            return from;
        from++;
    }
    return end;
}

/* A pattern with DP_ITEM_CUTS. */
static bool match_cut(const subject *s, const dp_im_item *it, uint32_t n)
{
    uint32_t    ends[DP_MAX_CUT], at = s->at, k = 0;
    dp_firstcut c = {s->body, it, n, dp_frame_cut(s->f, s->at, s->end), s->condition, s->m->cut};
    if (!dp_firstcut_find(&c, ends))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        if (it[i].kind == DP_ITEM_LITERAL) {
            at += it[i].what.n;
            continue;
        }
        uint32_t end = s->at + ends[k++];
        if (!bind(s, &it[i], at, end))
            return false;
        at = end;
    }
    return true;
}

static bool match_pat(const subject *s, dp_im_pat pat)
{
    const dp_im_item *it = dp_im_at(s->body, pat.at), *stop = it + pat.n;
    uint32_t          at = s->at, end = s->end;
    if (pat.n == 0)
        return at == end;
    if (pat.n > 1 && it->flags & DP_ITEM_CUTS)
        return match_cut(s, it, pat.n);
    if (it->kind == DP_ITEM_LITERAL) {
        dp_str literal = dp_im_literal(s->body, it->what), text = dp_frame_cut(s->f, at, end);
        if (pat.n == 1)
            return dp_str_eq(text, literal);
        if (!dp_str_starts(text, literal))
            return false;
        at += it->what.n;
        it++;
    }
    while (it < stop) {
        const dp_im_item *capture = it++;
        if (at >= end)
            return false;
        uint32_t found = end, next = end;
        if (it < stop) {
            dp_str literal = dp_im_literal(s->body, it->what);
            bool   last = it + 1 == stop;
            if (last) {
                if (end - at <= literal.n)
                    return false;
                found = end - (uint32_t)literal.n;
                if (memcmp(s->f->s + found, literal.p, literal.n) != 0 ||
                    dp_percent_inside(dp_frame_cut(s->f, s->at, end), found - s->at))
                    return false;
            } else {
                found = find_literal(s, literal, at + 1, end);
                if (found == end)
                    return false;
            }
            next = found + (uint32_t)literal.n;
            it++;
        }
        if (!accept(s, capture, at, found))
            return false;
        at = next;
    }
    return true;
}

/* {x}.name: exactly one label before the point; `name` begins with it. */
static bool match_label(const subject *s, const dp_im_template *t, dp_str name)
{
    dp_str host = dp_frame_host(s->f);
    if (host.n <= name.n || !dp_str_ends(host, name) || memchr(host.p, '.', host.n - name.n))
        return false;
    uint32_t at = (uint32_t)(host.p - s->f->s);
    s->m->slot[t->label - 1] = (dp_capture){at, at + (uint32_t)(host.n - name.n), false};
    return true;
}

static bool match_origin(const subject *s, const dp_im_template *t)
{
    const dp_im_rule *body = s->body;
    const dp_frame   *f = s->f;
    if (t->scheme.n && !dp_str_eq(dp_im_literal(body, t->scheme), dp_frame_scheme(f)))
        return false;
    if (t->host.n) {
        dp_str name = dp_im_literal(body, t->host);
        if (t->label ? !match_label(s, t, name) : !dp_str_eq(name, dp_frame_host(f)))
            return false;
    }
    return t->port < 0 || t->port == dp_frame_port(f);
}

static bool match_path(subject *s, const dp_im_template *t)
{
    const dp_frame  *f = s->f;
    const dp_im_pat *pat = dp_im_at(s->body, t->seg.at);
    uint32_t         n = t->seg.n, skip = 0; /* segments that {**} takes beyond its own one */
    if (t->glob == DP_NO_SEG) {
        if (f->nseg != n)
            return false;
    } else {
        if (f->nseg < n - 1)
            return false;
        s->m->glob_at = t->glob;
        s->m->glob_end = t->glob + (f->nseg - (n - 1));
        skip = f->nseg - n; /* wraps to -1 when it takes nothing */
    }
    for (uint32_t i = 0; i < n; i++) {
        if (i == t->glob)
            continue;
        uint32_t k = t->glob != DP_NO_SEG && i > t->glob ? i + skip : i;
        s->at = f->seg[k];
        s->end = f->seg[k + 1] - 1;
        if (!match_pat(s, pat[i]))
            return false;
    }
    return true;
}

/* The k-th pair of that name, from 1; NULL when there is none. */
static const dp_pair *find_pair(const dp_frame *f, dp_str name, uint32_t k)
{
    for (uint32_t i = 0; i < f->npair; i++)
        if (dp_str_eq(dp_pair_name(f, &f->pair[i]), name) && --k == 0)
            return &f->pair[i];
    return NULL;
}

static void take(dp_match *m, const dp_frame *f, const dp_pair *p)
{
    uint8_t *flag = &m->taken[p - f->pair];
    m->ntaken += !*flag;
    *flag = 1;
}

static bool match_query_item(subject *s, const dp_im_query *q)
{
    const dp_frame *f = s->f;
    dp_str          name = dp_im_literal(s->body, q->name);
    const dp_pair  *p = find_pair(f, name, q->k);
    if (q->kind == DP_QUERY_ABSENT)
        return !p;
    if (!p)
        return false;
    if (q->kind == DP_QUERY_PRESENT) {
        for (; p < f->pair + f->npair; p++)
            if (dp_str_eq(dp_pair_name(f, p), name))
                take(s->m, f, p);
        return true;
    }
    take(s->m, f, p);
    if (q->kind == DP_QUERY_BARE)
        return !p->has_eq;
    s->in_query = true; /* the path was before */
    s->at = p->eq + 1;
    s->end = p->end;
    return p->has_eq && match_pat(s, q->pat);
}

static bool match_template(subject *s, const dp_im_template *t)
{
    const dp_im_query *query = dp_im_at(s->body, t->query.at);
    if (!match_origin(s, t) || !match_path(s, t))
        return false;
    if (s->f->npair)
        memset(s->m->taken, 0, s->f->npair);
    s->m->ntaken = 0;
    for (uint32_t i = 0; i < t->query.n; i++)
        if (!match_query_item(s, &query[i]))
            return false;
    return true;
}

bool dp_match_condition(const dp_im_rule *body, uint32_t tpl, const dp_frame *f, dp_match *m)
{
    subject s = {.body = body, .f = f, .m = m, .condition = true};
    return match_template(&s, dp_im_at(body, tpl));
}

/* Whether a pair that passes through has a name that the right side writes. */
static bool name_clashes(const dp_im_rule *r, const dp_im_template *right, const dp_frame *f, const dp_match *m)
{
    const dp_im_query *query = dp_im_at(r, right->query.at);
    for (uint32_t i = 0; i < f->npair; i++)
        for (uint32_t j = 0; j < right->query.n && !m->taken[i]; j++)
            if (dp_str_eq(dp_im_literal(r, query[j].name), dp_pair_name(f, &f->pair[i])))
                return true;
    return false;
}

bool dp_match_left(const dp_im_rule *r, const dp_frame *f, dp_match *m)
{
    const dp_im_template *left = dp_im_at(r, r->left), *right = dp_im_at(r, r->right);
    subject               s = {.body = r, .f = f, .m = m};
    if (!match_template(&s, left))
        return false;
    if (!left->has_query && !right->has_query)
        return true;
    if (!left->open)
        return m->ntaken == f->npair;
    return !right->open || !name_clashes(r, right, f, m); /* on the left alone: the rest goes */
}

bool dp_match_names(const dp_im_rule *body, dp_str name)
{
    const dp_im_name *v = dp_im_at(body, body->names.at);
    for (uint32_t i = 0; i < body->names.n; i++) {
        dp_str text = dp_im_literal(body, v[i].text);
        if (v[i].prefix ? dp_str_starts(name, text) : dp_str_eq(name, text))
            return true;
    }
    return false;
}
