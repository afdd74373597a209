/* dp_rules_show of dustpan.h: rules gathered into families (rule/family.h), the riskiest first.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "base/text.h"
#include "base/words/json.h"
#include "rule/family.h"
#include "rule/print.h"
#include "rule/setid.h"
#include "rule/words.h"

static int by_text(const void *a, const void *b)
{
    const dp_rule *x = *(dp_rule *const *)a, *y = *(dp_rule *const *)b;
    int            order = dp_str_cmp(x->text, y->text);
    order = order ? order : (x->line > y->line) - (x->line < y->line);
    return order ? order : (x->id > y->id) - (x->id < y->id);
}

static int by_risk(const void *a, const void *b)
{
    const dp_family *x = a, *y = b;
    return x->risk != y->risk ? (x->risk < y->risk) - (x->risk > y->risk) : dp_str_cmp(x->text, y->text);
}

/* ---- plain ------------------------------------------------------------------------------ */

enum { COLUMNS = 6, CELL = 32 };

static const char *const titles[COLUMNS] = {"at risk", "hosts", "right", "wrong", "p min", "p mean"};

/* "3,120.5": digits in groups of three, `decimals` after the point when there are any. */
static void put_grouped(char cell[CELL], dp_buf *digits, double v, int decimals)
{
    dp_buf_reset(digits);
    dp_json_number(digits, v, decimals);
    size_t whole = 0, n = 0;
    while (whole < digits->n && digits->p[whole] != '.')
        whole++;
    for (size_t i = 0; i < digits->n && n + 2 < CELL; i++) {
        if (i && i < whole && (whole - i) % 3 == 0)
            cell[n++] = ',';
        cell[n++] = digits->p[i];
    }
    cell[n] = 0;
}

static void fill_row(char row[COLUMNS][CELL], dp_buf *digits, const dp_family *f)
{
    memcpy(row[0], "-", 2);
    if (f->p_count)
        put_grouped(row[0], digits, f->risk, 1);
    put_grouped(row[1], digits, (double)f->hosts, 0);
    put_grouped(row[2], digits, f->n, 0);
    put_grouped(row[3], digits, f->neg, 0);
    memcpy(row[4], "-", 2);
    memcpy(row[5], "-", 2);
    if (f->p_count) {
        put_grouped(row[4], digits, f->p_min, 4);
        put_grouped(row[5], digits, f->p_sum / (double)f->p_count, 4);
    }
}

static void widen(size_t width[COLUMNS], char row[COLUMNS][CELL])
{
    for (size_t i = 0; i < COLUMNS; i++)
        width[i] = strlen(row[i]) > width[i] ? strlen(row[i]) : width[i];
}

/* "likely", or how many are what when they differ; nothing when all are active. */
static void put_states(dp_buf *out, const dp_family *f)
{
    const char *sep = "  (";
    if (f->in_state[DP_ACTIVE] == f->rules)
        return;
    for (int s = 0; s < 4; s++) {
        if (f->in_state[s] == 0)
            continue;
        dp_buf_c(out, sep);
        if (f->in_state[s] < f->rules)
            dp_buf_printf(out, "%zu ", f->in_state[s]);
        dp_buf_c(out, s == DP_PIN ? "pinned" : dp_state_name((dp_state)s));
        sep = ", ";
    }
    dp_buf_byte(out, ')');
}

static void print_plain(dp_buf *out, const dp_family *v, size_t n)
{
    char   row[COLUMNS][CELL];
    size_t width[COLUMNS];
    dp_buf digits = {0};
    if (!dp_buf_room(&digits, CELL)) { /* never grows again */
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < COLUMNS; i++)
        width[i] = strlen(titles[i]);
    for (size_t i = 0; i < n; i++) {
        fill_row(row, &digits, &v[i]);
        widen(width, row);
    }
    for (size_t i = 0; i < COLUMNS; i++)
        dp_buf_printf(out, "%*s  ", (int)width[i], titles[i]);
    dp_buf_c(out, "rule\n");
    for (size_t i = 0; i < n; i++) {
        fill_row(row, &digits, &v[i]);
        for (size_t j = 0; j < COLUMNS; j++)
            dp_buf_printf(out, "%*s  ", (int)width[j], row[j]);
        dp_buf_str(out, v[i].text);
        put_states(out, &v[i]);
        dp_buf_byte(out, '\n');
    }
    dp_buf_done(&digits);
}

/* ---- JSON ------------------------------------------------------------------------------- */

static void put_words(dp_buf *out, const dp_rule *r)
{
    dp_buf words = {0};
    dp_rule_words(&words, r);
    dp_json_take(out, "words", &words);
}

static void print_json(dp_buf *out, const dp_rules *r, const dp_family *v, size_t n)
{
    dp_buf_byte(out, '{');
    dp_json_open(out, "families", '[');
    for (size_t i = 0; i < n; i++) {
        const dp_family *f = &v[i];
        dp_json_line(out);
        dp_json_open(out, NULL, '{');
        dp_json_text(out, "rule", f->text);
        put_words(out, f->first);
        dp_json_count(out, "hosts", f->hosts);
        dp_json_count(out, "rules", f->rules);
        for (int s = 0; s < 4; s++)
            dp_json_count(out, dp_state_name((dp_state)s), f->in_state[s]);
        dp_json_share(out, "n", f->n);
        dp_json_share(out, "neg", f->neg);
        if (f->p_count) {
            dp_json_share(out, "p_min", f->p_min);
            dp_json_share(out, "p_mean", f->p_sum / (double)f->p_count);
        } else {
            dp_json_null(out, "p_min");
            dp_json_null(out, "p_mean");
        }
        dp_json_share(out, "risk", f->risk);
        dp_buf_byte(out, '}');
    }
    dp_buf_byte(out, ']');
    dp_set_print(out, "set", r);
    dp_buf_c(out, "}\n");
}

/* ---- whole ------------------------------------------------------------------------------ */

dp_err dp_rules_show(dp_text **out, const dp_rules *r, dp_format format)
{
    dp_rule  **sorted = malloc((r->nrule + 1) * sizeof *sorted);
    dp_family *v = calloc(r->nrule + 1, sizeof *v);
    dp_buf     b = {0};
    dp_err     e = DP_ENOMEM;
    size_t     n = 0;
    if (!sorted || !v)
        goto done;
    if (r->nrule) {
        memcpy(sorted, r->rule, r->nrule * sizeof *sorted);
        qsort(sorted, r->nrule, sizeof *sorted, by_text);
    }
    for (size_t i = 0; i < r->nrule; i++) {
        if (i == 0 || !dp_str_eq(sorted[i]->text, sorted[i - 1]->text))
            v[n++].text = sorted[i]->text;
        dp_family_add(&v[n - 1], sorted[i]);
    }
    if (n)
        qsort(v, n, sizeof *v, by_risk);
    if (format == DP_JSON)
        print_json(&b, r, v, n);
    else
        print_plain(&b, v, n);
    e = dp_text_take(out, &b);
done:
    free(sorted);
    free(v);
    return e;
}
