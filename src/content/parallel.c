/* SPDX-License-Identifier: Apache-2.0 */
#include "content/parallel.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/keyed.h"
#include "base/room.h"

/* What is left of a URL without one of its parts: many URLs have it, and nothing is parallel by it. */
enum { MOST_ALIKE = 64 };

/* A part of a URL, and what is left without it. */
typedef struct part {
    uint64_t text;
    uint32_t set;
} part;

typedef struct search {
    const dp_member *v;
    part            *part; /* [n] */
    dp_keyed        *rest; /* [n] by what is left */
    size_t           n, part_cap, rest_cap;
    dp_keyed        *pair; /* [npair] by the two sets and the exchange; of the first set */
    size_t           npair, cap;
} search;

static bool is_delimiter(char c)
{
    return c == '/' || c == '?' || c == '&' || c == ';';
}

/* The parts of a URL behind its host. */
static bool add_parts(search *s, const dp_member *m)
{
    dp_str      url = m->url;
    const char *host = memmem(url.p, url.n, "//", 2);
    size_t      from = host ? (size_t)(host - url.p) + 2 : 0;
    while (from < url.n && url.p[from] != '/')
        from++;
    for (size_t end; from < url.n; from = end) {
        for (end = ++from; end < url.n && !is_delimiter(url.p[end]); end++) {}
        if (end == from)
            continue;
        if (!DP_ROOM(s->part, s->n, s->part_cap) || !DP_ROOM(s->rest, s->n, s->rest_cap))
            return false;
        uint64_t rest = dp_hash_fold(dp_hash_str(dp_str_cut(url, 0, from)), dp_hash_str(dp_str_cut(url, end, url.n)));
        s->part[s->n] = (part){dp_hash_str(dp_str_cut(url, from, end)), m->set};
        s->rest[s->n] = (dp_keyed){rest, (uint32_t)s->n};
        s->n++;
    }
    return true;
}

/* Note that set `a` becomes set `b` by this exchange in one more URL. */
static bool add_pair(search *s, const part *a, const part *b)
{
    const uint64_t words[] = {a->set, b->set, a->text, b->text};
    if (!DP_ROOM(s->pair, s->npair, s->cap))
        return false;
    s->pair[s->npair++] = (dp_keyed){dp_hash_bytes(words, sizeof words), a->set};
    return true;
}

static bool find_pairs(search *s)
{
    for (size_t i = 0, end; i < s->n; i = end) {
        end = dp_keyed_end(s->rest, s->n, i);
        for (size_t j = i; j < end && end - i <= MOST_ALIKE; j++)
            for (size_t k = i; k < end; k++) {
                const part *a = &s->part[s->rest[j].item], *b = &s->part[s->rest[k].item];
                if (a->set != b->set && !add_pair(s, a, b))
                    return false;
            }
    }
    return true;
}

/* Sort with room of its own. */
static bool group(dp_keyed *v, size_t n)
{
    dp_keyed *tmp = malloc((n + 1) * sizeof *tmp);
    if (tmp)
        dp_keyed_group(v, tmp, n);
    free(tmp);
    return tmp != NULL;
}

dp_err dp_parallel_find(bool *out, size_t sets, const dp_member *v, size_t n)
{
    search  s = {.v = v};
    size_t *urls = calloc(sets + 1, sizeof *urls);
    bool    ok = urls != NULL;
    memset(out, 0, sets * sizeof *out);
    for (size_t i = 0; i < n && ok; i++) {
        urls[v[i].set]++;
        ok = add_parts(&s, &v[i]);
    }
    ok = ok && group(s.rest, s.n) && find_pairs(&s) && group(s.pair, s.npair);
    for (size_t i = 0, end; ok && i < s.npair; i = end) {
        end = dp_keyed_end(s.pair, s.npair, i);
        out[s.pair[i].item] |= 2 * (end - i) >= urls[s.pair[i].item];
    }
    free(urls);
    free(s.part);
    free(s.rest);
    free(s.pair);
    return ok ? DP_OK : DP_ENOMEM;
}
