/* SPDX-License-Identifier: Apache-2.0 */
#include "apply/candidates.h"

#include <stdlib.h>

#include "apply/boundary.h"
#include "apply/slothash.h"
#include "base/room.h"
#include "rule/rule.h"
#include "rule/setid.h"

uint64_t dp_image_set_id(const dp_image *im, const dp_rule_choice *o)
{
    uint64_t set = dp_set_begin();
    for (uint64_t i = 0; i < im->head->section[DP_SEC_BLOCK].count; i++) {
        const dp_im_block *b = &im->block[i];
        if (b->off)
            continue;
        set = dp_set_add_block(set, b->head_hash);
        for (uint32_t j = 0; j < b->rule.n; j++) {
            const dp_im_about *a = &im->about[b->rule.at + j];
            const dp_im_rule  *r = dp_im_body(im, a->body);
            if (dp_choice_takes(o, r))
                set = dp_set_add_rule(set, a->id, r->state == DP_PIN);
        }
    }
    return set;
}

enum {
    BODY_LINES = 3,     /* cache lines that most bodies fill */
    KNOWN_SEGMENTS = 32 /* whose hashes are kept: many tuples look at the same ones */
};

/* ---- first step: which slots ----------------------------------------------------------------- */

/* Planning in one layer. */
typedef struct plan {
    dp_candidates     *out;
    const dp_frame    *f;
    const dp_im_layer *layer;
    const dp_im_slot  *slots;
    uint64_t           position;
    bool               named;   /* the hashes of the names are there */
    uint32_t           known;   /* bit i: segment[i] is there */
    uint64_t          *segment; /* [KNOWN_SEGMENTS] hashes of the first segments */
} plan;

static inline bool look_at(const plan *p, uint64_t hash)
{
    dp_candidates *c = p->out;
    __builtin_prefetch(&p->slots[(uint32_t)hash & (p->layer->nslot - 1)]);
    if (!DP_ROOM(c->probe, c->nprobe, c->probe_cap))
        return false;
    c->probe[c->nprobe++] = (dp_probe){p->layer, hash, p->position};
    return true;
}

/* Names are hashed once, and only when some tuple's filter lets one through. */
static void hash_names(plan *p)
{
    const dp_frame *f = p->f;
    for (uint32_t i = 0; i < f->npair && !p->named; i++)
        p->out->hash[i] = dp_hash_str(dp_pair_name(f, &f->pair[i]));
    p->named = true;
}

static bool plan_pairs(plan *p, const dp_im_tuple *t, uint64_t base)
{
    const dp_frame *f = p->f;
    if (t->driver == DP_DRIVE_PAIR)
        return look_at(p, dp_hash_fold(base, 0));
    for (uint32_t i = 0; i < f->npair; i++) {
        const dp_pair *pair = &f->pair[i];
        dp_str         name = dp_pair_name(f, pair);
        uint64_t       h;
        if (t->driver == DP_DRIVE_PREFIX) {
            if (name.n < t->prefix || !(t->filter & dp_filter_bit((dp_str){name.p, t->prefix})))
                continue;
            h = dp_hash_str((dp_str){name.p, t->prefix});
        } else {
            if (!(t->filter & dp_filter_bit(name)))
                continue;
            hash_names(p);
            h = p->out->hash[i];
            if (t->driver == DP_DRIVE_NAME_VALUE)
                h = dp_hash_fold(h, dp_hash_str(dp_pair_value(f, pair)));
        }
        if (!look_at(p, dp_hash_fold(base, h)))
            return false;
    }
    return true;
}

static bool plan_params(const plan *p, const dp_im_tuple *t, uint64_t base)
{
    const dp_frame *f = p->f;
    dp_param        param;
    for (uint32_t at = f->path; dp_frame_param(f, at, &param); at = param.end) {
        dp_str name = dp_frame_cut(f, param.at + 1, param.eq);
        if (t->driver == DP_DRIVE_ANY_PARAM)
            return look_at(p, dp_hash_fold(base, 0));
        if (t->driver == DP_DRIVE_PARAM_PREFIX) {
            if (name.n < t->prefix)
                continue;
            name.n = t->prefix;
        }
        if (t->filter & dp_filter_bit(name) && !look_at(p, dp_hash_fold(base, dp_hash_str(name))))
            return false;
    }
    return true;
}

/* The first literal that a tuple looks at; it looks at one at least. */
static inline dp_str first_literal(const dp_im_tuple *t, const dp_frame *f)
{
    if (t->origin & DP_TUPLE_SCHEME)
        return dp_frame_scheme(f);
    if (t->origin & DP_TUPLE_HOST)
        return dp_frame_host(f);
    return dp_frame_seg(f, t->start_mask ? (uint32_t)__builtin_ctz(t->start_mask)
                                         : f->nseg - 1 - (uint32_t)__builtin_ctz(t->end_mask));
}

static inline uint64_t hash_segment(plan *p, uint32_t i)
{
    if (i >= KNOWN_SEGMENTS)
        return dp_hash_str(dp_frame_seg(p->f, i));
    if (!(p->known >> i & 1)) {
        p->segment[i] = dp_hash_str(dp_frame_seg(p->f, i));
        p->known |= 1u << i;
    }
    return p->segment[i];
}

static inline uint64_t hash_literals(plan *p, const dp_im_tuple *t, uint64_t h)
{
    const dp_frame *f = p->f;
    if (t->origin & DP_TUPLE_SCHEME)
        h = dp_hash_fold(h, dp_hash_str(dp_frame_scheme(f)));
    if (t->origin & DP_TUPLE_HOST)
        h = dp_hash_fold(h, dp_hash_str(dp_frame_host(f)));
    for (uint32_t mask = t->start_mask; mask; mask &= mask - 1)
        h = dp_hash_fold(h, hash_segment(p, (uint32_t)__builtin_ctz(mask)));
    for (uint32_t mask = t->end_mask; mask; mask &= mask - 1)
        h = dp_hash_fold(h, hash_segment(p, f->nseg - 1 - (uint32_t)__builtin_ctz(mask)));
    return h;
}

/* Whether the literals of tuple number `number` can be those of the URL; then `*h` is their hash. */
static inline bool literals_fit(plan *p, const dp_im_tuple *t, uint32_t number, uint64_t *h)
{
    const dp_frame *f = p->f;
    if (f->nseg - t->nseg > t->more) /* fewer wrap round to very many */
        return false;
    *h = dp_hash_tuple(number);
    if (t->literal_filter == 0)
        return true;
    if (!(t->literal_filter & dp_filter_bit(first_literal(t, f))))
        return false;
    *h = hash_literals(p, t, *h);
    return true;
}

static bool plan_layer(plan *p)
{
    const dp_im_layer *l = p->layer;
    const dp_im_tuple *t = dp_im_tuples(l);
    uint32_t           i = 0, paired = l->nplain + l->npaired;
    uint64_t           h;
    for (; i < l->nplain; i++)
        if (literals_fit(p, &t[i], i, &h) && !look_at(p, h))
            return false;
    for (i = p->f->npair ? i : paired; i < paired; i++)
        if (literals_fit(p, &t[i], i, &h) && !plan_pairs(p, &t[i], h))
            return false;
    for (; i < l->ntuple; i++)
        if (literals_fit(p, &t[i], i, &h) && !plan_params(p, &t[i], h))
            return false;
    return true;
}

bool dp_candidates_plan(dp_candidates *c, const dp_chain *chain, const dp_frame *f)
{
    uint64_t segment[KNOWN_SEGMENTS];
    plan     p = {.out = c, .f = f, .segment = segment};
    c->nprobe = 0;
    if (!DP_ROOM_FOR(c->hash, f->npair, c->hash_cap))
        return false;
    for (uint32_t i = 0; i < chain->n; i++) {
        p.layer = chain->layer[i];
        p.slots = dp_im_slots(p.layer);
        p.position = i;
        if (!plan_layer(&p))
            return false;
    }
    return true;
}

/* ---- second step: what is in them ------------------------------------------------------------ */

static bool push(dp_candidates *c, const dp_image *im, uint64_t position, dp_im_entry entry, uint32_t place)
{
    uint32_t    body = entry & DP_ENTRY_BODY;
    const char *memory = (const char *)dp_im_body(im, body);
    for (size_t line = 0; line < BODY_LINES; line++)
        __builtin_prefetch(memory + 64 * line);
    if (!DP_ROOM(c->v, c->n, c->cap))
        return false;
    uint64_t priority = (entry & DP_ENTRY_PINNED ? 0 : (uint64_t)1 << 63) | position << 32 | body;
    c->v[c->n++] = (dp_candidate){priority, body, place};
    return true;
}

/* Not base/index.h: the layout is that of the file (apply/image.h). */
static inline const dp_im_slot *find_slot(const dp_im_slot *table, uint32_t size, uint64_t hash)
{
    for (uint32_t i = (uint32_t)hash & (size - 1);; i = (i + 1) & (size - 1)) {
        if (table[i].entry == DP_NONE)
            return NULL;
        if (table[i].tag == (uint32_t)(hash >> 32))
            return &table[i];
    }
}

/* The rules of a slot, ascending. */
static inline const dp_im_entry *rules_of(const dp_im_layer *l, const dp_im_slot *slot, uint32_t *n)
{
    if (slot->entry < DP_IN_LIST) {
        *n = 1;
        return &slot->entry;
    }
    const dp_im_entry *list = dp_im_list(l) + (slot->entry - DP_IN_LIST);
    *n = *list;
    return list + 1;
}

static bool look_up(dp_candidates *c, const dp_image *im, const dp_probe *p)
{
    const dp_im_slot *slot = find_slot(dp_im_slots(p->layer), p->layer->nslot, p->hash);
    if (!slot)
        return true;
    uint32_t           n;
    const dp_im_entry *rule = rules_of(p->layer, slot, &n);
    for (uint32_t i = 0; i < n; i++)
        if (!push(c, im, p->position, rule[i], 0))
            return false;
    return true;
}

/* Whether α of `r` stands at `at` of the whole URL, between boundaries, as its anchors ask. */
static bool alpha_stands(const dp_im_rule *r, dp_str url, size_t at)
{
    dp_str alpha = dp_im_literal(r, r->alpha);
    return at + alpha.n <= url.n && (!(r->flags & DP_RULE_AT_START) || at == 0) &&
           (!(r->flags & DP_RULE_AT_END) || at + alpha.n == url.n) &&
           (alpha.n == 0 || (url.p[at + alpha.n - 1] == alpha.p[alpha.n - 1] &&
                             memcmp(url.p + at, alpha.p, alpha.n) == 0)) &&
           dp_is_boundary(url, at) && dp_is_boundary(url, at + alpha.n);
}

/* Every sub rule of a layer with every place where its α stands: of those the leftmost comes
 * first when sorted, and only it is kept. */
static bool look_up_subs(dp_candidates *c, const dp_image *im, const dp_im_layer *l, uint64_t position, dp_str url)
{
    const dp_im_slot  *table = dp_im_subs(l);
    const dp_im_entry *any = dp_im_list(l) + l->sub_any.at;
    for (uint32_t i = 0; i < l->sub_any.n; i++) {
        const dp_im_rule *r = dp_im_body(im, any[i] & DP_ENTRY_BODY);
        size_t            at = r->flags & DP_RULE_AT_START ? 0 : url.n;
        if (alpha_stands(r, url, at) && !push(c, im, position, any[i], (uint32_t)at))
            return false;
    }
    for (size_t at = 0, end; l->nsub && at < url.n; at = end) {
        end = dp_next_boundary(url, at);
        dp_str token = dp_str_cut(url, at, end);
        if (!(l->sub_filter & dp_filter_bit(token)))
            continue;
        const dp_im_slot *slot = find_slot(table, l->nsub, dp_hash_str(token));
        if (!slot)
            continue;
        uint32_t           n;
        const dp_im_entry *rule = rules_of(l, slot, &n);
        for (uint32_t i = 0; i < n; i++) {
            const dp_im_rule *r = dp_im_body(im, rule[i] & DP_ENTRY_BODY);
            size_t            start = at - r->pivot;
            if (at >= r->pivot && alpha_stands(r, url, start) && !push(c, im, position, rule[i], (uint32_t)start))
                return false;
        }
    }
    return true;
}

static bool before(const dp_candidate *x, const dp_candidate *y)
{
    return x->priority != y->priority ? x->priority < y->priority : x->place < y->place;
}

static void insert_sort(dp_candidate *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        dp_candidate x = v[i];
        size_t       j = i;
        for (; j > 0 && before(&x, &v[j - 1]); j--)
            v[j] = v[j - 1];
        v[j] = x;
    }
}

/* Pass by pass over the bytes in which priorities differ, least first, to and fro between two halves. */
static dp_candidate *radix_sort(dp_candidate *v, dp_candidate *other, size_t n)
{
    uint64_t differ = 0;
    for (size_t i = 1; i < n; i++)
        differ |= v[i].priority ^ v[0].priority;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        size_t at[257] = {0};
        if (!(differ >> shift & 255))
            continue;
        for (size_t i = 0; i < n; i++)
            at[(v[i].priority >> shift & 255) + 1]++;
        for (size_t b = 0; b < 255; b++)
            at[b + 1] += at[b];
        for (size_t i = 0; i < n; i++)
            other[at[v[i].priority >> shift & 255]++] = v[i];
        dp_candidate *t = v;
        v = other;
        other = t;
    }
    return v;
}

/* By priority, then by place. False when memory is out. */
static bool sort(dp_candidates *c)
{
    if (c->n <= 32) {
        insert_sort(c->v, c->n);
        return true;
    }
    if (!DP_ROOM_FOR(c->v, 2 * c->n, c->cap))
        return false;
    dp_candidate *v = radix_sort(c->v, c->v + c->n, c->n);
    if (v != c->v)
        memcpy(c->v, v, c->n * sizeof *v);
    for (size_t i = 0, j; i < c->n; i = j) { /* places of one `sub` rule */
        for (j = i + 1; j < c->n && c->v[j].priority == c->v[i].priority; j++) {}
        insert_sort(c->v + i, j - i);
    }
    return true;
}

/* One of each rule: several of its names may have led to it, or several places. */
static void drop_repeats(dp_candidates *c)
{
    size_t n = 1;
    for (size_t i = 1; i < c->n; i++)
        if (c->v[i].priority != c->v[n - 1].priority)
            c->v[n++] = c->v[i];
    c->n = n;
}

bool dp_candidates_gather(dp_candidates *c, const dp_image *im, const dp_chain *chain, const dp_frame *f)
{
    c->n = 0;
    if (c->nprobe == 0 && !chain->subs)
        return true;
    for (size_t i = 0; i < c->nprobe; i++)
        if (!look_up(c, im, &c->probe[i]))
            return false;
    for (uint32_t i = 0; chain->subs && i < chain->n; i++) {
        const dp_im_layer *l = chain->layer[i];
        if ((l->nsub || l->sub_any.n) && !look_up_subs(c, im, l, i, (dp_str){f->s, f->n}))
            return false;
    }
    if (c->n < 2)
        return true;
    if (!sort(c))
        return false;
    drop_repeats(c);
    return true;
}

bool dp_candidates_copy(dp_candidates *c, const dp_candidates *from, size_t but)
{
    if (!DP_ROOM_FOR(c->v, from->n, c->cap))
        return false;
    c->n = from->n - 1;
    if (but)
        memcpy(c->v, from->v, but * sizeof *c->v);
    if (but < c->n)
        memcpy(c->v + but, from->v + but + 1, (c->n - but) * sizeof *c->v);
    return true;
}

bool dp_candidates_after(dp_candidates *c, const dp_candidates *from, size_t number)
{
    if (!DP_ROOM_FOR(c->v, from->n, c->cap))
        return false;
    c->n = from->n - number - 1;
    if (c->n)
        memcpy(c->v, from->v + number + 1, c->n * sizeof *c->v);
    return true;
}

void dp_candidates_done(dp_candidates *c)
{
    free(c->v);
    free(c->probe);
    free(c->hash);
}
