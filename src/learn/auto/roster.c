/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/roster.h"

#include <stdlib.h>

#include "apply/hash.h"
#include "base/room.h"
#include "learn/auto/propose.h"
#include "url/frame.h"

typedef struct counting {
    dp_roster          *t;
    const dp_ordinals *wanted;
    dp_buf             text;
    uint32_t           url; /* the one that is looked at */
    dp_err             code;
} counting;

/* The entry of the name in the buffer; NULL when it is not asked for, or memory is out. The first time it is seen
 * `*fresh`. */
static dp_roster_name *entry(counting *c, bool *fresh)
{
    dp_roster *t = c->t;
    dp_str    text = dp_buf_view(&c->text);
    uint64_t  hash = dp_hash_str(text);
    uint32_t  i;
    *fresh = false;
    if (c->text.failed)
        c->code = DP_ENOMEM;
    if (c->code != DP_OK || (c->wanted && !dp_ordinals_find(c->wanted, hash, &i)))
        return NULL;
    c->code = dp_ordinals_add(&t->known, hash, &i, fresh);
    if (c->code != DP_OK || !*fresh)
        return c->code == DP_OK ? &t->v[i] : NULL;
    dp_roster_name new = {.text = dp_arena_str(&t->texts, text), .hash = hash, .last = UINT32_MAX};
    if (!new.text.p || !DP_ROOM(t->v, t->n, t->cap)) {
        c->code = DP_ENOMEM;
        return NULL;
    }
    t->v[t->n] = new;
    return &t->v[t->n++];
}

/* Count a name; says whether it was not seen before. */
static bool count(counting *c, char kind, dp_str text, const char *tail, bool member)
{
    bool fresh;
    dp_buf_reset(&c->text);
    dp_buf_byte(&c->text, kind);
    dp_buf_str(&c->text, text);
    dp_buf_c(&c->text, tail);
    dp_roster_name *n = entry(c, &fresh);
    if (n) {
        n->urls += n->last != c->url;
        n->last = c->url;
        n->members += member;
    }
    return fresh;
}

/* Whether the language has a way to write it. */
static bool is_plain(dp_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == ',' || s.p[i] == '#' || s.p[i] == '*')
            return false;
    return s.n && s.p[0] != '+' && s.p[0] != '!' && !dp_str_eq(s, DP_STR("..."));
}

static void count_name(counting *c, char kind, dp_str text)
{
    if (!is_plain(text))
        return;
    bool   fresh = count(c, kind, text, "", false);
    dp_str head = dp_name_head(text);
    if (head.n)
        count(c, kind, head, "*", fresh);
}

static void count_frame(counting *c, const dp_frame *f)
{
    dp_param x;
    for (uint32_t i = 0; i < f->npair; i++)
        count_name(c, '?', dp_pair_name(f, &f->pair[i]));
    for (uint32_t at = f->path; dp_frame_param(f, at, &x); at = x.end)
        count_name(c, ';', dp_frame_cut(f, x.at + 1, x.eq));
}

static int by_urls(const void *x, const void *y)
{
    const dp_roster_name *a = x, *b = y;
    if (a->urls != b->urls)
        return a->urls > b->urls ? -1 : 1;
    return dp_str_cmp(a->text, b->text);
}

static dp_err make(dp_roster *out, const dp_str *url, size_t n, const dp_ordinals *wanted)
{
    counting c = {.t = out, .wanted = wanted, .code = DP_OK};
    dp_frame frame = {0};
    for (size_t i = 0; i < n && c.code == DP_OK; i++) {
        if (!memchr(url[i].p, '?', url[i].n) && !memchr(url[i].p, ';', url[i].n))
            continue;
        dp_frame_result got = dp_frame_read(&frame, url[i]);
        c.url = (uint32_t)i;
        if (got == DP_FRAME_NOMEM)
            c.code = DP_ENOMEM;
        else if (got == DP_FRAME_OK)
            count_frame(&c, &frame);
    }
    dp_frame_done(&frame);
    dp_buf_done(&c.text);
    if (out->n && c.code == DP_OK)
        qsort(out->v, out->n, sizeof *out->v, by_urls);
    return c.code;
}

dp_err dp_roster_all(dp_roster *out, const dp_str *url, size_t n)
{
    *out = (dp_roster){0};
    return make(out, url, n, NULL);
}

dp_err dp_roster_some(dp_roster *out, const dp_str *url, size_t n, const uint64_t *name, size_t names)
{
    dp_ordinals wanted = {0};
    uint32_t    number;
    bool        fresh;
    dp_err      code = DP_OK;
    *out = (dp_roster){0};
    for (size_t i = 0; i < names && code == DP_OK; i++)
        code = dp_ordinals_add(&wanted, name[i], &number, &fresh);
    if (code == DP_OK && names)
        code = make(out, url, n, &wanted);
    dp_ordinals_done(&wanted);
    return code;
}

void dp_roster_done(dp_roster *t)
{
    free(t->v);
    dp_ordinals_done(&t->known);
    dp_arena_done(&t->texts);
    *t = (dp_roster){0};
}
