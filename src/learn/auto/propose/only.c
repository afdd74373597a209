/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/propose/only.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/ordinal.h"
#include "base/room.h"
#include "learn/auto/thresholds.h"

enum {
    MOST_KEPT = 4,   /* names of an idea */
    MOST_PAIRS = 18, /* of a query; others say nothing */
    MOST_FORMS = 16  /* of a page that are compared, each with the one before it */
};

/* In how many pages URLs of one path differ in a name. */
typedef struct wandering {
    uint32_t pages, last; /* last: cluster + 1 */
} wandering;

typedef struct search {
    dp_pairing *p;
    dp_ideas    ideas; /* added to p->out once enough names have come and gone */
    dp_frame    one, other;
    dp_ordinals names;
    wandering  *v; /* [names.n] */
    uint32_t    cap, cluster;
    bool        failed;
} search;

static bool has_pair(const dp_frame *f, dp_str pair)
{
    for (uint32_t i = 0; i < f->npair; i++)
        if (dp_str_eq(pair, dp_frame_cut(f, f->pair[i].at, f->pair[i].end)))
            return true;
    return false;
}

static void note(search *s, dp_str name)
{
    uint32_t number;
    bool     fresh;
    if (!DP_ROOM(s->v, s->names.n, s->cap) ||
        dp_ordinals_add(&s->names, dp_hash_str(name), &number, &fresh) != DP_OK) {
        s->failed = true;
        return;
    }
    if (fresh)
        s->v[number] = (wandering){0};
    s->v[number].pages += s->v[number].last != s->cluster + 1;
    s->v[number].last = s->cluster + 1;
}

/* Note the names of pairs that `g` has not; how many those are. */
static size_t note_missing(search *s, const dp_frame *f, const dp_frame *g)
{
    size_t n = 0;
    for (uint32_t i = 0; i < f->npair; i++)
        if (!has_pair(g, dp_frame_cut(f, f->pair[i].at, f->pair[i].end))) {
            note(s, dp_pair_name(f, &f->pair[i]));
            n++;
        }
    return n;
}

static int by_text(const void *x, const void *y)
{
    return dp_str_cmp(*(const dp_str *)x, *(const dp_str *)y);
}

/* The names of pairs that both have, in order; more than MOST_KEPT: too many. */
static size_t find_kept(dp_str out[MOST_KEPT], const dp_frame *f, const dp_frame *g)
{
    size_t n = 0;
    for (uint32_t i = 0; i < f->npair; i++) {
        if (!has_pair(g, dp_frame_cut(f, f->pair[i].at, f->pair[i].end)))
            continue;
        if (n == MOST_KEPT)
            return MOST_KEPT + 1;
        out[n++] = dp_pair_name(f, &f->pair[i]);
    }
    qsort(out, n, sizeof *out, by_text);
    return n;
}

/* Propose to keep `n` names, where the last component is `file`, or everywhere. */
static void propose(search *s, const dp_str *name, size_t n, dp_str file)
{
    dp_buf *out = &s->p->text;
    dp_buf_c(out, "only ?");
    for (size_t i = 0; i < n; i++) {
        if (i && dp_str_eq(name[i], name[i - 1]))
            continue;
        dp_buf_c(out, i ? "," : "");
        dp_buf_str(out, name[i]);
    }
    if (file.n) {
        dp_buf_c(out, " on /{**}/");
        dp_buf_str(out, file);
    }
    dp_idea one = {.text = {dp_buf_view(out)}, .tier = DP_TIER_FORGET, .family = DP_FAMILY_PARAMS};
    s->failed |= out->failed || !dp_ideas_add(&s->ideas, &one, s->p->by);
    dp_buf_reset(out);
}

static void compare(search *s)
{
    dp_str path = dp_frame_cut(&s->one, 0, s->one.path_end), kept[MOST_KEPT];
    if (!dp_str_eq(path, dp_frame_cut(&s->other, 0, s->other.path_end)) || s->one.npair > MOST_PAIRS ||
        s->other.npair > MOST_PAIRS)
        return;
    size_t n = find_kept(kept, &s->one, &s->other);
    dp_str file = dp_frame_seg(&s->one, s->one.nseg - 1);
    if (note_missing(s, &s->one, &s->other) + note_missing(s, &s->other, &s->one) == 0 || !n || n > MOST_KEPT)
        return;
    propose(s, kept, n, (dp_str){"", 0});
    if (file.n && dp_lexicon_has(s->p->lexicon, file))
        propose(s, kept, n, file);
}

static bool read_form(search *s, dp_frame *frame, dp_str text)
{
    dp_frame_result got = dp_form_is_bounded(text) ? dp_frame_read(frame, text) : DP_FRAME_NOT_NORMAL;
    s->failed |= got == DP_FRAME_NOMEM;
    return got == DP_FRAME_OK;
}

static void compare_forms(search *s, const dp_forms *f, uint32_t cluster)
{
    uint32_t begin = f->first[cluster], end = f->first[cluster + 1];
    end = end - begin > MOST_FORMS ? begin + MOST_FORMS : end;
    s->cluster = cluster;
    s->p->by = (dp_proposer){cluster, f->site->fold[cluster]};
    for (uint32_t k = begin + 1; k < end; k++)
        if (read_form(s, &s->one, f->text[f->member[k - 1]]) && read_form(s, &s->other, f->text[f->member[k]]))
            compare(s);
}

/* Whether names come and go, most of them on too few pages for a rule of their own. */
static bool are_countless(const search *s)
{
    uint32_t rare = 0;
    for (uint32_t i = 0; i < s->names.n; i++)
        rare += s->v[i].pages < DP_LEAST_CLUSTERS;
    return rare >= DP_COUNTLESS_NAMES && 2 * rare >= s->names.n;
}

static void take_over(search *s)
{
    for (size_t i = 0; i < s->ideas.n && !s->failed; i++) {
        const dp_idea *of = &s->ideas.v[i];
        dp_idea       *there = dp_ideas_add(s->p->out, of, (dp_proposer){of->last, 0});
        s->failed |= !there;
        if (there) {
            there->folds = of->folds;
            there->clusters = of->clusters;
        }
    }
}

dp_err dp_only_propose(dp_pairing *p, const dp_forms *f, uint32_t folds)
{
    search s = {.p = p};
    for (uint32_t i = 0; i < f->site->nclusters && !s.failed; i++)
        if (f->first[i + 1] - f->first[i] > 1 && folds >> f->site->fold[i] & 1 && !f->site->is_soft[i])
            compare_forms(&s, f, i);
    if (are_countless(&s))
        take_over(&s);
    dp_ideas_done(&s.ideas);
    dp_ordinals_done(&s.names);
    dp_frame_done(&s.one);
    dp_frame_done(&s.other);
    free(s.v);
    return s.failed ? DP_ENOMEM : DP_OK;
}
