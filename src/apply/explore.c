/* SPDX-License-Identifier: Apache-2.0 */
#include "apply/explore.h"

dp_explore dp_explore_of(double share, dp_str salt)
{
    const double all = 18446744073709551616.0; /* 2^64 */
    return (dp_explore){share >= 1 ? UINT64_MAX : share > 0 ? (uint64_t)(share * all) : 0, dp_hash_str(salt)};
}

dp_str dp_explore_form(const dp_explore *x, const dp_scratch *s)
{
    bool takes = x->most && s->is_url && dp_hash_seeded(s->stage0.p, s->stage0.n, x->seed) <= x->most;
    return takes ? s->stage0 : DP_STR("");
}

const char *dp_scratch_probe(dp_scratch *s, double share, const char *salt, size_t *n)
{
    const dp_explore x = dp_explore_of(share, dp_str_c(salt));
    dp_str           form = dp_explore_form(&x, s);
    if (!form.n)
        return NULL;
    dp_buf_reset(&s->saved);
    dp_explore_tag(&s->saved, form);
    *n = s->saved.n;
    return s->saved.failed ? NULL : s->saved.p;
}
