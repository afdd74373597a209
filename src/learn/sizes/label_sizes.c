/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/sizes/label_sizes.h"

#include <stdlib.h>

#include "base/fold.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/keyed.h"
#include "base/order.h"
#include "base/room.h"
#include "content/soft.h"
#include "learn/sizes/all_urls.h"
#include "learn/sizes/tell_pairs.h"
#include "site/fact.h"
#include "site/usual.h"
#include "url/asset.h"
#include "url/frame.h"

enum {
    RARE = 512,      /* URLs that may share a part before it says nothing of the page */
    FAR = 64,        /* bytes: related URLs whose sizes are nearer may be of one page */
    MOST_NEAR = 16,  /* bytes within which those that are must lie */
    NEAR_SHARE = 98, /* per cent of them */
    LEAST_NEAR = 50  /* of them, before they say anything */
};

#define CROWDED .1 /* pages that have the size of another by accident, above which URLs must be related, too */

typedef struct labelling {
    const dp_site *site;
    dp_clusters    sets; /* a page each URL */
    dp_keyed      *part; /* [npart] hash of a part, number of a URL */
    size_t         npart, part_cap;
    uint32_t      *version;  /* [site->n] number of its version, the newest is the greatest; 0: none */
    uint32_t      *sorting;  /* [site->n] a number for the order of rows that is asked for; NULL: it does not matter */
    uint32_t      *lead;     /* [nversion + 1] the first URL of that version in the run at hand */
    size_t         nversion;
    uint32_t       spread;
    uint64_t       gap[2 * FAR]; /* bytes between neighbours in size that are related */
    dp_frame       frame;
} labelling;

/* ---- equal sizes -------------------------------------------------------------------------------------------- */

/* The most pages of one kind, out of n that are sorted by kind and size. */
static const dp_keyed *commonest_kind(const dp_keyed *v, size_t n, size_t *most)
{
    const dp_keyed *best = v;
    *most = 0;
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && v[j].key >> 32 == v[i].key >> 32; j++) {}
        if (j - i > *most) {
            *most = j - i;
            best = v + i;
        }
    }
    return best;
}

/* Of n sizes, sorted: how many different ones there are, for each byte between the first and the last twentieth. So
 * often has a page by accident the size of another. */
static double crowd(const dp_keyed *v, size_t n)
{
    size_t from = n / 20, to = n - n / 20, different = 0;
    for (size_t i = from + 1; i < to; i++)
        different += (uint32_t)v[i].key != (uint32_t)v[i - 1].key;
    return to > from ? (double)different / ((double)(v[to - 1].key - v[from].key) + 1) : 0;
}

/* What is known of a page beside its text, as a number: assets are no pages, pages of another version or type are
 * others. Where sizes are not exact, so are those in another order. */
static uint64_t kind_of(const labelling *l, size_t i)
{
    const dp_site *s = l->site;
    uint64_t       tag = s->tag ? s->tag[i] & ~DP_TAG_OF_VERSION : 0;
    tag ^= l->sorting ? l->sorting[i] : 0;
    return (uint64_t)dp_url_is_asset(s->url[i]) << 63 | tag << 32;
}

/* The pages with their sizes, sorted; *n of them. NULL: memory is out. */
static dp_keyed *sort_sizes(const labelling *l, size_t *n)
{
    const dp_site *s = l->site;
    dp_keyed      *v = malloc((2 * s->n + 1) * sizeof *v);
    *n = 0;
    for (size_t i = 0; v && i < s->n; i++) {
        if (s->usual[i] != DP_NO_SIZE)
            v[(*n)++] = (dp_keyed){kind_of(l, i) | s->usual[i], (uint32_t)i};
    }
    if (v)
        dp_keyed_sort(v, v + s->n, *n, UINT64_MAX);
    return v;
}

/* ---- versions ----------------------------------------------------------------------------------------------- */

static int by_version(const void *x, const void *y)
{
    return dp_version_cmp(*(const dp_str *)x, *(const dp_str *)y);
}

/* The number of a version among those that are known, from 1. */
static uint32_t rank_of(const dp_str *known, size_t n, dp_str version)
{
    size_t i;
    DP_BISECT(i, n, dp_version_cmp(known[i], version) < 0);
    return (uint32_t)i + 1;
}

/* Number the versions that stand in paths; texts are those of the URLs. */
static dp_err number_versions(labelling *l, dp_site *out)
{
    const dp_site *s = l->site;
    dp_str        *known = calloc(s->n + 1, sizeof *known), *of = calloc(s->n + 1, sizeof *of);
    size_t         n = 0;
    dp_err         code = known && of ? DP_OK : DP_ENOMEM;
    for (size_t i = 0; i < s->n && code == DP_OK; i++) {
        dp_frame_result got = dp_frame_read(&l->frame, s->url[i]);
        code = got == DP_FRAME_NOMEM ? DP_ENOMEM : DP_OK;
        dp_str version = got == DP_FRAME_OK && s->usual[i] != DP_NO_SIZE ? dp_version_of(&l->frame) : (dp_str){"", 0};
        const char *at = version.n ? memmem(s->url[i].p, s->url[i].n, version.p, version.n) : NULL;
        of[i] = at ? (dp_str){at, version.n} : (dp_str){"", 0}; /* in the frame it would be gone with the next one */
        if (at)
            known[n++] = of[i];
    }
    if (code == DP_OK)
        qsort(known, n, sizeof *known, by_version);
    for (size_t i = 0; i < n && code == DP_OK; i++) {
        if (!l->nversion || dp_version_cmp(known[l->nversion - 1], known[i]) != 0)
            known[l->nversion++] = known[i];
    }
    l->version = calloc(s->n + 1, sizeof *l->version);
    l->lead = malloc((l->nversion + 1) * sizeof *l->lead);
    if (code == DP_OK && (!l->version || !l->lead))
        code = DP_ENOMEM;
    for (size_t i = 0; i < s->n && code == DP_OK; i++)
        l->version[i] = of[i].n ? rank_of(known, l->nversion, of[i]) : 0;
    if (code == DP_OK && l->nversion)
        out->newest_version = known[l->nversion - 1];
    free(known);
    free(of);
    return code;
}

/* On a site where pages differ from one fetch to the next, other rows in another order would be taken for the same. */
static dp_err number_sortings(labelling *l)
{
    const dp_site *s = l->site;
    if (!s->spread)
        return DP_OK;
    l->sorting = calloc(s->n + 1, sizeof *l->sorting);
    for (size_t i = 0; l->sorting && i < s->n; i++) {
        dp_frame_result got = dp_frame_read(&l->frame, s->url[i]);
        if (got == DP_FRAME_NOMEM)
            return DP_ENOMEM;
        l->sorting[i] = got == DP_FRAME_OK ? (uint32_t)(dp_sorting_of(&l->frame) >> 33) : 0;
    }
    return l->sorting ? DP_OK : DP_ENOMEM;
}

/* Join what has one size and one version; what has no version has the newest of them. */
static void join_versions(labelling *l, const dp_keyed *v, size_t n)
{
    uint32_t newest = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t version = l->version[v[i].item];
        newest = version > newest ? version : newest;
        l->lead[version] = UINT32_MAX;
    }
    l->lead[newest] = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        uint32_t version = l->version[v[i].item] ? l->version[v[i].item] : newest;
        if (l->lead[version] == UINT32_MAX)
            l->lead[version] = v[i].item;
        else
            dp_sets_join(&l->sets.sets, l->lead[version], v[i].item);
    }
}

static void join_equal(labelling *l, const dp_keyed *v, size_t n)
{
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && v[j].key == v[i].key; j++) {}
        join_versions(l, v + i, j - i);
    }
}

/* ---- sizes that are near ------------------------------------------------------------------------------------ */

static bool add_part(labelling *l, dp_str text, uint32_t url)
{
    if (!text.n)
        return true;
    if (!DP_ROOM(l->part, l->npart, l->part_cap))
        return false;
    l->part[l->npart++] = (dp_keyed){dp_hash_str(text), url};
    return true;
}

/* The components and values of a URL, and its whole path. */
static bool add_parts(labelling *l, uint32_t i)
{
    dp_frame *f = &l->frame;
    bool      ok = dp_frame_read(f, l->site->url[i]) == DP_FRAME_OK;
    if (!ok || l->site->usual[i] == DP_NO_SIZE)
        return true;
    dp_str path = {f->s + f->path, f->path_end - f->path};
    ok = add_part(l, path, i);
    for (uint32_t k = 0; k < f->nseg && ok; k++) {
        dp_str seg = dp_frame_seg(f, k);
        ok = dp_str_eq(seg, path) || add_part(l, seg, i);
    }
    for (uint32_t k = 0; k < f->npair && ok; k++)
        ok = add_part(l, dp_pair_value(f, &f->pair[k]), i);
    return ok;
}

/* URLs that share a part, by size. */
static void sort_run(const labelling *l, dp_keyed *out, const dp_keyed *v, size_t n)
{
    const dp_site *s = l->site;
    dp_keyed       tmp[RARE];
    for (size_t i = 0; i < n; i++)
        out[i] = (dp_keyed){kind_of(l, v[i].item) | s->usual[v[i].item], v[i].item};
    dp_keyed_sort(out, tmp, n, UINT64_MAX);
}

static void note_gaps(labelling *l, const dp_keyed *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t gap = v[i].key - v[i - 1].key;
        if (gap < DP_COUNT(l->gap))
            l->gap[gap]++;
    }
}

/* Those within the spread of the first are one page. */
static void join_run(labelling *l, const dp_keyed *v, size_t n)
{
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && v[j].key - v[i].key <= l->spread; j++) {}
        join_versions(l, v + i, j - i);
    }
}

static void each_run(labelling *l, void call(labelling *l, const dp_keyed *v, size_t n))
{
    dp_keyed run[RARE];
    for (size_t i = 0, end; i < l->npart; i = end) {
        end = dp_keyed_end(l->part, l->npart, i);
        if (end - i < 2 || end - i > RARE)
            continue;
        sort_run(l, run, l->part + i, end - i);
        call(l, run, end - i);
    }
}

/* A page that shows how it was asked for is a few bytes longer under one URL than under another, at each fetch. Then
 * many sizes of related URLs lie close together, and few a little farther apart. */
static uint32_t near_gap(const labelling *l)
{
    uint64_t close = 0, beyond = 0, within = 0;
    for (size_t i = 0; i < FAR; i++) {
        close += l->gap[i];
        beyond += l->gap[FAR + i];
    }
    bool falls = 10 * l->gap[1] >= l->gap[0] && l->gap[1] >= l->gap[2];
    for (uint32_t i = 0; i <= MOST_NEAR && close >= LEAST_NEAR && close > 4 * beyond && falls; i++) {
        within += l->gap[i];
        if (100 * within >= NEAR_SHARE * close)
            return i;
    }
    return 0;
}

static dp_err read_parts(labelling *l)
{
    for (size_t i = 0; i < l->site->n; i++) {
        if (!add_parts(l, (uint32_t)i))
            return DP_ENOMEM;
    }
    dp_keyed *tmp = malloc((l->npart + 1) * sizeof *tmp);
    if (!tmp)
        return DP_ENOMEM;
    dp_keyed_sort(l->part, tmp, l->npart, UINT64_MAX);
    free(tmp);
    each_run(l, note_gaps);
    uint32_t gap = near_gap(l);
    l->spread = 2 * (gap > l->site->spread ? gap : l->site->spread); /* two URLs differ, each from what is usual */
    return DP_OK;
}

static dp_err join(labelling *l)
{
    size_t n;
    DP_TRY(read_parts(l));
    dp_keyed *v = sort_sizes(l, &n);
    if (!v)
        return DP_ENOMEM;
    size_t          most;
    const dp_keyed *of_kind = commonest_kind(v, n, &most);
    if (l->spread || crowd(of_kind, most) > CROWDED)
        each_run(l, join_run);
    else
        join_equal(l, v, n);
    free(v);
    return DP_OK;
}

/* ---- what is gone ------------------------------------------------------------------------------------------- */

/* One label for all of them, the last. */
static void label_gone(dp_site *out, uint32_t *cluster, uint32_t *size)
{
    size_t g = 0;
    for (size_t i = 0; i < out->n && g < out->ngone; i++) {
        if (!dp_str_eq(out->url[i], out->gone[g]))
            continue;
        cluster[i] = out->nclusters;
        size[out->nclusters]++;
        g++;
    }
    out->nclusters += out->ngone > 0;
}

/* ---- all together ------------------------------------------------------------------------------------------- */

static dp_err open_sets(labelling *l)
{
    const dp_site *s = l->site;
    l->sets.n = l->sets.cap = s->n;
    DP_TRY(dp_sets_init(&l->sets.sets, s->n));
    l->sets.has = calloc(s->n + 1, sizeof *l->sets.has);
    l->sets.id = calloc(s->n + 1, sizeof *l->sets.id);
    l->sets.size = calloc(s->n + 1, sizeof *l->sets.size);
    return l->sets.has && l->sets.id && l->sets.size ? DP_OK : DP_ENOMEM;
}

/* Number the labels in the order of their first URL, which is the root of its set. */
static dp_err number_labels(dp_site *out, labelling *l, dp_arena *a)
{
    const dp_site *s = l->site;
    uint32_t      *cluster = DP_NEWS(a, s->n, uint32_t), *size = DP_NEWS(a, s->n + 1, uint32_t);
    uint8_t       *by = DP_NEWS(a, s->n, uint8_t), *fold = DP_NEWS(a, s->n + 1, uint8_t);
    if (!cluster || !size || !by || !fold)
        return DP_ENOMEM;
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t root = dp_sets_root(&l->sets.sets, i);
        cluster[i] = s->usual[i] == DP_NO_SIZE ? DP_NO_CLUSTER : root == i ? out->nclusters++ : cluster[root];
        by[i] = DP_BY_SIZE;
        if (cluster[i] == DP_NO_CLUSTER)
            continue;
        size[cluster[i]]++;
        /* None is kept out of learning: what is learned is weighed on all of them. */
        if (root == i)
            fold[cluster[i]] = (uint8_t)(dp_fact_hash(s->url[i]) % DP_REPORT_FOLD);
        l->sets.has[i] = 1;
        l->sets.id[root] = dp_fact_hash(s->url[root]);
        l->sets.size[root]++;
    }
    label_gone(out, cluster, size);
    out->cluster = cluster;
    out->size = size;
    out->by = by;
    out->fold = fold;
    return DP_OK;
}

/* A size that many unlike URLs have, or a very small one, says nothing. */
static dp_err mark_soft(dp_site *out, labelling *l, dp_arena *a)
{
    const dp_site        *s = l->site;
    const dp_soft_options o = DP_SOFT_OPTIONS_VOTERS;
    uint8_t              *is_soft = DP_NEWS(a, out->nclusters + 1u, uint8_t);
    uint32_t             *host = malloc((s->n + 1) * sizeof *host);
    dp_strlist            urls = {0};
    dp_intern             hosts = {0};
    dp_softs              found = {0};
    bool                  ok = is_soft && host;
    for (size_t i = 0; i < s->n && ok; i++) {
        dp_str name = dp_fact_host(s->url[i]);
        ok = dp_strlist_add(&urls, s->url[i]);
        if (ok && !dp_intern_find(&hosts, name, &host[i]))
            ok = dp_intern_add(&hosts, name, host[i] = (uint32_t)hosts.n);
        if (ok && out->cluster[i] != DP_NO_CLUSTER && (s->usual[i] <= DP_LEAST_CONTENT || dp_sizes_is_gone(out, i)))
            is_soft[out->cluster[i]] = 1;
    }
    dp_err code = ok ? dp_softs_find(&found, &l->sets, &urls, host, hosts.n, &o) : DP_ENOMEM;
    for (size_t i = 0; i < found.n && code == DP_OK; i++)
        is_soft[out->cluster[found.v[i].root]] = 1;
    out->is_soft = is_soft;
    dp_softs_done(&found);
    dp_strlist_done(&urls);
    dp_intern_done(&hosts);
    free(host);
    return code;
}

dp_err dp_label_sizes(dp_site *out, const dp_site *s, dp_arena *a)
{
    labelling l = {.site = out};
    DP_TRY(dp_all_urls_take(out, s, a));
    dp_err code = open_sets(&l);
    if (code == DP_OK)
        code = number_versions(&l, out);
    if (code == DP_OK)
        code = number_sortings(&l);
    if (code == DP_OK)
        code = join(&l);
    out->spread = l.spread;
    if (code == DP_OK)
        code = number_labels(out, &l, a);
    if (code == DP_OK)
        code = mark_soft(out, &l, a);
    dp_clusters_done(&l.sets);
    free(l.part);
    free(l.version);
    free(l.lead);
    free(l.sorting);
    dp_frame_done(&l.frame);
    return code;
}
