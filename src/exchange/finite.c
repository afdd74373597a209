/* SPDX-License-Identifier: Apache-2.0 */
#include "exchange/finite.h"

#include <string.h>

enum { MOST_DEPTH = 8 };

typedef struct reading {
    dp_str    s;
    size_t    at;
    int       depth;
    dp_arena *a;
    bool      failed;
} reading;

static bool read_any(reading *r, dp_finite *out);

static bool is_next(reading *r, char c)
{
    return r->at < r->s.n && r->s.p[r->at] == c;
}

/* Add a text; false when there are too many. */
static bool add(dp_finite *f, dp_str text)
{
    for (size_t i = 0; i < f->n; i++)
        if (dp_str_eq(f->v[i], text))
            return true;
    if (f->n == DP_FINITE)
        return false;
    f->v[f->n++] = text;
    return true;
}

static bool add_byte(reading *r, dp_finite *f, char c)
{
    dp_str text = dp_arena_str(r->a, (dp_str){&c, 1});
    r->failed |= !text.p;
    return text.p && add(f, text);
}

/* Every text of `f` followed by every one of `g`, in `f`. */
static bool append(reading *r, dp_finite *f, const dp_finite *g)
{
    dp_finite all = {.n = 0};
    for (size_t i = 0; i < f->n; i++)
        for (size_t j = 0; j < g->n; j++) {
            dp_str a = f->v[i], b = g->v[j];
            char  *p = dp_arena_alloc(r->a, a.n + b.n + 1);
            r->failed |= !p;
            if (!p)
                return false;
            memcpy(p, a.p, a.n);
            memcpy(p + a.n, b.p, b.n);
            if (!add(&all, (dp_str){p, a.n + b.n}))
                return false;
        }
    *f = all;
    return true;
}

/* "\." and the like; letters and digits behind '\' mean something else. */
static bool read_escape(reading *r, char *c)
{
    if (++r->at >= r->s.n)
        return false;
    *c = r->s.p[r->at++];
    return *c > ' ' && *c < 127 && !((*c | 32) >= 'a' && (*c | 32) <= 'z') && !(*c >= '0' && *c <= '9');
}

/* "[a-z_]", behind its bracket. */
static bool read_class(reading *r, dp_finite *out)
{
    if (is_next(r, '^'))
        return false;
    while (r->at < r->s.n && r->s.p[r->at] != ']') {
        char first = r->s.p[r->at], last;
        if (first == '\\') {
            if (!read_escape(r, &first))
                return false;
        } else {
            r->at++;
        }
        last = first;
        if (is_next(r, '-') && r->at + 1 < r->s.n && r->s.p[r->at + 1] != ']') {
            last = r->s.p[r->at + 1];
            r->at += 2;
            if (last == '\\')
                return false;
        }
        for (int c = first; c <= last; c++)
            if (!add_byte(r, out, (char)c))
                return false;
    }
    return r->at++ < r->s.n && out->n;
}

static bool read_group(reading *r, dp_finite *out)
{
    if (is_next(r, '?')) {
        if (r->at + 1 >= r->s.n || r->s.p[r->at + 1] != ':')
            return false;
        r->at += 2;
    }
    if (r->depth == MOST_DEPTH)
        return false;
    r->depth++;
    bool good = read_any(r, out) && is_next(r, ')');
    r->depth--;
    r->at++;
    return good;
}

static bool read_atom(reading *r, dp_finite *out)
{
    char c = r->s.p[r->at];
    if (c == '\\')
        return read_escape(r, &c) && add_byte(r, out, c);
    if (strchr("*+?{}^$)]", c) || c <= ' ' || c == 127)
        return false;
    r->at++;
    return c == '(' ? read_group(r, out) : c == '[' ? read_class(r, out) : add_byte(r, out, c);
}

static bool read_sequence(reading *r, dp_finite *out)
{
    *out = (dp_finite){.v = {{"", 0}}, .n = 1};
    while (r->at < r->s.n && r->s.p[r->at] != '|' && r->s.p[r->at] != ')') {
        dp_finite one = {.n = 0};
        if (!read_atom(r, &one))
            return false;
        if (is_next(r, '?')) {
            r->at++;
            if (is_next(r, '?') || !add(&one, (dp_str){"", 0}))
                return false;
        }
        if (!append(r, out, &one))
            return false;
    }
    return true;
}

static bool read_any(reading *r, dp_finite *out)
{
    dp_finite one;
    *out = (dp_finite){.n = 0};
    for (bool more = true; more; r->at += more) {
        if (!read_sequence(r, &one))
            return false;
        for (size_t i = 0; i < one.n; i++)
            if (!add(out, one.v[i]))
                return false;
        more = is_next(r, '|');
    }
    return true;
}

bool dp_finite_read(dp_finite *out, dp_str regex, dp_arena *a)
{
    reading r = {.s = regex, .a = a};
    bool    good = read_any(&r, out) && r.at == regex.n;
    out->failed = r.failed;
    for (size_t i = 0; i < out->n; i++)
        good &= out->v[i].n > 0;
    return good;
}
