/* SPDX-License-Identifier: Apache-2.0 */
#include "apply/verify.h"

#include <stdlib.h>

#include "rule/rule.h"

static uint64_t count(const dp_image *im, dp_section s)
{
    return im->head->section[s].count;
}

static bool inside(const dp_image *im, dp_section s, dp_ref r)
{
    return (uint64_t)r.at + r.n <= count(im, s);
}

/* What a template does with captures: a left side or condition binds slots 0, 1, ... in order
 * of appearance; a right side only uses them. */
typedef struct slot_use {
    uint32_t binds;   /* slots bound here */
    uint32_t uses;    /* one more than the highest slot mentioned again */
    bool     closed;  /* everything mentioned again is bound here, further left */
} slot_use;

typedef struct sweep {
    const dp_image *im;
    uint32_t        pat, query, item, string; /* where the next range must begin */
    slot_use       *use;                      /* [templates] */
    uint64_t       *layer;                    /* bit for each unit of PROGRAM where a layer begins */
} sweep;

static bool check_item(sweep *w, const dp_im_item *it, slot_use *u)
{
    if (it->cls > DP_CLASS_LIST || it->conv > DP_CONV_ENCODE || !inside(w->im, DP_SEC_TEXT, it->text))
        return false;
    if (it->list.at != w->string || !inside(w->im, DP_SEC_STRING, it->list))
        return false;
    for (uint32_t i = 0; i < it->list.n; i++)
        if (!inside(w->im, DP_SEC_TEXT, w->im->string[w->string++]))
            return false;
    if (it->kind != DP_ITEM_CAPTURE)
        return true;
    if (it->slot >= w->im->head->max_slot)
        return false;
    if (it->again) {
        u->closed &= it->slot < u->binds;
        u->uses = it->slot + 1 > u->uses ? it->slot + 1 : u->uses;
    } else {
        u->closed &= it->slot == u->binds;
        u->binds++;
    }
    return true;
}

/* Literals and captures take turns. */
static bool check_pat(sweep *w, dp_im_pat p, slot_use *u)
{
    if (p.at != w->item || !inside(w->im, DP_SEC_ITEM, p))
        return false;
    for (uint32_t i = 0; i < p.n; i++) {
        const dp_im_item *it = &w->im->item[w->item++];
        if (it->kind > DP_ITEM_STAR || (i && (it->kind == DP_ITEM_LITERAL) == (it[-1].kind == DP_ITEM_LITERAL)))
            return false;
        if ((it->kind == DP_ITEM_LITERAL) != (it->text.n > 0) || !check_item(w, it, u))
            return false;
    }
    return true;
}

static bool check_template(sweep *w, const dp_im_template *t, slot_use *u)
{
    const dp_image *im = w->im;
    *u = (slot_use){.closed = true};
    if (!inside(im, DP_SEC_TEXT, t->scheme) || !inside(im, DP_SEC_TEXT, t->host) || t->port < -1 || t->port > 65535)
        return false;
    if (t->seg.at != w->pat || t->seg.n == 0 || !inside(im, DP_SEC_PAT, t->seg) || (t->glob != DP_NONE && t->glob >= t->seg.n))
        return false;
    if (t->query.at != w->query || !inside(im, DP_SEC_QUERY, t->query))
        return false;
    for (uint32_t i = 0; i < t->seg.n; i++)
        if (!check_pat(w, im->pat[w->pat++], u))
            return false;
    for (uint32_t i = 0; i < t->query.n; i++) {
        const dp_im_query *q = &im->query[w->query++];
        if (q->kind > DP_QUERY_ABSENT || q->k == 0 || !inside(im, DP_SEC_TEXT, q->name) || !check_pat(w, q->pat, u))
            return false;
    }
    return true;
}

static bool check_templates(sweep *w)
{
    for (uint64_t i = 0; i < count(w->im, DP_SEC_TEMPLATE); i++)
        if (!check_template(w, &w->im->tpl[i], &w->use[i]))
            return false;
    return true;
}

static bool is_condition(const sweep *w, uint32_t tpl)
{
    return tpl < count(w->im, DP_SEC_TEMPLATE) && w->use[tpl].closed;
}

static bool check_sides(const sweep *w, const dp_im_rule *r)
{
    const dp_image *im = w->im;
    if (!is_condition(w, r->left) || r->right >= count(im, DP_SEC_TEMPLATE))
        return false;
    const slot_use *left = &w->use[r->left], *right = &w->use[r->right];
    return right->binds == 0 && right->uses <= left->binds &&
           (im->tpl[r->right].glob == DP_NONE || im->tpl[r->left].glob != DP_NONE);
}

static bool check_rule(const sweep *w, uint32_t rule, uint32_t block)
{
    const dp_image    *im = w->im;
    const dp_im_rule  *r = &im->rule[rule];
    const dp_im_about *a = &im->about[rule];
    if (r->kind > DP_RULE_SUB || r->state > DP_OFF || a->block != block || r->pivot > r->alpha.n)
        return false;
    if (!inside(im, DP_SEC_TEXT, a->text) || !inside(im, DP_SEC_TEXT, r->value) || !inside(im, DP_SEC_TEXT, r->alpha) ||
        !inside(im, DP_SEC_TEXT, r->beta) || !inside(im, DP_SEC_NAME, r->names) || !inside(im, DP_SEC_WORD, r->unless))
        return false;
    if (r->on != DP_NONE && !is_condition(w, r->on))
        return false;
    for (uint32_t i = 0; i < r->unless.n; i++)
        if (!is_condition(w, im->word[r->unless.at + i]))
            return false;
    return r->kind != DP_RULE_REWRITE || check_sides(w, r);
}

static bool check_blocks(const sweep *w)
{
    const dp_image *im = w->im;
    uint32_t        next = 0;
    for (uint32_t i = 0; i < count(im, DP_SEC_BLOCK); i++) {
        const dp_im_block *b = &im->block[i];
        if (!inside(im, DP_SEC_TEXT, b->hosts) || b->order > DP_ORDER_ANY || !inside(im, DP_SEC_KEEP, b->keep) ||
            b->rule.at != next || !inside(im, DP_SEC_RULE, b->rule) || !inside(im, DP_SEC_ABOUT, b->rule))
            return false;
        for (uint32_t j = 0; j < b->rule.n; j++)
            if (!check_rule(w, next++, i))
                return false;
    }
    return next == count(im, DP_SEC_RULE) && next == count(im, DP_SEC_ABOUT);
}

static bool check_keeps(const sweep *w)
{
    const dp_image *im = w->im;
    for (uint64_t i = 0; i < count(im, DP_SEC_KEEP); i++) {
        const dp_im_keep *k = &im->keep[i];
        if (!inside(im, DP_SEC_NAME, k->names) || k->params > 1 || (k->tpl != DP_NONE && !is_condition(w, k->tpl)))
            return false;
    }
    for (uint64_t i = 0; i < count(im, DP_SEC_NAME); i++)
        if (!inside(im, DP_SEC_TEXT, im->name[i].text))
            return false;
    return true;
}

/* `n` rules, all of them `sub` rules or none. */
static bool check_list(const dp_image *im, const uint32_t *rule, uint32_t n, bool sub)
{
    for (uint32_t i = 0; i < n; i++)
        if (rule[i] >= count(im, DP_SEC_RULE) || (im->rule[rule[i]].kind == DP_RULE_SUB) != sub)
            return false;
    return true;
}

/* A table of n slots; one at least is empty, for that is where a search ends. */
static bool check_slots(const dp_image *im, const dp_im_layer *l, const dp_im_slot *slot, uint32_t n, bool sub)
{
    const uint32_t *list = dp_im_list(l);
    uint32_t        empty = 0;
    if (n & (n - 1))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = slot[i].rule - DP_IN_LIST;
        if (slot[i].rule == DP_NONE)
            empty++;
        else if (slot[i].rule < DP_IN_LIST ? !check_list(im, &slot[i].rule, 1, sub)
                                           : at >= l->nlist || list[at] >= l->nlist - at || !check_list(im, list + at + 1, list[at], sub))
            return false;
    }
    return n == 0 || empty > 0;
}

static bool check_tuple(const dp_im_tuple *t)
{
    uint32_t reach = t->nseg >= 32 ? UINT32_MAX : (1u << t->nseg) - 1;
    return t->nseg >= 1 && !(t->start_mask & ~reach) && !(t->end_mask & ~reach) && t->driver <= DP_DRIVE_PARAM_PREFIX;
}

/* Bytes of the layer at `l`, which has `room` bytes; 0 when it does not fit. */
static uint64_t layer_size(const dp_im_layer *l, uint64_t room)
{
    if (room < sizeof *l)
        return 0;
    uint64_t size = sizeof *l + (uint64_t)l->ntuple * sizeof(dp_im_tuple) +
                    ((uint64_t)l->nslot + l->nsub) * sizeof(dp_im_slot) + (uint64_t)l->nlist * sizeof(uint32_t);
    size = (size + 7) / 8 * 8;
    return size <= room ? size : 0;
}

static bool check_layer(const dp_image *im, const dp_im_layer *l)
{
    if (!inside(im, DP_SEC_KEEP, l->keep) || l->order > DP_ORDER_ANY || (uint64_t)l->sub_any.at + l->sub_any.n > l->nlist)
        return false;
    if (l->ntuple && !l->nslot)
        return false;
    for (uint32_t i = 0; i < l->ntuple; i++)
        if (!check_tuple(dp_im_tuples(l) + i))
            return false;
    if (!check_list(im, dp_im_list(l) + l->sub_any.at, l->sub_any.n, true))
        return false;
    return check_slots(im, l, dp_im_slots(l), l->nslot, false) && check_slots(im, l, dp_im_subs(l), l->nsub, true);
}

static bool check_program(sweep *w)
{
    uint64_t units = count(w->im, DP_SEC_PROGRAM);
    for (uint64_t at = 0; at < units;) {
        const dp_im_layer *l = dp_im_layer_at(w->im, (uint32_t)at);
        uint64_t           size = layer_size(l, (units - at) * 8);
        if (!size || !check_layer(w->im, l))
            return false;
        w->layer[at / 64] |= (uint64_t)1 << at % 64;
        at += size / 8;
    }
    return true;
}

static bool is_layer(const sweep *w, uint32_t at)
{
    return at < count(w->im, DP_SEC_PROGRAM) && w->layer[at / 64] >> at % 64 & 1;
}

static bool check_hosts(const sweep *w)
{
    const dp_image *im = w->im;
    uint64_t        n = count(im, DP_SEC_HOST), empty = 0;
    if (n < 2 || n & (n - 1))
        return false;
    for (uint64_t i = 0; i < n; i++) {
        const dp_im_host *h = &im->host[i];
        if (h->layer == DP_NONE)
            empty++;
        else if (!is_layer(w, h->layer) || !inside(im, DP_SEC_TEXT, h->name))
            return false;
    }
    return empty > 0 && (im->head->any == DP_NONE || is_layer(w, im->head->any));
}

dp_err dp_image_verify(const dp_image *im, const char *name, dp_error *err)
{
    sweep w = {.im = im};
    w.use = calloc(count(im, DP_SEC_TEMPLATE) + 1, sizeof *w.use);
    w.layer = calloc(count(im, DP_SEC_PROGRAM) / 64 + 1, sizeof *w.layer);
    const char *what = NULL;
    if (!w.use || !w.layer)
        what = "";
    else if (!inside(im, DP_SEC_TEXT, im->head->rules_text) || im->head->max_slot > count(im, DP_SEC_ITEM))
        what = "header";
    else if (!check_templates(&w))
        what = "templates";
    else if (!check_keeps(&w))
        what = "keeps";
    else if (!check_blocks(&w))
        what = "rules";
    else if (!check_program(&w))
        what = "index";
    else if (!check_hosts(&w))
        what = "hosts";
    free(w.use);
    free(w.layer);
    if (!what)
        return DP_OK;
    if (!*what)
        return dp_fail_at(err, DP_ENOMEM, name, 0, 0, "memory is out");
    return dp_fail_at(err, DP_ESYNTAX, name, 0, 0, "damaged: the %s do not fit together; make it again with 'dustpan rules compile'",
                      what);
}
