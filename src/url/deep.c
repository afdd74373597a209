/* SPDX-License-Identifier: Apache-2.0 */
#include "url/deep.h"

#include "url/chars.h"

enum { NO_UNIT = -1, FEW = 32 /* runs that most values have at most */ };

static int unit_of(char c)
{
    if (dp_is(c, DP_CH_DIGIT))
        return DP_UNIT_DIGIT;
    if (dp_is(c, DP_CH_UPPER))
        return DP_UNIT_UPPER;
    return dp_is(c, DP_CH_ALPHA) ? DP_UNIT_LOWER : NO_UNIT;
}

/* Put the runs of `value` into `v`, as far as there is room; how many there are. */
static uint32_t cut_runs(dp_deep_run *v, uint32_t room, dp_str value)
{
    uint32_t n = 0;
    dp_edge  left = {DP_EDGE_END, 0};
    for (size_t i = 0; i < value.n;) {
        const char *p = value.p + i;
        int         unit = unit_of(*p);
        size_t      end = i + 1;
        dp_edge     self = {DP_EDGE_UNIT, (uint8_t)unit}; /* what is at i, for its neighbours */
        if (unit != NO_UNIT) {
            while (end < value.n && unit_of(value.p[end]) == unit)
                end++;
        } else if (dp_is_escape(p, value.n - i)) {
            self = (dp_edge){DP_EDGE_ESCAPE, (uint8_t)dp_unescape(p)};
            end = i + 3;
        } else {
            self = (dp_edge){DP_EDGE_BYTE, (uint8_t)*p};
        }
        if (n && n <= room && v[n - 1].end == i)
            v[n - 1].right = self;
        if (unit != NO_UNIT) {
            if (n < room)
                v[n] = (dp_deep_run){(uint32_t)i, (uint32_t)end, (uint8_t)unit, left, {DP_EDGE_END, 0}};
            n++;
        }
        left = self;
        i = end;
    }
    return n;
}

dp_err dp_deep_cut(dp_deep_runs *out, dp_str value, dp_arena *a)
{
    if (value.n > INT32_MAX)
        return DP_ELIMIT;
    dp_deep_run  few[FEW];
    uint32_t     n = cut_runs(few, FEW, value);
    dp_deep_run *v = DP_NEWS(a, n, dp_deep_run);
    if (!v)
        return DP_ENOMEM;
    if (n > FEW)
        cut_runs(v, n, value);
    else
        memcpy(v, few, n * sizeof *v);
    *out = (dp_deep_runs){v, n};
    return DP_OK;
}
