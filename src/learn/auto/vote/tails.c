/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/vote/tails.h"

#include "base/hash.h"
#include "learn/auto/layout/reading.h"
#include "learn/auto/thresholds.h"
#include "url/frame.h"

enum { MOST_TAILS = 8 /* extensions that are told apart; later ones say nothing */ };

/* An extension, or none, of URLs that the rule changes. */
typedef struct tail {
    uint64_t hash;
    uint32_t forms, joined; /* joined: with a URL of the same page that has another one */
} tail;

typedef struct hearing {
    const dp_forms *forms;
    dp_frame        frame;
    tail            v[MOST_TAILS];
    size_t          n;
    bool            failed;
} hearing;

static bool can_have_tail(const dp_item *x)
{
    return x->kind == DP_ITEM_STAR ||
           (x->kind == DP_ITEM_CAPTURE && (x->cls == DP_CLASS_ANY || x->cls == DP_CLASS_LIST));
}

/* The end of a path; NULL: any components, or an empty one. */
static const dp_item *end_of(const dp_template *t)
{
    const dp_pat *last = t->nseg - 1 == t->glob ? NULL : &t->seg[t->nseg - 1];
    return last && last->n ? &last->v[last->n - 1] : NULL;
}

/* Whether what a rule forgets may end in an extension, of which nothing is left. */
static bool forgets_tails(const dp_rule *rule)
{
    if (rule->kind != DP_RULE_REWRITE || !rule->left || !rule->right || !rule->left->nseg || !rule->right->nseg)
        return false;
    const dp_item *from = end_of(rule->left), *to = end_of(rule->right);
    if (!from || !to || !can_have_tail(from))
        return false;
    return from->kind == DP_ITEM_STAR || to->kind != DP_ITEM_CAPTURE || !dp_str_eq(from->text, to->text);
}

/* The extension of a form, hashed; 0: it cannot be read. */
static uint64_t tail_of(hearing *h, uint32_t form)
{
    dp_frame_result got = dp_frame_read(&h->frame, h->forms->text[form]);
    h->failed |= got == DP_FRAME_NOMEM;
    return got == DP_FRAME_OK ? dp_hash_str(dp_tail_of(dp_frame_seg(&h->frame, h->frame.nseg - 1))) | 1 : 0;
}

static tail *find(hearing *h, uint64_t hash)
{
    for (size_t i = 0; i < h->n; i++)
        if (h->v[i].hash == hash)
            return &h->v[i];
    if (!hash || h->n == MOST_TAILS)
        return NULL;
    h->v[h->n] = (tail){.hash = hash};
    return &h->v[h->n++];
}

/* Which extensions the forms of a page lose together. */
static void hear(void *ctx, const dp_group_seen *g)
{
    hearing *h = ctx;
    uint64_t first = 0;
    bool     differ = false;
    for (size_t i = 0; i < g->n && !differ; i++) {
        if (h->forms->label[g->form[i]] != g->label)
            continue;
        uint64_t hash = tail_of(h, g->form[i]);
        first = first ? first : hash;
        differ = hash && hash != first;
    }
    for (size_t i = 0; i < g->changed && differ; i++) {
        tail *t = h->forms->label[g->form[i]] == g->label ? find(h, tail_of(h, g->form[i])) : NULL;
        if (t)
            t->joined++;
    }
}

int dp_tails_speak(dp_ballot *b, size_t i, const dp_rule *rule)
{
    hearing h = {.forms = b->forms};
    size_t  several = 0, silent = 0;
    if (!forgets_tails(rule))
        return 1;
    for (size_t k = b->tried.at[i]; k < b->tried.at[i + 1]; k++) {
        tail *t = find(&h, tail_of(&h, b->tried.v[k].item));
        if (t)
            t->forms++;
    }
    if (h.n > 1)
        dp_ballot_walk(b, i, hear, &h);
    for (size_t k = 0; k < h.n; k++) {
        several += h.v[k].forms >= DP_TAIL_FORMS;
        silent += h.v[k].forms >= DP_TAIL_FORMS && !h.v[k].joined;
    }
    dp_frame_done(&h.frame);
    return h.failed ? -1 : several < 2 || !silent;
}
