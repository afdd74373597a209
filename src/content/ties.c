/* SPDX-License-Identifier: Apache-2.0 */
#include "content/ties.h"

#include "base/hash.h"
#include "url/scan.h"
#include "url/split.h"

enum { PLAIN_SLASHES = 24 }; /* of a path that is read in one walk */

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

static void add_shaped(dp_ties *out, const dp_tie_filter *only, char kind, dp_str text, uint32_t shape)
{
    dp_tie t = {dp_hash_seeded(text.p, text.n, (unsigned char)kind), shape};
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

/* Most are turned away here, so that this much is in line. */
static inline void add(dp_ties *out, const dp_tie_filter *only, char kind, dp_str text)
{
    uint32_t shape = shape_of(kind, text);
    if (!only || has_bit(only->shape, shape))
        add_shaped(out, only, kind, text, shape);
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

/* A URL like most: http, a plain host name, few segments and no fragment. One walk along its special bytes says the
 * same as dp_split_url and add_pieces; false, and nothing is added, where it is not like that. */
static bool find_plain(dp_ties *out, dp_str url, const dp_tie_filter *only)
{
    size_t   host = dp_str_starts(url, DP_STR("http://")) ? 7 : dp_str_starts(url, DP_STR("https://")) ? 8 : 0;
    dp_scan  first = dp_scan_bytes(url.p, url.n < 64 ? url.n : 64);
    uint64_t special = first.special >> host << host;
    if (!host || !special || memchr(url.p, '#', url.n))
        return false;
    size_t   path = (size_t)__builtin_ctzll(special), slash[PLAIN_SLASHES], n = 0, at = path;
    uint64_t name = ((uint64_t)1 << path) - ((uint64_t)1 << host);
    if (path == host || first.foreign & name || (url.p[path] != '/' && url.p[path] != '?'))
        return false;
    dp_scanner s = {url, special, 0};
    while ((at = dp_scanner_next(&s)) < url.n && url.p[at] != '?') {
        if (url.p[at] != '/')
            continue;
        if (n == PLAIN_SLASHES)
            return false;
        slash[n++] = at;
    }
    add(out, only, 'w', dp_str_cut(url, path, at));
    for (size_t i = 0; i < n; i++) {
        size_t end = i + 1 < n ? slash[i + 1] : at;
        if (end > slash[i] + 1)
            add(out, only, 's', dp_str_cut(url, slash[i] + 1, end));
    }
    while (at < url.n) {
        size_t from = at + 1;
        while ((at = dp_scanner_next(&s)) < url.n && url.p[at] != '&' && url.p[at] != ';') {}
        if (at > from)
            add(out, only, 'q', dp_str_cut(url, from, at));
    }
    return true;
}

void dp_ties_find(dp_ties *out, dp_str url, const dp_tie_filter *only)
{
    dp_split s;
    out->n = 0;
    out->full = false;
    if (find_plain(out, url, only) || !dp_split_url(&s, url))
        return;
    add(out, only, 'w', s.path);
    add_pieces(out, only, 's', s.path);
    add_pieces(out, only, 'q', s.query);
}
