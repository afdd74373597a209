/* SPDX-License-Identifier: Apache-2.0 */
#include "content/ties.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "url/chars.h"
#include "url/scan.h"
#include "url/split.h"

static void set_bit(uint64_t *words, uint64_t number)
{
    words[number >> 6 & (DP_TIE_FILTER - 1)] |= (uint64_t)1 << (number & 63);
}

static bool has_bit(const uint64_t *words, uint64_t number)
{
    return words[number >> 6 & (DP_TIE_FILTER - 1)] >> (number & 63) & 1;
}

void dp_tie_filter_add(dp_tie_filter *f, const dp_tie *t)
{
    set_bit(f->shape, t->shape);
    set_bit(f->hash, t->hash);
}

static uint32_t shape_of(char kind, dp_str text)
{
    uint32_t first = text.n ? (unsigned char)text.p[0] : 0, last = text.n ? (unsigned char)text.p[text.n - 1] : 0;
    return (uint32_t)text.n * 61 ^ first * 37 ^ last * 11 ^ (unsigned char)kind;
}

static void add(dp_ties *out, const dp_tie_filter *only, char kind, dp_str text)
{
    dp_tie t = {.shape = shape_of(kind, text)};
    if (only && !has_bit(only->shape, t.shape))
        return;
    t.hash = XXH3_64bits_withSeed(text.p, text.n, (unsigned char)kind);
    if (only && !has_bit(only->hash, t.hash))
        return;
    for (size_t i = 0; i < out->n; i++) {
        if (out->v[i].hash == t.hash)
            return;
    }
    out->full |= out->n == DP_TIES;
    if (out->n < DP_TIES)
        out->v[out->n++] = t;
}

/* Add what lies between separators, but for what is empty. */
static void add_pieces(dp_ties *out, const dp_tie_filter *only, char kind, dp_str text)
{
    dp_scanner s = dp_scanner_open(text);
    for (size_t from = 0, end; from < text.n; from = end + 1) {
        while ((end = dp_scanner_next(&s)) < text.n && (kind == 's' ? text.p[end] != '/' : text.p[end] != '&') &&
               (kind == 's' || text.p[end] != ';')) {}
        if (end > from)
            add(out, only, kind, dp_str_cut(text, from, end));
    }
}

/* Path and query of an http URL with a plain host name, as dp_split_url finds them; false: ask that one. */
static bool cut_plain(dp_str url, dp_str *path, dp_str *query)
{
    size_t at = dp_str_starts(url, DP_STR("http://")) ? 7 : dp_str_starts(url, DP_STR("https://")) ? 8 : url.n;
    size_t host = at;
    while (at < url.n && (dp_is(url.p[at], DP_CH_ALNUM) || url.p[at] == '.' || url.p[at] == '-'))
        at++;
    if (at == host || (at < url.n && url.p[at] != '/' && url.p[at] != '?') || memchr(url.p, '#', url.n))
        return false;
    const char *mark = memchr(url.p + at, '?', url.n - at);
    size_t      end = mark ? (size_t)(mark - url.p) : url.n;
    *path = dp_str_cut(url, at, end);
    *query = dp_str_cut(url, mark ? end + 1 : end, url.n);
    return true;
}

void dp_ties_find(dp_ties *out, dp_str url, const dp_tie_filter *only)
{
    dp_split s;
    out->n = 0;
    out->full = false;
    if (!cut_plain(url, &s.path, &s.query) && !dp_split_url(&s, url))
        return;
    add(out, only, 'w', s.path);
    add_pieces(out, only, 's', s.path);
    add_pieces(out, only, 'q', s.query);
}
