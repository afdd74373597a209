/* support/naive_url.h - the dumb twin's URL: split, print, stage 0 (docs/rule-format.md 8.1, 8.2), scopes.
 *
 *     http://u@a.com:8/b;c/?d=1;e      scheme | user | host | port | path -> seg[] | pair[]
 *
 * Used by naive.c alone. Every function allocates what it makes in the arena given.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_SUPPORT_NAIVE_URL_H
#define DP_SUPPORT_NAIVE_URL_H

#include "rule/rule.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- bytes and growing text ------------------------------------------------------------ */

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool is_alpha(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static inline bool is_alnum(char c)
{
    return is_alpha(c) || is_digit(c);
}

static inline bool is_hex(char c)
{
    return is_digit(c) || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

static inline bool is_unreserved(char c)
{
    return is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

static inline char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static inline int hex_value(char c)
{
    return is_digit(c) ? c - '0' : upper(c) - 'A' + 10;
}

static inline bool is_one_of(char c, const char *set)
{
    return c != 0 && strchr(set, c) != NULL;
}

/* Whether an escape %XX begins at byte `i`. */
static inline bool is_escape(dp_str s, size_t i)
{
    return i + 2 < s.n && s.p[i] == '%' && is_hex(s.p[i + 1]) && is_hex(s.p[i + 2]);
}

static inline char escaped_byte(dp_str s, size_t i)
{
    return (char)(unsigned char)(hex_value(s.p[i + 1]) * 16 + hex_value(s.p[i + 2]));
}

/* Whether byte `i` is the second or third of an escape. */
static inline bool is_inside_escape(dp_str s, size_t i)
{
    return (i >= 1 && is_escape(s, i - 1)) || (i >= 2 && is_escape(s, i - 2));
}

static inline bool has_byte(dp_str s, char c)
{
    return s.n && memchr(s.p, c, s.n) != NULL;
}

static inline size_t find_byte(dp_str s, char c, size_t from)
{
    while (from < s.n && s.p[from] != c)
        from++;
    return from; /* s.n: not there */
}

static inline dp_str from(dp_str s, size_t at)
{
    return s.n ? dp_str_cut(s, at, s.n) : s;
}

static inline void *need(void *p)
{
    if (!p) {
        fputs("naive: memory is out\n", stderr);
        abort();
    }
    return p;
}

typedef struct text {
    char     *p;
    size_t    n, cap;
    dp_arena *a;
} text;

static inline void add_bytes(text *t, const char *p, size_t n)
{
    if (t->cap - t->n < n) {
        size_t cap = 2 * (t->n + n) + 64;
        char  *q = need(dp_arena_alloc(t->a, cap));
        if (t->n)
            memcpy(q, t->p, t->n);
        t->p = q;
        t->cap = cap;
    }
    if (n)
        memcpy(t->p + t->n, p, n);
    t->n += n;
}

static inline void add(text *t, dp_str s)
{
    add_bytes(t, s.p, s.n);
}

static inline void add_char(text *t, char c)
{
    add_bytes(t, &c, 1);
}

static inline void add_escape(text *t, char c)
{
    const char *digits = "0123456789ABCDEF";
    add_char(t, '%');
    add_char(t, digits[(unsigned char)c >> 4]);
    add_char(t, digits[(unsigned char)c & 15]);
}

static inline dp_str view(const text *t)
{
    return (dp_str){t->p, t->n};
}

/* ---- frame: a URL taken apart ---------------------------------------------------------- */

typedef struct pair {
    char   sep; /* '&' or ';' */
    dp_str name, value;
    bool   has_eq;
} pair;

typedef struct frame {
    bool    no_scheme; /* the text has none; scheme is http */
    dp_str  scheme;
    bool    has_user;
    dp_str  user;
    dp_str  host;
    dp_str  port; /* digits; empty: none */
    dp_str  path; /* with its first slash, or empty */
    dp_str *seg;  /* [nseg] of path */
    size_t  nseg;
    pair   *pair; /* [npair] */
    size_t  npair;
} frame;

/* Take `t` apart as it stands. False when that shape is no URL; whether host and port are
 * good is asked by naive_frame. */
bool naive_split(dp_str t, frame *f, dp_arena *a);

/* The text of `f`: path, not seg, is what counts. */
dp_str naive_print(const frame *f, dp_arena *a);

/* Stage 0 of `t` as a frame, sorted where `rules` (may be NULL) say so; false when it is no URL. */
bool naive_frame(dp_str t, const dp_rules *rules, frame *f, dp_arena *a);

/* How well a block fits a URL: name:port > name > *.longer > *.shorter > any > -1, not at all. */
long naive_place(const dp_block *b, const frame *f);

/* The port written, else the scheme's; -1 when there is none. */
int naive_port(const frame *f);

/* Remove pair number `at` with its separator. */
void naive_drop_pair(frame *f, size_t at);

#endif
