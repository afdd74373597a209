/* SPDX-License-Identifier: Apache-2.0 */
#include "url/keys.h"

#include <stdlib.h>

static uint32_t count_params(const dp_frame *f)
{
    uint32_t n = 0;
    for (uint32_t i = f->path; i < f->path_end; i++)
        n += f->s[i] == ';';
    return n;
}

typedef struct builder {
    const dp_frame *f;
    dp_keys         k;
    uint32_t       *order; /* [] scratch of number_names */
} builder;

static dp_key *add(builder *b, dp_key_kind kind, uint32_t from, uint32_t to)
{
    dp_key *key = &b->k.v[b->k.n++];
    *key = (dp_key){.at = from, .eq = from, .val = from, .end = to, .kind = (uint8_t)kind};
    return key;
}

static void place(const builder *b, dp_key *key, uint32_t x)
{
    key->x = x;
    key->y = b->k.ncomponent + 1 - x;
}

static int by_name(const void *l, const void *r, void *keys)
{
    const dp_keys *k = keys;
    uint32_t       i = *(const uint32_t *)l, j = *(const uint32_t *)r;
    int            c = dp_str_cmp(dp_key_name(k, &k->v[i]), dp_key_name(k, &k->v[j]));
    return c ? c : (i > j) - (i < j);
}

/* Number the equal names among the keys from `first` on. Sorted, since a URL may have a
 * hundred thousand pairs. */
static void number_names(builder *b, uint32_t first)
{
    dp_keys *k = &b->k;
    uint32_t n = k->n - first;
    if (n == 1)
        k->v[first].nth = 1;
    if (n < 2)
        return;
    for (uint32_t i = 0; i < n; i++)
        b->order[i] = first + i;
    qsort_r(b->order, n, sizeof *b->order, by_name, k);
    for (uint32_t i = 0; i < n; i++) {
        dp_key *key = &k->v[b->order[i]], *before = i ? &k->v[b->order[i - 1]] : NULL;
        bool    again = before && dp_str_eq(dp_key_name(k, before), dp_key_name(k, key));
        key->nth = again ? before->nth + 1 : 1;
    }
}

/* Component x with its parameters, out of the segment's bytes [at, end). */
static void add_segment(builder *b, uint32_t x, uint32_t at, uint32_t end)
{
    const char *s = b->f->s;
    dp_key     *key = add(b, DP_K_SEGMENT, at, end);
    uint32_t    first = b->k.n;
    place(b, key, x);
    for (uint32_t i = at; i < end; i++) {
        if (s[i] == ';') {
            key->end = i;
            if (key->kind == DP_K_PARAM && !key->has_eq)
                key->eq = key->val = i;
            key = add(b, DP_K_PARAM, i + 1, end);
            place(b, key, x);
        } else if (s[i] == '=' && key->kind == DP_K_PARAM && !key->has_eq) {
            key->has_eq = true;
            key->eq = i;
            key->val = i + 1;
        }
    }
    if (key->kind == DP_K_PARAM && !key->has_eq)
        key->eq = key->val = end;
    number_names(b, first);
}

static void add_pairs(builder *b)
{
    uint32_t first = b->k.n;
    for (uint32_t i = 0; i < b->f->npair; i++) {
        const dp_pair *p = &b->f->pair[i];
        dp_key        *key = add(b, DP_K_PAIR, p->at, p->end);
        key->eq = p->eq;
        key->val = p->eq + (p->has_eq ? 1u : 0u);
        key->has_eq = p->has_eq;
        key->sep = p->sep;
    }
    number_names(b, first);
}

dp_err dp_keys_read(dp_keys *out, const dp_frame *f, dp_arena *a)
{
    enum { MAX_ORIGIN = 4 }; /* scheme, user, host, port */
    uint32_t nparam = count_params(f), nsort = nparam > f->npair ? nparam : f->npair;
    builder  b = {.f = f, .k = {.s = f->s, .ncomponent = 2 + f->nseg}};
    b.k.v = DP_NEWS(a, (size_t)MAX_ORIGIN + f->nseg + nparam + f->npair, dp_key);
    b.order = DP_NEWS(a, nsort, uint32_t);
    if (!b.k.v || !b.order)
        return DP_ENOMEM;
    place(&b, add(&b, DP_K_SCHEME, 0, f->scheme_n), 1);
    if (f->user_end)
        add(&b, DP_K_USER, f->user, f->user_end);
    place(&b, add(&b, DP_K_HOST, f->host, f->host_end), 2);
    if (f->port >= 0)
        add(&b, DP_K_PORT, f->host_end + 1, f->path);
    for (uint32_t i = 0; i < f->nseg; i++)
        add_segment(&b, 3 + i, f->seg[i], f->seg[i + 1] - 1);
    add_pairs(&b);
    *out = b.k;
    return DP_OK;
}

void dp_keys_join(dp_buf *out, const dp_keys *k)
{
    bool in_query = false;
    for (uint32_t i = 0; i < k->n; i++) {
        const dp_key *key = &k->v[i];
        dp_str        value = dp_key_value(k, key);
        switch ((dp_key_kind)key->kind) {
        case DP_K_SCHEME:
            if (key->end == 0)
                continue;
            dp_buf_str(out, value);
            dp_buf_c(out, "://");
            continue;
        case DP_K_USER:
            dp_buf_str(out, value);
            dp_buf_byte(out, '@');
            continue;
        case DP_K_HOST:
            break;
        case DP_K_PORT:
            dp_buf_byte(out, ':');
            break;
        case DP_K_SEGMENT:
            dp_buf_byte(out, '/');
            break;
        case DP_K_PARAM:
            dp_buf_byte(out, ';');
            break;
        case DP_K_PAIR:
            dp_buf_byte(out, in_query ? key->sep : '?');
            in_query = true;
            break;
        }
        dp_buf_str(out, dp_key_name(k, key));
        if (key->has_eq)
            dp_buf_byte(out, '=');
        dp_buf_str(out, value);
    }
}

void dp_key_print(dp_buf *out, const dp_keys *k, const dp_key *key)
{
    switch ((dp_key_kind)key->kind) {
    case DP_K_USER:
        dp_buf_c(out, "user");
        return;
    case DP_K_PORT:
        dp_buf_c(out, "port");
        return;
    case DP_K_PAIR:
        dp_buf_byte(out, '?');
        break;
    default:
        dp_buf_printf(out, "k(%u,%u)", key->x, key->y);
    }
    if (key->kind == DP_K_PARAM)
        dp_buf_byte(out, ';');
    dp_buf_str(out, dp_key_name(k, key));
    if (key->nth > 1)
        dp_buf_printf(out, "#%u", key->nth);
}
