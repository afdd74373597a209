/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/dust_site.h"

#include "url/chars.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MAX_UNITS = 1 << 24, MAX_BYTES = INT32_MAX };

static bool makes_sense(const dp_dust_options *o)
{
    return o->S <= 255 && o->MS >= 1 && o->T_low <= o->T_high && o->T_high <= UINT16_MAX && o->shingles <= 4 &&
           o->MRD >= 0 && o->epsilon >= 0;
}

/* ---- units -------------------------------------------------------------------------------- */

static bool is_word(char c)
{
    return dp_is(c, DP_CH_ALNUM) || (c & 0x80);
}

/* Whether a token boundary lies inside %XX, where no substring begins or ends. */
static bool is_tied(dp_str s, size_t at)
{
    return at < s.n && (s.p[at - 1] == '%' || (at >= 2 && s.p[at - 2] == '%'));
}

/* End of the unit that begins at `at`; adds its tokens to `*tokens`. */
static size_t unit_end(dp_str s, size_t at, uint32_t *tokens)
{
    do {
        bool word = is_word(s.p[at++]);
        while (word && at < s.n && is_word(s.p[at]))
            at++;
        ++*tokens;
    } while (is_tied(s, at));
    return at;
}

/* The byte at which unit `u` of a URL begins. */
static size_t place(dp_str url, uint32_t u)
{
    uint32_t tokens = 0;
    size_t   at = 0;
    for (uint32_t k = 1; k < u && at < url.n; k++)
        at = unit_end(url, at, &tokens);
    return at;
}

dp_str dp_dust_cut(const dp_dust_site *s, uint32_t page, uint32_t i, uint32_t k)
{
    dp_str url = s->v[page].url;
    return dp_str_cut(url, place(url, i), place(url, dp_dust_units(s, page) - k));
}

/* ---- numbers of units ---------------------------------------------------------------------- */

typedef struct words {
    dp_str   *v;    /* [n] of numbers from DP_DUST_WORDS on */
    uint32_t *slot; /* [nslot] index in `v` + 1 */
    size_t    n, cap, nslot;
} words;

static dp_err grow_words(words *w, dp_dust_site *s)
{
    size_t    cap = w->cap ? w->cap * 2 : 1024, nslot = cap * 2;
    dp_str   *v = realloc(w->v, cap * sizeof *v);
    w->v = v ? v : w->v;
    uint32_t *weight = realloc(s->weight, (cap + DP_DUST_WORDS) * sizeof *weight);
    s->weight = weight ? weight : s->weight;
    uint32_t *slot = calloc(nslot, sizeof *slot);
    if (!v || !weight || !slot) {
        free(slot);
        return DP_ENOMEM;
    }
    for (size_t i = 0; i < w->n; i++) {
        size_t k = XXH3_64bits(v[i].p, v[i].n) & (nslot - 1);
        while (slot[k])
            k = (k + 1) & (nslot - 1);
        slot[k] = (uint32_t)i + 1;
    }
    free(w->slot);
    w->slot = slot;
    w->nslot = nslot;
    w->cap = cap;
    return DP_OK;
}

static dp_err number_of(uint32_t *out, words *w, dp_dust_site *s, dp_str text, uint32_t tokens)
{
    if (text.n == 1) {
        *out = (unsigned char)text.p[0];
        return DP_OK;
    }
    if (w->n == w->cap)
        DP_TRY(grow_words(w, s));
    size_t k = XXH3_64bits(text.p, text.n) & (w->nslot - 1);
    while (w->slot[k] && !dp_str_eq(w->v[w->slot[k] - 1], text))
        k = (k + 1) & (w->nslot - 1);
    if (!w->slot[k]) {
        s->weight[DP_DUST_WORDS + w->n] = tokens;
        w->v[w->n++] = text;
        w->slot[k] = (uint32_t)w->n;
    }
    *out = DP_DUST_WORDS + w->slot[k] - 1;
    return DP_OK;
}

static dp_err read_units(dp_dust_site *s, size_t page, words *w, uint32_t *at)
{
    dp_str   url = s->v[page].url;
    uint32_t tokens = 2, first = *at;
    s->unit[(*at)++] = DP_DUST_FIRST;
    for (size_t i = 0, end; i < url.n; i = end) {
        uint32_t n = 0;
        end = unit_end(url, i, &n);
        DP_TRY(number_of(&s->unit[(*at)++], w, s, dp_str_cut(url, i, end), n));
        tokens += n;
    }
    s->unit[(*at)++] = DP_DUST_LAST;
    s->v[page].tokens = tokens;
    if (*at - first > s->longest)
        s->longest = *at - first;
    return DP_OK;
}

/* How many units the URLs have together; 0 when that is too much. */
static uint64_t count_units(const dp_dust_site *s)
{
    uint64_t sum = 0;
    for (size_t p = 0; p < s->n; p++) {
        dp_str   url = s->v[p].url;
        uint64_t units = 2;
        uint32_t tokens = 0;
        if (url.n > MAX_BYTES)
            return 0;
        for (size_t i = 0; i < url.n; i = unit_end(url, i, &tokens))
            units++;
        sum += units;
        if (units >= MAX_UNITS)
            return 0;
    }
    return sum < UINT32_MAX ? sum : 0;
}

static dp_err number_units(dp_dust_site *s)
{
    uint64_t sum = count_units(s);
    if (s->n && !sum)
        return DP_ELIMIT;
    words    w = {0};
    uint32_t at = 0;
    s->unit = calloc(sum + 1, sizeof *s->unit);
    s->first = calloc(s->n + 1, sizeof *s->first);
    dp_err e = s->unit && s->first ? grow_words(&w, s) : DP_ENOMEM;
    for (int i = 0; i < DP_DUST_WORDS && e == DP_OK; i++)
        s->weight[i] = 1;
    for (size_t p = 0; p < s->n && e == DP_OK; p++) {
        e = read_units(s, p, &w, &at);
        s->first[p + 1] = at;
    }
    s->nunit = DP_DUST_WORDS + w.n;
    free(w.v);
    free(w.slot);
    return e;
}

/* ---- pages --------------------------------------------------------------------------------- */

static uint32_t *slot_of(const dp_dust_site *s, dp_str url)
{
    for (size_t i = XXH3_64bits(url.p, url.n) & (s->nslot - 1);; i = (i + 1) & (s->nslot - 1))
        if (!s->slot[i] || dp_str_eq(s->v[s->slot[i] - 1].url, url))
            return &s->slot[i];
}

const dp_dust_page *dp_dust_site_find(const dp_dust_site *s, dp_str url)
{
    uint32_t i = *slot_of(s, url);
    return i ? &s->v[i - 1] : NULL;
}

/* What another record of the same URL adds. */
static void merge(dp_dust_page *p, const dp_dust_url *u)
{
    if (u->has_size) {
        p->min = p->has_size && p->min < u->size_min ? p->min : u->size_min;
        p->max = p->has_size && p->max > u->size_max ? p->max : u->size_max;
        p->has_size = true;
    }
    if (u->has_sketch && !p->mixed) {
        p->mixed = p->sketch && memcmp(p->sketch, u->sketch, sizeof u->sketch) != 0;
        p->sketch = p->mixed ? NULL : u->sketch;
    }
}

static dp_err fill(dp_dust_site *s, const dp_dust_url *url, size_t n)
{
    s->nslot = 16;
    while (s->nslot / 2 < n)
        s->nslot *= 2;
    s->slot = calloc(s->nslot, sizeof *s->slot);
    s->v = calloc(n ? n : 1, sizeof *s->v);
    if (!s->slot || !s->v)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        uint32_t *slot = slot_of(s, url[i].url);
        if (!*slot) {
            s->v[s->n] = (dp_dust_page){.url = url[i].url};
            *slot = (uint32_t)++s->n;
        }
        merge(&s->v[*slot - 1], &url[i]);
        s->says |= url[i].has_size || url[i].has_sketch;
    }
    return number_units(s);
}

dp_err dp_dust_site_new(dp_dust_site **out, const dp_dust_url *url, size_t n, const dp_dust_options *o)
{
    if (!makes_sense(o))
        return DP_EINVALID;
    if (n >= UINT32_MAX)
        return DP_ELIMIT;
    dp_dust_site *s = calloc(1, sizeof *s);
    if (!s)
        return DP_ENOMEM;
    dp_err e = fill(s, url, n);
    if (e != DP_OK)
        dp_dust_site_free(s);
    else
        *out = s;
    return e;
}

void dp_dust_site_free(dp_dust_site *s)
{
    if (!s)
        return;
    free(s->v);
    free(s->slot);
    free(s->unit);
    free(s->first);
    free(s->weight);
    free(s);
}

bool dp_dust_similar(const dp_dust_page *x, const dp_dust_page *y, const dp_dust_options *o)
{
    if (o->shingles && x->sketch && y->sketch) {
        unsigned same = 0;
        for (int i = 0; i < 4; i++)
            same += x->sketch[i] == y->sketch[i];
        return same >= o->shingles;
    }
    if (!o->ignore_sizes && x->has_size && y->has_size)
        return x->min <= y->max && y->min <= x->max;
    return true;
}

dp_err dp_dust_learn(dp_dust_result *out, const dp_dust_url *url, size_t n, const dp_dust_options *o, dp_arena *a)
{
    dp_dust_site  *s = NULL;
    dp_dust_result r = {0};
    DP_TRY(dp_dust_site_new(&s, url, n, o));
    r.urls = s->n;
    dp_err e = dp_dust_detect(&r.rules, s, o, a);
    r.detected = r.rules.n;
    if (e == DP_OK)
        e = dp_dust_eliminate(&r.rules, o);
    if (e == DP_OK)
        e = dp_dust_params(&r, s, o, NULL, NULL, a);
    dp_dust_site_free(s);
    if (e == DP_OK)
        *out = r;
    return e;
}
