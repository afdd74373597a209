/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/priors/param_counts.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"
#include "learn/auto/propose/propose.h"
#include "url/scan.h"

#define NONE UINT32_MAX

/* Where a name is counted, once it was seen: by itself, and with those that begin like it. */
typedef struct places {
    uint32_t own, head; /* entries; NONE: nowhere */
} places;

typedef struct counting {
    dp_param_counts   *t;
    const dp_ordinals *wanted;
    dp_ordinals        seen; /* names by hash and kind: most names are those of many URLs */
    places            *at;   /* [seen.n] */
    uint32_t           at_cap;
    dp_buf             text;
    uint32_t           url;  /* the one that is looked at */
    dp_err             code;
} counting;

/* The number of a name's entry, new or not; NONE when it is not asked for, or memory is out (c->code). The first time
 * it is seen `*fresh`. */
static uint32_t entry(counting *c, char kind, dp_str text, bool prefix, bool *fresh)
{
    dp_param_counts *t = c->t;
    uint32_t         i;
    dp_buf_reset(&c->text);
    dp_buf_byte(&c->text, kind);
    dp_buf_str(&c->text, text);
    dp_buf_c(&c->text, prefix ? "*" : "");
    dp_str   whole = dp_buf_view(&c->text);
    uint64_t hash = dp_hash_str(whole);
    *fresh = false;
    if (c->text.failed)
        c->code = DP_ENOMEM;
    if (c->code != DP_OK || (c->wanted && !dp_ordinals_find(c->wanted, hash, &i)))
        return NONE;
    c->code = dp_ordinals_add(&t->known, hash, &i, fresh);
    if (c->code != DP_OK || !*fresh)
        return c->code == DP_OK ? i : NONE;
    dp_param_counts_name new = {.text = dp_arena_str(&t->texts, whole), .hash = hash, .prefix = prefix,
                                .last = UINT32_MAX};
    if (!new.text.p || !DP_ROOM(t->v, t->n, t->cap)) {
        c->code = DP_ENOMEM;
        return NONE;
    }
    t->v[t->n++] = new;
    return i;
}

/* Whether the language has a way to write it. */
static bool is_plain(dp_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == ',' || s.p[i] == '#' || s.p[i] == '*')
            return false;
    return s.n && s.p[0] != '+' && s.p[0] != '!' && !dp_str_eq(s, DP_STR("..."));
}

/* Where a name is counted that was not seen before. */
static places find_places(counting *c, char kind, dp_str text)
{
    places at = {NONE, NONE};
    bool   fresh, any;
    if (!is_plain(text))
        return at;
    at.own = entry(c, kind, text, false, &fresh);
    dp_str head = dp_name_head(text);
    if (head.n)
        at.head = entry(c, kind, head, true, &any);
    if (at.head != NONE)
        c->t->v[at.head].members += fresh;
    return at;
}

static void count(counting *c, uint32_t number)
{
    if (number == NONE)
        return;
    dp_param_counts_name *n = &c->t->v[number];
    n->urls += n->last != c->url;
    n->last = c->url;
}

static void count_name(counting *c, char kind, dp_str text)
{
    uint32_t number;
    bool     fresh;
    if (c->code == DP_OK)
        c->code = dp_ordinals_add(&c->seen, dp_hash_fold((unsigned char)kind, dp_hash_str(text)), &number, &fresh);
    if (c->code == DP_OK && fresh) {
        if (!DP_ROOM(c->at, number, c->at_cap))
            c->code = DP_ENOMEM;
        else
            c->at[number] = find_places(c, kind, text);
    }
    if (c->code != DP_OK)
        return;
    count(c, c->at[number].own);
    count(c, c->at[number].head);
}

static bool ends_param(char kind, char c)
{
    return c == ';' || (kind == '?' ? c == '&' : c == '/' || c == '?');
}

/* The place of the next byte that ends a parameter; its name, which begins at `from`, is counted. */
static size_t count_param(counting *c, dp_scanner *s, char kind, size_t from)
{
    const char *p = s->text.p;
    size_t      at, name = SIZE_MAX;
    while ((at = dp_scanner_next(s)) < s->text.n && !ends_param(kind, p[at]))
        name = name == SIZE_MAX && p[at] == '=' ? at : name;
    name = name < at ? name : at;
    if (name > from)
        count_name(c, kind, dp_str_cut(s->text, from, name));
    return at;
}

/* As url/frame.h reads a URL, in one walk along its special bytes. */
static void count_url(counting *c, dp_str url)
{
    dp_scanner s = dp_scanner_open(url);
    size_t     at = dp_scanner_next(&s);
    if (at && at + 1 < url.n && url.p[at - 1] == ':' && url.p[at] == '/' && url.p[at + 1] == '/') {
        dp_scanner_next(&s);
        at = dp_scanner_next(&s);
    }
    while (at < url.n && url.p[at] != '/' && url.p[at] != '?')
        at = dp_scanner_next(&s);
    while (at < url.n && url.p[at] != '?')
        at = url.p[at] == ';' ? count_param(c, &s, ';', at + 1) : dp_scanner_next(&s);
    while (at < url.n)
        at = count_param(c, &s, '?', at + 1);
}

static int by_urls(const void *x, const void *y)
{
    const dp_param_counts_name *a = x, *b = y;
    if (a->urls != b->urls)
        return a->urls > b->urls ? -1 : 1;
    return dp_str_cmp(a->text, b->text);
}

static dp_err make(dp_param_counts *out, const dp_str *url, size_t n, const dp_ordinals *wanted)
{
    counting c = {.t = out, .wanted = wanted, .code = DP_OK};
    for (size_t i = 0; i < n && c.code == DP_OK; i++) {
        c.url = (uint32_t)i;
        count_url(&c, url[i]);
    }
    dp_buf_done(&c.text);
    dp_ordinals_done(&c.seen);
    free(c.at);
    if (out->n && c.code == DP_OK)
        qsort(out->v, out->n, sizeof *out->v, by_urls);
    return c.code;
}

dp_err dp_param_counts_all(dp_param_counts *out, const dp_str *url, size_t n)
{
    *out = (dp_param_counts){0};
    return make(out, url, n, NULL);
}

dp_err dp_param_counts_some(dp_param_counts *out, const dp_str *url, size_t n, const uint64_t *name, size_t names)
{
    dp_ordinals wanted = {0};
    uint32_t    number;
    bool        fresh;
    dp_err      code = DP_OK;
    *out = (dp_param_counts){0};
    for (size_t i = 0; i < names && code == DP_OK; i++)
        code = dp_ordinals_add(&wanted, name[i], &number, &fresh);
    if (code == DP_OK && names)
        code = make(out, url, n, &wanted);
    dp_ordinals_done(&wanted);
    return code;
}

void dp_param_counts_done(dp_param_counts *t)
{
    free(t->v);
    dp_ordinals_done(&t->known);
    dp_arena_done(&t->texts);
    *t = (dp_param_counts){0};
}
