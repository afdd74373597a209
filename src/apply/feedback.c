/* SPDX-License-Identifier: Apache-2.0 */
#include "apply/feedback.h"

#include <stdio.h>

#include "rule/witness.h"

enum { SHOWN_STEPS = 8 };

/* One witness run: how often the rule has fired. Only a run that is worth showing is made
 * again and written down. */
typedef struct run {
    const dp_engine *e;
    uint32_t         rule;
    size_t           times, steps;
    dp_buf           text;
} run;

static bool count_step(void *ctx, uint32_t rule, dp_str text)
{
    run *r = ctx;
    (void)text;
    r->times += rule == r->rule;
    return r->times < 2;
}

static bool note_step(void *ctx, uint32_t rule, dp_str text)
{
    run *r = ctx;
    r->times += rule == r->rule;
    if (++r->steps <= SHOWN_STEPS || r->times == 2)
        dp_buf_printf(&r->text, "  %08x  %.*s\n", (unsigned)(r->e->im.about[rule].id >> 32), DP_FMT(text));
    else if (r->steps == SHOWN_STEPS + 1)
        dp_buf_c(&r->text, "  ...\n");
    return r->times < 2;
}

static void write_down(run *w, dp_scratch *s, dp_str witness)
{
    dp_buf_reset(&w->text);
    dp_buf_printf(&w->text, "            %.*s\n", DP_FMT(witness));
    w->times = w->steps = 0;
    dp_engine_run(w->e, s, DP_KEY, witness, note_step, w);
}

/* Run the witnesses of a rule; *feeds says whether it fires twice, and w->text how. */
static dp_err run_witnesses(run *w, dp_scratch *s, const dp_block *b, const dp_rule *r, dp_arena *a, bool *feeds)
{
    dp_str witness[DP_WITNESSES];
    size_t n = 0;
    *feeds = false;
    DP_TRY(dp_witness_make(witness, &n, b, r, a));
    for (size_t i = 0; i < n && !*feeds; i++) {
        w->times = 0;
        dp_engine_run(w->e, s, DP_KEY, witness[i], count_step, w);
        *feeds = w->times >= 2;
        if (*feeds)
            write_down(w, s, witness[i]);
        if (s->failed || w->text.failed)
            return DP_ENOMEM;
    }
    return DP_OK;
}

dp_err dp_feedback_find(const dp_engine *e, const dp_rules *r, dp_feedback_call call, void *ctx)
{
    /* Likely rules take part: a file must be good whatever options it is used with. */
    dp_engine   all = *e;
    dp_arena    a = {0};
    dp_scratch *s = NULL;
    run         w = {.e = &all};
    all.choice = (dp_rule_choice){.with_likely = true};
    dp_err result = dp_scratch_new(&s);
    for (size_t i = 0; i < r->nblock && result == DP_OK; i++) {
        const dp_block *b = r->block[i];
        for (size_t j = 0; j < b->nrule && !b->off && result == DP_OK; j++) {
            bool feeds;
            if (b->rule[j]->state == DP_OFF)
                continue;
            w.rule = e->im.block[i].rule.at + (uint32_t)j;
            result = run_witnesses(&w, s, b, b->rule[j], &a, &feeds);
            if (result == DP_OK && feeds && call(ctx, b->rule[j], dp_buf_view(&w.text)))
                goto done;
            dp_arena_reset(&a);
        }
    }
done:
    dp_scratch_free(s);
    dp_buf_done(&w.text);
    dp_arena_done(&a);
    return result;
}

typedef struct first {
    const dp_rule *rule;
    dp_error      *err;
} first;

static int keep_first(void *ctx, const dp_rule *r, dp_str run_text)
{
    first *f = ctx;
    char   file[512];
    f->rule = r;
    snprintf(file, sizeof file, "%.*s", DP_FMT(r->file));
    dp_fail_at(f->err, DP_ESYNTAX, file, r->line, r->column,
               "this rule fires again on its own result\n%.*s", DP_FMT(run_text));
    return 1;
}

dp_err dp_feedback_refuse(const dp_engine *e, const dp_rules *r, dp_error *err)
{
    first f = {NULL, err};
    DP_TRY(dp_feedback_find(e, r, keep_first, &f));
    return f.rule ? DP_ESYNTAX : DP_OK;
}
