/* base/str.h - a view of bytes: pointer and length.
 *
 *     dp_str s = DP_STR("abc");      s.p -> 'a' 'b' 'c'    s.n == 3
 *
 * Bytes may include NUL and need not be UTF-8. A zeroed dp_str is the empty
 * string; `p` may be NULL only when `n` is 0.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_BASE_STR_H
#define DP_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define DP_COUNT(a) (sizeof(a) / sizeof *(a))

typedef struct dp_str {
    const char *p;
    size_t      n;
} dp_str;

#define DP_STR(literal) ((dp_str){"" literal, sizeof(literal) - 1})
#define DP_FMT(s)       (int)(s).n, (s).p /* for "%.*s" */

static inline dp_str dp_str_c(const char *z)
{
    return (dp_str){z, strlen(z)};
}

static inline bool dp_str_eq(dp_str a, dp_str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool dp_str_starts(dp_str s, dp_str prefix)
{
    return s.n >= prefix.n && (prefix.n == 0 || memcmp(s.p, prefix.p, prefix.n) == 0);
}

static inline bool dp_str_ends(dp_str s, dp_str suffix)
{
    return s.n >= suffix.n && (suffix.n == 0 || memcmp(s.p + s.n - suffix.n, suffix.p, suffix.n) == 0);
}

/* Order by bytes, the shorter first when one begins the other. */
static inline int dp_str_cmp(dp_str a, dp_str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int    c = n ? memcmp(a.p, b.p, n) : 0;
    return c ? c : (a.n > b.n) - (a.n < b.n);
}

/* Bytes [from, to) of `s`. */
static inline dp_str dp_str_cut(dp_str s, size_t from, size_t to)
{
    return (dp_str){s.p + from, to - from};
}

/* Without white space and control bytes at either end. */
static inline dp_str dp_str_trim(dp_str s)
{
    while (s.n && (unsigned char)s.p[0] <= ' ')
        s = dp_str_cut(s, 1, s.n);
    while (s.n && (unsigned char)s.p[s.n - 1] <= ' ')
        s.n--;
    return s;
}

/* Without blanks and tabs at either end, nor the CR of a line's end. */
static inline dp_str dp_str_trim_blanks(dp_str s)
{
    while (s.n && (s.p[0] == ' ' || s.p[0] == '\t'))
        s = dp_str_cut(s, 1, s.n);
    while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t' || s.p[s.n - 1] == '\r'))
        s.n--;
    return s;
}

/* The next run of bytes other than `sep`; `*rest` is moved behind it and one `sep`. */
static inline dp_str dp_next_field(dp_str *rest, char sep)
{
    const char *end = rest->n ? memchr(rest->p, sep, rest->n) : NULL;
    dp_str      field = {rest->p, end ? (size_t)(end - rest->p) : rest->n};
    size_t      used = field.n + (end != NULL);
    *rest = (dp_str){rest->n ? rest->p + used : rest->p, rest->n - used};
    return field;
}

/* The next line of `*rest`, without its LF or CR LF; `*rest` is moved behind it. False at the end. */
static inline bool dp_next_line(dp_str *rest, dp_str *line)
{
    if (!rest->n)
        return false;
    *line = dp_next_field(rest, '\n');
    line->n -= line->n && line->p[line->n - 1] == '\r';
    return true;
}

#endif
