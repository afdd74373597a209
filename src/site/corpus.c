/* Facts in: find the URL's number, note what is new of it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "site/corpus.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"
#include "base/secret.h"
#include "url/host.h"

enum { MOST_URLS = INT32_MAX };

/* ---- columns ---------------------------------------------------------------------------------------- */

/* A column of `width` bytes a URL; all bits set mean: not known, but for those that begin with 0. */
typedef struct column {
    void  *p; /* to the pointer */
    size_t width;
    int    fill;
} column;

enum { COLUMNS = 16, ALWAYS = 4 /* the first are there from the start */ };

static void list_columns(dp_corpus *c, column out[COLUMNS])
{
    const column all[COLUMNS] = {
        {&c->host, sizeof *c->host, 0},
        {&c->label, sizeof *c->label, 0xFF},
        {&c->by, sizeof *c->by, 0},
        {&c->hits, sizeof *c->hits, 0},
        {&c->size_min, sizeof *c->size_min, 0xFF},
        {&c->size_max, sizeof *c->size_max, 0xFF},
        {&c->sketch, sizeof *c->sketch, 0},
        {&c->simhash, sizeof *c->simhash, 0},
        {&c->importance, sizeof *c->importance, 0xFF},
        {&c->inlinks, sizeof *c->inlinks, 0xFF},
        {&c->hops, sizeof *c->hops, 0xFF},
        {&c->time, sizeof *c->time, 0xFF},
        {&c->is_hearsay, sizeof *c->is_hearsay, 0},
        {&c->is_plain, sizeof *c->is_plain, 0},
        {&c->linked, sizeof *c->linked, 0},
        {&c->resource, sizeof *c->resource, 0},
    };
    memcpy(out, all, sizeof all);
}

static char *bytes_of(const column *v)
{
    char *p;
    memcpy(&p, v->p, sizeof p);
    return p;
}

/* Make room for one URL more in all columns that are there. */
static bool make_room(dp_corpus *c)
{
    if (c->n < c->cap)
        return true;
    column v[COLUMNS];
    size_t cap = c->cap ? c->cap + c->cap / 2 : 64;
    list_columns(c, v);
    for (size_t i = 0; i < COLUMNS; i++) {
        char *p = bytes_of(&v[i]);
        if (i >= ALWAYS && !p)
            continue;
        if (!dp_resize(v[i].p, cap, v[i].width))
            return false;
        p = bytes_of(&v[i]);
        memset(p + c->cap * v[i].width, v[i].fill, (cap - c->cap) * v[i].width);
    }
    c->cap = cap;
    return true;
}

/* Make a column that is not there yet. */
static bool want(dp_corpus *c, void *pointer)
{
    column v[COLUMNS];
    size_t i = 0;
    if (bytes_of(&(column){.p = pointer}))
        return true;
    list_columns(c, v);
    while (v[i].p != pointer)
        i++;
    if (!dp_resize(pointer, c->cap, v[i].width))
        return false;
    memset(bytes_of(&v[i]), v[i].fill, c->cap * v[i].width);
    return true;
}

/* ---- URLs --------------------------------------------------------------------------------------------- */

static bool is_of_site(const dp_corpus *c, dp_str host)
{
    dp_str domain = c->by_host ? host : dp_host_domain(host);
    for (size_t i = 0; i < c->ndomain; i++) {
        if (dp_str_eq(domain, c->domain[i]))
            return true;
    }
    return !c->domain;
}

/* The number of a host. Most URLs have that of the one before. */
static bool number_host(dp_corpus *c, dp_str host, uint32_t *number)
{
    if (c->host_name.n && dp_str_eq(dp_strlist_get(&c->host_name, c->last_host), host)) {
        *number = c->last_host;
        return true;
    }
    if (!dp_intern_find(&c->host_number, host, number)) {
        *number = (uint32_t)c->host_name.n;
        if (!DP_ROOM(c->is_own, *number, c->own_cap) ||
            !dp_strlist_add(&c->host_name, host) || !dp_intern_add(&c->host_number, host, *number))
            return false;
        c->is_own[*number] = is_of_site(c, host);
    }
    c->last_host = *number;
    return true;
}

static uint64_t hash_of(const void *self, uint32_t number)
{
    return dp_secret_text(dp_corpus_url(self, number));
}

dp_err dp_corpus_expect(dp_corpus *c, uint64_t facts)
{
    return dp_index_reserve(&c->seen, facts < MOST_URLS ? (size_t)facts : MOST_URLS) ? DP_OK : DP_ENOMEM;
}

/* The number of a URL, new or not. */
static dp_err find_url(dp_corpus *c, dp_str url, dp_str host_name, uint32_t *number, bool *fresh)
{
    uint32_t host;
    if (c->n >= MOST_URLS)
        return DP_ELIMIT;
    if (!dp_index_room(&c->seen, hash_of, c))
        return DP_ENOMEM;
    *fresh = false;
    dp_index_walk w = dp_index_from(&c->seen, dp_secret_text(url));
    while (dp_index_next(&w, number)) {
        if (dp_str_eq(dp_corpus_url(c, *number), url))
            return DP_OK;
    }
    *fresh = true;
    if (!make_room(c) || !number_host(c, host_name, &host) || !dp_strlist_add(&c->url, url))
        return DP_ENOMEM;
    *number = dp_index_end(&c->seen, &w);
    c->host[c->n++] = host;
    return DP_OK;
}

/* The number of a URL of which the site itself speaks. */
static dp_err number_url(dp_corpus *c, dp_str url, dp_str host_name, uint32_t *number)
{
    bool fresh;
    DP_TRY(find_url(c, url, host_name, number, &fresh));
    if (!fresh && !(c->is_hearsay && c->is_hearsay[*number]))
        return DP_OK;
    if (!fresh)
        c->is_hearsay[*number] = 0;
    c->nown += c->is_own[c->host[*number]];
    return DP_OK;
}

/* The number of a URL that another site names. */
static dp_err number_hearsay(dp_corpus *c, dp_str url, dp_str host_name, uint32_t *number)
{
    bool fresh;
    DP_TRY(find_url(c, url, host_name, number, &fresh));
    if (!fresh)
        return DP_OK;
    if (!want(c, &c->is_hearsay))
        return DP_ENOMEM;
    c->is_hearsay[*number] = 1;
    return DP_OK;
}

/* ---- clusters that the input names ------------------------------------------------------------------------ */

static dp_err note_cluster(dp_corpus *c, uint32_t i, const dp_fact *f)
{
    uint32_t label;
    if (!(f->has & DP_FACT_CLUSTER))
        return DP_OK;
    DP_TRY(dp_corpus_cluster(c, f->cluster, f->fold, &label));
    if (c->label[i] == DP_NO_CLUSTER) {
        c->label[i] = label;
        c->by[i] = (uint8_t)(c->named ? c->named : DP_BY_TEXT);
        return DP_OK;
    }
    return dp_counted_add(&c->votes, i, label) ? DP_OK : DP_ENOMEM;
}

dp_err dp_corpus_cluster(dp_corpus *c, uint64_t id, uint8_t fold, uint32_t *number)
{
    bool fresh;
    DP_TRY(dp_ordinals_add(&c->clusters, id, number, &fresh));
    if (!fresh)
        return DP_OK;
    if (!DP_ROOM(c->fold, *number, c->fold_cap))
        return DP_ENOMEM;
    c->fold[*number] = fold;
    return DP_OK;
}

/* ---- content ------------------------------------------------------------------------------------------------ */

/* What a fact says of a page's content, as one number; 0: nothing. Digests and texts, else sketches. */
static uint64_t content_of(const dp_fact *f)
{
    const uint64_t word[] = {f->digest.lo, f->digest.hi, f->mime, f->text.lo, f->text.hi, f->sketch[0],
                             f->sketch[1], f->sketch[2], f->sketch[3], f->simhash};
    uint64_t       any = 0;
    for (size_t i = 0; i < DP_COUNT(word); i++)
        any |= word[i];
    return any ? dp_hash_bytes(word, sizeof word) | 1 : 0;
}

/* The same of what is known of URL `i`. */
static uint64_t content_known(const dp_corpus *c, uint32_t i)
{
    dp_fact f = {0};
    if (i < c->content.n && c->content.digest) {
        f.digest = c->content.digest[i];
        f.mime = c->content.mime[i];
    }
    if (i < c->content.n && c->content.text)
        f.text = c->content.text[i];
    if (c->sketch)
        memcpy(f.sketch, c->sketch[i], sizeof f.sketch);
    f.simhash = c->simhash ? c->simhash[i] : 0;
    return content_of(&f);
}

/* Whether what the fact holds is to stand for the page, rather than what is known already. */
static bool is_better(const dp_corpus *c, uint32_t i, const dp_fact *f)
{
    int64_t  time = f->has & DP_FACT_TIME ? f->time : -1, last = c->time ? c->time[i] : -1;
    uint64_t new = content_of(f), old = new ? content_known(c, i) : 0;
    if (!new || !old)
        return new != 0;
    return time != last ? time > last : new < old;
}

/* Slots of a file may lie at any address. */
static dp_err read_slots(dp_corpus *c, dp_evidence *e, const dp_fact *f)
{
    size_t n = f->slots.n / sizeof(dp_slot);
    if (!(f->has & DP_FACT_SLOTS))
        return DP_OK;
    if (!DP_ROOM_FOR(c->slots, n + 1, c->slot_cap))
        return DP_ENOMEM;
    memcpy(c->slots, f->slots.p, n * sizeof *c->slots);
    e->shown = (dp_shown){.slots = c->slots, .n = (uint32_t)n, .time = f->has & DP_FACT_TIME ? f->time : 0};
    dp_evidence_locate(e, f->url);
    return DP_OK;
}

/* What a fact says becomes what is known of its URL, or, where that is better, another fetch of it. */
static dp_err put_evidence(dp_corpus *c, uint32_t i, const dp_fact *f, bool is_best)
{
    const dp_evidence none = {0};
    dp_evidence       e = {.has = (f->has & DP_FACT_DIGEST ? DP_EVIDENCE_DIGEST : 0u) |
                                  (f->has & DP_FACT_TEXT ? DP_EVIDENCE_TEXT : 0u),
                           .digest = f->digest, .text = f->text, .mime = f->mime};
    DP_TRY(read_slots(c, &e, f));
    if (!is_best)
        return i < c->content.n ? dp_clusters_echo(&c->content, i, &e) : DP_OK;
    if (!e.has && !c->content.n)
        return DP_OK;
    while (c->content.n <= i)
        DP_TRY(dp_clusters_add(&c->content, &none));
    return dp_clusters_put(&c->content, i, &e);
}

static dp_err note_content(dp_corpus *c, uint32_t i, const dp_fact *f)
{
    bool is_best = is_better(c, i, f);
    DP_TRY(put_evidence(c, i, f, is_best));
    if (!is_best)
        return DP_OK;
    if ((f->has & DP_FACT_SKETCH && !want(c, &c->sketch)) || (f->has & DP_FACT_SIMHASH && !want(c, &c->simhash)) ||
        (f->has & DP_FACT_TIME && !want(c, &c->time)))
        return DP_ENOMEM;
    if (c->sketch)
        memcpy(c->sketch[i], f->sketch, sizeof c->sketch[i]);
    if (c->simhash)
        c->simhash[i] = f->simhash;
    if (c->time)
        c->time[i] = f->has & DP_FACT_TIME ? f->time : -1;
    return DP_OK;
}

/* ---- everything else that a page has ---------------------------------------------------------------------------- */

static bool note_size(dp_corpus *c, uint32_t i, int64_t size)
{
    if (!want(c, &c->size_min) || !want(c, &c->size_max))
        return false;
    if (c->size_min[i] < 0 || size < c->size_min[i])
        c->size_min[i] = size;
    if (size > c->size_max[i])
        c->size_max[i] = size;
    return true;
}

/* Of a page of which a log knows the size alone. */
static bool note_size_alone(dp_corpus *c, uint32_t i, const dp_fact *f)
{
    const uint32_t more = DP_FACT_CLUSTER | DP_FACT_DIGEST | DP_FACT_TEXT | DP_FACT_SKETCH | DP_FACT_SIMHASH;
    if (f->has & more || !(f->has & DP_FACT_SIZE) || f->size >= UINT32_MAX)
        return true;
    c->sizes.most = DP_SIZES_KEPT;
    return dp_counted_add(&c->sizes, i, (uint32_t)f->size);
}

/* The same of many lines. */
static bool note_sizes(dp_corpus *c, uint32_t i, dp_str sizes)
{
    dp_fact_size one;
    c->sizes.most = DP_SIZES_KEPT;
    for (size_t k = 0; k < sizes.n; k += sizeof one) {
        memcpy(&one, sizes.p + k, sizeof one);
        if (!note_size(c, i, one.size) || !dp_counted_add_times(&c->sizes, i, one.size, one.times))
            return false;
    }
    return true;
}

/* What else a log says of the answer, and of how it was found. */
static bool note_log(dp_corpus *c, uint32_t i, const dp_fact *f)
{
    dp_fact_size one;
    c->tags.most = DP_TAGS_KEPT;
    for (size_t k = 0; k < f->tags.n; k += sizeof one) {
        memcpy(&one, f->tags.p + k, sizeof one);
        if (!dp_counted_add_times(&c->tags, i, one.size, one.times))
            return false;
    }
    if (!f->linked)
        return true;
    if (!want(c, &c->linked))
        return false;
    c->linked[i] = f->linked < UINT32_MAX - c->linked[i] ? c->linked[i] + f->linked : UINT32_MAX;
    return true;
}

/* Where fetches differ, the greatest: the order of records says nothing. */
static bool note_resource(dp_corpus *c, uint32_t i, const dp_fact *f)
{
    if (!(f->has & DP_FACT_RESOURCE))
        return true;
    if (!want(c, &c->resource))
        return false;
    uint8_t told = (uint8_t)(f->resource + 1);
    c->resource[i] = told > c->resource[i] ? told : c->resource[i];
    return true;
}

static bool note_clients(dp_corpus *c, uint32_t i, dp_str clients)
{
    uint32_t one;
    c->client.most = DP_CLIENTS_KEPT;
    for (size_t k = 0; k < clients.n; k += sizeof one) {
        memcpy(&one, clients.p + k, sizeof one);
        if (!dp_counted_add(&c->client, i, one))
            return false;
    }
    return true;
}

static void note_hits(dp_corpus *c, uint32_t i, const dp_fact *f)
{
    uint64_t sum = c->hits[i] + (uint64_t)(f->hits ? f->hits : 1);
    c->hits[i] = sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
}

static bool note_numbers(dp_corpus *c, uint32_t i, const dp_fact *f)
{
    if (f->has & DP_FACT_IMPORTANCE) {
        if (!want(c, &c->importance))
            return false;
        if (!(c->importance[i] >= f->importance))
            c->importance[i] = f->importance;
    }
    if (f->has & DP_FACT_INLINKS) {
        if (!want(c, &c->inlinks))
            return false;
        if (c->inlinks[i] == UINT32_MAX || f->inlinks > c->inlinks[i])
            c->inlinks[i] = f->inlinks;
    }
    if (f->has & DP_FACT_HOPS) {
        if (!want(c, &c->hops))
            return false;
        if (f->hops < c->hops[i])
            c->hops[i] = f->hops;
    }
    return true;
}

/* ---- arrows ----------------------------------------------------------------------------------------------- */

static dp_err note_arrow(dp_corpus *c, dp_counted *arrows, uint32_t from, const dp_fact *f)
{
    uint32_t to;
    if (!(f->has & DP_FACT_LINK))
        return DP_OK;
    DP_TRY(number_url(c, f->link, dp_fact_host(f->link), &to));
    if (to == from)
        return DP_OK;
    uint32_t times = f->kind != DP_FACT_PAGE && f->hits ? f->hits : 1;
    return dp_counted_add_times(arrows, from, to, times) ? DP_OK : DP_ENOMEM;
}

static dp_err note_caller(dp_corpus *c, const dp_fact *f)
{
    uint32_t i, domain;
    DP_TRY(number_hearsay(c, f->url, f->host, &i));
    if (!DP_ROOM(c->caller, c->ncaller, c->caller_cap))
        return DP_ENOMEM;
    if (!dp_intern_find(&c->calling, f->from_domain, &domain)) {
        domain = (uint32_t)c->calling.n;
        if (!dp_intern_add(&c->calling, f->from_domain, domain))
            return DP_ENOMEM;
    }
    c->caller[c->ncaller++] = (dp_caller){i, domain, f->from};
    return DP_OK;
}

/* Whether a page that leads here is of this very site, so that its own fact says so. */
static bool is_own_call(const dp_corpus *c, const dp_fact *f)
{
    for (size_t i = 0; i < c->ndomain; i++) {
        if (dp_str_eq(c->domain[i], f->from_domain))
            return true;
    }
    return false;
}

/* How the input spells a URL whose page is known. */
static bool note_spelling(dp_corpus *c, uint32_t i, const dp_fact *f)
{
    if (!(f->has & (DP_FACT_CLUSTER | DP_FACT_DIGEST | DP_FACT_TEXT)) || !dp_corpus_owns(c, i))
        return true;
    if (f->has & DP_FACT_SPELLING)
        return dp_counted_add(&c->spelling, i, f->spelling);
    if (!want(c, &c->is_plain))
        return false;
    c->is_plain[i] = 1;
    return true;
}

/* ---- facts ------------------------------------------------------------------------------------------------ */

static dp_err take_page(dp_corpus *c, uint32_t i, const dp_fact *f)
{
    if (f->has & DP_FACT_TIME && f->time > c->newest)
        c->newest = f->time;
    DP_TRY(note_cluster(c, i, f));
    DP_TRY(note_content(c, i, f));
    note_hits(c, i, f);
    if ((f->has & DP_FACT_SIZE && !note_size(c, i, f->size)) || !note_size_alone(c, i, f) ||
        !note_sizes(c, i, f->sizes) || !note_log(c, i, f) || !note_resource(c, i, f) || !note_numbers(c, i, f) ||
        !note_clients(c, i, f->clients))
        return DP_ENOMEM;
    return note_arrow(c, &c->canonical, i, f);
}

dp_err dp_corpus_take(dp_corpus *c, const dp_fact *f)
{
    uint32_t i;
    bool     fresh;
    if (f->kind == DP_FACT_NAMED)
        return is_own_call(c, f) ? DP_OK : note_caller(c, f);
    if (f->kind == DP_FACT_GONE) {
        DP_TRY(dp_ordinals_add(&c->gone, dp_fact_hash(f->url), &i, &fresh));
        return !fresh || dp_strlist_add(&c->gone_url, f->url) ? DP_OK : DP_ENOMEM;
    }
    DP_TRY(number_url(c, f->url, f->host, &i));
    if (!note_spelling(c, i, f))
        return DP_ENOMEM;
    if (f->kind == DP_FACT_PAGE)
        return take_page(c, i, f);
    if (f->kind == DP_FACT_FOLLOWED)
        return note_arrow(c, &c->followed, i, f);
    DP_TRY(note_cluster(c, i, f));
    return note_arrow(c, &c->redirect, i, f);
}

void dp_corpus_done(dp_corpus *c)
{
    column v[COLUMNS];
    list_columns(c, v);
    for (size_t i = 0; i < COLUMNS; i++)
        free(bytes_of(&v[i]));
    dp_strlist_done(&c->url);
    dp_index_done(&c->seen);
    dp_intern_done(&c->host_number);
    dp_strlist_done(&c->host_name);
    free(c->is_own);
    dp_ordinals_done(&c->clusters);
    free(c->fold);
    free(c->is_soft);
    dp_clusters_done(&c->content);
    free(c->slots);
    dp_counted_done(&c->votes);
    dp_counted_done(&c->redirect);
    dp_counted_done(&c->canonical);
    dp_counted_done(&c->client);
    dp_counted_done(&c->spelling);
    dp_counted_done(&c->sizes);
    dp_counted_done(&c->tags);
    dp_counted_done(&c->followed);
    dp_ordinals_done(&c->gone);
    dp_strlist_done(&c->gone_url);
    free(c->caller);
    dp_intern_done(&c->calling);
    *c = (dp_corpus){0};
}
