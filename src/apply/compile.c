/* SPDX-License-Identifier: Apache-2.0 */
#include "apply/compile.h"

#include <stdio.h>
#include <stdlib.h>

#include "apply/body.h"
#include "apply/candidates.h"
#include "apply/layer.h"
#include "apply/slothash.h"
#include "apply/verify.h"
#include "base/intern.h"
#include "rule/print.h"
#include "rule/setid.h"
#include "url/normalize.h"

typedef struct compiler {
    dp_buf       sec[DP_SECTIONS];
    dp_im_header head;
    dp_arena     arena;
    dp_buf       scratch;  /* reset for each block, and its failure with it */
    bool         failed;   /* memory was out for some block's head */
    bool         too_long; /* some rule is, and `where` says which */
    dp_error     where;
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

static dp_ref add_text(compiler *c, dp_str s)
{
    dp_ref out = {next(c, DP_SEC_TEXT), (uint32_t)s.n};
    add(c, DP_SEC_TEXT, s.p, s.n);
    return out;
}

/* Keep the first rule that is too long for a body. */
static void note_too_long(compiler *c, dp_str file, size_t line)
{
    char name[sizeof c->where.file];
    snprintf(name, sizeof name, "%.*s", DP_FMT(file));
    if (!c->too_long)
        dp_fail_at(&c->where, DP_ELIMIT, name, line, 0,
                   "too long: a compiled rule has at most 256 KB, each text in it at most 64 KB, and each segment or "
                   "value with a class or list in it at most %d captures",
                   DP_MAX_CUT);
    c->too_long = true;
}

/* ---- rules and blocks ------------------------------------------------------------ */

static void add_block(compiler *c, const dp_block *b, dp_arena *unit)
{
    dp_im_block out = {.hosts = add_text(c, b->hosts),
                       .off = b->off,
                       .order = b->order,
                       .keep = {next(c, DP_SEC_KEEP), (uint32_t)b->nkeep},
                       .rule = {next(c, DP_SEC_ABOUT), (uint32_t)b->nrule},
                       .head_hash = dp_set_head(b, &c->scratch)};
    c->failed |= c->scratch.failed;
    for (size_t i = 0; i < b->nkeep; i++) {
        uint32_t body = next(c, DP_SEC_BODY);
        if (!dp_body_add_keep(&c->sec[DP_SEC_BODY], &b->keep[i], &c->head, unit))
            note_too_long(c, b->file, b->keep[i].line);
        add(c, DP_SEC_KEEP, &body, 1);
    }
    for (size_t i = 0; i < b->nrule; i++) {
        const dp_rule *r = b->rule[i];
        dp_im_about about = {
            .id = r->id, .block = next(c, DP_SEC_BLOCK), .line = (uint32_t)r->line, .body = next(c, DP_SEC_BODY)};
        if (!dp_body_add_rule(&c->sec[DP_SEC_BODY], r, next(c, DP_SEC_ABOUT), &c->head, unit))
            note_too_long(c, r->file, r->line);
        add(c, DP_SEC_ABOUT, &about, 1);
        dp_arena_reset(unit);
    }
    add(c, DP_SEC_BLOCK, &out, 1);
}

/* The whole file as text, without comments; what explain shows of a rule is its line there. */
static void add_rules_text(compiler *c, const dp_rules *r)
{
    dp_buf      *out = &c->sec[DP_SEC_TEXT];
    dp_im_about *about = (dp_im_about *)(void *)c->sec[DP_SEC_ABOUT].p;
    uint32_t     start = next(c, DP_SEC_TEXT);
    dp_buf_c(out, "dustpan-rules 1\n");
    for (size_t i = 0; i < r->nblock; i++) {
        const dp_block *b = r->block[i];
        dp_print_block(out, b);
        for (size_t j = 0; j < b->nrule; j++, about++) {
            about->text.at = next(c, DP_SEC_TEXT);
            dp_print_rule(out, b->rule[j]);
            about->text.n = next(c, DP_SEC_TEXT) - about->text.at;
            dp_buf_byte(out, '\n');
        }
    }
    c->head.rules_text = (dp_ref){start, next(c, DP_SEC_TEXT) - start};
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

/* All that is said under one name: `n` entries from `first` on. */
typedef struct scope_group {
    const entry *first;
    size_t       n;
} scope_group;

static int by_block(const void *a, const void *b)
{
    const entry *x = ((const scope_group *)a)->first, *y = ((const scope_group *)b)->first;
    return x->block != y->block ? (x->block > y->block) - (x->block < y->block) : (x > y) - (x < y);
}

/* Add the layer of the blocks in e[0..n) unless the same blocks have one already. */
static uint32_t layer_of(compiler *c, dp_intern *made, const dp_rules *r, const entry *e, size_t n, dp_arena *unit)
{
    uint32_t  at = 0;
    uint32_t *block = DP_NEWS(unit, n, uint32_t);
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
                           .about = (const dp_im_about *)(const void *)c->sec[DP_SEC_ABOUT].p,
                           .keeps = &c->sec[DP_SEC_KEEP]};
    dp_layer_add(&c->sec[DP_SEC_PROGRAM], &src, unit);
    if (!dp_intern_add(made, key, at))
        c->sec[DP_SEC_PROGRAM].failed = true;
    return at;
}

/* Not base/index.h: the layout is that of the file (apply/image.h). */
static void put_host(dp_im_host *table, uint64_t mask, const dp_im_host *h)
{
    uint64_t i = h->hash & mask;
    while (table[i].layer != DP_NONE)
        i = (i + 1) & mask;
    table[i] = *h;
}

static dp_err add_hosts(compiler *c, const dp_rules *r, dp_arena *unit)
{
    size_t n = 0, names = 0;
    for (size_t i = 0; i < r->nblock; i++)
        n += r->block[i]->off ? 0 : r->block[i]->nscope;
    entry       *e = malloc((n ? n : 1) * sizeof *e);
    scope_group *group = malloc((n ? n : 1) * sizeof *group);
    if (!e || !group) {
        free(e);
        free(group);
        return DP_ENOMEM;
    }
    n = 0;
    for (size_t i = 0; i < r->nblock; i++)
        for (size_t j = 0; j < r->block[i]->nscope && !r->block[i]->off; j++)
            e[n++] = (entry){&r->block[i]->scope[j], (uint32_t)i};
    qsort(e, n, sizeof *e, by_scope);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || !same_scope(e[i - 1].scope, e[i].scope))
            group[names++] = (scope_group){&e[i], 0};
        group[names - 1].n++;
    }
    /* Layers lie in the order of the bodies they name: who reads one after another reads the other so, too. */
    qsort(group, names, sizeof *group, by_block);
    uint64_t size = 2;
    while (size < names * 2)
        size *= 2;
    dp_im_host  empty = {.layer = DP_NONE};
    dp_im_host *table = NULL;
    for (uint64_t i = 0; i < size; i++)
        add(c, DP_SEC_HOST, &empty, 1);
    c->head.any = DP_NONE;
    dp_intern made = {0};
    for (size_t i = 0; i < names && !c->sec[DP_SEC_HOST].failed; i++) {
        const dp_scope *s = group[i].first->scope;
        uint32_t        layer = layer_of(c, &made, r, group[i].first, group[i].n, unit);
        dp_arena_reset(unit);
        if (s->any) {
            c->head.any = layer;
            continue;
        }
        dp_im_host h = {.name = add_text(c, s->name), .layer = layer, .port = s->wildcard ? DP_HOST_WILDCARD : s->port};
        h.hash = dp_hash_host(s->name, h.port);
        c->head.has_wildcards |= s->wildcard;
        c->head.has_ports |= s->port >= 0;
        table = (dp_im_host *)(void *)c->sec[DP_SEC_HOST].p;
        put_host(table, size - 1, &h);
    }
    dp_intern_done(&made);
    free(group);
    free(e);
    return DP_OK;
}

/* ---- the whole -------------------------------------------------------------------- */

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
            return dp_fail(err, DP_ENOMEM, "out of memory while compiling the rules");
        if (c->sec[s].n / dp_section_unit[s] >= (s == DP_SEC_BODY ? DP_ENTRY_BODY : DP_NONE))
            return dp_fail(err, DP_ELIMIT, "too many rules for one compiled file");
        c->head.section[s].at = size;
        c->head.section[s].count = c->sec[s].n / dp_section_unit[s];
        size += aligned(c->sec[s].n);
    }
    dp_image view = {.head = &c->head,
                     .body = c->sec[DP_SEC_BODY].p,
                     .about = (const dp_im_about *)(const void *)c->sec[DP_SEC_ABOUT].p,
                     .block = (const dp_im_block *)(const void *)c->sec[DP_SEC_BLOCK].p};
    c->head.set_id = dp_image_set_id(&view, &(dp_rule_choice){0});
    memcpy(c->head.magic, DP_IMAGE_MAGIC, 8);
    c->head.endian = DP_IMAGE_ENDIAN;
    c->head.version = DP_IMAGE_VERSION;
    c->head.stage0 = DP_STAGE0_VERSION;
    c->head.size = size;
    char *p = dp_image_alloc(size);
    if (!p)
        return dp_fail(err, DP_ENOMEM, "out of memory while compiling the rules");
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
        add_block(&c, r->block[i], &c.arena);
    dp_err e = c.failed || c.sec[DP_SEC_BLOCK].failed || c.sec[DP_SEC_ABOUT].failed || c.sec[DP_SEC_KEEP].failed
                   ? DP_ENOMEM
                   : add_hosts(&c, r, &c.arena);
    if (e == DP_OK && c.too_long) {
        e = DP_ELIMIT;
        if (err)
            *err = c.where;
    } else if (e == DP_OK) {
        add_rules_text(&c, r);
        e = assemble(&c, &memory, &size, err);
    } else {
        dp_fail(err, e, "out of memory while compiling the rules");
    }
    for (int s = 0; s < DP_SECTIONS; s++)
        dp_buf_done(&c.sec[s]);
    dp_arena_done(&c.arena);
    dp_buf_done(&c.scratch);
    if (e == DP_OK && (e = dp_image_open(out, memory, size, false, "compiled rules", err)) != DP_OK)
        free(memory);
    return e;
}
