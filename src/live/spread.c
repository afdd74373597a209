/* SPDX-License-Identifier: Apache-2.0 */
#include "live/spread.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/room.h"
#include "base/secret.h"
#include "url/chars.h"
#include "url/split.h"

/* ---- forms --------------------------------------------------------------------------------- */

static bool has_digit(dp_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (dp_is(s.p[i], DP_CH_DIGIT))
            return true;
    return false;
}

/* What follows the last dot of a segment; empty: it has none. */
static dp_str ending_of(dp_str segment)
{
    for (size_t i = segment.n; i-- > 1;)
        if (segment.p[i] == '.')
            return dp_str_cut(segment, i, segment.n);
    return (dp_str){0};
}

static uint64_t form_of_path(dp_str path)
{
    dp_str   rest = dp_str_cut(path, path.n > 0, path.n), last = {0};
    uint64_t form = 0, depth = 0;
    while (rest.n) {
        last = dp_next_field(&rest, '/');
        if (depth++ == 0 && rest.n && !has_digit(last))
            form = dp_hash_str(last);
    }
    bool   is_folder = path.n && path.p[path.n - 1] == '/';
    dp_str ending = is_folder ? DP_STR("/") : ending_of(last);
    return dp_hash_fold(dp_hash_fold(form, dp_hash_mix(depth)), dp_hash_str(ending));
}

/* In whatever order the parameters stand. */
static uint64_t form_of_query(dp_str query)
{
    uint64_t form = 0;
    while (query.n) {
        dp_str pair = dp_next_field(&query, '&');
        form += dp_hash_str(dp_next_field(&pair, '='));
    }
    return form;
}

static uint64_t form_of(dp_str url)
{
    dp_split s;
    if (!dp_split_url(&s, url))
        return 0;
    return dp_hash_fold(dp_hash_fold(dp_hash_str(s.host), form_of_path(s.path)), dp_hash_mix(form_of_query(s.query)));
}

/* ---- order --------------------------------------------------------------------------------- */

dp_err dp_spread_add(dp_spread *s, dp_str url, uint64_t seed)
{
    uint32_t number;
    bool     fresh;
    DP_TRY(dp_ordinals_add(&s->known, dp_secret_text(url), &number, &fresh));
    if (!fresh)
        return DP_OK;
    if (!DP_ROOM(s->v, s->urls.n, s->cap) || !dp_strlist_add(&s->urls, url))
        return DP_ENOMEM;
    s->v[number] = (dp_spread_url){form_of(url), dp_hash_seeded(url.p, url.n, seed), 0, number};
    return DP_OK;
}

static int cmp64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_form(const void *x, const void *y)
{
    const dp_spread_url *a = x, *b = y;
    return a->form != b->form ? cmp64(a->form, b->form) : cmp64(a->order, b->order);
}

static int by_rank(const void *x, const void *y)
{
    const dp_spread_url *a = x, *b = y;
    return a->rank != b->rank ? (a->rank > b->rank) - (a->rank < b->rank) : cmp64(a->order, b->order);
}

void dp_spread_finish(dp_spread *s)
{
    size_t n = s->urls.n;
    if (!n)
        return;
    qsort(s->v, n, sizeof *s->v, by_form);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && s->v[end].form == s->v[i].form; end++) {}
        for (size_t k = i; k < end; k++)
            s->v[k].rank = ((double)(k - i) + .5) / sqrt((double)(end - i));
        s->forms++;
    }
    qsort(s->v, n, sizeof *s->v, by_rank);
}

void dp_spread_done(dp_spread *s)
{
    dp_strlist_done(&s->urls);
    dp_ordinals_done(&s->known);
    free(s->v);
    *s = (dp_spread){0};
}
