/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/sizes/shown_targets.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"
#include "site/usual.h"
#include "url/asset.h"
#include "url/chars.h"

enum {
    MOST_TIMES = 8,  /* that a page shows the value */
    LEAST_URLS = 10, /* of one form */
    LEAST_SUMS = 4,  /* different ones among them */
    LOOKS = 64,      /* URLs of a form on which the numbers are found */
    FITS = 95        /* per cent of the URLs of a form */
};

/* A URL with such a value. */
typedef struct target {
    uint64_t form; /* of the URL without the value */
    uint32_t url;
    uint32_t letters, slashes, others; /* of the value; others: what is escaped wherever it is, but for slashes */
} target;

/* How often a page shows a value; of these times slashes are escaped, and others. */
typedef struct times {
    uint32_t all, slashes, others;
} times;

typedef struct looking {
    dp_pair_places *places;
    uint32_t       *usual;
    target         *v; /* [n] by form */
    size_t          n, cap;
} looking;

/* The next letter of a value, decoded. */
static char letter_at(dp_str value, size_t *i)
{
    size_t at = *i;
    bool   escaped = dp_is_escape(value.p + at, value.n - at);
    *i += escaped ? 3 : 1;
    return escaped ? dp_unescape(value.p + at) : value.p[at];
}

static void count_letters(target *t, dp_str value)
{
    for (size_t i = 0; i < value.n; t->letters++) {
        char c = letter_at(value, &i);
        t->slashes += c == '/';
        t->others += c != '/' && !dp_is(c, DP_CH_ALNUM) && !(c && strchr("-._~", c));
    }
}

/* "/a" and "http://a", written in whatever way. */
static bool is_target(dp_str value)
{
    size_t i = 0;
    if (!value.n)
        return false;
    if (dp_str_starts(value, DP_STR("http:")) || dp_str_starts(value, DP_STR("https:")) ||
        dp_str_starts(value, DP_STR("http%3A")) || dp_str_starts(value, DP_STR("https%3A")))
        return true;
    return letter_at(value, &i) == '/' && value.n > i;
}

static dp_err look_at(looking *l, uint32_t url)
{
    const dp_frame *f = &l->places->frame;
    bool            has_pairs;
    DP_TRY(dp_pair_places_read(l->places, url, &has_pairs));
    for (uint32_t k = 0; has_pairs && k < f->npair; k++) {
        const dp_pair *p = &f->pair[k];
        if (!is_target(dp_pair_value(f, p)))
            continue;
        if (!DP_ROOM(l->v, l->n, l->cap))
            return DP_ENOMEM;
        uint64_t rest = dp_pairs_hash(f) - dp_pair_hash(f, p);
        target   t = {.form = dp_hash_fold(rest, dp_hash_str(dp_pair_name(f, p))), .url = url};
        count_letters(&t, dp_pair_value(f, p));
        l->v[l->n++] = t;
        break;
    }
    return DP_OK;
}

static int by_form(const void *x, const void *y)
{
    const target *a = x, *b = y;
    if (a->form != b->form)
        return a->form < b->form ? -1 : 1;
    return (a->url > b->url) - (a->url < b->url);
}

static uint32_t sum_of(const target *t, times how)
{
    return how.all * t->letters + 2 * (how.slashes * t->slashes + how.others * t->others);
}

/* How many of n URLs have the size that the one in the middle has, but for their values. */
static size_t count_fits(const looking *l, const target *v, size_t n, times how, uint32_t *rest)
{
    size_t   fits = 0;
    uint32_t size = l->usual[v[n / 2].url], own = sum_of(&v[n / 2], how);
    *rest = size > own ? size - own : 0;
    for (size_t i = 0; i < n && *rest; i++)
        fits += l->usual[v[i].url] == *rest + sum_of(&v[i], how);
    return fits;
}

/* The numbers that fit most of some URLs; how many those are. */
static size_t find_times(const looking *l, const target *v, size_t n, times *best)
{
    size_t most = 0;
    for (uint32_t all = 1; all <= MOST_TIMES; all++) {
        for (uint32_t slashes = 0; slashes <= all; slashes++) {
            for (uint32_t others = 0; others <= all; others++) {
                uint32_t rest;
                times    how = {all, slashes, others};
                size_t   fits = count_fits(l, v, n, how, &rest);
                if (fits <= most)
                    continue;
                most = fits;
                *best = how;
            }
        }
    }
    return most;
}

static bool has_sums(const target *v, size_t n, times how)
{
    uint32_t seen[LEAST_SUMS];
    size_t   known = 0;
    for (size_t i = 0; i < n && known < LEAST_SUMS; i++) {
        size_t k = 0;
        while (k < known && seen[k] != sum_of(&v[i], how))
            k++;
        if (k == known)
            seen[known++] = sum_of(&v[i], how);
    }
    return known == LEAST_SUMS;
}

/* URLs of one form, n of them. */
static void take(looking *l, const target *v, size_t n)
{
    times    how = {0};
    uint32_t rest;
    if (n < LEAST_URLS || !find_times(l, v, n < LOOKS ? n : LOOKS, &how) || !has_sums(v, n, how) ||
        100 * count_fits(l, v, n, how, &rest) < (size_t)FITS * n)
        return;
    for (size_t i = 0; i < n; i++) {
        if (l->usual[v[i].url] == rest + sum_of(&v[i], how))
            l->usual[v[i].url] = rest;
    }
}

dp_err dp_shown_targets_take(uint32_t *usual, dp_pair_places *places)
{
    const dp_site *s = places->site;
    looking        l = {.places = places, .usual = usual};
    dp_err         code = DP_OK;
    for (uint32_t i = 0; i < s->n && code == DP_OK && !s->spread; i++) {
        if (usual[i] != DP_NO_SIZE && !dp_url_is_asset(s->url[i]))
            code = look_at(&l, i);
    }
    if (code == DP_OK && l.n)
        qsort(l.v, l.n, sizeof *l.v, by_form);
    for (size_t i = 0, j; i < l.n && code == DP_OK; i = j) {
        for (j = i + 1; j < l.n && l.v[j].form == l.v[i].form; j++) {}
        take(&l, l.v + i, j - i);
    }
    free(l.v);
    return code;
}
