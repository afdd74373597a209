/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/words.h"

#include "rule/print.h"

static const char ellipsis[] = "\xE2\x80\xA6";

static void put_name(dp_buf *out, const dp_name *n)
{
    dp_buf_str(out, n->text);
    if (n->prefix)
        dp_buf_c(out, ellipsis);
}

/* "sid", "sid and lang", "a, b and c" */
static void put_names(dp_buf *out, const dp_names *names)
{
    for (size_t i = 0; i < names->n; i++) {
        if (i)
            dp_buf_c(out, i + 1 == names->n ? " and " : ", ");
        put_name(out, &names->v[i]);
    }
}

static bool are_many(const dp_names *names)
{
    return names->n > 1 || (names->n && names->v[0].prefix);
}

/* "Parameter sid", "Path parameters a and b" */
static void put_parameters(dp_buf *out, const dp_names *names)
{
    dp_buf_c(out, names->kind == ';' ? "Path parameter" : "Parameter");
    dp_buf_c(out, are_many(names) ? "s " : " ");
    put_names(out, names);
}

/* Whether the condition names a folder and all below it: /shop/{**} */
static bool is_folder(const dp_template *t)
{
    if (t->scheme.n || t->host.n || t->nseg < 2 || t->glob != t->nseg - 1 || t->has_query)
        return false;
    for (size_t i = 0; i + 1 < t->nseg; i++) {
        if (t->seg[i].n != 1 || t->seg[i].v[0].kind != DP_ITEM_LITERAL)
            return false;
    }
    return true;
}

/* "under /shop/", "on /{a}/print" */
static void put_place(dp_buf *out, const dp_template *t)
{
    if (!is_folder(t)) {
        dp_buf_c(out, "on ");
        dp_print_condition(out, t);
        return;
    }
    dp_buf_c(out, "under /");
    for (size_t i = 0; i + 1 < t->nseg; i++) {
        dp_buf_str(out, dp_pat_literal(&t->seg[i]));
        dp_buf_byte(out, '/');
    }
}

static void put_quoted(dp_buf *out, dp_str text)
{
    dp_buf_c(out, "\xE2\x80\x9C");
    dp_buf_str(out, text);
    dp_buf_c(out, "\xE2\x80\x9D");
}

static void put_substitution(dp_buf *out, const dp_rule *r)
{
    dp_buf_c(out, "The text ");
    put_quoted(out, r->alpha);
    if (r->at_start || r->at_end)
        dp_buf_c(out, r->at_start ? " at the start" : " at the end");
    if (r->beta.n == 0) {
        dp_buf_c(out, " does not matter");
        return;
    }
    dp_buf_c(out, " means the same as ");
    put_quoted(out, r->beta);
}

static void put_meaning(dp_buf *out, const dp_rule *r)
{
    switch (r->kind) {
    case DP_RULE_REWRITE:
        dp_print_template(out, r->left);
        dp_buf_c(out, " shows the same page as ");
        dp_print_template(out, r->right);
        break;
    case DP_RULE_DROP:
        put_parameters(out, &r->names);
        dp_buf_c(out, are_many(&r->names) ? " do not matter" : " does not matter");
        if (r->has_if && r->value.n) {
            dp_buf_c(out, " with the value ");
            put_quoted(out, r->value);
        } else if (r->has_if) {
            dp_buf_c(out, " when empty");
        }
        break;
    case DP_RULE_ONLY:
        if (r->names.n == 0) {
            dp_buf_c(out, "No parameter matters");
            break;
        }
        dp_buf_c(out, "Of all parameters only ");
        put_names(out, &r->names);
        dp_buf_c(out, are_many(&r->names) ? " matter" : " matters");
        break;
    case DP_RULE_ERASE:
        put_parameters(out, &r->names);
        dp_buf_c(out, are_many(&r->names) ? " are needed, their values do not matter"
                                          : " is needed, its value does not matter");
        break;
    case DP_RULE_SET:
        put_parameters(out, &r->names);
        dp_buf_c(out, " counts as ");
        put_quoted(out, r->value);
        dp_buf_c(out, ", whatever its value");
        break;
    case DP_RULE_FOLD_PATH: dp_buf_c(out, "Upper and lower case are the same in the path"); break;
    case DP_RULE_FOLD_QUERY: dp_buf_c(out, "Upper and lower case are the same in the query"); break;
    case DP_RULE_FOLD_NAMES: dp_buf_c(out, "Upper and lower case are the same in names of parameters"); break;
    case DP_RULE_SUB: put_substitution(out, r); break;
    }
}

void dp_rule_words(dp_buf *out, const dp_rule *r)
{
    put_meaning(out, r);
    if (r->on) {
        dp_buf_byte(out, ' ');
        put_place(out, r->on);
    }
    for (size_t i = 0; i < r->nunless; i++) {
        dp_buf_c(out, i == 0 ? ", except " : " or ");
        put_place(out, r->unless[i]);
    }
    dp_buf_byte(out, '.');
}
