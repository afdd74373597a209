/* Ideas about parameters: dropped, erased, one value for another, in another order or case.
 *
 *     ?a=1&sid=7    ?a=1         drop ?sid    drop ?sid if =7
 *     ?a=1&print    ?a=1         drop ?print on /{**}?print
 *     ?a=1&b=2      ?b=2&a=1     order any
 *     ?a=1;b=2      ?a=1&b=2     sub ";" -> "&"
 *     ?a=1&amp;b=2  ?a=1&b=2     sub "&amp;" -> "&"
 *     ?part=3       ?p=3         sub "part=" -> "p="
 *     ?id=a%3Ab     ?id=a:b      /{**}?id={x}&... => /{**}?id={x|decode}&...
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/words/case.h"
#include "learn/auto/propose/nameless.h"
#include "learn/auto/propose/propose.h"
#include "learn/auto/propose/value.h"
#include "learn/auto/thresholds.h"
#include "url/chars.h"
#include "url/mask.h"
#include "url/percent.h"

enum {
    MOST_NAMES = 12,
    MOST_PAIRS = 18,  /* of a query: ideas about each are tried on all */
    LEAST_SECRET = 8  /* bytes of a value that may be a secret, where its name says so */
};

typedef struct names {
    dp_str v[MOST_NAMES];
    size_t n;
} names;

static void add_name(names *s, dp_str name)
{
    size_t i = 0;
    while (i < s->n && dp_str_cmp(s->v[i], name) < 0)
        i++;
    if (s->n == MOST_NAMES || (i < s->n && dp_str_eq(s->v[i], name)))
        return;
    memmove(&s->v[i + 1], &s->v[i], (s->n - i) * sizeof *s->v);
    s->v[i] = name;
    s->n++;
}

static const dp_pair *find(const dp_frame *f, dp_str name, uint32_t k)
{
    for (uint32_t i = 0; i < f->npair; i++)
        if (dp_str_eq(dp_pair_name(f, &f->pair[i]), name) && k-- == 0)
            return &f->pair[i];
    return NULL;
}

/* "=value" or nothing. */
static dp_str tail(const dp_frame *f, const dp_pair *p)
{
    return dp_frame_cut(f, p->eq, p->end);
}

/* Names whose values differ between the two. */
static void differing(names *out, const dp_frame *u, const dp_frame *v)
{
    for (uint32_t i = 0; i < u->npair; i++) {
        dp_str   name = dp_pair_name(u, &u->pair[i]);
        uint32_t k = 0;
        for (uint32_t j = 0; j < i; j++)
            k += dp_str_eq(dp_pair_name(u, &u->pair[j]), name);
        const dp_pair *other = find(v, name, k);
        if (!other || !dp_str_eq(tail(u, &u->pair[i]), tail(v, other)))
            add_name(out, name);
    }
}

/* Whether pairs that both have stand in another order. */
static bool has_other_order(const dp_frame *u, const dp_frame *v)
{
    const dp_pair *last = NULL;
    for (uint32_t i = 0; i < u->npair; i++) {
        const dp_pair *other = find(v, dp_pair_name(u, &u->pair[i]), 0);
        if (!other || !dp_str_eq(tail(u, &u->pair[i]), tail(v, other)))
            continue;
        if (other < last)
            return true;
        last = other;
    }
    return false;
}

/* Whether a pair of the one is a pair of the other but for case. */
static bool has_other_case(const dp_frame *u, const dp_frame *v)
{
    for (uint32_t i = 0; i < u->npair; i++)
        for (uint32_t k = 0; k < v->npair; k++) {
            dp_str a = dp_frame_cut(u, u->pair[i].at, u->pair[i].end);
            dp_str b = dp_frame_cut(v, v->pair[k].at, v->pair[k].end);
            if (dp_str_eq_but_case(a, b) && !dp_str_eq(a, b))
                return true;
        }
    return false;
}

static dp_str query_of(const dp_frame *f)
{
    return dp_frame_cut(f, f->path_end, f->n);
}

/* Whether pairs are separated by ;, which a rule can write as &. */
static bool has_semicolons(const dp_frame *f)
{
    dp_str query = query_of(f);
    return memchr(query.p, ';', query.n) != NULL;
}

/* Whether pairs are separated by &amp;, as in HTML that somebody has not read as such. */
static bool has_entities(const dp_frame *f)
{
    dp_str query = query_of(f);
    return memmem(query.p, query.n, "&amp;", 5) != NULL;
}

/* One value for another, the dearer for the cheaper: set ?C=D on /{**}?C=N. */
static void exchange(dp_pairing *p, dp_str name, dp_str u, dp_str v)
{
    bool falls = dp_pairing_falls(p, u, v);
    if (!u.n || !v.n || dp_str_eq(u, v))
        return;
    dp_buf_c(&p->text, "set ?");
    dp_buf_str(&p->text, name);
    dp_buf_byte(&p->text, '=');
    dp_buf_str(&p->text, falls ? v : u);
    dp_buf_c(&p->text, " on /{**}?");
    dp_buf_str(&p->text, name);
    dp_buf_byte(&p->text, '=');
    dp_buf_str(&p->text, falls ? u : v);
    dp_pairing_propose(p, DP_TIER_LITERAL, DP_FAMILY_BLOCK);
}

/* The same value but for %XX that need not be: one rule for all values, where `exchange` has one for each. */
static void decode(dp_pairing *p, dp_str name, dp_str u, dp_str v)
{
    if (!u.n || !v.n || (!memchr(u.p, '%', u.n) && !memchr(v.p, '%', v.n)))
        return;
    dp_buf_reset(&p->whole);
    dp_percent_decode(&p->whole, u, true);
    size_t at = p->whole.n;
    dp_percent_decode(&p->whole, v, true);
    dp_str both = dp_buf_view(&p->whole);
    if (p->whole.failed) {
        p->out->failed = true;
        return;
    }
    if (dp_str_eq(u, v) || !dp_str_eq(dp_str_cut(both, 0, at), dp_str_cut(both, at, both.n)))
        return;
    dp_buf_c(&p->text, "/{**}?");
    dp_buf_str(&p->text, name);
    dp_buf_c(&p->text, "={x}&... => /{**}?");
    dp_buf_str(&p->text, name);
    dp_buf_c(&p->text, "={x|decode}&...");
    dp_pairing_propose(p, DP_TIER_FORM, DP_FAMILY_CASE);
}

/* Whether a value is nothing to be written into a rule, which others read. */
static bool may_be_secret(dp_str name, dp_str value)
{
    return dp_mask_is_personal(value) || (value.n >= LEAST_SECRET && dp_mask_is_secret(name));
}

static void propose_one(dp_pairing *p, dp_str name)
{
    const dp_pair *a = find(p->u, name, 0), *b = find(p->v, name, 0);
    dp_buf_c(&p->text, "drop ?");
    dp_buf_str(&p->text, name);
    dp_pairing_propose(p, DP_TIER_PARAM, DP_FAMILY_PARAM);
    if (a && b) {
        dp_buf_c(&p->text, "erase ?");
        dp_buf_str(&p->text, name);
        dp_pairing_propose(p, DP_TIER_MASK, DP_FAMILY_PARAM);
        decode(p, name, dp_pair_value(p->u, a), dp_pair_value(p->v, b));
        exchange(p, name, dp_pair_value(p->u, a), dp_pair_value(p->v, b));
        return;
    }
    const dp_frame *f = a ? p->u : p->v;
    const dp_pair  *q = a ? a : b;
    if (may_be_secret(name, dp_pair_value(f, q)))
        return;
    dp_buf_c(&p->text, "drop ?");
    dp_buf_str(&p->text, name);
    dp_buf_c(&p->text, q->has_eq ? " if " : " on /{**}?"); /* a flag: nothing is known of values */
    dp_buf_str(&p->text, q->has_eq ? tail(f, q) : name);
    dp_pairing_propose(p, DP_TIER_PARAM, DP_FAMILY_VALUE);
}

dp_str dp_name_head(dp_str name)
{
    for (size_t i = 1; i < name.n; i++)
        if (name.p[i] == '_' || name.p[i] == '-' || name.p[i] == '.' || name.p[i] == ':')
            return dp_str_cut(name, 0, i + 1);
    return (dp_str){name.p, 0};
}

static void propose_several(dp_pairing *p, const names *s)
{
    dp_buf_c(&p->text, "drop ?");
    for (size_t i = 0; i < s->n; i++) {
        if (i)
            dp_buf_byte(&p->text, ',');
        dp_buf_str(&p->text, s->v[i]);
    }
    dp_pairing_propose(p, DP_TIER_FORGET, DP_FAMILY_PARAMS);
}

/* Values that are only there together, none of which the other has: /{**}?sort=date&dir=desc&... => /{**}?... That is
 * said last, where the names alone say too much. */
static void propose_defaults(dp_pairing *p, const names *s)
{
    const dp_frame *f = p->u;
    bool            all = s->n <= DP_DEFAULTS;
    for (size_t i = 0; i < s->n && all; i++) {
        const dp_pair *a = find(f, s->v[i], 0);
        all = a && a->has_eq && !find(f, s->v[i], 1) && !find(p->v, s->v[i], 0);
        dp_buf_c(&p->text, i ? "&" : "/{**}?");
        dp_buf_str(&p->text, s->v[i]);
        if (all)
            dp_buf_str(&p->text, tail(f, a));
    }
    dp_buf_c(&p->text, "&... => /{**}?...");
    if (all)
        dp_pairing_propose(p, DP_TIER_FORGET, DP_FAMILY_VALUE);
    dp_buf_reset(&p->text);
}

/* The same where those that have a value of the site's own have it: nothing is known of other values. */
static void propose_with_constants(dp_pairing *p, const names *s)
{
    size_t constants = 0;
    dp_buf_reset(&p->whole);
    for (size_t i = 0; i < s->n; i++) {
        const dp_frame *f = find(p->u, s->v[i], 0) ? p->u : p->v;
        const dp_pair  *q = find(f, s->v[i], 0);
        dp_str          value = dp_pair_value(f, q);
        if (!q->has_eq || dp_all(value, DP_CH_DIGIT) || !dp_lexicon_has(p->lexicon, value))
            continue;
        dp_buf_c(&p->whole, constants++ ? "&" : " on /{**}?");
        dp_buf_str(&p->whole, s->v[i]);
        dp_buf_str(&p->whole, tail(f, q));
    }
    if (!constants || constants == s->n)
        return;
    dp_buf_c(&p->text, "drop ?");
    for (size_t i = 0; i < s->n; i++) {
        dp_buf_c(&p->text, i ? "," : "");
        dp_buf_str(&p->text, s->v[i]);
    }
    dp_buf_str(&p->text, dp_buf_view(&p->whole));
    p->text.failed |= p->whole.failed;
    dp_pairing_propose(p, DP_TIER_FORGET, DP_FAMILY_PARAMS);
}

static void propose_prefixes(dp_pairing *p, const names *s)
{
    for (size_t i = 0; i + 1 < s->n; i++) {
        dp_str x = dp_name_head(s->v[i]);
        if (!x.n || !dp_str_starts(s->v[i + 1], x))
            continue;
        dp_buf_c(&p->text, "drop ?");
        dp_buf_str(&p->text, x);
        dp_buf_byte(&p->text, '*');
        dp_pairing_propose(p, DP_TIER_PARAM, DP_FAMILY_PARAMS);
    }
}

/* The names of path parameters that one has and the other has not, or with another value. */
static void propose_path_params(dp_pairing *p)
{
    for (int side = 0; side < 2; side++) {
        const dp_frame *f = side ? p->v : p->u, *g = side ? p->u : p->v;
        dp_param        x, y;
        for (uint32_t at = f->path; dp_frame_param(f, at, &x); at = x.end) {
            bool   same = false;
            dp_str name = dp_frame_cut(f, x.at + 1, x.eq);
            for (uint32_t from = g->path; !same && dp_frame_param(g, from, &y); from = y.end)
                same = dp_str_eq(dp_frame_cut(f, x.at, x.end), dp_frame_cut(g, y.at, y.end));
            if (same || !name.n)
                continue;
            dp_buf_c(&p->text, "drop ;");
            dp_buf_str(&p->text, name);
            dp_pairing_propose(p, DP_TIER_PARAM, DP_FAMILY_PARAM);
        }
    }
}

/* Whether a name can stand in the quotes of a substitution, which must not begin inside a word. */
static bool is_plain_name(dp_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!dp_is(s.p[i], DP_CH_ALNUM) && s.p[i] != '_' && s.p[i] != '-')
            return false;
    return s.n && dp_is(s.p[0], DP_CH_ALNUM);
}

/* A name that only the one has, for one that only the other has, where they have one value. */
static void propose_renaming(dp_pairing *p)
{
    for (uint32_t i = 0; i < p->u->npair; i++) {
        const dp_pair *a = &p->u->pair[i];
        dp_str         name = dp_pair_name(p->u, a), value = dp_pair_value(p->u, a);
        for (uint32_t k = 0; k < p->v->npair && value.n; k++) {
            const dp_pair *b = &p->v->pair[k];
            dp_str         other = dp_pair_name(p->v, b);
            if (!dp_str_eq(value, dp_pair_value(p->v, b)) || find(p->v, name, 0) || find(p->u, other, 0) ||
                !is_plain_name(name) || !is_plain_name(other))
                continue;
            bool falls = dp_pairing_falls(p, name, other);
            dp_buf_c(&p->text, "sub \"");
            dp_buf_str(&p->text, falls ? name : other);
            dp_buf_c(&p->text, "=\" -> \"");
            dp_buf_str(&p->text, falls ? other : name);
            dp_buf_c(&p->text, "=\"");
            dp_pairing_propose(p, DP_TIER_LITERAL, DP_FAMILY_TEMPLATE);
        }
    }
}

void dp_generate_query(dp_pairing *p)
{
    const dp_frame *u = p->u, *v = p->v;
    names           s = {0};
    if (memchr(u->s, ';', u->path_end) || memchr(v->s, ';', v->path_end))
        propose_path_params(p);
    dp_generate_nameless(p, u, v);
    dp_generate_nameless(p, v, u);
    if ((!u->npair && !v->npair) || u->npair > MOST_PAIRS || v->npair > MOST_PAIRS)
        return;
    if (dp_str_eq(query_of(u), query_of(v)))
        return;
    differing(&s, u, v);
    differing(&s, v, u);
    if (has_semicolons(u) != has_semicolons(v) && !memchr(u->s, ';', u->path_end) && !memchr(v->s, ';', v->path_end)) {
        dp_buf_c(&p->text, "sub \";\" -> \"&\"");
        dp_pairing_propose(p, DP_TIER_FORM, DP_FAMILY_CASE);
    }
    if (has_entities(u) != has_entities(v)) {
        dp_buf_c(&p->text, "sub \"&amp;\" -> \"&\"");
        dp_pairing_propose(p, DP_TIER_FORM, DP_FAMILY_CASE);
    }
    if (!s.n || has_other_order(u, v)) {
        dp_buf_c(&p->text, "order any");
        dp_pairing_propose(p, DP_TIER_FORM, DP_FAMILY_ORDER);
    }
    if (!s.n)
        return;
    if (dp_str_eq_but_case(query_of(u), query_of(v)) || has_other_case(u, v)) {
        dp_buf_c(&p->text, "fold case query");
        dp_pairing_propose(p, DP_TIER_FORM, DP_FAMILY_CASE);
    }
    dp_generate_values(p);
    propose_renaming(p);
    for (size_t i = 0; i < s.n; i++)
        propose_one(p, s.v[i]);
    if (s.n > 1) {
        propose_prefixes(p, &s);
        propose_defaults(p, &s);
        if (s.n < MOST_NAMES) {
            propose_several(p, &s);
            propose_with_constants(p, &s);
        }
    }
}
