/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/sample/sample_site.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/order.h"
#include "base/room.h"
#include "learn/sample/url_outline.h"

enum {
    PILOT = 50000,   /* facts, about */
    KEPT = 16,       /* URLs of the pilot that a cluster may have under one path */
    LEAST_SEEN = 4   /* of these, before a key is called volatile */
};

dp_site_sample *dp_site_sample_make(uint64_t facts, uint64_t most)
{
    dp_site_sample *d = calloc(1, sizeof *d);
    if (d) {
        d->facts = facts;
        d->most = most;
        d->limit = 4096;
    }
    return d;
}

void dp_site_sample_free(dp_site_sample *d)
{
    if (!d)
        return;
    free(d->row);
    free(d->key);
    free(d);
}

/* ---- the pilot ---------------------------------------------------------------------------------------------- */

/* What says which page the fact shows, as a hash: facts of one page have one. False: nothing says so. */
static bool page_of(uint64_t *out, const dp_fact *f)
{
    if (f->has & DP_FACT_CLUSTER)
        *out = dp_hash_fold(1, f->cluster);
    else if (f->has & DP_FACT_TEXT)
        *out = dp_hash_fold(2, f->text.lo);
    else if (f->has & DP_FACT_DIGEST)
        *out = dp_hash_fold(3, f->digest.lo);
    else if (f->has & DP_FACT_SKETCH)
        *out = dp_hash_str((dp_str){(const char *)f->sketch, sizeof f->sketch});
    else if (f->has & DP_FACT_SIMHASH)
        *out = dp_hash_fold(4, f->simhash);
    else if (f->has & DP_FACT_LINK)
        *out = dp_hash_str(f->link);
    else
        return false;
    return true;
}

static int by_group(const void *a, const void *b)
{
    const dp_site_sample_row *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->url > y->url) - (x->url < y->url);
}

/* Of each group the URLs of the least hashes stay, each once: so it does not matter who has seen which. */
static void trim(dp_site_sample *d)
{
    size_t n = 0, of_group = 0;
    if (d->n)
        qsort(d->row, d->n, sizeof *d->row, by_group);
    for (size_t i = 0; i < d->n; i++) {
        bool same = n && d->row[n - 1].group == d->row[i].group;
        if (same && d->row[n - 1].url == d->row[i].url)
            continue;
        of_group = same ? of_group + 1 : 1;
        if (of_group <= KEPT)
            d->row[n++] = d->row[i];
    }
    d->n = n;
}

static dp_err add_row(dp_site_sample *d, const dp_site_sample_row *r)
{
    if (d->n == d->limit) {
        trim(d);
        d->limit = d->n > d->limit / 2 ? 2 * d->limit : d->limit;
    }
    if (d->n >= d->cap) {
        if (!DP_RESIZE(d->row, d->limit))
            return DP_ENOMEM;
        d->cap = d->limit;
    }
    d->row[d->n++] = *r;
    return DP_OK;
}

static dp_err see_pilot(dp_site_sample *d, const dp_fact *f)
{
    dp_site_sample_row r = {0};
    dp_outline         o;
    dp_str             name;
    uint64_t           page, pair;
    if (!page_of(&page, f) || (d->facts > PILOT && page > UINT64_MAX / d->facts * PILOT))
        return DP_OK;
    dp_outline_open(&o, f->url);
    r.group = dp_hash_fold(page, o.path);
    r.url = dp_hash_str(f->url);
    while (r.n < DP_SITE_SAMPLE_KEYS && dp_outline_next(&o, &pair, &name)) {
        r.name[r.n] = dp_hash_str(name);
        r.pair[r.n++] = pair;
    }
    return add_row(d, &r);
}

/* ---- how many URLs --------------------------------------------------------------------------------------------- */

static void note_url(dp_site_sample *d, dp_str url)
{
    uint64_t hash = dp_hash_str(url);
    size_t   place = hash % DP_SITE_SAMPLE_RANKS;
    uint8_t  rank = (uint8_t)(1 + __builtin_clzll(hash | DP_SITE_SAMPLE_RANKS));
    d->rank[place] = rank > d->rank[place] ? rank : d->rank[place];
}

/* Flajolet et al. 2007, with the count of empty places where there are few URLs. */
static double count_urls(const dp_site_sample *d)
{
    double m = DP_SITE_SAMPLE_RANKS, sum = 0;
    size_t empty = 0;
    for (size_t i = 0; i < DP_SITE_SAMPLE_RANKS; i++) {
        sum += ldexp(1, -d->rank[i]);
        empty += d->rank[i] == 0;
    }
    double n = .7213 / (1 + 1.079 / m) * m * m / sum;
    return n < 2.5 * m && empty ? m * log(m / (double)empty) : n;
}

/* Facts that the sample may have. Where hardly a URL comes twice, the estimate would only do harm. */
static void make_room(dp_site_sample *d)
{
    double urls = count_urls(d), facts = (double)d->facts;
    if (urls > .95 * facts)
        urls = facts;
    d->all = urls <= (double)d->most;
    d->room = d->all ? d->facts : (uint64_t)((double)d->most / urls * facts);
}

/* ---- volatile keys -------------------------------------------------------------------------------------------- */

/* How often a key was there in a group of several URLs, and how often it changed. */
typedef struct tally {
    uint64_t name;
    uint32_t seen, varies;
} tally;

static const uint64_t *pair_of(const dp_site_sample_row *r, uint64_t name)
{
    for (size_t k = 0; k < r->n; k++) {
        if (r->name[k] == name)
            return &r->pair[k];
    }
    return NULL;
}

static bool varies(const dp_site_sample_row *v, size_t n, uint64_t name)
{
    const uint64_t *first = pair_of(v, name);
    for (size_t i = 1; i < n; i++) {
        const uint64_t *pair = pair_of(&v[i], name);
        if (!pair != !first || (pair && *pair != *first))
            return true;
    }
    return false;
}

/* The keys of a group, each once. */
static size_t tally_group(tally *out, const dp_site_sample_row *v, size_t n)
{
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < v[i].n; k++) {
            size_t seen = 0;
            while (seen < m && out[seen].name != v[i].name[k])
                seen++;
            if (seen == m)
                out[m++] = (tally){v[i].name[k], 1, varies(v, n, v[i].name[k])};
        }
    }
    return m;
}

static int by_name(const void *a, const void *b)
{
    const tally *x = a, *y = b;
    return (x->name > y->name) - (x->name < y->name);
}

static dp_err find_volatile(dp_site_sample *d)
{
    size_t n = 0;
    trim(d);
    tally *v = malloc((d->n * DP_SITE_SAMPLE_KEYS + 1) * sizeof *v);
    d->key = malloc((d->n * DP_SITE_SAMPLE_KEYS + 1) * sizeof *d->key);
    if (!v || !d->key) {
        free(v);
        return DP_ENOMEM;
    }
    for (size_t i = 0, j; i < d->n; i = j) {
        for (j = i + 1; j < d->n && d->row[j].group == d->row[i].group; j++) {}
        if (j - i > 1)
            n += tally_group(v + n, d->row + i, j - i);
    }
    if (n)
        qsort(v, n, sizeof *v, by_name);
    for (size_t i = 0, j; i < n; i = j) {
        uint64_t seen = 0, changed = 0;
        for (j = i; j < n && v[j].name == v[i].name; j++) {
            seen += v[j].seen;
            changed += v[j].varies;
        }
        if (seen >= LEAST_SEEN && 4 * changed > seen)
            d->key[d->nkey++] = v[i].name;
    }
    free(v);
    free(d->row);
    d->row = NULL;
    d->n = d->cap = 0;
    return DP_OK;
}

static bool is_volatile(const dp_site_sample *d, dp_str name)
{
    uint64_t hash = d->nkey ? dp_hash_str(name) : 0;
    size_t   i;
    DP_BISECT(i, d->nkey, d->key[i] < hash);
    return i < d->nkey && d->key[i] == hash;
}

/* ---- forms ------------------------------------------------------------------------------------------------------ */

/* The bins of a URL: by its form, and by its whole outline. */
static void bins_of(const dp_site_sample *d, dp_str url, size_t out[2])
{
    dp_outline o;
    dp_str     name;
    uint64_t   pair, form, whole;
    dp_outline_open(&o, url);
    form = whole = o.path;
    while (dp_outline_next(&o, &pair, &name)) {
        whole += pair;
        form += is_volatile(d, name) ? 0 : pair;
    }
    out[0] = form % DP_SITE_SAMPLE_BINS;
    out[1] = whole % DP_SITE_SAMPLE_BINS;
}

/* How many facts the bins hold that fit, one after another, and which they are. */
static uint64_t fit(uint64_t *bin, uint64_t most, bool mark)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < DP_SITE_SAMPLE_BINS; i++) {
        bool fits = sum + bin[i] <= most;
        sum += fits ? bin[i] : 0;
        if (mark)
            bin[i] = fits;
    }
    return sum;
}

dp_err dp_site_sample_see(dp_site_sample *d, const dp_fact *f)
{
    size_t bin[2];
    if (!dp_fact_is_of_url(f))
        return DP_OK;
    if (d->step == DP_SITE_SAMPLE_PILOT) {
        note_url(d, f->url);
        return see_pilot(d, f);
    }
    bins_of(d, f->url, bin);
    d->bin[0][bin[0]]++;
    d->bin[1][bin[1]]++;
    return DP_OK;
}

dp_err dp_site_sample_turn(dp_site_sample *d)
{
    if (d->step == DP_SITE_SAMPLE_PILOT) {
        DP_TRY(find_volatile(d));
        make_room(d);
    } else {
        d->whole = fit(d->bin[0], d->room, false) < d->room / 2;
        fit(d->bin[d->whole], d->room, true);
    }
    d->step++;
    return DP_OK;
}

bool dp_site_sample_takes(const dp_site_sample *d, dp_str url)
{
    size_t bin[2];
    bins_of(d, url, bin);
    return d->bin[d->whole][bin[d->whole]];
}

/* ---- bytes ------------------------------------------------------------------------------------------------------ */

static const char MARK[8] = "dpdraw1\n";

/* What stands before the rows, the keys and the bins. */
typedef struct head {
    char     mark[8];
    uint64_t step, facts, most, room, all, whole, rows, keys;
} head;

void dp_site_sample_pack(dp_buf *out, dp_site_sample *d)
{
    if (d->step == DP_SITE_SAMPLE_PILOT)
        trim(d);
    head h = {.step = d->step, .facts = d->facts, .most = d->most, .room = d->room, .all = d->all, .whole = d->whole,
              .rows = d->n, .keys = d->nkey};
    memcpy(h.mark, MARK, sizeof MARK);
    dp_buf_add(out, (const char *)&h, sizeof h);
    if (d->n)
        dp_buf_add(out, (const char *)d->row, d->n * sizeof *d->row);
    if (d->nkey)
        dp_buf_add(out, (const char *)d->key, d->nkey * sizeof *d->key);
    if (d->step == DP_SITE_SAMPLE_PILOT)
        dp_buf_add(out, (const char *)d->rank, sizeof d->rank);
    else
        dp_buf_add(out, (const char *)d->bin, sizeof d->bin);
}

/* Become what the bytes behind `h` say; all else is still to be seen. */
static dp_err adopt(dp_site_sample *d, const head *h, dp_str keys)
{
    free(d->row);
    d->row = NULL;
    d->n = d->cap = 0;
    free(d->key);
    d->nkey = (size_t)h->keys;
    d->key = malloc(keys.n + 1);
    if (!d->key)
        return DP_ENOMEM;
    memcpy(d->key, keys.p, keys.n);
    d->step = (dp_site_sample_step)h->step;
    d->whole = h->whole;
    d->room = h->room;
    d->all = h->all;
    memset(d->bin, 0, sizeof d->bin);
    return DP_OK;
}

dp_err dp_site_sample_unpack(dp_site_sample *d, dp_str bytes)
{
    head h;
    if (bytes.n < sizeof h)
        return DP_ESYNTAX;
    memcpy(&h, bytes.p, sizeof h);
    size_t bins = h.step == DP_SITE_SAMPLE_PILOT ? 0 : sizeof d->bin, ranks = bins ? 0 : sizeof d->rank;
    if (memcmp(h.mark, MARK, sizeof MARK) != 0 || h.step > DP_SITE_SAMPLE_TAKE || h.step < d->step ||
        h.facts != d->facts || h.most != d->most || h.rows > bytes.n || h.keys > bytes.n ||
        bytes.n != sizeof h + h.rows * sizeof(dp_site_sample_row) + h.keys * sizeof *d->key + bins + ranks)
        return DP_ESYNTAX;
    const char *row = bytes.p + sizeof h, *key = row + h.rows * sizeof(dp_site_sample_row);
    if (h.step > d->step)
        DP_TRY(adopt(d, &h, (dp_str){key, h.keys * sizeof *d->key}));
    for (uint64_t i = 0; i < h.rows; i++) {
        dp_site_sample_row r;
        memcpy(&r, row + i * sizeof r, sizeof r);
        if (r.n > DP_SITE_SAMPLE_KEYS)
            return DP_ESYNTAX;
        DP_TRY(add_row(d, &r));
    }
    for (size_t i = 0; i < ranks; i++) {
        uint8_t rank = (uint8_t)key[h.keys * sizeof *d->key + i];
        d->rank[i] = rank > d->rank[i] ? rank : d->rank[i];
    }
    for (size_t i = 0; i < bins / sizeof(uint64_t); i++) {
        uint64_t more;
        memcpy(&more, key + (h.keys + i) * sizeof more, sizeof more);
        d->bin[i / DP_SITE_SAMPLE_BINS][i % DP_SITE_SAMPLE_BINS] += more;
    }
    return DP_OK;
}
