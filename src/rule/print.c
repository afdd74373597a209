/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/print.h"

#include "rule/pattern.h"

enum { ATTR_COLUMN = 62 };

static void print_number(dp_buf *out, uint64_t v)
{
    char digits[20], *p = digits + sizeof digits;
    do {
        *--p = (char)('0' + v % 10);
        v /= 10;
    } while (v);
    dp_buf_add(out, p, (size_t)(digits + sizeof digits - p));
}

static void print_port(dp_buf *out, int port)
{
    if (port >= 0) {
        dp_buf_byte(out, ':');
        print_number(out, (uint64_t)port);
    }
}

void dp_print_scope(dp_buf *out, const dp_scope *s)
{
    if (s->any) {
        dp_buf_c(out, "any");
        return;
    }
    if (s->wildcard)
        dp_buf_c(out, "*.");
    dp_buf_str(out, s->name);
    print_port(out, s->port);
}

/* ---- templates -------------------------------------------------------------------------- */

static void print_capture(dp_buf *out, const dp_item *it)
{
    dp_buf_byte(out, '{');
    dp_buf_str(out, it->text);
    if (it->cls == DP_CLASS_LIST) {
        for (size_t i = 0; i < it->nlist; i++) {
            dp_buf_byte(out, i ? '|' : '=');
            dp_buf_str(out, it->list[i]);
        }
    } else if (it->cls != DP_CLASS_ANY) {
        dp_buf_byte(out, ':');
        dp_buf_c(out, dp_class_names[it->cls]);
        if (it->length) {
            dp_buf_byte(out, '*');
            print_number(out, it->length);
        }
    }
    if (it->conv != DP_CONV_NONE) {
        dp_buf_byte(out, '|');
        dp_buf_c(out, dp_conv_names[it->conv]);
    }
    dp_buf_byte(out, '}');
}

static void print_pat(dp_buf *out, const dp_pat *p)
{
    for (size_t i = 0; i < p->n; i++) {
        const dp_item *it = &p->v[i];
        if (it->kind == DP_ITEM_LITERAL)
            dp_buf_str(out, it->text);
        else if (it->kind == DP_ITEM_STAR)
            dp_buf_byte(out, '*');
        else
            print_capture(out, it);
    }
}

static void print_query_item(dp_buf *out, const dp_query_item *q)
{
    if (q->kind == DP_QUERY_PRESENT)
        dp_buf_byte(out, '+');
    if (q->kind == DP_QUERY_ABSENT)
        dp_buf_byte(out, '!');
    dp_buf_str(out, q->name);
    if (q->k > 1) {
        dp_buf_byte(out, '#');
        print_number(out, q->k);
    }
    if (q->kind == DP_QUERY_VALUE) {
        dp_buf_byte(out, '=');
        print_pat(out, &q->pat);
    }
}

static void print_before_query(dp_buf *out, const dp_template *t)
{
    if (t->scheme.n) {
        dp_buf_str(out, t->scheme);
        dp_buf_byte(out, ':');
    }
    if (t->host.n) {
        dp_buf_c(out, "//");
        if (t->label.n) {
            dp_buf_byte(out, '{');
            dp_buf_str(out, t->label);
            dp_buf_byte(out, '}');
        }
        dp_buf_str(out, dp_str_cut(t->host, t->label.n ? 1 : 0, t->host.n));
        print_port(out, t->port);
    }
    for (size_t i = 0; i < t->nseg; i++) {
        dp_buf_byte(out, '/');
        if (i == t->glob)
            dp_buf_c(out, "{**}");
        else
            print_pat(out, &t->seg[i]);
    }
}

/* `dots`: an open query ends with "..."; in conditions it does not. */
static void print_template(dp_buf *out, const dp_template *t, bool dots)
{
    print_before_query(out, t);
    if (!t->has_query)
        return;
    dp_buf_byte(out, '?');
    for (size_t i = 0; i < t->nquery; i++) {
        if (i)
            dp_buf_byte(out, '&');
        print_query_item(out, &t->query[i]);
    }
    if (dots && t->open)
        dp_buf_c(out, t->nquery ? "&..." : "...");
}

void dp_print_template(dp_buf *out, const dp_template *t)
{
    print_template(out, t, true);
}

void dp_print_condition(dp_buf *out, const dp_template *t)
{
    print_template(out, t, false);
}

static void print_cond(dp_buf *out, const char *word, const dp_template *t)
{
    dp_buf_c(out, word);
    dp_print_condition(out, t);
}

/* ---- rules ------------------------------------------------------------------------------ */

/* ?sid,utm_*; of no names the kind alone */
static void print_names(dp_buf *out, const dp_names *names)
{
    if (names->n == 0)
        dp_buf_byte(out, names->kind);
    for (size_t i = 0; i < names->n; i++) {
        dp_buf_byte(out, i ? ',' : names->kind);
        dp_buf_str(out, names->v[i].text);
        if (names->v[i].prefix)
            dp_buf_byte(out, '*');
    }
}

static void print_quoted(dp_buf *out, const dp_rule *r, dp_str s)
{
    dp_buf_c(out, r->at_start ? "\"^" : "\"");
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '"' || s.p[i] == '\\' || s.p[i] == '^' || s.p[i] == '$')
            dp_buf_byte(out, '\\');
        dp_buf_byte(out, s.p[i]);
    }
    dp_buf_c(out, r->at_end ? "$\"" : "\"");
}

static void print_form(dp_buf *out, const dp_rule *r)
{
    switch (r->kind) {
    case DP_RULE_REWRITE:
        dp_print_template(out, r->left);
        dp_buf_c(out, " => ");
        dp_print_template(out, r->right);
        break;
    case DP_RULE_DROP:
        dp_buf_c(out, "drop ");
        print_names(out, &r->names);
        if (r->has_if) {
            dp_buf_c(out, " if =");
            dp_buf_str(out, r->value);
        }
        break;
    case DP_RULE_ONLY:
        dp_buf_c(out, "only ");
        print_names(out, &r->names);
        break;
    case DP_RULE_ERASE:
        dp_buf_c(out, "erase ");
        print_names(out, &r->names);
        break;
    case DP_RULE_SET:
        dp_buf_c(out, "set ");
        print_names(out, &r->names);
        dp_buf_byte(out, '=');
        dp_buf_str(out, r->value);
        break;
    case DP_RULE_FOLD_PATH: dp_buf_c(out, "fold case path"); break;
    case DP_RULE_FOLD_QUERY: dp_buf_c(out, "fold case query"); break;
    case DP_RULE_FOLD_NAMES: dp_buf_c(out, "fold case names"); break;
    case DP_RULE_SUB:
        dp_buf_c(out, "sub ");
        print_quoted(out, r, r->alpha);
        dp_buf_c(out, " -> ");
        print_quoted(out, r, r->beta);
        break;
    }
}

void dp_print_text(dp_buf *out, const dp_rule *r)
{
    print_form(out, r);
    if (r->on)
        print_cond(out, " on ", r->on);
    for (size_t i = 0; i < r->nunless; i++)
        print_cond(out, " unless ", r->unless[i]);
}

/* [p=.99 n=3], nothing when it has none */
static void print_attrs(dp_buf *out, const dp_attr *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dp_buf_byte(out, i ? ' ' : '[');
        dp_buf_str(out, v[i].key);
        dp_buf_byte(out, '=');
        dp_buf_str(out, v[i].value);
    }
    if (n)
        dp_buf_byte(out, ']');
}

const char *dp_state_name(dp_state s)
{
    switch (s) {
    case DP_ACTIVE: return "active";
    case DP_PIN: return "pin";
    case DP_LIKELY: return "likely";
    case DP_OFF: return "off";
    }
    return "";
}

/* ---- lines ------------------------------------------------------------------------------ */

/* At least one blank before the attributes, and as many as bring them to `column`. */
static void print_line(dp_buf *out, const dp_rule *r, size_t column)
{
    size_t start = out->n;
    if (r->state != DP_ACTIVE) {
        dp_buf_c(out, dp_state_name(r->state));
        dp_buf_byte(out, ' ');
    }
    if (r->text.n)
        dp_buf_str(out, r->text);
    else
        dp_print_text(out, r);
    if (r->nattr) {
        do
            dp_buf_byte(out, ' ');
        while (!out->failed && out->n - start + 1 < column);
        print_attrs(out, r->attr, r->nattr);
    }
}

void dp_print_rule(dp_buf *out, const dp_rule *r)
{
    print_line(out, r, 0);
}

void dp_print_keep(dp_buf *out, const dp_keep *k)
{
    if (k->names.n) {
        dp_buf_c(out, "keep ");
        print_names(out, &k->names);
    } else {
        print_cond(out, "keep ", k->tpl);
    }
}

static void end_line(dp_buf *out, dp_str tail)
{
    if (tail.n) {
        dp_buf_c(out, "  ");
        dp_buf_str(out, tail);
    }
    dp_buf_byte(out, '\n');
}

typedef enum head { HEAD_WHOLE, HEAD_BARE /* no comments */, HEAD_MEANING /* nor attributes */ } head;

static void print_head(dp_buf *out, const dp_block *b, head what)
{
    bool bare = what != HEAD_WHOLE;
    const dp_str none = {NULL, 0};
    dp_buf_str(out, bare ? none : b->lead);
    dp_buf_c(out, "host ");
    dp_buf_str(out, b->hosts);
    if (b->off)
        dp_buf_c(out, " off");
    if (b->nattr && what != HEAD_MEANING) {
        dp_buf_byte(out, ' ');
        print_attrs(out, b->attr, b->nattr);
    }
    end_line(out, bare ? none : b->tail);
    if (b->order != DP_ORDER_UNSET) {
        dp_buf_str(out, bare ? none : b->order_lead);
        dp_buf_c(out, b->order == DP_ORDER_ANY ? "order any" : "order keep");
        end_line(out, bare ? none : b->order_tail);
    }
    for (size_t i = 0; i < b->nkeep; i++) {
        dp_buf_str(out, bare ? none : b->keep[i].lead);
        dp_print_keep(out, &b->keep[i]);
        end_line(out, bare ? none : b->keep[i].tail);
    }
}

void dp_print_block(dp_buf *out, const dp_block *b)
{
    print_head(out, b, HEAD_BARE);
}

void dp_print_meaning(dp_buf *out, const dp_block *b)
{
    print_head(out, b, HEAD_MEANING);
}

/* Lines in `out` from `*seen` on, which goes on to its end. */
static size_t lines_since(const dp_buf *out, size_t *seen)
{
    size_t n = 0;
    for (; *seen < out->n; (*seen)++)
        n += out->p[*seen] == '\n';
    return n;
}

void dp_print_lines(dp_buf *out, const dp_rules *r, size_t *line)
{
    size_t seen = out->n, lines = 0, number = 0;
    dp_buf_c(out, "dustpan-rules 1\n");
    for (size_t i = 0; i < r->nblock; i++) {
        const dp_block *b = r->block[i];
        print_head(out, b, HEAD_WHOLE);
        for (size_t j = 0; j < b->nrule; j++) {
            dp_buf_str(out, b->rule[j]->lead);
            lines += line ? lines_since(out, &seen) : 0;
            if (line)
                line[number++] = lines;
            print_line(out, b->rule[j], ATTR_COLUMN);
            end_line(out, b->rule[j]->tail);
        }
    }
    dp_buf_str(out, r->end);
}

void dp_print_file(dp_buf *out, const dp_rules *r)
{
    dp_print_lines(out, r, NULL);
}
