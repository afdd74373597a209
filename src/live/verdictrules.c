/* verdictrules.c - the rule file after validation.
 *
 *     kept        active, p n neg from the tests, by=...,fetch; across=redirect in place of across=copies
 *     turned      the same, with its sides exchanged
 *     rejected    off, p n neg from the tests, refuted=fetch: learning does not turn it on again
 *     refined     left out
 *     undecided   as it was; so are pinned rules, whatever was found
 *
 * `fetch` is said of pages that were fetched by the URL that the rule writes, which is what --form fetch relies on;
 * `text` when only URLs of the list were compared, or labels.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>

#include "apply/compile.h"
#include "apply/feedback.h"
#include "judge/bound.h"
#include "live/verdict.h"
#include "rule/certified.h"
#include "rule/print.h"

/* ---- attributes ------------------------------------------------------------------------------- */

static dp_str print_number(uint64_t n, dp_arena *a)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, n);
    return dp_arena_str(a, dp_str_c(digits));
}

/* .998, as learners write it */
static dp_str print_share(double p, dp_arena *a)
{
    char     digits[8];
    unsigned m = (unsigned)(p * 1000 + .5);
    if (m >= 1000)
        return DP_STR("1");
    snprintf(digits, sizeof digits, ".%03u", m);
    size_t n = strlen(digits);
    while (n > 2 && digits[n - 1] == '0')
        n--;
    return dp_arena_str(a, (dp_str){digits, n});
}

/* The kinds of evidence so far, with `kind` among them. */
static dp_str add_kind(const dp_rule *r, dp_str by, dp_str kind, dp_arena *a)
{
    if (!by.n || dp_rule_by(r, kind.p))
        return by.n ? by : kind;
    char *p = dp_arena_alloc(a, by.n + 1 + kind.n);
    if (!p)
        return (dp_str){NULL, 0};
    memcpy(p, by.p, by.n);
    p[by.n] = ',';
    memcpy(p + by.n + 1, kind.p, kind.n);
    return (dp_str){p, by.n + 1 + kind.n};
}

/* p, n and neg of the test first, then the others, `by` or `refuted` last. False when memory is out. */
static bool set_attrs(dp_rule *r, const dp_ruletest *t, bool holds, dp_str kind, dp_arena *a)
{
    static const char *const ours[] = {"p", "n", "neg", "by", "refuted"};
    dp_bound                 bound = DP_BOUND_INIT;
    double                   n = (double)(t->positive + t->negative);
    dp_str                   by = {0};
    dp_attr                 *v = DP_NEWS(a, r->nattr + DP_COUNT(ours), dp_attr);
    size_t                   k = 0;
    if (!v)
        return false;
    v[k++] = (dp_attr){DP_STR("p"), print_share(dp_bound_precision(&bound, (double)t->positive, n), a)};
    v[k++] = (dp_attr){DP_STR("n"), print_number(t->positive, a)};
    v[k++] = (dp_attr){DP_STR("neg"), print_number(t->negative, a)};
    for (size_t i = 0; i < r->nattr; i++) {
        bool is_ours = false;
        for (size_t j = 0; j < DP_COUNT(ours); j++)
            is_ours |= dp_str_eq(r->attr[i].key, dp_str_c(ours[j]));
        if (dp_str_eq(r->attr[i].key, DP_STR("by")))
            by = r->attr[i].value;
        if (!is_ours)
            v[k++] = r->attr[i];
        if (holds && t->of_copies && dp_str_eq(r->attr[i].key, DP_STR("across")))
            v[k - 1].value = DP_STR("redirect");
    }
    if (holds)
        v[k++] = (dp_attr){DP_STR("by"), add_kind(r, by, kind, a)};
    else if (by.n)
        v[k++] = (dp_attr){DP_STR("by"), by};
    if (!holds)
        v[k++] = (dp_attr){DP_STR("refuted"), kind};
    r->attr = v;
    r->nattr = k;
    for (size_t i = 0; i < k; i++)
        if (!v[i].value.p)
            return false;
    return true;
}

/* ---- the file --------------------------------------------------------------------------------- */

/* Exchange the sides of a rule, in its text, too. */
static void turn(dp_rule *r, const dp_rule *turned)
{
    r->left = turned->left;
    r->right = turned->right;
    r->alpha = turned->alpha;
    r->beta = turned->beta;
    r->text = turned->text;
}

/* A rule as its verdict leaves it; loops: it must not be on. False when memory is out. */
static bool change(dp_rule *r, const dp_validation *v, size_t i, bool loops, dp_arena *a)
{
    const dp_verdict_of *o = &v->verdict[i];
    bool                 holds = o->kind == DP_KEPT || o->kind == DP_TURNED;
    if (r->state == DP_PIN || (!holds && o->kind != DP_REJECTED))
        return true;
    if (o->kind == DP_TURNED)
        turn(r, dp_draws_turned(v->draws, i));
    r->state = holds && !loops ? DP_ACTIVE : DP_OFF;
    dp_str kind = v->offline || (holds && !dp_verdict_is_direct(v, i)) ? DP_STR("text") : DP_STR("fetch");
    return set_attrs(r, &o->test[o->decisive], holds, kind, a);
}

/* No certificate holds for rules that were turned on or off, or left out. */
static dp_err end_certificates(dp_rules *out, const size_t *at, const dp_rules *r, dp_arena *a)
{
    for (size_t i = 0; i < out->nrule; i++) {
        if (out->rule[i]->state != r->rule[at[i]]->state)
            DP_TRY(dp_certified_end(out, out->rule[i]->block, a));
    }
    for (size_t i = 0; i < out->nblock; i++) {
        if (out->block[i]->nrule < r->block[i]->nrule)
            DP_TRY(dp_certified_end(out, out->block[i], a));
    }
    return DP_OK;
}

/* A view of the rules with their changes, in the arena; at[k] is the old number of rule k. */
static dp_err view_rules(dp_rules *out, size_t *at, const dp_validation *v, const bool *loops, dp_arena *a)
{
    const dp_rules *r = v->rules;
    dp_block       *blocks = DP_NEWS(a, r->nblock, dp_block);
    dp_rule        *rules = DP_NEWS(a, r->nrule, dp_rule);
    *out = (dp_rules){.block = DP_NEWS(a, r->nblock, dp_block *), .rule = DP_NEWS(a, r->nrule, dp_rule *)};
    out->end = r->end;
    if (!blocks || !rules || !out->block || !out->rule)
        return DP_ENOMEM;
    for (size_t i = 0, number = 0; i < r->nblock; i++) {
        dp_block *b = &blocks[i];
        *b = *r->block[i];
        b->rule = out->rule + out->nrule;
        b->nrule = 0;
        for (size_t j = 0; j < r->block[i]->nrule; j++, number++) {
            dp_rule *to = &rules[number];
            *to = *r->block[i]->rule[j];
            to->block = b;
            if (v->verdict[number].kind == DP_REFINED && to->state != DP_PIN)
                continue;
            if (!change(to, v, number, loops[number], a))
                return DP_ENOMEM;
            at[out->nrule] = number;
            b->rule[b->nrule++] = out->rule[out->nrule++] = to;
        }
        out->block[out->nblock++] = b;
    }
    return end_certificates(out, at, r, a);
}

typedef struct looping {
    const dp_validation *v;
    const dp_rules      *made;
    const size_t        *at;
    bool                *loops;
    bool                 any;
} looping;

/* Only a rule that was turned can have brought a loop into the file. */
static int note_loop(void *ctx, const dp_rule *r, dp_str run)
{
    looping *l = ctx;
    (void)run;
    for (size_t i = 0; i < l->made->nrule; i++) {
        if (l->made->rule[i] == r && l->v->verdict[l->at[i]].kind == DP_TURNED && !l->loops[l->at[i]])
            l->loops[l->at[i]] = l->any = true;
    }
    return 0;
}

/* Whether some turned rule feeds itself among the others; loops[] says which. */
static dp_err find_loops(looping *l, dp_error *err)
{
    dp_engine e = {0};
    DP_TRY(dp_compile(&e.im, l->made, err));
    dp_err code = dp_feedback_find(&e, l->made, note_loop, l);
    dp_image_done(&e.im);
    return code;
}

/* The file by the loops known so far. */
static dp_err make(dp_rules **out, size_t *at, const dp_validation *v, const bool *loops, dp_error *err)
{
    dp_arena  a = {0};
    dp_buf    text = {0};
    dp_rules  view, *made = NULL;
    dp_err    code = view_rules(&view, at, v, loops, &a);
    if (code == DP_OK)
        code = dp_rules_new(&made);
    if (code == DP_OK) {
        dp_print_file(&text, &view);
        code = text.failed ? DP_ENOMEM : dp_rules_parse(made, "validated", text.p, text.n, err);
    }
    dp_arena_done(&a);
    dp_buf_done(&text);
    if (code != DP_OK)
        dp_rules_free(made);
    else
        *out = made;
    return code;
}

dp_err dp_validation_rules(dp_rules **out, const dp_validation *v, dp_error *err)
{
    dp_rules *made = NULL;
    if (!v->rules)
        return dp_fail(err, DP_EINVALID, "this validation has not run yet");
    size_t  n = v->rules->nrule ? v->rules->nrule : 1;
    bool   *loops = calloc(n, sizeof *loops);
    size_t *at = calloc(n, sizeof *at);
    dp_err  code = loops && at ? DP_OK : DP_ENOMEM;
    while (code == DP_OK) {
        looping l = {.v = v, .at = at, .loops = loops};
        dp_rules_free(made);
        made = NULL;
        code = make(&made, at, v, loops, err);
        if (code != DP_OK)
            break;
        l.made = made;
        code = find_loops(&l, err);
        if (!l.any)
            break;
    }
    free(loops);
    free(at);
    if (code == DP_OK) {
        *out = made;
        return DP_OK;
    }
    dp_rules_free(made);
    return code == DP_ENOMEM ? dp_no_memory(err) : code;
}
