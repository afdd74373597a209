/* dp_rules_merge of dustpan.h: many files become one.
 *
 * Blocks of the same scopes are joined where the first of them stands; a rule that stands
 * there twice is written once, where it stood first, with its first attributes (of `seen`
 * the latest) and the strongest of its states; keep lines and the attributes of host lines are united. The result
 * is arranged out of the rules given, printed, and read again, so that it owns all that it holds.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "rule/attr.h"
#include "rule/certified.h"
#include "rule/print.h"
#include "rule/rule.h"

/* A block, a rule or a keep line, and where it stood. */
typedef struct placed {
    union {
        const dp_block *block;
        dp_rule        *rule;
        const dp_keep  *keep;
    };
    dp_str text; /* what it is compared by */
    size_t at;
} placed;

static int by_text(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    int           order = dp_str_cmp(x->text, y->text);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

static int by_place(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* ---- one thing out of several ----------------------------------------------------------- */

static dp_state stronger(dp_state a, dp_state b)
{
    static const int rank[] = {[DP_LIKELY] = 0, [DP_ACTIVE] = 1, [DP_OFF] = 2, [DP_PIN] = 3};
    return rank[a] >= rank[b] ? a : b;
}

/* Keep the first of those with equal text, which absorbs the others; place order again. */
static size_t unite(placed *v, size_t n, void (*absorb)(placed *first, const placed *other))
{
    size_t kept = 0;
    if (n == 0)
        return 0;
    qsort(v, n, sizeof *v, by_text);
    for (size_t i = 0; i < n; i++) {
        if (kept && dp_str_eq(v[kept - 1].text, v[i].text))
            absorb(&v[kept - 1], &v[i]);
        else
            v[kept++] = v[i];
    }
    qsort(v, kept, sizeof *v, by_place);
    return kept;
}

static void absorb_rule(placed *first, const placed *other)
{
    const dp_attr *later = dp_attr_find(other->rule, DP_STR("seen"));
    for (size_t i = 0; later && i < first->rule->nattr; i++) {
        dp_attr *own = &first->rule->attr[i]; /* a copy */
        if (dp_str_eq(own->key, later->key) && dp_str_cmp(own->value, later->value) < 0)
            own->value = later->value;
    }
    first->rule->state = stronger(first->rule->state, other->rule->state);
    if (first->rule->lead.n == 0)
        first->rule->lead = other->rule->lead;
    if (first->rule->tail.n == 0)
        first->rule->tail = other->rule->tail;
}

static void absorb_nothing(placed *first, const placed *other)
{
    (void)first;
    (void)other;
}

/* ---- blocks ----------------------------------------------------------------------------- */

static dp_err join_order(dp_block *out, const dp_block *b, dp_error *err)
{
    if (b->order == DP_ORDER_UNSET || b->order == out->order)
        return DP_OK;
    if (out->order != DP_ORDER_UNSET) {
        char file[512];
        snprintf(file, sizeof file, "%.*s", DP_FMT(b->file));
        return dp_fail_at(err, DP_ESYNTAX, file, b->order_line, 1,
                          "this order line for host %.*s contradicts %.*s:%zu; make them the same",
                          b->hosts.n > 200 ? 200 : (int)b->hosts.n, b->hosts.p, DP_FMT(out->file), out->order_line);
    }
    out->order = b->order;
    out->order_line = b->order_line;
    out->order_lead = b->order_lead;
    out->order_tail = b->order_tail;
    out->file = b->file; /* the file that order_line speaks of */
    return DP_OK;
}

static bool has_attr(const dp_block *b, dp_str key)
{
    for (size_t i = 0; i < b->nattr; i++)
        if (dp_str_eq(b->attr[i].key, key))
            return true;
    return false;
}

/* Attributes of all host lines; of one name the first. No certificate holds for rules that were brought together. */
static bool join_attrs(dp_block *out, const placed *v, size_t n, dp_arena *a)
{
    size_t most = 0;
    for (size_t i = 0; i < n; i++)
        most += v[i].block->nattr;
    out->attr = DP_NEWS(a, most, dp_attr);
    out->nattr = 0;
    for (size_t i = 0; out->attr && i < n; i++)
        for (size_t j = 0; j < v[i].block->nattr; j++)
            if (!has_attr(out, v[i].block->attr[j].key) && !dp_certified_is_part(v[i].block, j))
                out->attr[out->nattr++] = v[i].block->attr[j];
    return out->attr != NULL;
}

/* Comments of host lines that go gather before the one that stays. */
static bool join_comments(dp_block *out, const placed *v, size_t n, dp_arena *a)
{
    dp_buf b = {0};
    for (size_t i = 0; i < n; i++) {
        dp_buf_str(&b, v[i].block->lead);
        if (i && v[i].block->tail.n) {
            dp_buf_str(&b, v[i].block->tail);
            dp_buf_byte(&b, '\n');
        }
    }
    out->lead = b.failed ? (dp_str){NULL, 0} : dp_arena_str(a, dp_buf_view(&b));
    dp_buf_done(&b);
    return out->lead.p != NULL;
}

static dp_err join_keeps(dp_block *out, const placed *v, size_t n, dp_arena *a)
{
    dp_buf  b = {0};
    size_t  count = 0, most = 0;
    placed *keeps;
    for (size_t i = 0; i < n; i++)
        most += v[i].block->nkeep;
    keeps = DP_NEWS(a, most, placed);
    out->keep = DP_NEWS(a, most, dp_keep);
    if (!keeps || !out->keep)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < v[i].block->nkeep; j++) {
            dp_buf_reset(&b);
            dp_print_keep(&b, &v[i].block->keep[j]);
            dp_str text = b.failed ? (dp_str){NULL, 0} : dp_arena_str(a, dp_buf_view(&b));
            if (!text.p) {
                dp_buf_done(&b);
                return DP_ENOMEM;
            }
            keeps[count] = (placed){.keep = &v[i].block->keep[j], .text = text, .at = count};
            count++;
        }
    }
    dp_buf_done(&b);
    count = unite(keeps, count, absorb_nothing);
    for (size_t i = 0; i < count; i++)
        out->keep[i] = *keeps[i].keep;
    out->nkeep = count;
    return DP_OK;
}

static bool copy_attrs(dp_rule *r, dp_arena *a)
{
    dp_attr *own = DP_NEWS(a, r->nattr + 1, dp_attr);
    if (own && r->nattr)
        memcpy(own, r->attr, r->nattr * sizeof *own);
    r->attr = own;
    return own != NULL;
}

static dp_err join_rules(dp_block *out, const placed *v, size_t n, dp_arena *a)
{
    size_t count = 0, most = 0;
    for (size_t i = 0; i < n; i++)
        most += v[i].block->nrule;
    placed  *rules = DP_NEWS(a, most, placed);
    dp_rule *copies = DP_NEWS(a, most, dp_rule);
    out->rule = DP_NEWS(a, most, dp_rule *);
    if (!rules || !copies || !out->rule)
        return DP_ENOMEM;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < v[i].block->nrule; j++) {
            copies[count] = *v[i].block->rule[j];
            if (!copy_attrs(&copies[count], a))
                return DP_ENOMEM;
            rules[count] = (placed){.rule = &copies[count], .text = copies[count].text, .at = count};
            count++;
        }
    }
    count = unite(rules, count, absorb_rule);
    for (size_t i = 0; i < count; i++)
        out->rule[i] = rules[i].rule;
    out->nrule = count;
    return DP_OK;
}

/* Blocks of the same scopes, first the one that stays. */
static dp_err join_blocks(dp_block *out, const placed *v, size_t n, dp_arena *a, dp_error *err)
{
    *out = *v[0].block;
    for (size_t i = 1; i < n; i++)
        DP_TRY(join_order(out, v[i].block, err));
    if (!join_comments(out, v, n, a) || !join_attrs(out, v, n, a))
        return DP_ENOMEM;
    DP_TRY(join_keeps(out, v, n, a));
    return join_rules(out, v, n, a);
}

/* ---- whole ------------------------------------------------------------------------------ */

/* Blocks that are off are joined with such blocks only: their lines are void. */
static bool same_block(const placed *x, const placed *y)
{
    return dp_str_eq(x->text, y->text) && x->block->off == y->block->off;
}

static int by_scopes(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    int           order = dp_str_cmp(x->text, y->text);
    return order ? order : x->block->off != y->block->off ? x->block->off - y->block->off : by_place(a, b);
}

static dp_err arrange(dp_rules *m, const dp_rules *r, dp_arena *a, dp_error *err)
{
    placed *v = DP_NEWS(a, r->nblock, placed);
    placed *joined = DP_NEWS(a, r->nblock, placed);
    m->block = DP_NEWS(a, r->nblock, dp_block *);
    if (!v || !joined || !m->block)
        return DP_ENOMEM;
    for (size_t i = 0; i < r->nblock; i++)
        v[i] = (placed){.block = r->block[i], .text = r->block[i]->key, .at = i};
    if (r->nblock)
        qsort(v, r->nblock, sizeof *v, by_scopes);
    for (size_t i = 0, j; i < r->nblock; i = j) {
        dp_block *b = DP_NEW(a, dp_block);
        if (!b)
            return DP_ENOMEM;
        for (j = i + 1; j < r->nblock && same_block(&v[i], &v[j]); j++) {}
        DP_TRY(join_blocks(b, v + i, j - i, a, err));
        joined[m->nblock++] = (placed){.block = b, .at = v[i].at};
    }
    if (m->nblock)
        qsort(joined, m->nblock, sizeof *joined, by_place);
    for (size_t i = 0; i < m->nblock; i++)
        m->block[i] = (dp_block *)joined[i].block;
    m->end = r->end;
    return DP_OK;
}

dp_err dp_rules_merge(dp_rules **out, const dp_rules *r, dp_error *err)
{
    dp_arena  a = {0};
    dp_buf    text = {0};
    dp_rules  m = {0}, *made = NULL;
    dp_error  unlike = {0};
    dp_err    e = arrange(&m, r, &a, &unlike);
    if (e == DP_OK)
        e = dp_rules_new(&made);
    if (e == DP_OK) {
        dp_print_file(&text, &m);
        e = text.failed ? DP_ENOMEM : dp_rules_parse(made, "merged", text.p, text.n, &unlike);
    }
    dp_arena_done(&a);
    dp_buf_done(&text);
    if (e == DP_OK) {
        *out = made;
        return DP_OK;
    }
    dp_rules_free(made);
    if (e == DP_ENOMEM)
        return dp_no_memory(err);
    if (err)
        *err = unlike;
    return e;
}
