/* learn/rewrite/book.h - the URLs of a site as maps from keys to values, in numbers.
 *
 *     http://a.com/show?id=7&sid=x         cells, by key:   scheme http | host a.com | k3 show | ?id 7 | ?sid x
 *
 *     key    0 scheme, 1 host with its port, 2 first segment ...; names of parameters in the order they are met
 *     value  dp_value for what is not there, or there and empty; from DP_V_FIRST on a text of the site
 *     hash   sum over the cells: that of a URL without one key is a subtraction away
 *
 * KDD 2008, Definition 1: order of parameters is lost, so URLs that differ in it are one map, that of the first. Left
 * out are URLs of no cluster, with a user name or an erased value (a raw *), which no rule can speak of, and those with
 * more than DP_BOOK_KEYS keys. url/keys.h says what the keys are; the files rewrite*.c read this.
 *
 * Invariants:
 *   - Maps are in the order of their URLs; cells of a map are sorted by key.
 *   - Maps and values are compared by 64-bit hashes: two of 10^7 different ones are taken for one with a chance of
 *     3 in 10^6.
 *
 * Memory: 8 bytes a cell (some 7 a URL), 24 a URL, 36 a different value.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_REWRITE_BOOK_H
#define DP_LEARN_REWRITE_BOOK_H

#include "base/hash.h"
#include "site/site.h"
#include "url/keys.h"

enum { DP_BOOK_KEYS = 64, DP_BOOK_SCHEME = 0, DP_BOOK_HOST = 1 };

/* What stands for a value; 32 bits, for a site has some 7 a URL. */
typedef enum dp_value {
    DP_V_ABSENT, /* the papers' bottom */
    DP_V_BARE,   /* a parameter without '=' */
    DP_V_EMPTY,
    DP_V_STAR,   /* in rules: any that is not empty */
    DP_V_FIRST   /* the first text */
} dp_value;

typedef struct dp_cell {
    uint32_t key, val;
} dp_cell;

typedef struct dp_book_key {
    uint8_t  kind; /* dp_key_kind; the port belongs to the host */
    uint32_t x;    /* scheme 1, host 2, segments and their parameters from 3 on */
    uint32_t nth;  /* of its name, from 1 */
    dp_str   name;
    uint32_t rank; /* by place, then name */
} dp_book_key;

/* Two URLs that differ in the order of their parameters alone. */
typedef struct dp_book_orders {
    uint64_t same, other; /* pairs of one cluster, of two */
} dp_book_orders;

typedef struct dp_book {
    uint32_t       n;       /* maps */
    dp_cell       *cell;
    uint32_t      *at;      /* [n + 1] into cell; 32 bits number all cells of a site */
    uint32_t      *url;     /* [n] number in the site */
    uint32_t      *cluster; /* [n] */
    uint64_t      *hash;    /* [n] */
    dp_book_key   *key;     /* [nkey] */
    uint32_t       nkey;
    dp_str        *value;   /* [nvalue]; those before DP_V_FIRST are empty */
    uint32_t       nvalue;
    dp_book_orders orders;
    uint64_t       left_out;
} dp_book;

/* All in `a`; texts are the site's. DP_ENOMEM; DP_ELIMIT past 2^31 values or 2^32 cells. */
dp_err dp_book_read(dp_book *out, const dp_site *s, dp_arena *a);

/* What a cell adds to the hash of its map. */
static inline uint64_t dp_cell_hash(uint32_t key, uint32_t val)
{
    return dp_hash_mix(((uint64_t)key << 32 | val) + 0x9E3779B97F4A7C15u);
}

/* Whether it is a text: neither absent nor empty. */
static inline bool dp_is_text(uint32_t val)
{
    return val >= DP_V_FIRST;
}

static inline const dp_cell *dp_book_cells(const dp_book *b, uint32_t map, uint32_t *n)
{
    *n = b->at[map + 1] - b->at[map];
    return b->cell + b->at[map];
}

static inline uint32_t dp_cells_find(const dp_cell *c, uint32_t n, uint32_t key)
{
    for (uint32_t i = 0; i < n && c[i].key <= key; i++)
        if (c[i].key == key)
            return c[i].val;
    return DP_V_ABSENT;
}

#endif
