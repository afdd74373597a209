/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/vote/rest.h"

#include "base/hash.h"
#include "learn/auto/thresholds.h"
#include "url/frame.h"

enum { MOST_HEARD = 32 /* forms of a group */ };

typedef struct hearing {
    const dp_forms *forms;
    const dp_rule  *rule;
    dp_frame        one, other;
    uint64_t        name[DP_COUNTLESS_NAMES]; /* [n] hashes of those that came and went */
    size_t          n;
    bool            failed;
} hearing;

static bool is_kept(const dp_rule *r, dp_str name)
{
    for (size_t i = 0; i < r->names.n; i++) {
        const dp_name *x = &r->names.v[i];
        if (x->prefix ? dp_str_starts(name, x->text) : dp_str_eq(name, x->text))
            return true;
    }
    return false;
}

static bool has_name(const dp_frame *f, dp_str name)
{
    for (uint32_t i = 0; i < f->npair; i++)
        if (dp_str_eq(name, dp_pair_name(f, &f->pair[i])))
            return true;
    return false;
}

static void note(hearing *h, dp_str name)
{
    uint64_t hash = dp_hash_str(name);
    for (size_t i = 0; i < h->n; i++)
        if (h->name[i] == hash)
            return;
    if (h->n < DP_COUNTLESS_NAMES)
        h->name[h->n++] = hash;
}

static void note_missing(hearing *h, const dp_frame *f, const dp_frame *g)
{
    for (uint32_t i = 0; i < f->npair; i++) {
        dp_str name = dp_pair_name(f, &f->pair[i]);
        if (!is_kept(h->rule, name) && !has_name(g, name))
            note(h, name);
    }
}

static bool read_form(hearing *h, dp_frame *frame, uint32_t form)
{
    dp_frame_result got = dp_frame_read(frame, h->forms->text[form]);
    h->failed |= got == DP_FRAME_NOMEM;
    return got == DP_FRAME_OK;
}

static void look(void *ctx, const dp_group_seen *g)
{
    hearing *h = ctx;
    uint32_t first = DP_NO_FORM;
    for (size_t i = 0; i < g->n && i < MOST_HEARD && g->agree > 1 && h->n < DP_COUNTLESS_NAMES; i++) {
        if (h->forms->label[g->form[i]] != g->label)
            continue;
        if (first == DP_NO_FORM) {
            first = g->form[i];
        } else if (read_form(h, &h->one, first) && read_form(h, &h->other, g->form[i])) {
            note_missing(h, &h->one, &h->other);
            note_missing(h, &h->other, &h->one);
        }
    }
}

int dp_rest_speaks(dp_ballot *b, size_t i, const dp_rule *rule)
{
    hearing h = {.forms = b->forms, .rule = rule};
    if (rule->kind != DP_RULE_ONLY)
        return 1;
    dp_ballot_walk(b, i, look, &h);
    dp_frame_done(&h.one);
    dp_frame_done(&h.other);
    return h.failed ? -1 : h.n == DP_COUNTLESS_NAMES;
}
