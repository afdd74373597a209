/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/ruleline.h"

#include "rule/attr.h"
#include "rule/pattern.h"
#include "rule/template.h"

static bool next_is(dp_cursor *c, const char *word)
{
    return dp_str_eq(dp_cursor_peek(c), dp_str_c(word));
}

/* ---- parts ------------------------------------------------------------------------------ */

static dp_err read_cond(dp_template **out, dp_cursor *c)
{
    dp_str word = dp_cursor_word(c);
    if (!dp_template_begins(word))
        return dp_cursor_expected(c, word, "a condition like /shop/{**}", "");
    return dp_template_read(out, c, word, DP_COND);
}

static dp_err read_on(dp_rule *r, dp_cursor *c)
{
    if (!next_is(c, "on"))
        return DP_OK;
    dp_cursor_word(c);
    return read_cond(&r->on, c);
}

/* "=VALUE" that stands for a whole value. */
static dp_err read_value(dp_rule *r, dp_cursor *c, dp_str word)
{
    if (word.n == 0 || word.p[0] != '=')
        return dp_cursor_expected(c, word, "'=' and a value", "");
    r->value = dp_str_cut(word, 1, word.n);
    return dp_cursor_literal(c, r->value, dp_pattern_ends(r->names.kind));
}

/* ---- the forms of a rule ---------------------------------------------------------------- */

static dp_err read_rewrite(dp_rule *r, dp_cursor *c, dp_str left)
{
    r->kind = DP_RULE_REWRITE;
    DP_TRY(dp_template_read(&r->left, c, left, DP_LEFT));
    dp_str arrow = dp_cursor_word(c);
    if (!dp_str_eq(arrow, DP_STR("=>")))
        return dp_cursor_expected(c, arrow, "'=>'", "=>");
    dp_str right = dp_cursor_word(c);
    if (!dp_template_begins(right))
        return dp_cursor_expected(c, right, "a template", "");
    DP_TRY(dp_template_read(&r->right, c, right, DP_RIGHT));
    DP_TRY(dp_template_pair(c, r->left, r->right, right));
    if (next_is(c, "on"))
        return dp_cursor_fail(c, c->at, "a template cannot be followed by 'on': put the condition into its left side");
    return DP_OK;
}

static dp_err read_drop(dp_rule *r, dp_cursor *c)
{
    r->kind = DP_RULE_DROP;
    DP_TRY(dp_pattern_names(&r->names, c, dp_cursor_word(c)));
    if (next_is(c, "if")) {
        dp_cursor_word(c);
        r->has_if = true;
        DP_TRY(read_value(r, c, dp_cursor_word(c)));
    }
    return read_on(r, c);
}

/* No name at all is fine here: `only ?` removes every parameter. */
static dp_err read_only(dp_rule *r, dp_cursor *c)
{
    dp_str word = dp_cursor_word(c);
    r->kind = DP_RULE_ONLY;
    if (word.n == 1 && (word.p[0] == '?' || word.p[0] == ';'))
        r->names.kind = word.p[0];
    else
        DP_TRY(dp_pattern_names(&r->names, c, word));
    if (next_is(c, "if"))
        return dp_cursor_fail(c, c->at, "'if' works with drop only; to match one value write a template");
    return read_on(r, c);
}

static dp_err read_erase(dp_rule *r, dp_cursor *c)
{
    r->kind = DP_RULE_ERASE;
    DP_TRY(dp_pattern_names(&r->names, c, dp_cursor_word(c)));
    if (next_is(c, "if"))
        return dp_cursor_fail(c, c->at, "'if' works with drop only; to match one value write a template");
    return read_on(r, c);
}

static dp_err read_set(dp_rule *r, dp_cursor *c)
{
    dp_str word = dp_cursor_word(c);
    size_t eq = dp_str_find(word, '=');
    r->kind = DP_RULE_SET;
    if (word.n == 0 || word.p[0] != '?' || eq == word.n)
        return dp_cursor_expected(c, word, "?name=value", "");
    DP_TRY(dp_pattern_names(&r->names, c, dp_str_cut(word, 0, eq)));
    if (r->names.n > 1 || r->names.v[0].prefix)
        return dp_cursor_fail(c, word.p, "set takes one parameter, without *");
    DP_TRY(read_value(r, c, dp_str_cut(word, eq, word.n)));
    return read_on(r, c);
}

static dp_err read_fold(dp_rule *r, dp_cursor *c)
{
    dp_str word = dp_cursor_word(c);
    if (!dp_str_eq(word, DP_STR("case")))
        return dp_cursor_expected(c, word, "'case'", "case");
    word = dp_cursor_word(c);
    if (dp_str_eq(word, DP_STR("path")))
        r->kind = DP_RULE_FOLD_PATH;
    else if (dp_str_eq(word, DP_STR("query")))
        r->kind = DP_RULE_FOLD_QUERY;
    else if (dp_str_eq(word, DP_STR("names")))
        r->kind = DP_RULE_FOLD_NAMES;
    else
        return dp_cursor_expected(c, word, "'path', 'query' or 'names'", "path query names");
    return read_on(r, c);
}

/* ---- sub --------------------------------------------------------------------------------- */

typedef struct quoted {
    dp_str text; /* without anchors and escapes */
    bool   at_start, at_end;
} quoted;

/* The bytes between the quotes; the cursor stands after them. */
static dp_err find_quoted(dp_str *out, dp_cursor *c)
{
    dp_str word = dp_cursor_peek(c);
    if (word.n == 0 || word.p[0] != '"')
        return dp_cursor_expected(c, word, "a text in double quotes", "");
    const char *from = ++c->at;
    for (; c->at < c->end && *c->at != '"' && !dp_is_space(*c->at); c->at++)
        if (*c->at == '\\' && c->at + 1 < c->end)
            c->at++;
    if (c->at >= c->end || *c->at != '"')
        return dp_cursor_fail(c, from - 1, "the closing '\"' is missing (for a space in a URL write %%20)");
    *out = (dp_str){from, (size_t)(c->at++ - from)};
    return DP_OK;
}

/* Copy `s` to the arena without its escapes. */
static dp_err unescape(dp_str *out, dp_cursor *c, dp_str s)
{
    char  *p = dp_arena_alloc(c->arena, s.n);
    size_t n = 0;
    if (!p)
        return DP_ENOMEM;
    for (size_t i = 0; i < s.n; i++) {
        i += s.p[i] == '\\';
        p[n++] = s.p[i];
    }
    *out = (dp_str){p, n};
    return DP_OK;
}

static dp_err read_quoted(quoted *out, dp_cursor *c)
{
    dp_str s;
    DP_TRY(find_quoted(&s, c));
    bool escapes = false, end_escaped = false;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\\') {
            escapes = true;
            i++;
            if (i == s.n || !memchr("\"\\^$", s.p[i], 4))
                return dp_cursor_fail(c, s.p + i - 1, "a backslash is allowed only before \" \\ ^ or $");
            end_escaped = i + 1 == s.n;
        } else if ((s.p[i] == '^' && i > 0) || (s.p[i] == '$' && i + 1 < s.n)) {
            return dp_cursor_fail(c, s.p + i,
                                  s.p[i] == '^' ? "^ is allowed only at the start; elsewhere write %%5E"
                                                : "$ is allowed only at the end; elsewhere write \\$");
        }
    }
    out->at_start = s.n && s.p[0] == '^';
    out->at_end = s.n && s.p[s.n - 1] == '$' && !end_escaped;
    out->text = s = dp_str_cut(s, out->at_start, s.n - out->at_end);
    if (escapes)
        DP_TRY(unescape(&out->text, c, s));
    /* An escaped byte that stage 0 does not leave is named where it stands in the line:
     * views of copies have no place there. */
    if (!escapes)
        return dp_cursor_literal(c, out->text, "");
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == '\\' && s.p[++i] != '$')
            return dp_cursor_fail(c, s.p + i - 1, "%c never occurs after basic URL cleanup: write %%%02X", s.p[i],
                                  (unsigned)s.p[i]);
    for (size_t i = 0, j; i <= s.n; i = j + 1) {
        j = i + dp_str_find(dp_str_cut(s, i, s.n), '\\');
        DP_TRY(dp_cursor_literal(c, dp_str_cut(s, i, j), ""));
    }
    return DP_OK;
}

static dp_err read_sub(dp_rule *r, dp_cursor *c)
{
    quoted alpha, beta;
    r->kind = DP_RULE_SUB;
    dp_cursor_peek(c);
    const char *first = c->at;
    DP_TRY(read_quoted(&alpha, c));
    dp_str arrow = dp_cursor_peek(c);
    if (!dp_str_starts(arrow, DP_STR("->")))
        return dp_cursor_expected(c, arrow, "'->'", "->");
    c->at += 2;
    dp_cursor_peek(c);
    const char *second = c->at;
    DP_TRY(read_quoted(&beta, c));
    if (c->at < c->end && !dp_is_space(*c->at))
        return dp_cursor_fail(c, c->at, "a space is missing after the closing '\"'");
    if (alpha.at_start != beta.at_start || alpha.at_end != beta.at_end)
        return dp_cursor_fail(c, second,
                              "both texts must have the same anchors (for a literal ^ or $ write %%5E or \\$)");
    if (alpha.text.n == 0 && !alpha.at_start && !alpha.at_end)
        return dp_cursor_fail(c, first, "the first text is empty: it would match everywhere");
    r->alpha = alpha.text;
    r->beta = beta.text;
    r->at_start = alpha.at_start;
    r->at_end = alpha.at_end;
    return read_on(r, c);
}

/* ---- line -------------------------------------------------------------------------------- */

static const struct {
    dp_str word;
    dp_err (*read)(dp_rule *r, dp_cursor *c);
} verbs[] = {
    {{"drop", 4}, read_drop},
    {{"only", 4}, read_only},
    {{"erase", 5}, read_erase},
    {{"set", 3}, read_set},
    {{"fold", 4}, read_fold},
    {{"sub", 3}, read_sub},
};

static dp_err read_form(dp_rule *r, dp_cursor *c)
{
    dp_str word = dp_cursor_word(c);
    if (dp_template_begins(word))
        return read_rewrite(r, c, word);
    for (size_t i = 0; i < DP_COUNT(verbs); i++)
        if (dp_str_eq(word, verbs[i].word))
            return verbs[i].read(r, c);
    if (r->state != DP_ACTIVE)
        return dp_cursor_expected(c, word, "a rule (a template, drop, only, erase, set, fold or sub)",
                                  "drop only erase set fold sub");
    return dp_cursor_expected(c, word, "a rule (a template, drop, only, erase, set, fold or sub), host, order or keep",
                              "drop only erase set fold sub host order keep pin likely off");
}

static void read_state(dp_rule *r, dp_cursor *c)
{
    static const char *const names[] = {"", "pin", "likely", "off"};
    for (size_t i = 1; i < DP_COUNT(names); i++) {
        if (next_is(c, names[i])) {
            dp_cursor_word(c);
            r->state = (dp_state)i;
            return;
        }
    }
}

/* All that may follow a rule: conditions that keep it from firing, then attributes. */
static dp_err read_unless(dp_rule *r, dp_cursor *c)
{
    size_t most = 0;
    for (const char *p = c->at; p < c->end; p++)
        most += dp_is_space(*p);
    while (next_is(c, "unless")) {
        dp_cursor_word(c);
        if (!r->unless && !(r->unless = DP_NEWS(c->arena, most / 2 + 1, dp_template *)))
            return DP_ENOMEM;
        DP_TRY(read_cond(&r->unless[r->nunless++], c));
    }
    return DP_OK;
}

dp_err dp_ruleline_read(dp_rule *r, dp_cursor *c)
{
    read_state(r, c);
    r->text = (dp_str){dp_cursor_peek(c).p, (size_t)(c->end - c->at)};
    DP_TRY(read_form(r, c));
    DP_TRY(read_unless(r, c));
    dp_str word = dp_cursor_peek(c);
    if (word.n == 0)
        return DP_OK;
    if (word.p[0] == '[')
        return dp_attr_read(&r->attr, &r->nattr, c);
    bool has_on = r->kind == DP_RULE_REWRITE || r->on || r->nunless;
    if (has_on)
        return dp_cursor_expected(c, word, "'unless', attributes or the end of the line", "unless");
    return dp_cursor_expected(c, word, "'on', 'unless', attributes or the end of the line", "on if unless");
}

dp_err dp_ruleline_parse(dp_rule *out, dp_str text, dp_arena *a)
{
    dp_block  everywhere = {0};
    dp_cursor c = {.arena = a, .number = 1, .line = text.p, .at = text.p, .end = text.p + text.n, .block = &everywhere};
    *out = (dp_rule){0};
    dp_err code = dp_ruleline_read(out, &c);
    dp_buf_done(&c.scratch);
    return code;
}

dp_err dp_ruleline_keep(dp_keep *k, dp_cursor *c)
{
    dp_str word = dp_cursor_word(c);
    if (dp_template_begins(word))
        DP_TRY(dp_template_read(&k->tpl, c, word, DP_COND));
    else if (word.n && (word.p[0] == '?' || word.p[0] == ';'))
        DP_TRY(dp_pattern_names(&k->names, c, word));
    else
        return dp_cursor_expected(c, word, "names like ?a,b or a template like /shop/{**}", "");
    word = dp_cursor_peek(c);
    if (word.n == 0)
        return DP_OK;
    return dp_cursor_fail(c, word.p, "expected the end of the keep line, found " DP_SHOW, DP_SHOWN(word));
}
