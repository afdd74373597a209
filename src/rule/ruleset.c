/* The dp_rules of dustpan.h: made, asked, changed, freed. rule/rule.h has its shape.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "base/text.h"
#include "rule/attr.h"
#include "rule/certified.h"
#include "rule/print.h"
#include "rule/rule.h"
#include "url/chars.h"

dp_err dp_rules_new(dp_rules **out)
{
    dp_rules *r = calloc(1, sizeof *r);
    if (!r)
        return DP_ENOMEM;
    *out = r;
    return DP_OK;
}

void dp_rules_free(dp_rules *r)
{
    if (!r)
        return;
    dp_arena_done(&r->arena);
    free(r->block);
    free(r->rule);
    free(r);
}

const char *dp_rules_identity(const dp_rules *r, size_t *n)
{
    static const char word[] = " identity=";
    dp_str            head = r->nblock ? r->block[0]->lead : r->end;
    const char       *at = head.n ? memmem(head.p, head.n, word, sizeof word - 1) : NULL;
    if (!at)
        return NULL;
    at += sizeof word - 1;
    for (*n = 0; at + *n < head.p + head.n && at[*n] != ' ' && at[*n] != '\n'; ++*n) {}
    return at;
}

size_t dp_rules_count(const dp_rules *r)
{
    return r->nrule;
}

uint64_t dp_rules_id(const dp_rules *r, size_t i)
{
    return r->rule[i]->id;
}

const char *dp_rules_text(const dp_rules *r, size_t i, size_t *n)
{
    *n = r->rule[i]->text.n;
    return r->rule[i]->text.p;
}

const char *dp_rules_hosts(const dp_rules *r, size_t i, size_t *n)
{
    *n = r->rule[i]->block->hosts.n;
    return r->rule[i]->block->hosts.p;
}

const char *dp_rules_attr(const dp_rules *r, size_t i, const char *key, size_t *n)
{
    const dp_attr *a = dp_attr_find(r->rule[i], dp_str_c(key));
    *n = a ? a->value.n : 0;
    return a ? a->value.p : NULL;
}

dp_state dp_rules_state(const dp_rules *r, size_t i)
{
    return r->rule[i]->state;
}

dp_err dp_rules_print(dp_text **out, const dp_rules *r)
{
    dp_buf b = {0};
    dp_print_file(&b, r);
    return dp_text_take(out, &b);
}

/* The ids that begin with the digits `hex` are those from `*from` to `*to`. */
static bool id_range(uint64_t *from, uint64_t *to, const char *hex)
{
    size_t   n = strlen(hex);
    uint64_t v = 0;
    if (n < 1 || n > 16)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!dp_is(hex[i], DP_CH_HEX))
            return false;
        v = v << 4 | (uint64_t)dp_hex(hex[i]);
    }
    size_t open = 64 - 4 * n; /* bits that the digits leave open */
    *from = v << open;
    *to = *from | (open ? UINT64_MAX >> (64 - open) : 0);
    return true;
}

/* A pinned rule is on; an active or likely one can be turned off as well. */
static dp_state turned(dp_state s, int on)
{
    return !on ? DP_OFF : s == DP_PIN ? DP_PIN : DP_ACTIVE;
}

/* In this state from now on. */
static dp_err set_state(dp_rules *r, dp_rule *rule, dp_state s)
{
    rule->state = s;
    return dp_certified_end(r, rule->block, &r->arena);
}

/* What said that the rule was off, and since when, goes. */
static void forget_end(dp_rule *rule)
{
    dp_attr_cut(rule, DP_STR("until"));
    if (dp_str_starts(rule->tail, DP_STR("# turned off")) || dp_str_starts(rule->tail, DP_STR("# expired")))
        rule->tail = (dp_str){"", 0};
}

dp_err dp_rules_turn(dp_rules *r, const char *id, int on, size_t *changed, dp_error *err)
{
    uint64_t from, to;
    size_t   found = 0, n = 0;
    if (!id_range(&from, &to, id))
        return dp_fail(err, DP_EINVALID, "'%.40s' is not a rule id; an id has 1 to 16 hexadecimal digits", id);
    for (size_t i = 0; i < r->nrule; i++) {
        dp_rule *rule = r->rule[i];
        if (rule->id < from || rule->id > to)
            continue;
        dp_state s = turned(rule->state, on);
        found++;
        if (s == rule->state)
            continue;
        n++;
        if (rule->state == DP_OFF)
            forget_end(rule);
        if (set_state(r, rule, s) != DP_OK)
            return dp_fail(err, DP_ENOMEM, "out of memory");
    }
    if (found == 0)
        return dp_fail(err, DP_EINVALID, "no rule has the id %s; 'dustpan apply --explain' shows the ids that fire",
                       id);
    *changed = n;
    return DP_OK;
}

dp_err dp_rules_limit(dp_rules *r, double min_precision, size_t *changed)
{
    *changed = 0;
    for (size_t i = 0; i < r->nrule; i++) {
        dp_rule *rule = r->rule[i];
        if (rule->state == DP_OFF || rule->state == DP_PIN || dp_rule_number(rule, "p", 1) >= min_precision)
            continue;
        ++*changed;
        DP_TRY(set_state(r, rule, DP_OFF));
    }
    return DP_OK;
}
