/* SPDX-License-Identifier: Apache-2.0 */
#include "site/follow.h"

#include <stdlib.h>

#include "base/words/case.h"
#include "url/asset.h"
#include "url/split.h"

dp_err dp_follow_note(dp_follow *f, uint64_t client, int64_t time, dp_str url)
{
    if (!f->v && !(f->v = calloc(DP_FOLLOW_CLIENTS, sizeof *f->v)))
        return DP_ENOMEM;
    dp_follow_sent *s = &f->v[client % DP_FOLLOW_CLIENTS];
    s->client = client;
    s->time = time;
    dp_buf_reset(&s->url);
    dp_buf_str(&s->url, url);
    return s->url.failed ? DP_ENOMEM : DP_OK;
}

bool dp_follow_arrive(dp_follow *f, uint64_t client, int64_t time, dp_str url, dp_str *from)
{
    dp_follow_sent *s = f->v ? &f->v[client % DP_FOLLOW_CLIENTS] : NULL;
    if (!s || !s->url.n || s->client != client)
        return false;
    *from = dp_buf_view(&s->url);
    bool is_late = time < s->time || time - s->time > DP_FOLLOW_SECONDS, is_asset = dp_url_is_asset(url);
    if (!is_late && is_asset && !dp_url_is_asset(*from))
        return false;
    s->url.n = 0; /* the bytes stay for the caller */
    return !is_late && !dp_str_eq(*from, url);
}

/* ---- what one would expect -------------------------------------------------------------------------------------- */

/* The path without its last slash, and without index.html and the like. */
static dp_str core_of(dp_str path)
{
    while (path.n && path.p[path.n - 1] == '/')
        path.n--;
    const char *slash = path.n ? memrchr(path.p, '/', path.n) : NULL;
    dp_str      last = slash ? dp_str_cut(path, (size_t)(slash - path.p) + 1, path.n) : path;
    bool        is_index = dp_str_starts_but_case(last, DP_STR("index.")) ||
                    dp_str_starts_but_case(last, DP_STR("default."));
    return is_index ? dp_str_cut(path, 0, path.n - last.n - (slash != NULL)) : path;
}

static dp_str last_of(dp_str path)
{
    const char *slash = path.n ? memrchr(path.p, '/', path.n) : NULL;
    return slash ? dp_str_cut(path, (size_t)(slash - path.p) + 1, path.n) : path;
}

bool dp_follow_is_likely(dp_str from, dp_str to)
{
    dp_split a, b;
    if (!dp_split_url(&a, from) || !dp_split_url(&b, to))
        return false;
    dp_str x = core_of(a.path), y = core_of(b.path), last = last_of(x);
    return dp_str_eq_but_case(x, y) || (last.n && dp_str_eq_but_case(last, last_of(y)));
}

void dp_follow_reset(dp_follow *f)
{
    for (size_t i = 0; f->v && i < DP_FOLLOW_CLIENTS; i++)
        dp_buf_reset(&f->v[i].url);
}

void dp_follow_done(dp_follow *f)
{
    for (size_t i = 0; f->v && i < DP_FOLLOW_CLIENTS; i++)
        dp_buf_done(&f->v[i].url);
    free(f->v);
    *f = (dp_follow){0};
}
