/* dp_audit_retire and dp_audit_renew of dustpan.h: broken rules are turned off, with the reason beside them; those that
 * hold were seen on the day of the latest record.
 *
 *     drop ?page                    [p=.99 n=40 neg=0]
 *     off drop ?page                [p=.99 n=40 neg=0 until=2026-11-03]  # turned off: 2 pages for, 31 against
 *
 * The attributes stay: they are what was promised. `until` is the day of the latest record, where records have times.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include "base/day.h"
#include "base/plural.h"
#include "eval/audit.h"
#include "rule/attr.h"
#include "rule/certified.h"

static dp_err say_why(dp_rule *r, const dp_audited *of, dp_arena *arena)
{
    char     why[160], probes[64] = "";
    dp_draws d = of->probed.draws;
    if (d.right + d.wrong)
        snprintf(probes, sizeof probes, ", %" PRIu64 " of %" PRIu64 " probe%s wrong", d.wrong, d.right + d.wrong,
                 dp_s(d.right + d.wrong));
    snprintf(why, sizeof why, "%s turned off: %" PRIu64 " page%s for, %" PRIu64 " against%s", r->tail.n ? ";" : "#",
             of->pos, dp_s(of->pos), of->neg, probes);
    size_t n = r->tail.n + strlen(why);
    char  *p = dp_arena_alloc(arena, n);
    if (!p)
        return DP_ENOMEM;
    if (r->tail.n)
        memcpy(p, r->tail.p, r->tail.n);
    memcpy(p + r->tail.n, why, strlen(why));
    r->tail = (dp_str){p, n};
    return DP_OK;
}

static dp_err set_day(dp_rule *r, const char *key, int64_t time, dp_arena *arena)
{
    char   day[DP_DAY_TEXT];
    dp_str own = dp_arena_str(arena, dp_day_write(day, time / DP_DAY_SECONDS));
    return own.p ? dp_attr_set(r, dp_str_c(key), own, arena) : DP_ENOMEM;
}

static dp_err retire(dp_rule *r, const dp_audit *a, const dp_audited *of, dp_arena *arena)
{
    if (a->latest > 0)
        DP_TRY(set_day(r, "until", a->latest, arena));
    DP_TRY(say_why(r, of, arena));
    r->state = DP_OFF;
    return DP_OK;
}

/* Turn off what is broken; adds to *retired. */
static dp_err retire_broken(const dp_audit *a, dp_rules *rules, size_t *retired)
{
    for (size_t i = 0; i < rules->nrule; i++) {
        dp_rule *r = rules->rule[i];
        if (a->rule[i].verdict != DP_VERDICT_BROKEN || (r->state != DP_ACTIVE && r->state != DP_LIKELY))
            continue;
        DP_TRY(retire(r, a, &a->rule[i], &rules->arena));
        DP_TRY(dp_certified_end(rules, r->block, &rules->arena));
        ++*retired;
    }
    return DP_OK;
}

/* Without a broken rule others fire where it did, and may be broken there. */
dp_err dp_audit_retire(const dp_audit *a, dp_rules *rules, size_t *retired)
{
    *retired = 0;
    if (!dp_audit_is_of(a, rules))
        return DP_EINVALID;
    DP_TRY(retire_broken(a, rules, retired));
    for (size_t before = 0; before < *retired;) {
        dp_audit again;
        dp_err   code = dp_audit_again(&again, a, rules);
        before = *retired;
        if (code == DP_OK)
            code = retire_broken(&again, rules, retired);
        dp_audit_done_again(&again);
        DP_TRY(code);
    }
    return DP_OK;
}

/* Whether the records confirm a rule: pages vote for it, or a probe was right. */
static bool is_confirmed(const dp_audited *of)
{
    return of->verdict != DP_VERDICT_BROKEN && of->verdict != DP_VERDICT_OFF && (of->pos || of->probed.draws.right);
}

/* Whether `seen` is earlier than a day, or missing in a rule that was learned. */
static bool is_older(const dp_rule *r, int64_t day)
{
    const dp_attr *a = dp_attr_find(r, DP_STR("seen"));
    int64_t        seen;
    return a ? !dp_day_read(&seen, a->value) || seen < day : dp_attr_find(r, DP_STR("p")) != NULL;
}

dp_err dp_audit_renew(const dp_audit *a, dp_rules *rules, size_t *renewed)
{
    *renewed = 0;
    if (!dp_audit_is_of(a, rules))
        return DP_EINVALID;
    for (size_t i = 0; i < rules->nrule && a->latest > 0; i++) {
        dp_rule *r = rules->rule[i];
        if (r->state == DP_PIN || r->state == DP_OFF || !is_confirmed(&a->rule[i]) ||
            !is_older(r, a->latest / DP_DAY_SECONDS))
            continue;
        DP_TRY(set_day(r, "seen", a->latest, &rules->arena));
        ++*renewed;
    }
    return DP_OK;
}

int64_t dp_audit_newest(const dp_audit *a)
{
    return a->latest;
}
