/* Ideas about a number or a hash that stands in one piece, or with delimiters between its parts.
 *
 *     /isbn/978-4-902-99253-9    /isbn/9784902992539    /{**}/{a:int*3}-{b:int*1}-... => /{**}/{a}{b}...
 *     /old/20190203/x            /2019-02-03/x          /old/{a:int*4}{b:int*2}{c:int*2}/{**} => /{a}-{b}-{c}/{**}
 *     ?day=2019-02-03            ?day=20190203          /{**}?day={a:int*4}-{b:int*2}-... => /{**}?day={a}{b}...
 *
 * Captures have lengths on either side: without them 2019-1-12 and 2019-11-2 would be one day.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/auto/propose/apart.h"

#include "learn/auto/propose/path.h"
#include "url/chars.h"

enum {
    LEAST_NUMBER = 6, /* digits of a code in one piece */
    LEAST_HASH = 12,  /* letters and digits of one that has letters */
    MOST_PIECES = 8
};

/* A text with a code in it: what stands before, its pieces and the delimiter behind each but the last, what follows. */
typedef struct side {
    dp_str head, rest;
    char   delimiter[MOST_PIECES]; /* 0: none */
} side;

typedef struct code {
    side   whole, apart;
    size_t length[MOST_PIECES], n;
    size_t words;  /* bytes of what both have behind the code and a delimiter */
    bool   is_hex;
} code;

static bool is_code_byte(char c)
{
    return dp_is(c, DP_CH_ALNUM);
}

static bool is_delimiter(char c)
{
    return c == '-' || c == '_' || c == '.' || c == '/' || c == ':';
}

static size_t run_end(dp_str s, size_t at)
{
    while (at < s.n && is_code_byte(s.p[at]))
        at++;
    return at;
}

/* Whether a run is a number or a hash that could be taken apart. */
static bool is_code(dp_str run, bool *is_hex)
{
    bool number = dp_all(run, DP_CH_DIGIT), digit = false;
    for (size_t i = 0; i < run.n; i++)
        digit |= dp_is(run.p[i], DP_CH_DIGIT);
    *is_hex = !number;
    return number ? run.n >= LEAST_NUMBER : run.n >= LEAST_HASH && digit && dp_all(run, DP_CH_HEX);
}

/* Read `text` as what stands in `run`, with delimiters, from `at` on. */
static bool read_apart(code *c, dp_str text, size_t at, dp_str run)
{
    size_t k = 0, from = at;
    c->n = 0;
    for (size_t start = 0; k < run.n && c->n < MOST_PIECES; at++) {
        if (at == text.n || text.p[at] != run.p[k])
            return false;
        k++;
        bool cut = k < run.n && at + 1 < text.n && is_delimiter(text.p[at + 1]);
        if (!cut && k < run.n)
            continue;
        c->length[c->n] = k - start;
        c->apart.delimiter[c->n++] = cut ? text.p[++at] : 0;
        start = k;
    }
    c->apart.head = dp_str_cut(text, 0, from);
    c->apart.rest = dp_str_cut(text, at < text.n ? at : text.n, text.n);
    return k == run.n && c->n > 1 && (at >= text.n || !is_code_byte(text.p[at]));
}

/* Find a code that `whole` has in one piece and `apart` with delimiters. */
static bool find(code *c, dp_str whole, dp_str apart)
{
    for (size_t at = 0, end; at < whole.n; at = end + 1) {
        end = run_end(whole, at);
        dp_str run = dp_str_cut(whole, at, end);
        if (!is_code(run, &c->is_hex))
            continue;
        for (size_t i = 0; i < apart.n; i++) {
            if ((i && is_code_byte(apart.p[i - 1])) || !read_apart(c, apart, i, run))
                continue;
            c->whole = (side){.head = dp_str_cut(whole, 0, at), .rest = dp_str_cut(whole, end, whole.n)};
            return true;
        }
    }
    return false;
}

/* Whether all words before the code are part of how the site is built. */
static bool is_built(const dp_pairing *p, dp_str head)
{
    for (size_t at = 0, end; at < head.n; at = end) {
        end = dp_lexicon_end(head, at);
        if (is_code_byte(head.p[at]) && !dp_lexicon_has(p->lexicon, dp_str_cut(head, at, end)))
            return false;
    }
    return true;
}

/* How what follows is written: nothing, /{**}, as it is, or a delimiter, {z}, and how the file ends. */
typedef enum rest_how { REST_NONE, REST_GLOB, REST_LITERAL, REST_CAPTURED, REST_OTHER } rest_how;

/* Whether a file may end so: .html, a slash, or not at all. */
static bool is_end(const dp_pairing *p, dp_str s)
{
    return !s.n || (s.n == 1 && s.p[0] == '/') ||
           (s.p[0] == '.' && s.n > 1 && is_built(p, s) && !memchr(s.p, '/', s.n));
}

/* Words that both have behind a delimiter, before the end of the file. */
static size_t words_of(const dp_pairing *p, dp_str x, dp_str y)
{
    size_t n = 1;
    while (n < x.n && n < y.n && x.p[n] == y.p[n] && x.p[n] != '/')
        n++;
    for (; n > 1; n--)
        if (is_end(p, dp_str_cut(x, n, x.n)) && is_end(p, dp_str_cut(y, n, y.n)))
            return n - 1;
    return 0;
}

static rest_how rest_of(const dp_pairing *p, dp_str x, dp_str y, size_t *words)
{
    *words = 0;
    if (!x.n && !y.n)
        return REST_NONE;
    if (!x.n || !y.n)
        return REST_OTHER;
    bool same = dp_str_eq(dp_str_cut(x, 1, x.n), dp_str_cut(y, 1, y.n));
    if (same && x.p[0] == '/' && y.p[0] == '/')
        return REST_GLOB;
    if (same && x.p[0] == '.' && y.p[0] == '.' && is_built(p, x))
        return REST_LITERAL;
    *words = words_of(p, x, y);
    return *words ? REST_CAPTURED : REST_OTHER;
}

static void put_side(dp_pairing *p, const code *c, const side *s, rest_how how, bool left)
{
    dp_buf *out = &p->text;
    dp_buf_str(out, s->head);
    for (size_t i = 0; i < c->n; i++) {
        if (left)
            dp_buf_printf(out, "{%c:%s*%zu}", (char)('a' + i), c->is_hex ? "hex" : "int", c->length[i]);
        else
            dp_put_capture(out, (char)('a' + i));
        if (s->delimiter[i])
            dp_buf_byte(out, s->delimiter[i]);
    }
    if (how == REST_GLOB)
        dp_buf_c(out, "/{**}");
    else if (how == REST_LITERAL)
        dp_buf_str(out, s->rest);
    else if (how == REST_CAPTURED) {
        dp_buf_printf(out, "%c{z}", s->rest.p[0]);
        dp_buf_str(out, dp_str_cut(s->rest, 1 + c->words, s->rest.n));
    }
}

/* The components before `start`: any, or literal where the site is built of them. */
static void put_start(dp_pairing *p, uint32_t start, bool any)
{
    if (any && start) {
        dp_buf_c(&p->text, "/{**}");
        return;
    }
    for (uint32_t i = 0; i < start; i++) {
        dp_str seg = dp_frame_seg(p->u, i);
        dp_buf_byte(&p->text, '/');
        if (!seg.n || dp_lexicon_has(p->lexicon, seg))
            dp_buf_str(&p->text, seg);
        else
            dp_put_numbered(&p->text, 's', i, "");
    }
}

/* A code in the paths, behind the components that both begin with. */
static void propose_path(dp_pairing *p)
{
    uint32_t start = dp_path_cut_of(p->u, p->v).start;
    if (start >= p->u->nseg || start >= p->v->nseg)
        return;
    dp_str x = dp_frame_cut(p->u, p->u->seg[start] - 1, p->u->path_end);
    dp_str y = dp_frame_cut(p->v, p->v->seg[start] - 1, p->v->path_end);
    code   c = {0};
    bool   joins = find(&c, y, x); /* `u` has the delimiters */
    if (!joins && !find(&c, x, y))
        return;
    const side *from = joins ? &c.apart : &c.whole, *to = joins ? &c.whole : &c.apart;
    rest_how    rest = rest_of(p, from->rest, to->rest, &c.words);
    if (rest == REST_OTHER || !is_built(p, from->head) || !is_built(p, to->head))
        return;
    bool glob = rest == REST_GLOB; /* there is one in a template */
    for (int any = glob ? 0 : 1; any >= 0; any--) {
        if (any && !start)
            continue;
        put_start(p, start, any);
        put_side(p, &c, from, rest, true);
        dp_buf_c(&p->text, " => ");
        put_start(p, start, any);
        put_side(p, &c, to, rest, false);
        dp_pairing_propose(p, DP_TIER_LITERAL, DP_FAMILY_AFFIX);
    }
}

/* A code that is the value of a parameter. */
static void propose_value(dp_pairing *p, const dp_pair *a, const dp_pair *b)
{
    dp_str name = dp_pair_name(p->u, a), x = dp_pair_value(p->u, a), y = dp_pair_value(p->v, b);
    code   c = {0};
    bool   joins = find(&c, y, x);
    if ((!joins && !find(&c, x, y)) || c.apart.head.n || c.apart.rest.n || c.whole.head.n || c.whole.rest.n)
        return;
    dp_buf_c(&p->text, "/{**}?");
    dp_buf_str(&p->text, name);
    dp_buf_byte(&p->text, '=');
    put_side(p, &c, joins ? &c.apart : &c.whole, REST_NONE, true);
    dp_buf_c(&p->text, "&... => /{**}?");
    dp_buf_str(&p->text, name);
    dp_buf_byte(&p->text, '=');
    put_side(p, &c, joins ? &c.whole : &c.apart, REST_NONE, false);
    dp_buf_c(&p->text, "&...");
    dp_pairing_propose(p, DP_TIER_LITERAL, DP_FAMILY_AFFIX);
}

void dp_generate_apart(dp_pairing *p)
{
    propose_path(p);
    for (uint32_t i = 0; i < p->u->npair; i++)
        for (uint32_t k = 0; k < p->v->npair; k++)
            if (dp_str_eq(dp_pair_name(p->u, &p->u->pair[i]), dp_pair_name(p->v, &p->v->pair[k])))
                propose_value(p, &p->u->pair[i], &p->v->pair[k]);
}
