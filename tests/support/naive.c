/* SPDX-License-Identifier: Apache-2.0 */
#include "support/naive.h"

#include "support/naive_url.h"

dp_str naive_stage0(dp_str url, const dp_rules *rules, dp_arena *a, bool *is_url)
{
    frame f;
    *is_url = naive_frame(url, rules, &f, a);
    return *is_url ? naive_print(&f, a) : url;
}

/* ---- matching -------------------------------------------------------------------------- */

typedef struct binding {
    dp_str name, text;
    bool   in_query;
} binding;

typedef struct match {
    binding *v;
    size_t   n, cap;
    size_t   glob_from, glob_to; /* segments that {**} took */
    bool    *taken;              /* [npair] of the frame */
    bool     is_condition;
    dp_arena *a;
} match;

static const binding *find_binding(const match *m, dp_str name)
{
    for (size_t i = 0; i < m->n; i++)
        if (dp_str_eq(m->v[i].name, name))
            return &m->v[i];
    return NULL;
}

static bool all_of(dp_str s, bool (*fits)(char))
{
    for (size_t i = 0; i < s.n; i++)
        if (!fits(s.p[i]))
            return false;
    return s.n > 0;
}

static bool is_slug_byte(char c)
{
    return is_alnum(c) || c == '_' || c == '-';
}

/* 'h' a hex digit, 'd' a digit, anything else itself. */
static bool has_shape(dp_str s, const char *shape)
{
    if (s.n != strlen(shape))
        return false;
    for (size_t i = 0; i < s.n; i++) {
        bool ok = shape[i] == 'h' ? is_hex(s.p[i]) : shape[i] == 'd' ? is_digit(s.p[i]) : s.p[i] == shape[i];
        if (!ok)
            return false;
    }
    return true;
}

static bool class_fits(const dp_item *it, dp_str s)
{
    if (it->length && it->length != s.n)
        return false;
    switch (it->cls) {
    case DP_CLASS_ANY:
        return true;
    case DP_CLASS_INT:
        return all_of(s, is_digit);
    case DP_CLASS_HEX:
        return all_of(s, is_hex);
    case DP_CLASS_WORD:
        return all_of(s, is_alpha);
    case DP_CLASS_SLUG:
        for (size_t i = 0; i < s.n; i++)
            if (is_alpha(s.p[i]))
                return all_of(s, is_slug_byte);
        return false;
    case DP_CLASS_UUID:
        return has_shape(s, "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh");
    case DP_CLASS_DATE:
        return has_shape(s, "dddd-dd-dd") || has_shape(s, "dddddddd");
    case DP_CLASS_LIST:
        for (size_t i = 0; i < it->nlist; i++)
            if (dp_str_eq(s, it->list[i]))
                return true;
        return false;
    }
    return false;
}

/* Whether a capture or star may hold `s`. */
static bool may_hold(const match *m, const dp_item *it, dp_str s)
{
    bool plain = it->kind == DP_ITEM_STAR || it->cls == DP_CLASS_ANY;
    if (s.n == 0 || (has_byte(s, '*') && !(m->is_condition && plain)))
        return false;
    return it->kind == DP_ITEM_STAR || class_fits(it, s);
}

/* A capture or star holds `s`; false when its name holds something else. */
static bool bind_text(match *m, const dp_item *it, dp_str s, bool in_query)
{
    if (it->kind == DP_ITEM_STAR)
        return true;
    const binding *old = find_binding(m, it->text);
    if (old)
        return dp_str_eq(old->text, s);
    if (m->n == m->cap) {
        size_t   cap = 2 * m->cap + 8;
        binding *v = need(DP_NEWS(m->a, cap, binding));
        for (size_t i = 0; i < m->n; i++)
            v[i] = m->v[i];
        m->v = v;
        m->cap = cap;
    }
    m->v[m->n++] = (binding){it->text, s, in_query};
    return true;
}

/* Cut s[at..] into the items from number `i` on, in the first way that holds: every cut is tried, those with a shorter
 * capture first. cut[i] is where item i ends. */
static bool find_cut(const match *m, const dp_pat *p, size_t i, dp_str s, size_t at, size_t *cut)
{
    if (is_inside_escape(s, at))
        return false;
    if (i == p->n)
        return at == s.n;
    const dp_item *it = &p->v[i];
    if (it->kind == DP_ITEM_LITERAL) {
        cut[i] = at + it->text.n;
        return dp_str_starts(from(s, at), it->text) && find_cut(m, p, i + 1, s, cut[i], cut);
    }
    for (size_t end = at + 1; end <= s.n; end++) {
        cut[i] = end;
        if (may_hold(m, it, dp_str_cut(s, at, end)) && find_cut(m, p, i + 1, s, end, cut))
            return true;
    }
    return false;
}

static bool match_pat(match *m, const dp_pat *p, dp_str s, bool in_query)
{
    size_t *cut = need(DP_NEWS(m->a, p->n + 1, size_t));
    if (!find_cut(m, p, 0, s, 0, cut))
        return false;
    for (size_t i = 0; i < p->n; i++) {
        dp_str part = dp_str_cut(s, i ? cut[i - 1] : 0, cut[i]);
        if (p->v[i].kind != DP_ITEM_LITERAL && !bind_text(m, &p->v[i], part, in_query))
            return false;
    }
    return true;
}

static bool match_path(match *m, const dp_template *t, const frame *f)
{
    size_t before = t->nseg, after = 0;
    if (t->glob != DP_NO_GLOB) {
        before = t->glob;
        after = t->nseg - t->glob - 1;
        if (f->nseg < before + after)
            return false;
    } else if (f->nseg != t->nseg) {
        return false;
    }
    for (size_t i = 0; i < before; i++)
        if (!match_pat(m, &t->seg[i], f->seg[i], false))
            return false;
    for (size_t i = 0; i < after; i++)
        if (!match_pat(m, &t->seg[t->nseg - after + i], f->seg[f->nseg - after + i], false))
            return false;
    m->glob_from = before;
    m->glob_to = f->nseg - after;
    return true;
}

static bool match_query_item(match *m, const dp_query_item *q, const frame *f)
{
    size_t seen = 0;
    for (size_t i = 0; i < f->npair; i++) {
        const pair *p = &f->pair[i];
        if (!dp_str_eq(p->name, q->name))
            continue;
        seen++;
        switch (q->kind) {
        case DP_QUERY_PRESENT:
            m->taken[i] = true;
            break;
        case DP_QUERY_ABSENT:
            return false;
        case DP_QUERY_BARE:
        case DP_QUERY_VALUE:
            if (seen != q->k)
                break;
            m->taken[i] = true;
            if (q->kind == DP_QUERY_BARE)
                return !p->has_eq;
            return p->has_eq && match_pat(m, &q->pat, p->value, true);
        }
    }
    if (q->kind == DP_QUERY_ABSENT)
        return true;
    return q->kind == DP_QUERY_PRESENT && seen > 0;
}

/* {x}.name: one label, a point, the name. */
static bool match_host_label(match *m, const dp_template *t, const frame *f)
{
    dp_item item = {.kind = DP_ITEM_CAPTURE, .text = t->label};
    size_t  point = find_byte(f->host, '.', 0);
    if (point == 0 || point == f->host.n || !dp_str_eq(from(f->host, point + 1), from(t->host, 2)))
        return false;
    return bind_text(m, &item, (dp_str){f->host.p, point}, false);
}

/* Everything but the query. */
static bool match_rest(match *m, const dp_template *t, const frame *f)
{
    if (t->scheme.n && !dp_str_eq(t->scheme, f->scheme))
        return false;
    if (t->label.n ? !match_host_label(m, t, f) : t->host.n && !dp_str_eq(t->host, f->host))
        return false;
    if (t->port >= 0 && t->port != naive_port(f))
        return false;
    return match_path(m, t, f);
}

static bool match_items(match *m, const dp_template *t, const frame *f)
{
    for (size_t i = 0; i < t->nquery; i++)
        if (!match_query_item(m, &t->query[i], f))
            return false;
    return true;
}

static match new_match(const frame *f, bool is_condition, dp_arena *a)
{
    return (match){.taken = need(DP_NEWS(a, f->npair, bool)), .is_condition = is_condition, .a = a};
}

static bool condition_holds(const dp_template *t, const frame *f, dp_arena *a)
{
    match m = new_match(f, true, a);
    return match_rest(&m, t, f) && match_items(&m, t, f);
}

/* ---- rewriting ------------------------------------------------------------------------- */

static dp_str escape_set(dp_str s, const char *set, dp_arena *a)
{
    text t = {.a = a};
    for (size_t i = 0; i < s.n; i++) {
        if (is_one_of(s.p[i], set))
            add_escape(&t, s.p[i]);
        else
            add_char(&t, s.p[i]);
    }
    return view(&t);
}

static dp_str query_to_path(dp_str s, dp_arena *a)
{
    text t = {.a = a};
    s = escape_set(s, "?#", a);
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '+')
            add(&t, DP_STR("%20"));
        else
            add_char(&t, s.p[i]);
    }
    return view(&t);
}

static dp_str path_to_query(dp_str s, dp_arena *a)
{
    return escape_set(s, "&;+=", a);
}

static dp_str convert(dp_str s, dp_conv conv, bool to_query, dp_arena *a)
{
    const char *decodable = to_query ? "!$'(),:@/?" : "!$&'()+,=:@";
    text        t = {.a = a};
    if (conv == DP_CONV_INT && all_of(s, is_digit)) {
        while (s.n > 1 && s.p[0] == '0')
            s = from(s, 1);
        return s;
    }
    for (size_t i = 0; i < s.n; i++) {
        if (is_escape(s, i)) {
            char byte = escaped_byte(s, i);
            if (conv == DP_CONV_DECODE && is_one_of(byte, decodable))
                add_char(&t, byte);
            else
                add_bytes(&t, s.p + i, 3);
            i += 2;
        } else if (conv == DP_CONV_CAP && i == 0) {
            add_char(&t, upper(s.p[i]));
        } else if (conv == DP_CONV_LOWER) {
            add_char(&t, lower(s.p[i]));
        } else if (conv == DP_CONV_UPPER) {
            add_char(&t, upper(s.p[i]));
        } else if (conv == DP_CONV_ENCODE && !is_unreserved(s.p[i])) {
            add_escape(&t, s.p[i]);
        } else {
            add_char(&t, s.p[i]);
        }
    }
    return view(&t);
}

static void write_pat(text *t, const match *m, const dp_pat *p, bool to_query)
{
    for (size_t i = 0; i < p->n; i++) {
        const dp_item *it = &p->v[i];
        if (it->kind == DP_ITEM_LITERAL) {
            add(t, it->text);
        } else if (it->kind == DP_ITEM_STAR) {
            add_char(t, '*');
        } else {
            const binding *b = need((void *)(uintptr_t)find_binding(m, it->text));
            dp_str         s = b->text;
            if (b->in_query && !to_query)
                s = query_to_path(s, t->a);
            if (!b->in_query && to_query)
                s = path_to_query(s, t->a);
            add(t, convert(s, it->conv, to_query, t->a));
        }
    }
}

/* The host that {x}.name on the right means; false when x is not a label. */
static bool host_with_label(const match *m, const dp_template *to, dp_str *host, dp_arena *a)
{
    const binding *b = need((void *)(uintptr_t)find_binding(m, to->label));
    text           t = {.a = a};
    for (size_t i = 0; i < b->text.n; i++) {
        if (!is_slug_byte(b->text.p[i]))
            return false;
        add_char(&t, lower(b->text.p[i]));
    }
    add(&t, from(to->host, 1));
    *host = view(&t);
    return true;
}

/* Each of these takes the frame `f` of the current URL and gives the raw result, before
 * stage 0; false when the rule does not match. */

static bool do_rewrite(const dp_rule *r, const frame *f, dp_str *out, dp_arena *a)
{
    const dp_template *l = r->left, *to = r->right;
    match              m = new_match(f, false, a);
    if (!match_rest(&m, l, f) || !match_items(&m, l, f))
        return false;
    bool looks_at_query = l->has_query || to->has_query;
    if (looks_at_query && !l->open)
        for (size_t i = 0; i < f->npair; i++)
            if (!m.taken[i])
                return false;
    bool rest_passes = looks_at_query && to->open;
    if (rest_passes)
        for (size_t i = 0; i < f->npair; i++)
            for (size_t k = 0; k < to->nquery; k++)
                if (!m.taken[i] && dp_str_eq(to->query[k].name, f->pair[i].name))
                    return false;

    frame g = *f;
    if (to->scheme.n)
        g.scheme = to->scheme;
    if (to->label.n && !host_with_label(&m, to, &g.host, a))
        return false;
    if (to->host.n && !to->label.n)
        g.host = to->host;
    if (to->port >= 0) {
        char *digits = need(dp_arena_alloc(a, 16));
        g.port = (dp_str){digits, (size_t)snprintf(digits, 16, "%d", to->port)};
    }
    text path = {.a = a};
    for (size_t i = 0; i < to->nseg; i++) {
        if (i == to->glob) {
            for (size_t k = m.glob_from; k < m.glob_to; k++) {
                add_char(&path, '/');
                add(&path, f->seg[k]);
            }
        } else {
            add_char(&path, '/');
            write_pat(&path, &m, &to->seg[i], false);
        }
    }
    g.path = view(&path);
    if (looks_at_query) {
        g.pair = need(DP_NEWS(a, to->nquery + f->npair, pair));
        g.npair = 0;
        for (size_t k = 0; k < to->nquery; k++) {
            text value = {.a = a};
            write_pat(&value, &m, &to->query[k].pat, true);
            g.pair[g.npair++] = (pair){'&', to->query[k].name, view(&value), to->query[k].kind == DP_QUERY_VALUE};
        }
        for (size_t i = 0; i < f->npair && rest_passes; i++)
            if (!m.taken[i])
                g.pair[g.npair++] = f->pair[i];
    }
    *out = naive_print(&g, a);
    return true;
}

/* ---- keep ------------------------------------------------------------------------------ */

typedef struct keeps {
    const dp_names **v; /* [n] of all matching blocks */
    size_t           n;
    bool             whole; /* the URL matches some keep TPL */
} keeps;

static bool name_in(const dp_names *names, char kind, dp_str name)
{
    for (size_t i = 0; names->kind == kind && i < names->n; i++) {
        const dp_name *x = &names->v[i];
        if (x->prefix ? dp_str_starts(name, x->text) : dp_str_eq(name, x->text))
            return true;
    }
    return false;
}

static bool is_kept(const keeps *k, char kind, dp_str name)
{
    for (size_t i = 0; i < k->n; i++)
        if (name_in(k->v[i], kind, name))
            return true;
    return false;
}

static keeps keeps_of(const dp_rules *rules, const frame *f, dp_arena *a)
{
    size_t n = 0;
    for (size_t i = 0; i < rules->nblock; i++)
        n += rules->block[i]->nkeep;
    keeps k = {.v = need(dp_arena_zero(a, n, sizeof *k.v))};
    for (size_t i = 0; i < rules->nblock; i++) {
        const dp_block *b = rules->block[i];
        if (b->nkeep == 0 || naive_place(b, f) < 0)
            continue;
        for (size_t j = 0; j < b->nkeep; j++) {
            if (b->keep[j].names.n)
                k.v[k.n++] = &b->keep[j].names;
            else if (condition_holds(b->keep[j].tpl, f, a))
                k.whole = true;
        }
    }
    return k;
}

/* The kept parameters as one text, to be compared. */
static dp_str kept_list(const keeps *k, const frame *f, dp_arena *a)
{
    text t = {.a = a};
    for (size_t i = 0; i < f->nseg; i++) {
        dp_str seg = f->seg[i];
        for (size_t at = find_byte(seg, ';', 0); at < seg.n;) {
            size_t end = find_byte(seg, ';', at + 1);
            dp_str p = dp_str_cut(seg, at + 1, end);
            if (p.n && is_kept(k, ';', (dp_str){p.p, find_byte(p, '=', 0)})) {
                add_char(&t, ';');
                add(&t, p);
                add_char(&t, '\n');
            }
            at = end;
        }
    }
    for (size_t i = 0; i < f->npair; i++) {
        if (is_kept(k, '?', f->pair[i].name)) {
            add_char(&t, '?');
            add(&t, f->pair[i].name);
            if (f->pair[i].has_eq)
                add_char(&t, '=');
            add(&t, f->pair[i].value);
            add_char(&t, '\n');
        }
    }
    return view(&t);
}

/* ---- the other rules ------------------------------------------------------------------- */

static frame copy_frame(const frame *f, dp_arena *a)
{
    frame g = *f;
    g.pair = need(DP_NEWS(a, f->npair, pair));
    for (size_t i = 0; i < f->npair; i++)
        g.pair[i] = f->pair[i];
    return g;
}

static void drop_or_erase_query(const dp_rule *r, const keeps *k, frame *g)
{
    for (size_t i = 0; i < g->npair;) {
        pair *p = &g->pair[i];
        bool  meant = name_in(&r->names, '?', p->name) != (r->kind == DP_RULE_ONLY);
        if (!meant || is_kept(k, '?', p->name)) {
            i++;
        } else if (r->kind == DP_RULE_ERASE) {
            if (p->value.n)
                p->value = DP_STR("*");
            i++;
        } else if (!r->has_if || (p->has_eq && dp_str_eq(p->value, r->value))) {
            naive_drop_pair(g, i);
        } else {
            i++;
        }
    }
}

static void drop_or_erase_path(const dp_rule *r, const keeps *k, frame *g, dp_arena *a)
{
    text t = {.a = a};
    for (size_t i = 0; i < g->nseg; i++) {
        dp_str seg = g->seg[i];
        size_t first = find_byte(seg, ';', 0);
        add_char(&t, '/');
        add(&t, (dp_str){seg.p, first});
        for (size_t at = first; at < seg.n;) {
            size_t end = find_byte(seg, ';', at + 1);
            dp_str p = dp_str_cut(seg, at + 1, end);
            size_t eq = find_byte(p, '=', 0);
            dp_str name = {p.p, eq};
            dp_str value = eq < p.n ? from(p, eq + 1) : (dp_str){p.p, 0};
            at = end;
            bool meant = name_in(&r->names, ';', name) != (r->kind == DP_RULE_ONLY);
            if (p.n && meant && !is_kept(k, ';', name)) {
                bool goes = r->kind == DP_RULE_ONLY || r->kind == DP_RULE_DROP;
                if (goes && (!r->has_if || (eq < p.n && dp_str_eq(value, r->value))))
                    continue;
                if (r->kind == DP_RULE_ERASE && value.n) {
                    add_char(&t, ';');
                    add(&t, name);
                    add(&t, DP_STR("=*"));
                    continue;
                }
            }
            add_char(&t, ';');
            add(&t, p);
        }
    }
    g->path = view(&t);
}

static void set_values(const dp_rule *r, const keeps *k, frame *g)
{
    for (size_t i = 0; i < g->npair; i++) {
        pair *p = &g->pair[i];
        if (name_in(&r->names, '?', p->name) && !is_kept(k, '?', p->name) && p->value.n && !has_byte(p->value, '*'))
            p->value = r->value;
    }
}

static void fold_query(const keeps *k, bool values, frame *g, dp_arena *a)
{
    for (size_t i = 0; i < g->npair; i++) {
        pair *p = &g->pair[i];
        if (is_kept(k, '?', p->name))
            continue;
        p->name = convert(p->name, DP_CONV_LOWER, true, a);
        if (values)
            p->value = convert(p->value, DP_CONV_LOWER, true, a);
    }
}

static bool is_boundary(dp_str s, size_t at)
{
    if (at == 0 || at == s.n)
        return true;
    if (is_inside_escape(s, at))
        return false;
    bool after_escape = at >= 3 && is_escape(s, at - 3); /* which counts as neither letter nor digit */
    return after_escape || !is_alnum(s.p[at - 1]) || !is_alnum(s.p[at]);
}

static bool do_sub(const dp_rule *r, dp_str url, dp_str *out, dp_arena *a)
{
    for (size_t i = 0; i + r->alpha.n <= url.n; i++) {
        size_t end = i + r->alpha.n;
        if ((r->alpha.n && memcmp(url.p + i, r->alpha.p, r->alpha.n) != 0) || !is_boundary(url, i) ||
            !is_boundary(url, end) || (r->at_start && i != 0) || (r->at_end && end != url.n))
            continue;
        text t = {.a = a};
        add(&t, (dp_str){url.p, i});
        add(&t, r->beta);
        add(&t, from(url, end));
        *out = view(&t);
        return true;
    }
    return false;
}

/* ---- one step -------------------------------------------------------------------------- */

static bool is_bad_path(const frame *raw, const frame *current)
{
    size_t had = 0, has = 0;
    for (size_t i = 0; i + 1 < current->nseg; i++)
        had += current->seg[i].n == 0;
    for (size_t i = 0; i + 1 < raw->nseg; i++)
        has += raw->seg[i].n == 0;
    for (size_t i = 0; i < raw->nseg; i++)
        if (dp_str_eq(raw->seg[i], DP_STR(".")) || dp_str_eq(raw->seg[i], DP_STR("..")))
            return true;
    return has > had;
}

/* Try one rule on the URL `current`, whose frame is `f`. */
static bool fires(const dp_rules *rules, const dp_rule *r, dp_str current, const frame *f, dp_str *out, dp_arena *a)
{
    static const keeps none = {0};
    if (r->on && !condition_holds(r->on, f, a))
        return false;
    for (size_t i = 0; i < r->nunless; i++)
        if (condition_holds(r->unless[i], f, a))
            return false;
    keeps kept = r->state == DP_PIN ? none : keeps_of(rules, f, a);
    if (kept.whole)
        return false;

    dp_str raw = {0};
    frame  g;
    bool   compares_kept = false;
    switch (r->kind) {
    case DP_RULE_REWRITE:
        compares_kept = true;
        if (!do_rewrite(r, f, &raw, a))
            return false;
        break;
    case DP_RULE_DROP:
    case DP_RULE_ONLY:
    case DP_RULE_ERASE:
        g = copy_frame(f, a);
        if (r->names.kind == '?')
            drop_or_erase_query(r, &kept, &g);
        else
            drop_or_erase_path(r, &kept, &g, a);
        raw = naive_print(&g, a);
        break;
    case DP_RULE_SET:
        g = copy_frame(f, a);
        set_values(r, &kept, &g);
        raw = naive_print(&g, a);
        break;
    case DP_RULE_FOLD_PATH:
        compares_kept = true;
        g = copy_frame(f, a);
        g.path = convert(f->path, DP_CONV_LOWER, false, a);
        raw = naive_print(&g, a);
        break;
    case DP_RULE_FOLD_QUERY:
    case DP_RULE_FOLD_NAMES:
        g = copy_frame(f, a);
        fold_query(&kept, r->kind == DP_RULE_FOLD_QUERY, &g, a);
        raw = naive_print(&g, a);
        break;
    case DP_RULE_SUB:
        compares_kept = true;
        if (!do_sub(r, current, &raw, a))
            return false;
        break;
    }

    frame parts, result;
    if (!naive_split(raw, &parts, a) || is_bad_path(&parts, f) || !naive_frame(raw, rules, &result, a))
        return false;
    *out = naive_print(&result, a);
    if (dp_str_eq(*out, current))
        return false;
    return !compares_kept || dp_str_eq(kept_list(&kept, f, a), kept_list(&kept, &result, a));
}

/* ---- which rules, in which order ------------------------------------------------------- */

typedef struct candidate {
    const dp_rule *rule;
    uint32_t       number;
    long           place;
} candidate;

static bool comes_before(const candidate *x, const candidate *y)
{
    bool xp = x->rule->state == DP_PIN, yp = y->rule->state == DP_PIN;
    if (xp != yp)
        return xp;
    if (x->place != y->place)
        return x->place > y->place;
    return x->number < y->number;
}

static const dp_attr *find_attr(const dp_rule *r, const char *key)
{
    for (size_t i = 0; i < r->nattr; i++)
        if (dp_str_eq(r->attr[i].key, dp_str_c(key)))
            return &r->attr[i];
    return NULL;
}

static double number_of(dp_str s, dp_arena *a)
{
    text t = {.a = a};
    add(&t, s);
    add_char(&t, 0);
    return strtod(t.p, NULL);
}

/* Whether the comma-separated `list` holds `word`. */
static bool list_holds(dp_str list, dp_str word)
{
    for (size_t i = 0; i <= list.n; i++) {
        size_t end = find_byte(list, ',', i);
        if (dp_str_eq(dp_str_cut(list, i, end), word))
            return true;
        i = end;
    }
    return false;
}

static bool writes_star(const dp_pat *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->v[i].kind == DP_ITEM_STAR)
            return true;
    return false;
}

static bool erases(const dp_rule *r)
{
    if (r->kind == DP_RULE_ERASE)
        return true;
    if (r->kind != DP_RULE_REWRITE)
        return false;
    for (size_t i = 0; i < r->right->nseg; i++)
        if (writes_star(&r->right->seg[i]))
            return true;
    for (size_t i = 0; i < r->right->nquery; i++)
        if (writes_star(&r->right->query[i].pat))
            return true;
    return false;
}

/* Whether state, options and form let the rule fire at all. */
static bool is_enabled(const naive_options *o, dp_form form, const dp_rule *r, dp_arena *a)
{
    if (r->state == DP_OFF || (r->state == DP_LIKELY && !(o->flags & DP_WITH_LIKELY)))
        return false;
    const dp_attr *p = find_attr(r, "p");
    if (p && r->state != DP_PIN && number_of(p->value, a) < o->min_precision)
        return false;
    if (form == DP_FETCH) {
        const dp_attr *by = find_attr(r, "by");
        bool proven = by && (list_holds(by->value, DP_STR("fetch")) || list_holds(by->value, DP_STR("redirect")));
        return (r->state == DP_PIN || proven) && !erases(r);
    }
    return true;
}

/* The rules of all scopes that match, in the order of docs/rule-format.md 8.3. */
static candidate *list_candidates(const naive_options *o, dp_form form, const frame *f, size_t *n, dp_arena *a)
{
    candidate *v = need(DP_NEWS(a, o->rules->nrule, candidate));
    uint32_t   number = 0;
    *n = 0;
    for (size_t i = 0; i < o->rules->nblock; i++) {
        const dp_block *b = o->rules->block[i];
        long            place = naive_place(b, f);
        for (size_t j = 0; j < b->nrule; j++, number++) {
            if (place < 0 || !is_enabled(o, form, b->rule[j], a))
                continue;
            candidate c = {b->rule[j], number, place};
            size_t    at = (*n)++;
            for (; at > 0 && comes_before(&c, &v[at - 1]); at--)
                v[at] = v[at - 1];
            v[at] = c;
        }
    }
    return v;
}

static naive_answer run(const naive_options *o, dp_form form, dp_str url, dp_arena *a)
{
    naive_answer ans = {0};
    dp_str       first = naive_stage0(url, o->rules, a, &ans.is_url);
    ans.text = first;
    if (!ans.is_url || form == DP_STAGE0)
        return ans;
    for (;;) {
        frame f;
        naive_split(ans.text, &f, a);
        size_t     n;
        candidate *v = list_candidates(o, form, &f, &n, a);
        dp_str     next = {0};
        size_t     i = 0;
        while (i < n && !fires(o->rules, v[i].rule, ans.text, &f, &next, a))
            i++;
        if (i == n)
            return ans;
        if (ans.nfired == NAIVE_LIMIT || next.n > NAIVE_ROOM + 2 * first.n) {
            ans.limit = true;
            ans.text = first;
            return ans;
        }
        ans.fired[ans.nfired++] = v[i].number;
        ans.text = next;
    }
}

naive_answer naive_apply(const naive_options *o, dp_form form, dp_str url, dp_arena *a)
{
    naive_answer ans = run(o, form, url, a);
    if (form == DP_FETCH && ans.is_url && !ans.limit && ans.nfired) {
        naive_answer before = run(o, DP_KEY, url, a), after = run(o, DP_KEY, ans.text, a);
        if (!dp_str_eq(before.text, after.text))
            ans.text = naive_stage0(url, o->rules, a, &ans.is_url);
    }
    return ans;
}
