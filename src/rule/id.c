/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/id.h"

#include "rule/print.h"

void dp_id_base_init(dp_id_base *base, const dp_block *b)
{
    XXH64_reset(&base->hash, 0);
    if (b->key.n)
        XXH64_update(&base->hash, b->key.p, b->key.n);
    XXH64_update(&base->hash, "\n", 1);
}

dp_err dp_id_fill(dp_rule *r, const dp_id_base *base, dp_buf *scratch, dp_arena *a)
{
    dp_buf_reset(scratch);
    dp_print_text(scratch, r);
    if (scratch->failed)
        return DP_ENOMEM;
    dp_str printed = dp_buf_view(scratch);
    if (dp_str_starts(r->text, printed))
        r->text.n = printed.n;
    else if (!(r->text = dp_arena_str(a, printed)).p)
        return DP_ENOMEM;
    XXH64_state_t hash = base->hash;
    XXH64_update(&hash, r->text.p, r->text.n);
    r->id = XXH64_digest(&hash);
    return DP_OK;
}
