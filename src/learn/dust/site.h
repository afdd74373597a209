/* learn/dust/site.h - the distinct URLs of a site as sequences of numbers.
 *
 *     http://a.com/x%2Fy       ^   http  :  /  /  a  .  com  /  x  %2Fy  $
 *     unit[first[page] ..]    256  258  58 47 47 259 46 260 47 261  262 257
 *
 * A unit is the text between two neighbouring places where a substring may begin or end: a token, or several that
 * %XX ties together (docs/rule-format.md 8.9). Equal units have equal numbers on the whole site, so that prefixes,
 * suffixes and substrings are compared exactly and without a look at the bytes. Positions are in units; what the
 * paper counts (S, the length of α) is in tokens.
 *
 * Pages are numbered in the order of their beginnings (order.h): those with the same first units stand side by
 * side, and what is looked at together lies together.
 *
 * For the files dust_*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DUST_SITE_H
#define DP_LEARN_DUST_SITE_H

#include "learn/dust/dust.h"
#include "url/chars.h"

enum { DP_DUST_FIRST = 256, DP_DUST_LAST = 257, DP_DUST_WORDS = 258 }; /* ^, $; below: bytes, above: longer ones */

typedef struct dp_dust_page {
    dp_str   url;
    uint32_t tokens;
} dp_dust_page;

/* What is known of a page's content. */
typedef struct dp_dust_content {
    bool            has_size, mixed; /* mixed: sketches differ */
    int64_t         min, max;
    const uint64_t *sketch; /* [4], NULL: not known */
} dp_dust_content;

/* 32-bit numbers: these arrays are what learning costs. */
struct dp_dust_site {
    dp_dust_page *v;      /* [n] */
    size_t        n;
    uint32_t     *unit;   /* [first[n]] */
    uint32_t     *first;  /* [n + 1] */
    uint32_t     *same;   /* [n] first units that a page has in common with the one before; 0 for the first page */
    uint32_t     *given;  /* [n] number of a page among the distinct URLs in the order they were given */
    uint32_t     *weight; /* [nunit] tokens of each unit */
    size_t        nunit;  /* different ones */
    uint32_t      longest; /* units of a URL */
    dp_dust_content *content; /* [n]; NULL when nothing is known of any page */
};

/* A token is a maximal run of these, or one other byte. */
static inline bool dp_dust_is_word(char c)
{
    return dp_is(c, DP_CH_ALNUM) || (c & 0x80);
}

static inline uint32_t dp_dust_units(const dp_dust_site *s, uint32_t page)
{
    return s->first[page + 1] - s->first[page];
}

/* Fill `unit`, `first`, `same`, `weight` and `tokens` of the pages that are there. DP_ELIMIT, DP_ENOMEM. */
dp_err dp_dust_number_units(dp_dust_site *s);

/* Units [i, end - k) of a page as text, without the anchors. */
dp_str dp_dust_cut(const dp_dust_site *s, uint32_t page, uint32_t i, uint32_t k);

/* Whether sketches or sizes of both are known, or labels tell afterwards. */
bool dp_dust_is_known(const dp_dust_site *s, uint32_t x, uint32_t y, const dp_dust_options *o);

/* LikelySimilar: false only when sketches or sizes say that they differ. */
bool dp_dust_similar(const dp_dust_site *s, uint32_t x, uint32_t y, const dp_dust_options *o);

#endif
