/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/certified.h"

#include "base/number.h"

static const dp_attr *find(const dp_block *b, dp_str key)
{
    for (size_t i = 0; i < b->nattr; i++) {
        if (dp_str_eq(b->attr[i].key, key))
            return &b->attr[i];
    }
    return NULL;
}

static double number(const dp_block *b, dp_str key)
{
    const dp_attr *a = find(b, key);
    double         v;
    return a && dp_number_read(&v, a->value) ? v : 0;
}

bool dp_certified_read(dp_certified *out, const dp_block *b)
{
    const dp_attr *cert = find(b, DP_STR("cert"));
    dp_str         confidence = cert ? cert->value : DP_STR(""), precision = dp_next_field(&confidence, '/');
    *out = (dp_certified){.n = number(b, DP_STR("n")), .neg = number(b, DP_STR("neg")),
                          .pool = number(b, DP_STR("pool"))};
    return dp_number_read(&out->precision, precision) && dp_number_read(&out->confidence, confidence);
}

bool dp_certified_is_part(const dp_block *b, size_t at)
{
    static const dp_str part[] = {DP_STR("cert"), DP_STR("n"), DP_STR("neg"), DP_STR("pool")};
    bool is_named = false;
    for (size_t i = 0; i < DP_COUNT(part); i++)
        is_named |= dp_str_eq(b->attr[at].key, part[i]);
    return is_named && find(b, part[0]);
}

/* Whether both carry one certificate. */
static bool are_one(const dp_block *x, const dp_block *y)
{
    if (!find(x, DP_STR("cert")) || !find(y, DP_STR("cert")))
        return false;
    for (size_t i = 0; i < x->nattr; i++) {
        const dp_attr *other = find(y, x->attr[i].key);
        if (dp_certified_is_part(x, i) && (!other || !dp_str_eq(other->value, x->attr[i].value)))
            return false;
    }
    return true;
}

static dp_err take_off(dp_block *b, dp_arena *a)
{
    dp_attr *left = DP_NEWS(a, b->nattr, dp_attr);
    size_t   n = 0;
    if (!left)
        return DP_ENOMEM;
    for (size_t i = 0; i < b->nattr; i++) {
        if (!dp_certified_is_part(b, i))
            left[n++] = b->attr[i];
    }
    b->attr = left;
    b->nattr = n;
    return DP_OK;
}

dp_err dp_certified_end(dp_rules *r, const dp_block *b, dp_arena *a)
{
    const dp_block like = *b; /* its own is taken off on the way */
    for (size_t i = 0; i < r->nblock; i++) {
        if (are_one(&like, r->block[i]))
            DP_TRY(take_off(r->block[i], a));
    }
    return DP_OK;
}
