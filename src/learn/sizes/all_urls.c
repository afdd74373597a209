/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/sizes/all_urls.h"

#include "learn/sizes/shown_pairs.h"
#include "learn/sizes/shown_targets.h"
#include "learn/sizes/shown_values.h"
#include "site/usual.h"

/* A column of `s` for the URLs of a larger site: at[i] is the place of URL i of `s`; NULL stays NULL. */
static bool spread_column(const uint32_t **column, const dp_site *s, size_t n, const uint32_t *at, dp_arena *a)
{
    const uint32_t *from = *column;
    uint32_t       *to = from ? DP_NEWS(a, n, uint32_t) : NULL;
    for (size_t k = 0; to && k < s->n; k++)
        to[at[k]] = from[k];
    *column = to;
    return to || !from;
}

/* Redirects of which a log has no target: whoever is sent on gets the page of the other. */
static void join_sent(dp_site *out, const dp_site *s, const uint32_t *at, uint32_t *usual, uint32_t *tag)
{
    for (size_t i = 0; i < s->nsent; i++) {
        uint32_t from = at[s->sent[i].from], to = at[s->sent[i].to];
        if (usual[from] != DP_NO_SIZE || usual[to] == DP_NO_SIZE)
            continue;
        usual[from] = usual[to];
        if (tag)
            tag[from] = tag[to];
    }
    out->usual = usual;
    out->tag = tag;
}

/* Pages show how they were asked for: take that off. */
static dp_err take_shown(uint32_t *usual, uint32_t *guessed, const dp_site *s)
{
    dp_pair_places places;
    dp_err         code = dp_pair_places_init(&places, s);
    if (code == DP_OK)
        code = dp_shown_pairs_take(usual, guessed, &places);
    if (code == DP_OK)
        code = dp_shown_values_take(usual, &places);
    if (code == DP_OK)
        code = dp_shown_targets_take(usual, &places);
    dp_pair_places_done(&places);
    return code;
}

dp_err dp_all_urls_take(dp_site *out, const dp_site *s, dp_arena *a)
{
    size_t    n = s->n + s->ngone, k = 0, g = 0;
    dp_str   *url = DP_NEWS(a, n, dp_str);
    uint32_t *usual = DP_NEWS(a, n, uint32_t), *at = DP_NEWS(a, s->n, uint32_t);
    uint32_t *tag = s->tag ? DP_NEWS(a, n, uint32_t) : NULL, *guessed = DP_NEWS(a, n, uint32_t);
    if (!url || !usual || !at || !guessed || (s->tag && !tag))
        return DP_ENOMEM;
    for (uint32_t i = 0; i < n; i++) {
        bool is_gone = k == s->n || (g < s->ngone && dp_str_cmp(s->gone[g], s->url[k]) < 0);
        url[i] = is_gone ? s->gone[g] : s->url[k];
        usual[i] = is_gone ? DP_NO_SIZE : s->usual[k];
        if (tag)
            tag[i] = is_gone ? 0 : s->tag[k];
        if (is_gone)
            g++;
        else
            at[k++] = i;
    }
    *out = (dp_site){.name = s->name, .n = n, .url = url, .hits = s->hits, .linked = s->linked, .spread = s->spread,
                     .newest = s->newest, .gone = s->gone, .ngone = s->ngone, .guessed = guessed};
    DP_TRY(take_shown(usual, guessed, out));
    join_sent(out, s, at, usual, tag);
    return spread_column(&out->hits, s, n, at, a) && spread_column(&out->linked, s, n, at, a) ? DP_OK : DP_ENOMEM;
}
