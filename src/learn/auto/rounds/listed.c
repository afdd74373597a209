/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/rounds/listed.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/room.h"

enum {
    MOST_NAMES = 16,  /* captures of a rule that is looked at */
    MOST_LINKS = 64   /* of a chain */
};

#define MARK '\1' /* in a key, where lines may differ */

/* ---- the parts of a line ---------------------------------------------------------------------- */

/* A line, cut: "LEFT => RIGHT REST", or "... on LEFT REST". */
typedef struct parts {
    dp_str text;
    size_t left, left_end;   /* the template where lines may differ */
    size_t right, right_end; /* empty: there is none */
} parts;

static size_t word_end(dp_str s, size_t from)
{
    const char *end = memchr(s.p + from, ' ', s.n - from);
    return end ? (size_t)(end - s.p) : s.n;
}

static bool cut_line(parts *out, dp_str text)
{
    dp_str      arrow = DP_STR(" => "), on = DP_STR(" on ");
    const char *at = memmem(text.p, text.n, arrow.p, arrow.n);
    *out = (parts){.text = text};
    if (at) {
        out->left_end = (size_t)(at - text.p);
        out->right = out->left_end + arrow.n;
        out->right_end = word_end(text, out->right);
        return true;
    }
    if (dp_str_starts(text, DP_STR("sub ")) || !(at = memmem(text.p, text.n, on.p, on.n)))
        return false;
    out->left = (size_t)(at - text.p) + on.n;
    out->left_end = word_end(text, out->left);
    return true;
}

/* Where the path of the left side begins and ends. */
static void find_path(const parts *p, size_t *from, size_t *to)
{
    dp_str      left = dp_str_cut(p->text, p->left, p->left_end);
    const char *host = memmem(left.p, left.n, "//", 2);
    bool        written = host && (host == left.p || host[-1] == ':');
    size_t      at = written ? (size_t)(host - left.p) + 2 : 0;
    const char *slash = memchr(left.p + at, '/', left.n - at), *query = memchr(left.p, '?', left.n);
    *to = p->left + (query ? (size_t)(query - left.p) : left.n);
    *from = slash ? p->left + (size_t)(slash - left.p) : *to;
}

/* ---- keys --------------------------------------------------------------------------------------- */

/* A component of a line in which it may differ from others. */
typedef struct slot {
    dp_str   key;      /* the line with a mark there, its captures numbered; and its kind */
    dp_str   values;   /* what stands there, as in a list */
    uint32_t line;
    size_t   from, to; /* in its text */
    dp_str   again;    /* what the right side has of it, too; n == 0: nothing */
} slot;

/* How a line is written: its captures numbered or as they are, and what stands in the place of the slot. */
typedef struct writing {
    bool   numbered;
    dp_str left, right;
} writing;

static bool is_word_byte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '%';
}

/* Whether `what`, which is a capture or stands between two boundaries, begins at `at` and ends before `end`. */
static bool is_there(dp_str text, size_t at, size_t end, dp_str what)
{
    if (!what.n || at + what.n > end || memcmp(text.p + at, what.p, what.n))
        return false;
    return what.p[0] == '{' ||
           ((!at || !is_word_byte(text.p[at - 1])) && (at + what.n == end || !is_word_byte(text.p[at + what.n])));
}

/* The name of the capture that begins at `at`. */
static dp_str name_at(dp_str text, size_t at)
{
    size_t end = at + 1;
    while (end < text.n && !strchr("}:=|", text.p[end]))
        end++;
    return dp_str_cut(text, at + 1, end);
}

/* Write a line; false when it has too many captures. */
static bool write_line(dp_buf *out, const parts *p, const slot *s, const writing *w)
{
    dp_str name[MOST_NAMES];
    size_t names = 0, i = 0;
    while (i < p->text.n) {
        if (i == s->from && s->to > s->from) {
            dp_buf_str(out, w->left);
            i = s->to;
        } else if (i >= p->right && is_there(p->text, i, p->right_end, s->again)) {
            dp_buf_str(out, w->right);
            i += s->again.n;
        } else if (p->text.p[i] == '{') {
            dp_str one = name_at(p->text, i);
            size_t k = 0, end = i + 1 + one.n;
            while (k < names && !dp_str_eq(name[k], one))
                k++;
            if (k == MOST_NAMES)
                return false;
            name[k] = one;
            names += k == names;
            dp_buf_byte(out, '{');
            if (w->numbered && !dp_str_eq(one, DP_STR("**")))
                dp_buf_byte(out, (char)('A' + k));
            else
                dp_buf_str(out, one);
            while (end < p->text.n && p->text.p[end] != '}') /* a class or a list: not to be taken for something else */
                dp_buf_byte(out, p->text.p[end++]);
            i = end;
        } else {
            dp_buf_byte(out, p->text.p[i++]);
        }
    }
    return true;
}

typedef struct slots {
    slot     *v;
    size_t    n, cap;
    dp_arena *arena;
    dp_buf    text;
} slots;

/* Add a slot; false when memory is out. */
static bool add_slot(slots *all, const parts *p, slot s, uint32_t kind)
{
    static const char mark[] = {MARK};
    writing           w = {true, {mark, 1}, {mark, 1}};
    dp_buf_reset(&all->text);
    dp_buf_printf(&all->text, "%u ", kind);
    if (!write_line(&all->text, p, &s, &w))
        return true;
    s.key = dp_arena_str(all->arena, dp_buf_view(&all->text));
    if (all->text.failed || !s.key.p || !DP_ROOM(all->v, all->n, all->cap))
        return false;
    all->v[all->n++] = s;
    return true;
}

/* How often a capture of this name stands in the text. */
static size_t count_name(dp_str text, dp_str name)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == '{' && dp_str_eq(name_at(text, i), name);
    return n;
}

/* The slots of a list {x=a|b}: one, if the left side has no second x, and the right one nothing but {x}. */
static bool add_list(slots *all, const parts *p, slot s, uint32_t kind)
{
    dp_str left = dp_str_cut(p->text, p->left, p->left_end), right = dp_str_cut(p->text, p->right, p->right_end);
    dp_str name = name_at(p->text, s.from), plain = {"", 0};
    char   capture[64];
    size_t length = name.n + 2;
    if (name.n + 2 > sizeof capture || count_name(left, name) != 1)
        return true;
    s.values = dp_str_cut(p->text, s.from + name.n + 2, s.to - 1);
    capture[0] = '{';
    memcpy(capture + 1, name.p, name.n);
    capture[length - 1] = '}';
    if (count_name(right, name)) {
        plain = dp_arena_str(all->arena, (dp_str){capture, length});
        if (!plain.p)
            return false;
    }
    size_t found = 0;
    for (size_t i = p->right; i < p->right_end; i++)
        found += is_there(p->text, i, p->right_end, plain);
    s.again = plain;
    return found != count_name(right, name) || add_slot(all, p, s, kind);
}

/* The slots of a literal: one where it differs alone, and one where the right side differs with it. */
static bool add_literal(slots *all, const parts *p, slot s, uint32_t kind)
{
    bool found = false;
    s.values = dp_str_cut(p->text, s.from, s.to);
    if (!add_slot(all, p, s, kind))
        return false;
    s.again = s.values;
    for (size_t i = p->right, depth = 0; i < p->right_end; i++) {
        depth += p->text.p[i] == '{';
        found |= !depth && is_there(p->text, i, p->right_end, s.again);
        depth -= p->text.p[i] == '}';
    }
    return !found || add_slot(all, p, s, kind);
}

/* Whether a component is a capture of listed values and nothing else. */
static bool is_list(dp_str s)
{
    return s.n && s.p[0] == '{' && memchr(s.p, '=', s.n) && memchr(s.p, '}', s.n) == s.p + s.n - 1;
}

static bool find_slots(slots *all, const dp_line *v, uint32_t line)
{
    parts  p;
    size_t from, to;
    if (v[line].kind == DP_NO_KIND || !cut_line(&p, v[line].text))
        return true;
    find_path(&p, &from, &to);
    for (size_t i = from, end; i < to; i = end) {
        slot s = {.line = line, .from = i + 1};
        for (end = i + 1; end < to && p.text.p[end] != '/'; end++) {}
        s.to = end;
        dp_str one = dp_str_cut(p.text, s.from, s.to);
        bool   plain = one.n && !memchr(one.p, '{', one.n) && !memchr(one.p, '*', one.n);
        if ((plain && !add_literal(all, &p, s, v[line].kind)) || (is_list(one) && !add_list(all, &p, s, v[line].kind)))
            return false;
    }
    return true;
}

/* ---- joins -------------------------------------------------------------------------------------- */

/* Slots with one key, side by side. */
typedef struct group {
    slot   *v; /* [n], by line */
    size_t  n;
    int64_t saves; /* bytes */
} group;

static int by_key(const void *x, const void *y)
{
    const slot *a = x, *b = y;
    int         c = dp_str_cmp(a->key, b->key);
    return c ? c : (a->line > b->line) - (a->line < b->line);
}

static int by_text(const void *x, const void *y)
{
    return dp_str_cmp(*(const dp_str *)x, *(const dp_str *)y);
}

/* "a|b|c" of all slots of a group. */
static bool write_values(dp_buf *out, const group *g)
{
    size_t  n = 0, most = 0;
    for (size_t i = 0; i < g->n; i++)
        for (size_t k = 0; k <= g->v[i].values.n; k++)
            most += k == g->v[i].values.n || g->v[i].values.p[k] == '|';
    dp_str *value = malloc((most + 1) * sizeof *value);
    if (!value)
        return false;
    for (size_t i = 0; i < g->n; i++)
        for (dp_str rest = g->v[i].values; rest.n;)
            value[n++] = dp_next_field(&rest, '|');
    qsort(value, n, sizeof *value, by_text);
    for (size_t i = 0; i < n; i++) {
        if (i && dp_str_eq(value[i], value[i - 1]))
            continue;
        if (i)
            dp_buf_byte(out, '|');
        dp_buf_str(out, value[i]);
    }
    free(value);
    return true;
}

/* A name that no capture of the text has; 0: there is none. */
static char free_name(dp_str text)
{
    static const char names[] = "vwxyzabcdefghijklmnopqrstu";
    for (size_t i = 0; names[i]; i++)
        if (!count_name(text, (dp_str){&names[i], 1}))
            return names[i];
    return 0;
}

/* The line that stands for all of a group; n == 0 when there is none. */
static dp_str join(const group *g, const dp_line *v, dp_arena *a, bool *failed)
{
    dp_str text = v[g->v[0].line].text, out = {"", 0};
    char   name = free_name(text), again[3] = {'{', name, '}'};
    dp_buf list = {0}, all = {0};
    parts  p;
    if (!name || !cut_line(&p, text))
        return out;
    dp_buf_add(&list, again, 2);
    dp_buf_byte(&list, '=');
    *failed |= !write_values(&list, g);
    dp_buf_byte(&list, '}');
    writing w = {false, dp_buf_view(&list), {again, sizeof again}};
    bool    ok = write_line(&all, &p, &g->v[0], &w);
    *failed |= list.failed || all.failed;
    if (ok && !*failed) {
        out = dp_arena_str(a, dp_buf_view(&all));
        *failed = !out.p;
    }
    dp_buf_done(&list);
    dp_buf_done(&all);
    return out;
}

/* Leave out slots of lines that are joined already. */
static void leave_out(group *g, const bool *taken)
{
    size_t n = 0;
    for (size_t i = 0; i < g->n; i++)
        if (!taken[g->v[i].line] && !(n && g->v[n - 1].line == g->v[i].line))
            g->v[n++] = g->v[i];
    g->n = n;
}

/* The bytes that are saved by one line for all; about, since values may be there twice. */
static int64_t bytes_saved(const group *g, const dp_line *v)
{
    int64_t saved = -5; /* "{v=" and "}", and "{v}" for less than what is there */
    for (size_t i = 0; i < g->n; i++)
        saved += (i ? (int64_t)v[g->v[i].line].text.n : 0) - (i ? (int64_t)g->v[i].values.n + 1 : 0);
    return saved;
}

static int by_saving(const void *x, const void *y)
{
    const group *a = x, *b = y;
    if (a->saves != b->saves)
        return a->saves > b->saves ? -1 : 1;
    return by_key(a->v, b->v);
}

static dp_err add_edit(dp_edits *out, const group *g, dp_str text, dp_arena *a)
{
    dp_edit e = {DP_NEWS(a, g->n, uint32_t), g->n, text};
    if (!e.member)
        return DP_ENOMEM;
    for (size_t i = 0; i < g->n; i++)
        e.member[i] = g->v[i].line;
    out->v[out->n++] = e;
    return DP_OK;
}

/* Take the groups one after the other, each without the lines of those before it. */
static dp_err take_groups(dp_edits *out, group *g, size_t n, const dp_line *v, bool *taken, dp_arena *a)
{
    bool failed = false;
    for (size_t i = 0; i < n; i++) {
        leave_out(&g[i], taken);
        if (g[i].n < 2 || bytes_saved(&g[i], v) <= 0)
            continue;
        dp_str text = join(&g[i], v, a, &failed);
        if (failed)
            return DP_ENOMEM;
        if (!text.n)
            continue;
        DP_TRY(add_edit(out, &g[i], text, a));
        for (size_t k = 0; k < g[i].n; k++)
            taken[g[i].v[k].line] = true;
    }
    return DP_OK;
}

dp_err dp_listed_joins(dp_edits *out, const dp_line *v, size_t n, dp_arena *a)
{
    slots  all = {.arena = a};
    bool   ok = true, *taken = calloc(n + 1, sizeof *taken);
    group *g = NULL;
    size_t groups = 0;
    *out = (dp_edits){DP_NEWS(a, n + 1, dp_edit), 0};
    for (uint32_t i = 0; i < n && ok; i++)
        ok = find_slots(&all, v, i);
    ok = ok && taken && out->v && (g = malloc((all.n + 1) * sizeof *g));
    if (ok && all.n)
        qsort(all.v, all.n, sizeof *all.v, by_key);
    for (size_t i = 0, j; ok && i < all.n; i = j) {
        for (j = i + 1; j < all.n && dp_str_eq(all.v[j].key, all.v[i].key); j++) {}
        if (j - i < 2)
            continue;
        g[groups] = (group){.v = &all.v[i], .n = j - i};
        g[groups].saves = bytes_saved(&g[groups], v);
        groups++;
    }
    if (groups)
        qsort(g, groups, sizeof *g, by_saving);
    dp_err code = ok ? take_groups(out, g, groups, v, taken, a) : DP_ENOMEM;
    free(taken);
    free(g);
    free(all.v);
    dp_buf_done(&all.text);
    return code;
}

/* ---- chains ------------------------------------------------------------------------------------- */

/* Whether a template is literals and whole components: what it prints is then read as it was meant. */
static bool is_simple(dp_str t)
{
    for (size_t i = 0; i < t.n; i++) {
        bool begins = t.p[i] == '{' && i && t.p[i - 1] != '/', ends = t.p[i] == '}' && i + 1 < t.n && t.p[i + 1] != '/';
        if (begins || ends || strchr("?:=|*", t.p[i])) {
            if (t.p[i] != '*' || i < 1 || (t.p[i - 1] != '{' && t.p[i - 1] != '*'))
                return false;
        }
    }
    return t.n && t.p[0] == '/' && !dp_str_starts(t, DP_STR("//"));
}

static dp_str left_of(const parts *p)
{
    return dp_str_cut(p->text, p->left, p->left_end);
}

static dp_str right_of(const parts *p)
{
    return dp_str_cut(p->text, p->right, p->right_end);
}

/* The line whose left side is `t`, of this kind and without conditions; n: there is none. */
static size_t find_left(const dp_line *v, const parts *p, size_t n, uint32_t kind, dp_str t)
{
    size_t i = 0;
    while (i < n && !(v[i].kind == kind && p[i].right && p[i].right_end == p[i].text.n && dp_str_eq(left_of(&p[i]), t)))
        i++;
    return i;
}

/* Where the chain of line `i` ends. */
static size_t chain_end(const dp_line *v, const parts *p, size_t n, size_t i)
{
    size_t end = i;
    for (size_t links = 0; links < MOST_LINKS && is_simple(right_of(&p[end])); links++) {
        size_t next = find_left(v, p, n, v[i].kind, right_of(&p[end]));
        if (next == n)
            return end;
        if (next == i)
            return i; /* round in a circle */
        end = next;
    }
    return end;
}

dp_err dp_listed_chains(dp_edits *out, const dp_line *v, size_t n, dp_arena *a)
{
    parts *p = malloc((n + 1) * sizeof *p);
    dp_buf text = {0};
    dp_err code = p ? DP_OK : DP_ENOMEM;
    *out = (dp_edits){DP_NEWS(a, n + 1, dp_edit), 0};
    if (!out->v)
        code = DP_ENOMEM;
    for (size_t i = 0; i < n && code == DP_OK; i++)
        if (v[i].kind == DP_NO_KIND || !cut_line(&p[i], v[i].text))
            p[i] = (parts){.text = {"", 0}};
    for (size_t i = 0; i < n && code == DP_OK; i++) {
        size_t end = p[i].right ? chain_end(v, p, n, i) : i;
        if (end == i)
            continue;
        dp_buf_reset(&text);
        dp_buf_str(&text, dp_str_cut(p[i].text, 0, p[i].right));
        dp_buf_str(&text, right_of(&p[end]));
        dp_buf_str(&text, dp_str_cut(p[i].text, p[i].right_end, p[i].text.n));
        dp_edit e = {DP_NEWS(a, 1, uint32_t), 1, dp_arena_str(a, dp_buf_view(&text))};
        if (text.failed || !e.member || !e.text.p) {
            code = DP_ENOMEM;
            break;
        }
        e.member[0] = (uint32_t)i;
        out->v[out->n++] = e;
    }
    free(p);
    dp_buf_done(&text);
    return code;
}
