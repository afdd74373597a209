/* The parameters of a site: what its votes say of each, and which of them others speak well of.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "apply/hash.h"
#include "base/buf.h"
#include "base/fold.h"
#include "base/intern.h"
#include "base/room.h"
#include "learn/auto/ballot.h"
#include "learn/auto/hearsay.h"
#include "learn/auto/hosts.h"
#include "learn/auto/propose.h"
#include "learn/auto/sample.h"

enum {
    MOST_NAMES = 64, /* of a site that are judged, the most frequent ones */
    SURVEYED = 250   /* URLs of a site that are enough to tell others something */
};

#define WORTH_HEARING .5 /* chance below which nobody is helped */

/* ---- names of forms ------------------------------------------------------------------------ */

typedef struct name {
    dp_str   text; /* "?sid" */
    uint32_t forms, last;
    uint32_t members; /* of "?utm_*": names that begin so */
} name;

typedef struct names {
    name     *v; /* [n] */
    size_t    n, cap;
    dp_intern known; /* texts; their numbers */
    dp_buf    text;
    bool      failed;
} names;

static void names_done(names *s)
{
    free(s->v);
    dp_intern_done(&s->known);
    dp_buf_done(&s->text);
}

/* The entry of a text; NULL when memory is out. The first time it is seen `*fresh`. */
static name *entry(names *s, dp_str text, bool *fresh)
{
    uint32_t i;
    *fresh = !dp_intern_find(&s->known, text, &i);
    if (!*fresh)
        return &s->v[i];
    if (!DP_ROOM(s->v, s->n, s->cap))
        return NULL;
    if (!dp_intern_add(&s->known, text, (uint32_t)s->n))
        return NULL;
    s->v[s->n] = (name){.last = UINT32_MAX};
    return &s->v[s->n++];
}

/* Whether the language has a way to write it. */
static bool is_plain(dp_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == ',' || s.p[i] == '#' || s.p[i] == '*')
            return false;
    return s.n && s.p[0] != '+' && s.p[0] != '!' && !dp_str_eq(s, DP_STR("..."));
}

static bool see(names *s, char kind, dp_str text, const char *tail, uint32_t form, bool member)
{
    bool fresh;
    dp_buf_reset(&s->text);
    dp_buf_byte(&s->text, kind);
    dp_buf_str(&s->text, text);
    dp_buf_c(&s->text, tail);
    name *n = s->text.failed ? NULL : entry(s, dp_buf_view(&s->text), &fresh);
    if (!n) {
        s->failed = true;
        return false;
    }
    n->forms += n->last != form;
    n->last = form;
    n->members += member;
    return fresh;
}

static void see_name(names *s, char kind, dp_str text, uint32_t form)
{
    if (!is_plain(text))
        return;
    bool   fresh = see(s, kind, text, "", form, false);
    dp_str head = dp_name_head(text);
    if (head.n)
        see(s, kind, head, "*", form, fresh);
}

static void see_form(names *s, const dp_frame *f, uint32_t form)
{
    dp_param x;
    for (uint32_t i = 0; i < f->npair; i++)
        see_name(s, '?', dp_pair_name(f, &f->pair[i]), form);
    for (uint32_t at = f->path; dp_frame_param(f, at, &x); at = x.end)
        see_name(s, ';', dp_frame_cut(f, x.at + 1, x.eq), form);
}

/* The interned texts, which move no more. */
static void keep_texts(names *s)
{
    for (size_t i = 0; i < s->known.cap; i++)
        if (s->known.slot[i].p)
            s->v[s->known.slot[i].value].text = (dp_str){s->known.slot[i].p, s->known.slot[i].n};
}

static int by_forms(const void *x, const void *y)
{
    const name *a = x, *b = y;
    if (a->forms != b->forms)
        return a->forms > b->forms ? -1 : 1;
    return dp_str_cmp(a->text, b->text);
}

/* All parameters of the texts, the most frequent first; names_done is due whatever comes back. */
static dp_err names_of(names *s, const dp_str *text, size_t n)
{
    dp_frame frame = {0};
    *s = (names){0};
    for (size_t i = 0; i < n && !s->failed; i++) {
        if (!memchr(text[i].p, '?', text[i].n) && !memchr(text[i].p, ';', text[i].n))
            continue;
        dp_frame_result got = dp_frame_read(&frame, text[i]);
        s->failed |= got == DP_FRAME_NOMEM;
        if (got == DP_FRAME_OK)
            see_form(s, &frame, (uint32_t)i);
    }
    dp_frame_done(&frame);
    if (s->failed)
        return DP_ENOMEM;
    keep_texts(s);
    if (s->n)
        qsort(s->v, s->n, sizeof *s->v, by_forms);
    return DP_OK;
}

/* ---- ideas --------------------------------------------------------------------------------- */

/* "drop ?sid" of "?sid". The idea is nobody's: all folds may judge it. */
static dp_idea *add_idea(dp_ideas *out, dp_buf *text, const name *n)
{
    dp_idea idea = {.tier = DP_TIER_PARAM, .family = DP_FAMILY_PARAM};
    dp_buf_reset(text);
    dp_buf_c(text, "drop ");
    dp_buf_str(text, n->text);
    idea.text[0] = dp_buf_view(text);
    dp_idea *there = text->failed ? NULL : dp_ideas_add(out, &idea, (dp_proposer){0, 0});
    if (there)
        there->folds = 0;
    return there;
}

static dp_err judge(dp_hearsay *out, const names *s, const dp_forms *f, dp_pool *pool)
{
    dp_ideas  ideas = {0};
    dp_ballot ballot = {0};
    dp_err    code = DP_OK;
    dp_buf    text = {0};
    for (size_t i = 0; i < s->n && ideas.n < MOST_NAMES && code == DP_OK; i++)
        if (s->v[i].forms >= 2 && (s->v[i].text.p[s->v[i].text.n - 1] != '*' || s->v[i].members >= 2) &&
            !add_idea(&ideas, &text, &s->v[i]))
            code = DP_ENOMEM;
    if (code == DP_OK && ideas.n)
        code = dp_ballot_init(&ballot, f, ideas.v, ideas.n, NULL, pool);
    for (size_t i = 0; i < ideas.n && code == DP_OK; i++) {
        dp_count c = dp_ballot_count(&ballot, i, DP_ALL_FOLDS);
        dp_str   drop = ideas.v[i].text[0];
        dp_hearsay_note(out, dp_str_cut(drop, 5, drop.n), c.pos, c.neg, c.by);
    }
    dp_ballot_done(&ballot);
    dp_ideas_done(&ideas);
    dp_buf_done(&text);
    return code;
}

dp_err dp_hearsay_survey(dp_hearsay *out, const dp_site *s, bool singletons, dp_pool *pool)
{
    dp_forms forms = {0};
    dp_arena a = {0};
    dp_site  part;
    names    all = {0};
    dp_err   code = DP_OK;
    *out = (dp_hearsay){0};
    if (s->n > SURVEYED) {
        code = dp_sample_make(&part, s, SURVEYED, &a);
        s = &part;
    }
    if (code == DP_OK)
        code = dp_forms_init(&forms, s, singletons, NULL, pool);
    if (code == DP_OK)
        code = names_of(&all, forms.text, forms.n);
    if (code == DP_OK)
        code = judge(out, &all, &forms, pool);
    names_done(&all);
    dp_forms_done(&forms);
    dp_arena_done(&a);
    return code;
}

/* ---- listening ----------------------------------------------------------------------------- */

/* Whether all hosts are of the domain that the site is named after. */
static bool is_one_domain(const dp_site *s)
{
    bool one = true;
    for (size_t i = 0; i < s->n && one; i++) {
        dp_str host = dp_host_of(s->url[i]);
        size_t rest = host.n - s->name.n;
        one = dp_str_eq(host, s->name) || (host.n > s->name.n && host.p[rest - 1] == '.' &&
                                           dp_str_eq(dp_str_cut(host, rest, host.n), s->name));
    }
    return one;
}

static void pick(dp_heard *out, const dp_hearsay *h, const names *s)
{
    dp_odds odds;
    dp_odds_init(&odds);
    out->n = 0;
    for (size_t i = 0; i < s->n && out->n < DP_HEARD; i++) {
        dp_opinion said = dp_hearsay_of(h, &odds, s->v[i].text);
        if (said.chance < WORTH_HEARING)
            continue;
        out->v[out->n].name = dp_hash_str(s->v[i].text);
        out->v[out->n++].said = said;
    }
}

dp_err dp_hearsay_listen(dp_heard *out, const dp_site *s, const dp_hearsay *others, const dp_hearsay *pack,
                         bool singletons, dp_pool *pool)
{
    dp_hearsay sum = {0}, own;
    names      all = {0};
    dp_err     code = DP_OK;
    *out = (dp_heard){0};
    if (others && others->n && is_one_domain(s))
        sum = *others;
    if (pack)
        dp_hearsay_add(&sum, pack);
    if (sum.n)
        code = names_of(&all, s->url, s->n);
    if (code == DP_OK && all.n)
        pick(out, &sum, &all);
    if (code == DP_OK && out->n) { /* what the site itself has said is a reason to look closer, and no more */
        code = dp_hearsay_survey(&own, s, singletons, pool);
        if (code == DP_OK)
            dp_hearsay_leave_out(&sum, &own);
        pick(out, &sum, &all);
    }
    names_done(&all);
    return code;
}

dp_err dp_hearsay_propose(dp_ideas *out, const dp_heard *h, const dp_forms *f)
{
    names  all = {0};
    dp_buf text = {0};
    dp_err code = h->n ? names_of(&all, f->text, f->n) : DP_OK;
    for (size_t i = 0; i < all.n && code == DP_OK; i++) {
        uint64_t hash = dp_hash_str(all.v[i].text);
        size_t   k = 0;
        while (k < h->n && h->v[k].name != hash)
            k++;
        if (k == h->n)
            continue;
        dp_idea *there = add_idea(out, &text, &all.v[i]);
        if (there) {
            there->clusters = there->clusters > 2 ? there->clusters : 2; /* as good as two of its own */
            there->prior = h->v[k].said.chance;
            there->sites = h->v[k].said.sites;
            there->by = h->v[k].said.by;
        } else {
            code = DP_ENOMEM;
        }
    }
    names_done(&all);
    dp_buf_done(&text);
    return code;
}
