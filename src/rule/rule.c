/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/rule.h"

#include "base/number.h"
#include "rule/attr.h"
#include "url/chars.h"

double dp_rule_number(const dp_rule *r, const char *key, double fallback)
{
    const dp_attr *a = dp_attr_find(r, dp_str_c(key));
    double         v;
    return a && dp_number_read(&v, a->value) ? v : fallback;
}

bool dp_rule_by(const dp_rule *r, const char *kind)
{
    const dp_attr *a = dp_attr_find(r, DP_STR("by"));
    dp_str         want = dp_str_c(kind);
    for (size_t i = 0, j; a && i <= a->value.n; i = j + 1) {
        for (j = i; j < a->value.n && a->value.p[j] != ','; j++) {}
        if (dp_str_eq(dp_str_cut(a->value, i, j), want))
            return true;
    }
    return false;
}

bool dp_rule_erases(const dp_rule *r)
{
    if (r->kind == DP_RULE_ERASE)
        return true;
    if (r->kind != DP_RULE_REWRITE)
        return false;
    for (size_t i = 0; i < dp_template_pats(r->right); i++) {
        const dp_pat *p = dp_template_pat(r->right, i);
        for (size_t j = 0; j < p->n; j++)
            if (p->v[j].kind == DP_ITEM_STAR)
                return true;
    }
    return false;
}

static bool fits_slug(dp_str s)
{
    bool letter = false;
    for (size_t i = 0; i < s.n; i++) {
        if (!dp_is(s.p[i], DP_CH_ALNUM) && s.p[i] != '_' && s.p[i] != '-')
            return false;
        letter |= dp_is(s.p[i], DP_CH_ALPHA);
    }
    return letter;
}

/* Whether `s` has the shape of `form`, in which 0 is a digit, x a hex digit and every
 * other byte itself. */
static bool has_shape(dp_str s, dp_str form)
{
    if (s.n != form.n)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        char f = form.p[i];
        if (f == '0' ? !dp_is(s.p[i], DP_CH_DIGIT) : f == 'x' ? !dp_is(s.p[i], DP_CH_HEX) : s.p[i] != f)
            return false;
    }
    return true;
}

size_t dp_template_captures(const dp_template *t, dp_str name)
{
    size_t n = t->label.n && (!name.p || dp_str_eq(t->label, name));
    for (size_t i = 0; i < dp_template_pats(t); i++)
        for (size_t j = 0; j < dp_template_pat(t, i)->n; j++) {
            const dp_item *it = &dp_template_pat(t, i)->v[j];
            n += it->kind == DP_ITEM_CAPTURE && (!name.p || dp_str_eq(it->text, name));
        }
    return n;
}

bool dp_class_fits(dp_class c, dp_str s)
{
    switch (c) {
    case DP_CLASS_ANY: return s.n > 0;
    case DP_CLASS_INT: return s.n && dp_all(s, DP_CH_DIGIT);
    case DP_CLASS_HEX: return s.n && dp_all(s, DP_CH_HEX);
    case DP_CLASS_WORD: return s.n && dp_all(s, DP_CH_ALPHA);
    case DP_CLASS_SLUG: return fits_slug(s);
    case DP_CLASS_UUID: return has_shape(s, DP_STR("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"));
    case DP_CLASS_DATE: return has_shape(s, DP_STR("0000-00-00")) || has_shape(s, DP_STR("00000000"));
    case DP_CLASS_LIST: break;
    }
    return false;
}

bool dp_name_fits(const dp_name *n, dp_str name)
{
    return n->prefix ? dp_str_starts(name, n->text) : dp_str_eq(name, n->text);
}
