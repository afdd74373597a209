/* Ideas about the whole: every part of the one URL out of parts of the other.
 *
 *     /print.pl?sid=2004/05/17/48213     =>  /news/2004/05/17/48213.htm
 *     /print.pl?sid={a}/{b}/{c}/{d}      =>  /news/{a}/{b}/{c}/{d}.htm
 *
 * Function and argument (SIGIR 2017): words that many pages share are literals, the rest are arguments. An argument of
 * the target must occur in the source, at boundaries of runs of letters or digits; what the source has beyond that is
 * of any value.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/auto/propose_path.h"

enum { MOST_PARTS = 24, MOST_REFS = 16 };

/* A component, or the value of a pair. */
typedef struct part {
    dp_str text, name; /* name: of a pair */
    bool   is_pair, has_eq;
    bool   same;       /* the other URL has it at the same place */
    bool   passes;     /* a pair that both have: not written */
} part;

typedef struct parts {
    part     v[MOST_PARTS];
    uint32_t n, nseg;
} parts;

/* A piece of the source that the target uses. */
typedef struct ref {
    uint32_t part;
    size_t   from, to;
    char     name;
} ref;

typedef struct building {
    dp_pairing *p;
    parts       u, v;
    ref         ref[MOST_REFS];
    uint32_t    nref;
    bool        eager;  /* words that many pages share may be arguments, too */
    uint32_t    same;   /* components that both begin with */
    bool        failed; /* cannot be said */
} building;

static bool read_parts(parts *out, const dp_frame *f)
{
    if (f->nseg + f->npair > MOST_PARTS)
        return false;
    *out = (parts){.nseg = f->nseg};
    for (uint32_t i = 0; i < f->nseg; i++)
        out->v[out->n++] = (part){.text = dp_frame_seg(f, i)};
    for (uint32_t i = 0; i < f->npair; i++) {
        const dp_pair *q = &f->pair[i];
        out->v[out->n++] = (part){.text = dp_pair_value(f, q), .name = dp_pair_name(f, q), .is_pair = true,
                                  .has_eq = q->has_eq};
    }
    return true;
}

static bool is_delimiter(char c)
{
    return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
}

/* A piece `word` of the source, whole words of it; remembered, or found again. NULL: there is none. */
static ref *refer(building *b, dp_str word)
{
    for (uint32_t i = 0; i < b->u.n; i++) {
        const part *q = &b->u.v[i];
        if (q->passes)
            continue;
        for (size_t at = 0; at + word.n <= q->text.n; at = dp_lexicon_end(q->text, at)) {
            if (q->text.p[at] != word.p[0] || memcmp(q->text.p + at, word.p, word.n) != 0)
                continue;
            size_t end = at;
            while (end < at + word.n)
                end = dp_lexicon_end(q->text, end);
            if (end != at + word.n)
                continue;
            bool clash = false;
            for (uint32_t k = 0; k < b->nref; k++) {
                ref *r = &b->ref[k];
                if (r->part == i && r->from == at && r->to == end)
                    return r;
                clash |= r->part == i && r->from < end && at < r->to;
            }
            if (clash || b->nref == MOST_REFS)
                continue;
            b->ref[b->nref] = (ref){i, at, end, (char)('a' + b->nref)};
            return &b->ref[b->nref++];
        }
    }
    return NULL;
}

/* Write part `t` of the target: the longest pieces that the source has, and literals between them. */
static void put_target(building *b, dp_str t)
{
    dp_buf *out = &b->p->other;
    bool    after = false; /* a reference: two of them must not touch */
    for (size_t i = 0, j; i < t.n; i = j) {
        ref *r = NULL;
        j = dp_lexicon_end(t, i);
        if (!after && !is_delimiter(t.p[i])) {
            size_t ends[64], n = 0;
            for (size_t e = i; e < t.n && n < 64;)
                ends[n++] = e = dp_lexicon_end(t, e);
            while (n-- && !r) {
                dp_str word = dp_str_cut(t, i, ends[n]);
                if (is_delimiter(word.p[word.n - 1]) || (!b->eager && dp_lexicon_has(b->p->lexicon, word)))
                    continue;
                r = refer(b, word);
                j = r ? ends[n] : j;
            }
        }
        if (r) {
            dp_put_capture(out, r->name);
        } else {
            dp_str word = dp_str_cut(t, i, j);
            if (!is_delimiter(word.p[0]) && !dp_lexicon_has(b->p->lexicon, word))
                b->failed = true; /* an argument out of nowhere */
            dp_buf_str(out, word);
        }
        after = r != NULL;
    }
}

/* Write part `i` of the source: its references as captures, between them literals, or captures of no use. */
static void put_source(building *b, uint32_t i)
{
    dp_buf *out = &b->p->text;
    dp_str  t = b->u.v[i].text;
    bool    used = false;
    for (uint32_t k = 0; k < b->nref; k++)
        used |= b->ref[k].part == i;
    if (!used) {
        if (!t.n || dp_lexicon_has(b->p->lexicon, t))
            dp_buf_str(out, t);
        else
            dp_put_capture(out, (char)('A' + i));
        return;
    }
    for (size_t at = 0; at < t.n;) {
        size_t next = t.n;
        ref   *here = NULL;
        for (uint32_t k = 0; k < b->nref; k++) {
            ref *r = &b->ref[k];
            if (r->part != i || r->from < at)
                continue;
            if (r->from == at)
                here = r;
            else if (r->from < next)
                next = r->from;
        }
        if (here) {
            dp_put_capture(out, here->name);
            at = here->to;
            continue;
        }
        /* A gap: literal when all its words are functions, else its inner part is of any value. */
        dp_str gap = dp_str_cut(t, at, next);
        bool   literal = true;
        for (size_t x = 0, y; x < gap.n; x = y) {
            y = dp_lexicon_end(gap, x);
            literal &= is_delimiter(gap.p[x]) || dp_lexicon_has(b->p->lexicon, dp_str_cut(gap, x, y));
        }
        size_t from = 0, to = gap.n;
        while (from < to && is_delimiter(gap.p[from]))
            from++;
        while (to > from && is_delimiter(gap.p[to - 1]))
            to--;
        if (literal || from == to) {
            dp_buf_str(out, gap);
        } else {
            b->failed |= (at && from == 0) || (next < t.n && to == gap.n); /* captures would touch */
            dp_buf_str(out, dp_str_cut(gap, 0, from));
            dp_put_capture(out, (char)('A' + i));
            dp_buf_str(out, dp_str_cut(gap, to, gap.n));
        }
        at = next;
    }
}

/* How components that both have at the start are written. */
typedef enum start_how { START_ANY, START_LITERAL, START_GLOB } start_how;

static void put_start(building *b, start_how s)
{
    for (uint32_t i = 0; i < b->same; i++) {
        dp_str seg = b->u.v[i].text;
        bool   literal = s == START_LITERAL && dp_lexicon_has(b->p->lexicon, seg);
        for (int side = 0; side < 2; side++) {
            dp_buf *out = side ? &b->p->other : &b->p->text;
            if (s == START_GLOB) {
                if (i == 0)
                    dp_buf_c(out, "/{**}");
                continue;
            }
            dp_buf_byte(out, '/');
            if (literal || !seg.n)
                dp_buf_str(out, seg);
            else
                dp_buf_printf(out, "{s%u}", (unsigned)i);
        }
    }
}

static void put_pair(dp_buf *out, const part *q, bool *first)
{
    dp_buf_byte(out, *first ? '?' : '&');
    *first = false;
    dp_buf_str(out, q->name);
    if (q->has_eq)
        dp_buf_byte(out, '=');
}

static void build(building *b, start_how s)
{
    dp_buf *left = &b->p->text, *right = &b->p->other;
    bool    open = false, first = true;
    b->nref = 0;
    b->failed = false;
    put_start(b, s);
    for (uint32_t i = b->same; i < b->v.nseg; i++) {
        dp_buf_byte(right, '/');
        put_target(b, b->v.v[i].text);
    }
    for (uint32_t i = b->v.nseg; i < b->v.n; i++) {
        if (b->v.v[i].passes) {
            open = true;
            continue;
        }
        put_pair(right, &b->v.v[i], &first);
        put_target(b, b->v.v[i].text);
    }
    if (open)
        dp_buf_c(right, first ? "?..." : "&...");
    first = true;
    for (uint32_t i = b->same; i < b->u.nseg; i++) {
        dp_buf_byte(left, '/');
        put_source(b, i);
    }
    for (uint32_t i = b->u.nseg; i < b->u.n; i++) {
        if (b->u.v[i].passes)
            continue;
        put_pair(left, &b->u.v[i], &first);
        put_source(b, i);
    }
    if (open)
        dp_buf_c(left, first ? "?..." : "&...");
    if (b->same == b->u.nseg && s != START_GLOB && left->n == 0)
        b->failed = true;
    if (!b->failed && b->nref) {
        dp_buf_c(left, " => ");
        dp_buf_str(left, dp_buf_view(right));
        b->p->out->failed |= right->failed;
        dp_buf_reset(right);
        dp_pairing_propose(b->p, DP_TIER_LITERAL, DP_FAMILY_TEMPLATE);
    }
    b->p->out->failed |= left->failed || right->failed;
    dp_buf_reset(left);
    dp_buf_reset(right);
}

static bool only_params_differ(const dp_frame *u, const dp_frame *v)
{
    return dp_str_eq(dp_frame_cut(u, u->path, u->path_end), dp_frame_cut(v, v->path, v->path_end));
}

void dp_generate_template(dp_pairing *p)
{
    building b = {.p = p};
    if (only_params_differ(p->u, p->v) || !read_parts(&b.u, p->u) || !read_parts(&b.v, p->v))
        return;
    for (uint32_t i = b.u.nseg; i < b.u.n; i++)
        for (uint32_t k = b.v.nseg; k < b.v.n; k++)
            if (!b.v.v[k].passes && !b.u.v[i].passes && dp_str_eq(b.u.v[i].name, b.v.v[k].name) &&
                dp_str_eq(b.u.v[i].text, b.v.v[k].text) && b.u.v[i].has_eq == b.v.v[k].has_eq)
                b.u.v[i].passes = b.v.v[k].passes = true;
    uint32_t start_n = dp_path_cut_of(p->u, p->v).start;
    b.same = start_n;
    for (int eager = 0; eager < 2; eager++) {
        b.eager = eager;
        build(&b, START_ANY);
        if (start_n) {
            build(&b, START_LITERAL);
            build(&b, START_GLOB);
        }
    }
}
