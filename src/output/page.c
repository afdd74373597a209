/* SPDX-License-Identifier: Apache-2.0 */
#include "output/page.h"

/* Where `what` first stands in `s` from `at` on; s.n when nowhere. */
static size_t find(dp_str s, size_t at, const char *what)
{
    const char *p = at < s.n ? memmem(s.p + at, s.n - at, what, strlen(what)) : NULL;
    return p ? (size_t)(p - s.p) : s.n;
}

static bool is_wanted(const dp_page_values *v, dp_str condition)
{
    if (dp_str_starts(condition, DP_STR("not ")))
        return !v->has(v->ctx, dp_str_cut(condition, 4, condition.n));
    return v->has(v->ctx, condition);
}

void dp_page_put(dp_buf *out, dp_str page, const dp_page_values *v)
{
    size_t depth = 0, skip = 0; /* conditions open; the depth at which one failed, 0: none */
    for (size_t at = 0; at < page.n;) {
        size_t open = find(page, at, "{{"), close = find(page, open, "}}");
        if (!skip)
            dp_buf_add(out, page.p + at, open - at);
        if (open == page.n)
            break;
        dp_str name = dp_str_cut(page, open + 2, close);
        if (dp_str_starts(name, DP_STR("if "))) {
            depth++;
            if (!skip && !is_wanted(v, dp_str_cut(name, 3, name.n)))
                skip = depth;
        } else if (dp_str_eq(name, DP_STR("end"))) {
            skip = skip == depth ? 0 : skip;
            depth--;
        } else if (!skip) {
            v->put(out, v->ctx, name);
        }
        at = close + 2;
    }
}
