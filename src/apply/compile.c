/* SPDX-License-Identifier: Apache-2.0 */
#include "apply/compile.h"

#include <stdlib.h>

#include "apply/hash.h"
#include "apply/layer.h"
#include "apply/verify.h"
#include "base/intern.h"
#include "rule/print.h"
#include "url/normalize.h"

typedef struct compiler {
    dp_buf       sec[DP_SECTIONS];
    dp_intern    strings; /* text -> its place in TEXT */
    dp_im_header head;
    dp_arena     arena;
} compiler;

/* The number that the next thing added to a section will have. */
static uint32_t next(const compiler *c, dp_section s)
{
    return (uint32_t)(c->sec[s].n / dp_section_unit[s]);
}

static void add(compiler *c, dp_section s, const void *things, size_t count)
{
    dp_buf_add(&c->sec[s], things, count * dp_section_unit[s]);
}

/* The text of `s` in the image, each text once. */
static dp_ref text_of(compiler *c, dp_str s)
{
    uint32_t at = 0;
    if (s.n == 0)
        return (dp_ref){0, 0};
    if (!dp_intern_find(&c->strings, s, &at)) {
        at = next(c, DP_SEC_TEXT);
        add(c, DP_SEC_TEXT, s.p, s.n);
        if (!dp_intern_add(&c->strings, s, at))
            c->sec[DP_SEC_TEXT].failed = true;
    }
    return (dp_ref){at, (uint32_t)s.n};
}

/* ---- templates ------------------------------------------------------------------- */

/* Names of captures, in order of appearance: the place in the list is the slot. */
typedef struct slots {
    dp_str *name;
    size_t  n, cap;
} slots;

/* Slot of `name`; `*again` says whether it had one. A new one is added. */
static uint32_t slot_of(compiler *c, slots *s, dp_str name, bool *again)
{
    for (size_t i = 0; i < s->n; i++)
        if (dp_str_eq(s->name[i], name)) {
            *again = true;
            return (uint32_t)i;
        }
    *again = false;
    if (s->n == s->cap) {
        size_t  cap = s->cap ? s->cap * 2 : 8;
        dp_str *v = DP_NEWS(&c->arena, cap, dp_str);
        if (!v) {
            c->sec[DP_SEC_ITEM].failed = true;
            return 0;
        }
        if (s->n)
            memcpy(v, s->name, s->n * sizeof *v);
        s->name = v;
        s->cap = cap;
    }
    s->name[s->n] = name;
    return (uint32_t)s->n++;
}

static dp_im_pat add_pat(compiler *c, const dp_pat *pat, slots *s)
{
    dp_im_pat out = {next(c, DP_SEC_ITEM), (uint32_t)pat->n};
    for (size_t i = 0; i < pat->n; i++) {
        const dp_item *it = &pat->v[i];
        bool           again = false;
        dp_im_item     item = {.kind = (uint8_t)it->kind, .cls = (uint8_t)it->cls, .conv = (uint8_t)it->conv, .slot = DP_NONE};
        if (it->kind == DP_ITEM_CAPTURE)
            item.slot = slot_of(c, s, it->text, &again);
        else if (it->kind == DP_ITEM_LITERAL)
            item.text = text_of(c, it->text);
        item.again = again;
        item.list = (dp_ref){next(c, DP_SEC_STRING), (uint32_t)it->nlist};
        for (size_t j = 0; j < it->nlist; j++) {
            dp_ref value = text_of(c, it->list[j]);
            add(c, DP_SEC_STRING, &value, 1);
        }
        add(c, DP_SEC_ITEM, &item, 1);
    }
    return out;
}

static uint32_t add_template(compiler *c, const dp_template *t, slots *s)
{
    if (!t)
        return DP_NONE;
    dp_im_template out = {
        .scheme = text_of(c, t->scheme),
        .host = text_of(c, t->host),
        .port = t->port,
        .glob = t->glob == DP_NO_GLOB ? DP_NONE : (uint32_t)t->glob,
        .seg = {next(c, DP_SEC_PAT), (uint32_t)t->nseg},
        .query = {next(c, DP_SEC_QUERY), (uint32_t)t->nquery},
        .has_query = t->has_query,
        .open = t->open,
    };
    for (size_t i = 0; i < t->nseg; i++) {
        dp_im_pat p = add_pat(c, &t->seg[i], s);
        add(c, DP_SEC_PAT, &p, 1);
    }
    for (size_t i = 0; i < t->nquery; i++) {
        const dp_query_item *q = &t->query[i];
        dp_im_query          item = {(uint32_t)q->kind, (uint32_t)q->k, text_of(c, q->name), add_pat(c, &q->pat, s)};
        add(c, DP_SEC_QUERY, &item, 1);
    }
    if (s->n > c->head.max_slot)
        c->head.max_slot = (uint32_t)s->n;
    add(c, DP_SEC_TEMPLATE, &out, 1);
    return next(c, DP_SEC_TEMPLATE) - 1;
}

static uint32_t add_condition(compiler *c, const dp_template *t)
{
    slots own = {0};
    return add_template(c, t, &own);
}

static dp_ref add_names(compiler *c, const dp_names *names)
{
    dp_ref out = {next(c, DP_SEC_NAME), (uint32_t)names->n};
    for (size_t i = 0; i < names->n; i++) {
        dp_im_name n = {.text = text_of(c, names->v[i].text), .prefix = names->v[i].prefix};
        add(c, DP_SEC_NAME, &n, 1);
    }
    return out;
}

/* ---- rules and blocks ------------------------------------------------------------ */

static void add_rule(compiler *c, const dp_rule *r, uint32_t block)
{
    slots      shared = {0};
    dp_im_rule out = {
        .p = (float)dp_rule_number(r, "p", 1),
        .kind = (uint8_t)r->kind,
        .state = (uint8_t)r->state,
        .left = add_template(c, r->left, &shared),
        .right = add_template(c, r->right, &shared),
        .on = add_condition(c, r->on),
        .pivot = (uint32_t)dp_layer_pivot(r->alpha).at,
        .names = add_names(c, &r->names),
        .value = text_of(c, r->value),
        .alpha = text_of(c, r->alpha),
        .beta = text_of(c, r->beta),
    };
    out.flags = (uint8_t)((dp_rule_erases(r) ? DP_RULE_ERASES : 0) |
                          (dp_rule_by(r, "fetch") || dp_rule_by(r, "redirect") ? DP_RULE_FETCHES : 0) |
                          (r->at_start ? DP_RULE_AT_START : 0) | (r->at_end ? DP_RULE_AT_END : 0) |
                          (r->has_if ? DP_RULE_HAS_IF : 0) | (r->names.kind == ';' ? DP_RULE_PARAMS : 0));
    dp_buf text = {0};
    dp_print_rule(&text, r);
    dp_im_about about = {r->id, text_of(c, dp_buf_view(&text)), block, (uint32_t)r->line};
    if (text.failed)
        c->sec[DP_SEC_RULE].failed = true;
    dp_buf_done(&text);
    uint32_t *unless = DP_NEWS(&c->arena, r->nunless, uint32_t);
    if (!unless) {
        c->sec[DP_SEC_RULE].failed = true;
        return;
    }
    for (size_t i = 0; i < r->nunless; i++)
        unless[i] = add_condition(c, r->unless[i]);
    out.unless = (dp_ref){next(c, DP_SEC_WORD), (uint32_t)r->nunless};
    add(c, DP_SEC_WORD, unless, r->nunless);
    add(c, DP_SEC_RULE, &out, 1);
    add(c, DP_SEC_ABOUT, &about, 1);
}

static dp_ref add_keeps(compiler *c, const dp_block *b)
{
    dp_ref out = {next(c, DP_SEC_KEEP), (uint32_t)b->nkeep};
    for (size_t i = 0; i < b->nkeep; i++) {
        const dp_keep *k = &b->keep[i];
        dp_im_keep     keep = {.names = add_names(c, &k->names),
                               .tpl = add_condition(c, k->tpl),
                               .params = k->names.kind == ';'};
        add(c, DP_SEC_KEEP, &keep, 1);
    }
    return out;
}

static void add_block(compiler *c, const dp_block *b)
{
    dp_buf      head = {0};
    dp_im_block out = {.hosts = text_of(c, b->hosts), .off = b->off, .order = b->order, .keep = add_keeps(c, b)};
    dp_print_block(&head, b);
    out.head_hash = dp_hash_str(dp_buf_view(&head));
    if (head.failed)
        c->sec[DP_SEC_BLOCK].failed = true;
    dp_buf_done(&head);
    out.rule = (dp_ref){next(c, DP_SEC_RULE), (uint32_t)b->nrule};
    for (size_t i = 0; i < b->nrule; i++)
        add_rule(c, b->rule[i], next(c, DP_SEC_BLOCK));
    add(c, DP_SEC_BLOCK, &out, 1);
}

/* ---- layers and hosts ------------------------------------------------------------- */

/* One scope name of one block. */
typedef struct entry {
    const dp_scope *scope;
    uint32_t        block;
} entry;

static int by_scope(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    int          c = dp_str_cmp(x->scope->name, y->scope->name);
    if (!c)
        c = (x->scope->wildcard > y->scope->wildcard) - (x->scope->wildcard < y->scope->wildcard);
    if (!c)
        c = (x->scope->any > y->scope->any) - (x->scope->any < y->scope->any);
    if (!c)
        c = (x->scope->port > y->scope->port) - (x->scope->port < y->scope->port);
    return c ? c : (x->block > y->block) - (x->block < y->block);
}

static bool same_scope(const dp_scope *a, const dp_scope *b)
{
    return dp_str_eq(a->name, b->name) && a->wildcard == b->wildcard && a->any == b->any && a->port == b->port;
}

/* Add the layer of the blocks in e[0..n) unless the same blocks have one already. */
static uint32_t layer_of(compiler *c, dp_intern *made, const dp_rules *r, const entry *e, size_t n)
{
    uint32_t  at = 0;
    uint32_t *block = DP_NEWS(&c->arena, n, uint32_t);
    size_t    count = 0;
    if (!block) {
        c->sec[DP_SEC_PROGRAM].failed = true;
        return 0;
    }
    for (size_t i = 0; i < n; i++)
        if (count == 0 || block[count - 1] != e[i].block)
            block[count++] = e[i].block;
    dp_str key = {(const char *)block, count * sizeof *block};
    if (dp_intern_find(made, key, &at))
        return at;
    at = next(c, DP_SEC_PROGRAM);
    dp_layer_source src = {.rules = r,
                           .block = block,
                           .nblock = count,
                           .image_block = (const dp_im_block *)(const void *)c->sec[DP_SEC_BLOCK].p,
                           .keeps = &c->sec[DP_SEC_KEEP]};
    dp_layer_add(&c->sec[DP_SEC_PROGRAM], &src, &c->arena);
    if (!dp_intern_add(made, key, at))
        c->sec[DP_SEC_PROGRAM].failed = true;
    return at;
}

static void put_host(dp_im_host *table, uint64_t mask, const dp_im_host *h)
{
    uint64_t i = h->hash & mask;
    while (table[i].layer != DP_NONE)
        i = (i + 1) & mask;
    table[i] = *h;
}

static dp_err add_hosts(compiler *c, const dp_rules *r)
{
    size_t n = 0, names = 0;
    for (size_t i = 0; i < r->nblock; i++)
        n += r->block[i]->off ? 0 : r->block[i]->nscope;
    entry *e = malloc((n ? n : 1) * sizeof *e);
    if (!e)
        return DP_ENOMEM;
    n = 0;
    for (size_t i = 0; i < r->nblock; i++)
        for (size_t j = 0; j < r->block[i]->nscope && !r->block[i]->off; j++)
            e[n++] = (entry){&r->block[i]->scope[j], (uint32_t)i};
    qsort(e, n, sizeof *e, by_scope);
    for (size_t i = 0; i < n; i++)
        names += i == 0 || !same_scope(e[i - 1].scope, e[i].scope);
    uint64_t size = 2;
    while (size < names * 2)
        size *= 2;
    dp_im_host  empty = {.layer = DP_NONE};
    dp_im_host *table = NULL;
    for (uint64_t i = 0; i < size; i++)
        add(c, DP_SEC_HOST, &empty, 1);
    c->head.any = DP_NONE;
    dp_intern made = {0};
    for (size_t i = 0, j; i < n && !c->sec[DP_SEC_HOST].failed; i = j) {
        const dp_scope *s = e[i].scope;
        for (j = i + 1; j < n && same_scope(s, e[j].scope); j++) {}
        uint32_t layer = layer_of(c, &made, r, e + i, j - i);
        if (s->any) {
            c->head.any = layer;
            continue;
        }
        dp_im_host h = {.name = text_of(c, s->name), .layer = layer, .port = s->wildcard ? DP_HOST_WILDCARD : s->port};
        h.hash = dp_hash_host(s->name, h.port);
        c->head.has_wildcards |= s->wildcard;
        c->head.has_ports |= s->port >= 0;
        table = (dp_im_host *)(void *)c->sec[DP_SEC_HOST].p;
        put_host(table, size - 1, &h);
    }
    dp_intern_done(&made);
    free(e);
    return DP_OK;
}

/* ---- the whole -------------------------------------------------------------------- */

static void add_rules_text(compiler *c, const dp_rules *r)
{
    uint32_t at = next(c, DP_SEC_TEXT);
    dp_print_file(&c->sec[DP_SEC_TEXT], r);
    c->head.rules_text = (dp_ref){at, next(c, DP_SEC_TEXT) - at};
}

static size_t aligned(size_t n)
{
    return (n + DP_IMAGE_ALIGN - 1) / DP_IMAGE_ALIGN * DP_IMAGE_ALIGN;
}

/* Put header and sections together in one piece. */
static dp_err assemble(compiler *c, char **out, size_t *out_size, dp_error *err)
{
    size_t size = aligned(sizeof c->head);
    for (int s = 0; s < DP_SECTIONS; s++) {
        if (c->sec[s].failed)
            return dp_fail(err, DP_ENOMEM, "memory is out while compiling the rules");
        if (c->sec[s].n / dp_section_unit[s] >= (s == DP_SEC_RULE ? DP_IN_LIST : DP_NONE))
            return dp_fail(err, DP_ELIMIT, "the rules are too many for one compiled file");
        c->head.section[s].at = size;
        c->head.section[s].count = c->sec[s].n / dp_section_unit[s];
        size += aligned(c->sec[s].n);
    }
    memcpy(c->head.magic, DP_IMAGE_MAGIC, 8);
    c->head.endian = DP_IMAGE_ENDIAN;
    c->head.version = DP_IMAGE_VERSION;
    c->head.stage0 = DP_STAGE0_VERSION;
    c->head.size = size;
    char *p = aligned_alloc(DP_IMAGE_ALIGN, size);
    if (!p)
        return dp_fail(err, DP_ENOMEM, "memory is out while compiling the rules");
    memset(p, 0, size);
    memcpy(p, &c->head, sizeof c->head);
    for (int s = 0; s < DP_SECTIONS; s++)
        if (c->sec[s].n)
            memcpy(p + c->head.section[s].at, c->sec[s].p, c->sec[s].n);
    ((dp_im_header *)(void *)p)->checksum = dp_image_checksum(p, size);
    *out = p;
    *out_size = size;
    return DP_OK;
}

dp_err dp_compile(dp_image *out, const dp_rules *r, dp_error *err)
{
    compiler c = {0};
    char    *memory = NULL;
    size_t   size = 0;
    for (size_t i = 0; i < r->nblock; i++)
        add_block(&c, r->block[i]);
    dp_err e = c.sec[DP_SEC_BLOCK].failed ? DP_ENOMEM : add_hosts(&c, r);
    if (e == DP_OK) {
        add_rules_text(&c, r);
        e = assemble(&c, &memory, &size, err);
    } else {
        dp_fail(err, e, "memory is out while compiling the rules");
    }
    for (int s = 0; s < DP_SECTIONS; s++)
        dp_buf_done(&c.sec[s]);
    dp_intern_done(&c.strings);
    dp_arena_done(&c.arena);
    if (e == DP_OK && (e = dp_image_open(out, memory, size, false, "compiled rules", err)) != DP_OK)
        free(memory);
    return e;
}
