/* dp_rules_diff of dustpan.h: what one set of rules says and the other does not.
 *
 *     - a.com: drop ?sid                    only the first has it
 *     + a.com: likely drop ?view            only the second
 *     ~ a.com: drop ?ref (p .99 -> .93)     both, but unlike
 *
 * Rules are the same when their ids are. Shown is what can change a URL under some option:
 * state (a rule in a block that is off is off), p, by, keep lines, `order`, and the order
 * of rules and of blocks that share a name. Comments and counts are no difference.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "base/words/json.h"

#include "base/room.h"
#include "base/text.h"
#include "rule/attr.h"
#include "rule/print.h"
#include "rule/rule.h"
#include "rule/setid.h"

typedef struct line {
    char   sign; /* '-' '+' '~' */
    dp_str hosts, text, note;
} line;

/* Something that a file says under some hosts: a rule, a keep line, an order, a scope. */
typedef struct said {
    dp_str         key;  /* hosts, sorted; for scopes, the scope */
    dp_str         text; /* what it is known by under these hosts */
    const dp_rule *rule; /* NULL: no rule */
    dp_order       order;
    size_t         at; /* how many were said before it */
} said;

typedef struct list {
    said  *v;
    size_t n;
} list;

/* Something that both say, and where. */
typedef struct both {
    dp_str key;
    size_t a, b;
} both;

typedef struct differ {
    dp_arena arena;
    line    *v; /* [n], malloc'd */
    size_t   n, cap;
} differ;

static dp_err add_line(differ *d, line l)
{
    if (!DP_ROOM(d->v, d->n, d->cap))
        return DP_ENOMEM;
    d->v[d->n++] = l;
    return DP_OK;
}

/* Give what is in `b` a place in the arena and empty it. */
static dp_err take(dp_str *out, dp_buf *b, differ *d)
{
    *out = b->failed ? (dp_str){NULL, 0} : dp_arena_str(&d->arena, dp_buf_view(b));
    dp_buf_done(b);
    return out->p ? DP_OK : DP_ENOMEM;
}

/* ---- what a file says ------------------------------------------------------------------- */

static int by_what(const void *a, const void *b)
{
    const said *x = a, *y = b;
    int         order = dp_str_cmp(x->key, y->key);
    order = order ? order : dp_str_cmp(x->text, y->text);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

/* Sort, and keep the first of those said twice; of rules the first that is not off. */
static void settle(list *l)
{
    size_t kept = 0;
    if (l->n)
        qsort(l->v, l->n, sizeof *l->v, by_what);
    for (size_t i = 0; i < l->n; i++) {
        said *last = kept ? &l->v[kept - 1] : NULL;
        if (!last || !dp_str_eq(last->key, l->v[i].key) || !dp_str_eq(last->text, l->v[i].text))
            l->v[kept++] = l->v[i];
        else if (last->rule && dp_rule_state(last->rule) == DP_OFF)
            *last = l->v[i];
    }
    l->n = kept;
}

static dp_err list_rules(list *out, const dp_rules *r, differ *d)
{
    *out = (list){DP_NEWS(&d->arena, r->nrule, said), 0};
    if (!out->v)
        return DP_ENOMEM;
    for (size_t i = 0; i < r->nrule; i++) {
        const dp_rule *x = r->rule[i];
        out->v[out->n++] = (said){.key = x->block->key, .text = x->text, .rule = x, .at = i};
    }
    settle(out);
    return DP_OK;
}

static dp_err list_keeps(list *out, const dp_rules *r, differ *d)
{
    size_t n = 0;
    for (size_t i = 0; i < r->nblock; i++)
        n += r->block[i]->nkeep;
    *out = (list){DP_NEWS(&d->arena, n, said), 0};
    if (!out->v)
        return DP_ENOMEM;
    for (size_t i = 0; i < r->nblock; i++) {
        const dp_block *b = r->block[i];
        for (size_t j = 0; j < b->nkeep && !b->off; j++) {
            said   s = {.key = b->key, .at = out->n};
            dp_buf text = {0};
            dp_print_keep(&text, &b->keep[j]);
            DP_TRY(take(&s.text, &text, d));
            out->v[out->n++] = s;
        }
    }
    settle(out);
    return DP_OK;
}

/* Blocks of the same hosts are one here; the first order that one of them has is theirs. */
static dp_err list_orders(list *out, const dp_rules *r, differ *d)
{
    *out = (list){DP_NEWS(&d->arena, r->nblock, said), 0};
    if (!out->v)
        return DP_ENOMEM;
    for (size_t i = 0; i < r->nblock; i++) {
        const dp_block *b = r->block[i];
        if (!b->off && b->order != DP_ORDER_UNSET)
            out->v[out->n++] = (said){.key = b->key, .text = DP_STR("order"), .order = b->order, .at = i};
    }
    settle(out);
    return DP_OK;
}

/* Under each scope the blocks that have it, by their hosts. */
static dp_err list_scopes(list *out, const dp_rules *r, differ *d)
{
    size_t n = 0;
    for (size_t i = 0; i < r->nblock; i++)
        n += r->block[i]->nscope;
    *out = (list){DP_NEWS(&d->arena, n, said), 0};
    if (!out->v)
        return DP_ENOMEM;
    for (size_t i = 0; i < r->nblock; i++) {
        const dp_block *b = r->block[i];
        for (size_t j = 0; j < b->nscope && !b->off; j++) {
            said   s = {.text = b->key, .at = out->n};
            dp_buf text = {0};
            dp_print_scope(&text, &b->scope[j]);
            DP_TRY(take(&s.key, &text, d));
            out->v[out->n++] = s;
        }
    }
    settle(out);
    return DP_OK;
}

/* ---- comparing -------------------------------------------------------------------------- */

static dp_str attr_of(const dp_rule *r, const char *key)
{
    const dp_attr *a = dp_attr_find(r, dp_str_c(key));
    return a ? a->value : DP_STR("none");
}

static void note(dp_buf *out, const char *what, dp_str from, dp_str to)
{
    if (!dp_str_eq(from, to))
        dp_buf_printf(out, "%s%s%.*s -> %.*s", out->n ? ", " : "", what, DP_FMT(from), DP_FMT(to));
}

static dp_str order_name(dp_order o)
{
    return o == DP_ORDER_ANY ? DP_STR("any") : o == DP_ORDER_KEEP ? DP_STR("keep") : DP_STR("none");
}

/* What both say: is it said alike? `a` or `b` NULL: only one says it. */
static dp_err compare(differ *d, const said *a, const said *b)
{
    const said *s = a ? a : b;
    dp_buf      text = {0}, why = {0};
    line        l = {.sign = !b ? '-' : !a ? '+' : '~', .hosts = s->key, .text = s->text};
    if (s->order) {
        l.sign = '~';
        note(&why, "", order_name(a ? a->order : DP_ORDER_UNSET), order_name(b ? b->order : DP_ORDER_UNSET));
    } else if (s->rule && a && b) {
        note(&why, "state ", dp_str_c(dp_state_name(dp_rule_state(a->rule))),
             dp_str_c(dp_state_name(dp_rule_state(b->rule))));
        note(&why, "p ", attr_of(a->rule, "p"), attr_of(b->rule, "p"));
        note(&why, "by ", attr_of(a->rule, "by"), attr_of(b->rule, "by"));
    } else if (s->rule && dp_rule_state(s->rule) != DP_ACTIVE) {
        dp_buf_printf(&text, "%s %.*s", dp_state_name(dp_rule_state(s->rule)), DP_FMT(s->text));
    }
    dp_err e = text.n || text.failed ? take(&l.text, &text, d) : DP_OK;
    bool   unlike = l.sign != '~' || why.n;
    if (e == DP_OK && (why.n || why.failed))
        e = take(&l.note, &why, d);
    dp_buf_done(&text);
    dp_buf_done(&why);
    return e == DP_OK && unlike ? add_line(d, l) : e;
}

static int compare_what(const said *a, const said *b)
{
    int order = dp_str_cmp(a->key, b->key);
    return order ? order : dp_str_cmp(a->text, b->text);
}

static int by_key_and_place(const void *a, const void *b)
{
    const both *x = a, *y = b;
    int         order = dp_str_cmp(x->key, y->key);
    return order ? order : (x->a > y->a) - (x->a < y->a);
}

/* One line for each key under which what both say stands in another order. */
static dp_err compare_places(differ *d, both *v, size_t n, dp_str what)
{
    if (n)
        qsort(v, n, sizeof *v, by_key_and_place);
    for (size_t i = 1, told = 0; i < n; i++) {
        if (!dp_str_eq(v[i].key, v[i - 1].key) || v[i].b > v[i - 1].b)
            continue;
        if (told == 0 || !dp_str_eq(v[i].key, v[told - 1].key))
            DP_TRY(add_line(d, (line){.sign = '~', .hosts = v[i].key, .text = what}));
        told = i + 1;
    }
    return DP_OK;
}

/* Walk along both lists. `moved` names what stands in another order, "": nobody asks;
 * `only_moved`: that alone counts. */
static dp_err compare_lists(differ *d, const list *a, const list *b, dp_str moved, bool only_moved)
{
    size_t i = 0, j = 0, n = 0;
    both  *v = DP_NEWS(&d->arena, a->n < b->n ? a->n : b->n, both);
    if (!v)
        return DP_ENOMEM;
    while (i < a->n || j < b->n) {
        int         order = i == a->n ? 1 : j == b->n ? -1 : compare_what(&a->v[i], &b->v[j]);
        const said *x = order <= 0 ? &a->v[i++] : NULL, *y = order >= 0 ? &b->v[j++] : NULL;
        if (!only_moved)
            DP_TRY(compare(d, x, y));
        bool fires = x && y && (!x->rule || (dp_rule_state(x->rule) != DP_OFF && dp_rule_state(y->rule) != DP_OFF));
        if (fires)
            v[n++] = (both){x->key, x->at, y->at};
    }
    return moved.n ? compare_places(d, v, n, moved) : DP_OK;
}

static dp_err compare_all(differ *d, const dp_rules *a, const dp_rules *b)
{
    const dp_str nothing = {"", 0};
    list         x, y;
    DP_TRY(list_rules(&x, a, d));
    DP_TRY(list_rules(&y, b, d));
    DP_TRY(compare_lists(d, &x, &y, DP_STR("rules in another order"), false));
    DP_TRY(list_keeps(&x, a, d));
    DP_TRY(list_keeps(&y, b, d));
    DP_TRY(compare_lists(d, &x, &y, nothing, false));
    DP_TRY(list_orders(&x, a, d));
    DP_TRY(list_orders(&y, b, d));
    DP_TRY(compare_lists(d, &x, &y, nothing, false));
    DP_TRY(list_scopes(&x, a, d));
    DP_TRY(list_scopes(&y, b, d));
    return compare_lists(d, &x, &y, DP_STR("host lines in another order"), true);
}

/* ---- printing --------------------------------------------------------------------------- */

static int by_line(const void *a, const void *b)
{
    const line *x = a, *y = b;
    int         order = dp_str_cmp(x->hosts, y->hosts);
    order = order ? order : dp_str_cmp(x->text, y->text);
    return order ? order : (x->sign > y->sign) - (x->sign < y->sign);
}

static void print_lines(dp_buf *out, const differ *d, dp_format format)
{
    for (size_t i = 0; i < d->n; i++) {
        const line *l = &d->v[i];
        if (format == DP_PLAIN) {
            dp_buf_printf(out, "%c %.*s: %.*s", l->sign, DP_FMT(l->hosts), DP_FMT(l->text));
            if (l->note.n)
                dp_buf_printf(out, " (%.*s)", DP_FMT(l->note));
            dp_buf_byte(out, '\n');
            continue;
        }
        dp_json_line(out);
        dp_json_open(out, NULL, '{');
        dp_json_text(out, "change", (dp_str){&l->sign, 1});
        dp_json_text(out, "hosts", l->hosts);
        dp_json_text(out, "text", l->text);
        if (l->note.n)
            dp_json_text(out, "note", l->note);
        dp_buf_byte(out, '}');
    }
}

dp_err dp_rules_diff(dp_text **out, const dp_rules *a, const dp_rules *b, dp_format format, size_t *differences)
{
    differ d = {0};
    dp_buf text = {0};
    dp_err e = compare_all(&d, a, b);
    if (e == DP_OK) {
        if (d.n)
            qsort(d.v, d.n, sizeof *d.v, by_line);
        if (format == DP_JSON) {
            dp_buf_byte(&text, '{');
            dp_json_open(&text, "differences", '[');
        }
        print_lines(&text, &d, format);
        if (format == DP_JSON) {
            dp_buf_byte(&text, ']');
            dp_set_print(&text, "set_a", a);
            dp_set_print(&text, "set_b", b);
            dp_buf_c(&text, "}\n");
        }
        e = dp_text_take(out, &text);
    }
    if (e == DP_OK)
        *differences = d.n;
    free(d.v);
    dp_arena_done(&d.arena);
    return e;
}
