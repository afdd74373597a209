/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/rewrite/text.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/order.h"

/* ---- the site -------------------------------------------------------------------------------- */

/* Whether host x is below y in (W, length, bytes): host names hold neither capitals nor what weighs more. */
static bool is_below(dp_str x, dp_str y)
{
    return x.n != y.n ? x.n < y.n : dp_str_cmp(x, y) < 0;
}

static dp_err list_hosts(dp_rw_speech *out, dp_str *v, size_t n, dp_arena *a)
{
    dp_buf b = {0};
    qsort(v, n, sizeof *v, dp_by_bytes);
    for (size_t i = 0; i < n; i++) {
        dp_buf_c(&b, i ? ", " : "");
        dp_buf_str(&b, v[i]);
        if (i == 0 || is_below(v[i], out->least))
            out->least = v[i];
    }
    out->hosts = dp_arena_str(a, dp_buf_view(&b));
    bool good = !b.failed && out->hosts.p;
    dp_buf_done(&b);
    return good ? DP_OK : DP_ENOMEM;
}

dp_err dp_rw_speech_init(dp_rw_speech *out, const dp_book *b, dp_arena *a)
{
    *out = (dp_rw_speech){.book = b};
    uint8_t *seen = calloc((size_t)b->nvalue + 1, 1);
    dp_str  *host = calloc((size_t)b->n + 1, sizeof *host);
    size_t   n = 0;
    uint32_t scheme = 0;
    for (uint32_t i = 0; seen && host && i < b->n; i++) {
        const dp_cell *c = b->cell + b->at[i];
        out->has_schemes |= scheme && c[DP_BOOK_SCHEME].val != scheme;
        scheme = c[DP_BOOK_SCHEME].val;
        if (!seen[c[DP_BOOK_HOST].val]++)
            host[n++] = b->value[c[DP_BOOK_HOST].val];
        seen[c[DP_BOOK_HOST].val] = 1;
    }
    dp_err e = seen && host ? list_hosts(out, host, n, a) : DP_ENOMEM;
    free(seen);
    free(host);
    return e;
}

/* ---- patterns -------------------------------------------------------------------------------- */

typedef struct side {
    const dp_rw_speech *s;
    const dp_rw_draft  *r;
    dp_arena           *a;
    bool                right;
    dp_template         t;
    dp_unsaid           why;
} side;

static uint32_t value_of(const side *d, const dp_rw_part *p)
{
    return d->right ? p->a : p->c;
}

/* What the part's value is in the text: a reference to a text is that text. */
static uint32_t resolve(const side *d, uint32_t val)
{
    if (!(val & DP_V_REF))
        return val;
    uint32_t i = dp_rw_find(d->r, val & ~DP_V_REF);
    return i != UINT32_MAX && d->r->part[i].c != DP_V_STAR ? d->r->part[i].c : val;
}

/* Captures are named after their key; phrase.h names them anew. */
static dp_err add_capture(dp_pat *p, uint32_t key, dp_arena *a)
{
    char *name = dp_arena_alloc(a, 16);
    if (!name)
        return DP_ENOMEM;
    int n = snprintf(name, 16, "k%u", key);
    p->v[p->n++] = (dp_item){.kind = DP_ITEM_CAPTURE, .text = {name, (size_t)n}};
    return DP_OK;
}

static dp_err add_value(side *d, dp_pat *p, const dp_rw_part *part)
{
    uint32_t val = resolve(d, value_of(d, part));
    if (val & DP_V_REF)
        return add_capture(p, val & ~DP_V_REF, d->a);
    if (val == DP_V_STAR && !d->right)
        return add_capture(p, part->key, d->a);
    if (val == DP_V_STAR) {
        p->v[p->n++] = (dp_item){.kind = DP_ITEM_STAR};
        return DP_OK;
    }
    return dp_is_text(val) ? dp_phrase_literal(p, d->s->book->value[val], d->a) : DP_OK;
}

/* ---- parts of a template --------------------------------------------------------------------- */

static void set_host(dp_template *t, dp_str text)
{
    size_t colon = text.n;
    while (colon > 0 && text.p[colon - 1] >= '0' && text.p[colon - 1] <= '9')
        colon--;
    t->host = text;
    t->port = -1;
    if (colon == 0 || colon == text.n || text.p[colon - 1] != ':' || (text.p[0] == '[' && text.p[colon - 2] != ']'))
        return;
    t->host.n = colon - 1;
    t->port = 0;
    for (size_t i = colon; i < text.n; i++)
        t->port = t->port * 10 + (text.p[i] - '0');
}

static void say_origin(side *d, const dp_rw_part *part)
{
    const dp_book *b = d->s->book;
    uint32_t       val = resolve(d, value_of(d, part));
    if (value_of(d, part) == (DP_V_REF | part->key))
        return; /* it stays */
    if (part->key == DP_BOOK_HOST) {
        if (dp_is_text(val) && !(val & DP_V_REF))
            set_host(&d->t, b->value[val]);
        else if (val == DP_V_STAR && d->right)
            set_host(&d->t, d->s->least);
        else if (val & DP_V_REF)
            d->why = DP_UNSAID_PLACE;
        return;
    }
    if (dp_is_text(val) && !(val & DP_V_REF))
        d->t.scheme = d->s->has_schemes || d->right ? b->value[val] : d->t.scheme;
    else if (val == DP_V_STAR && d->right)
        d->t.scheme = DP_STR("http");
    else if (val & DP_V_REF)
        d->why = DP_UNSAID_PLACE;
}

/* A segment is its text with its parameters. In what order two of them stand is not known. */
static dp_err say_param(side *d, const dp_rw_part *part)
{
    const dp_book_key *k = &d->s->book->key[part->key];
    dp_pat            *p = &d->t.seg[k->x - 3];
    for (uint32_t i = 0; i < d->r->n; i++) {
        const dp_rw_part  *o = &d->r->part[i];
        const dp_book_key *ok = &d->s->book->key[o->key];
        if (o != part && ok->kind == DP_K_PARAM && ok->x == k->x && value_of(d, o) != DP_V_ABSENT)
            d->why = DP_UNSAID_REPEATED;
    }
    if (d->why != DP_SAID)
        return DP_OK;
    DP_TRY(dp_phrase_literal(p, DP_STR(";"), d->a));
    DP_TRY(dp_phrase_literal(p, k->name, d->a));
    if (value_of(d, part) == DP_V_BARE)
        return DP_OK;
    DP_TRY(dp_phrase_literal(p, DP_STR("="), d->a));
    return add_value(d, p, part);
}

static dp_err say_pair(side *d, const dp_rw_part *part, dp_query_item *q)
{
    const dp_book_key *k = &d->s->book->key[part->key];
    *q = (dp_query_item){.kind = value_of(d, part) == DP_V_BARE ? DP_QUERY_BARE : DP_QUERY_VALUE, .name = k->name,
                         .k = k->nth};
    if (!(q->pat.v = DP_NEWS(d->a, 2, dp_item)))
        return DP_ENOMEM;
    return add_value(d, &q->pat, part);
}

/* ---- whole ----------------------------------------------------------------------------------- */

static int by_rank(const void *l, const void *r, void *keys)
{
    const dp_book_key *k = keys;
    uint32_t x = k[(*(const dp_rw_part *const *)l)->key].rank, y = k[(*(const dp_rw_part *const *)r)->key].rank;
    return (x > y) - (x < y);
}

static dp_err say_side(side *d)
{
    enum { ITEMS = 8 }; /* of a segment: its text, and of one parameter separator, name, value */
    const dp_book    *b = d->s->book;
    const dp_rw_part *part[DP_RW_PARTS];
    uint32_t          n = 0;
    d->t = (dp_template){.port = -1, .glob = DP_NO_GLOB, .has_query = true};
    for (uint32_t i = 0; i < d->r->n; i++) {
        const dp_rw_part  *p = &d->r->part[i];
        const dp_book_key *k = &b->key[p->key];
        if (value_of(d, p) == DP_V_ABSENT)
            continue;
        part[n++] = p;
        if (k->kind == DP_K_SEGMENT && k->x - 2 > d->t.nseg)
            d->t.nseg = k->x - 2;
    }
    qsort_r(part, n, sizeof *part, by_rank, b->key);
    if (!(d->t.seg = DP_NEWS(d->a, d->t.nseg, dp_pat)) || !(d->t.query = DP_NEWS(d->a, n, dp_query_item)))
        return DP_ENOMEM;
    for (size_t i = 0; i < d->t.nseg; i++)
        if (!(d->t.seg[i].v = DP_NEWS(d->a, ITEMS, dp_item)))
            return DP_ENOMEM;
    for (uint32_t i = 0; i < n && d->why == DP_SAID; i++) {
        const dp_book_key *k = &b->key[part[i]->key];
        if (k->kind == DP_K_SCHEME || k->kind == DP_K_HOST)
            say_origin(d, part[i]);
        else if (k->kind == DP_K_SEGMENT)
            DP_TRY(add_value(d, &d->t.seg[k->x - 3], part[i]));
        else if (k->kind == DP_K_PARAM)
            DP_TRY(say_param(d, part[i]));
        else
            DP_TRY(say_pair(d, part[i], &d->t.query[d->t.nquery++]));
    }
    return DP_OK;
}

dp_err dp_rw_say(dp_rw_said *out, const dp_rw_speech *s, const dp_rw_draft *r, dp_arena *a)
{
    side left = {.s = s, .r = r, .a = a}, right = {.s = s, .r = r, .a = a, .right = true};
    *out = (dp_rw_said){.hosts = s->hosts};
    DP_TRY(say_side(&left));
    DP_TRY(say_side(&right));
    uint32_t host = dp_rw_find(r, DP_BOOK_HOST);
    if (host != UINT32_MAX && dp_is_text(r->part[host].c))
        out->hosts = s->book->value[r->part[host].c];
    out->phrase.why = left.why != DP_SAID ? left.why : right.why;
    if (out->phrase.why != DP_SAID)
        return DP_OK;
    return dp_phrase_say(&out->phrase, &left.t, &right.t, out->hosts, a);
}
