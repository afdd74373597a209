/* rule/cursor.h - where the reader of a rule file stands, and how it complains.
 *
 *     drop ?sid  on /shop/{**}   [p=.99]   # why
 *          ^at                          ^end          line: 14   column: 6
 *
 * rule/rulefile.c moves it from line to line; the readers of scopes, templates and rules
 * move it along the line. What they store are views into the text, so a place for a
 * message is a pointer.
 *
 * Invariants:
 *   - [at, end) is ASCII without controls (but tabs), ends without white space and holds
 *     no comment.
 *   - Functions that return dp_err answer DP_ESYNTAX with `error` filled, or DP_ENOMEM.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_RULE_CURSOR_H
#define DP_RULE_CURSOR_H

#include "base/buf.h"
#include "rule/rule.h"

typedef struct dp_cursor {
    dp_arena   *arena; /* of the model */
    dp_str      file;
    size_t      number; /* of the line, from 1 */
    const char *line;   /* its first byte */
    const char *at, *end;
    dp_block   *block;   /* of the last host line, NULL before the first */
    dp_buf      scratch; /* for whoever needs it between two calls */
    dp_error    error;
} dp_cursor;

/* Fill `error` with the place of `at` and the message. */
dp_err dp_cursor_fail(dp_cursor *c, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* "expected X, found 'word'", with a guess out of the words of `options`, a list
 * separated by spaces. `word` may be empty. */
dp_err dp_cursor_expected(dp_cursor *c, dp_str word, const char *what, const char *options);

/* The next word, up to white space; empty at the end of the line. */
dp_str dp_cursor_word(dp_cursor *c);

/* The same without moving. */
dp_str dp_cursor_peek(dp_cursor *c);

/* Check that `s` is a literal in stage-0 form that holds no byte of `never`, which has a
 * meaning where it stands. */
dp_err dp_cursor_literal(dp_cursor *c, dp_str s, const char *never);

/* Check that `s` is a host in stage-0 form. */
dp_err dp_cursor_host(dp_cursor *c, dp_str s);

/* Read ":8080", all of `s`. */
dp_err dp_cursor_port(int *out, dp_cursor *c, dp_str s);

/* Check that no two of the `n` things at `v`, each `size` bytes and beginning with a dp_str
 * that is a view into the line, are named alike. `what` names one in the message. */
dp_err dp_cursor_once(dp_cursor *c, const void *v, size_t n, size_t size, const char *what);

/* Text in messages: 'as it is', cut when long. */
#define DP_SHOW     "'%.*s%s'"
#define DP_SHOWN(s) (int)((s).n > 60 ? 60 : (s).n), (s).p, ((s).n > 60 ? "..." : "")

static inline bool dp_is_space(char b)
{
    return b == ' ' || b == '\t';
}

/* Where `b` first stands in `s`; s.n when it does not. */
static inline size_t dp_str_find(dp_str s, char b)
{
    const char *p = s.n ? memchr(s.p, b, s.n) : NULL;
    return p ? (size_t)(p - s.p) : s.n;
}

#endif
