/* Which URLs of a corpus show the same page: what the input says, then contents, then arrows, then sketches.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "base/fold.h"
#include "base/number.h"
#include "site/corpus.h"

/* ---- clusters that the input names --------------------------------------------------------------------- */

/* Of a URL that several records put into clusters: what most say, then the one of the least hash. */
static dp_err count_votes(dp_corpus *c)
{
    dp_counted *votes = &c->votes;
    if (!dp_counted_merge(votes))
        return DP_ENOMEM;
    for (size_t i = 0, j; i < votes->n; i = j) {
        uint32_t url = dp_counted_first(&votes->v[i]), best = c->label[url];
        uint64_t most = 1; /* the first record's is not among the votes */
        bool     differ = false;
        for (j = i; j < votes->n && dp_counted_first(&votes->v[j]) == url; j++)
            most += dp_counted_second(&votes->v[j]) == best ? votes->v[j].item : 0;
        for (size_t k = i; k < j; k++) {
            uint32_t label = dp_counted_second(&votes->v[k]);
            uint64_t n = votes->v[k].item;
            if (label == c->label[url])
                continue;
            differ = true;
            if (n > most || (n == most && c->clusters.hash[label] < c->clusters.hash[best])) {
                most = n;
                best = label;
            }
        }
        c->label[url] = best;
        c->contradicting += differ;
    }
    dp_counted_done(votes);
    return DP_OK;
}

/* ---- contents --------------------------------------------------------------------------------------------- */

uint64_t dp_corpus_url_id(dp_str url)
{
    char text[16];
    return dp_fact_hash(dp_number_hex(text, dp_fact_hash(url)));
}

/* Put URL `i` into the cluster that `dustpan cluster` would call by these 64 bits. */
static dp_err put(dp_corpus *c, size_t i, uint64_t id, dp_by by)
{
    char   text[16];
    dp_str name = dp_number_hex(text, id);
    DP_TRY(dp_corpus_cluster(c, dp_fact_hash(name), (uint8_t)dp_fold_of(name), &c->label[i]));
    c->by[i] = (uint8_t)by;
    return DP_OK;
}

/* Join what has evidence and no cluster yet. */
static dp_err join(dp_corpus *c, dp_clusters *pages, const dp_sameness *same, bool near)
{
    for (size_t i = 0; i < pages->n; i++) {
        if (c->label[i] != DP_NO_CLUSTER)
            dp_clusters_drop(pages, i);
    }
    DP_TRY(dp_clusters_join(pages, same));
    for (size_t i = 0; i < pages->n; i++) {
        if (!pages->has[i])
            continue;
        dp_by by = near ? DP_BY_NEAR : pages->has[i] & DP_EVIDENCE_TEXT ? DP_BY_TEXT : DP_BY_DIGEST;
        DP_TRY(put(c, i, pages->id[dp_sets_root(&pages->sets, (uint32_t)i)], by));
    }
    return DP_OK;
}

static dp_err join_contents(dp_corpus *c)
{
    dp_err code = join(c, &c->content, &(dp_sameness){.simhash = -1}, false);
    c->alike = c->content.open.pages;
    dp_clusters_done(&c->content);
    return code;
}

static dp_err join_sketches(dp_corpus *c)
{
    dp_clusters near = {0};
    dp_err      code = DP_OK;
    for (size_t i = 0; i < c->n && code == DP_OK; i++) {
        dp_evidence e = {0};
        if (c->sketch && (c->sketch[i][0] | c->sketch[i][1] | c->sketch[i][2] | c->sketch[i][3])) {
            memcpy(e.sketch, c->sketch[i], sizeof e.sketch);
            e.has |= DP_EVIDENCE_SKETCH;
        }
        if (c->simhash && c->simhash[i]) {
            e.simhash = c->simhash[i];
            e.has |= DP_EVIDENCE_SIMHASH;
        }
        code = dp_clusters_add(&near, &e);
    }
    /* A simhash says less than a sketch: it is compared where there are no sketches. */
    const dp_sameness same = {.shingles = c->sketch ? DP_SKETCH_SIZE : 0, .simhash = c->sketch ? -1 : 0};
    if (code == DP_OK)
        code = join(c, &near, &same, true);
    dp_clusters_done(&near);
    return code;
}

/* ---- arrows -------------------------------------------------------------------------------------------------- */

/* Where URL `from` leads: most often, then to the least URL; DP_NO_CLUSTER for nowhere. */
static uint32_t best_target(const dp_corpus *c, const dp_counted *arrows, uint32_t from)
{
    uint32_t best = DP_NO_CLUSTER, most = 0;
    for (size_t i = dp_counted_find(arrows, from); i < arrows->n && dp_counted_first(&arrows->v[i]) == from; i++) {
        uint32_t to = dp_counted_second(&arrows->v[i]), n = arrows->v[i].item;
        if (n > most || (n == most && dp_str_cmp(dp_corpus_url(c, to), dp_corpus_url(c, best)) < 0)) {
            most = n;
            best = to;
        }
    }
    return best;
}

/* Give URLs that lead elsewhere, and have no cluster, that of where they lead in the end. Each has one target, so
 * that two clusters are never joined by a URL that once led here and once there. A chain that ends in a URL
 * without cluster, or in a circle, makes a cluster of its own, named by the least URL of the end. */
static dp_err follow(dp_corpus *c, const dp_counted *arrows, dp_by by)
{
    uint32_t *to = malloc((c->n + 1) * sizeof *to), *path = malloc((c->n + 1) * sizeof *path);
    dp_err    code = to && path ? DP_OK : DP_ENOMEM;
    if (code == DP_OK)
        memset(to, 0xFF, c->n * sizeof *to);
    for (size_t i = 0; i < arrows->n && code == DP_OK; i++) {
        uint32_t from = dp_counted_first(&arrows->v[i]);
        if (c->label[from] == DP_NO_CLUSTER && to[from] == DP_NO_CLUSTER)
            to[from] = best_target(c, arrows, from);
    }
    for (size_t i = 0; i < c->n && code == DP_OK; i++) {
        size_t   n = 0;
        uint32_t end = (uint32_t)i;
        while (c->label[end] == DP_NO_CLUSTER && to[end] != DP_NO_CLUSTER) {
            uint32_t next = to[end];
            path[n++] = end;
            to[end] = DP_NO_CLUSTER; /* a circle ends where it began */
            end = next;
        }
        if (!n)
            continue;
        if (c->label[end] == DP_NO_CLUSTER) {
            uint32_t least = end;
            for (size_t k = n; k && path[k - 1] != end; k--) /* within the circle, when there is one */
                least = dp_str_cmp(dp_corpus_url(c, path[k - 1]), dp_corpus_url(c, least)) < 0 ? path[k - 1] : least;
            bool in_circle = false;
            for (size_t k = 0; k < n; k++)
                in_circle |= path[k] == end;
            dp_str name = dp_corpus_url(c, in_circle ? least : end);
            code = put(c, end, dp_fact_hash(name), by);
        }
        for (size_t k = 0; k < n && code == DP_OK; k++) {
            c->label[path[k]] = c->label[end];
            c->by[path[k]] = (uint8_t)by;
        }
    }
    free(to);
    free(path);
    return code;
}

/* A URL that is only named as canonical, and never seen, is what most (then the least) of those that name it are. */
static dp_err name_canonicals(dp_corpus *c)
{
    dp_counted named = {0};
    bool       ok = true;
    for (size_t i = 0; i < c->canonical.n && ok; i++) {
        uint32_t from = dp_counted_first(&c->canonical.v[i]), to = dp_counted_second(&c->canonical.v[i]);
        if (c->label[to] == DP_NO_CLUSTER && c->label[from] != DP_NO_CLUSTER)
            ok = dp_counted_add(&named, to, c->label[from]);
    }
    ok = ok && dp_counted_merge(&named);
    for (size_t i = 0, j; ok && i < named.n; i = j) {
        uint32_t to = dp_counted_first(&named.v[i]);
        size_t   best = i;
        for (j = i; j < named.n && dp_counted_first(&named.v[j]) == to; j++) {
            uint64_t a = c->clusters.hash[dp_counted_second(&named.v[j])];
            uint64_t b = c->clusters.hash[dp_counted_second(&named.v[best])];
            if (named.v[j].item > named.v[best].item || (named.v[j].item == named.v[best].item && a < b))
                best = j;
        }
        c->label[to] = dp_counted_second(&named.v[best]);
        c->by[to] = DP_BY_CANONICAL;
    }
    dp_counted_done(&named);
    return ok ? DP_OK : DP_ENOMEM;
}

/* ---- soft errors ------------------------------------------------------------------------------------------------- */

/* Clusters as content/soft.h wants them: the root of a set is its first URL. */
static dp_err as_sets(dp_corpus *c, dp_clusters *out, uint32_t *first)
{
    dp_clusters sets = {.n = c->n, .cap = c->n};
    DP_TRY(dp_sets_init(&sets.sets, c->n));
    sets.has = calloc(c->n + 1, sizeof *sets.has);
    sets.id = calloc(c->n + 1, sizeof *sets.id);
    sets.size = calloc(c->n + 1, sizeof *sets.size);
    *out = sets;
    if (!sets.has || !sets.id || !sets.size)
        return DP_ENOMEM;
    for (size_t i = 0; i < c->n; i++) {
        uint32_t label = c->label[i];
        if (label == DP_NO_CLUSTER)
            continue;
        if (first[label] == DP_NO_CLUSTER)
            first[label] = (uint32_t)i;
        out->sets.up[i] = first[label];
        out->has[i] = 1;
        out->id[first[label]] = c->clusters.hash[label];
        out->size[first[label]]++;
    }
    return DP_OK;
}

static dp_err find_soft(dp_corpus *c)
{
    const dp_soft_options o = DP_SOFT_OPTIONS_VOTERS;
    dp_clusters           sets = {0};
    dp_softs              found = {0};
    uint32_t             *first = malloc((c->clusters.n + 1u) * sizeof *first);
    c->is_soft = calloc(c->clusters.n + 1u, sizeof *c->is_soft);
    dp_err code = first && c->is_soft ? DP_OK : DP_ENOMEM;
    if (code == DP_OK) {
        memset(first, 0xFF, (c->clusters.n + 1u) * sizeof *first);
        code = as_sets(c, &sets, first);
    }
    if (code == DP_OK)
        code = dp_softs_find(&found, &sets, &c->url, c->host, c->host_name.n, &o);
    for (size_t i = 0; i < found.n && code == DP_OK; i++) {
        uint8_t *is = &c->is_soft[c->label[found.v[i].root]];
        c->soft += !*is;
        *is = 1;
    }
    dp_softs_done(&found);
    dp_clusters_done(&sets);
    free(first);
    return code;
}

/* Small pages that are known by their digests: an error message or a placeholder is equal to many. */
static void mark_small(dp_corpus *c)
{
    for (size_t i = 0; c->size_max && i < c->n; i++) {
        if (c->label[i] != DP_NO_CLUSTER && c->by[i] == DP_BY_DIGEST && c->size_max[i] >= 0 &&
            c->size_max[i] <= DP_LEAST_CONTENT)
            c->is_soft[c->label[i]] = 1;
    }
}

/* ---- all together ------------------------------------------------------------------------------------------ */

static uint64_t count_labels(const dp_corpus *c)
{
    uint64_t n = 0;
    for (size_t i = 0; i < c->n; i++)
        n += c->label[i] != DP_NO_CLUSTER;
    return n;
}

/* How many more URLs the input has than the corpus. */
static dp_err count_spellings(dp_corpus *c)
{
    if (!dp_counted_merge(&c->spelling))
        return DP_ENOMEM;
    c->spellings = c->spelling.n;
    for (size_t i = 0; i < c->spelling.n; i++) {
        uint32_t url = dp_counted_first(&c->spelling.v[i]);
        bool     is_first = !i || dp_counted_first(&c->spelling.v[i - 1]) != url;
        c->spellings -= is_first && !(c->is_plain && c->is_plain[url]);
    }
    dp_counted_done(&c->spelling);
    free(c->is_plain);
    c->is_plain = NULL;
    return DP_OK;
}

dp_err dp_corpus_label(dp_corpus *c)
{
    dp_index_done(&c->seen);
    dp_intern_done(&c->host_number);
    DP_TRY(count_spellings(c));
    DP_TRY(count_votes(c));
    c->names = count_labels(c);
    DP_TRY(join_contents(c));
    c->contents = count_labels(c) - c->names;
    if (!dp_counted_merge(&c->redirect) || !dp_counted_merge(&c->canonical) || !dp_counted_merge(&c->client) ||
        !dp_counted_merge(&c->followed))
        return DP_ENOMEM;
    if (c->redirect.n)
        DP_TRY(follow(c, &c->redirect, DP_BY_REDIRECT));
    if (c->canonical.n) {
        DP_TRY(name_canonicals(c));
        DP_TRY(follow(c, &c->canonical, DP_BY_CANONICAL));
    }
    if (!c->clusters.n && (c->sketch || c->simhash))
        DP_TRY(join_sketches(c));
    free(c->time);
    c->time = NULL;
    dp_ordinals_close(&c->clusters);
    if (c->no_soft)
        return DP_OK;
    DP_TRY(find_soft(c));
    mark_small(c);
    return DP_OK;
}
