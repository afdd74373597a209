/* Records in: find the URL's number, note what is new of it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "site/corpus.h"

#include <math.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/fold.h"
#include "url/normalize.h"
#include "url/resolve.h"

enum { MOST_URLS = INT32_MAX };

#define NOT_A_URL UINT32_MAX

/* ---- columns ---------------------------------------------------------------------------------------- */

/* A column of `width` bytes a URL; all bits set mean: not known, but for those that begin with 0. */
typedef struct column {
    void **p;
    size_t width;
    int    fill;
} column;

enum { COLUMNS = 12, ALWAYS = 4 /* the first are there from the start */ };

static void list_columns(dp_corpus *c, column out[COLUMNS])
{
    const column all[COLUMNS] = {
        {(void **)&c->host, sizeof *c->host, 0},
        {(void **)&c->label, sizeof *c->label, 0xFF},
        {(void **)&c->by, sizeof *c->by, 0},
        {(void **)&c->hits, sizeof *c->hits, 0},
        {(void **)&c->size_min, sizeof *c->size_min, 0xFF},
        {(void **)&c->size_max, sizeof *c->size_max, 0xFF},
        {(void **)&c->sketch, sizeof *c->sketch, 0},
        {(void **)&c->simhash, sizeof *c->simhash, 0},
        {(void **)&c->importance, sizeof *c->importance, 0xFF},
        {(void **)&c->inlinks, sizeof *c->inlinks, 0xFF},
        {(void **)&c->hops, sizeof *c->hops, 0xFF},
        {(void **)&c->time, sizeof *c->time, 0xFF},
    };
    memcpy(out, all, sizeof all);
}

/* Make room for one URL more in all columns that are there. */
static bool make_room(dp_corpus *c)
{
    if (c->n < c->cap)
        return true;
    column v[COLUMNS];
    size_t cap = c->cap ? c->cap + c->cap / 2 : 1024;
    list_columns(c, v);
    for (size_t i = 0; i < COLUMNS; i++) {
        if (i >= ALWAYS && !*v[i].p)
            continue;
        char *p = realloc(*v[i].p, cap * v[i].width);
        if (!p)
            return false;
        memset(p + c->cap * v[i].width, v[i].fill, (cap - c->cap) * v[i].width);
        *v[i].p = p;
    }
    c->cap = cap;
    return true;
}

/* Make a column that is not there yet. */
static bool want(dp_corpus *c, void *pointer)
{
    column v[COLUMNS];
    void **p = pointer;
    if (*p)
        return true;
    list_columns(c, v);
    for (size_t i = 0; i < COLUMNS; i++) {
        if (v[i].p != p)
            continue;
        *p = malloc(c->cap * v[i].width);
        if (*p)
            memset(*p, v[i].fill, c->cap * v[i].width);
    }
    return *p != NULL;
}

/* ---- URLs --------------------------------------------------------------------------------------------- */

/* The number of the host of c->frame. Most URLs have that of the one before. */
static bool number_host(dp_corpus *c, uint32_t *number)
{
    dp_str host = dp_frame_host(&c->frame);
    if (c->host_name.n && dp_str_eq(dp_strlist_get(&c->host_name, c->last_host), host)) {
        *number = c->last_host;
        return true;
    }
    if (!dp_intern_find(&c->host_number, host, number)) {
        *number = (uint32_t)c->host_name.n;
        if (!dp_strlist_add(&c->host_name, host) || !dp_intern_add(&c->host_number, host, *number))
            return false;
    }
    c->last_host = *number;
    return true;
}

/* Read `url` into c->frame in stage-0 form; false when it is none, or memory is out (*code). */
static bool read_form(dp_corpus *c, dp_str *url, dp_err *code)
{
    dp_frame_result is = dp_frame_read(&c->frame, *url);
    if (is == DP_FRAME_NOT_NORMAL) {
        dp_buf_reset(&c->form);
        bool ok = dp_normalize(&c->form, *url);
        *code = c->form.failed ? DP_ENOMEM : DP_OK;
        if (!ok)
            return false;
        *url = dp_buf_view(&c->form);
        is = dp_frame_read(&c->frame, *url);
    }
    *code = is == DP_FRAME_NOMEM ? DP_ENOMEM : DP_OK;
    return is == DP_FRAME_OK;
}

/* The number of `url`, NOT_A_URL for what is none. */
static dp_err number_url(dp_corpus *c, dp_str url, uint32_t *number, bool *fresh)
{
    dp_err   code;
    uint32_t host;
    *number = NOT_A_URL;
    if (!read_form(c, &url, &code))
        return code;
    if (c->n >= MOST_URLS)
        return DP_ELIMIT;
    DP_TRY(dp_ordinals_add(&c->seen, XXH3_64bits(url.p, url.n), number, fresh));
    if (!*fresh)
        return DP_OK;
    if (!make_room(c) || !number_host(c, &host) || !dp_strlist_add(&c->url, url))
        return DP_ENOMEM;
    c->host[c->n++] = host;
    return DP_OK;
}

/* ---- clusters that the input names ------------------------------------------------------------------------ */

static dp_err note_cluster(dp_corpus *c, uint32_t i, const dp_record *r)
{
    uint32_t label;
    bool     fresh;
    if (!dp_record_has(r, DP_FIELD_CLUSTER) || !r->cluster.n)
        return DP_OK;
    DP_TRY(dp_corpus_cluster(c, r->cluster, &label, &fresh));
    if (c->label[i] == DP_NO_CLUSTER) {
        c->label[i] = label;
        c->by[i] = (uint8_t)(c->named ? c->named : DP_BY_TEXT);
        return DP_OK;
    }
    return dp_counted_add(&c->votes, i, label) ? DP_OK : DP_ENOMEM;
}

dp_err dp_corpus_cluster(dp_corpus *c, dp_str name, uint32_t *number, bool *fresh)
{
    DP_TRY(dp_ordinals_add(&c->clusters, XXH3_64bits(name.p, name.n), number, fresh));
    if (!*fresh)
        return DP_OK;
    if (*number >= c->fold_cap && !dp_grow(&c->fold, &c->fold_cap, sizeof *c->fold))
        return DP_ENOMEM;
    c->fold[*number] = (uint8_t)dp_fold_of(name);
    return DP_OK;
}

/* ---- content ------------------------------------------------------------------------------------------------ */

/* What the record says of a page's content, as one number; 0: nothing. Digests and texts, else sketches. */
static uint64_t content_of(const dp_record *r, const dp_evidence *e)
{
    const uint64_t word[] = {e->digest.lo, e->digest.hi, e->mime, e->text.lo, e->text.hi, r->sketch.min[0],
                             r->sketch.min[1], r->sketch.min[2], r->sketch.min[3], r->simhash};
    uint64_t       any = 0;
    for (size_t i = 0; i < DP_COUNT(word); i++)
        any |= word[i];
    return any ? XXH3_64bits(word, sizeof word) | 1 : 0;
}

/* The same of what is known of URL `i`. */
static uint64_t content_known(const dp_corpus *c, uint32_t i)
{
    dp_record   r = {0};
    dp_evidence e = {0};
    if (i < c->content.n && c->content.digest) {
        e.digest = c->content.digest[i];
        e.mime = c->content.mime[i];
    }
    if (i < c->content.n && c->content.text)
        e.text = c->content.text[i];
    if (c->sketch)
        memcpy(r.sketch.min, c->sketch[i], sizeof r.sketch.min);
    r.simhash = c->simhash ? c->simhash[i] : 0;
    return content_of(&r, &e);
}

/* Whether what the record holds is to stand for the page, rather than what is known already. */
static bool is_better(const dp_corpus *c, uint32_t i, const dp_record *r, const dp_evidence *e)
{
    int64_t  time = dp_record_has(r, DP_FIELD_TIME) ? r->time : -1, last = c->time ? c->time[i] : -1;
    uint64_t new = content_of(r, e), old = content_known(c, i);
    if (!new || !old)
        return new != 0;
    return time != last ? time > last : new < old;
}

static dp_err put_evidence(dp_corpus *c, uint32_t i, dp_evidence *e)
{
    const dp_evidence none = {0};
    e->title = 0; /* pages are not told apart by it */
    if (!e->has && !c->content.n)
        return DP_OK;
    while (c->content.n <= i)
        DP_TRY(dp_clusters_add(&c->content, &none));
    return dp_clusters_put(&c->content, i, e);
}

static dp_err note_content(dp_corpus *c, uint32_t i, const dp_record *r)
{
    dp_evidence e;
    c->witness.same = (dp_sameness){.simhash = -1};
    c->witness.min_size = DP_LEAST_CONTENT;
    DP_TRY(dp_witness_ask(&c->witness, &e, r));
    if (!e.has)
        e = (dp_evidence){0};
    if (!is_better(c, i, r, &e))
        return DP_OK;
    DP_TRY(put_evidence(c, i, &e));
    if ((dp_record_has(r, DP_FIELD_SKETCH) && !want(c, &c->sketch)) ||
        (dp_record_has(r, DP_FIELD_SIMHASH) && !want(c, &c->simhash)) ||
        (dp_record_has(r, DP_FIELD_TIME) && !want(c, &c->time)))
        return DP_ENOMEM;
    if (c->sketch)
        memcpy(c->sketch[i], r->sketch.min, sizeof c->sketch[i]);
    if (c->simhash)
        c->simhash[i] = r->simhash;
    if (c->time)
        c->time[i] = dp_record_has(r, DP_FIELD_TIME) ? r->time : -1;
    return DP_OK;
}

/* ---- everything else that a page has ---------------------------------------------------------------------------- */

static uint32_t short_number(int64_t n)
{
    return n < 0 ? 0 : n < UINT32_MAX ? (uint32_t)n : UINT32_MAX - 1;
}

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

static void note_hits(dp_corpus *c, uint32_t i, const dp_record *r)
{
    uint64_t sum = c->hits[i] + (uint64_t)(r->hits > 1 ? short_number(r->hits) : 1);
    c->hits[i] = sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
}

static bool note_numbers(dp_corpus *c, uint32_t i, const dp_record *r)
{
    if (dp_record_has(r, DP_FIELD_IMPORTANCE)) {
        if (!want(c, &c->importance))
            return false;
        if (!(c->importance[i] >= r->importance))
            c->importance[i] = r->importance;
    }
    if (dp_record_has(r, DP_FIELD_INLINKS)) {
        if (!want(c, &c->inlinks))
            return false;
        uint32_t n = short_number(r->inlinks);
        if (c->inlinks[i] == UINT32_MAX || n > c->inlinks[i])
            c->inlinks[i] = n;
    }
    if (dp_record_has(r, DP_FIELD_HOPS)) {
        if (!want(c, &c->hops))
            return false;
        uint32_t n = short_number(r->hops);
        if (n < c->hops[i])
            c->hops[i] = n;
    }
    return true;
}

static bool note_client(dp_corpus *c, uint32_t i, const dp_record *r)
{
    c->client.most = DP_CLIENTS_KEPT;
    return !r->client.n || dp_counted_add(&c->client, i, (uint32_t)XXH3_64bits(r->client.p, r->client.n));
}

/* ---- arrows ----------------------------------------------------------------------------------------------- */

/* Note that URL `from`, whose text is `base`, leads to `link`. */
static dp_err note_arrow(dp_corpus *c, dp_counted *arrows, uint32_t from, dp_str base, dp_str link)
{
    uint32_t to;
    bool     fresh;
    dp_buf_reset(&c->link);
    if (!dp_resolve(&c->link, base, link))
        return c->link.failed ? DP_ENOMEM : DP_OK;
    DP_TRY(number_url(c, dp_buf_view(&c->link), &to, &fresh));
    if (to == NOT_A_URL || to == from)
        return DP_OK;
    return dp_counted_add(arrows, from, to) ? DP_OK : DP_ENOMEM;
}

/* ---- records ---------------------------------------------------------------------------------------------- */

/* Whether the record says where its URL redirects to. */
static bool is_redirect(const dp_record *r)
{
    bool has_status = dp_record_has(r, DP_FIELD_STATUS);
    return !r->method.n && r->target.n && (!has_status || (r->status >= 300 && r->status < 400));
}

static dp_err take_page(dp_corpus *c, uint32_t i, const dp_record *r)
{
    DP_TRY(note_cluster(c, i, r));
    DP_TRY(note_content(c, i, r));
    note_hits(c, i, r);
    dp_str canonical = r->canonical.n ? r->canonical : c->witness.canonical;
    if ((dp_record_has(r, DP_FIELD_SIZE) && r->size >= 0 && !note_size(c, i, r->size)) ||
        !note_numbers(c, i, r) || !note_client(c, i, r))
        return DP_ENOMEM;
    return canonical.n ? note_arrow(c, &c->canonical, i, r->url, canonical) : DP_OK;
}

dp_err dp_corpus_add(dp_corpus *c, const dp_record *r)
{
    uint32_t i;
    bool     fresh, redirects = is_redirect(r);
    c->total[DP_CORPUS_RECORDS]++;
    if (!redirects && !dp_record_is_page(r)) {
        bool is_error = !r->method.n && (r->status >= 400 || r->status < 100);
        c->total[is_error ? DP_CORPUS_ERRORS : DP_CORPUS_NOT_PAGES]++;
        return DP_OK;
    }
    DP_TRY(number_url(c, r->url, &i, &fresh));
    if (i == NOT_A_URL) {
        c->total[DP_CORPUS_NOT_URLS]++;
        return DP_OK;
    }
    if (!redirects)
        return take_page(c, i, r);
    c->total[DP_CORPUS_REDIRECTS]++;
    DP_TRY(note_cluster(c, i, r));
    return note_arrow(c, &c->redirect, i, r->url, r->target);
}

void dp_corpus_done(dp_corpus *c)
{
    column v[COLUMNS];
    list_columns(c, v);
    for (size_t i = 0; i < COLUMNS; i++)
        free(*v[i].p);
    dp_strlist_done(&c->url);
    dp_ordinals_done(&c->seen);
    dp_intern_done(&c->host_number);
    dp_strlist_done(&c->host_name);
    dp_ordinals_done(&c->clusters);
    free(c->fold);
    free(c->is_soft);
    dp_clusters_done(&c->content);
    dp_counted_done(&c->votes);
    dp_counted_done(&c->redirect);
    dp_counted_done(&c->canonical);
    dp_counted_done(&c->client);
    dp_witness_done(&c->witness);
    dp_frame_done(&c->frame);
    dp_buf_done(&c->form);
    dp_buf_done(&c->link);
    *c = (dp_corpus){0};
}
