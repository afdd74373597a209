/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/seq2seq/generalize.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/intern.h"
#include "base/room.h"
#include "rule/rulefile.h"

enum { CASES = 3 /* of a rule that is worth proposing */, ROUNDS = 2 /* words that one rule leaves open */ };

#define ARROW DP_STR(" => ")

bool dp_seq_is_rule(dp_str hosts, dp_str text)
{
    dp_rules *r = NULL;
    dp_buf    file = {0};
    dp_buf_c(&file, "dustpan-rules 1\nhost ");
    dp_buf_str(&file, hosts);
    dp_buf_byte(&file, '\n');
    dp_buf_str(&file, text);
    dp_buf_byte(&file, '\n');
    bool ok = !file.failed && dp_rules_new(&r) == DP_OK && dp_rules_parse(r, "", file.p, file.n, NULL) == DP_OK;
    dp_rules_free(r);
    dp_buf_done(&file);
    return ok;
}

/* A rule that others are cases of. */
typedef struct parent {
    dp_proposal rule; /* n: URLs of all cases */
    uint32_t    cases;
} parent;

typedef struct parents {
    parent   *v; /* [n] */
    size_t    n, cap;
    dp_intern index; /* hosts, a blank, text -> number */
    dp_buf    key;
    dp_arena *arena;
} parents;

/* One more case of the rule that stands in p->key behind its hosts. */
static dp_err add_case(parents *p, const dp_proposal *of)
{
    uint32_t i;
    if (p->key.failed)
        return DP_ENOMEM;
    if (!dp_intern_find(&p->index, dp_buf_view(&p->key), &i)) {
        if (!DP_ROOM(p->v, p->n, p->cap))
            return DP_ENOMEM;
        dp_str kept = dp_arena_str(p->arena, dp_buf_view(&p->key));
        i = (uint32_t)p->n;
        if (!kept.p || !dp_intern_add(&p->index, kept, i))
            return DP_ENOMEM;
        parent fresh = {.rule = *of};
        fresh.rule.text = dp_str_cut(kept, of->hosts.n + 1, kept.n);
        fresh.rule.n = 0;
        fresh.rule.passes = false; /* the network itself says less */
        p->v[p->n++] = fresh;
    }
    p->v[i].cases++;
    p->v[i].rule.n += of->n;
    p->v[i].rule.by |= of->by;
    return DP_OK;
}

static void begin_key(parents *p, const dp_proposal *of)
{
    dp_buf_reset(&p->key);
    dp_buf_str(&p->key, of->hosts);
    dp_buf_byte(&p->key, ' ');
}

/* ---- both sides of a rule ------------------------------------------------------------------------------- */

typedef struct sides {
    dp_str path[2], query[2]; /* query without its '?'; p NULL: none */
} sides;

static void cut_side(sides *s, int side, dp_str text)
{
    const char *mark = memchr(text.p, '?', text.n);
    size_t      end = mark ? (size_t)(mark - text.p) : text.n;
    s->path[side] = dp_str_cut(text, 0, end);
    s->query[side] = mark ? dp_str_cut(text, end + 1, text.n) : (dp_str){0};
}

static bool cut_rule(sides *s, dp_str text)
{
    const char *arrow = memmem(text.p, text.n, ARROW.p, ARROW.n);
    if (!arrow)
        return false;
    size_t at = (size_t)(arrow - text.p);
    cut_side(s, 0, dp_str_cut(text, 0, at));
    cut_side(s, 1, dp_str_cut(text, at + ARROW.n, text.n));
    return true;
}

/* The place of segment `word` in `path`, when it is there once; path.n: it is not. */
static size_t find_segment(dp_str path, dp_str word)
{
    size_t found = path.n;
    for (size_t at = 0, end; at < path.n; at = end + 1) {
        for (end = at; end < path.n && path.p[end] != '/'; end++) {}
        if (!dp_str_eq(dp_str_cut(path, at, end), word))
            continue;
        if (found < path.n)
            return path.n;
        found = at;
    }
    return found;
}

static void put_side(dp_buf *b, const sides *s, int side, size_t at, size_t n, const char *open)
{
    dp_buf_str(b, dp_str_cut(s->path[side], 0, at));
    dp_buf_c(b, open);
    dp_buf_str(b, dp_str_cut(s->path[side], at + n, s->path[side].n));
    if (s->query[side].p) {
        dp_buf_byte(b, '?');
        dp_buf_str(b, s->query[side]);
    }
}

/* ---- what a rule may be a case of ------------------------------------------------------------------------- */

/* A literal segment that stands on both sides, left open. */
static dp_err open_words(parents *p, const dp_proposal *of, const sides *s, const char *name)
{
    dp_str path = s->path[0];
    for (size_t at = 0, end; at < path.n; at = end + 1) {
        for (end = at; end < path.n && path.p[end] != '/'; end++) {}
        dp_str word = dp_str_cut(path, at, end);
        if (!word.n || memchr(word.p, '{', word.n) || word.p[word.n - 1] == ':' || find_segment(path, word) != at)
            continue;
        size_t there = find_segment(s->path[1], word);
        if (there == s->path[1].n)
            continue;
        begin_key(p, of);
        put_side(&p->key, s, 0, at, word.n, name);
        dp_buf_str(&p->key, ARROW);
        put_side(&p->key, s, 1, there, word.n, name);
        DP_TRY(add_case(p, of));
    }
    return DP_OK;
}

/* The segments at the end that both sides have, left open. */
static dp_err open_end(parents *p, const dp_proposal *of, const sides *s)
{
    dp_str a = s->path[0], b = s->path[1];
    size_t same = 0, cut = 0;
    while (same < a.n && same < b.n && a.p[a.n - 1 - same] == b.p[b.n - 1 - same])
        if (a.p[a.n - 1 - same++] == '/')
            cut = same;
    bool query = s->query[0].p || s->query[1].p;
    if (cut < 2 || query || dp_str_eq(a, b))
        return DP_OK;
    begin_key(p, of);
    dp_buf_str(&p->key, dp_str_cut(a, 0, a.n - cut + 1));
    dp_buf_c(&p->key, "{**}");
    dp_buf_str(&p->key, ARROW);
    dp_buf_str(&p->key, dp_str_cut(b, 0, b.n - cut + 1));
    dp_buf_c(&p->key, "{**}");
    return add_case(p, of);
}

/* Whether `pair` is one of those that '&' joins. */
static bool has_pair(dp_str query, dp_str pair)
{
    for (size_t at = 0, end; at < query.n; at = end + 1) {
        for (end = at; end < query.n && query.p[end] != '&'; end++) {}
        if (dp_str_eq(dp_str_cut(query, at, end), pair))
            return true;
    }
    return false;
}

/* Parameters that go, whatever their value, while the path stays. */
static dp_err drop_pairs(parents *p, const dp_proposal *of, const sides *s)
{
    dp_str query = s->query[0];
    size_t kept = 0, gone = 0, had = 0;
    if (!query.p || !dp_str_eq(s->path[0], s->path[1]))
        return DP_OK;
    for (size_t i = 0; i < s->query[1].n; i++)
        had += s->query[1].p[i] == '&';
    had += s->query[1].n > 0;
    begin_key(p, of);
    dp_buf_c(&p->key, "drop ?");
    for (size_t at = 0, end; at < query.n; at = end + 1) {
        for (end = at; end < query.n && query.p[end] != '&'; end++) {}
        dp_str      pair = dp_str_cut(query, at, end);
        const char *mark = memchr(pair.p, '=', pair.n);
        if (has_pair(s->query[1], pair)) {
            kept++;
            continue;
        }
        if (gone++)
            dp_buf_byte(&p->key, ',');
        dp_buf_str(&p->key, mark ? dp_str_cut(pair, 0, (size_t)(mark - pair.p)) : pair);
    }
    return gone && kept == had ? add_case(p, of) : DP_OK;
}

static dp_err find_parents(parents *p, const dp_proposal *v, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        sides s;
        if (!cut_rule(&s, v[i].text))
            continue;
        DP_TRY(open_words(p, &v[i], &s, name));
        DP_TRY(open_end(p, &v[i], &s));
        DP_TRY(drop_pairs(p, &v[i], &s));
    }
    return DP_OK;
}

/* ---- ------------------------------------------------------------------------------------------------------ */

static int by_cases(const void *pa, const void *pb)
{
    const parent *a = pa, *b = pb;
    if (a->rule.n != b->rule.n)
        return a->rule.n > b->rule.n ? -1 : 1;
    int c = dp_str_cmp(a->rule.text, b->rule.text);
    return c ? c : dp_str_cmp(a->rule.hosts, b->rule.hosts);
}

/* The parents of some proposals that are worth it, behind all. */
static dp_err add_parents(dp_proposals *all, size_t from, size_t end, const char *name, dp_arena *a)
{
    parents p = {.arena = a};
    dp_err  code = find_parents(&p, all->v + from, end - from, name);
    if (code == DP_OK && p.n)
        qsort(p.v, p.n, sizeof *p.v, by_cases);
    for (size_t i = 0; i < p.n && code == DP_OK; i++)
        if (p.v[i].cases >= CASES && dp_seq_is_rule(p.v[i].rule.hosts, p.v[i].rule.text))
            code = dp_proposals_add(all, &p.v[i].rule);
    free(p.v);
    dp_intern_done(&p.index);
    dp_buf_done(&p.key);
    return code;
}

dp_err dp_seq_generalize(dp_proposals *all, dp_arena *a)
{
    static const char *const name[ROUNDS] = {"{w}", "{x}"};
    for (size_t i = 0, from = 0, end = all->n; i < ROUNDS; i++, from = end, end = all->n)
        DP_TRY(add_parents(all, from, end, name[i], a));
    return DP_OK;
}
