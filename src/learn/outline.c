/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/outline.h"

#include "apply/hash.h"

enum { LONGEST_PATH = 512 /* bytes that are looked at */ };

void dp_outline_open(dp_outline *o, dp_str url)
{
    char   low[LONGEST_PATH];
    size_t at = 0, n = 0, cut = 0;
    for (int slashes = 0; at < url.n && slashes < 3; at++)
        slashes += url.p[at] == '/';
    while (at < url.n && url.p[at] != '?' && url.p[at] != ';' && n < LONGEST_PATH) {
        char c = url.p[at++];
        if (c == '/')
            cut = n + 1;
        low[n++] = c >= 'A' && c <= 'Z' ? (char)(c | 32) : c;
    }
    if (n && low[n - 1] == '/')
        for (cut = --n; cut && low[cut - 1] != '/'; cut--) {}
    o->url = url;
    o->path = dp_hash_str((dp_str){low, n});
    o->last = dp_hash_fold(1, dp_hash_str((dp_str){low + cut, n - cut}));
    while (at < url.n && url.p[at] != '?')
        at++;
    o->at = at + 1;
}

bool dp_outline_next(dp_outline *o, uint64_t *pair, dp_str *name)
{
    size_t at = o->at, end = at, equals;
    if (at >= o->url.n)
        return false;
    while (end < o->url.n && o->url.p[end] != '&' && o->url.p[end] != ';')
        end++;
    for (equals = at; equals < end && o->url.p[equals] != '='; equals++) {}
    *pair = dp_hash_str(dp_str_cut(o->url, at, end));
    *name = dp_str_cut(o->url, at, equals);
    o->at = end + 1;
    return true;
}
