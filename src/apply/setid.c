/* SPDX-License-Identifier: Apache-2.0 */
#include "apply/setid.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "url/normalize.h"

static uint64_t chain_hash(uint64_t h, uint64_t a, uint64_t b)
{
    uint64_t all[3] = {h, a, b};
    return XXH64(all, sizeof all, 0);
}

uint64_t dp_image_set_id(const dp_image *im, const dp_rule_choice *choice)
{
    uint64_t h = DP_STAGE0_VERSION;
    for (uint64_t i = 0; i < im->head->section[DP_SEC_BLOCK].count; i++) {
        const dp_im_block *b = &im->block[i];
        if (b->off)
            continue;
        h = chain_hash(h, b->head_hash, 2);
        for (uint32_t j = 0; j < b->rule.n; j++) {
            const dp_im_about *a = &im->about[b->rule.at + j];
            const dp_im_rule  *r = dp_im_body(im, a->body);
            if (dp_choice_takes(choice, r))
                h = chain_hash(h, a->id, r->state == DP_PIN);
        }
    }
    return h;
}
