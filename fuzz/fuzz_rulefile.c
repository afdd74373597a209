/* Any bytes as a rule file: what is read is printed and read again unchanged, and every tool
 * that works on rules answers sensibly.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>

#include "rule/check.h"
#include "rule/rulefile.h"
#include "rule/witness.h"
#include "support/must.h"

static dp_str view(const dp_text *t)
{
    return (dp_str){dp_text_data(t), dp_text_size(t)};
}

/* Errors lie inside the text, and a line is told of once. */
typedef struct errors {
    dp_str text;
    size_t n, last_line;
} errors;

static bool look_at_error(void *ctx, const dp_error *e)
{
    errors *es = ctx;
    size_t  line = 1, at = 0;
    /* The first line can be told of twice: as a header that is missing, and for itself. */
    MUST(e->line > es->last_line || e->line == 1);
    MUST(e->code == DP_ESYNTAX && e->message[0] && e->column >= 1);
    for (; line < e->line; line++) {
        const char *end = memchr(es->text.p + at, '\n', es->text.n - at);
        MUST(end);
        at = (size_t)(end - es->text.p) + 1;
    }
    MUST(e->column - 1 <= es->text.n - at);
    MUST(!memchr(es->text.p + at, '\n', e->column - 1));
    es->last_line = e->line;
    es->n++;
    return true;
}

static void look_at_parts(const dp_rules *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->nblock; i++) {
        const dp_block *b = r->block[i];
        for (size_t j = 0; j < b->nrule; j++, n++) {
            dp_arena a = {0};
            dp_str   w[DP_WITNESSES];
            size_t   count;
            MUST(b->rule[j] == r->rule[n] && b->rule[j]->block == b);
            MUST(dp_witness_make(w, &count, b, b->rule[j], &a) == DP_OK && count <= DP_WITNESSES);
            dp_arena_done(&a);
        }
    }
    MUST(n == r->nrule);
}

/* What was printed reads as the same rules and prints as the same text. */
static void look_at_round_trip(const dp_rules *r)
{
    dp_text  *t, *again;
    dp_rules *copy;
    dp_error  err;
    size_t    n;
    MUST(dp_rules_print(&t, r) == DP_OK);
    MUST(dp_rules_new(&copy) == DP_OK);
    MUST(dp_rules_parse(copy, "again", dp_text_data(t), dp_text_size(t), &err) == DP_OK);
    MUST(dp_rules_print(&again, copy) == DP_OK);
    MUST(dp_str_eq(view(t), view(again)));
    MUST(copy->nrule == r->nrule && copy->nblock == r->nblock);
    for (size_t i = 0; i < r->nrule; i++) {
        MUST(copy->rule[i]->id == r->rule[i]->id);
        MUST(copy->rule[i]->kind == r->rule[i]->kind && copy->rule[i]->state == r->rule[i]->state);
        MUST(dp_str_eq(copy->rule[i]->text, r->rule[i]->text));
    }
    dp_text_free(t);
    dp_text_free(again);
    MUST(dp_rules_diff(&t, r, copy, DP_PLAIN, &n) == DP_OK && n == 0 && dp_text_size(t) == 0);
    dp_text_free(t);
    dp_rules_free(copy);
}

/* Merging twice is merging once. */
static void look_at_merge(const dp_rules *r)
{
    dp_rules *once, *twice;
    dp_text  *t, *u;
    dp_error  err = {0};
    dp_err    e = dp_rules_merge(&once, r, &err);
    MUST(e == DP_OK || (e == DP_ESYNTAX && err.line > 0));
    if (e != DP_OK)
        return;
    MUST(dp_rules_merge(&twice, once, &err) == DP_OK);
    MUST(dp_rules_print(&t, once) == DP_OK && dp_rules_print(&u, twice) == DP_OK);
    MUST(dp_str_eq(view(t), view(u)));
    dp_text_free(t);
    dp_text_free(u);
    dp_rules_free(once);
    dp_rules_free(twice);
}

static void look_at_tools(const dp_rules *r)
{
    dp_findings f = {0};
    dp_text    *t;
    MUST(dp_check_rules(&f, r) == DP_OK);
    dp_findings_done(&f);
    for (int format = DP_PLAIN; format <= DP_JSON; format++) {
        MUST(dp_rules_show(&t, r, (dp_format)format) == DP_OK);
        dp_text_free(t);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    errors    es = {.text = {(const char *)data, n}};
    dp_rules *strict, *lenient;
    dp_error  err = {0};
    MUST(dp_rules_new(&strict) == DP_OK && dp_rules_new(&lenient) == DP_OK);
    dp_err e = dp_rules_parse(strict, "f", es.text.p, n, &err);
    MUST(dp_rulefile_read(lenient, "f", es.text, look_at_error, &es) == DP_OK);
    MUST((e == DP_OK) == (es.n == 0));
    look_at_parts(lenient);
    look_at_tools(lenient);
    if (e == DP_OK) {
        MUST(strict->nrule == lenient->nrule);
        look_at_round_trip(strict);
        look_at_merge(strict);
    } else {
        MUST(e == DP_ESYNTAX && strict->nrule == 0 && strict->nblock == 0);
    }
    dp_rules_free(strict);
    dp_rules_free(lenient);
    return 0;
}
