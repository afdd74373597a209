/* SPDX-License-Identifier: Apache-2.0 */
#include "rule/pattern.h"

#include "url/chars.h"

const char *const dp_class_names[] = {"", "int", "hex", "word", "slug", "uuid", "date"};
const char *const dp_conv_names[] = {"", "lower", "upper", "decode", "encode", "cap", "int"};

/* ---- one capture ----------------------------------------------------------------------- */

/* The values of {x=v1|v2}. */
static dp_err read_list(dp_item *it, dp_cursor *c, dp_str s, dp_zone zone)
{
    size_t n = 1;
    for (size_t i = 0; i < s.n; i++)
        n += s.p[i] == '|';
    it->cls = DP_CLASS_LIST;
    if (!(it->list = DP_NEWS(c->arena, n, dp_str)))
        return DP_ENOMEM;
    for (size_t i = 0, j; i <= s.n; i = j + 1) {
        j = i + dp_str_find(dp_str_cut(s, i, s.n), '|');
        dp_str v = dp_str_cut(s, i, j);
        if (v.n == 0)
            return dp_cursor_fail(c, v.p, "a value is missing: {%.*s} never matches an empty text", DP_FMT(it->text));
        DP_TRY(dp_cursor_literal(c, v, zone == DP_ZONE_QUERY ? dp_pattern_ends('?') : ""));
        it->list[it->nlist++] = v;
    }
    return dp_cursor_once(c, it->list, it->nlist, sizeof *it->list, "value");
}

/* N of {x:CLASS*N}. */
static dp_err read_length(dp_item *it, dp_cursor *c, dp_str digits)
{
    size_t n = 0;
    bool   good = digits.n > 0 && digits.n <= 3 && digits.p[0] != '0';
    for (size_t i = 0; i < digits.n && good; i++) {
        good = dp_is(digits.p[i], DP_CH_DIGIT);
        n = n * 10 + (size_t)(digits.p[i] - '0');
    }
    if (!good || n > DP_MAX_LENGTH)
        return dp_cursor_fail(c, digits.p, "expected a length from 1 to %d after '*', found " DP_SHOW, DP_MAX_LENGTH,
                              DP_SHOWN(digits));
    if (!dp_class_has_length(it->cls))
        return dp_cursor_fail(c, digits.p - 1, "only int, hex, word and slug take a length: write {%.*s:%s}",
                              DP_FMT(it->text), dp_class_names[it->cls]);
    it->length = n;
    return DP_OK;
}

static dp_err read_class(dp_item *it, dp_cursor *c, dp_str s)
{
    size_t star = dp_str_find(s, '*');
    dp_str name = dp_str_cut(s, 0, star);
    for (size_t i = 1; i < DP_COUNT(dp_class_names); i++) {
        if (dp_str_eq(name, dp_str_c(dp_class_names[i]))) {
            it->cls = (dp_class)i;
            return star < s.n ? read_length(it, c, dp_str_cut(s, star + 1, s.n)) : DP_OK;
        }
    }
    return dp_cursor_expected(c, name, "a class (int, hex, word, slug, uuid or date)", "int hex word slug uuid date");
}

static dp_err read_conv(dp_item *it, dp_cursor *c, dp_str s)
{
    for (size_t i = 1; i < DP_COUNT(dp_conv_names); i++) {
        if (dp_str_eq(s, dp_str_c(dp_conv_names[i]))) {
            it->conv = (dp_conv)i;
            return DP_OK;
        }
    }
    return dp_cursor_expected(c, s, "a conversion (lower, upper, cap, decode, encode or int)",
                              "lower upper cap decode encode int");
}

size_t dp_pattern_capture(dp_str s)
{
    size_t n = 0;
    if (s.n && (dp_is(s.p[0], DP_CH_ALPHA) || s.p[0] == '_'))
        while (n < s.n && (dp_is(s.p[n], DP_CH_ALNUM) || s.p[n] == '_'))
            n++;
    return n;
}

/* `s` is what stands between { and }. */
static dp_err read_capture(dp_item *it, dp_cursor *c, dp_str s, dp_side side, dp_zone zone)
{
    if (dp_str_eq(s, DP_STR("**")))
        return dp_cursor_fail(c, s.p - 1, "{**} must be a whole segment of the path");
    size_t n = dp_pattern_capture(s);
    if (n == 0)
        return dp_cursor_fail(c, s.p,
                              "expected a name of letters, digits and _ after '{' (for a brace in a URL write %%7B)");
    *it = (dp_item){.kind = DP_ITEM_CAPTURE, .text = dp_str_cut(s, 0, n)};
    if (n == s.n)
        return DP_OK;
    dp_str rest = dp_str_cut(s, n + 1, s.n);
    switch (s.p[n]) {
    case ':':
        if (side == DP_RIGHT)
            return dp_cursor_fail(c, s.p + n, "a class is allowed on the left side only: write {%.*s}",
                                  DP_FMT(it->text));
        return read_class(it, c, rest);
    case '=':
        if (side == DP_RIGHT)
            return dp_cursor_fail(c, s.p + n, "a list is allowed on the left side only: write {%.*s}",
                                  DP_FMT(it->text));
        return read_list(it, c, rest, zone);
    case '|':
        if (side != DP_RIGHT)
            return dp_cursor_fail(c, s.p + n, "a conversion is allowed on the right side only: write {%.*s}",
                                  DP_FMT(it->text));
        return read_conv(it, c, rest);
    default:
        return dp_cursor_fail(c, s.p + n, "expected ':', '=', '|' or '}' after {%.*s", DP_FMT(it->text));
    }
}

/* ---- pattern --------------------------------------------------------------------------- */

/* Whether it always matches the same number of bytes, so that another capture may follow. */
static bool has_fixed_length(const dp_item *it)
{
    return it->kind == DP_ITEM_CAPTURE && (it->length || it->cls == DP_CLASS_UUID);
}

dp_err dp_pattern_read(dp_pat *out, dp_cursor *c, dp_str s, dp_side side, dp_zone zone)
{
    size_t captures = 0;
    for (size_t i = 0; i < s.n; i++)
        captures += s.p[i] == '{' || s.p[i] == '*';
    *out = (dp_pat){NULL, 0};
    if (s.n == 0)
        return DP_OK;
    if (!(out->v = DP_NEWS(c->arena, 2 * captures + 1, dp_item)))
        return DP_ENOMEM;
    for (size_t i = 0, j; i < s.n; i = j) {
        dp_item *it = &out->v[out->n];
        for (j = i; j < s.n && s.p[j] != '{' && s.p[j] != '*'; j++) {}
        if (j > i) {
            *it = (dp_item){.kind = DP_ITEM_LITERAL, .text = dp_str_cut(s, i, j)};
            DP_TRY(dp_cursor_literal(c, it->text, zone == DP_ZONE_QUERY ? dp_pattern_ends('?') : ""));
            out->n++;
            continue;
        }
        if (side != DP_RIGHT && out->n && it[-1].kind != DP_ITEM_LITERAL && !has_fixed_length(&it[-1]))
            return dp_cursor_fail(c, s.p + i,
                                  "two captures in a row: put a literal between them, or give the first one a length "
                                  "as in {x:int*4}");
        if (s.p[i] == '*') {
            *it = (dp_item){.kind = DP_ITEM_STAR};
            j = i + 1;
        } else {
            dp_str rest = dp_str_cut(s, i + 1, s.n);
            size_t close = dp_str_find(rest, '}');
            if (close == rest.n)
                return dp_cursor_fail(c, s.p + i, "'}' is missing (for a brace in a URL write %%7B)");
            DP_TRY(read_capture(it, c, dp_str_cut(rest, 0, close), side, zone));
            j = i + 1 + close + 1;
        }
        out->n++;
    }
    return DP_OK;
}

/* ---- names ----------------------------------------------------------------------------- */

const char *dp_pattern_ends(char kind)
{
    return kind == '?' ? "&;" : "/?;";
}

dp_err dp_pattern_name(dp_cursor *c, dp_str name, char kind)
{
    if (name.n == 0)
        return dp_cursor_fail(c, name.p, "a parameter name is missing");
    if (name.p[0] == '+' || name.p[0] == '!' || dp_str_eq(name, DP_STR("...")))
        return dp_cursor_fail(c, name.p, "a rule cannot name a parameter that begins with + or !, or is '...'");
    for (size_t i = 0; i < name.n; i++)
        if (name.p[i] == ',' || name.p[i] == '#')
            return dp_cursor_fail(c, name.p + i, "a rule cannot name a parameter that contains ',' or '#'");
    return dp_cursor_literal(c, name, dp_pattern_ends(kind));
}

dp_err dp_pattern_names(dp_names *out, dp_cursor *c, dp_str word)
{
    if (word.n == 0 || (word.p[0] != '?' && word.p[0] != ';'))
        return dp_cursor_expected(c, word, "names like ?a,b or ;a,b", "");
    size_t n = 1;
    for (size_t i = 0; i < word.n; i++)
        n += word.p[i] == ',';
    *out = (dp_names){.kind = word.p[0]};
    if (!(out->v = DP_NEWS(c->arena, n, dp_name)))
        return DP_ENOMEM;
    for (size_t i = 1, j; i <= word.n; i = j + 1) {
        j = i + dp_str_find(dp_str_cut(word, i, word.n), ',');
        dp_str s = dp_str_cut(word, i, j);
        if (s.n == 0)
            return dp_cursor_fail(c, s.p, "a name is missing (write a list of names without spaces)");
        if (dp_str_find(s, '=') < s.n)
            return dp_cursor_fail(c, s.p + dp_str_find(s, '='),
                                  "a name cannot contain '='; to match one value write 'if =VALUE'");
        bool prefix = s.p[s.n - 1] == '*';
        if (s.n > prefix)
            DP_TRY(dp_pattern_name(c, dp_str_cut(s, 0, s.n - prefix), out->kind));
        out->v[out->n++] = (dp_name){.text = s, .prefix = prefix};
    }
    DP_TRY(dp_cursor_once(c, out->v, out->n, sizeof *out->v, "name"));
    for (size_t i = 0; i < out->n; i++)
        out->v[i].text.n -= out->v[i].prefix;
    return DP_OK;
}
