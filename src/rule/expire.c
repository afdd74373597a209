/* dp_rules_expire of dustpan.h: rules that nothing has confirmed for a long time are turned off.
 *
 *     drop ?sid        [p=.99 n=40 neg=0 seen=2026-03-01]                     --expire 2026-08-01, or 90d of 2026-10-30
 *     off drop ?sid    [p=.99 n=40 neg=0 seen=2026-03-01 until=2026-08-01]    # expired: last seen 2026-03-01
 *
 * `seen` is the day of the newest record that the rule was learned from or has held on; `until` the last day on which
 * it may fire. Today is what the caller says it is: nothing here asks a clock.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include "base/day.h"
#include "rule/attr.h"
#include "rule/certified.h"

static dp_err read_attr(int64_t *day, const dp_rule *r, const char *key, dp_error *err)
{
    const dp_attr *a = dp_attr_find(r, dp_str_c(key));
    char           file[512];
    *day = -1;
    if (!a || dp_day_read(day, a->value))
        return DP_OK;
    snprintf(file, sizeof file, "%.*s", DP_FMT(r->block->file));
    return dp_fail_at(err, DP_ESYNTAX, file, r->line, 0, "%s=%.*s: expected a day such as 2026-11-03", key,
                      a->value.n > 100 ? 100 : (int)a->value.n, a->value.p);
}

/* The day of the newest `seen`; `newest` when that is later. */
static dp_err find_newest(int64_t *newest, const dp_rules *r, dp_error *err)
{
    for (size_t i = 0; i < r->nrule; i++) {
        int64_t seen;
        DP_TRY(read_attr(&seen, r->rule[i], "seen", err));
        *newest = seen > *newest ? seen : *newest;
    }
    return DP_OK;
}

/* Read "2026-08-01" or "90d": rules must have been seen on `*since` or later; `until` must not be before `*today`. */
static dp_err read_when(int64_t *since, int64_t *today, const char *when, const dp_rules *r, int64_t newest,
                        dp_error *err)
{
    dp_str  text = dp_str_c(when);
    int64_t days = 0;
    *today = newest > 0 ? newest / DP_DAY_SECONDS : -1;
    if (dp_day_read(since, text)) {
        *today = *since;
        return DP_OK;
    }
    size_t n = 0;
    for (; n < text.n && n < 7 && text.p[n] >= '0' && text.p[n] <= '9'; n++)
        days = days * 10 + (text.p[n] - '0');
    if (!n || !dp_str_eq(dp_str_cut(text, n, text.n), DP_STR("d")))
        return dp_fail(err, DP_EINVALID, "'%s' is neither a day such as 2026-11-03 nor a number of days such as 90d",
                       when);
    DP_TRY(find_newest(today, r, err));
    *since = *today - days;
    return DP_OK;
}

static dp_err turn_off(dp_rules *r, dp_rule *rule, int64_t seen, int64_t since, bool is_over)
{
    char   day[DP_DAY_TEXT], why[64];
    size_t n = rule->tail.n;
    if (is_over)
        snprintf(why, sizeof why, "%s expired", n ? ";" : "#");
    else
        snprintf(why, sizeof why, "%s expired: last seen %s", n ? ";" : "#", dp_day_write(day, seen).p);
    char *tail = dp_arena_alloc(&r->arena, n + strlen(why));
    if (!tail)
        return DP_ENOMEM;
    if (n)
        memcpy(tail, rule->tail.p, n);
    memcpy(tail + n, why, strlen(why));
    if (!is_over) {
        dp_str own = dp_arena_str(&r->arena, dp_day_write(day, since));
        if (!own.p)
            return DP_ENOMEM;
        DP_TRY(dp_attr_set(rule, DP_STR("until"), own, &r->arena));
    }
    rule->tail = (dp_str){tail, n + strlen(why)};
    rule->state = DP_OFF;
    return dp_certified_end(r, rule->block, &r->arena);
}

dp_err dp_rules_expire(dp_rules *r, const char *when, int64_t newest, size_t *expired, dp_error *err)
{
    int64_t since, today;
    *expired = 0;
    DP_TRY(read_when(&since, &today, when, r, newest, err));
    for (size_t i = 0; i < r->nrule; i++) {
        dp_rule *rule = r->rule[i];
        int64_t  seen, until;
        if (rule->state != DP_ACTIVE && rule->state != DP_LIKELY)
            continue;
        DP_TRY(read_attr(&seen, rule, "seen", err));
        DP_TRY(read_attr(&until, rule, "until", err));
        bool is_over = until >= 0 && until < today, is_old = seen >= 0 && seen < since;
        if (!is_over && !is_old)
            continue;
        if (turn_off(r, rule, seen, since, is_over) != DP_OK)
            return dp_fail_as(err, DP_ENOMEM);
        ++*expired;
    }
    return DP_OK;
}
