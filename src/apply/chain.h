/* apply/chain.h - the layers that a URL's host has, best first (docs/rule-format.md 8.3).
 *
 *     http://m.shop.example.com:81/   ->   m.shop.example.com:81 | m.shop.example.com |
 *                                          *.shop.example.com | *.example.com | *.com | any
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DP_APPLY_CHAIN_H
#define DP_APPLY_CHAIN_H

#include "apply/image.h"
#include "url/frame.h"

enum { DP_LAYER_LINES = 2 };

/* A zeroed dp_chain is valid; it remembers the last host, for URLs of one host come in rows. */
typedef struct dp_chain {
    const dp_im_layer **layer; /* [n] */
    dp_ref             *keep;  /* [nkeep] ranges of KEEP */
    uint32_t            n, nkeep, cap;
    bool                sorts; /* order any */
    bool                subs;  /* some layer has sub rules */
    const void         *image; /* what it was found in, with its checksum; NULL: nothing to remember */
    uint64_t            checksum;
    dp_str              host; /* in the image */
    int                 port;
} dp_chain;

/* Fetch the cache lines of a layer that are looked at first. */
static inline void dp_layer_fetch(const dp_image *im, uint32_t unit)
{
    const char *layer = (const char *)dp_im_layer_at(im, unit);
    for (size_t line = 0; line < DP_LAYER_LINES; line++)
        __builtin_prefetch(layer + 64 * line);
}

/* Find the layers of the host of `f`, whose hash is `hash` (0: not known); false when memory is out. */
bool dp_chain_find(dp_chain *c, const dp_image *im, const dp_frame *f, uint64_t hash);
void dp_chain_done(dp_chain *c);

#endif
