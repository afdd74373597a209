/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/duster/text.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/order.h"

/* ---- what stands in holes -------------------------------------------------------------------- */

void dp_duster_union_init(dp_duster_union *u, const dp_duster_outline *first, uint32_t max_set)
{
    u->outline.n = first->n;
    u->outline.hash = first->hash;
    u->max_set = max_set;
    memcpy(u->outline.v, first->v, first->n * sizeof *first->v);
    for (uint32_t i = 0; i < first->n; i++)
        u->of[i] = (dp_duster_filling){.all_int = true, .all_word = true};
    dp_duster_union_add(u, first);
}

static void fill(dp_duster_filling *f, dp_str text, uint32_t max_set)
{
    f->all_int &= dp_class_fits(DP_CLASS_INT, text);
    f->all_word &= dp_class_fits(DP_CLASS_WORD, text);
    for (uint32_t i = 0; i < f->n; i++)
        if (dp_str_eq(f->v[i], text))
            return;
    if (f->n <= max_set)
        f->v[f->n++] = text;
}

void dp_duster_union_add(dp_duster_union *u, const dp_duster_outline *o)
{
    for (uint32_t i = 0; i < o->n; i++)
        fill(&u->of[i], o->v[i].text, u->max_set);
}

/* ---- patterns -------------------------------------------------------------------------------- */

typedef struct writing {
    const dp_duster_union *u;
    dp_arena              *a;
    dp_template            t[2]; /* left, right */
    dp_pat                *now;  /* that is being written; NULL: none */
} writing;

static dp_err add_literal(writing *w, dp_str s)
{
    return dp_phrase_literal(w->now, s, w->a);
}

/* Captures are named after their mark; phrase.h names them anew. */
static dp_err add_capture(writing *w, uint32_t mark, dp_item item)
{
    char *name = dp_arena_alloc(w->a, 16);
    if (!name)
        return DP_ENOMEM;
    item.kind = DP_ITEM_CAPTURE;
    item.text = (dp_str){name, (size_t)snprintf(name, 16, "m%u", mark)};
    w->now->v[w->now->n++] = item;
    return DP_OK;
}

static dp_err add_choice(writing *w, uint32_t mark)
{
    const dp_duster_filling *f = &w->u->of[mark];
    dp_item                  item = {.cls = f->all_int ? DP_CLASS_INT : f->all_word ? DP_CLASS_WORD : DP_CLASS_ANY};
    if (f->n <= w->u->max_set) {
        item.cls = DP_CLASS_LIST;
        item.nlist = f->n;
        if (!(item.list = DP_NEWS(w->a, f->n, dp_str)))
            return DP_ENOMEM;
        memcpy(item.list, f->v, f->n * sizeof *f->v);
        qsort(item.list, f->n, sizeof *item.list, dp_by_bytes);
    }
    return add_capture(w, mark, item);
}

/* A mark that stands inside a segment or a value. */
static dp_err add_item(writing *w, uint32_t i)
{
    const dp_duster_mark    *m = &w->u->outline.v[i];
    const dp_duster_filling *f = &w->u->of[i];
    switch ((dp_duster_op)m->op) {
    case DP_DUSTER_LITERAL: return add_literal(w, m->text);
    case DP_DUSTER_HOLE:
        return f->n == 1 ? add_literal(w, m->text) : add_capture(w, i, (dp_item){0});
    case DP_DUSTER_CHOICE: return f->n == 1 ? add_literal(w, m->text) : add_choice(w, i);
    case DP_DUSTER_REF:
        return w->u->of[m->number].n == 1 ? add_literal(w, w->u->outline.v[m->number].text)
                                          : add_capture(w, m->number, (dp_item){0});
    case DP_DUSTER_FIRST:
        if (f->n == 1)
            return add_literal(w, m->text);
        break;
    default: break;
    }
    w->now->v[w->now->n++] = (dp_item){.kind = DP_ITEM_STAR};
    return DP_OK;
}

/* ---- templates ------------------------------------------------------------------------------- */

static void set_host(dp_template *t, dp_str text)
{
    size_t colon = text.n;
    while (colon > 0 && text.p[colon - 1] >= '0' && text.p[colon - 1] <= '9')
        colon--;
    t->host = text;
    if (colon < 2 || colon == text.n || text.p[colon - 1] != ':' || (text.p[0] == '[' && text.p[colon - 2] != ']'))
        return;
    t->host.n = colon - 1;
    t->port = 0;
    for (size_t i = colon; i < text.n; i++)
        t->port = t->port * 10 + (text.p[i] - '0');
}

static dp_err open_pat(writing *w, dp_pat *p)
{
    w->now = p;
    return (p->v = DP_NEWS(w->a, w->u->outline.n, dp_item)) ? DP_OK : DP_ENOMEM;
}

static dp_err add_query_item(writing *w, dp_template *t, const dp_duster_mark *m)
{
    dp_query_item *q = &t->query[t->nquery++];
    *q = (dp_query_item){.kind = m->op == DP_DUSTER_PAIR      ? DP_QUERY_VALUE
                                 : m->op == DP_DUSTER_PRESENT ? DP_QUERY_PRESENT
                                                              : DP_QUERY_BARE,
                         .name = m->text, .k = m->op == DP_DUSTER_PRESENT ? 1 : m->number};
    return open_pat(w, &q->pat);
}

/* A mark that begins something; `*is_item` when it does not. */
static dp_err add_mark(writing *w, dp_template *t, const dp_duster_mark *m, bool *is_item)
{
    *is_item = false;
    switch ((dp_duster_op)m->op) {
    case DP_DUSTER_FROM_SCHEME: w->t[0].scheme = m->text; break;
    case DP_DUSTER_TO_SCHEME: w->t[1].scheme = m->text; break;
    case DP_DUSTER_FROM_HOST: set_host(&w->t[0], m->text); break;
    case DP_DUSTER_TO_HOST: set_host(&w->t[1], m->text); break;
    case DP_DUSTER_GLOB: t->glob = t->nseg++; break;
    case DP_DUSTER_SEG: return open_pat(w, &t->seg[t->nseg++]);
    case DP_DUSTER_PAIR:
    case DP_DUSTER_BARE:
    case DP_DUSTER_PRESENT: return add_query_item(w, t, m);
    case DP_DUSTER_OPEN:
    case DP_DUSTER_CLOSED:
        t->has_query = true;
        t->open = m->op == DP_DUSTER_OPEN;
        break;
    default: *is_item = true;
    }
    return DP_OK;
}

/* Whether a value of a pair without '=' has a text: only the alignment of unlike pairs says so. */
static bool is_odd(const dp_template *t)
{
    for (size_t i = 0; i < t->nquery; i++)
        if (t->query[i].kind != DP_QUERY_VALUE && t->query[i].pat.n)
            return true;
    return false;
}

dp_err dp_duster_say(dp_phrase *out, const dp_duster_union *u, dp_str hosts, dp_arena *a)
{
    writing w = {.u = u, .a = a};
    size_t  side = 0;
    for (size_t i = 0; i < 2; i++) {
        w.t[i] = (dp_template){.port = -1, .glob = DP_NO_GLOB, .seg = DP_NEWS(a, u->outline.n, dp_pat),
                               .query = DP_NEWS(a, u->outline.n, dp_query_item)};
        if (!w.t[i].seg || !w.t[i].query)
            return DP_ENOMEM;
    }
    for (uint32_t i = 0; i < u->outline.n; i++) {
        bool is_item = false;
        if (u->outline.v[i].op == DP_DUSTER_TO)
            side = 1;
        else
            DP_TRY(add_mark(&w, &w.t[side], &u->outline.v[i], &is_item));
        if (is_item)
            DP_TRY(add_item(&w, i));
    }
    *out = (dp_phrase){.why = DP_UNSAID_NAME};
    return is_odd(&w.t[0]) || is_odd(&w.t[1]) ? DP_OK : dp_phrase_say(out, &w.t[0], &w.t[1], hosts, a);
}
