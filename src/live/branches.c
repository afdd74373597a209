/* SPDX-License-Identifier: Apache-2.0 */
#include "live/branches.h"

#include <string.h>

#include "url/chars.h"

/* The first capture of a list of values in `t`; NULL: none. */
static const dp_item *find_list(const dp_template *t)
{
    for (size_t i = 0; i < dp_template_pats(t); i++) {
        const dp_pat *p = dp_template_pat(t, i);
        for (size_t k = 0; k < p->n; k++)
            if (p->v[k].kind == DP_ITEM_CAPTURE && p->v[k].nlist > 1)
                return &p->v[k];
    }
    return NULL;
}

dp_err dp_branches_take(dp_branches *out, const dp_rule *r, dp_arena *a)
{
    bool forgets = r->kind == DP_RULE_DROP || r->kind == DP_RULE_ERASE;
    const dp_item *list = r->kind == DP_RULE_REWRITE ? find_list(r->left) : NULL;
    size_t n = forgets ? r->names.n : list ? list->nlist
                                           : 0;
    *out = (dp_branches){0};
    if (n < 2)
        return DP_OK;
    n = n < DP_BRANCHES ? n : DP_BRANCHES;
    *out = (dp_branches){DP_NEWS(a, n, dp_name), n, forgets ? r->names.kind : 0};
    for (size_t i = 0; out->v && i < n; i++)
        out->v[i] = forgets ? r->names.v[i] : (dp_name){.text = list->list[i]};
    return out->v ? DP_OK : DP_ENOMEM;
}

/* A name begins behind one of these. */
static bool begins_name(const dp_branches *b, char before, bool in_query)
{
    return b->kind == ';' ? before == ';' && !in_query : in_query && (before == '?' || before == '&' || before == ';');
}

static size_t name_end(dp_str url, size_t at)
{
    while (at < url.n && !memchr("=&;/?", url.p[at], 5))
        at++;
    return at;
}

static uint64_t names_of(const dp_branches *b, dp_str url)
{
    uint64_t found = 0;
    bool in_query = false;
    for (size_t i = 1; i < url.n; i++) {
        in_query |= url.p[i - 1] == '?';
        if (!begins_name(b, url.p[i - 1], in_query))
            continue;
        dp_str name = dp_str_cut(url, i, name_end(url, i));
        for (size_t k = 0; k < b->n; k++) {
            const dp_name *v = &b->v[k];
            found |= (uint64_t)(v->prefix ? dp_str_starts(name, v->text) : dp_str_eq(name, v->text)) << k;
        }
    }
    return found;
}

static bool holds_value(dp_str url, dp_str value)
{
    for (size_t i = 1; i + value.n <= url.n; i++) {
        bool ends = i + value.n == url.n || !dp_is(url.p[i + value.n], DP_CH_ALNUM);
        if (ends && !dp_is(url.p[i - 1], DP_CH_ALNUM) && memcmp(url.p + i, value.p, value.n) == 0)
            return true;
    }
    return false;
}

uint64_t dp_branches_of(const dp_branches *b, dp_str url)
{
    uint64_t found = 0;
    if (b->kind)
        return names_of(b, url);
    for (size_t k = 0; k < b->n; k++)
        found |= (uint64_t)holds_value(url, b->v[k].text) << k;
    return found;
}
