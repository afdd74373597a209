/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/attr.h"

#include "base/number.h"
#include "url/chars.h"

const dp_attr *dp_attr_find(const dp_rule *r, dp_str key)
{
    for (size_t i = 0; i < r->nattr; i++)
        if (dp_str_eq(r->attr[i].key, key))
            return &r->attr[i];
    return NULL;
}

dp_err dp_attr_set(dp_rule *r, dp_str key, dp_str value, dp_arena *a)
{
    size_t   at = 0;
    dp_attr *v = DP_NEWS(a, r->nattr + 1, dp_attr);
    if (!v)
        return DP_ENOMEM;
    if (r->nattr)
        memcpy(v, r->attr, r->nattr * sizeof *v);
    while (at < r->nattr && !dp_str_eq(v[at].key, key))
        at++;
    v[at] = (dp_attr){key, value};
    r->attr = v;
    r->nattr += at == r->nattr;
    return DP_OK;
}

void dp_attr_cut(dp_rule *r, dp_str key)
{
    size_t n = 0;
    for (size_t i = 0; i < r->nattr; i++)
        if (!dp_str_eq(r->attr[i].key, key))
            r->attr[n++] = r->attr[i];
    r->nattr = n;
}

static dp_err check_value(dp_cursor *c, const dp_attr *a)
{
    double v;
    bool   is_p = dp_str_eq(a->key, DP_STR("p"));
    bool   is_count = dp_str_eq(a->key, DP_STR("n")) || dp_str_eq(a->key, DP_STR("neg")) ||
                    dp_str_eq(a->key, DP_STR("save"));
    if (is_p && (!dp_number_read(&v, a->value) || v > 1))
        return dp_cursor_fail(c, a->value.p, "p must be a number from 0 to 1, not " DP_SHOW, DP_SHOWN(a->value));
    if (is_count && !dp_number_read(&v, a->value))
        return dp_cursor_fail(c, a->value.p, "%.*s must be a number from 0 to 10^15, not " DP_SHOW, DP_FMT(a->key),
                              DP_SHOWN(a->value));
    return DP_OK;
}

static dp_err read_one(dp_attr *out, dp_cursor *c, dp_str word)
{
    size_t eq = dp_str_find(word, '=');
    out->key = dp_str_cut(word, 0, eq);
    bool good = eq > 0 && eq < word.n && dp_is(word.p[0], DP_CH_ALPHA);
    for (size_t i = 0; i < eq && good; i++)
        good = dp_is(word.p[i], DP_CH_ALNUM) || word.p[i] == '_' || word.p[i] == '-' || word.p[i] == '.';
    if (!good)
        return dp_cursor_fail(c, word.p, "expected an attribute like p=.99, found " DP_SHOW, DP_SHOWN(word));
    out->value = dp_str_cut(word, eq + 1, word.n);
    size_t close = dp_str_find(out->value, ']');
    if (close < out->value.n)
        return dp_cursor_fail(c, out->value.p + close, "a value cannot contain ']', which ends the attributes");
    return check_value(c, out);
}

dp_err dp_attr_read(dp_attr **v, size_t *n, dp_cursor *c)
{
    const char *open = c->at++;
    const char *close = memchr(open, ']', (size_t)(c->end - open));
    if (c->end[-1] != ']') {
        if (close)
            return dp_cursor_fail(c, close + 1, "attributes come last: move them to the end of the line");
        return dp_cursor_fail(c, open, "']' is missing at the end of the attributes");
    }
    c->end--;
    size_t most = 0; /* each has a '=' */
    for (const char *p = c->at; p < c->end; p++)
        most += *p == '=';
    if (dp_cursor_peek(c).n == 0)
        return dp_cursor_fail(c, open, "the attributes are empty: leave out the brackets");
    *n = 0;
    if (!(*v = DP_NEWS(c->arena, most, dp_attr)))
        return DP_ENOMEM;
    for (dp_str w = dp_cursor_word(c); w.n; w = dp_cursor_word(c)) {
        dp_attr a;
        DP_TRY(read_one(&a, c, w));
        (*v)[(*n)++] = a;
    }
    return dp_cursor_once(c, *v, *n, sizeof **v, "attribute");
}
