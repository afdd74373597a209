/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/update.h"

#include <stdlib.h>

#include "base/intern.h"
#include "base/plural.h"
#include "rule/print.h"

static bool is_decided(const dp_rule *r)
{
    return r->state == DP_PIN || dp_rule_state(r) == DP_OFF;
}

/* ---- what stays ------------------------------------------------------------------------------------------------ */

/* Print the blocks of the rules that people have decided on, with these rules alone. */
static dp_err print_decided(dp_buf *out, const dp_rules *old)
{
    dp_arena   a = {0};
    dp_rules   m = {0};
    dp_block **v = DP_NEWS(&a, old->nblock, dp_block *);
    bool       ok = v != NULL;
    for (size_t i = 0; i < old->nblock && ok; i++) {
        dp_block *b = DP_NEW(&a, dp_block);
        dp_rule **rule = DP_NEWS(&a, old->block[i]->nrule, dp_rule *);
        ok = b && rule;
        if (!ok)
            break;
        *b = *old->block[i];
        b->rule = rule;
        b->nrule = 0;
        b->order = DP_ORDER_UNSET;
        b->lead = b->tail = b->order_lead = b->order_tail = (dp_str){0};
        for (size_t k = 0; k < old->block[i]->nrule; k++) {
            if (is_decided(old->block[i]->rule[k]))
                b->rule[b->nrule++] = old->block[i]->rule[k];
        }
        if (b->nrule)
            v[m.nblock++] = b;
    }
    m.block = v;
    if (ok && m.nblock)
        dp_print_file(out, &m);
    dp_arena_done(&a);
    return ok && !out->failed ? DP_OK : DP_ENOMEM;
}

static dp_err merge_in(dp_buf *file, dp_str decided, dp_error *err)
{
    dp_rules *both = NULL, *merged = NULL;
    dp_err    code = dp_rules_new(&both);
    if (code == DP_OK)
        code = dp_rules_parse(both, "learned", file->p, file->n, err);
    if (code == DP_OK)
        code = dp_rules_parse(both, "before", decided.p, decided.n, err);
    if (code == DP_OK)
        code = dp_rules_merge(&merged, both, err);
    if (code == DP_OK) {
        dp_buf_reset(file);
        dp_print_file(file, merged);
        code = file->failed ? DP_ENOMEM : DP_OK;
    }
    dp_rules_free(merged);
    dp_rules_free(both);
    return code;
}

/* ---- what has changed ------------------------------------------------------------------------------------------ */

/* A rule by its hosts and its text, to be found in another file. */
static void name_rule(dp_buf *out, const dp_rule *r)
{
    dp_buf_reset(out);
    dp_buf_str(out, r->block->key);
    dp_buf_byte(out, '\n');
    dp_buf_str(out, r->text);
}

static dp_err index_rules(dp_intern *out, const dp_rules *r)
{
    dp_buf   name = {0};
    bool     ok = true;
    uint32_t any;
    for (size_t i = 0; i < r->nrule && ok; i++) {
        name_rule(&name, r->rule[i]);
        ok = !name.failed && (dp_intern_find(out, dp_buf_view(&name), &any) ||
                              dp_intern_add(out, dp_buf_view(&name), (uint32_t)i));
    }
    dp_buf_done(&name);
    return ok ? DP_OK : DP_ENOMEM;
}

static bool has_other_counts(const dp_rule *a, const dp_rule *b)
{
    return dp_rule_number(a, "n", -1) != dp_rule_number(b, "n", -1) ||
           dp_rule_number(a, "neg", -1) != dp_rule_number(b, "neg", -1);
}

/* "6 rules as before (2 with new counts), 1 new rule, 1 removed, 2 pinned or off" */
static void say_sums(dp_buf *said, size_t same, size_t changed, size_t fresh, size_t gone, size_t decided)
{
    dp_buf list = {0};
    dp_count_add(&list, same, "rule as before", "rules as before");
    if (changed)
        dp_buf_printf(&list, " (%zu with new counts)", changed);
    dp_count_add(&list, fresh, "new rule", "new rules");
    dp_count_add(&list, gone, "rule removed", "rules removed");
    dp_count_add(&list, decided, "rule pinned or off", "rules pinned or off");
    if (list.n)
        dp_buf_printf(said, "%.*s\n", DP_FMT(dp_buf_view(&list)));
    said->failed |= list.failed;
    dp_buf_done(&list);
}

static dp_err say_changes(dp_buf *said, const dp_rules *old, const dp_rules *new)
{
    dp_intern known = {0};
    dp_buf    name = {0}, retired = {0};
    size_t    same = 0, changed = 0, gone = 0, decided = 0, learned = 0; /* decided on, and learned again */
    dp_err    code = index_rules(&known, new);
    for (size_t i = 0; i < old->nrule && code == DP_OK; i++) {
        const dp_rule *r = old->rule[i];
        uint32_t       at;
        name_rule(&name, r);
        bool is_there = dp_intern_find(&known, dp_buf_view(&name), &at);
        if (is_decided(r)) {
            decided++;
            learned += is_there;
        } else if (is_there) {
            same++;
            changed += has_other_counts(r, new->rule[at]);
        } else if (gone++ < DP_UPDATE_SHOWN) {
            dp_buf_printf(&retired, "removed: %.*s: %.*s\n", DP_FMT(r->block->hosts), DP_FMT(r->text));
        }
    }
    say_sums(said, same, changed, new->nrule - same - learned, gone, decided);
    dp_buf_str(said, dp_buf_view(&retired));
    if (gone > DP_UPDATE_SHOWN)
        dp_buf_printf(said, "... and %zu more\n", gone - DP_UPDATE_SHOWN);
    if (code == DP_OK && (said->failed || name.failed || retired.failed))
        code = DP_ENOMEM;
    dp_buf_done(&name);
    dp_buf_done(&retired);
    dp_intern_done(&known);
    return code;
}

dp_err dp_update_carry(dp_buf *file, dp_buf *said, const dp_rules *old, dp_error *err)
{
    dp_rules *new = NULL;
    dp_buf    decided = {0};
    dp_err    code = dp_rules_new(&new);
    if (code == DP_OK)
        code = dp_rules_parse(new, "learned", file->p, file->n, err);
    if (code == DP_OK)
        code = say_changes(said, old, new);
    if (code == DP_OK)
        code = print_decided(&decided, old);
    if (code == DP_OK && decided.n)
        code = merge_in(file, dp_buf_view(&decided), err);
    dp_buf_done(&decided);
    dp_rules_free(new);
    return code;
}
