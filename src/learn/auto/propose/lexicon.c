/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/propose/lexicon.h"
#include "learn/auto/thresholds.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"
#include "url/frame.h"

enum { MOST_CLUSTERS = 4000 /* of one form: more of them would say the same */ };

static int unit(char c)
{
    return c >= 'a' && c <= 'z' ? 1 : c >= 'A' && c <= 'Z' ? 2 : c >= '0' && c <= '9' ? 3 : 0;
}

size_t dp_lexicon_end(dp_str s, size_t i)
{
    int    kind = unit(s.p[i]);
    size_t j = i + 1;
    if (!kind)
        return s.p[i] == '%' && s.n - i >= 3 ? i + 3 : j;
    while (j < s.n && unit(s.p[j]) == kind)
        j++;
    return j;
}

/* NULL: nobody has it. */
static dp_lexeme *find(const dp_lexicon *w, uint64_t hash)
{
    uint32_t i;
    for (dp_index_walk at = dp_index_from(&w->index, hash); dp_index_next(&at, &i);)
        if (w->v[i].hash == hash)
            return &w->v[i];
    return NULL;
}

static uint64_t hash_of(const void *self, uint32_t number)
{
    return ((const dp_lexicon *)self)->v[number].hash;
}

static bool add(dp_lexicon *w, dp_str word, uint32_t cluster)
{
    if (!word.n)
        return true;
    uint64_t   hash = dp_hash_str(word);
    dp_lexeme *one = find(w, hash);
    if (one) {
        one->clusters += one->last != cluster;
        one->last = cluster;
        return true;
    }
    if (!DP_ROOM(w->v, w->index.n, w->cap) || !dp_index_room(&w->index, hash_of, w))
        return false;
    w->v[dp_index_put(&w->index, hash)] = (dp_lexeme){.hash = hash, .last = cluster, .clusters = 1};
    return true;
}

/* The whole, and its runs. */
static bool add_parts(dp_lexicon *w, dp_str text, uint32_t cluster)
{
    if (!add(w, text, cluster))
        return false;
    for (size_t i = 0, j; i < text.n; i = j) {
        j = dp_lexicon_end(text, i);
        if (j - i < text.n && unit(text.p[i]) && !add(w, dp_str_cut(text, i, j), cluster))
            return false;
    }
    return true;
}

/* The words of a form. What the form before, of the same cluster, has at the same place was counted with it (`before`
 * may be NULL). */
static bool add_form(dp_lexicon *w, const dp_frame *f, const dp_frame *before, uint32_t cluster)
{
    for (uint32_t i = 0; i < f->nseg; i++) {
        dp_str seg = dp_frame_seg(f, i);
        if (!(before && i < before->nseg && dp_str_eq(seg, dp_frame_seg(before, i))) && !add_parts(w, seg, cluster))
            return false;
    }
    for (uint32_t i = 0; i < f->npair; i++) {
        dp_str value = dp_pair_value(f, &f->pair[i]);
        if (!(before && i < before->npair && dp_str_eq(value, dp_pair_value(before, &before->pair[i]))) &&
            !add_parts(w, value, cluster))
            return false;
    }
    return true;
}

dp_err dp_lexicon_init(dp_lexicon *w, const dp_forms *f)
{
    dp_frame frame[2] = {0};
    dp_err   code = DP_OK;
    uint32_t clusters = 0;
    *w = (dp_lexicon){0};
    uint32_t step = f->site->nclusters / MOST_CLUSTERS + 1;
    for (uint32_t c = 0; c < f->site->nclusters && code == DP_OK; c++) {
        if (c % step && f->first[c + 1] - f->first[c] < 2)
            continue;
        clusters += f->first[c + 1] > f->first[c];
        const dp_frame *before = NULL;
        for (uint32_t k = f->first[c], now = 0; k < f->first[c + 1] && code == DP_OK; k++) {
            dp_frame_result got = dp_frame_read(&frame[now], f->text[f->member[k]]);
            if (got == DP_FRAME_NOMEM)
                code = DP_ENOMEM;
            if (got != DP_FRAME_OK)
                continue;
            code = add_form(w, &frame[now], before, c) ? DP_OK : DP_ENOMEM;
            before = &frame[now];
            now = !now;
        }
    }
    dp_frame_done(&frame[0]);
    dp_frame_done(&frame[1]);
    w->clusters = clusters;
    w->common = clusters / DP_WORD_SHARE > DP_WORD_LEAST ? clusters / DP_WORD_SHARE : DP_WORD_LEAST;
    if (w->common > DP_WORD_MOST)
        w->common = DP_WORD_MOST;
    if (code != DP_OK)
        dp_lexicon_done(w);
    return code;
}

void dp_lexicon_done(dp_lexicon *w)
{
    free(w->v);
    dp_index_done(&w->index);
    *w = (dp_lexicon){0};
}

static uint32_t clusters_of(const dp_lexicon *w, dp_str word)
{
    const dp_lexeme *one = find(w, dp_hash_str(word));
    return one ? one->clusters : 0;
}

bool dp_lexicon_has(const dp_lexicon *w, dp_str word)
{
    return w->index.n && clusters_of(w, word) >= w->common;
}

double dp_lexicon_share(const dp_lexicon *w, dp_str word)
{
    return w->clusters ? clusters_of(w, word) / (double)w->clusters : 0;
}
