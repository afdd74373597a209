/* learn/tree/host.h - the URLs of one host as keys and values: what a pair is made of.
 *
 *     http://a.com/title/tt081/photos?x=1        shape  2 segments ... names (x)
 *                                                values title | tt081 | photos | 1        32-bit numbers
 *     slot of a shape: one of its segments, then one of its pairs
 *
 * URLs of one shape have the same keys: as many segments, pairs with the same names in the same order. A slot whose
 * values are many has patterns (learn/tree/anchor.h); k3@tt*.1 of the papers is piece 1 of pattern tt* in slot 0 here.
 *
 * The value of a segment ends at its first ';': path parameters are kept apart, as texts.
 *
 * For the files of learn/tree/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_TREE_HOST_H
#define DP_LEARN_TREE_HOST_H

#include "base/index.h"
#include "learn/tree/anchor.h"
#include "learn/tree/tree.h"
#include "url/frame.h"

/* ---- values ------------------------------------------------------------------------------------------- */

enum {
    DP_TREE_ABSENT = 0, /* a key that the URL lacks: bottom */
    DP_TREE_BARE = 1,   /* a pair without '=' */
    DP_TREE_EMPTY = 2   /* the empty text */
};

/* What a text holds, so that most conversions need not be tried. */
enum {
    DP_TREE_UPPER = 1,
    DP_TREE_LOWER = 2,
    DP_TREE_PERCENT = 4,
    DP_TREE_ODD = 8, /* bytes that change between path and query */
    DP_TREE_STAR = 16,
    DP_TREE_RAW = 32 /* bytes that `encode` would escape */
};

typedef struct dp_tree_value {
    const char *p; /* a view into the text of a URL */
    uint32_t    n;
    uint32_t    holds; /* bits as above */
} dp_tree_value;

typedef struct dp_tree_values {
    dp_tree_value *v; /* [n] */
    uint32_t       n, cap;
    dp_index       index; /* of texts */
} dp_tree_values;

/* The number of `text`, which must stay where it is; DP_TREE_ABSENT when memory is out. */
uint32_t dp_tree_value_of(dp_tree_values *t, dp_str text);

static inline dp_str dp_tree_text(const dp_tree_values *t, uint32_t value)
{
    return (dp_str){t->v[value].p, t->v[value].n};
}

/* Whether a wildcard matches it: there, not empty, nothing erased in it. */
static inline bool dp_tree_is_solid(const dp_tree_values *t, uint32_t value)
{
    return value > DP_TREE_EMPTY && !(t->v[value].holds & DP_TREE_STAR);
}

/* ---- URLs ------------------------------------------------------------------------------------------------ */

enum { DP_TREE_SEGMENTS = 32, DP_TREE_PAIRS = 32, DP_TREE_PARAMS = 8 /* of a URL that takes part, at most */ };

typedef struct dp_tree_name {
    uint32_t name; /* its number */
    uint32_t nth;  /* 1 for the first of that name, then 2, ... */
} dp_tree_name;

typedef struct dp_tree_shape {
    uint64_t hash;
    uint32_t nseg, npair, nparam;
    uint32_t name;  /* its first pair in dp_tree_host.name; those of parameters follow */
    uint32_t slot;  /* its first in dp_tree_host.patterns: nseg, then npair */
    uint32_t nurl;
} dp_tree_shape;

typedef struct dp_tree_url {
    uint32_t item;   /* in the site; pairs of it */
    uint32_t shape;
    uint32_t at;     /* its values in dp_tree_host.value: nseg, npair, then nparam whole parameters */
    uint16_t scheme; /* of dp_tree_host.scheme */
    bool     foreign; /* of another host: a target that is there for one pair */
} dp_tree_url;

/* Patterns of a slot: numbers of dp_tree_host.pattern. */
typedef struct dp_tree_patterns {
    uint32_t *v; /* [n] */
    uint32_t  n;
    bool      few; /* had too few values to learn its own */
} dp_tree_patterns;

enum { DP_TREE_SCHEMES = 16 };

typedef struct dp_tree_host {
    const dp_site     *site;
    dp_str             name; /* "a.com", "a.com:8080" */
    dp_tree_values     values;
    dp_tree_url       *url; /* [nurl] */
    uint32_t           nurl, url_cap;
    uint32_t          *value; /* [nvalue] */
    size_t             nvalue, value_cap;
    dp_tree_shape     *shape; /* [nshape] */
    uint32_t           nshape, shape_cap;
    dp_tree_name      *names; /* [nname] */
    uint32_t           nname, name_cap;
    dp_index           shapes;
    dp_str             scheme[DP_TREE_SCHEMES];
    uint32_t           nscheme;
    dp_tree_patterns  *patterns; /* [nslot] */
    uint32_t           nslot;
    dp_anchor_pattern *pattern; /* [npattern], number 0 is none */
    uint32_t           npattern, pattern_cap;
    dp_frame           frame;
    dp_arena           arena;
} dp_tree_host;

/* A zeroed host with site and name set is valid. */
void dp_tree_host_done(dp_tree_host *h);

/* Add URL `item` of the site; its number in *out, or UINT32_MAX when it is too long to take part or has
 * userinfo. DP_ENOMEM. */
dp_err dp_tree_host_add(dp_tree_host *h, uint32_t item, bool foreign, uint32_t *out);

/* Learn the patterns of all slots, or say that there are none. DP_ENOMEM. */
dp_err dp_tree_host_deepen(dp_tree_host *h, bool learn);

static inline const dp_tree_shape *dp_tree_shape_of(const dp_tree_host *h, const dp_tree_url *u)
{
    return &h->shape[u->shape];
}

static inline uint32_t dp_tree_value_at(const dp_tree_host *h, const dp_tree_url *u, uint32_t slot)
{
    return h->value[u->at + slot];
}

/* The slot of pair (name, nth); UINT32_MAX: it has none. */
static inline uint32_t dp_tree_find_pair(const dp_tree_host *h, const dp_tree_shape *s, dp_tree_name name)
{
    for (uint32_t i = 0; i < s->npair; i++)
        if (h->names[s->name + i].name == name.name && h->names[s->name + i].nth == name.nth)
            return s->nseg + i;
    return UINT32_MAX;
}

/* The pattern of a slot's value, 0: none; then its pieces in piece[]. */
uint32_t dp_tree_pattern_of(dp_tree_host *h, const dp_tree_url *u, uint32_t slot, dp_str *piece);

#endif
