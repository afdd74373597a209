/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/setid.h"

#include "base/hash.h"
#include "base/words/json.h"
#include "rule/print.h"
#include "url/normalize.h"

static uint64_t chain(uint64_t set, uint64_t a, uint64_t b)
{
    uint64_t all[3] = {set, a, b};
    return XXH64(all, sizeof all, 0);
}

uint64_t dp_set_begin(void)
{
    return chain(chain(0, DP_STAGE0_VERSION, 3), DP_MEANING_VERSION, 4);
}

uint64_t dp_set_add_block(uint64_t set, uint64_t head)
{
    return chain(set, head, 2);
}

uint64_t dp_set_add_rule(uint64_t set, uint64_t id, bool pinned)
{
    return chain(set, id, pinned);
}

uint64_t dp_set_head(const dp_block *b, dp_buf *scratch)
{
    dp_buf_reset(scratch);
    dp_print_meaning(scratch, b);
    return XXH64(scratch->p, scratch->n, 0);
}

/* The set id of the rules without options; *failed when memory is out. */
static uint64_t set_id(const dp_rules *r, bool *failed)
{
    uint64_t set = dp_set_begin();
    dp_buf   scratch = {0};
    *failed = false;
    for (size_t i = 0; i < r->nblock; i++) {
        const dp_block *b = r->block[i];
        if (b->off)
            continue;
        set = dp_set_add_block(set, dp_set_head(b, &scratch));
        *failed |= scratch.failed;
        for (size_t j = 0; j < b->nrule; j++)
            if (b->rule[j]->state == DP_ACTIVE || b->rule[j]->state == DP_PIN)
                set = dp_set_add_rule(set, b->rule[j]->id, b->rule[j]->state == DP_PIN);
    }
    dp_buf_done(&scratch);
    return set;
}

void dp_set_print(dp_buf *out, const char *name, const dp_rules *r)
{
    bool     failed;
    uint64_t set = set_id(r, &failed);
    dp_json_id(out, name, set);
    out->failed |= failed;
}
