/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/forms/identity.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/ordinal.h"
#include "url/chars.h"

enum {
    MOST_PAGES = 400,  /* evenly drawn */
    MOST_HEARD = 12,   /* URLs of a page */
    MOST_URLS = 1500,  /* that say how common a word is */
    MOST_WORDS = 64,   /* of a page's first URL */
    LEAST_DIGITS = 4,  /* of a number that may name a page */
    LEAST_MIXED = 8    /* letters and digits of a run that does */
};

/* Pages that may share a word which sets them apart: so many, one more for each SHARE of the site, at most SHARED_MOST.
 * Languages and lists of one thing have its id: on mixed sites up to eight pages of 130 do. Not tried with others. */
enum { SHARED_LEAST = 3, SHARE = 25, SHARED_MOST = 20 };

/* A run of letters or of digits; `mixed`: it is part of a long run of both. */
typedef struct word {
    uint64_t hash;
    dp_str   text;
    bool     mixed;
} word;

/* The words of a URL, one after another. */
typedef struct reading {
    dp_str url;
    size_t at, run_end; /* of the run of letters and digits at hand */
    bool   mixed;
} reading;

static reading read_url(dp_str url)
{
    const char *host = memmem(url.p, url.n, "://", 3);
    return (reading){.url = url, .at = host ? (size_t)(host - url.p) + 3 : 0};
}

/* Begin with the run of letters and digits at r->at. */
static void enter_run(reading *r)
{
    const char *p = r->url.p;
    size_t      end = r->at;
    int         kinds = 0, kind;
    for (; end < r->url.n && (kind = dp_chars[(unsigned char)p[end]] & DP_CH_ALNUM); end++)
        kinds |= kind;
    r->run_end = end;
    r->mixed = end - r->at >= LEAST_MIXED && kinds == DP_CH_ALNUM;
}

/* Eight bytes at a time: words are short, and all of a URL are hashed. Letters differ in one bit from those in the
 * other case, which digits have. */
static uint64_t hash_word(dp_str t)
{
    uint64_t hash = t.n, part;
    for (; t.n >= sizeof part; t = dp_str_cut(t, sizeof part, t.n)) {
        memcpy(&part, t.p, sizeof part);
        hash = dp_hash_fold(hash, part | 0x2020202020202020u);
    }
    part = 0;
    memcpy(&part, t.p, t.n);
    return dp_hash_fold(hash, part | 0x2020202020202020u);
}

static bool next_word(reading *r, word *out)
{
    const char *p = r->url.p;
    size_t      n = r->url.n, at = r->at;
    while (at < n && !dp_is(p[at], DP_CH_ALNUM))
        at += dp_is_escape(p + at, n - at) ? 3 : 1;
    r->at = at;
    if (at >= n)
        return false;
    if (at >= r->run_end)
        enter_run(r);
    size_t end = at + 1;
    int    kind = dp_chars[(unsigned char)p[at]] & DP_CH_ALNUM;
    while (end < r->run_end && dp_is(p[end], kind))
        end++;
    r->at = end;
    while (kind == DP_CH_DIGIT && at + 1 < end && p[at] == '0')
        at++;
    dp_str text = dp_str_cut(r->url, at, end);
    *out = (word){.hash = hash_word(text), .text = text, .mixed = r->mixed};
    return true;
}

/* Whether a word may name a page: years have four digits, too. */
static bool is_id(const word *w)
{
    dp_str t = w->text;
    bool   year = t.n == 4 && (dp_str_starts(t, DP_STR("19")) || dp_str_starts(t, DP_STR("20")));
    return w->mixed || (t.n >= LEAST_DIGITS && dp_is(t.p[0], DP_CH_DIGIT) && !year);
}

/* ---- what all URLs of a page have --------------------------------------------------------- */

typedef struct candidate {
    word     w;
    uint32_t urls, last; /* that have it; the last of them */
} candidate;

typedef struct page {
    candidate v[MOST_WORDS];
    uint32_t  n, seen; /* words; URLs so far */
    uint32_t  cluster;
} page;

/* Which pages are looked at: out->of becomes their numbers. */
static uint32_t draw(uint32_t *of, const dp_site *s)
{
    uint64_t open = 0, seen = 0;
    uint32_t n = 0;
    for (uint32_t c = 0; c < s->nclusters; c++)
        open += s->size[c] > 1 && !s->is_soft[c];
    uint64_t asked = open < MOST_PAGES ? open : MOST_PAGES;
    for (uint32_t c = 0; c < s->nclusters; c++) {
        of[c] = UINT32_MAX;
        if (s->size[c] < 2 || s->is_soft[c])
            continue;
        uint64_t before = seen++ * asked / open;
        if (seen * asked / open > before)
            of[c] = n++;
    }
    return n;
}

static candidate *find(page *p, uint64_t hash)
{
    for (uint32_t i = 0; i < p->n; i++)
        if (p->v[i].w.hash == hash)
            return &p->v[i];
    return NULL;
}

static void hear_url(page *p, uint32_t cluster, dp_str url)
{
    reading r = read_url(url);
    word    w;
    p->cluster = cluster;
    if (p->seen == MOST_HEARD)
        return;
    p->seen++;
    while (next_word(&r, &w)) {
        candidate *c = find(p, w.hash);
        if (!c && p->seen == 1 && p->n < MOST_WORDS)
            p->v[p->n++] = (candidate){.w = w, .urls = 1, .last = 1};
        else if (c && c->last != p->seen) {
            c->urls++;
            c->last = p->seen;
            c->w.mixed &= w.mixed;
        }
    }
}

/* Leave the words that all URLs have. */
static void cut(page *p)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n; i++)
        if (p->v[i].urls == p->seen)
            p->v[n++] = p->v[i];
    p->n = n;
}

/* ---- how many pages have a word ----------------------------------------------------------- */

typedef struct use {
    uint32_t clusters, last;
} use;

/* Number the words of all pages, and count who else has them. */
static dp_err count_uses(dp_ordinals *words, use **out, const page *p, uint32_t n, const dp_site *s)
{
    bool     fresh;
    uint32_t number;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < p[i].n; k++)
            DP_TRY(dp_ordinals_add(words, p[i].v[k].w.hash, &number, &fresh));
    use *v = *out = calloc((size_t)words->n + 1, sizeof *v);
    if (!v)
        return DP_ENOMEM;
    size_t step = s->n / MOST_URLS + 1;
    for (size_t u = 0; u < s->n; u += step) {
        reading  r = read_url(s->url[u]);
        word     w;
        uint32_t cluster = s->cluster[u];
        while (next_word(&r, &w)) {
            if (!dp_ordinals_find(words, w.hash, &number))
                continue;
            v[number].clusters += v[number].last != cluster + 1;
            v[number].last = cluster + 1;
        }
    }
    return DP_OK;
}

/* Take over the words that few pages have, of pages that have an id among them. */
static void keep_rare(dp_identities *d, const page *p, uint32_t n, const dp_ordinals *words, const use *v,
                      uint32_t most)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t begin = end, number;
        dp_str   id = {0};
        bool     alone = false;
        for (uint32_t k = 0; k < p[i].n; k++) {
            const word *w = &p[i].v[k].w;
            bool        known = dp_ordinals_find(words, w->hash, &number);
            bool        rare = known && v[number].clusters <= most, digits = dp_is(w->text.p[0], DP_CH_DIGIT);
            if (!rare && !digits)
                continue;
            d->is_small[end] = digits && !is_id(w);
            d->word[end++] = w->hash;
            if (rare && is_id(w) && w->text.n > id.n)
                id = w->text;
            alone |= rare && is_id(w) && v[number].clusters == 1;
        }
        end = id.n ? end : begin;
        d->of[p[i].cluster] = id.n ? d->n : UINT32_MAX;
        if (!id.n)
            continue;
        d->is_alone[d->n] = alone;
        d->id[d->n] = id;
        d->first[d->n++] = begin;
        d->first[d->n] = end;
    }
}

/* Pages that may share a word that sets them apart: languages and lists of one thing have its id. */
static uint32_t most_pages(const dp_site *s)
{
    uint32_t most = SHARED_LEAST + s->nclusters / SHARE;
    return most < SHARED_MOST ? most : SHARED_MOST;
}

static dp_err collect(dp_identities *d, page *p, uint32_t n, const dp_site *s)
{
    dp_ordinals words = {0};
    use        *v = NULL;
    size_t      all = 0;
    for (size_t u = 0; u < s->n; u++)
        if (s->cluster[u] != DP_NO_CLUSTER && d->of[s->cluster[u]] != UINT32_MAX)
            hear_url(&p[d->of[s->cluster[u]]], s->cluster[u], s->url[u]);
    for (uint32_t i = 0; i < n; i++) {
        cut(&p[i]);
        all += p[i].n;
    }
    d->first = calloc((size_t)n + 1, sizeof *d->first);
    d->id = malloc(((size_t)n + 1) * sizeof *d->id);
    d->is_alone = malloc(((size_t)n + 1) * sizeof *d->is_alone);
    d->word = malloc((all + 1) * sizeof *d->word);
    d->is_small = malloc((all + 1) * sizeof *d->is_small);
    bool   room = d->first && d->id && d->is_alone && d->word && d->is_small;
    dp_err code = room ? count_uses(&words, &v, p, n, s) : DP_ENOMEM;
    if (code == DP_OK)
        keep_rare(d, p, n, &words, v, most_pages(s));
    dp_ordinals_done(&words);
    free(v);
    return code;
}

dp_err dp_identities_init(dp_identities *d, const dp_site *s)
{
    *d = (dp_identities){.of = malloc(((size_t)s->nclusters + 1) * sizeof *d->of)};
    if (!d->of)
        return DP_ENOMEM;
    uint32_t n = draw(d->of, s);
    page    *p = calloc((size_t)n + 1, sizeof *p);
    dp_err   code = p ? collect(d, p, n, s) : DP_ENOMEM;
    free(p);
    if (code != DP_OK)
        dp_identities_done(d);
    return code;
}

void dp_identities_done(dp_identities *d)
{
    free(d->of);
    free(d->first);
    free(d->word);
    free(d->is_small);
    free(d->is_alone);
    free(d->id);
    *d = (dp_identities){0};
}

/* ---- lost --------------------------------------------------------------------------------- */

/* Ids are short: memmem takes longer to prepare than to look. */
static bool contains(dp_str text, dp_str id)
{
    const char *at = text.p, *end = text.p + text.n;
    while ((size_t)(end - at) >= id.n && (at = memchr(at, id.p[0], (size_t)(end - at) - id.n + 1))) {
        if (memcmp(at, id.p, id.n) == 0)
            return true;
        at++;
    }
    return false;
}

/* Whether a text has a word of a page; `small`: a short number is one, too. */
static bool has_any(const dp_identities *d, uint32_t page_number, dp_str text, bool small)
{
    word w;
    if (contains(text, d->id[page_number]))
        return true;
    reading r = read_url(text);
    while (next_word(&r, &w))
        for (uint32_t i = d->first[page_number]; i < d->first[page_number + 1]; i++)
            if (d->word[i] == w.hash && (small || !d->is_small[i]))
                return true;
    return false;
}

static dp_str before_query(dp_str url)
{
    const char *at = memchr(url.p, '?', url.n);
    return dp_str_cut(url, 0, at ? (size_t)(at - url.p) : url.n);
}

bool dp_identity_is_lost(const dp_identities *d, uint32_t cluster, dp_str before, dp_str after)
{
    if (!d->of || cluster == DP_NO_CLUSTER || d->of[cluster] == UINT32_MAX)
        return false;
    uint32_t who = d->of[cluster];
    dp_str   path = before_query(after), old = before_query(before);
    dp_str   query = dp_str_cut(after, path.n, after.n);
    bool     stays = query.n && dp_str_ends(before, query) && !dp_str_eq(path, old);
    if (!stays)
        return !has_any(d, who, after, true) && has_any(d, who, before, true);
    return !has_any(d, who, after, false) && !has_any(d, who, path, true) &&
           (has_any(d, who, before, false) || has_any(d, who, old, true));
}
