/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/vote/hosts.h"
#include "learn/auto/thresholds.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/room.h"

dp_str dp_host_of(dp_str url)
{
    size_t i = 0, end, at;
    while (i < url.n && url.p[i] != ':' && url.p[i] != '/')
        i++;
    at = i + 2 < url.n && url.p[i] == ':' && url.p[i + 1] == '/' && url.p[i + 2] == '/' ? i + 3 : 0;
    for (end = at; end < url.n && url.p[end] != '/' && url.p[end] != '?'; end++)
        if (url.p[end] == '@')
            at = end + 1;
    if (at < end && url.p[at] == '[')
        for (i = at; i < end && url.p[i] != ']'; i++) {}
    else
        i = at;
    while (i < end && url.p[i] != ':')
        i++;
    return dp_str_cut(url, at, i);
}

enum { MOST_KIN = 256 /* hosts of a site that are compared */ };

static int by_name(const void *x, const void *y)
{
    return dp_str_cmp(((const dp_host_votes *)x)->name, ((const dp_host_votes *)y)->name);
}

static dp_host_votes *find(dp_hosts *h, dp_str name);

/* Whether the kin of a host, as far as it is known, begins with this one. */
static void make_kin(dp_hosts *h, uint32_t a, uint32_t b)
{
    uint32_t low = h->v[a].kin < h->v[b].kin ? h->v[a].kin : h->v[b].kin, high = h->v[a].kin ^ h->v[b].kin ^ low;
    for (size_t i = 0; i < h->n; i++)
        if (h->v[i].kin == high)
            h->v[i].kin = low;
}

/* Hosts that have several pages in common are kin. */
static dp_err find_kin(dp_hosts *h, const dp_site *s)
{
    for (size_t i = 0; i < h->n; i++)
        h->v[i].kin = (uint32_t)i;
    if (h->n < 2 || h->n > MOST_KIN)
        return DP_OK;
    uint32_t *first = malloc(((size_t)s->nclusters + 1) * sizeof *first), *pages = calloc(h->n * h->n, sizeof *pages);
    dp_str    name = {0};
    uint32_t  at = 0;
    if (!first || !pages) {
        free(first);
        free(pages);
        return DP_ENOMEM;
    }
    memset(first, 0xFF, ((size_t)s->nclusters + 1) * sizeof *first);
    for (size_t u = 0; u < s->n; u++) {
        dp_str here = dp_host_of(s->url[u]);
        if (!dp_str_eq(here, name))
            at = (uint32_t)(find(h, here) - h->v);
        name = here;
        uint32_t c = s->cluster[u];
        if (c == DP_NO_CLUSTER || s->is_soft[c])
            continue;
        if (first[c] == UINT32_MAX)
            first[c] = at;
        else if (first[c] != at && ++pages[first[c] * h->n + at] == DP_LEAST_CLUSTERS)
            make_kin(h, first[c], at);
    }
    free(first);
    free(pages);
    return DP_OK;
}

dp_err dp_hosts_init(dp_hosts *h, const dp_site *s)
{
    size_t cap = 16;
    *h = (dp_hosts){.v = malloc(cap * sizeof *h->v)};
    if (!h->v)
        return DP_ENOMEM;
    dp_str last = {0}, start = {0}; /* start: a URL up to the end of its host */
    for (size_t i = 0; i < s->n; i++) {
        if (i && dp_str_starts(s->url[i], start) && s->url[i].n > start.n && s->url[i].p[start.n] == '/')
            continue;
        dp_str name = dp_host_of(s->url[i]); /* URLs are sorted: equal hosts lie together, in runs */
        start = (dp_str){s->url[i].p, (size_t)(name.p + name.n - s->url[i].p)};
        if (i && dp_str_eq(name, last))
            continue;
        last = name;
        if (h->n == cap) { /* make distinct before growing */
            qsort(h->v, h->n, sizeof *h->v, by_name);
            size_t kept = 0;
            for (size_t k = 0; k < h->n; k++)
                if (!kept || !dp_str_eq(h->v[kept - 1].name, h->v[k].name))
                    h->v[kept++] = h->v[k];
            h->n = kept;
            if (!DP_ROOM_FOR(h->v, kept * 2, cap)) {
                dp_hosts_done(h);
                return DP_ENOMEM;
            }
        }
        h->v[h->n++] = (dp_host_votes){.name = name};
    }
    qsort(h->v, h->n, sizeof *h->v, by_name);
    size_t kept = 0;
    for (size_t k = 0; k < h->n; k++)
        if (!kept || !dp_str_eq(h->v[kept - 1].name, h->v[k].name))
            h->v[kept++] = h->v[k];
    h->n = kept;
    return find_kin(h, s);
}

void dp_hosts_done(dp_hosts *h)
{
    free(h->v);
    *h = (dp_hosts){0};
}

static dp_host_votes *find(dp_hosts *h, dp_str name)
{
    dp_host_votes key = {.name = name};
    return bsearch(&key, h->v, h->n, sizeof key, by_name);
}

typedef struct asking {
    dp_hosts       *h;
    const dp_forms *f;
} asking;

/* Every changed form speaks for its own host. */
static void ask(void *ctx, const dp_group_seen *g)
{
    asking *a = ctx;
    for (size_t i = 0; i < g->changed; i++) {
        dp_host_votes *v = find(a->h, dp_host_of(a->f->text[g->form[i]]));
        if (!v)
            continue;
        if (a->f->label[g->form[i]] == g->label && g->agree > 1)
            v->pos++;
        else
            v->neg++;
    }
}

/* Hosts whose forms idea `i` changes, where nobody says anything, speak for it. */
static void hear_silence(dp_hosts *h, const dp_ballot *b, size_t i)
{
    for (size_t k = b->tried.at[i]; k < b->tried.at[i + 1]; k++) {
        dp_host_votes *v = find(h, dp_host_of(b->forms->text[b->tried.v[k].item]));
        if (v && v->pos == 0 && v->neg == 0)
            v->pos = 1;
    }
}

/* Silent hosts whose kin speaks for an idea speak for it: they show the same pages. */
static void hear_kin(dp_hosts *h)
{
    for (size_t k = 0; k < h->n; k++) {
        dp_host_votes *v = &h->v[k];
        for (size_t m = 0; v->pos == 0 && v->neg == 0 && m < h->n; m++)
            if (h->v[m].kin == v->kin && h->v[m].pos > h->v[m].neg)
                v->pos = 1;
    }
}

/* The host that a rule about one host names; n == 0: it names none. */
static dp_str named_host(const dp_idea *idea)
{
    dp_str text = idea->text[0];
    size_t at = 0, end;
    while (at + 2 < text.n && text.p[at] != ' ' && !(text.p[at] == '/' && text.p[at + 1] == '/'))
        at++;
    if (idea->family != DP_FAMILY_HOST || at + 2 >= text.n || text.p[at] == ' ')
        return dp_str_cut(text, 0, 0);
    for (end = at + 2; end < text.n && text.p[end] != '/' && text.p[end] != ':'; end++) {}
    return dp_str_cut(text, at + 2, end);
}

static void ask_all(dp_hosts *h, dp_ballot *b, size_t i)
{
    asking ctx = {h, b->forms};
    for (size_t k = 0; k < h->n; k++)
        h->v[k].pos = h->v[k].neg = 0;
    dp_ballot_walk(b, i, ask, &ctx);
}

/* Those that say yes, joined. */
static dp_str join(const dp_hosts *h, const uint8_t *yes, dp_arena *a)
{
    dp_buf out = {0};
    for (size_t k = 0; k < h->n; k++) {
        if (!yes[k])
            continue;
        dp_buf_c(&out, out.n ? ", " : "");
        dp_buf_str(&out, h->v[k].name);
    }
    dp_str text = out.failed ? (dp_str){0} : dp_arena_str(a, dp_buf_view(&out));
    dp_buf_done(&out);
    return text;
}

dp_str dp_hosts_split(dp_hosts *h, dp_ballot *b, size_t i, dp_arena *a)
{
    uint8_t *yes = calloc(h->n + 1, 1);
    size_t   against = 0, several = 0;
    if (!yes)
        return (dp_str){0};
    ask_all(h, b, i);
    for (size_t k = 0; k < h->n; k++) { /* the first of the kin has the votes of all */
        dp_host_votes *kin = &h->v[h->v[k].kin];
        kin->pos += kin == &h->v[k] ? 0 : h->v[k].pos;
        kin->neg += kin == &h->v[k] ? 0 : h->v[k].neg;
    }
    for (size_t k = 0; k < h->n; k++) {
        const dp_host_votes *kin = &h->v[h->v[k].kin];
        yes[k] = kin->pos > 0 && kin->neg * DP_PART_AGAINST <= kin->pos;
        several += yes[k];
        against += !yes[k] && kin->neg > 0;
    }
    dp_str text = several && against ? join(h, yes, a) : dp_arena_str(a, DP_STR(""));
    free(yes);
    return text;
}

dp_str dp_hosts_for(dp_hosts *h, dp_ballot *b, size_t i, bool silent, dp_arena *a)
{
    size_t yes = 0, no = 0;
    dp_str named = named_host(&b->idea[i]);
    if (b->idea[i].hosts.n)
        return dp_arena_str(a, b->idea[i].hosts);
    if (named.n && find(h, named))
        return dp_arena_str(a, named);
    ask_all(h, b, i);
    if (silent)
        hear_silence(h, b, i);
    if (h->n > 1 && b->idea[i].family != DP_FAMILY_HOST)
        hear_kin(h);
    for (size_t k = 0; k < h->n; k++) {
        yes += h->v[k].pos > h->v[k].neg;
        no += h->v[k].neg > h->v[k].pos;
    }
    uint8_t *speaks = calloc(h->n + 1, 1);
    for (size_t k = 0; k < h->n && speaks; k++)
        speaks[k] = h->v[k].pos > h->v[k].neg || (yes >= DP_ENOUGH_HOSTS && no == 0);
    dp_str text = speaks ? join(h, speaks, a) : (dp_str){0};
    free(speaks);
    return text;
}
