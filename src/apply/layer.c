/* SPDX-License-Identifier: Apache-2.0 */
#include "apply/layer.h"

#include <stdlib.h>

#include "apply/boundary.h"
#include "apply/slothash.h"
#include "base/room.h"

enum { MASK_BITS = 32 };

/* A rule entered once: the parts looked at, what is in them, the rule. */
typedef struct entry {
    dp_im_tuple tuple;
    uint64_t   *value; /* [nvalue] hashes of the literals, then of the parameter */
    size_t      nvalue;
    uint64_t    hash; /* of the tuple's number and the values */
    uint32_t    number; /* of the tuple */
    dp_im_entry rule;
} entry;

typedef struct entries {
    entry    *v;
    size_t    n, cap;
    bool      failed;
    dp_arena *arena;
} entries;

static entry *push(entries *e)
{
    if (!DP_ROOM(e->v, e->n, e->cap)) {
        e->failed = true;
        return NULL;
    }
    return &e->v[e->n++];
}

enum { TELLING = 4 };

dp_ref dp_layer_pivot(dp_str alpha)
{
    dp_ref best = {0, 0};
    for (size_t at = 0, end; at < alpha.n; at = end) {
        end = dp_next_boundary(alpha, at);
        if (end - at > best.n || end - at >= TELLING)
            best = (dp_ref){(uint32_t)at, (uint32_t)(end - at)};
    }
    return best;
}

/* ---- what a rule needs ---------------------------------------------------------------- */

static bool is_literal(const dp_pat *p)
{
    return p->n == 0 || (p->n == 1 && p->v[0].kind == DP_ITEM_LITERAL);
}

/* A parameter by which a rule is found: its name, and the hash of what is looked up. */
typedef struct drive {
    dp_driver kind;
    dp_str    name;
    uint64_t  hash;
} drive;

/* The literals of a rule, in the order in which they are hashed. */
typedef struct literals {
    uint64_t *hash;
    size_t    n;
    uint64_t  filter; /* of the first */
} literals;

static void look_at(literals *l, dp_str text)
{
    if (l->n == 0)
        l->filter = dp_filter_bit(text);
    l->hash[l->n++] = dp_hash_str(text);
}

/* A list in a template, of whose values one stands for all: NO_LIST: none. */
typedef struct chosen {
    size_t seg, value;
} chosen;

#define NO_LIST SIZE_MAX

/* The text that a segment must be; false: several. */
static bool must_be(dp_str *out, const dp_template *t, size_t seg, chosen c)
{
    const dp_pat *p = &t->seg[seg];
    if (seg == c.seg) {
        *out = p->v[0].list[c.value];
        return true;
    }
    if (!is_literal(p))
        return false;
    *out = dp_pat_literal(p);
    return true;
}

/* Say in `tuple` which parts of `t` are literal, or the chosen value of a list, and collect them. */
static void look_at_template(literals *l, dp_im_tuple *tuple, const dp_template *t, chosen c)
{
    dp_str text;
    size_t nseg = t->nseg, head = t->glob == DP_NO_GLOB ? nseg : t->glob; /* segments counted from the start */
    if (t->scheme.n) {
        tuple->origin |= DP_TUPLE_SCHEME;
        look_at(l, t->scheme);
    }
    if (t->host.n && !t->label.n) {
        tuple->origin |= DP_TUPLE_HOST;
        look_at(l, t->host);
    }
    /* {**} takes the place of none, but a path has one segment at least. */
    tuple->nseg = (uint32_t)(t->glob == DP_NO_GLOB || nseg == 1 ? nseg : nseg - 1);
    tuple->more = t->glob == DP_NO_GLOB ? 0 : UINT32_MAX - tuple->nseg;
    for (size_t i = 0; i < head && i < MASK_BITS; i++)
        if (must_be(&text, t, i, c)) {
            tuple->start_mask |= 1u << i;
            look_at(l, text);
        }
    for (size_t i = 0; i + 1 + head < nseg && i < MASK_BITS; i++)
        if (must_be(&text, t, nseg - 1 - i, c)) {
            tuple->end_mask |= 1u << i;
            look_at(l, text);
        }
}

/* Enter `rule` under the literals of `t` (may be NULL), a value of a list and a parameter. */
static void enter_one(entries *e, dp_im_entry rule, const dp_template *t, chosen c, drive d)
{
    bool        prefix = d.kind == DP_DRIVE_PREFIX || d.kind == DP_DRIVE_PARAM_PREFIX;
    dp_im_tuple tuple = {.driver = (uint16_t)d.kind, .nseg = 1, .more = UINT32_MAX - 1};
    literals    l = {.hash = DP_NEWS(e->arena, (t ? t->nseg : 0) + 3, uint64_t)};
    entry      *out = push(e);
    if (!l.hash || !out) {
        e->failed = true;
        return;
    }
    if (prefix)
        tuple.prefix = (uint32_t)d.name.n;
    if (t)
        look_at_template(&l, &tuple, t, c);
    tuple.literal_filter = l.filter;
    if (d.kind != DP_DRIVE_NONE) {
        tuple.filter = dp_filter_bit(d.name);
        l.hash[l.n++] = d.hash;
    }
    *out = (entry){.tuple = tuple, .value = l.hash, .nvalue = l.n, .rule = rule};
}

/* The first segment that is a list and nothing else, where the index looks; NO_LIST: there is none. */
static size_t find_list(const dp_template *t)
{
    size_t head = t->glob == DP_NO_GLOB ? t->nseg : t->glob;
    for (size_t i = 0; i < t->nseg; i++) {
        const dp_pat *p = &t->seg[i];
        bool          near = i < head ? i < MASK_BITS : t->nseg - 1 - i < MASK_BITS;
        if (near && p->n == 1 && p->v[0].kind == DP_ITEM_CAPTURE && p->v[0].cls == DP_CLASS_LIST)
            return i;
    }
    return NO_LIST;
}

/* Enter `rule` under the literals of `t` (may be NULL) and a parameter, once for each value of its first list: they are
 * different, so that a URL has one of them at most. */
static void enter(entries *e, dp_im_entry rule, const dp_template *t, drive d)
{
    size_t seg = t ? find_list(t) : NO_LIST, n = seg == NO_LIST ? 1 : t->seg[seg].v[0].nlist;
    for (size_t k = 0; k < n; k++)
        enter_one(e, rule, t, (chosen){seg, k}, d);
}

static void enter_rewrite(entries *e, dp_im_entry rule, const dp_template *left)
{
    const dp_query_item *named = NULL;
    for (size_t i = 0; i < left->nquery; i++) {
        const dp_query_item *q = &left->query[i];
        if (q->kind == DP_QUERY_VALUE && is_literal(&q->pat)) {
            uint64_t h = dp_hash_fold(dp_hash_str(q->name), dp_hash_str(dp_pat_literal(&q->pat)));
            enter(e, rule, left, (drive){DP_DRIVE_NAME_VALUE, q->name, h});
            return;
        }
        if (q->kind != DP_QUERY_ABSENT)
            named = q;
    }
    if (named)
        enter(e, rule, left, (drive){DP_DRIVE_NAME, named->name, dp_hash_str(named->name)});
    else
        enter(e, rule, left, (drive){.kind = DP_DRIVE_NONE});
}

/* drop, erase and set: once for each name, any of which is enough. */
static void enter_names(entries *e, dp_im_entry rule, const dp_rule *r)
{
    bool params = r->names.kind == ';';
    for (size_t i = 0; i < r->names.n; i++) {
        const dp_name *name = &r->names.v[i];
        uint64_t       h = dp_hash_str(name->text);
        if (name->prefix)
            enter(e, rule, r->on, (drive){params ? DP_DRIVE_PARAM_PREFIX : DP_DRIVE_PREFIX, name->text, h});
        else if (r->has_if && !params)
            enter(e, rule, r->on, (drive){DP_DRIVE_NAME_VALUE, name->text, dp_hash_fold(h, dp_hash_str(r->value))});
        else
            enter(e, rule, r->on, (drive){params ? DP_DRIVE_PARAM : DP_DRIVE_NAME, name->text, h});
    }
}

/* only: any parameter may be one that goes. */
static void enter_only(entries *e, dp_im_entry rule, const dp_rule *r)
{
    dp_driver kind = r->names.kind == ';' ? DP_DRIVE_ANY_PARAM : DP_DRIVE_PAIR;
    enter(e, rule, r->on, (drive){.kind = kind, .name = DP_STR("")});
}

static void enter_sub(entries *e, dp_im_entry rule, const dp_rule *r)
{
    dp_ref pivot = dp_layer_pivot(r->alpha);
    entry *out = push(e);
    if (out)
        *out = (entry){.rule = rule, .nvalue = pivot.n, .hash = dp_hash_str((dp_str){r->alpha.p + pivot.at, pivot.n})};
}

/* ---- slots ------------------------------------------------------------------------------ */

/* By what is looked at; the filters say what is found there. */
static int by_tuple(const void *a, const void *b)
{
    return memcmp(&((const entry *)a)->tuple, &((const entry *)b)->tuple, offsetof(dp_im_tuple, filter));
}

static int by_hash(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    uint32_t a_body = x->rule & DP_ENTRY_BODY, b_body = y->rule & DP_ENTRY_BODY;
    return (a_body > b_body) - (a_body < b_body);
}

/* Number the tuples and hash the entries; the tuples are appended to `out`. */
static void number_tuples(entries *e, dp_buf *out, dp_im_layer *layer)
{
    qsort(e->v, e->n, sizeof *e->v, by_tuple);
    dp_im_tuple all = {0};
    for (size_t i = 0; i < e->n; i++) {
        entry *x = &e->v[i];
        if (i == 0 || by_tuple(x, x - 1) != 0) {
            all = x->tuple;
            layer->ntuple++;
            layer->nplain += all.driver == DP_DRIVE_NONE;
            layer->npaired += all.driver >= DP_DRIVE_NAME && all.driver <= DP_DRIVE_PAIR;
        }
        all.filter |= x->tuple.filter;
        all.literal_filter |= x->tuple.literal_filter;
        if (i + 1 == e->n || by_tuple(x, x + 1) != 0)
            dp_buf_add(out, (const char *)&all, sizeof all);
        x->number = layer->ntuple - 1;
        x->hash = dp_hash_tuple(x->number);
        for (size_t j = 0; j < x->nvalue; j++)
            x->hash = dp_hash_fold(x->hash, x->value[j]);
    }
    qsort(e->v, e->n, sizeof *e->v, by_hash);
}

/* Whether entry j names another rule than the one before it in the group that begins at i. */
static bool is_new(const entries *e, size_t i, size_t j)
{
    return j == i || e->v[j].rule != e->v[j - 1].rule;
}

/* Write entries (sorted by hash) as a slot table into `out`, their rules into `list`. */
static uint32_t write_slots(const entries *e, dp_buf *out, dp_buf *list)
{
    size_t groups = 0;
    for (size_t i = 0; i < e->n; i++)
        groups += i == 0 || e->v[i].hash != e->v[i - 1].hash;
    if (groups == 0)
        return 0;
    uint32_t size = 2;
    while (size < groups * 2)
        size *= 2;
    size_t     start = out->n;
    dp_im_slot empty = {0, DP_NONE};
    for (uint32_t i = 0; i < size; i++)
        dp_buf_add(out, (const char *)&empty, sizeof empty);
    if (out->failed)
        return 0;
    dp_im_slot *slot = (dp_im_slot *)(void *)(out->p + start);
    for (size_t i = 0, j; i < e->n; i = j) {
        uint32_t count = 0;
        for (j = i; j < e->n && e->v[j].hash == e->v[i].hash; j++)
            count += is_new(e, i, j);
        dp_im_slot s = {(uint32_t)(e->v[i].hash >> 32), e->v[i].rule};
        if (count > 1) {
            s.entry = DP_IN_LIST + (uint32_t)(list->n / sizeof(uint32_t));
            dp_buf_add(list, (const char *)&count, sizeof count);
            for (size_t k = i; k < j; k++)
                if (is_new(e, i, k))
                    dp_buf_add(list, (const char *)&e->v[k].rule, sizeof(uint32_t));
        }
        /* Not base/index.h: the layout is that of the file (apply/image.h). */
        uint32_t at = (uint32_t)e->v[i].hash & (size - 1);
        while (slot[at].entry != DP_NONE)
            at = (at + 1) & (size - 1);
        slot[at] = s;
    }
    return size;
}

/* Join the keeps of all blocks; one block's own range serves as it is. */
static dp_ref join_keeps(const dp_layer_source *src)
{
    dp_ref out = {0, 0};
    size_t with = 0;
    for (size_t i = 0; i < src->nblock; i++) {
        dp_ref k = src->image_block[src->block[i]].keep;
        if (k.n) {
            out = k;
            with++;
        }
    }
    if (with < 2)
        return out;
    out = (dp_ref){(uint32_t)(src->keeps->n / sizeof(uint32_t)), 0};
    for (size_t i = 0; i < src->nblock; i++) {
        dp_ref k = src->image_block[src->block[i]].keep;
        for (uint32_t j = 0; j < k.n; j++) {
            uint32_t copy;
            memcpy(&copy, src->keeps->p + (k.at + j) * sizeof copy, sizeof copy);
            dp_buf_add(src->keeps, (const char *)&copy, sizeof copy);
            out.n++;
        }
    }
    return out;
}

void dp_layer_add(dp_buf *program, const dp_layer_source *src, dp_arena *a)
{
    entries     keyed = {.arena = a}, subs = {.arena = a};
    dp_im_layer layer = {.order = DP_ORDER_UNSET, .keep = join_keeps(src)};
    dp_buf      body = {0}, list = {0};
    for (size_t i = 0; i < src->nblock; i++) {
        const dp_block *b = src->rules->block[src->block[i]];
        uint32_t        first = src->image_block[src->block[i]].rule.at;
        if (layer.order == DP_ORDER_UNSET)
            layer.order = b->order;
        for (size_t j = 0; j < b->nrule; j++) {
            const dp_rule *r = b->rule[j];
            dp_im_entry    rule = src->about[first + j].body | (r->state == DP_PIN ? DP_ENTRY_PINNED : 0);
            if (r->state == DP_OFF)
                continue;
            switch (r->kind) {
            case DP_RULE_REWRITE: enter_rewrite(&keyed, rule, r->left); break;
            case DP_RULE_DROP:
            case DP_RULE_ERASE:
            case DP_RULE_SET: enter_names(&keyed, rule, r); break;
            case DP_RULE_ONLY: enter_only(&keyed, rule, r); break;
            case DP_RULE_FOLD_PATH:
            case DP_RULE_FOLD_QUERY:
            case DP_RULE_FOLD_NAMES: enter(&keyed, rule, r->on, (drive){.kind = DP_DRIVE_NONE}); break;
            case DP_RULE_SUB:
                if (r->alpha.n) {
                    enter_sub(&subs, rule, r);
                    dp_ref pivot = dp_layer_pivot(r->alpha);
                    layer.sub_filter |= dp_filter_bit((dp_str){r->alpha.p + pivot.at, pivot.n});
                } else {
                    dp_buf_add(&list, (const char *)&rule, sizeof rule);
                    layer.sub_any.n++;
                }
                break;
            }
        }
    }
    if (keyed.failed || subs.failed)
        program->failed = true;
    if (keyed.n && !program->failed) {
        number_tuples(&keyed, &body, &layer);
        layer.nslot = write_slots(&keyed, &body, &list);
    }
    if (subs.n && !program->failed) {
        qsort(subs.v, subs.n, sizeof *subs.v, by_hash);
        layer.nsub = write_slots(&subs, &body, &list);
    }
    layer.nlist = (uint32_t)(list.n / sizeof(uint32_t));
    dp_buf_add(program, (const char *)&layer, sizeof layer);
    dp_buf_str(program, dp_buf_view(&body));
    dp_buf_str(program, dp_buf_view(&list));
    while (program->n % 8 && !program->failed)
        dp_buf_byte(program, 0);
    if (body.failed || list.failed)
        program->failed = true;
    dp_buf_done(&body);
    dp_buf_done(&list);
    free(keyed.v);
    free(subs.v);
}
