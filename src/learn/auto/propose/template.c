/* Ideas about the whole: every part of the one URL out of parts of the other.
 *
 *     /print.pl?sid=2004/05/17/48213     =>  /news/2004/05/17/48213.htm
 *     /print.pl?sid={a}/{b}/{c}/{d}      =>  /news/{a}/{b}/{c}/{d}.htm
 *
 * Function and argument (SIGIR 2017): words that many pages share are literals, the rest are arguments. An argument of
 * the target must occur in the source, at boundaries of runs of letters or digits; what the source has beyond that is
 * of any value. Parameters that neither side needs pass.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/auto/layout/reading.h"
#include "learn/auto/propose/path.h"
#include "learn/auto/thresholds.h"
#include "url/chars.h"

enum {
    MOST_PARTS = 24,
    MOST_REFS = 16,
    LONGEST_WORD = 64, /* runs */
    MOST_MARK = 3,     /* runs that stand between what is forgotten and a reference */
    MOST_RUNS = 256    /* of a URL: each of one is compared with each of the other */
};

/* Whether the lexicon has a text, and whether so many pages have it that it is part of every URL, asked once. */
typedef enum in_lexicon { NOT_ASKED, IS_ARGUMENT, IS_FUNCTION, IS_FRAME } in_lexicon;

/* A run of letters or digits, or a delimiter (dp_lexicon_end). */
typedef struct run {
    const char *p;
    uint32_t    n;
    uint8_t     known;    /* in_lexicon */
    bool        is_delimiter;
} run;

/* A component, or the value of a pair. */
typedef struct part {
    dp_str   text, name; /* name: of a pair */
    bool     is_pair, has_eq;
    bool     passes;     /* a pair that both have: not written */
    bool     used;       /* something of it is referred to */
    uint8_t  known;      /* in_lexicon */
    uint32_t first, end; /* its runs */
} part;

typedef struct parts {
    part     v[MOST_PARTS];
    uint32_t n, nseg;
    run     *run; /* of all parts, in order */
} parts;

/* Runs of the source that the target uses. */
typedef struct ref {
    uint32_t part, from, to;
    char     name;
    bool     padded; /* a number that the target has without its leading zeros */
} ref;

/* Which words are arguments: those that few pages have; also others; all but those that most pages have. WHOLE: the
 * rest of the path is the value of one parameter, however many components it has. */
typedef enum arguments { USUAL, EAGER, STRICT, WHOLE, ARGUMENTS } arguments;

typedef struct building {
    dp_pairing *p;
    parts       u, v;
    ref         ref[MOST_REFS];
    uint32_t    nref;
    arguments   how;
    bool        refused; /* there were some that are not, so that being eager makes a difference */
    uint32_t    same;    /* components that both begin with */
    bool        failed;  /* cannot be said */
    bool        forgets; /* something of the source is of any value */
    bool        strays;  /* the target has a word that is just one of those that stand there */
} building;

static bool is_delimiter(char c)
{
    return !dp_is(c, DP_CH_ALNUM);
}

/* The end of the run that begins at `at`: a hash is one, whatever digits are in it. */
static size_t run_end(dp_str t, size_t at)
{
    size_t end = at;
    while (end < t.n && dp_is(t.p[end], DP_CH_ALNUM))
        end++;
    bool whole = end > at && (!at || !dp_is(t.p[at - 1], DP_CH_ALNUM)) && dp_is_hash(dp_str_cut(t, at, end));
    return whole ? end : dp_lexicon_end(t, at);
}

/* Cut the parts of a frame; the runs lie in `room`. False: there are too many. */
static bool read_parts(parts *out, const dp_frame *f, dp_buf *room)
{
    if (f->nseg + f->npair > MOST_PARTS)
        return false;
    out->n = 0;
    out->nseg = f->nseg;
    for (uint32_t i = 0; i < f->nseg; i++)
        out->v[out->n++] = (part){.text = dp_frame_seg(f, i)};
    for (uint32_t i = 0; i < f->npair; i++) {
        const dp_pair *q = &f->pair[i];
        out->v[out->n++] = (part){.text = dp_pair_value(f, q), .name = dp_pair_name(f, q), .is_pair = true,
                                  .has_eq = q->has_eq};
    }
    dp_buf_reset(room);
    if (!dp_buf_room(room, MOST_RUNS * sizeof(run)))
        return false;
    out->run = (run *)(void *)room->p;
    uint32_t n = 0;
    for (uint32_t i = 0; i < out->n; i++) {
        dp_str t = out->v[i].text;
        out->v[i].first = n;
        for (size_t at = 0, end; at < t.n; at = end) {
            if (n == MOST_RUNS)
                return false;
            end = run_end(t, at);
            out->run[n++] = (run){t.p + at, (uint32_t)(end - at), NOT_ASKED, is_delimiter(t.p[at])};
        }
        out->v[i].end = n;
    }
    return true;
}

static bool is_function(const building *b, uint8_t *known, const char *p, size_t n)
{
    const dp_lexicon *w = b->p->lexicon;
    dp_str            text = {p, n};
    if (*known == NOT_ASKED)
        *known = !dp_lexicon_has(w, text)                       ? IS_ARGUMENT
                 : dp_lexicon_share(w, text) < DP_FRAME_WORD ? IS_FUNCTION
                                                             : IS_FRAME;
    return *known >= (b->how == STRICT ? IS_FRAME : IS_FUNCTION);
}

static bool run_is_function(const building *b, run *r)
{
    return is_function(b, &r->known, r->p, r->n);
}

static bool is_number(dp_str text)
{
    return text.n && dp_all(text, DP_CH_DIGIT);
}

/* A number is a field, however many pages have it. */
static bool part_is_function(const building *b, part *q)
{
    return !is_number(q->text) && is_function(b, &q->known, q->text.p, q->text.n);
}

static bool same_run(const run *x, const run *y)
{
    return x->n == y->n && x->p[0] == y->p[0] && memcmp(x->p, y->p, x->n) == 0;
}

/* How many runs are equal from `x` and `y` on. */
static uint32_t count_same(const run *x, const run *xend, const run *y, const run *yend)
{
    uint32_t n = 0;
    while (x + n < xend && y + n < yend && same_run(x + n, y + n))
        n++;
    return n;
}

/* The most runs from `word` on that the source has anywhere. */
static uint32_t longest(const building *b, const run *word, const run *end)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < b->u.n; i++) {
        const part *q = &b->u.v[i];
        for (uint32_t k = q->first; !q->passes && k < q->end; k++) {
            uint32_t n = count_same(word, end, b->u.run + k, b->u.run + q->end);
            most = n > most ? n : most;
        }
    }
    return most;
}

/* The `n` runs from `word` on in the source; remembered, or found again. NULL: there is none. */
static ref *refer(building *b, const run *word, uint32_t n)
{
    for (uint32_t i = 0; i < b->u.n; i++) {
        const part *q = &b->u.v[i];
        for (uint32_t at = q->first; !q->passes && at + n <= q->end; at++) {
            if (count_same(word, word + n, b->u.run + at, b->u.run + q->end) != n)
                continue;
            bool clash = false;
            for (uint32_t k = 0; k < b->nref; k++) {
                ref *r = &b->ref[k];
                if (r->part == i && r->from == at && r->to == at + n)
                    return r;
                clash |= r->part == i && r->from < at + n && at < r->to;
            }
            if (clash || b->nref == MOST_REFS)
                continue;
            b->ref[b->nref] = (ref){i, at, at + n, (char)('a' + b->nref), false};
            return &b->ref[b->nref++];
        }
    }
    return NULL;
}

static bool is_used(const building *b, uint32_t number, uint32_t at)
{
    bool used = false;
    for (uint32_t k = 0; k < b->nref; k++)
        used |= b->ref[k].part == number && b->ref[k].from <= at && at < b->ref[k].to;
    return used;
}

/* Whether `x` is the number `word` behind zeros. */
static bool is_padded(const run *x, const run *word)
{
    size_t zeros = 0;
    while (zeros < x->n && x->p[zeros] == '0')
        zeros++;
    return zeros && x->n - zeros == word->n && memcmp(x->p + zeros, word->p, word->n) == 0;
}

/* A number that the source has with leading zeros. NULL: it has not. */
static ref *refer_padded(building *b, const run *word)
{
    if (!word->n || !dp_is(word->p[0], DP_CH_DIGIT) || b->nref == MOST_REFS)
        return NULL;
    for (uint32_t i = 0; i < b->u.n; i++) {
        const part *q = &b->u.v[i];
        for (uint32_t at = q->first; !q->passes && at < q->end; at++) {
            if (is_used(b, i, at) || !is_padded(&b->u.run[at], word))
                continue;
            b->ref[b->nref] = (ref){i, at, at + 1, (char)('a' + b->nref), true};
            return &b->ref[b->nref++];
        }
    }
    return NULL;
}

/* The longest piece from `word` on that may be an argument. */
static ref *find_argument(building *b, run *word, const run *end)
{
    ref     *r = NULL;
    uint32_t n = longest(b, word, end - word < LONGEST_WORD ? end : word + LONGEST_WORD);
    for (; n && !r; n--) {
        const run *last = &word[n - 1];
        if (last->is_delimiter)
            continue;
        if (b->how != EAGER && (n == 1 ? run_is_function(b, word)
                                 : dp_lexicon_has(b->p->lexicon,
                                                  (dp_str){word->p, (size_t)(last->p + last->n - word->p)}) &&
                                       b->how == USUAL))
            b->refused = true;
        else
            r = refer(b, word, n);
    }
    return r;
}

/* Whether a literal of the target is but one of the words that stand there: a member of the class as good as any, and
 * no form of its own. An arrow may lead to one all the same. */
static bool is_one_of_many(const building *b, dp_str text)
{
    return text.n && dp_lexicon_share(b->p->lexicon, text) < DP_OWN_FORM;
}

/* Write part `t` of the target: the longest pieces that the source has, and literals between them. */
static void put_target(building *b, const part *t)
{
    dp_buf *out = &b->p->other;
    bool    after = false; /* a reference: two of them must not touch */
    run    *end = b->v.run + t->end;
    for (run *at = b->v.run + t->first; at < end && !b->failed;) {
        ref *r = after || at->is_delimiter ? NULL : find_argument(b, at, end);
        r = r || after || b->how == WHOLE ? r : refer_padded(b, at);
        if (r && r->padded) {
            dp_buf_printf(out, "{%c|int}", r->name);
            at++;
        } else if (r) {
            dp_put_capture(out, r->name);
            at += r->to - r->from;
        } else {
            run_is_function(b, at);
            b->failed = !at->is_delimiter && at->known < IS_FUNCTION; /* an argument out of nowhere */
            b->strays |= !at->is_delimiter && t->end - t->first > 1 && is_one_of_many(b, (dp_str){at->p, at->n}) &&
                         !longest(b, at, at + 1);
            dp_buf_add(out, at->p, at->n);
            at++;
        }
        after = r != NULL;
    }
}

/* A capture of the source, with its class. */
static void put_classed(dp_buf *out, char name, bool number)
{
    dp_buf_byte(out, '{');
    dp_buf_byte(out, name);
    dp_buf_c(out, number ? ":int}" : "}");
}

/* A capture of no use, in part `i`. What a parameter has is forgotten by `drop`, and by no template. */
static void put_forgotten(building *b, uint32_t i, bool number)
{
    put_classed(&b->p->text, (char)('A' + i), number);
    b->forgets = true;
    b->failed |= b->u.v[i].is_pair && !b->u.v[i].used;
}

/* The words of the gap [first, end) that are literal beside a reference: {A}QQitemZ{a}QQ{A}. */
static void shrink(building *b, uint32_t i, uint32_t first, uint32_t end, uint32_t *from, uint32_t *to)
{
    run     *v = b->u.run;
    uint32_t most = end < b->u.v[i].end ? MOST_MARK : 0;
    for (; most && *to > *from && run_is_function(b, &v[*to - 1]); most--)
        --*to;
    if (first > b->u.v[i].first && *from < *to && run_is_function(b, &v[*from]))
        ++*from;
}

/* A gap between references: literal when all its words are functions, else its inner part is of any value. */
static void put_gap(building *b, uint32_t i, uint32_t first, uint32_t end)
{
    dp_buf  *out = &b->p->text;
    run     *v = b->u.run;
    bool     literal = true;
    uint32_t from = first, to = end;
    for (uint32_t k = first; k < end && literal; k++)
        literal = v[k].is_delimiter || run_is_function(b, &v[k]);
    while (from < to && v[from].is_delimiter)
        from++;
    while (to > from && v[to - 1].is_delimiter)
        to--;
    bool whole = literal || from == to;
    if (!whole) {
        shrink(b, i, first, end, &from, &to);
        /* captures would touch */
        b->failed |= from == to || (first > b->u.v[i].first && from == first) || (end < b->u.v[i].end && to == end);
    }
    for (uint32_t k = first; k < end; k++) {
        if (whole || k < from || k >= to)
            dp_buf_add(out, v[k].p, v[k].n);
        else if (k == from)
            put_forgotten(b, i, false);
    }
}

/* Write part `i` of the source: its references as captures, between them literals, or captures of no use. */
static void put_source(building *b, uint32_t i)
{
    dp_buf *out = &b->p->text;
    part   *t = &b->u.v[i];
    bool    used = false;
    for (uint32_t k = 0; k < b->nref; k++)
        used |= b->ref[k].part == i;
    t->used = used;
    if (!used) {
        if (!t->text.n || part_is_function(b, t))
            dp_buf_str(out, t->text);
        else
            put_forgotten(b, i, dp_all(t->text, DP_CH_DIGIT));
        return;
    }
    for (uint32_t at = t->first; at < t->end;) {
        uint32_t   next = t->end;
        const ref *here = NULL;
        for (uint32_t k = 0; k < b->nref; k++) {
            const ref *r = &b->ref[k];
            if (r->part != i || r->from < at)
                continue;
            if (r->from == at)
                here = r;
            else if (r->from < next)
                next = r->from;
        }
        if (here) {
            put_classed(out, here->name, here->to == here->from + 1 && dp_is(b->u.run[here->from].p[0], DP_CH_DIGIT));
            at = here->to;
            continue;
        }
        put_gap(b, i, at, next);
        at = next;
    }
}

/* How components that both have at the start are written. */
typedef enum start_how { START_ANY, START_LITERAL, START_GLOB } start_how;

static void put_start(building *b, dp_buf *out, start_how s)
{
    if (s == START_GLOB && b->same)
        dp_buf_c(out, "/{**}");
    for (uint32_t i = 0; i < b->same && s != START_GLOB; i++) {
        part *q = &b->u.v[i];
        dp_buf_byte(out, '/');
        if (!q->text.n || (s == START_LITERAL && part_is_function(b, q)))
            dp_buf_str(out, q->text);
        else
            dp_put_numbered(out, 's', i, "");
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

/* Whether component `i` of the source, where a literal of the target stands, is a word of any value. */
static bool replaces_any(building *b, uint32_t i)
{
    return b->u.nseg == b->v.nseg && b->u.v[i].text.n && !part_is_function(b, &b->u.v[i]);
}

/* The rest of the target's path as the value of one parameter: /?q=node/12 is /node/12. */
static void put_whole(building *b)
{
    const dp_frame *v = b->p->v;
    dp_str          rest = dp_frame_cut(v, v->seg[b->same], v->path_end);
    b->failed = true;
    for (uint32_t i = b->u.nseg; i < b->u.n && b->failed; i++) {
        const part *q = &b->u.v[i];
        if (q->passes || !dp_str_eq(q->text, rest))
            continue;
        b->ref[b->nref++] = (ref){i, q->first, q->end, 'a', false};
        dp_buf_c(&b->p->other, "/{a}");
        b->failed = false;
    }
}

/* Write what follows the common start, of the target to p->other, of the source to p->text: it is the same whatever
 * the start is. */
static void put_bodies(building *b)
{
    dp_buf *left = &b->p->text, *right = &b->p->other;
    bool    open = b->u.n > b->u.nseg || b->v.n > b->v.nseg, first = true;
    b->nref = 0;
    b->failed = b->refused = b->forgets = b->strays = false;
    dp_buf_reset(left);
    dp_buf_reset(right);
    if (b->how == WHOLE)
        put_whole(b);
    for (uint32_t i = b->same; i < b->v.nseg && !b->failed && b->how != WHOLE; i++) {
        size_t from = right->n;
        dp_buf_byte(right, '/');
        put_target(b, &b->v.v[i]);
        bool literal = !memchr(right->p + from, '{', right->n - from);
        b->strays |= literal && is_one_of_many(b, b->v.v[i].text) && (i + 1 == b->v.nseg || replaces_any(b, i));
    }
    for (uint32_t i = b->v.nseg; i < b->v.n && !b->failed; i++) {
        if (b->v.v[i].passes)
            continue;
        uint32_t refs = b->nref;
        put_pair(right, &b->v.v[i], &first);
        put_target(b, &b->v.v[i]);
        b->failed |= refs == b->nref && !b->p->directed &&
                     (is_one_of_many(b, b->v.v[i].text) || is_number(b->v.v[i].text));
    }
    if (open)
        dp_buf_c(right, first ? "?..." : "&...");
    first = true;
    for (uint32_t i = b->same; i < b->u.nseg && !b->failed; i++) {
        dp_buf_byte(left, '/');
        put_source(b, i);
    }
    for (uint32_t i = b->u.nseg; i < b->u.n && !b->failed; i++) {
        if (b->u.v[i].passes)
            continue;
        put_pair(left, &b->u.v[i], &first);
        put_source(b, i);
    }
    b->failed |= b->strays && b->forgets && !b->p->directed;
    if (open)
        dp_buf_c(left, first ? "?..." : "&...");
}

/* The template with each way to write the start. */
static void propose_starts(building *b)
{
    dp_pairing *p = b->p;
    dp_buf     *out = &p->whole;
    for (int s = START_ANY; s <= (b->same ? START_GLOB : START_ANY); s++) {
        dp_buf_reset(out);
        put_start(b, out, (start_how)s);
        dp_buf_str(out, dp_buf_view(&p->text));
        dp_buf_c(out, " => ");
        put_start(b, out, (start_how)s);
        dp_buf_str(out, dp_buf_view(&p->other));
        bool fits = dp_pairing_pool(p, out);
        p->out->failed |= out->failed;
        if (!p->out->failed && fits)
            dp_ideas_add(p->out,
                         &(dp_idea){.text = {dp_buf_view(out), {"", 0}},
                                    .tier = DP_TIER_LITERAL,
                                    .family = b->forgets ? DP_FAMILY_LOSSY : DP_FAMILY_TEMPLATE},
                         p->by);
    }
}

/* Whether all that the target has is in the source as it is: something was dropped, which propose/query.c says. */
static bool only_drops(const building *b)
{
    for (uint32_t k = b->v.nseg; k < b->v.n; k++)
        if (!b->v.v[k].passes)
            return false;
    return b->same == b->u.nseg && b->same == b->v.nseg;
}

void dp_generate_template(dp_pairing *p)
{
    building b = {.p = p};
    if (!read_parts(&b.u, p->u, &p->runs[0]) || !read_parts(&b.v, p->v, &p->runs[1])) {
        p->out->failed |= p->runs[0].failed || p->runs[1].failed;
        return;
    }
    for (uint32_t i = b.u.nseg; i < b.u.n; i++)
        for (uint32_t k = b.v.nseg; k < b.v.n; k++)
            if (!b.v.v[k].passes && !b.u.v[i].passes && dp_str_eq(b.u.v[i].name, b.v.v[k].name) &&
                dp_str_eq(b.u.v[i].text, b.v.v[k].text) && b.u.v[i].has_eq == b.v.v[k].has_eq)
                b.u.v[i].passes = b.v.v[k].passes = true;
    b.same = dp_path_cut_of(p->u, p->v).start;
    if (only_drops(&b))
        return;
    bool refused = false;
    for (int how = USUAL; how < ARGUMENTS; how++) {
        if ((how == EAGER && !refused) || (how == WHOLE && b.v.nseg < b.same + 2))
            continue;
        b.how = (arguments)how;
        put_bodies(&b);
        p->out->failed |= p->text.failed || p->other.failed;
        refused |= b.refused;
        if (!b.failed && b.nref)
            propose_starts(&b);
    }
    dp_buf_reset(&p->text);
    dp_buf_reset(&p->other);
}
