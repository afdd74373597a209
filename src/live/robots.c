/* SPDX-License-Identifier: Apache-2.0 */
#include "live/robots.h"

#include <stdlib.h>

#include "base/words/json.h"
#include "url/chars.h"

enum { DELAY_MAX = 3600 /* seconds; more is a mistake of the writer */ };

/* ---- lines ------------------------------------------------------------------------------ */

/* The next line without comment into name and value; false at the end. Lines that are none have an empty name. */
static bool next_line(dp_str *text, dp_str *name, dp_str *value)
{
    if (text->n == 0)
        return false;
    size_t end = 0;
    while (end < text->n && text->p[end] != '\n' && text->p[end] != '\r')
        end++;
    dp_str line = dp_str_cut(*text, 0, end);
    *text = dp_str_cut(*text, end < text->n ? end + 1 : end, text->n);
    const char *hash = line.n ? memchr(line.p, '#', line.n) : NULL;
    if (hash)
        line.n = (size_t)(hash - line.p);
    const char *colon = line.n ? memchr(line.p, ':', line.n) : NULL;
    size_t      at = colon ? (size_t)(colon - line.p) : 0;
    *name = dp_str_trim_blanks(dp_str_cut(line, 0, at));
    *value = colon ? dp_str_trim_blanks(dp_str_cut(line, at + 1, line.n)) : (dp_str){0};
    return true;
}

/* ---- patterns and paths ------------------------------------------------------------------ */

/* One byte of a path or pattern as stage 0 leaves it: "%7E" gives "~", an umlaut %C3, a lone "%" %25. Returns the bytes
 * taken. */
static size_t compared(char out[4], size_t *n, const char *p, size_t left)
{
    static const char HEX[] = "0123456789ABCDEF";
    unsigned char     c = (unsigned char)*p;
    size_t            taken = 1;
    *n = 1;
    out[0] = (char)c;
    if (dp_is_escape(p, left)) {
        c = (unsigned char)dp_unescape(p);
        taken = 3;
        out[0] = (char)c;
        if (dp_is((char)c, DP_CH_UNRESERVED))
            return taken;
    } else if (c != '%' && !dp_is((char)c, DP_CH_ESCAPE)) {
        return taken;
    }
    out[0] = '%';
    out[1] = HEX[c >> 4];
    out[2] = HEX[c & 15];
    *n = 3;
    return taken;
}

/* A pattern or path in the form that is compared. */
static dp_str escape(dp_str s, dp_arena *a)
{
    char *p = dp_arena_alloc(a, s.n * 3 + 1), byte[4];
    if (!p)
        return (dp_str){NULL, 0};
    size_t at = 0, n;
    for (size_t i = 0; i < s.n; at += n) {
        i += compared(byte, &n, s.p + i, s.n - i);
        memcpy(p + at, byte, n);
    }
    return (dp_str){p, at};
}

/* Whether `pattern` matches the beginning of `path`, both escaped. Each piece between two '*' is taken where it first
 * occurs: taking it later would not find more. So the time is that of looking for pieces, one after another. */
static bool matches(dp_str pattern, dp_str path)
{
    bool anchored = pattern.n && pattern.p[pattern.n - 1] == '$';
    pattern.n -= anchored;
    for (bool first = true;; first = false) {
        const char *star = pattern.n ? memchr(pattern.p, '*', pattern.n) : NULL;
        dp_str      piece = dp_str_cut(pattern, 0, star ? (size_t)(star - pattern.p) : pattern.n);
        bool        last = !star && anchored;
        if (piece.n > path.n)
            return false;
        if (first || last) {
            size_t at = last ? path.n - piece.n : 0;
            if (memcmp(path.p + at, piece.p, piece.n) != 0 || (first && last && at))
                return false;
            path = dp_str_cut(path, at + piece.n, path.n);
        } else {
            const char *found = piece.n ? memmem(path.p, path.n, piece.p, piece.n) : path.p;
            if (!found)
                return false;
            path = dp_str_cut(path, (size_t)(found - path.p) + piece.n, path.n);
        }
        if (!star)
            return true;
        pattern = dp_str_cut(pattern, piece.n + 1, pattern.n);
    }
}

/* ---- groups ------------------------------------------------------------------------------ */

/* The longest first, so that the first that matches decides; then Allow. */
static int by_length(const void *x, const void *y)
{
    const dp_robots_rule *a = x, *b = y;
    if (a->pattern.n != b->pattern.n)
        return a->pattern.n < b->pattern.n ? 1 : -1;
    if (a->allow != b->allow)
        return a->allow ? -1 : 1;
    return dp_str_cmp(a->pattern, b->pattern);
}

/* "dustpan/1.0 (x)" names dustpan. */
static bool is_agent(dp_str value, dp_str agent)
{
    size_t n = 0;
    while (n < value.n && (dp_is(value.p[n], DP_CH_ALPHA) || value.p[n] == '-' || value.p[n] == '_'))
        n++;
    return dp_str_eq_but_case(dp_str_cut(value, 0, n), agent);
}

/* Digits with a point, to the nearest millisecond; 0 for everything else. */
static double read_delay(dp_str s)
{
    double v = 0, unit = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '.' && unit == 0)
            unit = 1;
        else if (!dp_is(s.p[i], DP_CH_DIGIT))
            return 0;
        else if (unit > 0)
            v += (s.p[i] - '0') * (unit /= 10);
        else
            v = v * 10 + (s.p[i] - '0');
        if (v > DELAY_MAX)
            return DELAY_MAX;
    }
    return (double)(int)(v * 1000 + .5) / 1000;
}

typedef struct groups {
    dp_robots of_us, of_all;
    bool      named; /* some group names us */
} groups;

static dp_err add_rule(dp_robots *r, dp_str pattern, bool allow, dp_arena *a)
{
    if ((r->n & (r->n - 1)) == 0) {
        dp_robots_rule *v = DP_NEWS(a, r->n ? r->n * 2 : 1, dp_robots_rule);
        if (!v)
            return DP_ENOMEM;
        if (r->n)
            memcpy(v, r->v, r->n * sizeof *v);
        r->v = v;
    }
    pattern = escape(pattern, a);
    if (!pattern.p)
        return DP_ENOMEM;
    r->v[r->n++] = (dp_robots_rule){pattern, allow};
    return DP_OK;
}

/* A line of a group that counts for `r`. */
static dp_err add_line(dp_robots *r, dp_str name, dp_str value, dp_arena *a)
{
    if (dp_is_word(name, "crawl-delay")) {
        double delay = read_delay(value);
        if (delay > r->delay)
            r->delay = delay;
        return DP_OK;
    }
    bool allow = dp_is_word(name, "allow");
    /* An empty Disallow forbids nothing; a pattern that begins with neither matches no path. */
    if ((!allow && !dp_is_word(name, "disallow")) || !value.n || (value.p[0] != '/' && value.p[0] != '*'))
        return DP_OK;
    return add_rule(r, value, allow, a);
}

static dp_err read_groups(groups *g, dp_str text, dp_str agent, dp_arena *a)
{
    bool   in_names = false, us = false, all = false;
    dp_str name, value;
    while (next_line(&text, &name, &value)) {
        if (dp_is_word(name, "user-agent")) {
            if (!in_names)
                us = all = false;
            in_names = true;
            us |= is_agent(value, agent);
            all |= value.n && value.p[0] == '*';
            g->named |= us;
        } else if (dp_is_word(name, "allow") || dp_is_word(name, "disallow") || dp_is_word(name, "crawl-delay")) {
            in_names = false;
            if (us)
                DP_TRY(add_line(&g->of_us, name, value, a));
            else if (all)
                DP_TRY(add_line(&g->of_all, name, value, a));
        } /* other lines (Sitemap, Host) stand between groups and end none */
    }
    return DP_OK;
}

dp_err dp_robots_read(dp_robots *out, dp_str text, dp_str agent, dp_arena *a)
{
    groups g = {0};
    if (text.n > DP_ROBOTS_MAX) {
        text.n = DP_ROBOTS_MAX;
        while (text.n && text.p[text.n - 1] != '\n' && text.p[text.n - 1] != '\r')
            text.n--;
    }
    if (dp_str_starts(text, DP_STR("\xEF\xBB\xBF")))
        text = dp_str_cut(text, 3, text.n);
    DP_TRY(read_groups(&g, text, agent, a));
    *out = g.named ? g.of_us : g.of_all;
    if (out->n)
        qsort(out->v, out->n, sizeof *out->v, by_length);
    return DP_OK;
}

bool dp_robots_allow(const dp_robots *r, dp_str path)
{
    if (dp_str_eq(path, DP_STR("/robots.txt")))
        return true;
    for (size_t i = 0; i < r->n; i++)
        if (matches(r->v[i].pattern, path))
            return r->v[i].allow;
    return true;
}

void dp_robots_print(dp_buf *out, const dp_robots *r)
{
    dp_buf_c(out, "User-agent: *\n");
    for (size_t i = 0; i < r->n; i++) {
        dp_buf_c(out, r->v[i].allow ? "Allow: " : "Disallow: ");
        dp_buf_str(out, r->v[i].pattern);
        dp_buf_byte(out, '\n');
    }
    if (r->delay > 0) {
        dp_buf_c(out, "Crawl-delay: ");
        dp_json_number(out, r->delay, 3);
        dp_buf_byte(out, '\n');
    }
}
