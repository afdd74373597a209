/* learn/tree/class.h - classes of pairs with one transformation, their keys, and the contexts that the tree finds.
 *
 *     class  "k(-,1) goes"                     rows: sources        keys: k(1,-)  k(-,2)  k(-,1)
 *                                              /srnr/about/art/index.html   srnr    art     index.html
 *                                              /art/index.html              -       art     index.html
 *     context  k(-,2) = *, k(-,1) = index.html                      /{**}/{x}/index.html
 *
 * Where some sources have a pattern at a place (learn/tree/anchor.h), deep tokens are keys, too: which pattern a value
 * fits, each token that is not a word of it, and the whole value of those that fit none.
 *
 *     /tt081/print    k3: tt*    k3.2: 081         /nm17/print    k3: nm*    k3.2: 17
 *     context  k3: tt*, k3.2: any                  /tt{a}/print
 *
 * Patterns of a few sources, no more than `unlike` of them together, do not count as values of k3; sources that fit no
 * pattern and are so few make no context.
 *
 * A class names the places of the path from the start, from the end, or from both where all its sources are equally
 * deep. Each source is in the class, by either naming, that has more pairs.
 *
 * For the files of learn/tree/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_TREE_CLASS_H
#define DP_LEARN_TREE_CLASS_H

#include "learn/tree/edit.h"

typedef enum dp_tree_key_kind { DP_TREE_SCHEME, DP_TREE_START, DP_TREE_END, DP_TREE_PAIR } dp_tree_key_kind;

enum { DP_TREE_KEYS = 60 /* of a class; further parameters are not looked at */ };

enum { DP_TREE_WHOLE = 0, DP_TREE_PATTERN = 255 };

typedef struct dp_tree_key {
    uint8_t  kind;  /* a dp_tree_key_kind */
    uint8_t  deep;  /* DP_TREE_WHOLE: the value; DP_TREE_PATTERN: the pattern that it fits; else a deep token, i of
                       k(x.i, -) or j of k(-, y.j), from 1 */
    bool     from_end; /* deep tokens are counted from the end of the value: j */
    uint32_t at;    /* segments from the start or from the end, from 0; name of a pair */
    uint32_t nth;   /* of a pair */
    uint32_t first; /* number of the first key of the place: the pattern, where it has some */
    uint32_t id;    /* equal keys of all classes have one */
} dp_tree_key;

/* Cells of a DP_TREE_PATTERN key: the value if it is absent, bare or empty; DP_TREE_UNLIKE; else its pattern. */
enum { DP_TREE_UNLIKE = DP_TREE_EMPTY + 1, DP_TREE_FITS };

static inline uint32_t dp_tree_fits(uint32_t pattern, bool rare)
{
    return DP_TREE_FITS + 2 * pattern + rare;
}

/* The pattern of such a cell, 0: none. */
static inline uint32_t dp_tree_fitting(uint32_t cell)
{
    return cell < DP_TREE_FITS ? 0 : (cell - DP_TREE_FITS) / 2;
}

/* Whether such a cell counts as a value of the key. */
static inline bool dp_tree_counts(const dp_tree_key *key, uint32_t cell)
{
    bool rare = cell >= DP_TREE_FITS && (cell - DP_TREE_FITS) & 1;
    return key->deep != DP_TREE_PATTERN || (cell != DP_TREE_UNLIKE && !rare);
}

/* The values of a key in a class, up to threshold_|V| + 1 of them. */
typedef struct dp_tree_range {
    uint32_t *v; /* [n] */
    uint32_t  n;
    bool      wild;
} dp_tree_range;

typedef struct dp_tree_class {
    uint64_t       hash;
    uint64_t       family;   /* hash with such literals alike; 0: it has none, or pairs of several clusters */
    dp_tree_end    end;
    uint32_t       u, v;     /* a pair of it: the first */
    uint32_t       cluster;  /* of its first pair */
    bool           several;  /* pairs of several clusters */
    bool           replaces; /* some literal stands for another value */
    bool           pooled;   /* such literals differ between its pairs */
    uint32_t       changes;  /* as in dp_tree_edit */
    uint32_t       row, nrow; /* in dp_tree_classes.row */
    uint32_t       nstart, nend; /* segments named from the start, from the end */
    bool           exact;    /* nothing lies between them */
    dp_tree_key   *key;      /* [nkey] */
    uint32_t       nkey;
    bool           cut;      /* has keys beyond DP_TREE_KEYS */
    uint32_t      *cell;     /* [nrow][nkey] values of the sources */
    dp_tree_range *range;    /* [nkey] */
} dp_tree_class;

typedef struct dp_tree_classes {
    dp_tree_host          *h;
    const dp_tree_options *o;
    dp_tree_editor         editor;
    dp_tree_class         *v; /* [n] */
    uint32_t               n, cap;
    uint32_t              *row;    /* [nrow] sources, by class */
    uint32_t              *target; /* [nrow] and theirs */
    uint32_t               nrow;
    uint32_t               nid; /* of keys */
    uint32_t               pairs; /* that made a transformation */
    dp_arena               arena;
} dp_tree_classes;

/* Whether a wildcard matches the value of cell `cell` of a key. */
static inline bool dp_tree_can_be_any(const dp_tree_classes *c, const dp_tree_key *key, uint32_t cell)
{
    if (key->kind == DP_TREE_SCHEME)
        return true;
    return key->deep == DP_TREE_PATTERN ? cell >= DP_TREE_FITS : dp_tree_is_solid(&c->h->values, cell);
}

/* Whether key number `i` says nothing, since the value of its place is any as a whole. */
static inline bool dp_tree_is_covered(const dp_tree_class *k, uint32_t i, uint64_t wild)
{
    return k->key[i].first != i && wild >> k->key[i].first & 1;
}

/* A context of a class: the values of a row, those of the keys in `wild` any. */
typedef struct dp_tree_context {
    uint64_t hash;
    uint64_t wild;    /* bits: keys */
    uint32_t of;      /* class */
    uint32_t row;     /* of the class */
    uint32_t support; /* rows that have it */
    bool     star;    /* classes that differ in literals alone share it */
    bool     joined;  /* found with nodes joined */
} dp_tree_context;

typedef struct dp_tree_contexts {
    dp_tree_context *v; /* [n] malloc'd */
    uint32_t         n, cap;
} dp_tree_contexts;

/* A pair of URLs of the host, and its transformation: found once for all choices of folds. */
typedef struct dp_tree_change {
    uint64_t hash[2]; /* of the transformation, by end */
    uint32_t u, v;
    uint32_t changes; /* as in dp_tree_edit */
    uint8_t  fold;    /* of the cluster */
    bool     sayable, replaces;
} dp_tree_change;

/* Find the transformations of pairs whose u, v and fold are set. DP_ENOMEM. */
dp_err dp_tree_changes_find(dp_tree_change *p, size_t n, dp_tree_editor *e, const dp_tree_options *o);

/* Classes of those of p[0 .. n) that are of `folds`, bits. DP_ENOMEM. */
dp_err dp_tree_classes_make(dp_tree_classes *out, const dp_tree_change *p, size_t n, uint32_t folds);
void   dp_tree_classes_done(dp_tree_classes *c);

/* The keys of a class and the values of its rows. DP_ENOMEM. */
dp_err dp_tree_class_lay(dp_tree_classes *c, dp_tree_class *k);

/* The decision tree: contexts of all classes with at least `least` rows. DP_ENOMEM. */
dp_err dp_tree_contexts_find(dp_tree_contexts *out, dp_tree_classes *c, uint32_t least);

/* Whether the class names segment `slot` of its example's source from the start. */
bool dp_tree_from_start(const dp_tree_class *k, const dp_tree_edit *t, uint32_t slot);

/* Entropy in bits of numbers v[0 .. n), which are sorted by it. */
double dp_tree_entropy(uint32_t *v, size_t n);

/* Pairs that a class must have to make a context, at least. */
static inline uint32_t dp_tree_least(const dp_tree_options *o)
{
    return o->unpruned ? 1 : o->coverage < 3 ? o->coverage : 3;
}

#endif
