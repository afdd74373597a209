/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/propose/mirror.h"

#include "base/fold.h"
#include "learn/auto/layout/reading.h"
#include "learn/auto/thresholds.h"
#include "rule/print.h"
#include "rule/ruleline.h"

/* ---- the languages -------------------------------------------------------------------------- */

/* The first component of a URL, where others follow it; n == 0: there is none. */
static dp_str first_component(dp_str url)
{
    size_t at = 0, end;
    while (at + 2 < url.n && !(url.p[at] == '/' && url.p[at + 1] == '/'))
        at++;
    for (at += 2; at < url.n && url.p[at] != '/' && url.p[at] != '?'; at++) {}
    for (end = at + 1; end < url.n && url.p[end] != '/' && url.p[end] != '?'; end++) {}
    return end < url.n && url.p[at] == '/' && url.p[end] == '/' ? dp_str_cut(url, at + 1, end) : (dp_str){url.p, 0};
}

/* Count one, and keep them sorted. */
static void count_language(dp_languages *l, dp_str text)
{
    size_t i = 0;
    while (i < l->n && dp_str_cmp(l->v[i], text) < 0)
        i++;
    if (i < l->n && dp_str_eq(l->v[i], text)) {
        l->forms[i]++;
        return;
    }
    if (l->n == DP_MOST_LANGUAGES)
        return;
    for (size_t k = l->n++; k > i; k--) {
        l->v[k] = l->v[k - 1];
        l->forms[k] = l->forms[k - 1];
    }
    l->v[i] = text;
    l->forms[i] = 1;
}

void dp_languages_find(dp_languages *out, const dp_forms *f)
{
    size_t n = 0, all = 0;
    *out = (dp_languages){.n = 0};
    for (size_t i = 0; i < f->n; i++) {
        dp_str text = first_component(f->text[i]);
        if (text.n && dp_is_language(text)) {
            count_language(out, text);
            all++;
        }
    }
    if (out->n < 2 && (double)all > DP_ONE_LANGUAGE * (double)f->n)
        out->n = 0;
    for (size_t i = 0; i < out->n; i++)
        if (out->forms[i] >= DP_LEAST_CLUSTERS) {
            out->forms[n] = out->forms[i];
            out->v[n++] = out->v[i];
        }
    out->n = n;
}

/* Whether a side begins with /de/ or is /de. */
static bool begins_with(dp_str side, dp_str language)
{
    return side.n > language.n && side.p[0] == '/' && dp_str_eq(dp_str_cut(side, 1, 1 + language.n), language) &&
           (side.n == 1 + language.n || side.p[1 + language.n] == '/');
}

/* Append {l0=de|fr|ja}. */
static void put_list(dp_buf *out, const dp_languages *l)
{
    for (size_t k = 0; k < l->n; k++) {
        dp_buf_c(out, k ? "|" : "{l0=");
        dp_buf_str(out, l->v[k]);
    }
    dp_buf_byte(out, '}');
}

/* The languages that a side begins with; l->n: with none. */
static size_t language_of(const dp_languages *l, dp_str side)
{
    size_t i = 0;
    while (i < l->n && !begins_with(side, l->v[i]))
        i++;
    return i;
}

/* The end of the first component of `left`, or of that behind {**}, where it is a capture that `right` does not have;
 * 0: it is none. */
static size_t end_of_forgotten(dp_str left, dp_str right)
{
    dp_str anything = DP_STR("/{**}");
    size_t from = dp_str_starts(left, anything) ? anything.n : 0, n = from + 2;
    if (left.n < from + 4 || left.p[from] != '/' || left.p[from + 1] != '{' || left.p[from + 2] == '*')
        return 0;
    while (n < left.n && left.p[n] != '}' && left.p[n] != ':' && left.p[n] != '=')
        n++;
    dp_str name = dp_str_cut(left, from + 1, n); /* with its bracket */
    while (n < left.n && left.p[n] != '}')
        n++;
    bool forgotten = n + 1 < left.n && left.p[n + 1] == '/' && !memmem(right.p, right.n, name.p, name.n);
    return forgotten ? n + 1 : 0;
}

/* Append that a rule which forgets a component does not where that would be a language. Behind {**} it may be: then the
 * rest of `left` follows at once. */
static void spare_languages(dp_buf *rule, const dp_languages *l, dp_str left, dp_str right, dp_buf *room)
{
    size_t      end = end_of_forgotten(left, right);
    const char *query = memchr(left.p, '?', left.n);
    size_t      n = query ? (size_t)(query - left.p) : left.n;
    if (!end)
        return;
    dp_buf_reset(room);
    dp_buf_c(room, " unless /");
    put_list(room, l);
    dp_buf_str(room, dp_str_starts(left, DP_STR("/{**}")) ? dp_str_cut(left, end, n) : DP_STR("/{**}"));
    dp_buf_str(rule, dp_buf_view(room)); /* which moves what `left` is a view of */
    rule->failed |= room->failed;
}

bool dp_languages_pool(const dp_languages *l, dp_buf *rule, dp_buf *room)
{
    dp_str      text = dp_buf_view(rule), arrow = DP_STR(" => ");
    const char *at = text.n && text.p[0] == '/' ? memmem(text.p, text.n, arrow.p, arrow.n) : NULL;
    if (!at || l->n < 2)
        return true;
    dp_str left = {text.p, (size_t)(at - text.p)}, right = dp_str_cut(text, left.n + arrow.n, text.n);
    size_t i = language_of(l, left), k = language_of(l, right);
    spare_languages(rule, l, left, right, room);
    if (i == l->n || i != k)
        return k == l->n || i < l->n;
    dp_buf_reset(room);
    dp_buf_byte(room, '/');
    put_list(room, l);
    dp_buf_str(room, dp_str_cut(left, 1 + l->v[i].n, left.n));
    dp_buf_str(room, arrow);
    dp_buf_c(room, "/{l0}");
    dp_buf_str(room, dp_str_cut(right, 1 + l->v[i].n, right.n));
    dp_buf_reset(rule);
    dp_buf_str(rule, dp_buf_view(room));
    rule->failed |= room->failed;
    return true;
}

/* ---- a rule without its language ------------------------------------------------------------ */

typedef struct mirror {
    const dp_languages *l;
    dp_arena            a;
    dp_pat              any; /* {l0=de|fr|ja} */
    dp_pat              same; /* {l0} */
    bool                failed;
} mirror;

static bool has(const dp_languages *l, dp_str text)
{
    for (size_t i = 0; i < l->n; i++)
        if (dp_str_eq(l->v[i], text))
            return true;
    return false;
}

/* Whether a component is one of the languages, or some of them. */
static bool is_of_languages(const mirror *m, const dp_pat *p)
{
    if (p->n != 1 || p->v[0].kind == DP_ITEM_STAR)
        return false;
    if (p->v[0].kind == DP_ITEM_LITERAL)
        return has(m->l, p->v[0].text);
    bool all = p->v[0].cls == DP_CLASS_LIST;
    for (size_t i = 0; i < p->v[0].nlist && all; i++)
        all = has(m->l, p->v[0].list[i]);
    return all;
}

static bool is_any(const dp_pat *p)
{
    return p->n == 1 && p->v[0].kind == DP_ITEM_CAPTURE && p->v[0].cls == DP_CLASS_ANY && !p->v[0].conv;
}

static bool is_same(const dp_pat *p, const dp_pat *q)
{
    return p->n == 1 && q->n == 1 && p->v[0].kind == q->v[0].kind && dp_str_eq(p->v[0].text, q->v[0].text);
}

/* Whether both sides begin with what may be a language. */
static bool has_language(const mirror *m, const dp_rule *r)
{
    return r->left->nseg > 1 && r->right->nseg > 1 && r->left->glob && r->right->glob &&
           is_same(&r->left->seg[0], &r->right->seg[0]) &&
           (is_any(&r->left->seg[0]) || is_of_languages(m, &r->left->seg[0]));
}

/* The template without its first component (`less`), behind another one (may be NULL). */
static dp_template *behind(mirror *m, const dp_template *t, bool less, const dp_pat *first)
{
    dp_template *out = DP_NEW(&m->a, dp_template);
    dp_pat      *seg = DP_NEWS(&m->a, t->nseg + 1, dp_pat);
    size_t       n = 0;
    if (!out || !seg) {
        m->failed = true;
        return NULL;
    }
    if (first)
        seg[n++] = *first;
    for (size_t i = less; i < t->nseg; i++)
        seg[n++] = t->seg[i];
    *out = *t;
    out->seg = seg;
    out->nseg = n;
    out->glob = t->glob == DP_NO_GLOB ? DP_NO_GLOB : t->glob + n - t->nseg;
    return out;
}

/* Exceptions of the rule without its language, behind `first`; those that are languages themselves go. */
static void take_exceptions(mirror *m, dp_rule *out, const dp_rule *r, bool less, const dp_pat *first)
{
    out->unless = DP_NEWS(&m->a, r->nunless + 1, dp_template *);
    out->nunless = 0;
    m->failed |= !out->unless;
    for (size_t i = 0; i < r->nunless && !m->failed; i++) {
        const dp_template *t = r->unless[i];
        bool               glob = t->glob == 0, named = !glob && is_of_languages(m, &t->seg[0]);
        if (named && (!less || t->glob == 1))
            continue;
        out->unless[out->nunless++] = behind(m, t, less && !glob, glob ? NULL : first);
    }
}

static void add(dp_ideas *out, mirror *m, const dp_rule *r, dp_idea one)
{
    dp_buf text = {0};
    dp_print_text(&text, r);
    one.text[0] = dp_buf_view(&text);
    dp_idea *there = text.failed ? NULL : dp_ideas_add(out, &one, (dp_proposer){0, 0});
    m->failed |= !there;
    if (there) {
        there->clusters = there->clusters > DP_LEAST_PROPOSERS ? there->clusters : DP_LEAST_PROPOSERS;
        there->folds = DP_ALL_FOLDS;
        there->kin = DP_MIRRORED;
    }
    dp_buf_done(&text);
}

/* The rule in the languages. */
static void propose_within(dp_ideas *out, mirror *m, const dp_rule *r, bool less, dp_idea one)
{
    dp_rule now = *r;
    now.left = behind(m, r->left, less, &m->any);
    now.right = behind(m, r->right, less, &m->same);
    take_exceptions(m, &now, r, less, &m->any);
    if (!m->failed)
        add(out, m, &now, one);
}

/* The rule without a language. */
static void propose_without(dp_ideas *out, mirror *m, const dp_rule *r, dp_idea one)
{
    dp_rule      now = *r;
    dp_pat       two[2] = {m->any, {0}};
    dp_template *languages = DP_NEW(&m->a, dp_template);
    now.left = behind(m, r->left, true, NULL);
    now.right = behind(m, r->right, true, NULL);
    take_exceptions(m, &now, r, true, NULL);
    m->failed |= !languages;
    if (m->failed)
        return;
    *languages = (dp_template){.port = -1, .seg = two, .nseg = 2, .glob = 1, .open = true};
    now.unless[now.nunless++] = languages;
    add(out, m, &now, one);
}

dp_err dp_mirror_propose(dp_ideas *out, const dp_languages *l, dp_str rule, dp_tier tier, dp_family family)
{
    mirror  m = {.l = l};
    dp_idea one = {.tier = (uint8_t)tier, .family = (uint8_t)family};
    dp_item any = {.kind = DP_ITEM_CAPTURE, .text = DP_STR("l0"), .cls = DP_CLASS_LIST, .list = (dp_str *)l->v,
                   .nlist = l->n};
    dp_item same = {.kind = DP_ITEM_CAPTURE, .text = DP_STR("l0")};
    dp_rule r;
    dp_err  code = dp_ruleline_parse(&r, rule, &m.a);
    m.any = (dp_pat){&any, 1};
    m.same = (dp_pat){&same, 1};
    if (code == DP_OK && r.kind == DP_RULE_REWRITE && !r.left->scheme.n && !r.left->host.n && !r.right->host.n &&
        r.left->glob) {
        bool less = has_language(&m, &r);
        propose_within(out, &m, &r, less, one);
        if (less)
            propose_without(out, &m, &r, one);
    }
    dp_arena_done(&m.a);
    return m.failed || code == DP_ENOMEM ? DP_ENOMEM : DP_OK;
}

static bool is_kept(const dp_template *right, dp_str name)
{
    bool kept = false;
    for (size_t i = 0; i < right->nseg; i++)
        for (size_t k = 0; k < right->seg[i].n; k++)
            kept |= right->seg[i].v[k].kind == DP_ITEM_CAPTURE && dp_str_eq(right->seg[i].v[k].text, name);
    return kept;
}

/* Whether all that the path says is said again: what forgets a component would forget one after another. */
static bool keeps_all(const dp_rule *r)
{
    bool all = true;
    for (size_t i = 0; i < r->left->nseg; i++)
        for (size_t k = 0; k < r->left->seg[i].n; k++) {
            const dp_item *x = &r->left->seg[i].v[k];
            all &= x->kind != DP_ITEM_STAR && (x->kind != DP_ITEM_CAPTURE || is_kept(r->right, x->text));
        }
    return all;
}

dp_err dp_mirror_deeper(dp_ideas *out, dp_str rule, dp_tier tier, dp_family family)
{
    mirror  m = {0};
    dp_pat  any = {0};
    dp_rule r;
    dp_err  code = dp_ruleline_parse(&r, rule, &m.a);
    if (code == DP_OK && r.kind == DP_RULE_REWRITE && !r.left->scheme.n && !r.left->host.n && !r.right->host.n &&
        r.left->glob == DP_NO_GLOB && r.right->glob == DP_NO_GLOB && !r.nunless && keeps_all(&r)) {
        r.left = behind(&m, r.left, false, &any);
        r.right = behind(&m, r.right, false, &any);
        if (!m.failed) {
            r.left->glob = r.right->glob = 0;
            add(out, &m, &r, (dp_idea){.tier = (uint8_t)tier, .family = (uint8_t)family});
        }
    }
    dp_arena_done(&m.a);
    return m.failed || code == DP_ENOMEM ? DP_ENOMEM : DP_OK;
}
