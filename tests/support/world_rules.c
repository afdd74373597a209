/* SPDX-License-Identifier: Apache-2.0 */
#include "support/draw.h"

#include <stdio.h>

static const char *const scopes[] = {
    "a.com", "a.com", "a.com", "www.a.com", "b.org", "b.a.com", "*.a.com", "*.a.com", "*.org", "*.com",
    "any", "any", "any", "a.com:8080", "a.com:80", "www.a.com:443", "b.org:80", "loc",
};
/* Rarely on a left side: fewer loops. */
static const char *const sinks[] = {"z", "y", "Z1", "zz-z", "0", "w"};
static const char *const paths_params[] = {"s", "t", "b", "sid"};
static const char *const fragments[] = {
    "/a", "/b/", "-", "_", ",", "a-", "_1", "&q=", "?p=", "?q", "/index.html", ".com/", "b.", "%20", ";s=2", "A", "12",
    "=1", "=a", "&", "/", "www.", "https", "p=", "b",
};
static const char *const classes[] = {"int", "hex", "word", "slug", "uuid", "date", "int", "word", "slug"};
static const char *const convs[] = {"lower", "upper", "decode", "encode", "lower", "cap", "int", "int"};

/* ---- templates ------------------------------------------------------------------------- */

enum { MAX_PARTS = 8 };

/* What the right side may use: every left segment and query item in the form it would have there. */
typedef struct side {
    char   captures[MAX_PARTS][4]; /* names */
    size_t ncapture;
    dp_str seg[MAX_PARTS];
    size_t nseg;
    bool   has_glob, has_label;
    char   item_name[MAX_PARTS][16];
    dp_str item[MAX_PARTS]; /* "=value", "=" or "" */
    size_t nitem;
    bool   has_query, open;
} side;

typedef struct maker {
    dp_rng    *g;
    dp_arena  *a;
    text       out;
    dp_str     scope[4]; /* of the block */
    size_t     nscope;
    bool       in_any; /* WORLD_ANY */
} maker;

static bool is_among(const char *const *v, size_t n, const char *z)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(v[i], z) == 0)
            return true;
    return false;
}

static void add_reference(dp_rng *g, text *t, const char *name)
{
    if (chance(g, 20))
        addf(t, "{%s|%s}", name, PICK(g, convs));
    else
        addf(t, "{%s}", name);
}

/* Write one capture, and to `again` how the right side refers to it; `fixed`: one of a fixed length. */
static void make_capture(maker *m, side *s, bool is_query, bool fixed, text *again)
{
    static const char *const sized[] = {"int", "hex", "word", "slug"};
    static const char *const capture_names[] = {"x", "y", "z", "w_1"};
    if (s->ncapture == MAX_PARTS || (!fixed && chance(m->g, 12))) {
        add(&m->out, fixed ? "-" : "*");
        add(again, fixed ? "-" : "*");
        return;
    }
    char  *name = s->captures[s->ncapture];
    size_t k = chance(m->g, 12) ? below(m->g, DP_COUNT(capture_names)) : s->ncapture % DP_COUNT(capture_names);
    snprintf(name, sizeof s->captures[0], "%s", capture_names[k]);
    s->ncapture++;
    unsigned kind = (unsigned)below(m->g, 10);
    if (fixed && chance(m->g, 8)) {
        addf(&m->out, "{%s:uuid}", name);
    } else if (fixed) {
        addf(&m->out, "{%s:%s*%u}", name, PICK(m->g, sized), 1 + (unsigned)below(m->g, 3));
    } else if (kind < 5) {
        addf(&m->out, "{%s}", name);
    } else if (kind < 8) {
        addf(&m->out, "{%s:%s}", name, PICK(m->g, classes));
    } else {
        const char *used[3];
        size_t      n = 0;
        addf(&m->out, "{%s", name);
        for (size_t want = 1 + below(m->g, 3); want > 0; want--) {
            const char *v = is_query ? draw_plain_value(m->g) : draw_plain_word(m->g);
            if (is_among(used, n, v))
                continue;
            addf(&m->out, "%c%s", n ? '|' : '=', v);
            used[n++] = v;
        }
        add_char(&m->out, '}');
    }
    add_reference(m->g, again, name);
}

static void make_literal(maker *m, const char *z, text *again)
{
    add(&m->out, z);
    add(again, z);
}

/* Write a PAT for a segment or a value; the form for the right is returned. */
static dp_str make_pat(maker *m, side *s, bool is_query)
{
    static const char *const glue[] = {"-", "_", ",", ".", "a", "-b", "1", "%20"};
    text                     again = {.a = m->a};
    switch (below(m->g, 12)) {
    case 0:
    case 1:
    case 2:
    case 3:
        make_literal(m, is_query ? (draw_value(m->g)) : draw_word(m->g),
                     &again);
        break;
    case 4:
    case 5:
    case 6:
    case 7:
        make_capture(m, s, is_query, chance(m->g, 10), &again);
        break;
    case 8:
        if (chance(m->g, 50))
            make_literal(m, PICK(m->g, glue), &again);
        make_capture(m, s, is_query, chance(m->g, 10), &again);
        make_literal(m, PICK(m->g, glue), &again);
        break;
    case 9:
        if (chance(m->g, 30))
            make_literal(m, PICK(m->g, glue), &again);
        for (size_t n = 1 + below(m->g, 2); n > 0; n--)
            make_capture(m, s, is_query, true, &again);
        make_capture(m, s, is_query, false, &again);
        if (chance(m->g, 30))
            make_literal(m, PICK(m->g, glue), &again);
        break;
    default:
        if (chance(m->g, 20))
            make_literal(m, PICK(m->g, glue), &again);
        make_capture(m, s, is_query, false, &again);
        for (size_t n = 1 + below(m->g, 2); n > 0; n--) {
            make_literal(m, PICK(m->g, glue), &again);
            make_capture(m, s, is_query, chance(m->g, 10), &again);
        }
        if (chance(m->g, 30))
            make_literal(m, PICK(m->g, glue), &again);
        break;
    }
    return view(&again);
}

static void make_origin(maker *m, side *s, bool is_left)
{
    if (chance(m->g, 8))
        add(&m->out, chance(m->g, 60) ? "http:" : "https:");
    if (m->in_any || !chance(m->g, 10))
        return;
    dp_str scope = m->scope[below(m->g, m->nscope)];
    if (s->has_label ? chance(m->g, 40) : !is_left && s->ncapture && chance(m->g, 10)) {
        addf(&m->out, "//{%s}.%s", s->captures[s->has_label ? 0 : below(m->g, s->ncapture)],
             chance(m->g, 50) ? "a.com" : "b.org");
    } else if (is_left && chance(m->g, 40) && (scope.p[0] == '*' || dp_str_eq(scope, DP_STR("any")))) {
        dp_str name = scope.p[0] == '*' ? dp_str_cut(scope, 2, scope.n) : DP_STR("a.com");
        s->has_label = true;
        snprintf(s->captures[s->ncapture++], sizeof s->captures[0], "%s", chance(m->g, 80) ? "h" : "x");
        addf(&m->out, "//{%s}.%s%.*s", s->captures[0], scope.p[0] == '*' && chance(m->g, 20) ? "b." : "", DP_FMT(name));
    } else if (!is_left || dp_str_eq(scope, DP_STR("any"))) {
        addf(&m->out, "//%s", draw_host_name(m->g));
    } else if (scope.p[0] == '*') {
        addf(&m->out, "//b%.*s", DP_FMT(dp_str_cut(scope, 1, scope.n)));
    } else {
        size_t colon = 0;
        while (colon < scope.n && scope.p[colon] != ':')
            colon++;
        addf(&m->out, "//%.*s", DP_FMT(dp_str_cut(scope, 0, chance(m->g, 50) ? scope.n : colon)));
        if (colon < scope.n)
            return;
    }
    if (chance(m->g, 20))
        add(&m->out, chance(m->g, 50) ? ":8080" : ":80");
}

static bool has_item(const side *s, const char *name)
{
    for (size_t i = 0; i < s->nitem; i++)
        if (strcmp(s->item_name[i], name) == 0)
            return true;
    return false;
}

static void make_query(maker *m, side *s, bool is_condition)
{
    s->has_query = true;
    add_char(&m->out, '?');
    size_t want = 1 + below(m->g, 2);
    bool   open = !is_condition && chance(m->g, 60);
    if (open && chance(m->g, 10))
        want = 0;
    bool first = true;
    for (size_t i = 0; i < want && s->nitem < MAX_PARTS; i++) {
        const char *n = draw_name(m->g);
        if (has_item(s, n))
            continue;
        if (!first)
            add_char(&m->out, '&');
        first = false;
        unsigned kind = (unsigned)below(m->g, 20);
        if (kind < 2) {
            addf(&m->out, "%c%s", kind ? '+' : '!', n);
            snprintf(s->item_name[s->nitem], sizeof s->item_name[0], "%s", n);
            s->item[s->nitem++] = DP_STR("=1"); /* the right may write an absent one, too */
            continue;
        }
        snprintf(s->item_name[s->nitem], sizeof s->item_name[0], "%s", n);
        add(&m->out, n);
        if (kind == 2) {
            s->item[s->nitem++] = DP_STR("");
            continue;
        }
        if (kind < 5)
            add(&m->out, chance(m->g, 80) ? "#2" : "#3");
        if (kind == 4) { /* n#2, bare */
            s->item[s->nitem++] = DP_STR("=2");
            continue;
        }
        add_char(&m->out, '=');
        text item = {.a = m->a};
        add_char(&item, '=');
        if (kind > 6)
            add_str(&item, make_pat(m, s, true));
        s->item[s->nitem++] = view(&item);
        if (kind == 7 && s->nitem < MAX_PARTS) {
            addf(&m->out, "&%s#2=", n);
            make_pat(m, s, true);
        }
    }
    if (open || first)
        add(&m->out, first ? "..." : "&...");
    s->open = open || first;
}

/* A left side or a condition. */
static void make_left(maker *m, side *s, bool is_condition)
{
    *s = (side){0};
    make_origin(m, s, true);
    size_t n = 1 + below(m->g, 3), glob = chance(m->g, 45) ? below(m->g, n + 1) : MAX_PARTS;
    for (size_t i = 0; i < n; i++) {
        add_char(&m->out, '/');
        if (i == glob) {
            add(&m->out, "{**}");
            s->seg[s->nseg++] = DP_STR("{**}");
            s->has_glob = true;
        } else if (i + 1 == n && chance(m->g, 15)) {
            s->seg[s->nseg++] = DP_STR("");
        } else {
            size_t before = m->out.n;
            s->seg[s->nseg] = make_pat(m, s, false);
            if (i == 0 && n > 1 && m->out.n == before) { /* two slashes begin a host */
                add(&m->out, "c");
                s->seg[s->nseg] = DP_STR("c");
            }
            s->nseg++;
        }
    }
    if (chance(m->g, is_condition ? 25 : 40))
        make_query(m, s, is_condition);
}

static void make_right(maker *m, side *s)
{
    dp_rng *g = m->g;
    make_origin(m, s, false);
    dp_str seg[2 * MAX_PARTS];
    size_t n = 0;
    for (size_t i = 0; i < s->nseg; i++) {
        if (chance(g, 12))
            continue; /* left out */
        bool is_glob = dp_str_eq(s->seg[i], DP_STR("{**}"));
        if (!is_glob && chance(g, 15))
            seg[n++] = dp_str_c(chance(g, 75) ? PICK(g, sinks) : draw_plain_word(g));
        else
            seg[n++] = s->seg[i];
    }
    if (s->ncapture && chance(g, s->has_query ? 60 : 10)) { /* the last captures are those of the query */
        text t = {.a = m->a};
        add(&t, chance(g, 30) ? PICK(g, sinks) : "");
        add_reference(g, &t, s->captures[chance(g, 70) ? s->ncapture - 1 : below(g, s->ncapture)]);
        seg[n++] = view(&t);
    }
    if (chance(g, 10))
        seg[n++] = dp_str_c(PICK(g, sinks));
    if (n == 0)
        seg[n++] = chance(g, 50) ? DP_STR("") : dp_str_c(PICK(g, sinks));
    for (size_t i = 0; i < n; i++) {
        add_char(&m->out, '/');
        add_str(&m->out, i == 0 && n > 1 && seg[i].n == 0 ? DP_STR("y") : seg[i]);
    }

    if (s->has_query ? chance(g, s->open ? 10 : 30) : !chance(g, 15))
        return;
    char marks[2] = {'?', 0};
    side used = {0};
    for (size_t i = 0; i < s->nitem; i++) {
        if (chance(g, 35))
            continue;
        const char *n2 = chance(g, 75) ? s->item_name[i] : chance(g, 50) ? "z" : draw_name(g);
        if (has_item(&used, n2))
            continue;
        snprintf(used.item_name[used.nitem++], sizeof used.item_name[0], "%s", n2);
        addf(&m->out, "%s%s%.*s", marks, n2, DP_FMT(s->item[i]));
        marks[0] = '&';
    }
    if (s->ncapture && used.nitem < MAX_PARTS && chance(g, s->has_query ? 25 : 90)) {
        const char *n2 = chance(g, 50) ? "z" : draw_name(g);
        if (!has_item(&used, n2)) {
            addf(&m->out, "%s%s=", marks, n2);
            add_reference(g, &m->out, s->captures[below(g, s->ncapture)]);
            marks[0] = '&';
        }
    }
    if (s->open && !chance(g, 25)) /* on the left alone the rest goes */
        addf(&m->out, "%s...", marks);
}

/* ---- rules ----------------------------------------------------------------------------- */

static void make_names(maker *m, char kind)
{
    static const char *const prefixes[] = {"utm_*", "s*", "utm*", "p*"};
    const char              *used[3];
    size_t                   n = 0, want = 1 + below(m->g, 3);
    add_char(&m->out, kind);
    while (n < want) {
        const char *z = kind == ';' ? PICK(m->g, paths_params) : draw_name(m->g);
        if (chance(m->g, 20))
            z = PICK(m->g, prefixes);
        if (is_among(used, n, z)) {
            want--;
            continue;
        }
        addf(&m->out, "%s%s", n ? "," : "", z);
        used[n++] = z;
    }
}

/* In place of the drop that was written from `from` on; sometimes without names. */
static void make_only(maker *m, size_t from)
{
    char kind = m->out.p[from + strlen("drop ")];
    m->out.n = from;
    add(&m->out, "only ");
    if (chance(m->g, 20))
        add_char(&m->out, kind);
    else
        make_names(m, kind);
}

static void make_sub(maker *m)
{
    dp_rng *g = m->g;
    /* pairs that people write, then anything */
    static const char *const known[][2] = {
        {"/a/", "/"},  {"?p=", "/p_"}, {"_$", "-$"},      {"-$", ",$"},          {"_", "-"},   {"/index.html$", "/$"},
        {"-", ""},     {"/b", "/c"},   {"^http://www.", "^http://"}, {"&q=", "&z="}, {",", "-"}, {"a-b", "b_1"},
        {"^https", "^http"}, {"12", "7"}, {"/$", "$"}, {"/a", "/.."}, {"/b/", "//"}, {"%20", "-"}, {"$", "/\\$$"},
        {"%20a", "-a"}, {"b", "c"}, {"%2C", ","},
    };
    char alpha[64], beta[64];
    if (chance(g, 60)) {
        size_t k = below(g, DP_COUNT(known));
        snprintf(alpha, sizeof alpha, "%s", known[k][0]);
        snprintf(beta, sizeof beta, "%s", known[k][1]);
    } else {
        bool end = chance(g, 15);
        snprintf(alpha, sizeof alpha, "%s%s%s", PICK(g, fragments), chance(g, 30) ? PICK(g, fragments) : "",
                 end ? "$" : "");
        snprintf(beta, sizeof beta, "%s%s%s", chance(g, 60) ? PICK(g, fragments) : "",
                 chance(g, 25) ? PICK(g, fragments) : "", end ? "$" : "");
    }
    addf(&m->out, "sub \"%s\"%s->%s\"%s\"", alpha, chance(g, 80) ? " " : "", chance(g, 80) ? " " : "", beta);
}

static void make_rule(maker *m)
{
    dp_rng *g = m->g;
    side    s;
    size_t  state = below(g, 20);
    add(&m->out, state < 2 ? "likely " : state < 3 ? "off " : state < 7 ? "pin " : "");
    unsigned kind = (unsigned)below(g, 20);
    if (kind < 8) {
        make_left(m, &s, false);
        add(&m->out, " => ");
        make_right(m, &s);
    } else {
        size_t from = m->out.n;
        if (kind < 12) {
            add(&m->out, "drop ");
            make_names(m, chance(g, 75) ? '?' : ';');
            if (chance(g, 25))
                addf(&m->out, " if =%s", chance(g, 30) ? "" : draw_plain_value(g));
            else if (chance(g, 20))
                make_only(m, from);
        } else if (kind < 14) {
            add(&m->out, "erase ");
            make_names(m, chance(g, 75) ? '?' : ';');
        } else if (kind < 16) {
            addf(&m->out, "set ?%s=%s", draw_name(g), chance(g, 10) ? "" : draw_plain_value(g));
        } else if (kind < 18) {
            addf(&m->out, "fold case %s", chance(g, 40) ? "path" : chance(g, 50) ? "query" : "names");
        } else {
            make_sub(m);
        }
        if (chance(g, 20)) {
            add(&m->out, " on ");
            make_left(m, &s, true);
        }
    }
    for (unsigned percent = 18; chance(g, percent); percent = 30) {
        add(&m->out, " unless ");
        make_left(m, &s, true);
    }
    if (chance(g, 55)) {
        static const char *const by[] = {"text", "redirect",   "fetch",   "text,redirect",
                                         "size", "fetch,near", "prefetch"};
        addf(&m->out, "%s[p=.%u n=%u neg=%u by=%s]", chance(g, 50) ? "  " : "\t", 900 + (unsigned)below(g, 100),
             (unsigned)below(g, 500), (unsigned)below(g, 9), PICK(g, by));
    }
    add(&m->out, chance(g, 5) ? "  # by hand\n" : "\n");
}

static void make_host_line(maker *m)
{
    dp_rng *g = m->g;
    add(&m->out, "host ");
    m->nscope = 0;
    size_t want = m->in_any ? 1 : chance(g, 70) ? 1 : 2 + below(g, 2);
    for (size_t i = 0; i < want; i++) {
        dp_str s = dp_str_c(m->in_any ? "any" : PICK(g, scopes));
        bool   again = false;
        for (size_t k = 0; k < m->nscope; k++)
            again = again || dp_str_eq(m->scope[k], s);
        if (again)
            continue;
        addf(&m->out, "%s%.*s", m->nscope ? ", " : "", DP_FMT(s));
        m->scope[m->nscope++] = s;
    }
    add(&m->out, !m->in_any && chance(g, 6) ? " off" : "");
    add(&m->out, chance(g, 10) ? " [cert=low bad=.01]\n" : "\n");
}

dp_str world_rules(dp_rng *g, world_kind kind, dp_arena *a)
{
    maker m = {.g = g, .a = a, .out = {.a = a}, .in_any = kind == WORLD_ANY};
    side  s;
    add(&m.out, "dustpan-rules 1\n");
    size_t blocks = m.in_any ? 1 : 1 + below(g, 4);
    size_t rules = 8 + below(g, 20);
    for (size_t b = 0; b < blocks; b++) {
        if (chance(g, 5))
            add(&m.out, "# a comment\n\n");
        make_host_line(&m);
        if (chance(g, 30))
            add(&m.out, chance(g, 75) ? "order any\n" : "order keep\n");
        while (chance(g, 20)) {
            add(&m.out, "keep ");
            if (chance(g, 70))
                make_names(&m, chance(g, 70) ? '?' : ';');
            else
                make_left(&m, &s, true);
            add(&m.out, "\n");
        }
        size_t n = (rules + blocks - 1) / blocks;
        for (size_t i = 0; i < n; i++)
            make_rule(&m);
    }
    return view(&m.out);
}
