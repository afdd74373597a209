/* learn/dust_site.h - the distinct URLs of a site, hashed so that any run of tokens has its hash at once.
 *
 *     tokens     ^   http   :   /  ...  $          hash[i]  of tokens [0, i)
 *     hash[0]=0  [1] [2]    [3] [4]     [n]        tokens [i, j):  hash[j] - hash[i] * power[j - i]
 *
 * For the files dust_*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_DUST_SITE_H
#define DP_LEARN_DUST_SITE_H

#include "learn/dust.h"
#include "url/token.h"

#define DP_DUST_BASE 0x9E3779B97F4A7C15u /* of the polynomial */

typedef struct dp_dust_page {
    dp_dust_tokens  t;
    uint64_t       *hash;   /* [t.n + 1] */
    uint32_t        a, b;   /* longest prefix, suffix in tokens that another URL may have too */
    bool            has_size, mixed; /* mixed: sketches differ */
    int64_t         min, max;
    const uint64_t *sketch; /* [4], NULL: not known */
} dp_dust_page;

struct dp_dust_site {
    dp_dust_page *v; /* [n]; 32 bits number them */
    size_t        n;
    uint32_t      longest; /* tokens */
    uint32_t     *slot;    /* [nslot] page + 1 by the hash of its URL, 0: free; a power of two */
    size_t        nslot;
    dp_arena      arena;
};

static inline dp_str dp_dust_page_text(const dp_dust_page *p)
{
    return (dp_str){p->t.s, p->t.at[p->t.n]};
}

static inline uint64_t dp_dust_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93u;
    x ^= x >> 29;
    x *= 0x94D049BB133111EBu;
    return x ^ x >> 32;
}

/* The page with that URL; NULL: none. */
const dp_dust_page *dp_dust_site_find(const dp_dust_site *s, dp_str url);

/* LikelySimilar: false only when sketches or sizes say that they differ. */
bool dp_dust_similar(const dp_dust_page *x, const dp_dust_page *y, const dp_dust_options *o);

/* ---- envelopes -------------------------------------------------------------------------- */

/* A substring: tokens [place >> 8, + (place & 255)) of a page. Its envelope is the rest. */
typedef struct dp_dust_cut {
    uint64_t key; /* hash of the envelope */
    uint32_t page, place;
} dp_dust_cut;

static inline uint32_t dp_dust_from(uint32_t place)
{
    return place >> 8;
}

static inline uint32_t dp_dust_to(uint32_t place)
{
    return (place >> 8) + (place & 255);
}

typedef struct dp_dust_envelopes {
    dp_dust_site          *s;
    const dp_dust_options *o;
    uint64_t               passes, built; /* built: number of the pass in `v`, from 1; 0: none */
    uint8_t               *seen;          /* [ncell / 4] two bits a cell: never, once, again */
    size_t                 ncell;         /* a power of two */
    uint64_t              *suffix;        /* [longest + 1] of the page looked at */
    dp_dust_cut           *v, *tmp;       /* [n] */
    size_t                 n, cap;
} dp_dust_envelopes;

/* Called for each pair of likely similar members of a bucket of `size` URLs, at most T_high. */
typedef dp_err dp_dust_on_pair(void *self, const dp_dust_cut *x, const dp_dust_cut *y, uint32_t size);

dp_err dp_dust_envelopes_init(dp_dust_envelopes *e, dp_dust_site *s, const dp_dust_options *o);
dp_err dp_dust_envelopes_walk(dp_dust_envelopes *e, dp_dust_on_pair *on_pair, void *self);
void   dp_dust_envelopes_done(dp_dust_envelopes *e);

#endif
