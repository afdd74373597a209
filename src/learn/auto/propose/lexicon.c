/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/propose/lexicon.h"
#include "learn/auto/thresholds.h"

#include <stdlib.h>

#include "base/hash.h"
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

static dp_lexeme *slot_of(const dp_lexicon *w, uint64_t hash)
{
    size_t i = hash & (w->nslot - 1);
    while (w->slot[i].hash && w->slot[i].hash != hash)
        i = (i + 1) & (w->nslot - 1);
    return &w->slot[i];
}

static bool grow(dp_lexicon *w)
{
    dp_lexicon bigger = {.nslot = w->nslot ? w->nslot * 2 : 1024};
    bigger.slot = calloc(bigger.nslot, sizeof *bigger.slot);
    if (!bigger.slot)
        return false;
    for (size_t i = 0; i < w->nslot; i++)
        if (w->slot[i].hash)
            *slot_of(&bigger, w->slot[i].hash) = w->slot[i];
    free(w->slot);
    w->slot = bigger.slot;
    w->nslot = bigger.nslot;
    return true;
}

static bool add(dp_lexicon *w, dp_str word, uint32_t cluster)
{
    if (!word.n)
        return true;
    if (w->n * 2 >= w->nslot && !grow(w))
        return false;
    uint64_t hash = dp_hash_str(word) | 1;
    dp_lexeme *s = slot_of(w, hash);
    if (!s->hash) {
        *s = (dp_lexeme){.hash = hash, .last = cluster, .clusters = 1};
        w->n++;
    } else if (s->last != cluster) {
        s->last = cluster;
        s->clusters++;
    }
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
    free(w->slot);
    *w = (dp_lexicon){0};
}

bool dp_lexicon_has(const dp_lexicon *w, dp_str word)
{
    return w->nslot && slot_of(w, dp_hash_str(word) | 1)->clusters >= w->common;
}

double dp_lexicon_share(const dp_lexicon *w, dp_str word)
{
    return w->nslot && w->clusters ? slot_of(w, dp_hash_str(word) | 1)->clusters / (double)w->clusters : 0;
}
