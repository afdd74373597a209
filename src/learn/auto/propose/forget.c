/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/propose/forget.h"

#include <stdlib.h>

#include "base/hash.h"
#include "learn/auto/layout/reading.h"
#include "learn/auto/propose/path.h"
#include "url/chars.h"

enum {
    MOST_FORMS = 16,    /* of a page that are compared */
    MOST_SEGS = 12,     /* of a form that is read */
    MOST_CHANGES = 96,  /* of a form */
    MOST_BLOCK = 2,     /* components that are left out together */
    MOST_KEY = 32,      /* bytes of a name in a component */
    LEAST_HASH = 16,    /* digits of a component that is a hash */
    MOST_BEHIND = 2     /* components behind the one at hand where those before it are {**} */
};

typedef enum change_kind {
    LEAVE_OUT, /* components [at, to) */
    CUT_TAIL,  /* all components from `at` on */
    KEEP_ID,   /* of component `at` the id */
    KEEP_MARK, /* the same with its mark */
    KEEP_WORDS
} change_kind;

/* One way to forget something of a form. */
typedef struct change {
    uint8_t    kind;
    uint8_t    fixed;    /* bits: components of the block that stay literal */
    bool       slug;     /* what is forgotten is written as such: other texts stay */
    bool       hash;     /* the same as so many hexadecimal digits, wherever the rest of the path leads */
    uint8_t    key;      /* bytes of a component ref=sr_1_3, up to its =, that stay literal; 0: it has none */
    uint32_t   at, to;
    dp_reading how;
    uint64_t   result;   /* hash of what it makes of the path */
    uint64_t   rule;     /* hash of the rule that says it, 0: nobody has asked */
} change;

/* How what is not at hand is written: START_REST is literal, and {**} from the second component behind it on. */
typedef enum start_how { START_LITERAL, START_ANY, START_GLOB, START_REST, START_HOWS } start_how;

/* A change of one of the forms, or the form as it is. */
typedef struct entry {
    uint64_t result;
    uint32_t form, number; /* number: of the change, UINT32_MAX: none */
} entry;

typedef struct dp_forgetting {
    dp_pairing     *p;
    const dp_frame *form[MOST_FORMS];
    size_t          n;
    uint32_t        start, end; /* components that all forms have in common at both ends */
    change          v[MOST_FORMS][MOST_CHANGES];
    uint32_t        nchange[MOST_FORMS];
    uint64_t        hash[MOST_SEGS]; /* of the components of the form at hand */
    entry           at[MOST_FORMS * (MOST_CHANGES + 1)];
    size_t          nat;
    dp_buf          room;
} page;

static bool is_function(const dp_pairing *p, dp_str seg)
{
    return !seg.n || (!dp_all(seg, DP_CH_DIGIT) && dp_lexicon_has(p->lexicon, seg));
}

/* Letters, digits, - and _, a letter among them: the class slug of the rule language. */
static bool is_slug(dp_str text)
{
    bool letter = false;
    for (size_t i = 0; i < text.n; i++) {
        letter |= dp_is(text.p[i], DP_CH_ALPHA);
        if (!dp_is(text.p[i], DP_CH_ALNUM) && text.p[i] != '-' && text.p[i] != '_')
            return false;
    }
    return letter;
}

/* ---- text ---------------------------------------------------------------------------------- */

/* A component that stays: as it is, or captured. */
static void put_other(const dp_pairing *p, dp_buf *out, const dp_frame *f, uint32_t i, start_how s, bool left)
{
    dp_str seg = dp_frame_seg(f, i), tail = dp_str_cut(seg, seg.n, seg.n);
    bool   literal = s == START_LITERAL || s == START_REST;
    dp_buf_byte(out, '/');
    if (!seg.n || (literal && is_function(p, seg))) {
        dp_buf_str(out, seg);
        return;
    }
    if (literal) {
        tail = dp_tail_of(seg);
        seg = dp_str_cut(seg, 0, seg.n - tail.n);
    }
    dp_buf_byte(out, '{');
    dp_buf_byte(out, (char)('a' + i));
    if (left && dp_all(seg, DP_CH_DIGIT))
        dp_buf_c(out, ":int");
    dp_buf_byte(out, '}');
    dp_buf_str(out, tail);
}

/* A component ref=sr_1_3 as ref={z}. */
static void put_keyed(dp_buf *out, dp_str seg, uint8_t key)
{
    dp_buf_byte(out, '/');
    dp_buf_str(out, dp_str_cut(seg, 0, key));
    dp_buf_c(out, "{z}");
}

static void put_slug(dp_buf *out, uint32_t i)
{
    dp_buf_c(out, "/{");
    dp_buf_byte(out, (char)('a' + i));
    dp_buf_c(out, ":slug}");
}

static void put_hash(dp_buf *out, uint32_t i, size_t digits)
{
    dp_buf_printf(out, "/{%c:hex*%zu}", (char)('a' + i), digits);
}

static void put_id(dp_buf *out, const dp_reading *r, bool left)
{
    dp_buf_c(out, !left || r->is_list ? "{x}" : r->is_hex ? "{x:hex}" : "{x:int}");
}

/* The component that is read, as a left side or as what is kept of it. */
static void put_reading(dp_buf *out, const change *c, bool left)
{
    const dp_reading *r = &c->how;
    bool              id = left || c->kind != KEEP_WORDS, words = left || c->kind == KEEP_WORDS;
    bool              mark = left || c->kind == KEEP_MARK;
    const char       *z = left && c->slug ? "{z:slug}" : "{z}";
    dp_buf_byte(out, '/');
    if (r->id_first) {
        dp_buf_str(out, id ? r->lead : (dp_str){0});
        if (id)
            put_id(out, r, left);
        dp_buf_str(out, mark ? r->mark : (dp_str){0});
        dp_buf_c(out, words ? z : "");
    } else {
        dp_buf_c(out, words ? z : "");
        dp_buf_str(out, mark ? r->mark : (dp_str){0});
        if (id)
            put_id(out, r, left);
    }
    dp_buf_str(out, r->tail);
}

static void put_side(const dp_pairing *p, dp_buf *out, const dp_frame *f, const change *c, start_how s, bool left)
{
    size_t begin = out->n;
    if (s == START_GLOB && c->at)
        dp_buf_c(out, "/{**}");
    for (uint32_t i = s == START_GLOB ? c->at : 0; i < f->nseg; i++) {
        bool in = i >= c->at && i < c->to;
        if (s == START_REST && i == c->to + !c->hash) {
            dp_buf_c(out, "/{**}");
            break;
        }
        if (!in)
            put_other(p, out, f, i, s, left);
        else if (c->kind >= KEEP_ID)
            put_reading(out, c, left);
        else if (c->kind == CUT_TAIL && i == c->at && left)
            dp_buf_c(out, "/{**}");
        else if (c->kind == LEAVE_OUT && left && c->key)
            put_keyed(out, dp_frame_seg(f, i), c->key);
        else if (c->kind == LEAVE_OUT && left && c->hash)
            put_hash(out, i, dp_frame_seg(f, i).n);
        else if (c->kind == LEAVE_OUT && left && c->slug && !(c->fixed >> (i - c->at) & 1))
            put_slug(out, i);
        else if (c->kind == LEAVE_OUT && left)
            put_other(p, out, f, i, c->fixed >> (i - c->at) & 1 ? START_LITERAL : START_ANY, left);
    }
    if (out->n == begin)
        dp_buf_byte(out, '/');
}

static void put_rule(const dp_pairing *p, dp_buf *out, const dp_frame *f, const change *c, start_how s)
{
    put_side(p, out, f, c, s, true);
    dp_buf_c(out, " => ");
    put_side(p, out, f, c, s, false);
}

/* What is forgotten of the form. */
static dp_str forgotten(const dp_frame *f, const change *c)
{
    if (c->kind < KEEP_ID)
        return dp_frame_cut(f, f->seg[c->at], f->seg[c->to] - 1);
    return c->kind == KEEP_WORDS ? c->how.id : c->how.words;
}

/* ---- changes ------------------------------------------------------------------------------- */

static uint64_t fold(uint64_t sum, uint64_t hash)
{
    return (sum ^ hash) * 0x9E3779B97F4A7C15u + (sum >> 29);
}

/* The hash of a path of these components, without [at, to), or with another one in their place. */
static uint64_t hash_path(const page *g, const dp_frame *f, uint32_t at, uint32_t to, const uint64_t *other)
{
    uint64_t sum = 1;
    for (uint32_t i = 0; i < at; i++)
        sum = fold(sum, g->hash[i]);
    if (other)
        sum = fold(sum, *other);
    for (uint32_t i = to; i < f->nseg; i++)
        sum = fold(sum, g->hash[i]);
    return sum;
}

/* The hash of what is kept of a component. */
static uint64_t hash_kept(page *g, const change *c)
{
    const dp_reading *r = &c->how;
    dp_buf           *b = &g->room;
    dp_buf_reset(b);
    if (r->id_first && c->kind != KEEP_WORDS)
        dp_buf_str(b, r->lead);
    if (!r->id_first && c->kind == KEEP_MARK)
        dp_buf_str(b, r->mark);
    dp_buf_str(b, c->kind == KEEP_WORDS ? r->words : r->id);
    if (r->id_first && c->kind == KEEP_MARK)
        dp_buf_str(b, r->mark);
    dp_buf_str(b, r->tail);
    return dp_hash_str(dp_buf_view(b));
}

static void add_change(page *g, uint32_t k, change c)
{
    if (g->nchange[k] == MOST_CHANGES)
        return;
    uint64_t kept = c.kind < KEEP_ID ? 0 : hash_kept(g, &c);
    c.result = hash_path(g, g->form[k], c.at, c.to, c.kind < KEEP_ID ? NULL : &kept);
    g->at[g->nat++] = (entry){c.result, k, g->nchange[k]};
    g->v[k][g->nchange[k]++] = c;
}

static void read_inside(page *g, uint32_t k, uint32_t i)
{
    dp_reading r[DP_MOST_READINGS];
    size_t     n = dp_readings_of(r, dp_frame_seg(g->form[k], i));
    for (size_t j = 0; j < n; j++) {
        add_change(g, k, (change){.kind = KEEP_MARK, .at = i, .to = i + 1, .how = r[j]});
        if (r[j].mark.n == 1)
            add_change(g, k, (change){.kind = KEEP_ID, .at = i, .to = i + 1, .how = r[j]});
        add_change(g, k, (change){.kind = KEEP_WORDS, .at = i, .to = i + 1, .how = r[j]});
    }
    if (dp_reading_of_list(r, dp_frame_seg(g->form[k], i)))
        add_change(g, k, (change){.kind = KEEP_MARK, .at = i, .to = i + 1, .how = r[0]});
}

static void read_blocks(page *g, uint32_t k, uint32_t i)
{
    const dp_frame *f = g->form[k];
    uint8_t         common = 0;
    for (uint32_t n = 1; n <= MOST_BLOCK && i + n <= f->nseg && dp_frame_seg(f, i + n - 1).n; n++) {
        if (is_function(g->p, dp_frame_seg(f, i + n - 1)))
            common |= (uint8_t)(1u << (n - 1));
        for (uint8_t fixed = 0; fixed + 1u < 1u << n; fixed++)
            if ((fixed & common) == fixed)
                add_change(g, k, (change){.kind = LEAVE_OUT, .fixed = fixed, .at = i, .to = i + n});
    }
}

/* A pair as a component, /ref=sr_1_3. */
static void read_pair(page *g, uint32_t k, uint32_t i)
{
    dp_str seg = dp_frame_seg(g->form[k], i);
    size_t key = 0;
    while (key < seg.n && (dp_is(seg.p[key], DP_CH_ALNUM) || seg.p[key] == '_' || seg.p[key] == '-'))
        key++;
    if (key && key <= MOST_KEY && key + 1 < seg.n && seg.p[key] == '=' && !memchr(seg.p, '*', seg.n))
        add_change(g, k, (change){.kind = LEAVE_OUT, .key = (uint8_t)(key + 1), .at = i, .to = i + 1});
}

static void read_form(page *g, uint32_t k)
{
    const dp_frame *f = g->form[k];
    uint32_t        end = f->nseg - g->end;
    for (uint32_t i = 0; i < f->nseg; i++)
        g->hash[i] = dp_hash_str(dp_frame_seg(f, i));
    g->nchange[k] = 0;
    g->at[g->nat++] = (entry){hash_path(g, f, f->nseg, f->nseg, NULL), k, UINT32_MAX};
    for (uint32_t i = g->start; i < end; i++) {
        if (!dp_frame_seg(f, i).n)
            continue;
        read_inside(g, k, i);
        read_blocks(g, k, i);
        read_pair(g, k, i);
        if (i && i + 1 < f->nseg)
            add_change(g, k, (change){.kind = CUT_TAIL, .at = i, .to = f->nseg});
    }
}

static int by_result(const void *x, const void *y)
{
    const entry *a = x, *b = y;
    if (a->result != b->result)
        return a->result < b->result ? -1 : 1;
    if (a->form != b->form)
        return a->form < b->form ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* The hash of the rule that says a change and nothing more. */
static uint64_t rule_of(page *g, const entry *x)
{
    change *c = &g->v[x->form][x->number];
    if (!c->rule) {
        dp_buf_reset(&g->room);
        put_rule(g->p, &g->room, g->form[x->form], c, START_LITERAL);
        c->rule = dp_hash_str(dp_buf_view(&g->room)) | 1;
    }
    return c->rule;
}

/* Whether two changes are one rule. An id that both forget is no reason to forget it, nor is a number that one of them
 * has with leading zeros, or what says which kind of id follows: nobody has seen it change. */
static bool is_one_rule(page *g, const entry *x, const entry *y)
{
    const change *c = &g->v[x->form][x->number], *d = &g->v[y->form][y->number];
    if (c->kind != d->kind || c->at != d->at || c->fixed != d->fixed)
        return false;
    dp_str gone = forgotten(g->form[x->form], c), also = forgotten(g->form[y->form], d);
    if (dp_share_id(gone, also) || (!dp_str_eq(gone, also) && dp_same_but_zeros(gone, also)))
        return false;
    if ((c->kind == KEEP_ID || c->kind == KEEP_MARK) && c->how.mark.n == 1 && !c->how.id_first &&
        dp_share_mark(c->how.words, d->how.words))
        return false;
    return rule_of(g, x) == rule_of(g, y);
}

/* How what is forgotten is written: it may be anything, words, a hash. */
typedef enum as { AS_ANY, AS_SLUG, AS_HASH } as;

static void propose(page *g, const entry *x, as what)
{
    const dp_frame *f = g->form[x->form];
    change          one = g->v[x->form][x->number];
    const change   *c = &one;
    one.slug = what == AS_SLUG;
    one.hash = what == AS_HASH;
    for (int s = START_LITERAL; s < START_HOWS; s++) {
        if (one.slug && s != START_LITERAL && s != START_GLOB)
            continue;
        if (s == START_GLOB && (!c->at || c->kind == CUT_TAIL || f->nseg - c->to > MOST_BEHIND))
            continue;
        if (s == START_REST && (c->kind == CUT_TAIL || f->nseg - c->to < 2u - c->hash ||
                                !dp_frame_seg(f, f->nseg - 1).n))
            continue;
        put_rule(g->p, &g->p->text, f, c, (start_how)s);
        dp_pairing_propose(g->p, DP_TIER_FORGET, DP_FAMILY_FORGET);
    }
}

/* Whether a change forgets words, in one component. */
static bool forgets_slug(const page *g, const entry *x)
{
    const change *c = &g->v[x->form][x->number];
    return c->to == c->at + 1 && !c->key && (c->kind == LEAVE_OUT || c->kind == KEEP_ID || c->kind == KEEP_MARK) &&
           is_slug(forgotten(g->form[x->form], c));
}

/* Whether a change forgets a hash, which is a component. */
static bool forgets_hash(const page *g, const entry *x)
{
    const change *c = &g->v[x->form][x->number];
    dp_str        gone = forgotten(g->form[x->form], c);
    return c->kind == LEAVE_OUT && c->to == c->at + 1 && !c->fixed && !c->key && gone.n >= LEAST_HASH &&
           gone.n <= UINT8_MAX && dp_all(gone, DP_CH_HEX);
}

/* Changes [from, end) have one result. One is proposed where this is another form of the page, or what the same rule
 * makes of one. */
static void look_at_result(page *g, size_t from, size_t end)
{
    for (size_t i = from; i < end; i++) {
        bool together = false, slugs = false;
        for (size_t j = from; j < end && g->at[i].number != UINT32_MAX && !slugs; j++) {
            bool here = g->at[j].form != g->at[i].form &&
                        (g->at[j].number == UINT32_MAX || is_one_rule(g, &g->at[i], &g->at[j]));
            together |= here;
            slugs = here && forgets_slug(g, &g->at[i]) && (g->at[j].number == UINT32_MAX || forgets_slug(g, &g->at[j]));
        }
        if (together)
            propose(g, &g->at[i], AS_ANY);
        if (slugs)
            propose(g, &g->at[i], AS_SLUG);
        if (together && forgets_hash(g, &g->at[i]))
            propose(g, &g->at[i], AS_HASH);
    }
}

/* What all forms have in common at both ends; false: they have one path, or too many components. */
static bool find_common(page *g)
{
    g->start = g->end = MOST_SEGS;
    bool differ = false;
    for (size_t k = 0; k < g->n; k++) {
        dp_path_cut c = dp_path_cut_of(g->form[0], g->form[k]);
        if (g->form[k]->nseg > MOST_SEGS)
            return false;
        if (k == 0 || (c.start == g->form[0]->nseg && c.start == g->form[k]->nseg))
            continue;
        differ = true;
        g->start = c.start < g->start ? c.start : g->start;
        g->end = c.end < g->end ? c.end : g->end;
    }
    return differ;
}

dp_err dp_forgetting_new(dp_forgetting **out)
{
    *out = malloc(sizeof **out);
    if (!*out)
        return DP_ENOMEM;
    (*out)->room = (dp_buf){0};
    return DP_OK;
}

void dp_forgetting_free(dp_forgetting *g)
{
    if (!g)
        return;
    dp_buf_done(&g->room);
    free(g);
}

void dp_layout_forget(dp_forgetting *g, dp_pairing *p, const dp_frame *const *form, size_t n)
{
    g->p = p;
    g->n = n < MOST_FORMS ? n : MOST_FORMS;
    g->nat = 0;
    memcpy(g->form, form, g->n * sizeof *form);
    if (g->n < 2 || !find_common(g))
        return;
    for (uint32_t k = 0; k < g->n; k++)
        read_form(g, k);
    qsort(g->at, g->nat, sizeof *g->at, by_result);
    for (size_t i = 0, j; i < g->nat; i = j) {
        for (j = i + 1; j < g->nat && g->at[j].result == g->at[i].result; j++) {}
        if (j - i > 1)
            look_at_result(g, i, j);
    }
    p->out->failed |= g->room.failed;
}
