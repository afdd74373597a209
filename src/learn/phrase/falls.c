/* Whether a pair of templates makes every URL lighter, so that no run of it goes on for ever.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/phrase/verb.h"
#include "rule/print.h"
#include "url/chars.h"

/* What a text weighs, then how long it is. */
typedef struct weight {
    size_t w, n;
} weight;

static size_t weigh_byte(char c)
{
    if (c == '*')
        return 0;
    if (c == '?' || c == '&' || c == ';')
        return 3;
    return dp_is(c, DP_CH_UPPER) ? 2 : 1;
}

static void weigh(weight *out, dp_str s)
{
    for (size_t i = 0; i < s.n; i++)
        out->w += weigh_byte(s.p[i]);
    out->n += s.n;
}

/* Literals, and stars: one on the left stands for a byte or more, one on the right is written. */
static void weigh_pat(weight *out, const dp_pat *p, bool left)
{
    for (size_t i = 0; i < p->n; i++) {
        if (p->v[i].kind == DP_ITEM_LITERAL)
            weigh(out, p->v[i].text);
        else if (p->v[i].kind == DP_ITEM_STAR)
            weigh(out, left ? DP_STR("a") : DP_STR("*"));
    }
}

static weight weigh_template(const dp_template *t, bool left)
{
    weight out = {0, 0};
    bool   first = true;
    for (size_t i = 0; i < t->nseg; i++) {
        weigh(&out, i == t->glob ? (dp_str){NULL, 0} : DP_STR("/"));
        weigh_pat(&out, &t->seg[i], left);
    }
    for (size_t i = 0; i < t->nquery; i++) {
        const dp_query_item *q = &t->query[i];
        if (q->kind == DP_QUERY_ABSENT)
            continue;
        weigh(&out, first ? DP_STR("?") : DP_STR("&"));
        first = false;
        weigh(&out, q->name);
        weigh(&out, q->kind == DP_QUERY_VALUE ? DP_STR("=") : (dp_str){NULL, 0});
        weigh_pat(&out, &q->pat, left);
    }
    return out;
}

/* ---- captures ------------------------------------------------------------------------------- */

/* Whether no capture is written more often than it was read, or in a form that weighs more; `*lighter` when one may
 * weigh less. */
static bool captures_fall(bool *lighter, const dp_template *left, const dp_template *right)
{
    *lighter = left->glob != DP_NO_GLOB && right->glob == DP_NO_GLOB;
    for (size_t i = 0; i < dp_template_pats(right); i++)
        for (size_t j = 0; j < dp_template_pat(right, i)->n; j++) {
            const dp_item *it = &dp_template_pat(right, i)->v[j];
            if (it->kind != DP_ITEM_CAPTURE)
                continue;
            if (it->conv == DP_CONV_UPPER || it->conv == DP_CONV_ENCODE ||
                dp_template_captures(right, it->text) > dp_template_captures(left, it->text))
                return false;
            *lighter |= it->conv != DP_CONV_NONE;
        }
    return true;
}

/* ---- hosts ----------------------------------------------------------------------------------- */

static int compare(dp_str x, dp_str y)
{
    weight a = {0, 0}, b = {0, 0};
    weigh(&a, x);
    weigh(&b, y);
    if (a.w != b.w)
        return a.w < b.w ? -1 : 1;
    if (a.n != b.n)
        return a.n < b.n ? -1 : 1;
    return dp_str_cmp(x, y);
}

/* Whether no name of the host line is below `host`; wildcards may be anything. */
static bool is_least(dp_str host, dp_str hosts)
{
    for (size_t i = 0, j; i < hosts.n; i = j + 1) {
        for (j = i; j < hosts.n && hosts.p[j] != ','; j++) {}
        while (i < j && hosts.p[i] == ' ')
            i++;
        dp_str name = dp_str_cut(hosts, i, j);
        if (dp_str_starts(name, DP_STR("*")) || dp_str_eq(name, DP_STR("any")) || compare(name, host) < 0)
            return false;
    }
    return true;
}

/* Add scheme and host where both sides write them. False when one is written on the right alone and is not the least
 * there can be; else that may make the URL lighter. */
static bool weigh_origin(weight *l, weight *r, bool *lighter, const dp_template *left, const dp_template *right,
                         dp_str hosts)
{
    if (right->scheme.n && !left->scheme.n) {
        *lighter = true;
        if (!dp_str_eq(right->scheme, DP_STR("http")))
            return false;
    } else if (right->scheme.n) {
        weigh(l, left->scheme);
        weigh(r, right->scheme);
    }
    if (right->host.n && !left->host.n) {
        *lighter = true;
        return is_least(right->host, hosts);
    }
    if (right->host.n) {
        weigh(l, left->host);
        weigh(r, right->host);
        weigh(l, left->port < 0 ? (dp_str){NULL, 0} : DP_STR(":80"));
        weigh(r, right->port < 0 ? (dp_str){NULL, 0} : DP_STR(":80"));
    }
    return true;
}

/* Print what has not been weighed otherwise: neither origin nor conversions, whose effect depends on the URL. */
static dp_err print_plain(dp_buf *out, const dp_template *t, dp_arena *a)
{
    dp_template plain;
    DP_TRY(dp_phrase_copy(&plain, t, a));
    plain.scheme = plain.host = (dp_str){NULL, 0};
    for (size_t i = 0; i < dp_template_pats(&plain); i++)
        for (size_t j = 0; j < dp_template_pat(&plain, i)->n; j++)
            dp_template_pat(&plain, i)->v[j].conv = DP_CONV_NONE;
    dp_print_template(out, &plain);
    return out->failed ? DP_ENOMEM : DP_OK;
}

static dp_err compare_texts(int *order, const dp_template *left, const dp_template *right, dp_arena *a)
{
    dp_buf l = {0}, r = {0};
    dp_err e = print_plain(&l, left, a);
    if (e == DP_OK)
        e = print_plain(&r, right, a);
    *order = e == DP_OK ? dp_str_cmp(dp_buf_view(&l), dp_buf_view(&r)) : 0;
    dp_buf_done(&l);
    dp_buf_done(&r);
    return e;
}

static int compare_origins(const dp_template *left, const dp_template *right)
{
    int order = right->scheme.n && left->scheme.n ? dp_str_cmp(left->scheme, right->scheme) : 0;
    return order == 0 && right->host.n && left->host.n ? dp_str_cmp(left->host, right->host) : order;
}

dp_err dp_phrase_falls(bool *out, const dp_template *left, const dp_template *right, dp_str hosts, dp_arena *a)
{
    bool   lighter;
    int    order = compare_origins(left, right);
    weight l = weigh_template(left, true), r = weigh_template(right, false);
    size_t nl = dp_template_captures(left, (dp_str){0}), nr = dp_template_captures(right, (dp_str){0});
    *out = false;
    if (!captures_fall(&lighter, left, right) || !weigh_origin(&l, &r, &lighter, left, right, hosts))
        return DP_OK;
    l.w += nl - nr; /* captures that are gone; each was at least a byte */
    l.n += nl - nr;
    if (l.w != r.w || l.n != r.n) {
        *out = l.w != r.w ? l.w > r.w : l.n > r.n;
        return DP_OK;
    }
    if (order == 0)
        DP_TRY(compare_texts(&order, left, right, a));
    *out = order > 0 || (order == 0 && lighter);
    return DP_OK;
}
