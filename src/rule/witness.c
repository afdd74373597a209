/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/witness.h"

#include <stdlib.h>

#include "base/buf.h"
#include "rule/scope.h"

enum { MAX_K = 4096 };

/* One capture of the template, with what it is filled with. */
typedef struct filling {
    dp_str name, text;
    size_t times;  /* so often: N for {x:CLASS*N} */
    size_t number; /* among all captures of the template, from the left */
} filling;

typedef struct filler {
    dp_buf      out;
    filling    *capture; /* by number */
    const char *any;     /* what a plain capture and {**} become: "a", or "A" for fold */
    bool        glob;    /* {**} is one segment, not nothing */
    bool        query;   /* a '?' was written */
} filler;

/* ---- captures --------------------------------------------------------------------------- */

static dp_str member(const dp_item *it, const char *any)
{
    switch (it->cls) {
    case DP_CLASS_INT: return DP_STR("1");
    case DP_CLASS_UUID: return DP_STR("00000000-0000-0000-0000-000000000000");
    case DP_CLASS_DATE: return DP_STR("2000-01-01");
    case DP_CLASS_LIST: return it->list[0];
    default: return dp_str_c(any);
    }
}

static int by_name(const void *a, const void *b)
{
    const filling *x = a, *y = b;
    int            order = dp_str_cmp(x->name, y->name);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static int by_number(const void *a, const void *b)
{
    const filling *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* Fill every capture; those of one name alike, with what the first of them that has a
 * class or a list asks for. */
static bool fill_captures(filler *f, const dp_template *t)
{
    size_t n = 0, most = 1;
    for (size_t i = 0; i < dp_template_pats(t); i++)
        most += dp_template_pat(t, i)->n;
    filling *v = f->capture = calloc(most + 1, sizeof *v);
    if (!v)
        return false;
    if (t->label.n) {
        v[n] = (filling){.name = t->label, .times = 1};
        n++;
    }
    for (size_t i = 0; i < dp_template_pats(t); i++) {
        const dp_pat *p = dp_template_pat(t, i);
        for (size_t j = 0; j < p->n; j++) {
            if (p->v[j].kind != DP_ITEM_CAPTURE)
                continue;
            dp_str text = p->v[j].cls == DP_CLASS_ANY ? (dp_str){NULL, 0} : member(&p->v[j], f->any);
            v[n] = (filling){p->v[j].text, text, p->v[j].length ? p->v[j].length : 1, n};
            n++;
        }
    }
    if (n > 1)
        qsort(v, n, sizeof *v, by_name);
    for (size_t i = 0, j; i < n; i = j) {
        const filling *first = NULL;
        for (j = i; j < n && dp_str_eq(v[i].name, v[j].name); j++)
            first = first || !v[j].text.n ? first : &v[j];
        filling with = {.text = first ? first->text : dp_str_c(f->any), .times = first ? first->times : 1};
        for (size_t k = i; k < j; k++) {
            v[k].text = with.text;
            v[k].times = with.times;
        }
    }
    if (n > 1)
        qsort(v, n, sizeof *v, by_number);
    return true;
}

static void put_capture(filler *f, const filling *with)
{
    for (size_t i = 0; i < with->times; i++)
        dp_buf_str(&f->out, with->text);
}

static void put_pat(filler *f, const dp_pat *p, size_t capture)
{
    for (size_t i = 0; i < p->n; i++) {
        if (p->v[i].kind == DP_ITEM_LITERAL)
            dp_buf_str(&f->out, p->v[i].text);
        else if (p->v[i].kind == DP_ITEM_STAR)
            dp_buf_c(&f->out, f->any);
        else
            put_capture(f, &f->capture[capture++]);
    }
}

static size_t captures_in(const dp_pat *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        n += p->v[i].kind == DP_ITEM_CAPTURE;
    return n;
}

/* ---- query ------------------------------------------------------------------------------ */

static void put_name(filler *f, dp_str name)
{
    dp_buf_byte(&f->out, f->query ? '&' : '?');
    dp_buf_str(&f->out, name);
    f->query = true;
}

static void put_pair(filler *f, dp_str name, dp_str value)
{
    put_name(f, name);
    dp_buf_byte(&f->out, '=');
    dp_buf_str(&f->out, value);
}

/* A query item and the number of its first capture. */
typedef struct asked {
    const dp_query_item *item;
    size_t               capture;
} asked;

static int by_name_and_k(const void *a, const void *b)
{
    const dp_query_item *x = ((const asked *)a)->item, *y = ((const asked *)b)->item;
    int                  order = dp_str_cmp(x->name, y->name);
    return order ? order : (x->k > y->k) - (x->k < y->k);
}

/* The pairs that the items ask for, names in order; a#3 needs two before it. */
static bool put_query(filler *f, const dp_template *t, size_t capture)
{
    asked *v = calloc(t->nquery + 1, sizeof *v);
    if (!v)
        return false;
    for (size_t i = 0; i < t->nquery; i++) {
        v[i] = (asked){&t->query[i], capture};
        capture += captures_in(&t->query[i].pat);
    }
    if (t->nquery > 1)
        qsort(v, t->nquery, sizeof *v, by_name_and_k);
    size_t k = 0; /* pairs of this name written so far */
    for (size_t i = 0; i < t->nquery; i++) {
        const dp_query_item *q = v[i].item;
        if (i && !dp_str_eq(q->name, v[i - 1].item->name))
            k = 0;
        if (q->kind == DP_QUERY_ABSENT)
            continue;
        while (++k < q->k)
            put_pair(f, q->name, DP_STR("a"));
        if (q->kind == DP_QUERY_PRESENT) {
            put_pair(f, q->name, DP_STR("a"));
            continue;
        }
        put_name(f, q->name);
        if (q->kind == DP_QUERY_VALUE) {
            dp_buf_byte(&f->out, '=');
            put_pat(f, &q->pat, v[i].capture);
        }
    }
    free(v);
    return true;
}

static bool asks_too_much(const dp_template *t)
{
    for (size_t i = 0; t && i < t->nquery; i++)
        if (t->query[i].k > MAX_K)
            return true;
    return false;
}

/* ---- URL -------------------------------------------------------------------------------- */

/* scheme://host:port of a URL that the template and the block both speak of. */
static void put_origin(filler *f, const dp_block *b, const dp_template *t)
{
    const dp_scope *s = t && t->host.n ? dp_scope_find(b, t->host, t->port) : b->nscope ? &b->scope[0] : NULL;
    int             port = t && t->port >= 0 ? t->port : s ? s->port : -1;
    dp_buf_str(&f->out, t && t->scheme.n ? t->scheme : DP_STR("http"));
    dp_buf_c(&f->out, "://");
    if (t && t->host.n) {
        if (t->label.n)
            put_capture(f, &f->capture[0]);
        dp_buf_str(&f->out, dp_str_cut(t->host, t->label.n ? 1 : 0, t->host.n));
    } else if (!s || s->any) {
        dp_buf_c(&f->out, "a.example");
    } else {
        dp_buf_c(&f->out, s->wildcard ? "a." : "");
        dp_buf_str(&f->out, s->name);
    }
    if (port >= 0)
        dp_buf_printf(&f->out, ":%d", port);
}

/* The path of the template, then `last` after its last segment, then its query. */
static bool put_template(filler *f, const dp_template *t, dp_str last)
{
    size_t from = f->out.n, capture = t->label.n > 0;
    for (size_t i = 0; i < t->nseg; i++) {
        if (i == t->glob) {
            dp_buf_c(&f->out, f->glob ? "/" : "");
            dp_buf_c(&f->out, f->glob ? f->any : "");
            continue;
        }
        dp_buf_byte(&f->out, '/');
        put_pat(f, &t->seg[i], capture);
        capture += captures_in(&t->seg[i]);
    }
    if (f->out.n == from)
        dp_buf_byte(&f->out, '/');
    dp_buf_str(&f->out, last);
    return put_query(f, t, capture);
}

/* The base of rules that have no left side: what `on` asks for, or "/". */
static bool put_base(filler *f, const dp_block *b, const dp_rule *r, dp_str last)
{
    put_origin(f, b, r->on);
    if (r->on)
        return put_template(f, r->on, last);
    dp_buf_byte(&f->out, '/');
    dp_buf_str(&f->out, last);
    return true;
}

static bool put_parameters(filler *f, const dp_block *b, const dp_rule *r)
{
    dp_str value = r->has_if ? r->value : DP_STR("a");
    if (r->kind == DP_RULE_SET && dp_str_eq(r->value, value))
        value = DP_STR("b");
    if (r->names.kind == '?') {
        if (!put_base(f, b, r, DP_STR("")))
            return false;
        for (size_t i = 0; i < r->names.n; i++)
            put_pair(f, r->names.v[i].text, value);
        return true;
    }
    dp_buf last = {0};
    for (size_t i = 0; i < r->names.n; i++) {
        dp_buf_byte(&last, ';');
        dp_buf_str(&last, r->names.v[i].text);
        dp_buf_byte(&last, '=');
        dp_buf_str(&last, value);
    }
    bool good = put_base(f, b, r, dp_buf_view(&last)) && !last.failed;
    dp_buf_done(&last);
    return good;
}

/* The first of a to z that the names of `only` leave out; 0: none. */
static char letter_not_named(const dp_names *names)
{
    for (char c = 'a'; c <= 'z'; c++) {
        bool named = false;
        for (size_t i = 0; i < names->n && !named; i++)
            named = dp_name_fits(&names->v[i], (dp_str){&c, 1});
        if (!named)
            return c;
    }
    return 0;
}

static bool put_only(filler *f, const dp_block *b, const dp_rule *r)
{
    char   name = letter_not_named(&r->names), param[] = {';', name, '=', 'a'};
    bool   pair = r->names.kind == '?';
    dp_str last = pair ? DP_STR("") : (dp_str){param, sizeof param};
    if (!put_base(f, b, r, last))
        return false;
    if (pair)
        put_pair(f, (dp_str){&name, 1}, DP_STR("a"));
    return true;
}

static bool put_sub(filler *f, const dp_block *b, const dp_rule *r)
{
    if (!r->at_start) {
        if (r->on && !put_base(f, b, r, DP_STR("")))
            return false;
        if (!r->on)
            put_origin(f, b, NULL);
        /* α that would run into the text before it gets a segment or a pair of its own. */
        bool apart = r->alpha.n && memchr("/?:&;", r->alpha.p[0], 5);
        if (!apart && !(f->out.n && f->out.p[f->out.n - 1] == '/'))
            dp_buf_byte(&f->out, f->query ? '&' : '/');
    }
    dp_buf_str(&f->out, r->alpha);
    return true;
}

static bool put_witness(filler *f, const dp_block *b, const dp_rule *r)
{
    switch (r->kind) {
    case DP_RULE_REWRITE:
        put_origin(f, b, r->left);
        return put_template(f, r->left, DP_STR(""));
    case DP_RULE_FOLD_PATH: return put_base(f, b, r, r->on ? DP_STR("") : DP_STR("A"));
    case DP_RULE_ONLY: return put_only(f, b, r);
    case DP_RULE_FOLD_QUERY:
    case DP_RULE_FOLD_NAMES:
        if (!put_base(f, b, r, DP_STR("")))
            return false;
        put_pair(f, DP_STR("A"), DP_STR("A"));
        return true;
    case DP_RULE_SUB: return put_sub(f, b, r);
    default: return put_parameters(f, b, r);
    }
}

dp_err dp_witness_make(dp_str out[DP_WITNESSES], size_t *n, const dp_block *b, const dp_rule *r, dp_arena *a)
{
    const dp_template *t = r->kind == DP_RULE_REWRITE ? r->left : r->on;
    *n = 0;
    if (asks_too_much(t) || (r->kind == DP_RULE_ONLY && !letter_not_named(&r->names)))
        return DP_OK;
    size_t count = t && t->glob != DP_NO_GLOB ? 2 : 1;
    for (size_t i = 0; i < count; i++) {
        filler f = {.any = r->kind == DP_RULE_FOLD_PATH ? "A" : "a", .glob = i == 1};
        bool   good = (!t || fill_captures(&f, t)) && put_witness(&f, b, r) && !f.out.failed;
        out[i] = good ? dp_arena_str(a, dp_buf_view(&f.out)) : (dp_str){NULL, 0};
        free(f.capture);
        dp_buf_done(&f.out);
        if (!out[i].p)
            return DP_ENOMEM;
    }
    *n = count;
    return DP_OK;
}
