/* Ideas about values that are there twice, in short or in full, or that are equal to each other.
 *
 *     ?h=3fa94c...    ?h=3fa94c         /{**}?h={x:hex*6}{y:hex*34}&... => /{**}?h={x}&...
 *     ?f=red&f=red    ?f=red            /{**}?f={x}&f#2={x}&... => /{**}?f={x}&...
 *     ?id=7&p=7       ?id=7             /{**}?id={x}&p={x}&... => /{**}?id={x}&...
 *     ?r1=3&r2=3      ?r1=2&r2=2        /{**}?r1={x}&r2={x}&... => /{**}?r1=*&r2=*&...
 *
 * The last is a comparison of something with itself: nothing differs, whatever it is.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/auto/propose/value.h"

#include "learn/auto/propose/path.h"

enum { MOST_PAIRS = 12 }; /* of a query: each is compared with all */

static dp_str name_of(const dp_frame *f, uint32_t i)
{
    return dp_pair_name(f, &f->pair[i]);
}

static dp_str value_of(const dp_frame *f, uint32_t i)
{
    return dp_pair_value(f, &f->pair[i]);
}

/* How many pairs have the name; `*at`: the last of them. */
static uint32_t count_name(const dp_frame *f, dp_str name, uint32_t *at)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->npair; i++)
        if (dp_str_eq(name_of(f, i), name)) {
            *at = i;
            n++;
        }
    return n;
}

/* The only pair with the name, if it has a value; false: there is none. */
static bool find_only(const dp_frame *f, dp_str name, uint32_t *at)
{
    return name.n && count_name(f, name, at) == 1 && value_of(f, *at).n;
}

/* "/{**}?", or "&" behind another item; then name and what it is. */
static void put_item(dp_pairing *p, bool first, dp_str name, const char *what)
{
    dp_buf_c(&p->text, first ? "/{**}?" : "&");
    dp_buf_str(&p->text, name);
    dp_buf_c(&p->text, what);
}

/* ---- one name ------------------------------------------------------------------------------ */

/* A hash becomes its short form. */
static void shorten(dp_pairing *p, dp_str name, dp_str u, dp_str v)
{
    if (!dp_is_short_hash(u, v))
        return;
    put_item(p, true, name, "=");
    dp_put_hash(&p->text, u, v);
    dp_buf_c(&p->text, "&... => ");
    put_item(p, true, name, "={x}&...");
    dp_pairing_propose(p, DP_TIER_LITERAL, DP_FAMILY_AFFIX);
}

/* A pair that `f` has twice, and `g` once: once is enough. */
static void once(dp_pairing *p, const dp_frame *f, const dp_frame *g, uint32_t i)
{
    dp_str   name = name_of(f, i), value = value_of(f, i);
    uint32_t second = i, other;
    if (!value.n || count_name(f, name, &second) != 2 || second == i || !dp_str_eq(value_of(f, second), value) ||
        !find_only(g, name, &other) || !dp_str_eq(value_of(g, other), value))
        return;
    put_item(p, true, name, "={x}");
    put_item(p, false, name, "#2={x}&... => ");
    put_item(p, true, name, "={x}&...");
    dp_pairing_propose(p, DP_TIER_LITERAL, DP_FAMILY_AGAIN);
}

/* ---- two names ----------------------------------------------------------------------------- */

/* Pair `i` of `f` says again what pair `k` says, and `g` has only that one. */
static void repeats(dp_pairing *p, const dp_frame *f, const dp_frame *g, uint32_t i, uint32_t k)
{
    dp_str   name = name_of(f, i), kept = name_of(f, k);
    uint32_t at;
    if (count_name(g, name, &at) || !find_only(g, kept, &at) || !dp_str_eq(value_of(g, at), value_of(f, k)))
        return;
    put_item(p, true, kept, "={x}");
    put_item(p, false, name, "={x}&... => ");
    put_item(p, true, kept, "={x}&...");
    dp_pairing_propose(p, DP_TIER_LITERAL, DP_FAMILY_AGAIN);
}

/* Pairs `i` and `k` of `f` are equal, and in `g`, too, with another value. */
static void compares(dp_pairing *p, const dp_frame *f, const dp_frame *g, uint32_t i, uint32_t k)
{
    dp_str   a = name_of(f, i), b = name_of(f, k);
    uint32_t x, y;
    if (dp_str_cmp(a, b) > 0 || !find_only(g, a, &x) || !find_only(g, b, &y) ||
        !dp_str_eq(value_of(g, x), value_of(g, y)) || dp_str_eq(value_of(g, x), value_of(f, i)))
        return;
    put_item(p, true, a, "={x}");
    put_item(p, false, b, "={x}&... => ");
    put_item(p, true, a, "=*");
    put_item(p, false, b, "=*&...");
    dp_pairing_propose(p, DP_TIER_MASK, DP_FAMILY_AGAIN);
}

static void compare(dp_pairing *p, const dp_frame *f, const dp_frame *g)
{
    uint32_t at;
    for (uint32_t i = 0; i < f->npair; i++) {
        once(p, f, g, i);
        if (!find_only(f, name_of(f, i), &at))
            continue;
        if (find_only(g, name_of(f, i), &at))
            shorten(p, name_of(f, i), value_of(f, i), value_of(g, at));
        for (uint32_t k = 0; k < f->npair; k++) {
            if (k == i || !dp_str_eq(value_of(f, k), value_of(f, i)) || !find_only(f, name_of(f, k), &at))
                continue;
            repeats(p, f, g, i, k);
            if (f == p->u)
                compares(p, f, g, i, k);
        }
    }
}

void dp_generate_values(dp_pairing *p)
{
    if (p->u->npair > MOST_PAIRS || p->v->npair > MOST_PAIRS)
        return;
    compare(p, p->u, p->v);
    if (!p->directed)
        compare(p, p->v, p->u);
}
