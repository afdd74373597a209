/* learn/tree/tree.h - rules over keys by a decision tree: clusters of duplicate URLs -> contexts and transformations.
 *
 *     cluster                                          pair: source -> target
 *     a.com/title/tt0810900/photogallery               context  k3 title  k4@tt* 0810900  k5 photogallery
 *     a.com/title/tt0810900/mediaindex                 transformation  k5 = mediaindex
 *
 *     pairs with one transformation are a class; the tree says which keys of its contexts matter:
 *                                                      /title/tt*{x}/photogallery => /title/tt{x}/mediaindex
 *
 * Agarwal et al., CIKM 2009, and Koppula et al., WSDM 2010; docs/algorithms/tree.md says how and where we differ.
 * The way through the files, each step for one host:
 *
 *     pick           which URLs of a cluster are targets, which are sources        pairs
 *     host           URLs as shapes and values; anchor.h learns its patterns       keys
 *     edit           what a pair changes                                           transformations
 *     class          equal transformations, named from either end                  classes
 *     context        the decision tree                                             contexts
 *     text           context and transformation as a rule                          candidates
 *     rounds         which are tried, general ones first: trial, of
 *       record         what each makes of the URLs                                 effects
 *       court          coverage and precision of each on all URLs                  which pass
 *     choice         which of them say something new                               rules
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_TREE_TREE_H
#define DP_LEARN_TREE_TREE_H

#include "base/hash.h"
#include "learn/method/method.h"

typedef enum dp_tree_as {
    DP_TREE_WSDM10,
    DP_TREE_CIKM09 /* without conversions, keys counted from the start alone */
} dp_tree_as;

typedef struct dp_tree_options {
    int      as;             /* a dp_tree_as */
    bool     no_deep;        /* values are not cut */
    bool     no_conversions; /* values are compared as they are */
    bool     forward_only;   /* keys are counted from the start alone */
    bool     all_sources;    /* no source selection in large clusters */
    uint32_t targets;        /* k: of a cluster on a host */
    uint32_t wild;           /* threshold_|V|: more values than that are any value */
    double   majority;       /* 0: as `wild` says; else any value unless one has that share */
    uint32_t coverage;       /* URLs that a rule must match */
    bool     unpruned;       /* also what other rules make superfluous, and what one pair alone shows */
    double   unlike;         /* share of the pairs of a class whose values may have other patterns, or none */
} dp_tree_options;

#define DP_TREE_OPTIONS_INIT {.targets = 1, .wild = 10, .coverage = 10, .unlike = .05}

/* Mix `v` into hash `h`; order matters. Numbers here are small and alike, so every bit must reach every other. */
static inline uint64_t dp_tree_mix(uint64_t h, uint64_t v)
{
    return dp_hash_mix(h ^ v);
}

/* Its options are a dp_tree_options. */
extern const dp_method dp_method_tree;

#endif
