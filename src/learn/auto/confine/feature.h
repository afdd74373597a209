/* learn/auto/confine/feature.h - what a rule can tell URLs apart by: components, depth, extension, parameters.
 *
 *     http://a.com/shop/red/list.php?view=1
 *
 *     first component shop (or a number)    second red    last list.php    extension .php    depth 3
 *     view present    view=1
 *
 * A feature is a key and a value; learn/auto/confine/context.h counts votes by features, learn/auto/confine/condition.h
 * writes them as conditions.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_LEARN_AUTO_CONFINE_FEATURE_H
#define DP_LEARN_AUTO_CONFINE_FEATURE_H

#include "base/buf.h"
#include "url/frame.h"

enum {
    DP_FEATURE_START = 4,    /* components from the start */
    DP_FEATURE_SECTIONS = 2, /* those of them that are sections */
    DP_FEATURE_END = 3,      /* from the end */
    DP_MOST_FEATURES = 32
};

typedef enum dp_feature_kind {
    DP_F_START, /* component `at` from the start */
    DP_F_NUMBER, /* it is a number: a class, where the single number is an id */
    DP_F_END,   /* component `at` from the end */
    DP_F_EXTENSION,
    DP_F_COUNTED, /* the last component has this word before a number: -page2, -or20.html, -or20-oak; `name`: what
                     stands behind it */
    DP_F_DEPTH,
    DP_F_HAS,   /* the parameter `name` is there */
    DP_F_VALUE, /* and has that value */
    DP_F_HOST
} dp_feature_kind;

typedef struct dp_feature {
    uint8_t  kind, at;
    dp_str   name;
    dp_str   value;
    uint64_t key, hash; /* of kind, at and name; of these and the value */
} dp_feature;

/* Which of them: what nobody asks for is not counted. Last components and values of parameters are as many as URLs. */
typedef enum dp_feature_set {
    DP_FEATURES_ALL,
    DP_FEATURES_KINDS,   /* no last components, hosts or values of parameters */
    DP_FEATURES_SECTIONS /* only the first two components, and the extension */
} dp_feature_set;

/* The features of a URL; returns how many. Texts are views of the frame's. */
size_t dp_features_of(dp_feature out[DP_MOST_FEATURES], const dp_frame *f, dp_feature_set set);

/* Append a condition that holds for URLs with one of the values, which have one key; false when it cannot be said. */
bool dp_feature_print(dp_buf *out, const dp_feature *const *v, size_t n);

#endif
