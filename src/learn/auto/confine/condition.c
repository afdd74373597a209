/* SPDX-License-Identifier: Apache-2.0 */
#include "learn/auto/confine/condition.h"

/* Where `what` begins in the text; its end: nowhere. */
static size_t find(dp_str text, dp_str what)
{
    size_t i = 0;
    while (i + what.n <= text.n && memcmp(text.p + i, what.p, what.n) != 0)
        i++;
    return i + what.n <= text.n ? i : text.n;
}

/* The rule before its exceptions. */
static dp_str body_of(dp_str text)
{
    return dp_str_cut(text, 0, find(text, DP_STR(" unless ")));
}

static bool has_on(dp_str text)
{
    return find(text, DP_STR(" on ")) < text.n;
}

static bool is_template(dp_str text)
{
    return text.n && (text.p[0] == '/' || memchr(text.p, '>', text.n));
}

enum { MOST_PIECES = 48 };

/* A side of a template cut into its components. */
typedef struct pieces {
    dp_str v[MOST_PIECES];
    size_t n, glob; /* glob: which one is {**}; n: none */
    dp_str query;   /* with '?' */
} pieces;

static bool cut_pieces(pieces *out, dp_str side)
{
    size_t end = 0;
    while (end < side.n && side.p[end] != '?')
        end++;
    *out = (pieces){.query = dp_str_cut(side, end, side.n)};
    if (!end || side.p[0] != '/')
        return false;
    for (size_t i = 1, j; i <= end; i = j + 1) {
        for (j = i; j < end && side.p[j] != '/'; j++) {}
        if (out->n == MOST_PIECES)
            return false;
        out->v[out->n++] = dp_str_cut(side, i, j);
    }
    for (out->glob = 0; out->glob < out->n && !dp_str_eq(out->v[out->glob], DP_STR("{**}")); out->glob++) {}
    return true;
}

/* Whether a piece is a capture of anything: {x}. */
static bool is_capture(dp_str p)
{
    if (p.n < 3 || p.p[0] != '{' || p.p[p.n - 1] != '}' || p.p[1] == '*')
        return false;
    for (size_t i = 1; i + 1 < p.n; i++)
        if (p.p[i] == '{' || p.p[i] == '}' || p.p[i] == ':' || p.p[i] == '=' || p.p[i] == '|')
            return false;
    return true;
}

/* Write one side with piece `k` confined (SIZE_MAX: none). */
static void put_pieces(dp_buf *out, const pieces *s, size_t k, const dp_feature *const *v, size_t n)
{
    for (size_t i = 0; i < s->n; i++) {
        dp_buf_byte(out, '/');
        if (i == k)
            dp_feature_print_list(out, dp_str_cut(s->v[i], 1, s->v[i].n - 1), v, n);
        else
            dp_buf_str(out, s->v[i]);
    }
    dp_buf_str(out, s->query);
}

/* Write one side with {**} opened: its component number `in` (0 or 1) confined. */
static void put_opened(dp_buf *out, const pieces *s, size_t in, bool left, const dp_feature *const *v, size_t n)
{
    for (size_t i = 0; i < s->n; i++) {
        dp_buf_byte(out, '/');
        if (i != s->glob) {
            dp_buf_str(out, s->v[i]);
            continue;
        }
        if (in)
            dp_buf_c(out, "{r}/");
        if (left)
            dp_feature_print_list(out, DP_STR("q"), v, n);
        else
            dp_buf_c(out, "{q}");
        dp_buf_c(out, "/{**}");
    }
    dp_buf_str(out, s->query);
}

/* Write one side with an extension behind its last component, which is {**} or a capture. */
static void put_extended(dp_buf *out, const pieces *s, dp_str extension)
{
    for (size_t i = 0; i < s->n; i++) {
        dp_buf_byte(out, '/');
        dp_buf_str(out, s->v[i]);
    }
    if (s->glob + 1 == s->n)
        dp_buf_c(out, "/{z}");
    dp_buf_str(out, extension);
    dp_buf_str(out, s->query);
}

/* Files of one kind: /{**} -> /{**}/{z}.png, /{x} -> /{x}.png, where both sides end alike. */
static bool confine_files(dp_buf *out, const pieces *left, const pieces *right, dp_str extension)
{
    dp_str a = left->v[left->n - 1], b = right->v[right->n - 1];
    if (!dp_str_eq(a, b) || !(is_capture(a) || dp_str_eq(a, DP_STR("{**}"))))
        return false;
    put_extended(out, left, extension);
    dp_buf_c(out, " => ");
    put_extended(out, right, extension);
    return true;
}

/* {x} -> {x=v1|v2} on the left of a template; {**} -> {q=v1|v2}/{**} on both sides. */
static bool confine_component(dp_buf *out, const pieces *left, const pieces *right, const dp_feature *const *v,
                              size_t n)
{
    size_t k = v[0]->at;
    if (v[0]->kind == DP_F_END) {
        if (k >= left->n || (left->glob < left->n && left->n - 1 - k <= left->glob))
            return false;
        k = left->n - 1 - k;
    }
    bool inside = v[0]->kind == DP_F_START && left->glob < left->n && k >= left->glob;
    if (inside ? right->glob == right->n || k > left->glob + 1 : k >= left->n || !is_capture(left->v[k]))
        return false;
    if (inside)
        put_opened(out, left, k - left->glob, true, v, n);
    else
        put_pieces(out, left, k, v, n);
    dp_buf_c(out, " => ");
    if (inside) /* components come out of {**} on the right, too, wherever it stands there */
        put_opened(out, right, k - left->glob, false, v, n);
    else
        put_pieces(out, right, SIZE_MAX, v, n);
    return true;
}

/* A template where one of the values holds. */
static bool confine(dp_buf *out, dp_str text, const dp_feature *const *v, size_t n)
{
    dp_str body = body_of(text);
    size_t arrow = find(body, DP_STR(" => "));
    pieces left, right;
    bool   ok = arrow < body.n && cut_pieces(&left, dp_str_cut(body, 0, arrow)) &&
              cut_pieces(&right, dp_str_cut(body, arrow + 4, body.n));
    for (size_t i = 0; i < n; i++)
        ok &= v[i]->value.n > 0;
    if (ok && v[0]->kind == DP_F_EXTENSION && n == 1)
        ok = confine_files(out, &left, &right, v[0]->value);
    else
        ok = ok && (v[0]->kind == DP_F_START || v[0]->kind == DP_F_END) &&
             confine_component(out, &left, &right, v, n);
    dp_buf_str(out, dp_str_cut(text, body.n, text.n));
    return ok;
}

bool dp_condition_restrict(dp_buf *out, dp_str text, const dp_feature *const *v, size_t n)
{
    dp_buf_reset(out);
    if (dp_str_eq(text, DP_STR("order any")))
        return false;
    if (is_template(text))
        return confine(out, text, v, n);
    if (has_on(text))
        return false;
    dp_str body = body_of(text);
    dp_buf_str(out, body);
    dp_buf_c(out, " on ");
    if (!dp_feature_print(out, v, n))
        return false;
    dp_buf_str(out, dp_str_cut(text, body.n, text.n));
    return true;
}

/* Whether the rule has that exception. */
static bool is_there(dp_str text, dp_str exception)
{
    for (size_t i = 0; i + exception.n <= text.n; i++)
        if (memcmp(text.p + i, exception.p, exception.n) == 0 &&
            (i + exception.n == text.n || text.p[i + exception.n] == ' '))
            return true;
    return false;
}

bool dp_condition_except(dp_buf *out, dp_str text, const dp_feature *const *v, size_t n)
{
    dp_buf_reset(out);
    if (dp_str_eq(text, DP_STR("order any")))
        return false;
    dp_buf_str(out, text);
    for (size_t i = 0; i < n; i++) {
        size_t at = out->n;
        dp_buf_c(out, " unless ");
        if (!dp_feature_print(out, &v[i], 1))
            return false;
        if (is_there(text, dp_str_cut(dp_buf_view(out), at, out->n)))
            return false; /* and is of no use: another rule leads there after this one has fired */
    }
    return true;
}
