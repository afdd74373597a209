/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/seq2seq/held.h"

#include <stdlib.h>

#include "base/hash.h"
#include "judge/groups.h"
#include "learn/seq2seq/translate.h"

#define NOT_HELD UINT32_MAX

/* The URLs of held-out clusters, and the clusters numbered anew. */
typedef struct held {
    dp_str   *url;     /* [n] */
    uint32_t *cluster; /* [n] */
    size_t    n;
    uint32_t  nclusters;
} held;

static dp_err choose(held *h, const dp_site *s, uint32_t folds)
{
    uint32_t *number = malloc(((size_t)s->nclusters + 1) * sizeof *number);
    h->url = malloc((s->n + 1) * sizeof *h->url);
    h->cluster = malloc((s->n + 1) * sizeof *h->cluster);
    if (!number || !h->url || !h->cluster) {
        free(number);
        return DP_ENOMEM;
    }
    memset(number, 0, ((size_t)s->nclusters + 1) * sizeof *number);
    for (size_t i = 0; i < s->n; i++) {
        uint32_t c = s->cluster[i];
        if (c == DP_NO_CLUSTER || !(folds >> s->fold[c] & 1))
            continue;
        if (!number[c])
            number[c] = dp_seq_is_held(s->url[i]) ? ++h->nclusters : NOT_HELD;
        if (number[c] == NOT_HELD)
            continue;
        h->url[h->n] = s->url[i];
        h->cluster[h->n++] = number[c] - 1;
    }
    free(number);
    return DP_OK;
}

static dp_err translate_all(dp_member *key, const held *h, dp_seq_site *s)
{
    dp_seq_model       alone = {.v = &s, .n = 1};
    dp_translator     *t = NULL;
    dp_translate_desk *d = NULL;
    dp_buf             out = {0};
    size_t            *ends = malloc((h->n + 1) * sizeof *ends);
    dp_err             code = ends ? dp_translator_new(&t, &alone, true) : DP_ENOMEM;
    if (code == DP_OK)
        code = dp_translate_desk_new(&d);
    if (code == DP_OK)
        code = dp_translate(t, d, h->url, h->n, &out, ends);
    for (size_t i = 0, from = 0; i < h->n && code == DP_OK; from = ends[i++])
        key[i] = (dp_member){dp_hash_bytes(out.p + from, ends[i] - from), 0, (uint32_t)i};
    dp_translate_desk_free(d);
    dp_translator_free(t);
    dp_buf_done(&out);
    free(ends);
    return code;
}

dp_err dp_held_judge(dp_held_score *out, const dp_site *site, uint32_t folds, const dp_seq_site *s)
{
    dp_seq_site now = *s;
    now.training.best = s->training.now;
    now.majority = (dp_majority){0};
    held       h = {0};
    dp_member *key = NULL;
    dp_stamps  stamps = {0};
    *out = (dp_held_score){0};
    dp_err code = choose(&h, site, folds);
    if (code == DP_OK && h.n) {
        key = malloc(h.n * sizeof *key);
        code = key ? translate_all(key, &h, &now) : DP_ENOMEM;
        if (code == DP_OK)
            code = dp_stamps_init(&stamps, h.nclusters);
        if (code == DP_OK) {
            dp_members_sort(key, h.n);
            dp_tally t = dp_groups_tally(key, h.n, h.cluster, &stamps);
            out->urls = t.urls;
            out->lost = t.clusters - t.covered;
            out->precision = (double)t.covered / (double)t.groups;
            out->recall = (double)t.covered / (double)t.clusters;
            out->f1 = 2 * out->precision * out->recall / (out->precision + out->recall);
            dp_stamps_done(&stamps);
        }
    }
    free(key);
    free(h.url);
    free(h.cluster);
    return code;
}
