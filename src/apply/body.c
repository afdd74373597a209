/* SPDX-License-Identifier: Apache-2.0 */
#include "apply/body.h"

#include "apply/layer.h"
#include "rule/attr.h"

/* A body under construction: it fills `out` from `start`. */
typedef struct body {
    dp_buf   *out;
    size_t    start;
    dp_arena     *arena;
    dp_im_header *head;
    bool          too_long;
} body;

/* Names of captures, in order of appearance: the place in the list is the slot. */
typedef struct slots {
    dp_str *name;
    size_t  n, cap;
} slots;

/* A number that has two bytes. */
static uint16_t small(body *b, size_t n)
{
    b->too_long |= n > DP_BODY_MOST;
    return (uint16_t)n;
}

/* Append `n` bytes; returns their place in the body. */
static uint16_t put(body *b, const void *p, size_t n)
{
    size_t at = b->out->n - b->start;
    dp_buf_add(b->out, p, n);
    while ((b->out->n - b->start) % DP_BODY_UNIT && !b->out->failed)
        dp_buf_byte(b->out, 0);
    return small(b, at / DP_BODY_UNIT);
}

static dp_cut put_array(body *b, const void *v, size_t n, size_t size)
{
    return n ? (dp_cut){put(b, v, n * size), small(b, n)} : (dp_cut){0, 0};
}

static dp_cut put_text(body *b, dp_str s)
{
    return put_array(b, s.p, s.n, 1);
}

/* Memory for n things that are put as an array later; NULL (and failed) when it is out. */
static void *array(body *b, size_t n, size_t size)
{
    void *v = dp_arena_zero(b->arena, n, size);
    if (!v)
        b->out->failed = true;
    return v;
}

/* ---- templates ------------------------------------------------------------------- */

/* Slot of `name`; `*again` says whether it had one. A new one is added. */
static uint32_t slot_of(body *b, slots *s, dp_str name, bool *again)
{
    for (size_t i = 0; i < s->n; i++)
        if (dp_str_eq(s->name[i], name)) {
            *again = true;
            return (uint32_t)i;
        }
    *again = false;
    if (s->n == s->cap) {
        size_t  cap = s->cap ? s->cap * 2 : 8;
        dp_str *v = array(b, cap, sizeof *v);
        if (!v)
            return 0;
        if (s->n)
            memcpy(v, s->name, s->n * sizeof *v);
        s->name = v;
        s->cap = cap;
    }
    s->name[s->n] = name;
    return (uint32_t)s->n++;
}

static dp_cut put_list(body *b, const dp_str *list, size_t n)
{
    dp_cut *v = array(b, n, sizeof *v);
    for (size_t i = 0; v && i < n; i++)
        v[i] = put_text(b, list[i]);
    return put_array(b, v, v ? n : 0, sizeof *v);
}

static size_t captures_in(const dp_pat *pat)
{
    size_t n = 0;
    for (size_t i = 0; i < pat->n; i++)
        n += pat->v[i].kind != DP_ITEM_LITERAL;
    return n;
}

/* Whether the leftmost place of each literal may be the wrong one: several captures, and what one holds is tested. */
static bool cuts(const dp_pat *pat)
{
    bool tested = false;
    for (size_t i = 0; i < pat->n; i++)
        tested |= pat->v[i].cls != DP_CLASS_ANY;
    return tested && captures_in(pat) > 1;
}

static void note_cut(body *b, size_t captures)
{
    b->too_long |= captures > DP_MAX_CUT;
    if (captures > b->head->max_cut)
        b->head->max_cut = (uint32_t)captures;
}

static dp_im_pat put_pat(body *b, const dp_pat *pat, slots *s)
{
    dp_im_item *v = array(b, pat->n, sizeof *v);
    for (size_t i = 0; v && i < pat->n; i++) {
        const dp_item *it = &pat->v[i];
        bool           again = false;
        v[i] = (dp_im_item){.kind = (uint8_t)it->kind, .cls = (uint8_t)it->cls, .conv = (uint8_t)it->conv,
                            .length = (uint16_t)it->length};
        if (it->kind == DP_ITEM_CAPTURE)
            v[i].slot = small(b, slot_of(b, s, it->text, &again));
        v[i].flags = again ? DP_ITEM_AGAIN : 0;
        v[i].what = it->kind == DP_ITEM_LITERAL ? put_text(b, it->text) : put_list(b, it->list, it->nlist);
    }
    if (v && pat->n && cuts(pat)) {
        v[0].flags |= DP_ITEM_CUTS;
        note_cut(b, captures_in(pat));
    }
    return put_array(b, v, v ? pat->n : 0, sizeof *v);
}

static uint16_t put_template(body *b, const dp_template *t, slots *s)
{
    if (!t)
        return 0;
    bool           again;
    dp_im_template out = {
        .scheme = put_text(b, t->scheme),
        .host = put_text(b, t->label.n ? dp_str_cut(t->host, 1, t->host.n) : t->host),
        .label = t->label.n ? small(b, slot_of(b, s, t->label, &again) + 1) : 0,
        .port = t->port,
        .glob = t->glob == DP_NO_GLOB ? DP_NO_SEG : small(b, t->glob),
        .has_query = t->has_query,
        .open = t->open,
    };
    dp_im_pat   *seg = array(b, t->nseg, sizeof *seg);
    dp_im_query *query = array(b, t->nquery, sizeof *query);
    if (!seg || !query)
        return 0;
    for (size_t i = 0; i < t->nseg; i++)
        seg[i] = put_pat(b, &t->seg[i], s);
    for (size_t i = 0; i < t->nquery; i++) {
        const dp_query_item *q = &t->query[i];
        query[i] = (dp_im_query){(uint16_t)q->kind, small(b, q->k), put_text(b, q->name), {0, 0}};
        query[i].pat = put_pat(b, &q->pat, s);
    }
    out.seg = put_array(b, seg, t->nseg, sizeof *seg);
    out.query = put_array(b, query, t->nquery, sizeof *query);
    if (s->n > b->head->max_slot)
        b->head->max_slot = (uint32_t)s->n;
    return put(b, &out, sizeof out);
}

static uint16_t put_condition(body *b, const dp_template *t)
{
    slots own = {0};
    return put_template(b, t, &own);
}

static dp_cut put_names(body *b, const dp_names *names)
{
    dp_im_name *v = array(b, names->n, sizeof *v);
    for (size_t i = 0; v && i < names->n; i++)
        v[i] = (dp_im_name){put_text(b, names->v[i].text), names->v[i].prefix};
    return put_array(b, v, v ? names->n : 0, sizeof *v);
}

/* ---- bodies ------------------------------------------------------------------------ */

static body begin(dp_buf *out, dp_im_header *head, dp_arena *a)
{
    static const dp_im_rule empty = {0};
    body                    b = {out, out->n, a, head, false};
    put(&b, &empty, sizeof empty);
    return b;
}

/* False when the rule is too long. */
static bool end(body *b, dp_im_rule *head)
{
    while ((b->out->n - b->start) % 8 && !b->out->failed)
        dp_buf_byte(b->out, 0);
    head->size = (uint32_t)(b->out->n - b->start);
    if (!b->out->failed)
        memcpy(b->out->p + b->start, head, sizeof *head);
    return !b->too_long;
}

static const dp_item *find_in(const dp_pat *pat, dp_str name)
{
    for (size_t i = 0; i < pat->n; i++)
        if (pat->v[i].kind == DP_ITEM_CAPTURE && dp_str_eq(pat->v[i].text, name))
            return &pat->v[i];
    return NULL;
}

/* The capture of that name, and whether it stands in the query. */
static const dp_item *find_capture(const dp_template *t, dp_str name, bool *in_query)
{
    const dp_item *found = NULL;
    *in_query = false;
    for (size_t i = 0; i < t->nseg && !found; i++)
        found = find_in(&t->seg[i], name);
    for (size_t i = 0; i < t->nquery && !found; i++) {
        found = find_in(&t->query[i].pat, name);
        *in_query = true;
    }
    return found;
}

/* Whether what a right side's pattern becomes is in stage-0 form, and one segment or value. */
static bool stays_normal(const dp_pat *pat, const dp_template *left, bool in_query)
{
    for (size_t i = 0; i < pat->n; i++) {
        const dp_item *it = &pat->v[i], *from;
        bool           from_query;
        if (it->kind == DP_ITEM_LITERAL && in_query &&
            (memchr(it->text.p, '&', it->text.n) || memchr(it->text.p, ';', it->text.n)))
            return false;
        if (it->kind != DP_ITEM_CAPTURE)
            continue;
        from = find_capture(left, it->text, &from_query);
        if (!from || it->conv != DP_CONV_NONE)
            return false;
        /* Letters, digits, - and _ are the same in path and query. */
        if (from_query != in_query && (from->cls == DP_CLASS_ANY || from->cls == DP_CLASS_LIST))
            return false;
    }
    return true;
}

/* The pieces of a URL that a template takes are in stage-0 form, none ends inside an escape, and literals are so, too:
 * put together they stay so, unless they make up a dot segment, or are converted, or change between path and query. */
static bool is_framed(const dp_rule *r)
{
    const dp_template *right = r->right;
    if (r->kind != DP_RULE_REWRITE || right->scheme.n || right->host.n || right->port >= 0)
        return false;
    for (size_t i = 0; i < right->nseg; i++)
        if (!stays_normal(&right->seg[i], r->left, false))
            return false;
    for (size_t i = 0; i < right->nquery; i++)
        if (!stays_normal(&right->query[i].pat, r->left, true))
            return false;
    return true;
}

/* Learned, from what the rewritten domain says or what another one shows (docs/seen.md). */
static bool leads_out(const dp_rule *r)
{
    const dp_attr *across = dp_attr_find(r, DP_STR("across"));
    return across && r->state != DP_PIN && !dp_str_eq(across->value, DP_STR("owner"));
}

static uint8_t flags_of(const dp_rule *r)
{
    return (uint8_t)((dp_rule_erases(r) ? DP_RULE_ERASES : 0) |
                     (dp_rule_by(r, "fetch") || dp_rule_by(r, "redirect") ? DP_RULE_FETCHES : 0) |
                     (r->at_start ? DP_RULE_AT_START : 0) | (r->at_end ? DP_RULE_AT_END : 0) |
                     (r->has_if ? DP_RULE_HAS_IF : 0) | (r->names.kind == ';' ? DP_RULE_PARAMS : 0) |
                     (is_framed(r) ? DP_RULE_FRAMED : 0) | (leads_out(r) ? DP_RULE_LEADS_OUT : 0));
}

bool dp_body_add_rule(dp_buf *out, const dp_rule *r, uint32_t number, dp_im_header *image, dp_arena *a)
{
    body       b = begin(out, image, a);
    slots      shared = {0};
    dp_im_rule head = {
        .p = (float)dp_rule_number(r, "p", 1),
        .kind = (uint8_t)r->kind,
        .state = (uint8_t)r->state,
        .flags = flags_of(r),
        .number = number,
        .on = put_condition(&b, r->on),
    };
    uint16_t *unless = array(&b, r->nunless, sizeof *unless);
    for (size_t i = 0; unless && i < r->nunless; i++)
        unless[i] = put_condition(&b, r->unless[i]);
    head.unless = put_array(&b, unless, unless ? r->nunless : 0, sizeof *unless);
    switch (r->kind) {
    case DP_RULE_REWRITE:
        head.left = put_template(&b, r->left, &shared);
        head.right = put_template(&b, r->right, &shared);
        break;
    case DP_RULE_DROP:
    case DP_RULE_ONLY:
    case DP_RULE_ERASE:
    case DP_RULE_SET:
        head.names = put_names(&b, &r->names);
        head.value = put_text(&b, r->value);
        break;
    case DP_RULE_SUB:
        head.alpha = put_text(&b, r->alpha);
        head.beta = put_text(&b, r->beta);
        head.pivot = small(&b, dp_layer_pivot(r->alpha).at);
        break;
    case DP_RULE_FOLD_PATH:
    case DP_RULE_FOLD_QUERY:
    case DP_RULE_FOLD_NAMES: break;
    }
    return end(&b, &head);
}

bool dp_body_add_keep(dp_buf *out, const dp_keep *k, dp_im_header *image, dp_arena *a)
{
    body       b = begin(out, image, a);
    dp_im_rule head = {
        .kind = DP_KEEP_LINE,
        .flags = k->names.kind == ';' ? DP_RULE_PARAMS : 0,
        .on = put_condition(&b, k->tpl),
        .names = put_names(&b, &k->names),
    };
    return end(&b, &head);
}
