/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/seq2seq/canonical.h"

#include <stdlib.h>

enum { FEWEST = 5 /* URLs that a word has on the smallest site */ };

static dp_err count_tokens(dp_frequency *f, const dp_site *s, const dp_vocab *v)
{
    dp_seq_reader r = {0};
    dp_err        code = DP_OK;
    for (size_t i = 0; i < s->n && code == DP_OK; i++) {
        dp_seq_tokens t;
        code = dp_seq_read(&r, v, s->url[i], &t);
        if (code == DP_OK)
            code = dp_frequency_add(f, &t, (uint32_t)i, 1);
    }
    dp_seq_reader_done(&r);
    return code;
}

/* What decides between the URLs of a cluster. */
typedef struct rank {
    uint32_t number; /* of the URL */
    size_t   tokens;
    uint64_t df; /* sum over its tokens */
    dp_str   url;
} rank;

static bool better(const rank *a, const rank *b, const dp_lead *l)
{
    int lead = l ? dp_lead_compare(l, l->domain_of[a->number], l->domain_of[b->number]) : 0;
    if (lead)
        return lead < 0;
    if (a->tokens != b->tokens)
        return a->tokens < b->tokens;
    if (a->df != b->df)
        return a->df > b->df;
    if (a->url.n != b->url.n)
        return a->url.n < b->url.n;
    return dp_str_cmp(a->url, b->url) < 0;
}

static rank rank_of(const dp_frequency *f, const dp_seq_tokens *t, const dp_site *s, size_t number)
{
    rank r = {.number = (uint32_t)number, .tokens = t->n, .url = s->url[number]};
    for (size_t k = 0; k < t->n; k++)
        r.df += dp_frequency_of(f, t->v[k]);
    return r;
}

static dp_err choose(uint32_t *canonical, const dp_site *s, const dp_vocab *v, const dp_frequency *f, const dp_lead *l)
{
    dp_seq_reader r = {0};
    rank         *of = calloc((size_t)s->nclusters + 1, sizeof *of);
    dp_err        code = of ? DP_OK : DP_ENOMEM;
    for (size_t i = s->n; i-- > 0 && code == DP_OK;) {
        uint32_t c = s->cluster[i];
        if (c == DP_NO_CLUSTER)
            continue;
        if (!of[c].url.n)
            canonical[c] = (uint32_t)i; /* where no URL can be read: the first */
        if (s->size[c] < 2)
            continue;
        dp_seq_tokens t;
        code = dp_seq_read(&r, v, s->url[i], &t);
        rank mine = rank_of(f, &t, s, i);
        if (t.n && (!of[c].url.n || better(&mine, &of[c], l))) {
            of[c] = mine;
            canonical[c] = (uint32_t)i;
        }
    }
    free(of);
    dp_seq_reader_done(&r);
    return code;
}

/* How many URLs become one that has a token. */
static dp_err count_targets(dp_frequency *f, const uint32_t *canonical, const dp_site *s, const dp_vocab *v,
                            uint32_t folds)
{
    dp_seq_reader r = {0};
    dp_err        code = DP_OK;
    for (uint32_t c = 0; c < s->nclusters && code == DP_OK; c++) {
        if (s->size[c] < 2 || !(folds >> s->fold[c] & 1))
            continue;
        dp_seq_tokens t;
        code = dp_seq_read(&r, v, s->url[canonical[c]], &t);
        if (code == DP_OK)
            code = dp_frequency_add(f, &t, c, s->size[c]);
    }
    dp_seq_reader_done(&r);
    return code;
}

dp_err dp_seq_words_learn(dp_vocab *v, uint32_t *canonical, const dp_site *s, dp_words_options o)
{
    double       least = o.share * (double)s->n > FEWEST ? o.share * (double)s->n : FEWEST;
    dp_frequency all = {0}, targets = {0};
    dp_err       code = dp_vocab_cut_at(v, s->url, s->n, least);
    if (code == DP_OK)
        code = count_tokens(&all, s, v);
    if (code == DP_OK)
        code = choose(canonical, s, v, &all, o.lead);
    if (code == DP_OK)
        code = count_targets(&targets, canonical, s, v, o.folds);
    if (code == DP_OK)
        code = dp_vocab_learn(v, &all, &targets, least);
    dp_frequency_done(&all);
    dp_frequency_done(&targets);
    return code;
}
