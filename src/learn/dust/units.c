/* A site's URLs cut into units, and units into numbers.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "learn/dust/site.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/index.h"
#include "base/room.h"

enum { MAX_UNITS = 1 << 24, MAX_BYTES = INT32_MAX }; /* of a URL */

/* ---- units -------------------------------------------------------------------------------- */

/* Whether a token boundary lies inside %XX, where no substring begins or ends. */
static bool is_tied(dp_str s, size_t at)
{
    return at < s.n && (s.p[at - 1] == '%' || (at >= 2 && s.p[at - 2] == '%'));
}

/* End of the unit that begins at `at`; adds its tokens to `*tokens`. */
static size_t unit_end(dp_str s, size_t at, uint32_t *tokens)
{
    do {
        bool word = dp_dust_is_word(s.p[at++]);
        while (word && at < s.n && dp_dust_is_word(s.p[at]))
            at++;
        ++*tokens;
    } while (is_tied(s, at));
    return at;
}

/* Over so many units from byte `at` on. */
static size_t skip(dp_str url, size_t at, uint32_t units)
{
    uint32_t tokens = 0;
    for (; units && at < url.n; units--)
        at = unit_end(url, at, &tokens);
    return at;
}

dp_str dp_dust_cut(const dp_dust_site *s, uint32_t page, uint32_t i, uint32_t k)
{
    dp_str   url = s->v[page].url;
    uint32_t first = i ? i - 1 : 0, end = dp_dust_units(s, page) - k; /* ^ is unit 0 */
    size_t   from = skip(url, 0, first);
    return dp_str_cut(url, from, skip(url, from, end ? end - 1 - first : 0));
}

/* ---- numbers of units ---------------------------------------------------------------------- */

typedef struct words {
    dp_str   *v; /* [index.n] of numbers from DP_DUST_WORDS on */
    size_t    cap, weight_cap;
    dp_index  index;
    uint32_t *end;  /* [unit_cap] bytes where the units of the last page end; 0 for ^ */
    uint64_t *hash; /* [unit_cap] of its units */
    size_t    unit_cap;
} words;

static uint64_t hash_of(const void *self, uint32_t number)
{
    return dp_hash_str(((const words *)self)->v[number]);
}

static bool room_for_word(words *w, dp_dust_site *s)
{
    return DP_ROOM(w->v, w->index.n, w->cap) && DP_ROOM(s->weight, DP_DUST_WORDS + w->index.n, w->weight_cap) &&
           dp_index_room(&w->index, hash_of, w);
}

static dp_err number_of(uint32_t *out, words *w, dp_dust_site *s, dp_str text, uint64_t hash)
{
    uint32_t i, tokens = 0;
    if (!room_for_word(w, s))
        return DP_ENOMEM;
    dp_index_walk at = dp_index_from(&w->index, hash);
    while (dp_index_next(&at, &i)) {
        *out = DP_DUST_WORDS + i;
        if (dp_str_eq(w->v[i], text))
            return DP_OK;
    }
    i = dp_index_end(&w->index, &at);
    *out = DP_DUST_WORDS + i;
    unit_end(text, 0, &tokens);
    s->weight[*out] = tokens;
    w->v[i] = text;
    return DP_OK;
}

/* Room for the units of one more URL, a byte each at most, and its anchors. */
static dp_err make_room(dp_dust_site *s, words *w, uint64_t *cap, uint32_t at, size_t bytes)
{
    uint64_t n = at + (uint64_t)bytes + 2;
    size_t   same = w->unit_cap;
    bool     good = DP_ROOM_FOR(w->end, bytes + 2, same) && DP_ROOM_FOR(w->hash, bytes + 2, w->unit_cap) &&
                DP_ROOM_FOR(s->unit, n, *cap);
    return good ? DP_OK : DP_ENOMEM;
}

static size_t common_bytes(dp_str a, dp_str b)
{
    size_t n = 0, most = a.n < b.n ? a.n : b.n;
    while (n < most && a.p[n] == b.p[n])
        n++;
    return n;
}

/* Copy the units that the page before has, too: those that end where both URLs go on alike. How many. */
static uint32_t copy_units(dp_dust_site *s, size_t page, const words *w)
{
    if (!page)
        return 0;
    size_t   same = common_bytes(s->v[page - 1].url, s->v[page].url);
    uint32_t n = 0, from = s->first[page - 1], units = s->first[page] - from;
    while (n + 1 < units && w->end[n] < same)
        n++;
    memcpy(s->unit + s->first[page], s->unit + from, n * sizeof *s->unit);
    return n;
}

/* Find the ends of units from number `n` on, and have the slots of words at hand; how many there are. */
static uint32_t cut_units(const words *w, dp_str url, uint32_t n)
{
    for (size_t i = w->end[n - 1], end; i < url.n; i = end) {
        uint32_t unused = 0;
        end = unit_end(url, i, &unused);
        if (end - i > 1) {
            w->hash[n] = dp_hash_str(dp_str_cut(url, i, end));
            dp_index_walk at = dp_index_from(&w->index, w->hash[n]);
            __builtin_prefetch(&at.slot[at.at]);
        }
        w->end[n++] = (uint32_t)end;
    }
    return n;
}

/* All pages are distinct and end with $, so the units that one shares with the page before end before either does. */
static dp_err read_units(dp_dust_site *s, size_t page, words *w)
{
    dp_str    url = s->v[page].url;
    uint32_t *unit = s->unit + s->first[page], known = copy_units(s, page, w), tokens = 1;
    if (known == 0) {
        unit[known] = DP_DUST_FIRST;
        w->end[known++] = 0;
    }
    uint32_t n = cut_units(w, url, known);
    for (uint32_t i = known; i < n; i++) {
        dp_str text = dp_str_cut(url, w->end[i - 1], w->end[i]);
        unit[i] = (unsigned char)text.p[0];
        if (text.n > 1)
            DP_TRY(number_of(&unit[i], w, s, text, w->hash[i]));
    }
    for (uint32_t i = 0; i < n; i++)
        tokens += s->weight[unit[i]];
    unit[n++] = DP_DUST_LAST;
    s->v[page].tokens = tokens;
    s->first[page + 1] = s->first[page] + n;
    s->longest = n > s->longest ? n : s->longest;
    while (page && unit[s->same[page]] == s->unit[s->first[page - 1] + s->same[page]])
        s->same[page]++;
    return n < MAX_UNITS ? DP_OK : DP_ELIMIT;
}

/* Have the text of a page at hand that will be asked for soon. */
static void fetch_ahead(const dp_dust_site *s, size_t page)
{
    enum { SOON = 8, LINE = 64 };
    if (page + SOON < s->n)
        for (size_t i = 0; i < s->v[page + SOON].url.n; i += LINE)
            __builtin_prefetch(s->v[page + SOON].url.p + i);
}

static dp_err number_page(dp_dust_site *s, size_t page, words *w, uint64_t *cap)
{
    uint32_t at = s->first[page];
    size_t   bytes = s->v[page].url.n;
    fetch_ahead(s, page);
    if (bytes > MAX_BYTES || at + bytes + 2 >= UINT32_MAX)
        return DP_ELIMIT;
    DP_TRY(make_room(s, w, cap, at, bytes));
    return read_units(s, page, w);
}

dp_err dp_dust_number_units(dp_dust_site *s)
{
    words    w = {0};
    uint64_t cap = 0;
    s->first = calloc(s->n + 1, sizeof *s->first);
    s->same = calloc(s->n + 1, sizeof *s->same);
    dp_err e = s->first && s->same && room_for_word(&w, s) ? DP_OK : DP_ENOMEM;
    for (int i = 0; i < DP_DUST_WORDS && e == DP_OK; i++)
        s->weight[i] = 1;
    for (size_t p = 0; p < s->n && e == DP_OK; p++)
        e = number_page(s, p, &w, &cap);
    s->nunit = DP_DUST_WORDS + w.index.n;
    free(w.v);
    dp_index_done(&w.index);
    free(w.end);
    free(w.hash);
    if (e == DP_OK && s->n && !DP_RESIZE(s->unit, s->first[s->n]))
        e = DP_ENOMEM;
    return e;
}
