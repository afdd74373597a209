/* SPDX-License-Identifier: Apache-2.0 */
#include "support/draw.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void add_str(text *t, dp_str s)
{
    if (t->cap - t->n < s.n) {
        size_t cap = 2 * (t->n + s.n) + 64;
        char  *q = dp_arena_alloc(t->a, cap);
        if (!q)
            abort();
        if (t->n)
            memcpy(q, t->p, t->n);
        t->p = q;
        t->cap = cap;
    }
    if (s.n)
        memcpy(t->p + t->n, s.p, s.n);
    t->n += s.n;
}

void add(text *t, const char *z)
{
    add_str(t, dp_str_c(z));
}

void add_char(text *t, char c)
{
    add_str(t, (dp_str){&c, 1});
}

void addf(text *t, const char *format, ...)
{
    char    buf[512];
    va_list ap;
    va_start(ap, format);
    vsnprintf(buf, sizeof buf, format, ap);
    va_end(ap);
    add(t, buf);
}

dp_str view(const text *t)
{
    return (dp_str){t->p ? t->p : "", t->n};
}

bool chance(dp_rng *g, unsigned percent)
{
    return dp_rng_below(g, 100) < percent;
}

size_t below(dp_rng *g, size_t n)
{
    return (size_t)dp_rng_below(g, n);
}

static const char *const host_names[] = {"a.com", "www.a.com", "b.a.com", "b.org", "x.b.org", "loc"};
static const char *const words[] = {"a", "b", "c", "a", "b", "Ab", "12", "7", "index.html", "a-b", "b_1", "x,y"};
static const char *const odd_words[] = {
    "", "%2A", "a%20b", "%2Fa", "a=b", "A", "C_c", "a;b=1", ";s=2", "c;s;t=Ab", "2001-02-03", "20010203", "deadbeef",
    "~", "a&b+c", "01234567-89ab-cdef-0123-456789ABCDEF", "a:b@c!", "(x)", "$1", "%21%2Ca", "a+B", "x=%26;",
};
static const char *const names[] = {"p", "q", "sid", "utm_a", "utm_b", "p", "q", "P", "x", "lang"};
static const char *const odd_names[] = {"a%20b", "", "utm_", "Sid", "q[]", "%2B", "p.q", "z"};
static const char *const values[] = {"1", "2", "a", "b", "Ab", "12", "1", "a"};
static const char *const odd_values[] = {
    "", "x%20y", "1,2", "a/b", "x+y", "2%3D3", "a=b", "%26", "a/../b", "/", "?", "A", "%3F%2F", "a:b", "b_1", "7-b",
    "%2A", ".", "a+B", "%21%2C", "%2Fb?", "c:%3D",
};

const char *draw_host_name(dp_rng *g)
{
    return PICK(g, host_names);
}

const char *draw_plain_word(dp_rng *g)
{
    return PICK(g, words);
}

const char *draw_odd_word(dp_rng *g)
{
    return PICK(g, odd_words);
}

const char *draw_word(dp_rng *g)
{
    return chance(g, 85) ? PICK(g, words) : PICK(g, odd_words);
}

const char *draw_odd_name(dp_rng *g)
{
    return PICK(g, odd_names);
}

const char *draw_name(dp_rng *g)
{
    const char *z = chance(g, 92) ? PICK(g, names) : PICK(g, odd_names);
    return *z ? z : "p";
}

const char *draw_plain_value(dp_rng *g)
{
    return PICK(g, values);
}

const char *draw_odd_value(dp_rng *g)
{
    return PICK(g, odd_values);
}

const char *draw_value(dp_rng *g)
{
    return chance(g, 80) ? PICK(g, values) : PICK(g, odd_values);
}
