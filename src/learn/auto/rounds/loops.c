/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/rounds/loops.h"

#include <stdlib.h>

#include "apply/engine.h"
#include "base/hash.h"
#include "base/room.h"
#include "learn/auto/rounds/rounds.h"
#include "learn/auto/forms/rulebook.h"
#include "rule/witness.h"

/* A file of rules, read and compiled. */
typedef struct file {
    dp_rules  *rules;
    dp_engine *engine;
} file;

typedef struct asking {
    dp_loops   *l;
    file        all;
    dp_scratch *s;
    dp_loop_run run;   /* at hand */
    size_t      times; /* that its rule has fired */
    bool        failed;
} asking;

void dp_loops_done(dp_loops *l)
{
    free(l->text);
    free(l->run);
    dp_arena_done(&l->arena);
    *l = (dp_loops){0};
}

static void close_file(file *f)
{
    dp_engine_free(f->engine);
    dp_rules_free(f->rules);
}

static dp_err open_file(file *f, const dp_buf *text)
{
    return text->failed ? DP_ENOMEM : dp_rulebook_open(&f->engine, &f->rules, dp_buf_view(text));
}

static bool push_text(dp_loops *l, dp_str text)
{
    if (!DP_ROOM(l->text, l->ntext, l->text_cap))
        return false;
    dp_str copy = dp_arena_str(&l->arena, text);
    if (!copy.p)
        return false;
    l->text[l->ntext++] = copy;
    return true;
}

static bool push_run(dp_loops *l, dp_loop_run run)
{
    if (!DP_ROOM(l->run, l->nrun, l->run_cap))
        return false;
    l->run[l->nrun++] = run;
    return true;
}

static bool note_step(void *ctx, uint32_t rule, dp_str text)
{
    asking *a = ctx;
    a->failed |= !push_text(a->l, text);
    a->times += rule == a->run.rule;
    return a->times < 2 && !a->failed;
}

/* Run a witness of engine rule `rule`; its texts are the last ones. */
static dp_err run_witness(asking *a, uint32_t rule, dp_str witness, bool *feeds)
{
    size_t first = a->l->ntext;
    a->run = (dp_loop_run){.rule = rule, .first = first};
    a->times = 0;
    if (!push_text(a->l, witness) || !dp_engine_run(a->all.engine, a->s, DP_KEY, witness, note_step, a).p || a->failed)
        return DP_ENOMEM;
    a->run.n = a->l->ntext - first;
    *feeds = a->times >= 2;
    return DP_OK;
}

/* The witnesses of the rules from block `from` on. */
static dp_err run_blocks(asking *a, size_t from, bool *feeds)
{
    const dp_rules *r = a->all.rules;
    dp_arena        room = {0};
    dp_err          code = DP_OK;
    for (size_t i = from; i < r->nblock && code == DP_OK && !*feeds; i++)
        for (size_t j = 0; j < r->block[i]->nrule && code == DP_OK && !*feeds; j++) {
            uint32_t rule = a->all.engine->im.block[i].rule.at + (uint32_t)j;
            dp_str   witness[DP_WITNESSES];
            size_t   n = 0;
            code = dp_witness_make(witness, &n, r->block[i], r->block[i]->rule[j], &room);
            for (size_t k = 0; k < n && code == DP_OK && !*feeds; k++) {
                code = run_witness(a, rule, witness[k], feeds);
                if (code == DP_OK && !push_run(a->l, a->run))
                    code = DP_ENOMEM;
            }
        }
    dp_arena_done(&room);
    return code;
}

static void note_firing(void *ctx, uint32_t rule, dp_str text)
{
    (void)rule;
    (void)text;
    *(bool *)ctx = true;
}

/* Run again what the new rule, alone in `one`, changes. */
static dp_err run_changed(asking *a, const file *one, bool *feeds)
{
    dp_loops *l = a->l;
    size_t    old = l->nrun;
    for (size_t i = 0; i < old && !*feeds; i++) {
        dp_loop_run r = l->run[i];
        bool        fires = false;
        for (size_t k = r.first; k < r.first + r.n && !fires; k++)
            if (!dp_engine_each(one->engine, a->s, l->text[k], note_firing, &fires).p)
                return DP_ENOMEM;
        if (!fires)
            continue;
        DP_TRY(run_witness(a, r.rule, l->text[r.first], feeds));
        a->run.instead = i + 1;
        if (!push_run(l, a->run))
            return DP_ENOMEM;
    }
    return DP_OK;
}

/* What was run instead of older runs takes their places. */
static void settle(dp_loops *l, size_t old)
{
    size_t n = old;
    for (size_t i = old; i < l->nrun; i++) {
        dp_loop_run r = l->run[i];
        size_t      at = r.instead ? r.instead - 1 : n++;
        r.instead = 0;
        l->run[at] = r;
    }
    l->nrun = n;
}

/* The last rule and the order of parameters, which holds for all. */
static dp_err open_last(file *f, const dp_taken *v, size_t n)
{
    dp_buf text = {0};
    dp_rounds_print(&text, NULL, 0);
    for (size_t i = 0; i < n; i++)
        if (i + 1 == n || v[i].family == DP_FAMILY_ORDER)
            dp_taken_print(&text, &v[i]);
    dp_err code = open_file(f, &text);
    dp_buf_done(&text);
    return code;
}

/* Read all rules; what is known is forgotten unless it is of the rules before the last. */
static dp_err open_all(asking *a, const dp_taken *v, size_t n, uint64_t *hash)
{
    dp_buf text = {0};
    dp_rounds_print(&text, v, n - 1);
    bool known = a->l->rules == dp_hash_str(dp_buf_view(&text)) && v[n - 1].family != DP_FAMILY_ORDER;
    if (!known)
        dp_loops_done(a->l);
    dp_taken_print(&text, &v[n - 1]);
    *hash = dp_hash_str(dp_buf_view(&text));
    dp_err code = open_file(&a->all, &text);
    dp_buf_done(&text);
    return code == DP_OK ? dp_scratch_new(&a->s) : code;
}

static dp_err ask(asking *a, const dp_taken *v, size_t n, bool *feeds)
{
    file   one = {0};
    dp_err code = a->l->nrun ? open_last(&one, v, n) : DP_OK;
    if (code == DP_OK)
        code = run_changed(a, &one, feeds);
    if (code == DP_OK && !*feeds)
        code = run_blocks(a, a->l->blocks, feeds);
    close_file(&one);
    return code;
}

/* The forms on which the rule fires more than once, by what it makes of them in the end. */
static dp_err gather_repeats(dp_members *out, const file *one, const dp_forms *f, const dp_member *fired, size_t n)
{
    dp_scratch *s;
    dp_err      code = dp_scratch_new(&s);
    for (size_t i = 0; i < n && code == DP_OK; i++) {
        uint32_t label = f->label[fired[i].item];
        dp_str   end = dp_engine_run(one->engine, s, DP_KEY, f->text[fired[i].item], NULL, NULL);
        bool     again = s->nfired > 1 && label != DP_NO_CLUSTER;
        if (!end.p || (again && !dp_members_push(out, (dp_member){dp_hash_str(end), 0, label})))
            code = DP_ENOMEM;
    }
    dp_scratch_free(s);
    return code;
}

dp_err dp_loops_repeats(const dp_taken *t, const dp_forms *f, const dp_member *fired, size_t n, bool *wrong)
{
    dp_members found = {0};
    file       one = {0};
    dp_err     code = open_last(&one, t, 1);
    *wrong = false;
    if (code == DP_OK)
        code = gather_repeats(&found, &one, f, fired, n);
    dp_members_sort(found.v, found.n);
    for (size_t i = 1; i < found.n && !*wrong; i++)
        *wrong = found.v[i].key == found.v[i - 1].key && found.v[i].item != found.v[i - 1].item;
    close_file(&one);
    free(found.v);
    return code;
}

dp_err dp_loops_add(dp_loops *l, const dp_taken *v, size_t n, bool *ok)
{
    asking   a = {.l = l};
    bool     feeds = false;
    uint64_t hash;
    dp_err   code = open_all(&a, v, n, &hash);
    size_t   texts = l->ntext, runs = l->nrun;
    if (code == DP_OK)
        code = ask(&a, v, n, &feeds);
    *ok = code == DP_OK && !feeds;
    if (*ok) {
        settle(l, runs);
        l->rules = hash;
        l->blocks = a.all.rules->nblock;
    } else { /* as if it had not been asked */
        l->nrun = runs;
        l->ntext = texts;
    }
    dp_scratch_free(a.s);
    close_file(&a.all);
    return code;
}
