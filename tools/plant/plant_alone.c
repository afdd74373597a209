/* plant_alone.c - each rule of a file by itself: is what it merges right?
 *
 * A rule stands alone under its host line, with the block's `order` and `keep` lines, and is tried on the samples of
 * the hosts it can touch. Half of these are pairs that differ in one thing only, so that a rule that needs others to go
 * before it is seen at work all the same.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plant_score.h"

#include <stdlib.h>

typedef struct loner {
    plant_result      *out;
    const plant_score *s;
    const plant_pool  *pool;
    const dp_intern   *hosts;
    dp_arena          *memory;
    dp_scratch        *scratch;
    dp_str             host; /* the block's line without "host " */
    dp_buf             block; /* header, host line, order and keep lines */
    dp_buf             text;
    size_t             cap;
} loner;

/* ---- which samples ---------------------------------------------------------------------------------------- */

static bool find_host(const loner *l, dp_str scope, uint32_t *number)
{
    if (dp_str_starts(scope, DP_STR("*.")))
        scope = dp_str_cut(scope, 2, scope.n);
    const char *port = memchr(scope.p, ':', scope.n);
    size_t      n;
    const char *domain = dp_domain(scope.p, port ? (size_t)(port - scope.p) : scope.n, &n);
    return dp_intern_find(l->hosts, (dp_str){domain, n}, number);
}

/* Add what the rule merges on the hosts of its scopes; a scope that is no planted name may be any of them. */
static dp_err judge_scopes(loner *l, plant_merges *sum, const dp_engine *e)
{
    dp_str   rest = l->host;
    uint32_t seen[16];
    size_t   nseen = 0;
    while (rest.n) {
        const char *comma = memchr(rest.p, ',', rest.n);
        dp_str      scope = dp_str_cut(rest, 0, comma ? (size_t)(comma - rest.p) : rest.n);
        uint32_t    number = 0;
        size_t      first = 0, n = l->pool->n, i = 0;
        rest = dp_str_cut(rest, scope.n + (comma ? 2 : 0), rest.n);
        bool one = find_host(l, scope, &number);
        while (i < nseen && seen[i] != number)
            i++;
        if (one && i < nseen)
            continue;
        if (one && nseen < DP_COUNT(seen))
            seen[nseen++] = number;
        if (one)
            n = plant_pool_host(l->pool, number, &first);
        plant_merges m;
        DP_TRY(plant_pool_judge(&m, l->pool, first, n, false, e, l->scratch));
        sum->good += m.good;
        sum->bad += m.bad;
        sum->harmless += m.harmless;
        if (!one)
            break;
    }
    return DP_OK;
}

/* ---- rules -------------------------------------------------------------------------------------------------- */

static dp_err judge_rule(loner *l, dp_str line, dp_error *err)
{
    dp_rules   *rules = NULL;
    dp_engine  *e = NULL;
    plant_alone one = {.host = l->host};
    dp_err      code;
    dp_buf_reset(&l->text);
    dp_buf_str(&l->text, dp_buf_view(&l->block));
    dp_buf_str(&l->text, line);
    dp_buf_byte(&l->text, '\n');
    if (l->text.failed)
        return DP_ENOMEM;
    code = dp_rules_new(&rules);
    if (code == DP_OK)
        code = dp_rules_parse(rules, "rule", l->text.p, l->text.n, err);
    if (code == DP_OK)
        code = dp_engine_new(&e, rules, l->s->with_likely ? DP_WITH_LIKELY : 0, l->s->min_precision, err);
    if (code == DP_OK)
        code = judge_scopes(l, &one.merges, e);
    if (code == DP_OK && l->out->nalone == l->cap) {
        l->cap = l->cap ? 2 * l->cap : 256;
        plant_alone *more = realloc(l->out->alone, l->cap * sizeof *more);
        if (more)
            l->out->alone = more;
        else
            code = DP_ENOMEM;
    }
    if (code == DP_OK) {
        size_t      n;
        const char *text = dp_rules_text(rules, 0, &n);
        one.rule = dp_arena_str(l->memory, (dp_str){text, n});
        one.precise = one.merges.bad * 100 <= one.merges.good + one.merges.bad;
        l->out->alone[l->out->nalone++] = one;
    }
    dp_engine_free(e);
    dp_rules_free(rules);
    return code;
}

static void begin_block(loner *l, dp_str line)
{
    l->host = dp_str_cut(line, 5, line.n);
    dp_buf_reset(&l->block);
    dp_buf_c(&l->block, "dustpan-rules 1\n");
    dp_buf_str(&l->block, line);
    dp_buf_byte(&l->block, '\n');
}

/* The file as `rules fmt` prints it: host line, order, keep lines, rules. */
static dp_err judge_lines(loner *l, dp_str rest, dp_error *err)
{
    bool off = false;
    for (dp_str line; dp_next_line(&rest, &line);) {
        if (!line.n || line.p[0] == '#' || dp_str_starts(line, DP_STR("dustpan-rules ")))
            continue;
        if (dp_str_starts(line, DP_STR("host "))) {
            const char *comment = memmem(line.p, line.n, "  #", 3);
            if (comment)
                line.n = (size_t)(comment - line.p);
            begin_block(l, line);
            off = line.n > 9 && dp_str_ends(line, DP_STR(" off"));
        } else if (dp_str_starts(line, DP_STR("order ")) || dp_str_starts(line, DP_STR("keep "))) {
            dp_buf_str(&l->block, line);
            dp_buf_byte(&l->block, '\n');
        } else if (!off && !dp_str_starts(line, DP_STR("off ")) &&
                   (l->s->with_likely || !dp_str_starts(line, DP_STR("likely ")))) {
            DP_TRY(judge_rule(l, line, err));
        }
    }
    return DP_OK;
}

dp_err plant_alone_all(plant_result *out, const dp_rules *r, const plant_score *s, const plant_pool *p,
                       const dp_intern *hosts, dp_arena *a, dp_error *err)
{
    loner    l = {.out = out, .s = s, .pool = p, .hosts = hosts, .memory = a};
    dp_text *text = NULL;
    dp_err   code = dp_scratch_new(&l.scratch);
    if (code == DP_OK)
        code = dp_rules_print(&text, r);
    if (code == DP_OK) {
        dp_str all = dp_arena_str(a, (dp_str){dp_text_data(text), dp_text_size(text)});
        code = all.p ? judge_lines(&l, all, err) : DP_ENOMEM;
    }
    dp_text_free(text);
    dp_scratch_free(l.scratch);
    dp_buf_done(&l.block);
    dp_buf_done(&l.text);
    return code;
}
