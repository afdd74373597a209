/* SPDX-License-Identifier: Apache-2.0 */
#include "support/draw.h"

typedef struct drawing {
    dp_rng   *g;
    dp_arena *a;
    text      path, query; /* query: pairs, each after its separator */
    dp_str    scheme, host;
    int       port; /* -1: none */
} drawing;

static void add_pair(drawing *d, dp_str n, dp_str v, bool has_eq)
{
    add_char(&d->query, chance(d->g, 92) ? '&' : ';');
    add_str(&d->query, n);
    if (has_eq)
        add_char(&d->query, '=');
    add_str(&d->query, v);
}

static void add_member(drawing *d, dp_class cls, text *t)
{
    static const char *const members[][4] = {
        [DP_CLASS_INT] = {"1", "12", "007", "000"},
        [DP_CLASS_HEX] = {"12", "deadbeef", "AF0", "a"},
        [DP_CLASS_WORD] = {"a", "Ab", "b", "ba"},
        [DP_CLASS_SLUG] = {"a-b", "b_1", "a", "1-a-1-b"},
        [DP_CLASS_UUID] = {"01234567-89ab-cdef-0123-456789ABCDEF", "00000000-0000-0000-0000-000000000000",
                           "abcdefab-89ab-cdef-0123-456789abcdef", "00000000-0000-0000-0000-00000000000"},
        [DP_CLASS_DATE] = {"2001-02-03", "20010203", "1999-12-31", "200102030"},
    };
    add(t, members[cls][below(d->g, 4)]);
}

/* A text of the length that is asked for, mostly. */
static void fill_length(drawing *d, const dp_item *it, text *t)
{
    static const char *const bytes[] = {
        [DP_CLASS_INT] = "0127", [DP_CLASS_HEX] = "0aF7", [DP_CLASS_WORD] = "abBz", [DP_CLASS_SLUG] = "a-1_"};
    size_t n = it->length + (chance(d->g, 10) ? 1 : 0);
    for (size_t i = 0; i < n; i++)
        add_char(t, bytes[it->cls][below(d->g, 4)]);
}

static void fill_pat(drawing *d, const dp_pat *p, bool is_query, text *t)
{
    for (size_t i = 0; i < p->n; i++) {
        const dp_item *it = &p->v[i];
        if (it->kind == DP_ITEM_LITERAL)
            add_str(t, it->text);
        else if (it->kind == DP_ITEM_CAPTURE && it->cls == DP_CLASS_LIST)
            add_str(t, it->list[below(d->g, it->nlist)]);
        else if (it->kind == DP_ITEM_CAPTURE && it->length)
            fill_length(d, it, t);
        else if (it->kind == DP_ITEM_CAPTURE && it->cls != DP_CLASS_ANY)
            add_member(d, it->cls, t);
        else if (chance(d->g, 4))
            add(t, "*");
        else if (chance(d->g, 35))
            add(t, is_query ? draw_odd_value(d->g) : draw_odd_word(d->g));
        else
            add(t, is_query ? draw_value(d->g) : draw_word(d->g));
    }
}

static void fill_template(drawing *d, const dp_template *t)
{
    if (t->scheme.n)
        d->scheme = t->scheme;
    if (t->host.n) {
        d->host = t->host;
        if (t->label.n) {
            text h = {.a = d->a};
            addf(&h, "%s%.*s", chance(d->g, 80) ? "b" : chance(d->g, 50) ? "x-1" : "w.b",
                 DP_FMT(dp_str_cut(t->host, 1, t->host.n)));
            d->host = view(&h);
        }
        if (t->port >= 0)
            d->port = t->port;
    }
    d->path.n = 0;
    for (size_t i = 0; i < t->nseg; i++) {
        if (i == t->glob) {
            for (size_t n = below(d->g, 3); n > 0; n--)
                addf(&d->path, "/%s", draw_word(d->g));
        } else {
            add_char(&d->path, '/');
            fill_pat(d, &t->seg[i], false, &d->path);
        }
    }
    for (size_t i = 0; i < t->nquery; i++) {
        const dp_query_item *q = &t->query[i];
        if (q->kind == DP_QUERY_ABSENT)
            continue;
        for (size_t k = 1; k < q->k; k++)
            if (chance(d->g, 70))
                add_pair(d, q->name, dp_str_c(draw_value(d->g)), true);
        text v = {.a = d->a};
        if (q->kind == DP_QUERY_VALUE)
            fill_pat(d, &q->pat, true, &v);
        else if (q->kind == DP_QUERY_PRESENT)
            add(&v, draw_value(d->g));
        add_pair(d, q->name, view(&v), q->kind != DP_QUERY_BARE);
    }
}

/* Make it likely that `r` has something to do. */
static void feed_rule(drawing *d, const dp_rule *r, bool may_set_path)
{
    if (may_set_path && r->on)
        fill_template(d, r->on);
    switch (r->kind) {
    case DP_RULE_REWRITE:
        if (may_set_path)
            fill_template(d, r->left);
        break;
    case DP_RULE_ONLY:
        if (r->names.kind == '?')
            add_pair(d, dp_str_c(draw_name(d->g)), dp_str_c(draw_value(d->g)), chance(d->g, 90));
        else
            addf(&d->path, "%s;%s=1", d->path.n ? "" : "/", draw_name(d->g));
        if (r->names.n == 0)
            break;
        /* fall through */
    case DP_RULE_DROP:
    case DP_RULE_ERASE:
    case DP_RULE_SET: {
        const dp_name *n = &r->names.v[below(d->g, r->names.n)];
        text           t = {.a = d->a};
        add_str(&t, n->text);
        if (n->prefix && chance(d->g, 70))
            add(&t, chance(d->g, 50) ? "a" : "b");
        dp_str v = r->has_if && chance(d->g, 80) ? r->value : dp_str_c(draw_value(d->g));
        if (r->names.kind == '?')
            add_pair(d, view(&t), v, v.n || r->has_if || chance(d->g, 50));
        else
            addf(&d->path, "%s;%.*s=%.*s", d->path.n ? "" : "/", DP_FMT(view(&t)), DP_FMT(v));
        break;
    }
    case DP_RULE_FOLD_PATH:
        add(&d->path, d->path.n == 0 || chance(d->g, 50) ? "/Ab" : "B");
        break;
    case DP_RULE_FOLD_QUERY:
    case DP_RULE_FOLD_NAMES:
        add_pair(d, dp_str_c(chance(d->g, 50) ? "Ab" : draw_name(d->g)), DP_STR("Ab"), true);
        break;
    case DP_RULE_SUB:
        if (r->alpha.n && r->alpha.p[0] != '^' && !r->at_start)
            add_str(chance(d->g, 60) ? &d->path : &d->query, r->alpha);
        break;
    }
}

/* A host out of some block, which is returned; NULL: out of none. */
static const dp_block *draw_host(drawing *d, const dp_rules *r)
{
    dp_rng *g = d->g;
    if (r->nblock == 0 || chance(g, 8)) {
        d->host = dp_str_c(draw_host_name(g));
        return NULL;
    }
    const dp_block *b = r->block[below(g, r->nblock)];
    const dp_scope *s = &b->scope[below(g, b->nscope)];
    text            t = {.a = d->a};
    if (s->any)
        add(&t, draw_host_name(g));
    else if (s->wildcard)
        addf(&t, "%s.%.*s", chance(g, 60) ? "b" : chance(g, 50) ? "www" : "x.b", DP_FMT(s->name));
    else
        add_str(&t, s->name);
    d->host = view(&t);
    if (s->port >= 0)
        d->port = s->port;
    else if (chance(g, 8))
        d->port = chance(g, 50) ? 8080 : chance(g, 50) ? 80 : 443;
    return b;
}

static const dp_rule *draw_rule(dp_rng *g, const dp_rules *r, const dp_block *b)
{
    return b && b->nrule && chance(g, 80) ? b->rule[below(g, b->nrule)] : r->rule[below(g, r->nrule)];
}

static dp_str url_text(drawing *d)
{
    dp_rng *g = d->g;
    text    t = {.a = d->a};
    bool dotted = d->host.n && memchr(d->host.p, '.', d->host.n);
    if (d->scheme.n)
        addf(&t, "%.*s://", DP_FMT(d->scheme));
    else if (chance(g, 75))
        add(&t, "http://");
    else
        add(&t, PICK(g, ((const char *const[]){"https://", "https://", "https://", "ftp://", "x+y://"})));
    if (dotted && chance(g, d->scheme.n ? 5 : 12))
        t.n = 0;
    if (t.n && chance(g, 4))
        add(&t, PICK(g, ((const char *const[]){"u@", "u:p@", "@", "a%40b@", "A B@"})));
    for (size_t i = 0; i < d->host.n; i++) {
        char c = d->host.p[i];
        if (chance(g, 2) && c >= 'a' && c <= 'z')
            c = (char)(c - 'a' + 'A');
        add_char(&t, c);
    }
    if (d->port >= 0)
        addf(&t, ":%s%d", chance(g, 5) ? "0" : "", d->port);
    add_str(&t, view(&d->path));
    if (d->query.n) {
        char *q = d->query.p; /* the first separator is the '?' */
        if (q[0] == '&' || q[0] == ';')
            q[0] = '?';
        add_str(&t, view(&d->query));
    }
    if (chance(g, 3))
        add(&t, "#f?a");
    return view(&t);
}

dp_str world_url(dp_rng *g, const dp_rules *r, dp_arena *a)
{
    if (chance(g, 1))
        return world_bytes(g, a);
    drawing d = {.g = g, .a = a, .path = {.a = a}, .query = {.a = a}, .port = -1};
    const dp_block *block = draw_host(&d, r);

    for (size_t n = below(g, 4); n > 0; n--)
        addf(&d.path, "/%s", draw_word(g));
    bool exact = chance(g, 15); /* one rule and nothing beside it: closed queries */
    if (r->nrule && (exact || chance(g, 85)))
        feed_rule(&d, draw_rule(g, r, block), true);
    if (exact)
        return url_text(&d);
    for (size_t n = below(g, 6); r->nrule && n > 0; n--)
        feed_rule(&d, draw_rule(g, r, block), false);
    if (chance(g, 10) && r->nblock) {
        const dp_block *b = r->block[below(g, r->nblock)];
        for (size_t i = 0; i < b->nkeep; i++)
            if (b->keep[i].tpl)
                fill_template(&d, b->keep[i].tpl);
    }
    for (size_t n = below(g, 3); n > 0; n--)
        add_pair(&d, dp_str_c(chance(g, 95) ? draw_name(g) : draw_odd_name(g)), dp_str_c(draw_value(g)), chance(g, 92));
    if (d.path.n == 0 && chance(g, 90))
        add_char(&d.path, '/');
    dp_str url = url_text(&d);
    return chance(g, 8) ? world_mutate(g, url, a) : url;
}
