/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/sample/url_outline.h"

#include "base/hash.h"

enum { LONGEST_PATH = 512 /* bytes that are looked at */ };

/* Hash the path from `from` to `to`, and its last segment. */
static void hash_path(dp_outline *o, size_t from, size_t to)
{
    char   low[LONGEST_PATH];
    size_t n = to - from < LONGEST_PATH ? to - from : LONGEST_PATH, cut;
    for (size_t i = 0; i < n; i++) {
        char c = o->url.p[from + i];
        low[i] = (char)(c >= 'A' && c <= 'Z' ? c | 32 : c);
    }
    n -= n && low[n - 1] == '/';
    for (cut = n; cut && low[cut - 1] != '/'; cut--) {}
    o->path = dp_hash_str((dp_str){low, n});
    o->last = dp_hash_fold(1, dp_hash_str((dp_str){low + cut, n - cut}));
}

void dp_outline_open(dp_outline *o, dp_str url)
{
    size_t at = 0, from, to;
    *o = (dp_outline){.url = url, .rest = dp_scanner_open(url)};
    for (int slashes = 0; slashes < 3 && (at = dp_scanner_next(&o->rest)) < url.n;)
        slashes += url.p[at] == '/';
    from = at < url.n ? at + 1 : at;
    do
        to = dp_scanner_next(&o->rest);
    while (to < url.n && url.p[to] != '?' && url.p[to] != ';');
    hash_path(o, from, to);
    while (to < url.n && url.p[to] != '?')
        to = dp_scanner_next(&o->rest);
    o->at = to + 1;
}

bool dp_outline_next(dp_outline *o, uint64_t *pair, dp_str *name)
{
    size_t at = o->at, end, equals = SIZE_MAX;
    if (at >= o->url.n)
        return false;
    while ((end = dp_scanner_next(&o->rest)) < o->url.n && o->url.p[end] != '&' && o->url.p[end] != ';')
        if (o->url.p[end] == '=' && equals == SIZE_MAX)
            equals = end;
    *pair = dp_hash_str(dp_str_cut(o->url, at, end));
    *name = dp_str_cut(o->url, at, equals < end ? equals : end);
    o->at = end + 1;
    return true;
}
