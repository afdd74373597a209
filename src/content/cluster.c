/* SPDX-License-Identifier: Apache-2.0 */
#include "content/cluster.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/keyed.h"
#include "base/room.h"
#include "content/near.h"

unsigned dp_sameness_kinds(const dp_sameness *same)
{
    return DP_EVIDENCE_DIGEST | DP_EVIDENCE_TEXT | (same->shingles ? DP_EVIDENCE_SKETCH : 0u) |
           (same->simhash >= 0 ? DP_EVIDENCE_SIMHASH : 0u);
}

/* ---- columns --------------------------------------------------------------------------------------- */

/* Make room for `cap` values of `width` bytes in the column that `column` points to; one that
 * is not there yet is made, zeroed up to `used`. */
static bool widen(void *column, size_t width, size_t used, size_t cap)
{
    void *old, *p;
    memcpy(&old, column, sizeof old);
    if (!dp_resize(column, cap, width))
        return false;
    memcpy(&p, column, sizeof p);
    if (!old)
        memset(p, 0, used * width);
    return true;
}

static dp_err make_room(dp_clusters *c, const dp_evidence *e)
{
    bool   full = c->n == c->cap;
    size_t cap = !full ? c->cap : c->cap ? c->cap + c->cap / 2 : 1024;
    bool   digest = e->has & DP_EVIDENCE_DIGEST, text = e->has & DP_EVIDENCE_TEXT;
    bool   sketch = e->has & DP_EVIDENCE_SKETCH, simhash = e->has & DP_EVIDENCE_SIMHASH;
    const struct {
        void  *column;
        size_t width;
        bool   needed, is_there;
    } columns[] = {
        {&c->has, sizeof *c->has, true, c->has != NULL},
        {&c->digest, sizeof *c->digest, digest, c->digest != NULL},
        {&c->mime, sizeof *c->mime, digest, c->mime != NULL},
        {&c->text, sizeof *c->text, text, c->text != NULL},
        {&c->sketch, sizeof *c->sketch, sketch, c->sketch != NULL},
        {&c->simhash, sizeof *c->simhash, simhash, c->simhash != NULL},
        {&c->title, sizeof *c->title, e->title != 0, c->title != NULL},
        {&c->current, sizeof *c->current, e->shown.slots != NULL, c->current != NULL},
    };
    if (c->n == UINT32_MAX)
        return DP_ELIMIT;
    for (size_t i = 0; i < DP_COUNT(columns); i++) {
        bool change = columns[i].is_there ? full : columns[i].needed;
        if (change && !widen(columns[i].column, columns[i].width, c->n, cap))
            return DP_ENOMEM;
        if (change && !columns[i].is_there && columns[i].column == (void *)&c->current)
            memset(c->current, 0xFF, cap * sizeof *c->current);
    }
    c->cap = cap;
    return DP_OK;
}

static dp_err put(dp_clusters *c, size_t i, const dp_evidence *e)
{
    c->has[i] = (uint8_t)e->has;
    if (c->digest) {
        c->digest[i] = e->digest;
        c->mime[i] = e->mime;
    }
    if (c->text)
        c->text[i] = e->text;
    if (c->sketch)
        memcpy(c->sketch[i], e->sketch, sizeof c->sketch[i]);
    if (c->simhash)
        c->simhash[i] = e->simhash;
    if (c->title)
        c->title[i] = e->title;
    if (!c->current)
        return DP_OK;
    c->current[i] = e->shown.slots ? (uint32_t)c->fetches.n : DP_NO_FETCH;
    return e->shown.slots ? dp_fetches_add(&c->fetches, (uint32_t)i, &e->shown) : DP_OK;
}

dp_err dp_clusters_add(dp_clusters *c, const dp_evidence *e)
{
    DP_TRY(make_room(c, e));
    return put(c, c->n++, e);
}

dp_err dp_clusters_put(dp_clusters *c, size_t page, const dp_evidence *e)
{
    DP_TRY(make_room(c, e));
    return put(c, page, e);
}

dp_err dp_clusters_echo(dp_clusters *c, size_t page, const dp_evidence *e)
{
    return c->current && e->shown.slots ? dp_fetches_add(&c->fetches, (uint32_t)page, &e->shown) : DP_OK;
}

void dp_clusters_drop(dp_clusters *c, size_t page)
{
    c->has[page] = 0;
}

void dp_clusters_drop_echo(dp_clusters *c, size_t page, size_t of)
{
    dp_clusters_drop(c, page);
    if (c->current && c->current[page] != DP_NO_FETCH)
        c->fetches.v[c->current[page]].page = (uint32_t)of;
}

void dp_clusters_done(dp_clusters *c)
{
    free(c->has);
    free(c->digest);
    free(c->mime);
    free(c->text);
    free(c->sketch);
    free(c->simhash);
    free(c->title);
    free(c->current);
    dp_fetches_done(&c->fetches);
    dp_sets_done(&c->sets);
    free(c->id);
    free(c->size);
    *c = (dp_clusters){0};
}

/* ---- keys -------------------------------------------------------------------------------------------- */

typedef struct joining {
    dp_clusters       *c;
    const dp_sameness *same;
    dp_keyed          *v, *tmp; /* [pages] each */
} joining;

static uint64_t title_of(const joining *j, size_t i)
{
    return j->same->same_title && j->c->title ? j->c->title[i] : 0;
}

static uint64_t hash_of(unsigned kind, uint64_t a, uint64_t b, uint64_t title)
{
    const uint64_t words[] = {kind, a, b, title};
    return dp_hash_bytes(words, sizeof words);
}

/* Those of the four min-hashes that `places`, a bit each, names. */
static uint64_t hash_places(const uint64_t *sketch, unsigned places, uint64_t title)
{
    uint64_t words[DP_SKETCH_SIZE + 1] = {title};
    for (unsigned k = 0; k < DP_SKETCH_SIZE; k++) {
        if (places >> k & 1)
            words[k + 1] = sketch[k];
    }
    return dp_hash_bytes(words, sizeof words);
}

static bool same_places(const uint64_t *a, const uint64_t *b, unsigned places)
{
    for (unsigned k = 0; k < DP_SKETCH_SIZE; k++) {
        if ((places >> k & 1) && a[k] != b[k])
            return false;
    }
    return true;
}

/* The key that pages of equal evidence share; `places` is for sketches. */
static uint64_t key_of(const joining *j, unsigned kind, size_t i, unsigned places)
{
    const dp_clusters *c = j->c;
    switch (kind) {
    case DP_EVIDENCE_DIGEST: return hash_of(kind, c->digest[i].lo, c->digest[i].hi, title_of(j, i));
    case DP_EVIDENCE_TEXT: return hash_of(kind, c->text[i].lo, c->text[i].hi, title_of(j, i));
    case DP_EVIDENCE_SKETCH: return hash_places(c->sketch[i], places, title_of(j, i));
    default: return hash_of(kind, 0, 0, title_of(j, i)); /* fingerprints are compared within a title */
    }
}

/* Whether the evidence behind two equal keys is equal. */
static bool is_same(const joining *j, unsigned kind, size_t a, size_t b, unsigned places)
{
    const dp_clusters *c = j->c;
    if (title_of(j, a) != title_of(j, b))
        return false;
    switch (kind) {
    case DP_EVIDENCE_DIGEST: return dp_hash128_eq(c->digest[a], c->digest[b]);
    case DP_EVIDENCE_TEXT: return dp_hash128_eq(c->text[a], c->text[b]);
    case DP_EVIDENCE_SKETCH: return same_places(c->sketch[a], c->sketch[b], places);
    default: return true;
    }
}

/* ---- joining ------------------------------------------------------------------------------------------ */

/* Put the pages that have `kind` into j->v, equal keys side by side; returns how many. */
static size_t gather(const joining *j, unsigned kind, unsigned places)
{
    size_t n = 0;
    for (size_t i = 0; i < j->c->n; i++) {
        if (j->c->has[i] & kind)
            j->v[n++] = (dp_keyed){key_of(j, kind, i, places), (uint32_t)i};
    }
    dp_keyed_group(j->v, j->tmp, n);
    return n;
}

static void join_equal(const joining *j, unsigned kind, unsigned places)
{
    size_t n = gather(j, kind, places);
    for (size_t i = 0, end; i < n; i = end) {
        end = dp_keyed_end(j->v, n, i);
        for (size_t k = i + 1; k < end; k++) {
            if (is_same(j, kind, j->v[i].item, j->v[k].item, places))
                dp_sets_join(&j->c->sets, j->v[i].item, j->v[k].item);
        }
    }
}

/* Join pages of one digest: all when no two types are known, else those of equal type. */
static void join_types(const joining *j, dp_keyed *v, size_t n)
{
    const uint32_t *mime = j->c->mime;
    uint32_t        known = 0;
    bool            differ = false;
    for (size_t k = 0; k < n; k++) {
        uint32_t m = mime[v[k].item];
        differ |= m && known && m != known;
        known = m ? m : known;
        v[k].key = m;
    }
    if (differ)
        dp_keyed_sort(v, j->tmp, n, UINT32_MAX);
    for (size_t k = 1; k < n; k++) {
        if (!differ || v[k].key == v[k - 1].key)
            dp_sets_join(&j->c->sets, v[k - 1].item, v[k].item);
    }
}

static void join_digests(const joining *j)
{
    size_t n = gather(j, DP_EVIDENCE_DIGEST, 0);
    for (size_t i = 0, end; i < n; i = end) {
        end = dp_keyed_end(j->v, n, i);
        size_t same = i + 1; /* those of another digest with the same hash stay alone */
        for (size_t k = i + 1; k < end; k++) {
            if (is_same(j, DP_EVIDENCE_DIGEST, j->v[i].item, j->v[k].item, 0))
                j->v[same++] = j->v[k];
        }
        join_types(j, j->v + i, same - i);
    }
}

/* Pages whose URLs differ in nothing that stage 0 leaves are fetches of one URL: `learn` knows them as one, and what is
 * hidden must not depend on who asks. */
static dp_err share_fetches(const joining *j)
{
    dp_clusters *c = j->c;
    size_t       n = 0;
    for (size_t i = 0; i < c->n; i++) {
        if (c->current[i] != DP_NO_FETCH && c->fetches.v[c->current[i]].url)
            j->v[n++] = (dp_keyed){c->fetches.v[c->current[i]].url, (uint32_t)i};
    }
    dp_keyed_group(j->v, j->tmp, n);
    for (size_t i = 0, end; i < n; i = end) {
        uint32_t first = j->v[i].item;
        end = dp_keyed_end(j->v, n, i);
        for (size_t k = i; k < end; k++)
            first = j->v[k].item < first ? j->v[k].item : first;
        for (size_t k = i; k < end; k++) {
            if (j->v[k].item != first)
                DP_TRY(dp_fetches_repeat(&c->fetches, c->current[j->v[k].item], first));
        }
    }
    return DP_OK;
}

/* Join pages that are equal but for what is hidden. */
static dp_err join_hidden(const joining *j)
{
    dp_clusters *c = j->c;
    size_t       n = 0;
    uint64_t    *hash = malloc((c->n + 1) * sizeof *hash);
    for (size_t i = 0; i < c->n; i++)
        c->current[i] = c->has[i] & DP_EVIDENCE_TEXT ? c->current[i] : DP_NO_FETCH;
    dp_err code = hash ? dp_rows_settle(&c->fetches.rows) : DP_ENOMEM;
    if (code == DP_OK)
        code = share_fetches(j);
    if (code == DP_OK)
        code = dp_hidden_find(hash, &c->fetches, c->current, c->n, &c->open, c->ask);
    for (size_t i = 0; i < c->n && code == DP_OK; i++) {
        if (hash[i])
            j->v[n++] = (dp_keyed){hash_of(0, hash[i], 0, title_of(j, i)), (uint32_t)i};
    }
    dp_keyed_group(j->v, j->tmp, n);
    for (size_t i = 1; i < n; i++) {
        uint32_t a = j->v[i - 1].item, b = j->v[i].item;
        if (j->v[i].key == j->v[i - 1].key && hash[a] == hash[b] && title_of(j, a) == title_of(j, b))
            dp_sets_join(&c->sets, a, b);
    }
    free(hash);
    return code;
}

static void join_sketches(const joining *j)
{
    for (unsigned places = 1; places < 1u << DP_SKETCH_SIZE; places++) {
        if ((unsigned)__builtin_popcount(places) == j->same->shingles)
            join_equal(j, DP_EVIDENCE_SKETCH, places);
    }
}

static void join_simhashes(const joining *j)
{
    size_t n = gather(j, DP_EVIDENCE_SIMHASH, 0);
    for (size_t i = 0, end; i < n; i = end) {
        end = dp_keyed_end(j->v, n, i);
        for (size_t k = i; k < end; k++)
            j->v[k].key = j->c->simhash[j->v[k].item];
        dp_near_join(&j->c->sets, j->v + i, j->tmp, end - i, (unsigned)j->same->simhash);
    }
}

/* ---- ids ------------------------------------------------------------------------------------------------ */

uint64_t dp_clusters_content(const dp_clusters *c, size_t i, const dp_sameness *same)
{
    uint64_t title = same->same_title && c->title ? c->title[i] : 0;
    unsigned has = c->has[i] & dp_sameness_kinds(same);
    if (has & DP_EVIDENCE_TEXT)
        return hash_of(DP_EVIDENCE_TEXT, c->text[i].lo, c->text[i].hi, title);
    if (has & DP_EVIDENCE_DIGEST)
        return hash_of(DP_EVIDENCE_DIGEST, c->digest[i].lo, c->digest[i].hi ^ c->mime[i], title);
    if (has & DP_EVIDENCE_SKETCH)
        return hash_of(DP_EVIDENCE_SKETCH, hash_places(c->sketch[i], 15, 0), 0, title);
    return has ? hash_of(DP_EVIDENCE_SIMHASH, c->simhash[i], 0, title) : 0;
}

static dp_err name_sets(dp_clusters *c, const dp_sameness *same)
{
    size_t n = c->n ? c->n : 1;
    c->id = malloc(n * sizeof *c->id);
    c->size = calloc(n, sizeof *c->size);
    if (!c->id || !c->size)
        return DP_ENOMEM;
    memset(c->id, 0xFF, n * sizeof *c->id);
    for (size_t i = 0; i < c->n; i++) {
        if (!c->has[i])
            continue;
        uint32_t root = dp_sets_root(&c->sets, (uint32_t)i);
        uint64_t content = dp_clusters_content(c, i, same);
        c->id[root] = content < c->id[root] ? content : c->id[root];
        c->size[root]++;
    }
    return DP_OK;
}

dp_err dp_clusters_join(dp_clusters *c, const dp_sameness *same)
{
    size_t  n = c->n ? c->n : 1;
    joining j = {.c = c, .same = same};
    DP_TRY(dp_sets_init(&c->sets, c->n));
    j.v = malloc(n * sizeof *j.v);
    j.tmp = malloc(n * sizeof *j.tmp);
    dp_err code = j.v && j.tmp ? DP_OK : DP_ENOMEM;
    if (code == DP_OK) {
        if (c->digest)
            join_digests(&j);
        if (c->text)
            join_equal(&j, DP_EVIDENCE_TEXT, 0);
        if (c->current)
            code = join_hidden(&j);
        if (c->sketch && same->shingles)
            join_sketches(&j);
        if (c->simhash && same->simhash >= 0)
            join_simhashes(&j);
    }
    free(j.v);
    free(j.tmp);
    return code == DP_OK ? name_sets(c, same) : code;
}
